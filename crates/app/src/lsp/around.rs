//! What is known of files around a document: below the folders of the workspace, beside the
//! document, and as the user said of others.

use std::path::Path;

use super::copies;
use super::paths::Here;
use super::remembered::Remembered;
use super::search::Search;
use crate::path_parts::Parts;

/// Files around a profile or a graph.
pub(super) struct Around<'a> {
    pub(super) search: &'a Search,
    pub(super) remembered: &'a Remembered,
    /// The document's own file.
    pub(super) document: &'a Path,
}

impl Here for Around<'_> {
    fn is_file(&self, path: &Parts) -> bool {
        Path::new(&path.text()).is_file()
    }

    fn places(&self, file: &Parts) -> Vec<Parts> {
        // What was said in another workspace may be of another program.
        let said = self.remembered.rules();
        let said = said.filter(|(_, to)| self.search.is_inside(&to.text()));
        let mut rules: Vec<(Parts, Parts)> = said.collect();
        if !file.is_absolute() {
            rules.extend(self.search.module_rules());
            let beside = self.document.parent().and_then(Path::to_str);
            let folders = self.search.folders().iter().map(String::as_str);
            let roots = folders.chain(beside).map(|root| (Parts::new(""), Parts::new(root)));
            rules.extend(roots);
        }
        let mut places: Vec<Parts> =
            rules.iter().filter_map(|(from, to)| file.moved(from, to)).collect();
        places.sort();
        places.dedup();
        places
    }

    fn namesakes(&self, path: &Parts) -> Vec<Parts> {
        self.search.namesakes(path)
    }

    fn is_copy(&self, path: &Parts, other: &Parts) -> bool {
        let [path, other] = [path, other].map(Parts::text);
        self.search.is_inside(&path) && copies::is_copy(Path::new(&path), Path::new(&other))
    }

    fn has_no_other(&self, path: &Parts) -> bool {
        let all = self.search.namesakes(path);
        self.search.is_whole() && all.len() == 1 && all[0].is(path)
    }
}
