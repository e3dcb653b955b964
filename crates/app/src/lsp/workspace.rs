//! What is open and loaded, and which of it is told of. Requests that only ask read it.

use std::cell::RefCell;
use std::collections::HashSet;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use lsp_types::Uri;
use session::{AdviceRule, Binaries, is_older};

use super::abilities::Abilities;
use super::base::Base;
use super::comparison::{Comparison, Sides};
use super::files::Files;
use super::graphs::Graph;
use super::loading::Loading;
use super::past::Past;
use super::paths::Found;
use super::profiles::Profile;
use super::questions::Doubt;
use super::remembered::Remembered;
use super::search::Search;
use super::settings::Settings;
use super::source::{Source, Sources};
use super::texts::Texts;
use super::versions::{self, PATIENCE, Placed};
use super::{cells, several};
use crate::addresses::{path_of_document, path_of_uri};

/// What an editor has open, and what is loaded for it.
#[derive(Default)]
pub(super) struct Workspace {
    pub(super) editor: Abilities,
    pub(super) settings: Settings,
    /// The folders, and the files below them.
    pub(super) search: Search,
    pub(super) texts: Texts,
    pub(super) remembered: Remembered,
    pub(super) past: Past,
    /// In the order in which they were opened.
    pub(super) profiles: Vec<Profile>,
    pub(super) graphs: Vec<Graph>,
    pub(super) loading: Vec<Loading>,
    pub(super) choice: Choice,
    /// The last comparison that was made.
    pub(super) compared: Option<Box<Comparison>>,
    /// Rules of advice, besides those that come along.
    pub(super) rules: Arc<[AdviceRule]>,
    /// Where binaries come from.
    pub(super) binaries: Option<Binaries>,
    /// Files of the editor that might be several of a profile's, found while answering.
    doubts: RefCell<Vec<Doubt>>,
}

/// What the user opened and chose.
#[derive(Default)]
pub(super) struct Choice {
    /// Paths in the order in which they were opened.
    pub(super) opened: Vec<PathBuf>,
    /// The one that is told of, once it is read: the last one opened or chosen; before it those
    /// that were chosen earlier, which are told of again where it cannot be.
    pub(super) chosen: Vec<PathBuf>,
    /// Those whose pictures were closed: nothing is compared with them unless somebody says so.
    pub(super) aside: HashSet<PathBuf>,
    /// What it is compared with by choice, which may be nothing.
    pub(super) base: Option<Option<PathBuf>>,
}

impl Workspace {
    /// One with nothing open, which tells what rules say and reads binaries.
    pub(super) fn new(rules: Arc<[AdviceRule]>, binaries: Option<Binaries>) -> Workspace {
        Workspace { rules, binaries, ..Workspace::default() }
    }

    /// The path that names one or [`several`] files by their paths or addresses.
    pub(super) fn path(&self, path: &str) -> PathBuf {
        several::joined(path.split(several::BETWEEN).map(|path| self.path_of_one(path)))
    }

    /// A path or `file` address; a relative path is one of the first folder of the workspace.
    fn path_of_one(&self, path: &str) -> PathBuf {
        let path = path_of_uri(path).unwrap_or_else(|| path.to_owned());
        match self.search.folders().first() {
            Some(folder) if path != "-" => Path::new(folder).join(path),
            _ => PathBuf::from(path),
        }
    }

    /// The profile of a path.
    pub(super) fn profile(&self, path: &Path) -> Option<usize> {
        self.profiles.iter().position(|profile| profile.path == path)
    }

    /// The dataflow graph of a path.
    pub(super) fn graph(&self, path: &Path) -> Option<usize> {
        self.graphs.iter().position(|graph| graph.path == path)
    }

    /// Whether a file is being read.
    pub(super) fn is_loading(&self, path: &Path) -> bool {
        self.loading.iter().any(|one| one.path == path)
    }

    /// The profile that is told of.
    pub(super) fn active(&self) -> Option<usize> {
        let is_no_base = |profile: &Profile| !self.is_set_base(&profile.path);
        let mut chosen = self.choice.chosen.iter().rev();
        chosen
            .find_map(|path| self.profile(path))
            .or_else(|| self.profiles.iter().rposition(is_no_base))
            .or(self.profiles.len().checked_sub(1))
    }

    /// Whether the settings name a path as the base.
    pub(super) fn is_set_base(&self, path: &Path) -> bool {
        self.settings.base.as_deref().is_some_and(|base| self.path(base) == path)
    }

    /// The profile that the active one is compared with: the one that was chosen, else that of the
    /// settings, if it is another. Nothing is compared unasked.
    pub(super) fn base(&self) -> Option<usize> {
        let place = self.active()?;
        let set = match &self.choice.base {
            Some(chosen) => Some(chosen.clone()?),
            None => self.settings.base.as_deref().map(|path| self.path(path)),
        };
        let base = self.profile(&set?)?;
        (place != base).then_some(base)
    }

    /// The base and the active profile that are to be compared.
    pub(super) fn sides(&self) -> Option<Sides> {
        let number = |place: usize| self.profiles[place].number;
        Some([number(self.base()?), number(self.active()?)])
    }

    /// The comparison of the active profile with its base, once it is made.
    pub(super) fn comparison(&self) -> Option<&Comparison> {
        let sides = self.sides()?;
        self.compared.as_deref().filter(|compared| compared.sides == sides)
    }

    /// The profile that the active one may be compared with, where nobody said anything of it: the
    /// oldest one of the same program, format and metric that did not fail and is not put aside.
    pub(super) fn offered(&self) -> Option<usize> {
        let active = self.active().filter(|_| !self.base_is_chosen())?;
        let oldest = self.oldest(active)?;
        (oldest != active).then_some(oldest)
    }

