//! One command a file.

mod convert;
mod diff;
mod draw;
mod export;
mod formats;
mod info;
mod machine;
mod merge;
mod open;
mod output;
mod pairs;
mod sdfg;
mod shell;
mod show;

pub(crate) use convert::convert;
pub(crate) use diff::diff;
pub(crate) use export::export;
pub(crate) use formats::formats;
pub(crate) use info::info;
pub(crate) use machine::machine;
pub(crate) use merge::merge;
pub(crate) use open::open;
pub(crate) use sdfg::sdfg;
pub(crate) use shell::{completions, man};
pub(crate) use show::show;

use output::write_output;

/// A warning with how often it came up.
fn counted(message: String, count: u64) -> String {
    match count {
        1 => message,
        count => format!("{message} ({} times)", crate::text::count(count)),
    }
}
