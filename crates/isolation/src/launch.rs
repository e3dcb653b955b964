//! The stages that are our own binary.

use std::ffi::OsString;
use std::process::ExitCode;

/// What the hidden sub-command of a [`Launcher`](crate::Launcher) does, with the arguments that
/// follow it. To be called before anything else is done: it closes all files but the standard
/// ones, and wants no other thread.
pub fn launch(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let _ = arguments;
    ExitCode::from(125)
}
