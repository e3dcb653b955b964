//! Names of threads: what a command tells of them, and rules.

use std::io::{self, BufRead as _, BufReader, Read, Write as _};
use std::process::ChildStdout;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use regex::Regex;

use crate::{Error, ThreadNames};

/// Names by thread.
type Names = Arc<Mutex<Vec<(u32, String)>>>;

/// Follows standard output of a command, which goes on as it comes.
pub(crate) struct Log {
    names: Names,
    end: Receiver<()>,
}

/// More threads than this are not named.
const MOST_NAMES: usize = 1 << 16;

/// Of all names together no more is kept, in bytes.
const MOST_OF_NAMES: usize = 4 << 20;

/// Of a line more is not looked at.
const LONGEST_LINE: u64 = 4096;

impl Log {
    pub(crate) fn follow(from: ChildStdout) -> Log {
        let names = Names::default();
        let (done, end) = channel();
        let kept = Arc::clone(&names);
        thread::spawn(move || {
            // Whoever closed our standard output wants no more; the command will notice.
            let _ = pass_on(from, &kept);
            let _ = done.send(());
        });
        Log { names, end }
    }

    /// What was told. Who left a child behind that still writes is not waited for.
    pub(crate) fn names(self) -> Vec<(u32, String)> {
        let _ = self.end.recv_timeout(Duration::from_secs(1));
        self.names.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn pass_on(from: impl Read, names: &Names) -> io::Result<()> {
    let mut from = BufReader::new(from);
    let mut piece = vec![];
    let mut is_start = true;
    let mut kept = 0;
    loop {
        piece.clear();
        if from.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut piece)? == 0 {
            return Ok(());
        }
        if is_start && let Some(name) = named(&piece) {
            let mut names = names.lock().unwrap_or_else(PoisonError::into_inner);
            keep(&mut names, name, &mut kept);
        }
        is_start = piece.ends_with(b"\n");
        let mut out = io::stdout().lock();
        out.write_all(&piece)?;
        out.flush()?;
    }
}

/// `kept` is how many bytes the names have.
fn keep(names: &mut Vec<(u32, String)>, name: (u32, String), kept: &mut usize) {
    *kept = kept.saturating_add(name.1.len());
    if names.len() < MOST_NAMES && *kept <= MOST_OF_NAMES {
        names.push(name);
    }
}

/// `TID: name,tid`; the name may have commas, colons and spaces of its own.
fn named(line: &[u8]) -> Option<(u32, String)> {
    let text = str::from_utf8(line).ok()?.trim_end().strip_prefix("TID:")?;
    let (name, thread) = text.rsplit_once(',')?;
    let name = name.trim();
    (!name.is_empty()).then_some(())?;
    Some((thread.trim().parse().ok()?, name.to_owned()))
}

/// Rules that name threads by what they call themselves.
#[derive(Debug)]
pub struct Rules(Vec<(Regex, String)>);

impl Rules {
    /// # Errors
    /// A rule that is none, which it says.
    pub fn new(names: &ThreadNames) -> Result<Rules, Error> {
        let rules = names.rules.iter().map(|rule| {
            let wrong = |why: String| Error::BadOptions(format!("thread name '{rule}': {why}"));
            let Some((pattern, name)) = rule.rsplit_once('=') else {
                return Err(wrong("it is not REGEX=NAME".to_owned()));
            };
            match Regex::new(pattern) {
                Ok(pattern) if !name.is_empty() => Ok((pattern, name.to_owned())),
                Ok(_) => Err(wrong("the name is empty".to_owned())),
                Err(error) => Err(wrong(error.to_string())),
            }
        });
        Ok(Rules(rules.collect::<Result<_, _>>()?))
    }

    /// What a thread is called that calls itself so.
    pub fn name(&self, own: &str) -> Option<&str> {
        let rule = self.0.iter().find(|(pattern, _)| pattern.is_match(own));
        rule.map(|(_, name)| name.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_name_threads_are_known() {
        let of = |line: &str| named(line.as_bytes());
        assert_eq!(of("TID: emitter,123\n"), Some((123, "emitter".to_owned())));
        assert_eq!(of("TID: a: b, c,7"), Some((7, "a: b, c".to_owned())));
        for other in ["TID: x", "TID: ,7", "TID: x,-1", "tid: x,1", "x TID: x,1", ""] {
            assert_eq!(of(other), None, "{other}");
        }
    }

    #[test]
    fn names_without_end_are_not_kept() {
        let (mut names, mut kept) = (vec![], 0);
        for thread in 0..10_000 {
            keep(&mut names, (thread, "x".repeat(4000)), &mut kept);
        }
        let bytes: usize = names.iter().map(|(_, name)| name.len()).sum();
        assert!((MOST_OF_NAMES - 4000..=MOST_OF_NAMES).contains(&bytes), "{bytes}");
    }

    #[test]
    fn the_first_rule_that_matches_names() {
        let rules = |rules: &[&str]| {
            let rules = rules.iter().map(|&rule| rule.to_owned()).collect();
            Rules::new(&ThreadNames { log: false, rules })
        };
        let some = rules(&["^w[0-9]+$=workers", "=rest"]).unwrap();
        assert_eq!([some.name("w12"), some.name("main")], [Some("workers"), Some("rest")]);
        assert_eq!(rules(&["a=b=c"]).unwrap().name("xa=b"), Some("c"));
        for wrong in ["nothing", "a=", "(=x"] {
            assert!(rules(&[wrong]).unwrap_err().to_string().contains(wrong));
        }
    }
}
