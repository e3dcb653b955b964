//! `hotframe`: performance data in the terminal, in the browser and in the editor.
//!
//! The binary adds what npm builds, so that a new page compiles nothing else again.

mod access;
mod addresses;
mod advice_rules;
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
mod server;
mod settings;
mod sources;
mod state_folder;
mod text;
mod viewer;

use std::ffi::OsStr;
use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

use clap::Parser;

use arguments::{Arguments, Color, Command};

pub use embedded::{Embedded, Folder};

/// Runs the command that the command line names.
pub fn run(embedded: Embedded) -> ExitCode {
    embedded::set(embedded);
    // Before anything is read: what follows may be an isolated program's, and no option of ours.
    #[cfg(target_os = "linux")]
    if let Some(code) = commands::begun_by_itself() {
        return code;
    }
    if let Err(error) = access::from_environment() {
        let _ =
            writeln!(std::io::stderr(), "hotframe: {}", text::visible_lines(&format!("{error:#}")));
        return ExitCode::FAILURE;
    }
    let exists = |name: &OsStr| name == "-" || Path::new(name).exists();
    let words = arguments::with_default_command(std::env::args_os(), exists);
    let arguments = Arguments::parse_from(words.unwrap_or_else(|error| error.exit()));
    if arguments.color != Color::Auto {
        console::set_colors_enabled(arguments.color == Color::Always);
        console::set_colors_enabled_stderr(arguments.color == Color::Always);
    }
    let done = |result: anyhow::Result<()>| result.map(|()| ExitCode::SUCCESS);
    let result = match arguments.command {
        Command::Open(arguments) => done(commands::open(&arguments)),
        Command::Info(arguments) => done(commands::info(&arguments)),
        Command::Show(arguments) => done(commands::show(&arguments)),
        Command::Advice(arguments) => done(commands::advice(&arguments)),
        Command::Diff(arguments) => commands::diff(&arguments),
        Command::Convert(arguments) => done(commands::convert(&arguments)),
        Command::Merge(arguments) => done(commands::merge(&arguments)),
        Command::Export(arguments) => done(commands::export(&arguments)),
        Command::Run(arguments) => commands::run(&arguments),
        Command::Engine(arguments) => done(commands::engine(&arguments)),
        Command::Lsp(arguments) => lsp::lsp(&arguments),
        Command::Mcp(arguments) => done(mcp::mcp(&arguments)),
        Command::Formats(arguments) => done(commands::formats(&arguments)),
        Command::Sdfg(arguments) => commands::sdfg(&arguments),
        #[cfg(target_os = "linux")]
        Command::Record(arguments) => commands::record(*arguments),
        #[cfg(target_os = "linux")]
        Command::Experiment(arguments) => commands::experiment(&arguments),
        #[cfg(target_os = "linux")]
        Command::Worker(arguments) => commands::worker(&arguments),
        Command::Perf(arguments) => commands::perf(&arguments),
        Command::Machine(arguments) => done(commands::machine(&arguments)),
        Command::Licenses => done(commands::licenses()),
        Command::Completions(arguments) => done(commands::completions(&arguments)),
        Command::Man(arguments) => done(commands::man(&arguments)),
    };
    match result {
        Ok(code) => code,
        // Whoever read our output has seen enough.
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // Nobody can be told that telling failed.
            let message = text::visible_lines(&format!("{error:#}"));
            let _ = writeln!(std::io::stderr(), "hotframe: {message}");
            if let Some(hint) = error.downcast_ref::<protocol::ProtocolError>().map(|e| &e.hint)
                && !hint.is_empty()
            {
                let _ = writeln!(std::io::stderr(), "{}", text::visible_lines(hint));
            }
            ExitCode::FAILURE
        }
    }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<std::io::Error>()
            .is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
    })
}
