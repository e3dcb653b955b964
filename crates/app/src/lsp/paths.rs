//! Which file of a profile a file of the editor is.
//!
//! Profiles come from other machines, so a path is compared from its end: what shares most
//! components wins. What shares the file's name alone, or as much as another file, is not believed.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::path_parts::Parts;

/// A rule of the settings: where files of a profile are here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PathRule {
    /// How paths of the profile begin.
    pub(super) from: String,
    /// How they begin here.
    pub(super) to: String,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Found {
    /// The profile does not have the file.
    Nothing,
    /// The file with this number.
    File(u32),
    /// It might be one of these.
    Unsure(Vec<u32>),
    /// It is this one in another copy of the project, which is here, too.
    Copy(u32),
}

/// The files of a profile.
#[derive(Debug)]
pub(super) struct PathMap {
    files: Vec<Parts>,
    /// Numbers of the files by their last component, in small letters.
    by_name: HashMap<String, Vec<u32>>,
    rules: Vec<(Parts, Parts)>,
}

impl PathMap {
    /// A map of the files that a profile names.
    pub(super) fn new(files: &[String], rules: &[PathRule]) -> PathMap {
        let files: Vec<Parts> = files.iter().map(|file| Parts::new(file)).collect();
        let mut by_name = HashMap::<String, Vec<u32>>::new();
        for (number, file) in files.iter().enumerate() {
            if let Some(name) = file.name() {
                by_name.entry(name).or_default().push(number as u32);
            }
        }
        let rules = rules.iter().map(|rule| (Parts::new(&rule.from), Parts::new(&rule.to)));
        PathMap { files, by_name, rules: rules.collect() }
    }

    /// A file of the profile.
    pub(super) fn parts(&self, file: u32) -> &Parts {
        &self.files[file as usize]
    }

    /// The file that the profile has under a path as [`Parts::text`] tells it.
    pub(super) fn named(&self, text: &str) -> Option<u32> {
        let all = self.by_name.get(&Parts::new(text).name()?)?;
        all.iter().copied().find(|&file| self.parts(file).text() == text)
    }

    /// Where the rules say that a file is.
    pub(super) fn ruled(&self, file: u32) -> impl Iterator<Item = String> {
        let parts = self.parts(file);
        self.rules.iter().filter_map(|(from, to)| Some(parts.moved(from, to)?.text()))
    }

    /// The file that the editor has at `path`: the same path; else what a rule makes the same;
    /// else what shares most components at its end, if no other file here shares as many with it.
    pub(super) fn find(&self, path: &Parts, here: &impl Here) -> Found {
        let known = path.name().and_then(|name| self.by_name.get(&name));
        let Some(candidates) = known else { return Found::Nothing };
        let first = |is: &dyn Fn(&Parts) -> bool| {
            candidates.iter().copied().find(|&file| is(self.parts(file)))
        };
        let ruled = |file: &Parts| {
            let mut moved = self.rules.iter().filter_map(|(from, to)| file.moved(from, to));
            moved.any(|moved| moved.is(path))
        };
        let told = |file: &Parts| match &here_of(file, path, here)[..] {
            [place] => place.is(path),
            _ => false,
        };
        let sure = first(&|file| file.is(path)).or_else(|| first(&ruled));
        if let Some(file) = sure.or_else(|| first(&told)) {
            return Found::File(file);
        }
        let shared = |file: u32| self.parts(file).shared_end(path);
        let is_copy =
            |file: &Parts| file.is_absolute() && here.is_file(file) && here.is_copy(path, file);
        // What is another file of this machine is that one and no other.
        let is_elsewhere = |file: &Parts| {
            (file.is_absolute() && here.is_file(file))
                || matches!(&here_of(file, path, here)[..], [place, ..] if !place.is(path))
        };
        let mut candidates: Vec<u32> = candidates
            .iter()
            .copied()
            .filter(|&file| shared(file) > 0)
            .filter(|&file| !is_elsewhere(self.parts(file)))
            .collect();
        let most = candidates.iter().map(|&file| shared(file)).max().unwrap_or(0);
        candidates.retain(|&file| shared(file) == most);
        // Another file of the workspace may be more like it, or as much.
        let namesakes = if candidates.is_empty() { vec![] } else { here.namesakes(path) };
        let others = || namesakes.iter().filter(|other| !other.is(path));
        let most_of_others =
            |file: u32| others().map(|other| self.parts(file).shared_end(other)).max();
        candidates.retain(|&file| most_of_others(file).unwrap_or(0) <= most);
        let is_contested = |file: u32| most_of_others(file) == Some(most);
        match candidates[..] {
            [] => first(&is_copy).map_or(Found::Nothing, Found::Copy),
            [file] if is_contested(file) => Found::Unsure(candidates),
            [file] if most > 1 => Found::File(file),
            // Its name alone tells where it is if there is no other of that name.
            [file] if self.parts(file).count() == 1 && here.has_no_other(path) => Found::File(file),
            // The whole path of one and a part of the others.
            _ => match candidates.iter().find(|&&file| self.parts(file).count() == most) {
                Some(&file) if most > 1 && !is_contested(file) => Found::File(file),
                _ => Found::Unsure(candidates),
            },
        }
    }
}

