//! The command that the command line names.

use std::ffi::OsStr;
use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

use clap::Parser;

use crate::arguments::{self, Arguments, Color, Command};
use crate::embedded::{self, Embedded};
use crate::{access, commands, lsp, mcp, text};

/// The exit code for arguments that cannot be understood, as clap has it.
const WRONG_USAGE: u8 = 2;

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
    if std::env::args_os().len() == 1 {
        let _ = std::io::stderr().write_all(arguments::FIRST_WORDS.as_bytes());
        return ExitCode::from(WRONG_USAGE);
    }
    let exists = |name: &OsStr| name == "-" || Path::new(name).exists();
    let words = arguments::with_default_command(std::env::args_os(), exists);
    let words = words.unwrap_or_else(|error| error.exit());
    if let Some(hint) = words.hint {
        let _ = writeln!(
            std::io::stderr(),
            "hotframe: {hint}; the old name goes with the next version"
        );
    }
    let arguments = Arguments::parse_from(words.words);
    if arguments.color != Color::Auto {
        console::set_colors_enabled(arguments.color == Color::Always);
        console::set_colors_enabled_stderr(arguments.color == Color::Always);
    }
    ended(command(arguments.command))
}

/// Runs a command.
///
/// # Errors
/// What went wrong, for people.
pub(crate) fn command(command: Command) -> anyhow::Result<ExitCode> {
    let done = |result: anyhow::Result<()>| result.map(|()| ExitCode::SUCCESS);
    match command {
        Command::Open(arguments) => done(commands::open(&arguments)),
        Command::Info(arguments) => done(commands::info(&arguments)),
        Command::Show(arguments) => done(commands::show(&arguments)),
        Command::Advice(arguments) => done(commands::advice(&arguments)),
        Command::Diff(arguments) => commands::diff(&arguments),
        Command::Convert(arguments) => done(commands::convert(&arguments)),
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
        Command::Events(arguments) => commands::events(&arguments),
        Command::Licenses => done(commands::licenses()),
        Command::Completions(arguments) => done(commands::completions(&arguments)),
        Command::Man(arguments) => done(commands::man(&arguments)),
    }
}

/// Tells what went wrong, and gives the code to end with.
fn ended(result: anyhow::Result<ExitCode>) -> ExitCode {
    match result {
        Ok(code) => code,
        // Whoever read our output has seen enough.
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // Nobody can be told that telling failed.
            let _ = writeln!(std::io::stderr(), "hotframe: {}", error_text(&error));
            ExitCode::FAILURE
        }
    }
}

/// What went wrong and what to do, for people.
pub(crate) fn error_text(error: &anyhow::Error) -> String {
    let hint = error.downcast_ref::<protocol::ProtocolError>().map_or("", |error| &*error.hint);
    let lines = [format!("{error:#}"), hint.to_owned()];
    let lines = lines.iter().filter(|line| !line.is_empty());
    lines.map(|line| text::visible_lines(line)).collect::<Vec<_>>().join("\n")
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<std::io::Error>()
            .is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
    })
}
