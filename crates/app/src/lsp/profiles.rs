//! A loaded profile.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::thread;
use std::time::SystemTime;

use anyhow::Result;
use session::{
    MetricId, ProfileDocument, SourceIndex, Trouble, prepare_sources, program, source_index,
    troubled_runs,
};

use super::around::Around;
use super::base::same_metric;
use super::paths::{Found, PathMap};
use super::remembered::{Decided, Remembered};
use super::renames::{Origin, Renames};
use super::requests::MOST_METRICS;
use super::search::Search;
use super::settings::Settings;
use super::several;
use super::versions::Versions;
use crate::path_parts::Parts;
use crate::reading;

/// What tells whether a file or folder changed: its time and size; nothing where it is gone.
pub(super) type Stamp = Option<(Option<SystemTime>, u64)>;

/// More paths are forgotten and found again.
const MOST_FOUND: usize = 10_000;

/// A loaded profile.
pub(super) struct Profile {
    pub(super) path: PathBuf,
    /// Of the file as it was last looked at.
    pub(super) stamp: Stamp,
    /// Its number in the session.
    pub(super) number: u32,
    pub(super) document: Arc<ProfileDocument>,
    pub(super) metric: MetricId,
    pub(super) paths: PathMap,
    pub(super) versions: Versions,
    /// Which file a path is, as far as anybody asked since something was new about paths.
    found: RefCell<(u64, HashMap<String, Found>)>,
}

impl Profile {
    /// A profile that was read, with what the editor asks of it first.
    pub(super) fn new(
        path: &Path,
        stamp: Stamp,
        number: u32,
        document: Arc<ProfileDocument>,
        settings: &Settings,
    ) -> Result<Profile> {
        let default = reading::metric(&document, None)?;
        let metric = metric_of(&document, settings).unwrap_or(default);
        let index = source_index(&document, metric)?;
        // So that nobody who points at a line waits for it.
        prepare_sources(&document, metric, MOST_METRICS)?;
        let paths = PathMap::new(index.files(), &settings.paths);
        let versions = Versions::new(document.profile().origin.time_ns, stamp);
        let (path, found) = (path.to_owned(), RefCell::default());
        Ok(Profile { path, stamp, number, document, metric, paths, versions, found })
    }

    /// Takes new settings; an error where it does not have the metric, and shows what it showed.
    pub(super) fn apply(&mut self, before: &Settings, settings: &Settings) -> Result<()> {
        if before.paths != settings.paths {
            self.paths = PathMap::new(self.index()?.files(), &settings.paths);
            self.found.take();
        }
        if before.metric != settings.metric {
            self.show(metric_of(&self.document, settings)?);
        }
        Ok(())
    }

    /// Tells of another metric from now on; what hovers tell of it is worked out meanwhile.
    pub(super) fn show(&mut self, metric: MetricId) {
        self.metric = metric;
        let document = self.document.clone();
        // Who asks before it is there works it out, or learns why not.
        thread::spawn(move || prepare_sources(&document, metric, MOST_METRICS));
    }

    /// Its values in source files, in its metric.
    pub(super) fn index(&self) -> Result<Arc<SourceIndex>> {
        Ok(source_index(&self.document, self.metric)?)
    }

    /// Number of the file that the profile names so.
    pub(super) fn file_named(&self, name: &str) -> Option<u32> {
        let index = self.index().ok()?;
        index.files().iter().position(|file| file == name).map(|file| file as u32)
    }

    /// Whether it is of the same program, format and metric as another, as far as both tell.
    pub(super) fn is_like(&self, other: &Profile) -> bool {
        let (own, others) = (&self.document, &other.document);
        own.profile().origin.format == others.profile().origin.format
            && same_metric(own, others, other.metric).is_some()
            && match (program(own), program(others)) {
                (Some(own), Some(other)) => own == other,
                _ => self.shares_files(other),
            }
    }

    /// Whether the file with the hottest function of each is a file of the other, too.
    fn shares_files(&self, other: &Profile) -> bool {
        let (Ok(own), Ok(others)) = (self.index(), other.index()) else { return false };
        let is_in = |one: &SourceIndex, all: &SourceIndex| {
            let hottest = one.by_heat().first().map(|function| function.file);
            hottest.is_some_and(|file| all.file(&one.files()[file as usize]).is_some())
        };
        is_in(&own, &others) && is_in(&others, &own)
    }

    /// Whether a run of it failed.
    pub(super) fn has_failed(&self) -> bool {
        let runs = troubled_runs(&self.document);
        runs.iter().any(|run| run.trouble == Trouble::Failed)
    }

