//! The files of a profile as they were when it was recorded, against what they are now.
//!
//! ```text
//! not written since the recording  -->  the text on the disk, as it was first looked at
//! written since                    -->  the text that was saved or seen before, if it was kept;
//!                                       else the last commit before the recording that fits the
//!                                       profile, or the first one after it
//! written since, and nothing fits  -->  unknown: values stay at their lines and are marked
//! ```
//!
//! A text that cannot be the one (functions stand elsewhere, lines are blank) is none, whatever the
//! clock says.

use std::cell::RefCell;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use session::{SourceFunction, SourceIndex};

use super::fit::Measured;
use super::git;
use super::line_map::LineMap;
use super::past::Past;
use super::profiles::{Stamp, stamp};
use super::starts::Starts;
use super::texts::Text;

/// How long git may take for a file that somebody looks at.
pub(super) const PATIENCE: Duration = Duration::from_secs(2);

/// Longer files are not compared.
const MOST_BYTES: u64 = 16 << 20;
/// The texts of more files are forgotten and found again.
const MOST_FILES: usize = 1000;

/// The files that a profile mentions, by their path here.
#[derive(Debug)]
pub(super) struct Versions {
    /// Nanoseconds since 1970.
    recorded: Option<i64>,
    /// As far as anybody looked at them.
    files: RefCell<HashMap<String, File>>,
}

/// A file that somebody looks at.
pub(super) struct Look<'a> {
    /// Where it is.
    pub(super) path: &'a str,
    /// Where it was before, the last place first.
    pub(super) before: Vec<String>,
    /// Its text, if it is open.
    pub(super) open: Option<&'a Text>,
    pub(super) past: &'a Past,
    /// Whether its text is worth keeping: it is a file of the workspace.
    pub(super) is_kept: bool,
    /// What git cannot tell within it is unknown.
    pub(super) patience: Duration,
}

/// Where lines of the profile are now, and how that is known.
#[derive(Debug)]
pub(super) struct Placed {
    pub(super) lines: LineMap,
    pub(super) how: Known,
    /// Where functions start now, where that is not where their lines are.
    starts: Starts,
}

/// How it is known what a file was when the profile was recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Known {
    /// The file was not written since.
    Unchanged,
    /// Its text was seen: when that was written, in nanoseconds since 1970.
    Seen(i64),
    /// It was committed: the commit's hash.
    Committed {
        /// Of the commit.
        hash: String,
        /// Whether functions stand in it where the profile says.
        is_evident: bool,
    },
    /// It was written since, and what it was is not known.
    Stale {
        /// When the profile was recorded, in nanoseconds since 1970.
        recorded: i64,
        /// When the file was written, likewise.
        written: i64,
    },
}

#[derive(Debug)]
struct File {
    text: Arc<str>,
    how: Known,
    measured: Measured,
    /// Of the text that was compared last.
    placed: Option<(Version, Arc<Placed>)>,
}

/// Which text of a file.
#[derive(Debug, PartialEq, Eq)]
enum Version {
    Open(u64),
    Disk(Stamp),
}

impl Placed {
    /// Of the text that was measured.
    pub(super) fn unchanged(index: &SourceIndex, file: u32, text: &str) -> Placed {
        let lines = LineMap::Same;
        let starts = Starts::new(&Measured::new(index, file), Some(text), text, &lines);
        Placed { lines, how: Known::Unchanged, starts }
    }

    /// Where a function starts now, from 1; several lines where the profile has the functions of one name
    /// as one.
    pub(super) fn starts(&self, function: &SourceFunction<'_>) -> Vec<u32> {
        match self.starts.of(function.id) {
            [] => {
                self.lines.near(function.start_line).filter(|&line| line > 0).into_iter().collect()
            }
            lines => lines.to_vec(),
        }
    }
}

impl Versions {
    /// Of a profile that was recorded at `time_ns`, or if that is 0 when its file was written.
    pub(super) fn new(time_ns: i64, file: Stamp) -> Versions {
        let written = file.and_then(|(time, _)| time).map(nanoseconds);
        let recorded = if time_ns > 0 { Some(time_ns) } else { written };
        Versions { recorded, files: RefCell::default() }
    }

    /// When the profile was recorded, in seconds since 1970.
    pub(super) fn recorded_s(&self) -> Option<i64> {
        self.recorded.map(|recorded| recorded.div_euclid(1_000_000_000))
    }

