//! The stages that are our own binary.

#![allow(clippy::disallowed_methods, reason = "files of the kernel, below /proc and /sys")]

mod counting;
mod inner;
mod outer;
mod signals;

use std::ffi::OsString;
use std::fs;
use std::io::{Write as _, stderr, stdin, stdout};
use std::os::fd::AsFd as _;
use std::path::Path;
use std::process::ExitCode;

use rustix::fs::{FileType, fstat};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::Error;

/// The stage before bubblewrap, with the folder of the run.
pub(crate) const OUTER: &str = "outer";

/// The first process inside.
pub(crate) const INNER: &str = "inner";

/// Not isolated, and so not run.
const NOT_ISOLATED: u8 = 125;

/// What the hidden sub-command of a [`Launcher`](crate::Launcher) does, with the arguments that
/// follow it. To be called before anything else is done: it closes all files but the standard
/// ones, and wants no other thread.
pub fn launch(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let ready = close_others().and_then(|()| no_folders()).and_then(|()| limit(Resource::Core, 0));
    let ended = ready.and_then(|()| match &arguments[..] {
        [stage, room] if stage == OUTER => outer::run(Path::new(room)),
        [stage] if stage == INNER => inner::run(),
        _ => Err(Error::Asked("this is for programs that are isolated, not for people".into())),
    });
    ended.unwrap_or_else(|error| {
        say(&error);
        ExitCode::from(code_of(&error))
    })
}

/// Whoever started us may have left files open, which would be the program's, too.
fn close_others() -> Result<(), Error> {
    let listed = fs::read_dir("/proc/self/fd").map_err(Error::file("read", "/proc/self/fd"))?;
    let names = listed.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    // Listing them has one of its own open, which is gone when they are all known.
    let numbers: Vec<i32> = names.filter(|number| *number > 2).collect();
    for number in numbers {
        let _ = nix::unistd::close(number);
    }
    Ok(())
}

/// A folder would be a way out of what is mounted.
fn no_folders() -> Result<(), Error> {
    let (input, output, error) = (stdin(), stdout(), stderr());
    for file in [input.as_fd(), output.as_fd(), error.as_fd()] {
        // One that is closed is none.
        let is_folder = fstat(file)
            .is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Directory);
        if is_folder {
            return Err(Error::Asked("a folder is not an input or output of a program".to_owned()));
        }
    }
    Ok(())
}

/// Nothing raises it again.
fn limit(resource: Resource, most: u64) -> Result<(), Error> {
    limit_twice(resource, most, most)
}

/// One that is told, and one that is insisted on; never more than held before.
fn limit_twice(resource: Resource, current: u64, maximum: u64) -> Result<(), Error> {
    let maximum = getrlimit(resource).maximum.map_or(maximum, |before| before.min(maximum));
    let limits = Rlimit { current: Some(current.min(maximum)), maximum: Some(maximum) };
    setrlimit(resource, limits).map_err(Error::step("setting limits"))
}

/// On standard error, which may be closed.
fn say(error: &Error) {
    let _ = writeln!(stderr(), "hotframe: {error}");
}

/// As shells do where the program is not there or cannot be executed.
fn code_of(error: &Error) -> u8 {
    match error {
        Error::Start { error, .. } if error.kind() == std::io::ErrorKind::NotFound => 127,
        Error::Start { .. } => 126,
        _ => NOT_ISOLATED,
    }
}
