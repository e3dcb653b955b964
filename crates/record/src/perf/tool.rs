//! The program `perf`.

use std::ffi::OsStr;
use std::io::ErrorKind;
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Output, Stdio};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};

use crate::Unavailable;

/// The oldest that has what every recording is made with.
const OLDEST: (u32, u32) = (4, 18);

/// What works in any perf; nothing that it is asked on its own takes longer.
const LONGEST: Duration = Duration::from_secs(60);

/// A perf that works.
#[derive(Debug, Clone)]
pub(crate) struct Program {
    pub(crate) version: String,
    /// What `perf record -h` says.
    help: String,
}

impl Program {
    pub(crate) fn find() -> Result<Program, Unavailable> {
        let told = match said(["--version"]) {
            Ok(output) => output,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Err(Unavailable {
                    reason: "perf is not installed".to_owned(),
                    advice: INSTALL.to_owned(),
                });
            }
            Err(error) => {
                return Err(Unavailable {
                    reason: format!("perf cannot be started: {error}"),
                    advice: INSTALL.to_owned(),
                });
            }
        };
        let text = texts(&told);
        let Some(version) = text.lines().find_map(|line| line.strip_prefix("perf version ")) else {
            let line = first_line(&text);
            return Err(Unavailable {
                reason: format!("perf printed no version, but: {line}"),
                advice: "Ubuntu's perf wants the package of the running kernel: `sudo apt install \
                         linux-tools-$(uname -r)`"
                    .to_owned(),
            });
        };
        let version = version.trim().to_owned();
        if number(&version).is_none_or(|number| number < OLDEST) {
            let (major, minor) = OLDEST;
            return Err(Unavailable {
                reason: format!("perf {version} is too old: {major}.{minor} is needed"),
                advice: INSTALL.to_owned(),
            });
        }
        let help = said(["record", "-h"]).map(|output| texts(&output)).unwrap_or_default();
        Ok(Program { version, help })
    }

    /// Whether `perf record` has an option.
    pub(crate) fn offers(&self, option: &str) -> bool {
        let names = self.help.split_whitespace().map(|word| word.trim_end_matches(','));
        names.map(|word| word.split(['=', '[']).next().unwrap_or(word)).any(|word| word == option)
    }
}

const INSTALL: &str = "install it: `sudo apt install linux-perf` on Debian, `linux-tools-$(uname \
                       -r)` on Ubuntu, `perf` on Fedora, Arch and openSUSE";

/// `6.1.187` is 6.1.
fn number(version: &str) -> Option<(u32, u32)> {
    let mut parts = version.split(|c: char| !c.is_ascii_digit());
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

/// Asks perf something, in English. Ended if it takes too long.
pub(crate) fn said<S: AsRef<OsStr>>(
    arguments: impl IntoIterator<Item = S>,
) -> std::io::Result<Output> {
    let mut perf = Command::new("perf");
    perf.args(arguments).env("LC_ALL", "C").process_group(0);
    perf.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = perf.spawn()?;
    let group = Pid::from_child(&child);
    let (sender, receiver) = channel();
    thread::spawn(move || sender.send(child.wait_with_output()));
    receiver.recv_timeout(LONGEST).unwrap_or_else(|_| {
        let _ = kill_process_group(group, Signal::KILL);
        Err(std::io::Error::new(ErrorKind::TimedOut, "perf does not answer"))
    })
}

/// What a program said, first as an answer, then besides.
pub(crate) fn texts(output: &Output) -> String {
    let [out, err] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    format!("{out}\n{err}")
}

/// The first line that says something.
pub(crate) fn first_line(text: &str) -> &str {
    let empty = |line: &&str| line.is_empty() || *line == "Error:";
    text.lines().map(str::trim).find(|line| !empty(line)).unwrap_or("nothing")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_and_options_are_known() {
        assert_eq!(number("6.1.187"), Some((6, 1)));
        assert_eq!(number("5.10-rc2"), Some((5, 10)));
        assert_eq!(number("x"), None);
        let help =
            "    -z, --compression-level[=<n>]\n  --buildid-mmap   Record\n -k, --clockid <x>";
        let program = Program { version: String::new(), help: help.to_owned() };
        let offered = ["-z", "--compression-level", "--buildid-mmap", "-k"];
        assert!(offered.iter().all(|option| program.offers(option)));
        assert!(!program.offers("--buildid") && !program.offers("-x"));
    }
}
