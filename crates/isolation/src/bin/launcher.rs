//! What the tests of isolation have for the product's hidden sub-command; and with `try`, a
//! program that isolates another one, so that they can be both under conditions.

#![allow(
    clippy::disallowed_methods,
    reason = "the run's own folder, which the program does not see, and folders of the system"
)]
#![allow(clippy::print_stderr, reason = "it says why it does not work")]

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, ExitCode};

use isolation::{Isolation, Launcher};

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1).peekable();
    if arguments.next_if(|argument| argument == "try").is_some() {
        return attempt(&arguments.collect::<Vec<_>>()).unwrap_or_else(|error| {
            eprintln!("{error}");
            ExitCode::from(99)
        });
    }
    isolation::launch(arguments)
}

/// `try LIMITS FOLDER PROGRAM...`: the limits as JSON; files that are written to
/// the folder inside are brought there, and it gets `in_force.json` and `end.json` afterwards.
fn attempt(arguments: &[OsString]) -> Result<ExitCode, Box<dyn std::error::Error>> {
    let text = |argument: &OsString| argument.to_string_lossy().into_owned();
    let [limits, folder, command @ ..] = arguments else { return Err("too few arguments".into()) };
    let limits = serde_json::from_str(&text(limits))?;
    let folder = Path::new(folder);
    let isolation = Isolation { limits, exchange: Some(folder.to_owned()), ..Default::default() };
    let launcher = Launcher { program: std::env::current_exe()?, arguments: vec![] };
    let wrapped = isolation.wrap(&launcher, &command.iter().map(text).collect::<Vec<_>>())?;
    let status = Command::new(&wrapped.command[0]).args(&wrapped.command[1..]).status()?;
    std::fs::write(folder.join("in_force.json"), serde_json::to_vec(&wrapped.in_force)?)?;
    std::fs::write(folder.join("end.json"), serde_json::to_vec(&wrapped.guard.end()?)?)?;
    Ok(ExitCode::from(status.code().unwrap_or(98) as u8))
}