/// Where a file of a profile is that may be at `path`, which comes first then: by what is known of
/// others, and as far as there are such files.
fn here_of(file: &Parts, path: &Parts, here: &impl Here) -> Vec<Parts> {
    let mut places = here.places(file);
    places.retain(|place| place.is(path) || here.is_file(place));
    places.sort_by_key(|place| !place.is(path));
    places
}

/// What is known of files here.
pub(super) trait Here {
    /// Whether an absolute path is a file.
    fn is_file(&self, path: &Parts) -> bool;
    /// Where a file of a profile is, each once, if it is there: by what the user said of others, by the
    /// modules of the workspace, or as a path from where the profile was made.
    fn places(&self, file: &Parts) -> Vec<Parts>;
    /// The files of the workspace with the name of a path.
    fn namesakes(&self, path: &Parts) -> Vec<Parts>;
    /// Whether another file is the one at a path in another copy of its project.
    fn is_copy(&self, path: &Parts, other: &Parts) -> bool;
    /// Whether a path is known to be the only file of its name.
    fn has_no_other(&self, path: &Parts) -> bool;
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::addresses::{path_of_uri, uri_of_path};

    fn map(files: &[&str], rules: &[(&str, &str)]) -> PathMap {
        let files: Vec<String> = files.iter().map(|&file| file.to_owned()).collect();
        let rules = rules.iter().map(|&(from, to)| PathRule { from: from.into(), to: to.into() });
        PathMap::new(&files, &rules.collect::<Vec<_>>())
    }

    /// A workspace with these files, and what is a file besides.
    #[derive(Default)]
    struct Stub {
        files: Vec<Parts>,
        is_file: Option<fn(&str) -> bool>,
        is_copy: Option<fn(&str, &str) -> bool>,
        rules: Vec<(Parts, Parts)>,
    }

    impl Stub {
        fn new(files: &[&str]) -> Stub {
            Stub { files: files.iter().map(|file| Parts::new(file)).collect(), ..Stub::default() }
        }
    }

    impl Here for Stub {
        fn is_file(&self, path: &Parts) -> bool {
            self.files.iter().any(|file| file.is(path))
                || self.is_file.is_some_and(|is_file| is_file(&path.text()))
        }

        fn places(&self, file: &Parts) -> Vec<Parts> {
            self.rules.iter().filter_map(|(from, to)| file.moved(from, to)).collect()
        }

        fn namesakes(&self, path: &Parts) -> Vec<Parts> {
            self.files.iter().filter(|file| file.name() == path.name()).cloned().collect()
        }

        fn is_copy(&self, path: &Parts, other: &Parts) -> bool {
            self.is_copy.is_some_and(|is_copy| is_copy(&path.text(), &other.text()))
        }

        fn has_no_other(&self, path: &Parts) -> bool {
            self.namesakes(path).len() == 1
        }
    }

    fn find(map: &PathMap, path: &str) -> Found {
        map.find(&Parts::new(path), &Stub::default())
    }

    #[test]
    fn the_same_path_comes_first() {
        let map = map(&["/x/src/a.c", "/home/me/src/a.c"], &[("/x", "/home/me")]);
        assert_eq!(find(&map, "/home/me/src/a.c"), Found::File(1));
        assert_eq!(find(&map, "/home/me/src/../src/./a.c"), Found::File(1));
        assert_eq!(find(&map, "/home/me/src/b.c"), Found::Nothing);
    }

    #[test]
    fn rules_come_before_guesses() {
        let files = ["/build/1/lib.rs", "/build/2/lib.rs"];
        let map = map(&files, &[("/build/2/", "/home/me/project/src")]);
        assert_eq!(find(&map, "/home/me/project/src/lib.rs"), Found::File(1));
        assert_eq!(map.ruled(1).collect::<Vec<_>>(), ["/home/me/project/src/lib.rs"]);
        assert_eq!(find(&map, "/home/you/lib.rs"), Found::Unsure(vec![0, 1]));
    }

    #[test]
    fn the_longest_end_wins() {
        let map = map(&["logsummary/main.go", "/build/a/src/lib.rs", "/build/b/src/lib.rs"], &[]);
        assert_eq!(find(&map, "/tmp/1/logsummary/main.go"), Found::File(0));
        assert_eq!(find(&map, "/w/b/src/lib.rs"), Found::File(2));
        assert_eq!(find(&map, "/w/c/src/lib.rs"), Found::Unsure(vec![1, 2]));
        assert_eq!(find(&map, "/w/other/main.go"), Found::Unsure(vec![0]));
    }

    #[test]
    fn a_whole_path_is_better_than_a_part() {
        let map = map(&["src/lib.rs", "/build/b/src/lib.rs"], &[]);
        assert_eq!(find(&map, "/w/c/src/lib.rs"), Found::File(0));
        assert_eq!(find(&map, "/w/b/src/lib.rs"), Found::File(1));
    }