    /// Whether somebody said what is compared, or that nothing is.
    pub(super) fn base_is_chosen(&self) -> bool {
        self.choice.base.is_some() || self.settings.base.is_some()
    }

    /// Of the profiles that the active one may be compared with, and itself, the one that was measured
    /// first; where the files do not tell, the one that was opened first.
    fn oldest(&self, active: usize) -> Option<usize> {
        let of = &self.profiles[active];
        let may_be = |place: &usize| {
            let one = &self.profiles[*place];
            *place == active
                || (!self.choice.aside.contains(&one.path) && one.is_like(of) && !one.has_failed())
        };
        let age = |place: usize| (self.profiles[place].document.measured_at(), place);
        let places = (0..self.profiles.len()).filter(may_be);
        places
            .reduce(|oldest, place| if is_older(age(place), age(oldest)) { place } else { oldest })
    }

    /// Tells of a profile from now on, or once it is read; tells whether that is another.
    pub(super) fn choose(&mut self, path: &Path) -> bool {
        let before = self.active();
        self.choice.chosen.retain(|chosen| chosen != path);
        self.choice.chosen.push(path.to_owned());
        self.active() != before
    }

    /// Keeps a profile in the order of opening, for small files are read before large ones; gives
    /// the one that it replaces.
    pub(super) fn keep(&mut self, profile: Profile) -> Option<Profile> {
        if let Some(place) = self.profile(&profile.path) {
            return Some(mem::replace(&mut self.profiles[place], profile));
        }
        let opened = &self.choice.opened;
        let order = |path: &Path| opened.iter().position(|opened| opened == path);
        let place = order(&profile.path);
        let place = self.profiles.partition_point(|known| order(&known.path) < place);
        self.profiles.insert(place, profile);
        None
    }

    /// What the active profile and its base say of a file; where that is unsure, it is a doubt.
    pub(super) fn sources(&self, uri: &Uri) -> Sources<'_> {
        let Some(active) = self.active() else { return Sources::default() };
        let profile = &self.profiles[active];
        let base = self.base().map(|base| &self.profiles[base]);
        let cell = self.texts.get(uri.as_str()).filter(|_| cells::is_cell(uri.as_str()));
        let place = |profile: &Profile| match cell {
            Some(cell) => {
                let file = cells::find(profile, &cell.text)?;
                Some((file, self.files().placed(profile, file, uri, PATIENCE)?))
            }
            None => self.placed(uri, &path_of_document(uri.as_str())?, profile),
        };
        let of_active = place(profile);
        let of_base = base.and_then(place);
        let metric = profile.metric;
        Sources {
            active: of_active.and_then(|(file, placed)| Source::new(profile, metric, file, placed)),
            base: base.zip(self.comparison()).and_then(|(base, comparison)| {
                Base::new(base, &profile.document, comparison, metric, of_base)
            }),
        }
    }

    /// Which file of a profile a file is, and where its lines are now.
    fn placed(&self, uri: &Uri, path: &str, profile: &Profile) -> Option<(u32, Arc<Placed>)> {
        let file = match profile.find(path, &self.remembered, &self.search) {
            Found::Nothing => return None,
            Found::File(file) => file,
            Found::Unsure(candidates) => {
                self.doubts.borrow_mut().push(doubt(profile, path, &candidates, false));
                return None;
            }
            Found::Copy(file) => {
                self.doubts.borrow_mut().push(doubt(profile, path, &[file], true));
                return None;
            }
        };
        Some((file, self.files().placed(profile, file, uri, PATIENCE)?))
    }

    /// Remembers what a file on the disk is now.
    pub(super) fn see_on_disk(&mut self, uri: &Uri) {
        if let Some(path) = path_of_document(uri.as_str())
            && let Some((written, text)) = versions::on_disk(&path)
        {
            self.past.save(&path, written, &text);
        }
    }

    /// Looks at the files of a profile, which may be as they were when it was recorded, and will
    /// be asked for when they are not.
    pub(super) fn see_files(&self, profile: &Profile) {
        /// Of its functions, by heat.
        const MOST_FUNCTIONS: usize = 200;
        /// Nobody asked for it.
        const PATIENCE: Duration = Duration::from_millis(200);
        let started = Instant::now();
        let Ok(index) = profile.index() else { return };
        let files = self.files();
        let mut seen = HashSet::new();
        for function in index.by_heat().into_iter().take(MOST_FUNCTIONS) {
            if started.elapsed() >= PATIENCE {
                break;
            }
            if seen.insert(function.file)
                && let Some(uri) = files.uri(profile, function.file)
            {
                files.placed(profile, function.file, &uri, Duration::ZERO);
            }
        }
    }

    /// Takes the doubts out.
    pub(super) fn take_doubts(&mut self) -> Vec<Doubt> {
        self.doubts.take()
    }

    /// Where files of the profiles and graphs are here.
    pub(super) fn files(&self) -> Files<'_> {
        Files::new(&self.texts, &self.search, &self.remembered, &self.past)
    }
}

/// Which of some files of a profile a file is.
fn doubt(profile: &Profile, path: &str, candidates: &[u32], is_copy: bool) -> Doubt {
    let name = |&file: &u32| profile.paths.parts(file).text();
    Doubt {
        path: path.to_owned(),
        title: profile.document.title().to_owned(),
        candidates: candidates.iter().map(name).collect(),
        is_copy,
    }
}
