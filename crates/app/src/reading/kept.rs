//! Documents that were read, kept for the next question of a server.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use anyhow::Result;
use session::ProfileDocument;

use crate::{access, host};

/// Documents, the one that was asked for last at the end.
struct Kept {
    documents: Vec<Document>,
    /// Most bytes of all of their tables.
    most_bytes: usize,
}

struct Document {
    question: Question,
    document: Arc<ProfileDocument>,
}

/// What was read, and how.
#[derive(Debug, Clone, PartialEq)]
struct Question {
    files: Vec<(PathBuf, Stamp)>,
    how: String,
}

/// What tells that a file was changed.
#[derive(Debug, Clone, PartialEq)]
struct Stamp {
    bytes: u64,
    changed: SystemTime,
    #[cfg(unix)]
    number: (u64, u64),
}

/// None where nothing is kept: a command reads once.
static KEPT: Mutex<Option<Kept>> = Mutex::new(None);

/// Keeps what is read from now on, as far as its tables have so many bytes.
pub(crate) fn keep(most_bytes: usize) {
    *lock() = Some(Kept { documents: vec![], most_bytes });
}

/// The document of some files: the one that is kept, where none of them was changed since, or else what `read`
/// reads. `how` is all that decides what is made of them.
pub(super) fn read(
    paths: &[PathBuf],
    how: &str,
    read: impl FnOnce() -> Result<ProfileDocument>,
) -> Result<ProfileDocument> {
    if lock().is_none() {
        return read();
    }
    let question = Question::new(paths, how);
    if let Some(known) = question.as_ref().and_then(found) {
        return Ok(known.again());
    }
    let document = read()?;
    // Names of what perf records come from other files, which may be there later.
    if document.profile().origin.format.split(", ").any(|format| format == "perf-data") {
        return Ok(document);
    }
    // Who wrote meanwhile may have written what was not read.
    let Some(question) =
        question.filter(|before| Some(before) == Question::new(paths, how).as_ref())
    else {
        return Ok(document);
    };
    let document = Arc::new(document);
    let again = document.again();
    put(Document { question, document });
    Ok(again)
}

impl Question {
    /// None of what cannot be told to be the same: folders, pipes, manifests and recordings that one tells
    /// of.
    fn new(paths: &[PathBuf], how: &str) -> Option<Question> {
        if paths.iter().any(|path| host::has_manifest(path)) {
            return None;
        }
        let files = paths.iter().map(|path| Some((path.clone(), Stamp::new(path)?)));
        Some(Question { files: files.collect::<Option<_>>()?, how: how.to_owned() })
    }
}

impl Stamp {
    fn new(path: &Path) -> Option<Stamp> {
        let name = path.file_name()?.to_string_lossy();
        let found = access::metadata(path).ok().filter(|found| found.is_file())?;
        (!session::is_folder_part(&name)).then_some(())?;
        Some(Stamp {
            bytes: found.len(),
            changed: found.modified().ok()?,
            #[cfg(unix)]
            number: {
                use std::os::unix::fs::MetadataExt as _;
                (found.dev(), found.ino())
            },
        })
    }
}

fn found(question: &Question) -> Option<Arc<ProfileDocument>> {
    let mut kept = lock();
    let documents = &mut kept.as_mut()?.documents;
    let at = documents.iter().position(|known| known.question == *question)?;
    let known = documents.remove(at);
    let document = known.document.clone();
    documents.push(known);
    Some(document)
}

fn put(document: Document) {
    let mut kept = lock();
    let Some(Kept { documents, most_bytes }) = &mut *kept else { return };
    let bytes = |one: &Document| one.document.profile().heap_bytes();
    // An older state of the same files, or the same that somebody else read meanwhile.
    let paths = |one: &Document| -> Vec<PathBuf> {
        one.question.files.iter().map(|(path, _)| path.clone()).collect()
    };
    documents.retain(|known| {
        known.question.how != document.question.how || paths(known) != paths(&document)
    });
    // One that is too large would take all others with it.
    if bytes(&document) > *most_bytes {
        return;
    }
    documents.push(document);
    while documents.iter().map(bytes).sum::<usize>() > *most_bytes && !documents.is_empty() {
        documents.remove(0);
    }
}

fn lock() -> std::sync::MutexGuard<'static, Option<Kept>> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::time::Duration;

    use super::*;
    use crate::reading;

    /// How often files are read: all else is the same for all questions.
    fn reads(paths: &[PathBuf], how: &str, count: &mut usize) -> ProfileDocument {
        read(paths, how, || {
            *count += 1;
            reading::read_plain(paths)
        })
        .expect("a profile")
    }

    /// One test, for what is kept is of the process.
    #[test]
    fn a_profile_is_read_once_until_its_file_changes() {
        let place = tempfile::tempdir().unwrap();
        let sample = |name: &str| samples::testdata(Path::new("pprof").join(name));
        let [one, other] = ["one.pb.gz", "other.pb.gz"].map(|name| place.path().join(name));
        fs::copy(sample("cpu.pb.gz"), &one).unwrap();
        fs::copy(sample("heap.pb.gz"), &other).unwrap();
        let (one, other) = ([one], [other]);
        let mut count = 0;
        for _ in 0..2 {
            reads(&one, "", &mut count);
        }
        assert_eq!(count, 2, "nothing is kept by itself");

        keep(1 << 30);
        count = 0;
        for (paths, how, read) in [
            (&one, "", 1),
            (&one, "", 1),
            (&other, "", 2),
            (&one, "as members", 3),
            (&one, "", 3),
            (&other, "", 3),
        ] {
            reads(paths, how, &mut count);
            assert_eq!(count, read, "{paths:?} {how}");
        }
        let before = count;

        // A metric of one question is none of the next.
        let document = reads(&one, "", &mut count);
        let metrics = document.metrics().len();
        document.define_metric("twice", "2 * cpu").expect("a metric");
        assert_eq!(document.metrics().len(), metrics + 1);
        assert_eq!(reads(&one, "", &mut count).metrics().len(), metrics);
        assert_eq!(count, before);

        // Other bytes with the same length at another time.
        fs::copy(sample("heap.pb.gz"), &one[0]).unwrap();
        let file = File::options().write(true).open(&one[0]).unwrap();
        file.set_modified(SystemTime::now() + Duration::from_secs(5)).unwrap();
        let changed = reads(&one, "", &mut count);
        assert_eq!(count, before + 1);
        assert_ne!(changed.profile().points.len(), document.profile().points.len());

        // What has names from other files is read each time.
        let recorded = [samples::testdata("perf-data/events.perf.data")];
        for read in 1..=2 {
            reads(&recorded, "", &mut count);
            assert_eq!(count, before + 1 + read);
        }

        // So is what is too large.
        keep(1);
        for _ in 0..2 {
            reads(&one, "", &mut count);
        }
        assert_eq!(count, before + 5);
    }
}