    #[test]
    fn a_name_alone_is_believed_where_there_is_one_such_file() {
        let map = map(&["main.py", "/app/util.py"], &[]);
        let find = |path, here: &Stub| map.find(&Parts::new(path), here);
        assert_eq!(find("/w/a/main.py", &Stub::default()), Found::Unsure(vec![0]));
        assert_eq!(find("/w/a/main.py", &Stub::new(&["/w/a/main.py"])), Found::File(0));
        let two = Stub::new(&["/w/a/main.py", "/w/b/main.py"]);
        assert_eq!(find("/w/a/main.py", &two), Found::Unsure(vec![0]));
        // A folder may have been lost.
        assert_eq!(find("/w/a/util.py", &Stub::new(&["/w/a/util.py"])), Found::Unsure(vec![1]));
        // The one in the folder where the profile was made.
        let rules = vec![(Parts::new(""), Parts::new("/w/a"))];
        let two = Stub { rules, ..two };
        assert_eq!(find("/w/a/main.py", &two), Found::File(0));
        assert_eq!(find("/w/b/main.py", &two), Found::Nothing);
    }

    #[test]
    fn a_file_that_is_more_like_it_is_it() {
        let map = map(&["/app/src/x.py"], &[]);
        let find = |path, here: &Stub| map.find(&Parts::new(path), here);
        let services = Stub::new(&["/w/api/src/x.py", "/w/web/src/x.py"]);
        assert_eq!(find("/w/api/src/x.py", &services), Found::Unsure(vec![0]));
        let deeper = Stub::new(&["/w/app/src/x.py", "/w/web/src/x.py"]);
        assert_eq!(find("/w/app/src/x.py", &deeper), Found::File(0));
        assert_eq!(find("/w/web/src/x.py", &deeper), Found::Nothing);
    }

    #[test]
    fn a_file_of_this_machine_is_no_other() {
        let map = map(&["/registry/foo/src/lib.rs"], &[]);
        let is_file: fn(&str) -> bool = |path| path.starts_with("/registry");
        let here = Stub { is_file: Some(is_file), ..Stub::default() };
        assert_eq!(map.find(&Parts::new("/w/src/lib.rs"), &here), Found::Nothing);
        let itself = Parts::new("/registry/foo/src/lib.rs");
        assert_eq!(map.find(&itself, &here), Found::File(0));
    }

    #[test]
    fn windows_paths_have_drives_and_no_case() {
        let map = map(&[r"C:\Build\App\Src\Main.cs", r"lib\io.cs"], &[(r"C:\Build", "d:/work")]);
        assert_eq!(find(&map, "c:/build/app/src/main.cs"), Found::File(0));
        assert_eq!(find(&map, "D:/Work/App/Src/main.cs"), Found::File(0));
        assert_eq!(find(&map, "/home/me/App/Src/Main.cs"), Found::File(0));
        assert_eq!(find(&map, "/home/me/lib/io.cs"), Found::File(1));
    }

    proptest! {
        /// Whatever the profile holds: a file below a folder that the profile does not know is
        /// the one whose whole path it ends with, and addresses keep paths.
        #[test]
        fn a_moved_file_is_found(
            files in prop::collection::btree_set("[ab]{1,2}(/[ab]{1,2}){1,4}", 1..20),
            chosen in any::<prop::sample::Index>(),
            root in "/[ x-z%#ä]{1,8}!",
        ) {
            let files: Vec<String> = files.into_iter().collect();
            let number = chosen.index(files.len());
            let map = PathMap::new(&files, &[]);
            let path = format!("{root}/{}", files[number]);
            prop_assert_eq!(find(&map, &path), Found::File(number as u32));
            prop_assert_eq!(path_of_uri(&uri_of_path(&path)), Some(path));
        }

        /// A file that is found shares more with the path than any other, or is all of it.
        #[test]
        fn nothing_is_guessed(
            files in prop::collection::btree_set("/?[ab](/[ab]){0,3}", 1..20),
            path in "/[ab](/[ab]){0,5}",
        ) {
            let files: Vec<String> = files.into_iter().collect();
            let map = PathMap::new(&files, &[]);
            let path = Parts::new(&path);
            if let Found::File(found) = map.find(&path, &Stub::default()) {
                let shared = |file: &Parts| file.shared_end(&path);
                let most = shared(map.parts(found));
                let whole = most == map.parts(found).count();
                for (number, other) in map.files.iter().enumerate() {
                    let less = shared(other) < most || (whole && shared(other) == most);
                    prop_assert!(number as u32 == found || less);
                }
            }
        }

        #[test]
        fn no_text_is_too_odd(text in ".{0,40}", other in "(file://)?.{0,40}") {
            let map = PathMap::new(&[text.clone(), other.clone()], &[]);
            let _ = map.find(&Parts::new(&other), &Stub::default());
            let _ = path_of_uri(&other);
            let _ = Parts::new(&text).text();
        }
    }
}