    /// Which of its files is the editor's file at `path`; what the user said decides where that
    /// is unsure.
    pub(super) fn find(&self, path: &str, remembered: &Remembered, search: &Search) -> Found {
        if let Some(file) = remembered.said(path).find_map(|said| self.paths.named(said)) {
            return Found::File(file);
        }
        let around = Around { search, remembered, document: several::first(&self.path) };
        let files = match self.find_by_path(path, &around) {
            Found::Unsure(files) => files,
            // It was said that it is another one, or not.
            Found::Copy(file) => {
                let text = self.paths.parts(file).text();
                return match remembered.decide(path, &[text]) {
                    Decided::Is(_) => Found::File(file),
                    Decided::Unsure(none) if none.is_empty() => Found::Nothing,
                    Decided::Unsure(_) => Found::Copy(file),
                };
            }
            sure => return sure,
        };
        let texts: Vec<String> = files.iter().map(|&file| self.paths.parts(file).text()).collect();
        // What is known to be elsewhere is not here.
        let is_here = |text: &String| {
            let mut places = remembered.places(text).peekable();
            places.peek().is_none() || places.any(|place| place == path)
        };
        let (files, texts): (Vec<u32>, Vec<String>) =
            files.into_iter().zip(texts).filter(|(_, text)| is_here(text)).unzip();
        match remembered.decide(path, &texts) {
            Decided::Is(place) => Found::File(files[place]),
            Decided::Unsure(none) if none.is_empty() => Found::Nothing,
            Decided::Unsure(places) => {
                Found::Unsure(places.into_iter().map(|place| files[place]).collect())
            }
        }
    }

    /// The files of the workspace that were moved since it was recorded.
    pub(super) fn renames(&self, search: &Search) -> Rc<Renames> {
        match self.versions.recorded_s() {
            Some(seconds) => search.renames(seconds),
            None => Rc::default(),
        }
    }

    /// The same of a path that another file may have had when the profile was recorded.
    fn find_moved(&self, path: &str, around: &Around<'_>) -> Found {
        let at = |path: &str| self.paths.find(&Parts::new(path), around);
        if !around.search.is_inside(path) {
            return at(path);
        }
        let renames = self.renames(around.search);
        match renames.origin(path) {
            Origin::New => Found::Nothing,
            Origin::Moved(origin) => match at(&origin) {
                Found::File(file) => Found::File(file),
                // It was moved and not committed yet.
                _ if renames.now(path).is_empty() => at(path),
                other => other,
            },
            Origin::Same => {
                let found = at(path);
                if matches!(found, Found::File(_) | Found::Copy(_)) {
                    return found;
                }
                // The program may be older than the recording.
                let mut files = renames.before(path).into_iter().map(at);
                files.find(|of| matches!(of, Found::File(_))).unwrap_or(found)
            }
        }
    }

    fn find_by_path(&self, path: &str, around: &Around<'_>) -> Found {
        if let (generation, known) = &*self.found.borrow()
            && *generation == around.search.generation()
            && let Some(found) = known.get(path)
        {
            return found.clone();
        }
        let found = self.find_moved(path, around);
        let generation = around.search.generation();
        let mut known = self.found.borrow_mut();
        if known.0 != generation || known.1.len() >= MOST_FOUND {
            *known = (generation, HashMap::new());
        }
        known.1.insert(path.to_owned(), found.clone());
        found
    }
}

/// The metric of the settings, which may be a formula.
pub(super) fn metric_of(document: &ProfileDocument, settings: &Settings) -> Result<MetricId> {
    reading::metric(document, settings.metric.as_deref())
}

/// The stamp of a file, or of several; of a folder that of the files in it.
pub(super) fn stamp(path: &Path) -> Stamp {
    let stamps: Option<Vec<_>> = several::files(path).into_iter().map(stamp_of_one).collect();
    stamps?.into_iter().reduce(|(time, size), (its, more)| (time.max(its), size.wrapping_add(more)))
}

fn stamp_of_one(path: &Path) -> Stamp {
    /// More are a lot to look at every second.
    const MOST_FILES: usize = 500;
    let metadata = fs::metadata(path).ok()?;
    let own = (metadata.modified().ok(), metadata.len());
    if !metadata.is_dir() {
        return Some(own);
    }
    let files = fs::read_dir(path).ok()?.take(MOST_FILES).flatten();
    let files = files.filter_map(|file| file.metadata().ok());
    Some(files.fold(own, |(time, size), file| {
        (time.max(file.modified().ok()), size.wrapping_add(file.len()))
    }))
}
