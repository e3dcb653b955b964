//! The files of a profile as they were when it was recorded, against what they are now.
//!
//! ```text
//! not written since the recording  -->  the text on the disk, as it was first looked at
//! written since, and committed     -->  the text of the last commit before the recording
//! written since                    -->  unknown: values stay at their lines and are marked
//! ```

use std::cell::RefCell;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::git;
use super::line_map::LineMap;
use super::profiles::{Stamp, stamp};
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

/// Where lines of the profile are now, and how that is known.
#[derive(Debug)]
pub(super) struct Placed {
    pub(super) lines: LineMap,
    pub(super) how: Known,
}

/// How it is known what a file was when the profile was recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Known {
    /// The file was not written since.
    Unchanged,
    /// It was committed before: the commit's hash.
    Committed(String),
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
    text: String,
    how: Known,
    /// Of the text that was compared last.
    placed: Option<(Version, Arc<Placed>)>,
}

/// Which text of a file.
#[derive(Debug, PartialEq, Eq)]
enum Version {
    Open(u64),
    Disk(Stamp),
}

impl Versions {
    /// Of a profile that was recorded at `time_ns`, or if that is 0 when its file was written.
    pub(super) fn new(time_ns: i64, file: Stamp) -> Versions {
        let written = file.and_then(|(time, _)| time).map(nanoseconds);
        let recorded = if time_ns > 0 { Some(time_ns) } else { written };
        Versions { recorded, files: RefCell::default() }
    }

    /// Where the lines of a file are now. What git cannot tell within `patience` is unknown.
    pub(super) fn placed(
        &self,
        path: &str,
        open: Option<&Text>,
        patience: Duration,
    ) -> Arc<Placed> {
        let disk = stamp(Path::new(path));
        let version = match open {
            Some(text) => Version::Open(text.version),
            None => Version::Disk(disk),
        };
        let mut files = self.files.borrow_mut();
        if !files.contains_key(path) && files.len() >= MOST_FILES {
            files.clear();
        }
        let file = match files.entry(path.to_owned()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => match self.look_back(path, disk, open.is_some(), patience) {
                Ok(file) => new.insert(file),
                Err(placed) => return Arc::new(placed),
            },
        };
        if let Some((of, placed)) = &file.placed
            && *of == version
        {
            return placed.clone();
        }
        let lines = match open {
            Some(text) => LineMap::new(&file.text, &text.text),
            None => match read(path, disk) {
                Some(text) => LineMap::new(&file.text, &text),
                None => LineMap::Same,
            },
        };
        let how = match lines {
            LineMap::Same if !matches!(file.how, Known::Stale { .. }) => Known::Unchanged,
            _ => file.how.clone(),
        };
        let placed = Arc::new(Placed { lines, how });
        file.placed = Some((version, placed.clone()));
        placed
    }

    /// The file as it was, or what can be said without looking: who looks later finds out.
    fn look_back(
        &self,
        path: &str,
        disk: Stamp,
        is_open: bool,
        patience: Duration,
    ) -> Result<File, Placed> {
        let same = |how| Placed { lines: LineMap::Same, how };
        let written = disk.and_then(|(time, _)| time).map(nanoseconds);
        let (Some(recorded), Some(written)) = (self.recorded, written) else {
            return Err(same(Known::Unchanged));
        };
        let file = |text, how| File { text, how, placed: None };
        if written <= recorded {
            let text = if is_open { read(path, disk) } else { None };
            return text
                .map(|text| file(text, Known::Unchanged))
                .ok_or_else(|| same(Known::Unchanged));
        }
        let stale = Known::Stale { recorded, written };
        if patience.is_zero() {
            return Err(same(stale));
        }
        let Some(text) = read(path, disk) else { return Err(same(stale)) };
        let seconds = recorded.div_euclid(1_000_000_000);
        match git::committed_before(Path::new(path), seconds, patience) {
            Some(old) => Ok(file(old.text, Known::Committed(old.commit))),
            None if patience >= PATIENCE => Ok(file(text, stale)),
            None => Err(same(stale)),
        }
    }
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
