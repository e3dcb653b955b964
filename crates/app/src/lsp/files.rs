//! Where files of profiles are here.

use std::collections::HashMap;
use std::path::Path;
use std::str::FromStr as _;
use std::sync::Arc;
use std::time::Duration;

use lsp_types::Uri;

use super::paths::{Found, path_of_uri, uri_of_path};
use super::profiles::Profile;
use super::remembered::Remembered;
use super::texts::Texts;
use super::versions::Placed;

/// Files that are looked for on the disk.
const MOST_FILES: usize = 1000;

/// Where files of profiles are here; looked up once.
pub(super) struct Files<'a> {
    texts: &'a Texts,
    folders: &'a [String],
    remembered: &'a Remembered,
    /// By number of the profile and of the file.
    known: HashMap<(u32, u32), Option<Uri>>,
}

impl<'a> Files<'a> {
    /// Files that are open, that the user told of, or below the folders of the workspace.
    pub(super) fn new(
        texts: &'a Texts,
        folders: &'a [String],
        remembered: &'a Remembered,
    ) -> Files<'a> {
        Files { texts, folders, remembered, known: HashMap::new() }
    }

    /// Where the lines of a file of the profile are now; what git cannot tell within `patience` is
    /// unknown.
    pub(super) fn placed(
        &self,
        profile: &mut Profile,
        uri: &Uri,
        patience: Duration,
    ) -> Option<Arc<Placed>> {
        let path = path_of_uri(uri.as_str())?;
        Some(profile.versions.placed(&path, self.texts.get(uri.as_str()), patience))
    }

    /// The address of a file of a profile.
    pub(super) fn uri(&mut self, profile: &mut Profile, file: u32) -> Option<Uri> {
        let key = (profile.number, file);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        if self.known.len() >= MOST_FILES {
            return None;
        }
        let uri = self.find(profile, file).and_then(|uri| Uri::from_str(&uri).ok());
        self.known.insert(key, uri.clone());
        uri
    }

    /// An open file; else the path itself, where a rule has it, or an end of it in a folder of the
    /// workspace, if that is a file which is known to be this one.
    fn find(&self, profile: &mut Profile, file: u32) -> Option<String> {
        let mut is_it = |path: &str| profile.find(path, self.remembered) == Found::File(file);
        let mut open = self.texts.uris();
        if let Some(uri) = open.find(|uri| path_of_uri(uri).is_some_and(|path| is_it(&path))) {
            return Some(uri.to_owned());
        }
        let parts = profile.paths.parts(file);
        let in_folders = self.folders.iter().flat_map(|folder| {
            let folder = folder.trim_end_matches('/');
            parts.ends().map(move |end| format!("{folder}/{end}"))
        });
        let text = parts.text();
        let said = self.remembered.places(&text);
        let whole = std::iter::once(text.clone());
        let places: Vec<String> =
            whole.chain(profile.paths.ruled(file)).chain(said).chain(in_folders).collect();
        let is_here = |path: &String| {
            let path = Path::new(path);
            path.is_absolute() && path.is_file()
        };
        places
            .into_iter()
            .filter(is_here)
            .find(|path| profile.find(path, self.remembered) == Found::File(file))
            .map(|path| uri_of_path(&path))
    }
}
