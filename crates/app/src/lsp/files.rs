//! Where files of profiles are here.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::Path;
use std::str::FromStr as _;
use std::sync::Arc;
use std::time::Duration;

use lsp_types::Uri;

use super::graphs::Graph;
use super::past::Past;
use super::paths::{Found, PathMap, path_of_uri, uri_of_path};
use super::profiles::Profile;
use super::remembered::Remembered;
use super::texts::Texts;
use super::versions::{Look, Placed};

/// Files that are looked for on the disk.
const MOST_FILES: usize = 1000;

/// Where files of profiles are here; looked up once.
pub(super) struct Files<'a> {
    texts: &'a Texts,
    folders: &'a [String],
    remembered: &'a Remembered,
    past: &'a Past,
    /// By number of the profile and of the file.
    known: RefCell<HashMap<(u32, u32), Option<Uri>>>,
}

impl<'a> Files<'a> {
    /// Files that are open, that the user told of, or below the folders of the workspace.
    pub(super) fn new(
        texts: &'a Texts,
        folders: &'a [String],
        remembered: &'a Remembered,
        past: &'a Past,
    ) -> Files<'a> {
        Files { texts, folders, remembered, past, known: RefCell::default() }
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
        let path = path_of_uri(uri.as_str())?;
        let look = Look {
            path: &path,
            open: self.texts.get(uri.as_str()),
            past: self.past,
            is_kept: self.folders.iter().any(|folder| Path::new(&path).starts_with(folder)),
            patience,
        };
        Some(profile.versions.placed(&look, &*profile.index().ok()?, file))
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
        let is_it = |path: &str| graph.is_file(path, file);
        let mut open = self.texts.uris();
        let open = open.find(|uri| path_of_uri(uri).is_some_and(|path| is_it(&path)));
        let on_disk = || {
            let mut places = self.places(&graph.paths, file).into_iter();
            places.find(|path| is_it(path)).map(|path| uri_of_path(&path))
        };
        Uri::from_str(&open.map(str::to_owned).or_else(on_disk)?).ok()
    }

    /// An open file, or one of the places where it may be, if that is known to be this one.
    fn find(&self, profile: &Profile, file: u32) -> Option<String> {
        let is_it = |path: &str| profile.find(path, self.remembered) == Found::File(file);
        let mut open = self.texts.uris();
        if let Some(uri) = open.find(|uri| path_of_uri(uri).is_some_and(|path| is_it(&path))) {
            return Some(uri.to_owned());
        }
        let mut places = self.places(&profile.paths, file).into_iter();
        places.find(|path| is_it(path)).map(|path| uri_of_path(&path))
    }

    /// Files that may be the one: the path itself, where a rule has it, where the user said it is,
    /// or an end of it in a folder of the workspace.
    fn places(&self, paths: &PathMap, file: u32) -> Vec<String> {
        let parts = paths.parts(file);
        let in_folders = self.folders.iter().flat_map(|folder| {
            let folder = folder.trim_end_matches('/');
            parts.ends().map(move |end| format!("{folder}/{end}"))
        });
        let text = parts.text();
        let said = self.remembered.places(&text);
        let whole = std::iter::once(text.clone());
        let all = whole.chain(paths.ruled(file)).chain(said).chain(in_folders);
        let is_here = |path: &String| {
            let path = Path::new(path);
            path.is_absolute() && path.is_file()
        };
        all.filter(is_here).collect()
    }
}