    /// Where the lines of a file are now; `index` says what was measured of it, under the number
    /// `file`.
    pub(super) fn placed(&self, look: &Look<'_>, index: &SourceIndex, file: u32) -> Arc<Placed> {
        let disk = stamp(Path::new(look.path));
        let version = match look.open {
            Some(text) => Version::Open(text.version),
            None => Version::Disk(disk),
        };
        let mut files = self.files.borrow_mut();
        if !files.contains_key(look.path) && files.len() >= MOST_FILES {
            files.clear();
        }
        let file = match files.entry(look.path.to_owned()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => match self.look_back(look, disk, Measured::new(index, file)) {
                Ok(file) => new.insert(file),
                Err(how) => {
                    let (lines, starts) = (LineMap::Same, Starts::default());
                    return Arc::new(Placed { lines, how, starts });
                }
            },
        };
        if let Some((of, placed)) = &file.placed
            && *of == version
        {
            return placed.clone();
        }
        let read = look.open.is_none().then(|| read(look.path, disk)).flatten();
        let now = look.open.map(|open| open.text.as_str()).or(read.as_deref());
        let lines = now.map_or(LineMap::Same, |now| LineMap::new(&file.text, now));
        let how = match lines {
            LineMap::Same if !matches!(file.how, Known::Stale { .. }) => Known::Unchanged,
            _ => file.how.clone(),
        };
        let then = (!matches!(how, Known::Stale { .. })).then_some(&*file.text);
        let starts = now.map(|now| Starts::new(&file.measured, then, now, &lines));
        let placed = Arc::new(Placed { lines, how, starts: starts.unwrap_or_default() });
        file.placed = Some((version, placed.clone()));
        placed
    }

    /// The file as it was, or what can be said without looking: who looks later finds out.
    fn look_back(&self, look: &Look<'_>, disk: Stamp, measured: Measured) -> Result<File, Known> {
        let written = disk.and_then(|(time, _)| time).map(nanoseconds);
        let (Some(recorded), Some(written)) = (self.recorded, written) else {
            return Err(Known::Unchanged);
        };
        let stale = Known::Stale { recorded, written };
        let is_older = written <= recorded;
        let Some(text) = read(look.path, disk) else {
            return Err(if is_older { Known::Unchanged } else { stale });
        };
        let file = |text, how, measured| File { text, how, measured, placed: None };
        let fit = measured.fit(look.path, &text);
        if is_older && !fit.is_impossible() {
            if look.is_kept {
                look.past.keep(look.path, recorded, written, &text);
            }
            return Ok(file(text.into(), Known::Unchanged, measured));
        }
        let seen = look.past.saved_at(look.path, recorded);
        let seen = seen.or_else(|| look.past.kept(look.path, recorded));
        if let Some(seen) = seen.filter(|it| !measured.fit(look.path, &it.text).is_impossible()) {
            return Ok(file(seen.text, Known::Seen(seen.written), measured));
        }
        if look.patience.is_zero() {
            return Err(stale);
        }
        let seconds = recorded.div_euclid(1_000_000_000);
        let mut best: Option<(usize, bool, git::Committed)> = None;
        git::around(
            Path::new(look.path),
            &look.before,
            seconds,
            look.patience,
            |committed, is_before| {
                let of_it = measured.fit(look.path, &committed.text);
                let may_be = if is_before { of_it.is_plausible() } else { of_it.is_evident() };
                let least = best.as_ref().map_or(fit.misses() + 1, |&(misses, ..)| misses);
                if may_be && of_it.misses() < least {
                    best = Some((of_it.misses(), of_it.is_evident(), committed));
                }
                // Nothing fits better.
                best.as_ref().is_some_and(|&(misses, ..)| misses == 0)
            },
        );
        match best {
            Some((_, is_evident, git::Committed { commit, text })) => {
                let how = Known::Committed { hash: commit, is_evident };
                Ok(file(text.into(), how, measured))
            }
            None if look.patience >= PATIENCE => Ok(file(text.into(), stale, measured)),
            None => Err(stale),
        }
    }
}

/// When a file was written, in nanoseconds since 1970, and its text.
pub(super) fn on_disk(path: &str) -> Option<(i64, String)> {
    let disk = stamp(Path::new(path));
    Some((nanoseconds(disk?.0?), read(path, disk)?))
}

fn read(path: &str, disk: Stamp) -> Option<String> {
    disk.filter(|&(_, size)| size <= MOST_BYTES)?;
    let mut bytes = vec![];
    // Files below /proc say that they are empty, and some have no end.
    fs::File::open(path).ok()?.take(MOST_BYTES + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 <= MOST_BYTES).then(|| String::from_utf8_lossy(&bytes).into_owned())
}

/// Since 1970.
fn nanoseconds(time: SystemTime) -> i64 {
    let since = time.duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| i64::try_from(since.as_nanos()).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_longer_than_it_says_is_not_read() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let path = file.path().to_str().expect("a path");
        fs::write(path, "text").expect("written");
        assert_eq!(read(path, Some((None, 0))).as_deref(), Some("text"));
        file.as_file().set_len(MOST_BYTES + 1).expect("longer");
        assert_eq!(read(path, Some((None, 0))), None);
        assert_eq!(read(path, None), None);
    }
}
