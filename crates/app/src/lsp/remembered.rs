//! Which files of profiles the user's files are, as the user said.
//!
//! ```json
//! { "version": 1, "paths": { "/home/me/x/lib.rs": { "is": ["/build/2/lib.rs"], "isNot": [] } },
//!   "rules": [{ "from": "/build/2", "to": "/home/me/x" }] }
//! ```

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::paths::PathRule;
use crate::path_parts::Parts;

const VERSION: u32 = 1;
/// A longer file is not ours.
const MOST_BYTES: u64 = 16 << 20;
/// Older rules are forgotten.
const MOST_RULES: usize = 100;

/// What the user said, and the file that keeps it.
#[derive(Debug, Default)]
pub(super) struct Remembered {
    /// Nothing is kept where the user has no such folder.
    file: Option<PathBuf>,
    kept: Kept,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Kept {
    version: u32,
    /// By path here.
    paths: BTreeMap<String, Choice>,
    /// How paths begin, by what was said of some; the last one said comes last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    rules: Vec<PathRule>,
}

/// Paths in profiles.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Choice {
    is: Vec<String>,
    is_not: Vec<String>,
}

/// What is left of the files that a file might be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Decided {
    /// The one with this place among them.
    Is(usize),
    /// One of those with these places.
    Unsure(Vec<usize>),
}

impl Remembered {
    /// What is kept in the user's folder; an error where that cannot be understood.
    pub(super) fn load(folder: Option<&Path>) -> Result<Remembered, String> {
        let file = folder.map(|folder| folder.join("paths.json"));
        let kept = match &file {
            Some(path) => {
                read(path).map_err(|error| format!("{} is not used: {error}", path.display()))?
            }
            None => Kept::default(),
        };
        Ok(Remembered { file, kept })
    }

    /// What the file at `path` is, of `candidates`.
    pub(super) fn decide(&self, path: &str, candidates: &[String]) -> Decided {
        let Some(choice) = self.kept.paths.get(path) else {
            return Decided::Unsure((0..candidates.len()).collect());
        };
        match candidates.iter().position(|candidate| choice.is.contains(candidate)) {
            Some(place) => Decided::Is(place),
            None => {
                let may_be = |&place: &usize| !choice.is_not.contains(&candidates[place]);
                Decided::Unsure((0..candidates.len()).filter(may_be).collect())
            }
        }
    }

    /// The files of profiles that the file at `path` is.
    pub(super) fn said(&self, path: &str) -> impl Iterator<Item = &str> {
        self.kept
            .paths
            .get(path)
            .into_iter()
            .flat_map(|choice| choice.is.iter().map(String::as_str))
    }

    /// Where a file of a profile is, as the user said.
    pub(super) fn places(&self, file: &str) -> impl Iterator<Item = String> {
        let is_it = move |choice: &Choice| choice.is.iter().any(|one| one == file);
        self.kept
            .paths
            .iter()
            .filter(move |(_, choice)| is_it(choice))
            .map(|(path, _)| path.clone())
    }

    /// How paths of profiles begin and how they begin here, as far as what the user said of some
    /// tells of others.
    pub(super) fn rules(&self) -> impl Iterator<Item = (Parts, Parts)> {
        self.kept.rules.iter().map(|rule| (Parts::new(&rule.from), Parts::new(&rule.to)))
    }

    /// Keeps that a file is one of `candidates`, or none of them.
    pub(super) fn keep(
        &mut self,
        path: &str,
        candidates: &[String],
        chosen: Option<&str>,
    ) -> io::Result<()> {
        if let Some(file) = &self.file
            && let Ok(kept) = read(file)
        {
            // Another editor may have kept something meanwhile.
            self.kept = kept;
        }
        let choice = self.kept.paths.entry(path.to_owned()).or_default();
        match chosen {
            Some(chosen) => {
                choice.is_not.retain(|one| one != chosen);
                push_new(&mut choice.is, chosen);
                if let Some((from, to)) = Parts::new(chosen).rule(&Parts::new(path)) {
                    let rule = PathRule { from: from.text(), to: to.text() };
                    self.kept.rules.retain(|known| *known != rule);
                    self.kept.rules.push(rule);
                    let more = self.kept.rules.len().saturating_sub(MOST_RULES);
                    self.kept.rules.drain(..more);
                }
            }
            None => candidates.iter().for_each(|one| push_new(&mut choice.is_not, one)),
        }
        self.kept.version = VERSION;
        match &self.file {
            Some(file) => write(file, &self.kept),
            None => Ok(()),
        }
    }
}

fn push_new(list: &mut Vec<String>, one: &str) {
    if !list.iter().any(|known| known == one) {
        list.push(one.to_owned());
    }
}

fn read(file: &Path) -> Result<Kept, String> {
    match fs::metadata(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Kept::default()),
        Err(error) => return Err(error.to_string()),
        Ok(known) if known.len() > MOST_BYTES => return Err("it is too long".to_owned()),
        Ok(_) => {}
    }
    let text = fs::read_to_string(file).map_err(|error| error.to_string())?;
    let kept: Kept = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    match kept.version {
        0 | VERSION => Ok(kept),
        other => Err(format!("version {other} is newer than this program")),
    }
}

/// All of it or nothing: a file beside it takes its place.
fn write(file: &Path, kept: &Kept) -> io::Result<()> {
    let folder = file.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let beside = folder.join(format!("paths.{}.new", std::process::id()));
    let mut out = fs::File::create(&beside)?;
    out.write_all(serde_json::to_string_pretty(kept)?.as_bytes())?;
    out.sync_all()?;
    drop(out);
    fs::rename(&beside, file).inspect_err(|_| drop(fs::remove_file(&beside)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(all: &[&str]) -> Vec<String> {
        all.iter().map(|&one| one.to_owned()).collect()
    }

    #[test]
    fn answers_are_kept_in_the_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let load = || Remembered::load(Some(&folder.path().join("a/b"))).expect("a file");
        let candidates = texts(&["/1/x.c", "/2/x.c", "/3/x.c"]);
        let mut first = load();
        assert_eq!(first.decide("/x.c", &candidates), Decided::Unsure(vec![0, 1, 2]));
        first.keep("/x.c", &candidates[..2], None).expect("kept");
        let mut second = load();
        assert_eq!(second.decide("/x.c", &candidates), Decided::Unsure(vec![2]));
        second.keep("/y.c", &[], Some("/2/x.c")).expect("kept");
        // What the other kept stays, and what was refused may be chosen.
        first.keep("/x.c", &candidates, Some("/2/x.c")).expect("kept");
        let third = load();
        assert_eq!(third.decide("/x.c", &candidates), Decided::Is(1));
        assert_eq!(third.decide("/y.c", &candidates), Decided::Is(1));
        assert_eq!(third.places("/2/x.c").collect::<Vec<_>>(), ["/x.c", "/y.c"]);
        assert_eq!(fs::read_dir(folder.path().join("a/b")).expect("it").count(), 1);
    }

    #[test]
    fn reports_a_broken_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("paths.json");
        for text in ["{", "[]", r#"{"version":2,"paths":{}}"#, r#"{"version":1,"paths":{"a":1}}"#] {
            fs::write(&file, text).expect("written");
            let told = Remembered::load(Some(folder.path())).expect_err("broken");
            assert!(told.contains("paths.json is not used"), "{told}");
        }
    }
}
