//! `hotframe`: performance data in the terminal, in the browser and in the editor.
//!
//! The binary adds what npm builds, so that a new page compiles nothing else again.

mod access;
mod addresses;
mod advice_rules;
mod archives;
mod arguments;
mod binaries;
mod commands;
mod embedded;
#[cfg(target_os = "linux")]
mod experiments;
#[cfg(target_os = "linux")]
mod from_source;
mod host;
mod lsp;
mod machine;
mod manifest_files;
mod mcp;
mod memray;
mod objdump;
mod path_parts;
mod python_package;
mod python_parts;
mod reading;
mod recorded_arrays;
mod report;
mod run;
mod server;
mod settings;
mod sources;
mod state_folder;
mod text;
mod viewer;

pub use embedded::{Embedded, Folder};
pub use run::run;
