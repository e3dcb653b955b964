//! A loaded dataflow graph: it has pages of its own, and says nothing of lines.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use session::GraphDocument;

use super::around::Around;
use super::paths::{Found, PathMap};
use super::profiles::{Stamp, stamp};
use super::remembered::Remembered;
use super::search::Search;
use super::settings::Settings;
use crate::path_parts::Parts;

/// A loaded dataflow graph.
pub(super) struct Graph {
    pub(super) path: PathBuf,
    /// Of the file as it was last looked at.
    pub(super) stamp: Stamp,
    /// Its number in the session.
    pub(super) number: u32,
    pub(super) document: Arc<GraphDocument>,
    pub(super) paths: PathMap,
}

impl Graph {
    /// A graph that was read.
    pub(super) fn new(
        path: &Path,
        stamp: Stamp,
        number: u32,
        document: Arc<GraphDocument>,
        settings: &Settings,
    ) -> Graph {
        let paths = PathMap::new(document.source_files(), &settings.paths);
        Graph { path: path.to_owned(), stamp, number, document, paths }
    }

    /// Whether the file was not written since it was read.
    pub(super) fn is_fresh(&self) -> bool {
        self.stamp == stamp(&self.path)
    }

    /// Number of the file that the graph names so.
    pub(super) fn file_named(&self, name: &str) -> Option<u32> {
        let files = self.document.source_files();
        files.iter().position(|file| file == name).map(|file| file as u32)
    }

    /// Whether a file of the editor is one of the graph.
    pub(super) fn is_file(
        &self,
        path: &str,
        file: u32,
        remembered: &Remembered,
        search: &Search,
    ) -> bool {
        let around = Around { search, remembered, document: &self.path };
        self.paths.find(&Parts::new(path), &around) == Found::File(file)
    }
}
