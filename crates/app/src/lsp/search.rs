//! Files below the folders of the workspace, by name, and what they say of paths in profiles.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

use super::renames::Renames;
use crate::path_parts::Parts;

/// Files that are listed; those of larger workspaces are searched in part.
const MOST_FILES: usize = 100_000;
/// How long listing may take.
const PATIENCE: Duration = Duration::from_secs(1);
/// After so long a list is made anew.
const FRESH: Duration = Duration::from_secs(60);
/// How long git may take for the moves in one folder.
const PATIENCE_FOR_GIT: Duration = Duration::from_millis(500);
/// Moves since more times are forgotten and found again.
const MOST_RENAMES: usize = 100;
/// Folders that hold nobody's own sources, and are large.
const SKIPPED: &[&str] = &["node_modules", "target", "__pycache__", "bazel-out"];

/// Where the workspace's files are.
#[derive(Debug, Default)]
pub(super) struct Search {
    folders: Vec<String>,
    listing: RefCell<Option<Rc<Listing>>>,
    /// How often what is known here changed.
    generation: Cell<u64>,
    /// By the time that they are since: when they were asked for, and what they are.
    renames: RefCell<HashMap<i64, (Instant, Rc<Renames>)>>,
}

/// The files below the folders at a time.
#[derive(Debug)]
struct Listing {
    /// By name in small letters.
    by_name: HashMap<String, Vec<Parts>>,
    /// The `go.mod` files, by folder; what module each is of, once somebody asks.
    modules: Vec<PathBuf>,
    module_rules: OnceCell<Vec<(Parts, Parts)>>,
    /// Whether all of them are there.
    is_whole: bool,
    made: Instant,
    /// How long that took.
    cost: Duration,
}

impl Search {
    /// The workspace has other folders.
    pub(super) fn set_folders(&mut self, folders: Vec<String>) {
        self.folders = folders;
        self.forget();
    }

    /// The folders of the workspace.
    pub(super) fn folders(&self) -> &[String] {
        &self.folders
    }

    /// Something about paths is another: what was found is found again.
    pub(super) fn forget(&self) {
        self.listing.take();
        self.renames.take();
        self.generation.set(self.generation.get() + 1);
    }

    /// Another number when another answer may be right.
    pub(super) fn generation(&self) -> u64 {
        self.generation.get()
    }

    /// The files of the workspace that git moved since a time, in seconds since 1970.
    pub(super) fn renames(&self, since: i64) -> Rc<Renames> {
        let mut known = self.renames.borrow_mut();
        if let Some((made, renames)) = known.get(&since)
            && made.elapsed() < FRESH
        {
            return renames.clone();
        }
        if known.len() >= MOST_RENAMES {
            known.clear();
        }
        let folders = self.folders.iter().map(Path::new);
        let renames = Rc::new(Renames::new(
            folders.map(|folder| Renames::since(folder, since, PATIENCE_FOR_GIT)),
        ));
        known.insert(since, (Instant::now(), renames.clone()));
        renames
    }

    /// Whether a path is below a folder of the workspace.
    pub(super) fn is_inside(&self, path: &str) -> bool {
        self.folders.iter().any(|folder| Path::new(path).starts_with(folder))
    }

    /// The files of the workspace with the name of a path.
    pub(super) fn namesakes(&self, path: &Parts) -> Vec<Parts> {
        let listing = self.listing();
        let named = path.name().and_then(|name| listing.by_name.get(&name));
        named.cloned().unwrap_or_default()
    }

    /// Whether all files of the workspace are known.
    pub(super) fn is_whole(&self) -> bool {
        !self.folders.is_empty() && self.listing().is_whole
    }

