//! Where files of profiles are here.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::path::Path;
use std::rc::Rc;
use std::str::FromStr as _;
use std::sync::Arc;
use std::time::Duration;

use lsp_types::Uri;

use super::around::Around;
use super::graphs::Graph;
use super::past::Past;
use super::paths::{Found, Here as _, PathMap};
use super::profiles::Profile;
use super::remembered::Remembered;
use super::renames::Renames;
use super::search::{Search, go_roots};
use super::texts::Texts;
use super::versions::{Look, Placed};
use super::{cells, several};
use crate::addresses::{path_of_document, uri_of_path};
use crate::path_parts::Parts;

/// Files that are looked for on the disk.
const MOST_FILES: usize = 1000;
/// Files of one name that are looked at.
const MOST_NAMESAKES: usize = 20;

/// Where files of profiles are here; looked up once.
pub(super) struct Files<'a> {
    texts: &'a Texts,
    search: &'a Search,
    remembered: &'a Remembered,
    past: &'a Past,
    /// By number of the profile and of the file.
    known: RefCell<HashMap<(u32, u32), Option<Uri>>>,
}

impl<'a> Files<'a> {
    /// Files that are open, that the user told of, or below the folders of the workspace.
    pub(super) fn new(
        texts: &'a Texts,
        search: &'a Search,
        remembered: &'a Remembered,
        past: &'a Past,
    ) -> Files<'a> {
        Files { texts, search, remembered, past, known: RefCell::default() }
    }

    /// Where the lines of a file of the profile are now; what git cannot tell within `patience` is
    /// unknown.
    pub(super) fn placed(
        &self,
        profile: &Profile,
        file: u32,
        uri: &Uri,
        patience: Duration,
    ) -> Option<Arc<Placed>> {
        let index = profile.index().ok()?;
        if cells::is_cell(uri.as_str()) {
            let cell = self.texts.get(uri.as_str())?;
            return Some(Arc::new(Placed::unchanged(&index, file, &cell.text)));
        }
        let path = path_of_document(uri.as_str())?;
        let is_inside = self.search.is_inside(&path);
        let renames = if is_inside { profile.renames(self.search) } else { Rc::default() };
        let look = Look {
            path: &path,
            before: renames.before(&path).into_iter().map(str::to_owned).collect(),
            open: self.texts.get(uri.as_str()),
            past: self.past,
            is_kept: is_inside,
            patience,
        };
        Some(profile.versions.placed(&look, &index, file))
    }

    /// The address of a file of a profile.
    pub(super) fn uri(&self, profile: &Profile, file: u32) -> Option<Uri> {
        let key = (profile.number, file);
        let mut known = self.known.borrow_mut();
        if let Some(known) = known.get(&key) {
            return known.clone();
        }
        if known.len() >= MOST_FILES {
            return None;
        }
        let uri = self.find(profile, file).and_then(|uri| Uri::from_str(&uri).ok());
        known.insert(key, uri.clone());
        uri
    }

    /// The address of a file of a graph.
    pub(super) fn uri_of_graph(&self, graph: &Graph, file: u32) -> Option<Uri> {
        let is_it = |path: &str| graph.is_file(path, file, self.remembered, self.search);
        let mut open = self.texts.uris();
        let open = open.find(|uri| path_of_document(uri).is_some_and(|path| is_it(&path)));
        let on_disk = || {
            let mut places = self.places(&graph.path, &graph.paths, file).into_iter();
            places.find(|path| is_it(path)).map(|path| uri_of_path(&path))
        };
        Uri::from_str(&open.map(str::to_owned).or_else(on_disk)?).ok()
    }

    /// An open file, or one of the places where it may be, if that is known to be this one.
    fn find(&self, profile: &Profile, file: u32) -> Option<String> {
        let is_it =
            |path: &str| profile.find(path, self.remembered, self.search) == Found::File(file);
        let mut open = self.texts.uris();
        if let Some(uri) = open.find(|uri| path_of_document(uri).is_some_and(|path| is_it(&path))) {
            return Some(uri.to_owned());
        }
        if let Some(path) = profile.index().ok()?.files().get(file as usize)
            && let Some(cell) = cells::open_cell(path, self.texts.all())
        {
            return Some(cell.to_owned());
        }
        let document = several::first(&profile.path);
        let renames = || profile.renames(self.search);
        let moved = || self.moved(document, &profile.paths, file, &renames());
        let mut places = self.places(document, &profile.paths, file).into_iter();
        let found = places
            .find(|path| is_it(path))
            .or_else(|| moved().into_iter().find(|path| is_it(path)));
        found.map(|path| uri_of_path(&path))
    }

    /// Files of the workspace that have the name of a file of a profile, the most like it first.
    pub(super) fn namesakes(&self, parts: &Parts) -> Vec<String> {
        let mut all = self.search.namesakes(parts);
        all.sort_by_key(|one| Reverse(parts.shared_end(one)));
        all.truncate(MOST_NAMESAKES);
        all.iter().map(Parts::text).collect()
    }

    /// Files that may be the one: the path itself, where a rule has it, where the user said it is,
    /// an end of it in a folder of the workspace, any file there of its name, or where Go has it.
    fn places(&self, document: &Path, paths: &PathMap, file: u32) -> Vec<String> {
        let mut all = self.all_places(document, paths, file);
        all.retain(|path| is_here(path));
        all
    }

    /// Where it was moved from one of the places where it may have been.
    fn moved(&self, document: &Path, paths: &PathMap, file: u32, renames: &Renames) -> Vec<String> {
        let mut moved: Vec<String> = (self.all_places(document, paths, file).iter())
            .flat_map(|path| renames.now(path).into_iter().map(str::to_owned))
            .collect();
        moved.retain(|path| is_here(path));
        moved
    }

    /// Where it may be, or have been.
    fn all_places(&self, document: &Path, paths: &PathMap, file: u32) -> Vec<String> {
        let parts = paths.parts(file);
        let in_folders = self.search.folders().iter().flat_map(|folder| {
            let folder = folder.trim_end_matches('/');
            parts.ends().map(move |end| format!("{folder}/{end}"))
        });
        let around = Around { search: self.search, remembered: self.remembered, document };
        let known = around.places(parts).into_iter().map(|place| place.text());
        let is_go = !parts.is_absolute() && parts.name().is_some_and(|name| name.ends_with(".go"));
        let of_go = is_go.then(go_roots).into_iter().flatten();
        let of_go = of_go.map(|root| root.join(parts.text()).to_string_lossy().into_owned());
        let text = parts.text();
        let said = self.remembered.places(&text);
        // Who said where it is may have it at its own path, too: in another copy of the project.
        let all = said.chain(known).chain([text.clone()]).chain(paths.ruled(file));
        all.chain(in_folders).chain(of_go).chain(self.namesakes(parts)).collect()
    }
}

fn is_here(path: &str) -> bool {
    let path = Path::new(path);
    path.is_absolute() && path.is_file()
}
