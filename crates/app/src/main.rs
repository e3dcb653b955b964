//! `hotframe`: performance data in the terminal and in the browser.

mod arguments;
mod commands;
mod host;
mod reading;
mod server;
mod text;

use std::io::Write as _;
use std::process::ExitCode;

use clap::Parser;

use arguments::{Arguments, Command};

fn main() -> ExitCode {
    let arguments = Arguments::parse_from(arguments::with_default_command(std::env::args_os()));
    let result = match arguments.command {
        Command::Open(arguments) => commands::open(&arguments),
        Command::Info(arguments) => commands::info(&arguments),
        Command::Show(arguments) => commands::show(&arguments),
        Command::Convert(arguments) => commands::convert(&arguments),
        Command::Merge(arguments) => commands::merge(&arguments),
        Command::Export(arguments) => commands::export(&arguments),
        Command::Formats(arguments) => commands::formats(&arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read our output has seen enough.
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // Nobody can be told that telling failed.
            let _ = writeln!(std::io::stderr(), "hotframe: {error:#}");
            if let Some(hint) = error.downcast_ref::<protocol::ProtocolError>().map(|e| &e.hint)
                && !hint.is_empty()
            {
                let _ = writeln!(std::io::stderr(), "{hint}");
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