    /// What the modules of the workspace make of paths that Go wrote with `-trimpath`.
    pub(super) fn module_rules(&self) -> Vec<(Parts, Parts)> {
        let listing = self.listing();
        let rules = listing.module_rules.get_or_init(|| {
            let rule = |folder: &PathBuf| {
                let text = fs::read_to_string(folder.join("go.mod")).ok()?;
                let module = text.lines().find_map(|line| line.trim().strip_prefix("module "))?;
                let module = module.split("//").next()?.trim().trim_matches('"');
                Some((Parts::new(module), Parts::new(folder.to_str()?)))
            };
            listing.modules.iter().filter_map(rule).collect()
        });
        rules.clone()
    }

    fn listing(&self) -> Rc<Listing> {
        let mut known = self.listing.borrow_mut();
        if let Some(listing) = &*known
            // A hundredth of the time, at most, goes into lists.
            && listing.made.elapsed() < FRESH.max(100 * listing.cost)
        {
            return listing.clone();
        }
        if known.is_some() {
            self.generation.set(self.generation.get() + 1);
        }
        known.insert(Rc::new(Listing::new(&self.folders))).clone()
    }
}

impl Listing {
    fn new(folders: &[String]) -> Listing {
        let started = Instant::now();
        let mut listing = Listing {
            by_name: HashMap::new(),
            modules: vec![],
            module_rules: OnceCell::new(),
            is_whole: true,
            made: started,
            cost: Duration::ZERO,
        };
        let mut files = 0;
        let mut open: Vec<PathBuf> = folders.iter().rev().map(PathBuf::from).collect();
        while let Some(folder) = open.pop() {
            if files >= MOST_FILES || started.elapsed() >= PATIENCE {
                listing.is_whole = false;
                break;
            }
            // A folder that nobody may look into has nothing to say.
            for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
                let (Ok(name), Ok(kind)) = (entry.file_name().into_string(), entry.file_type())
                else {
                    continue;
                };
                if kind.is_dir() {
                    if !name.starts_with('.') && !SKIPPED.contains(&&*name) {
                        open.push(entry.path());
                    }
                    continue;
                }
                if name == "go.mod" {
                    listing.modules.push(folder.clone());
                }
                if let Some(path) = entry.path().to_str() {
                    files += 1;
                    listing.by_name.entry(name.to_lowercase()).or_default().push(Parts::new(path));
                }
            }
        }
        (listing.made, listing.cost) = (Instant::now(), started.elapsed());
        listing
    }
}

/// Where the sources of Go's modules and of Go itself are: below these, a path that `-trimpath`
/// left.
pub(super) fn go_roots() -> Vec<PathBuf> {
    let variable = |name| std::env::var_os(name).map(PathBuf::from);
    let home = || variable("HOME").map(|home| home.join("go"));
    let path = variable("GOPATH").or_else(home).map(|path| path.join("pkg/mod"));
    let cache = variable("GOMODCACHE").or(path);
    let own = variable("GOROOT").map(|root| root.join("src"));
    let usual = ["/usr/local/go/src", "/usr/lib/go/src"].map(PathBuf::from);
    cache.into_iter().chain(own).chain(usual).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_by_name_and_modules_by_path() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |path: &str, text: &str| {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(path, text).expect("written");
        };
        write("api/go.mod", "// ours\nmodule example.org/api // the server\n\ngo 1.24\n");
        write("api/Main.go", "");
        write("web/main.go", "");
        write("node_modules/x/main.go", "");
        write(".git/main.go", "");
        let mut search = Search::default();
        assert!(!search.is_whole());
        let root = folder.path().to_str().expect("a path").to_owned();
        search.set_folders(vec![root.clone()]);
        let found = search.namesakes(&Parts::new("/x/main.go"));
        let mut found: Vec<String> = found.iter().map(Parts::text).collect();
        found.sort();
        assert_eq!(found, [format!("{root}/api/Main.go"), format!("{root}/web/main.go")]);
        assert!(search.is_whole() && search.is_inside(&found[0]) && !search.is_inside("/x"));
        let rules = search.module_rules();
        let rules: Vec<_> = rules.iter().map(|(from, to)| (from.text(), to.text())).collect();
        assert_eq!(rules, [("example.org/api".to_owned(), format!("{root}/api"))]);
    }
}
