//! Texts that files had: as the editor saved them, and as they stood when a profile of them was
//! first seen. The latter are kept in the user's state folder, a file each:
//!
//! ```text
//! {"version":1,"path":"/home/me/x/main.go","recorded":1700000000000000000,"written":1699999999000000000}
//! package main
//! ```

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

const VERSION: u32 = 1;
/// Saved texts of a file; older ones are forgotten.
const MOST_SAVED: usize = 8;
/// Bytes of saved texts of all files; more are not kept.
const MOST_SAVED_BYTES: usize = 32 << 20;
/// Longer texts are not kept.
const MOST_KEPT_TEXT: usize = 1 << 20;
/// Files in the folder; those that were not asked for for longest go.
const MOST_KEPT: usize = 2000;

/// The texts that are known.
#[derive(Debug, Default)]
pub(super) struct Past {
    /// By path, the oldest first.
    saved: HashMap<String, Vec<Text>>,
    saved_bytes: usize,
    /// Nothing is kept where the user has none.
    folder: Option<PathBuf>,
    /// To be written.
    new: RefCell<Vec<(PathBuf, Vec<u8>)>>,
}

/// The text that a file had.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Text {
    /// When it was written, in nanoseconds since 1970.
    pub(super) written: i64,
    pub(super) text: Arc<str>,
}

/// The first line of a kept text.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Head {
    version: u32,
    path: String,
    recorded: i64,
    written: i64,
}

impl Past {
    /// Texts are kept in `folder`.
    pub(super) fn new(folder: Option<PathBuf>) -> Past {
        Past { folder, ..Past::default() }
    }

    /// The file at `path` has a text since `written`.
    pub(super) fn save(&mut self, path: &str, written: i64, text: &str) {
        let all = self.saved.entry(path.to_owned()).or_default();
        if all.last().is_some_and(|last| last.written >= written) {
            return;
        }
        if self.saved_bytes + text.len() > MOST_SAVED_BYTES {
            self.saved_bytes -= all.drain(..).map(|old| old.text.len()).sum::<usize>();
        }
        if self.saved_bytes + text.len() > MOST_SAVED_BYTES {
            return;
        }
        if all.len() >= MOST_SAVED {
            self.saved_bytes -= all.remove(0).text.len();
        }
        self.saved_bytes += text.len();
        all.push(Text { written, text: text.into() });
    }

    /// What a file was at a time, as the editor saved it.
    pub(super) fn saved_at(&self, path: &str, time: i64) -> Option<Text> {
        let all = self.saved.get(path)?;
        // What was saved last may have been written again by another program.
        let next = all.iter().position(|one| one.written > time)?;
        all.get(next.checked_sub(1)?).cloned()
    }

    /// What a file was when a profile of it was recorded, as it was seen then.
    pub(super) fn kept(&self, path: &str, recorded: i64) -> Option<Text> {
        let file = self.file(path, recorded)?;
        let text = fs::read_to_string(&file).ok()?;
        let (head, text) = text.split_once('\n')?;
        let head: Head = serde_json::from_str(head).ok()?;
        let is_it = head.version == VERSION && head.path == path && head.recorded == recorded;
        // It is asked for, so it stays.
        let touch =
            |file| fs::File::options().append(true).open(file)?.set_modified(SystemTime::now());
        let _ = touch(&file);
        is_it.then(|| Text { written: head.written, text: text.into() })
    }

    /// Keeps what a file was when a profile of it was recorded.
    pub(super) fn keep(&self, path: &str, recorded: i64, written: i64, text: &str) {
        let Some(file) = self.file(path, recorded) else { return };
        if text.len() > MOST_KEPT_TEXT || file.exists() {
            return;
        }
        let head = Head { version: VERSION, path: path.to_owned(), recorded, written };
        if let Ok(head) = serde_json::to_string(&head) {
            self.new.borrow_mut().push((file, format!("{head}\n{text}").into_bytes()));
        }
    }

    /// Writes what is to be kept, beside what goes on.
    pub(super) fn write(&self) {
        let new = self.new.take();
        if let (Some(folder), false) = (self.folder.clone(), new.is_empty()) {
            // What cannot be kept is not; the next editor knows less.
            thread::spawn(move || write(&folder, &new));
        }
    }

    fn file(&self, path: &str, recorded: i64) -> Option<PathBuf> {
        let mut hasher = DefaultHasher::new();
        (path, recorded).hash(&mut hasher);
        Some(self.folder.as_ref()?.join(format!("{:016x}.txt", hasher.finish())))
    }
}

fn write(folder: &Path, new: &[(PathBuf, Vec<u8>)]) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for (file, bytes) in new {
        // All of it or nothing: a file beside it takes its place.
        let beside = file.with_extension(format!("{}.new", std::process::id()));
        let mut out = fs::File::create(&beside)?;
        let written = out.write_all(bytes).and_then(|()| fs::rename(&beside, file));
        written.inspect_err(|_| drop(fs::remove_file(&beside)))?;
    }
    let mut all = vec![];
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        all.push((entry.metadata()?.modified()?, entry.path()));
    }
    all.sort();
    for (_, file) in all.iter().take(all.len().saturating_sub(MOST_KEPT)) {
        fs::remove_file(file)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_a_time_is_between_two_that_were_saved() {
        let mut past = Past::default();
        for (time, text) in [(10, "a"), (20, "b"), (20, "other"), (30, "c")] {
            past.save("/x", time, text);
        }
        let at = |time| past.saved_at("/x", time).map(|one| one.text.to_string());
        assert_eq!(at(9), None);
        assert_eq!(at(10).as_deref(), Some("a"));
        assert_eq!(at(29).as_deref(), Some("b"));
        assert_eq!(at(30), None);
        assert_eq!(past.saved_at("/y", 10), None);
        let long = "x".repeat(MOST_SAVED_BYTES / 2 + 1);
        past.save("/x", 40, &long);
        past.save("/y", 40, &long);
        past.save("/y", 50, "short");
        assert_eq!(past.saved_at("/y", 45), None);
    }

    #[test]
    fn texts_are_kept_in_files_that_say_of_what() {
        let folder = tempfile::tempdir().expect("a folder");
        let past = Past::new(Some(folder.path().join("texts")));
        past.keep("/x", 7, 5, "one\ntwo\n");
        write(&folder.path().join("texts"), &past.new.take()).expect("written");
        let kept = past.kept("/x", 7).expect("a text");
        assert_eq!((kept.written, &*kept.text), (5, "one\ntwo\n"));
        assert_eq!(past.kept("/x", 8), None);
        assert_eq!(past.kept("/y", 7), None);
        let file = past.file("/x", 7).expect("a file");
        for broken in ["", "{}", "{}\n", "{\"version\":2}\ntext"] {
            fs::write(&file, broken).expect("written");
            assert_eq!(past.kept("/x", 7), None, "{broken}");
        }
    }
}
