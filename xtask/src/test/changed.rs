//! Which tests a change can affect.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;

use serde_json::Value;

use crate::{command, workspace};

/// The tests that are to run.
pub(crate) struct Selection {
    /// Packages; none where no test of Rust runs, an empty list for all.
    rust: Option<Vec<String>>,
    /// Files of browser tests; none where none runs, an empty list for all.
    page: Option<Vec<String>>,
    editor: bool,
    packages: bool,
    /// Folders of the web whose unit tests run, and vitest's options for that.
    unit: Vec<(&'static str, Vec<String>)>,
}

const WEB: [&str; 3] = ["web/engine", "web/ui", "web/vscode"];

impl Selection {
    /// Every test.
    pub(crate) fn all() -> Selection {
        Selection {
            rust: Some(vec![]),
            page: Some(vec![]),
            editor: true,
            packages: true,
            unit: WEB.map(|folder| (folder, vec![])).into(),
        }
    }

    /// The packages whose tests run; an empty list chooses all.
    pub(crate) fn rust(&self) -> Option<&[String]> {
        self.rust.as_deref()
    }

    /// Files of browser tests; an empty list chooses all.
    pub(crate) fn page(&self) -> Option<&[String]> {
        self.page.as_deref()
    }

    /// Whether tests run in VS Code.
    pub(crate) fn editor(&self) -> bool {
        self.editor
    }

    /// Whether packages are made and installed.
    pub(crate) fn packages(&self) -> bool {
        self.packages
    }

    /// The options of a folder's unit tests.
    pub(crate) fn unit(&self, folder: &str) -> Option<&[String]> {
        self.unit.iter().find(|(name, _)| *name == folder).map(|(_, options)| &**options)
    }
}

impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |list: Option<&[String]>| match list {
            None => "none".to_owned(),
            Some([]) => "all".to_owned(),
            Some(list) => list.join(", "),
        };
        let unit: Vec<&str> = self.unit.iter().map(|(folder, _)| *folder).collect();
        write!(
            f,
            "tests of Rust: {}; of the page: {}; of the editor: {}; of packages: {}; units: {}",
            list(self.rust()),
            list(self.page()),
            if self.editor { "all" } else { "none" },
            if self.packages { "all" } else { "none" },
            unit.join(", ")
        )
    }
}

/// The tests for what changed since a revision; an empty one stands for what is not committed, or for
/// the last commit where everything is.
pub(crate) fn since(revision: &str) -> anyhow::Result<Selection> {
    let status = git(&["status", "--porcelain=v1", "-z", "--untracked-files=all"])?;
    let revision = match revision {
        "" if status.is_empty() => "HEAD~1",
        "" => "HEAD",
        revision => revision,
    };
    let diff = git(&["diff", "--name-only", "-z", revision])?;
    let untracked = git(&["ls-files", "--others", "--exclude-standard", "-z"])?;
    let files: BTreeSet<&str> =
        diff.split('\0').chain(untracked.split('\0')).filter(|file| !file.is_empty()).collect();
    Ok(select(&files, &browser_tests()?, &dependencies()?, revision))
}

/// The packages of the workspace, each with those that it or its tests depend on.
type Dependencies = BTreeMap<String, BTreeSet<String>>;

fn dependencies() -> anyhow::Result<Dependencies> {
    let arguments = ["metadata", "--no-deps", "--format-version=1"];
    let metadata: Value = serde_json::from_str(&command::output(&mut command::cargo(&arguments))?)?;
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let name = |value: &Value| value["name"].as_str().unwrap_or_default().to_owned();
    let packages = list(&metadata["packages"]);
    Ok(packages
        .iter()
        .map(|package| {
            let ours = list(&package["dependencies"]).into_iter();
            let ours = ours.filter(|dependency| dependency["path"].is_string());
            (name(package), ours.map(|dependency| name(&dependency)).collect())
        })
        .collect())
}

/// Packages, and all that depend on them.
fn with_dependents(mut packages: BTreeSet<String>, all: &Dependencies) -> BTreeSet<String> {
    loop {
        let count = packages.len();
        let more = all.iter().filter(|(_, on)| !on.is_disjoint(&packages));
        let more: Vec<String> = more.map(|(package, _)| package.clone()).collect();
        packages.extend(more);
        if packages.len() == count {
            return packages;
        }
    }
}

fn git(arguments: &[&str]) -> anyhow::Result<String> {
    command::output(&mut command::in_root("git", arguments))
}

/// The names of the browser's tests, without their endings.
fn browser_tests() -> anyhow::Result<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    for entry in std::fs::read_dir(workspace::root().join("web/tests/src"))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        names.extend(name.strip_suffix(".test.ts").map(str::to_owned));
    }
    Ok(names)
}

fn select(
    files: &BTreeSet<&str>,
    browser_tests: &BTreeSet<String>,
    dependencies: &Dependencies,
    revision: &str,
) -> Selection {
    let mut rust = BTreeSet::new();
    let mut page = BTreeSet::new();
    let mut unit = BTreeSet::new();
    let mut editor = false;
    let is_of_packages = |file: &&&str| {
        ["packaging/", "xtask/src/dist/", "python/"].iter().any(|start| file.starts_with(start))
    };
    let packages_changed = files.iter().any(|file| is_of_packages(&file));
    for file in files.iter().map(Path::new) {
        let named = |name: &str| browser_tests.contains(name).then(|| name.to_owned());
        if let Some(name) = part_of(file, "crates") {
            // Tests may be a package beside the crate's.
            let tests = format!("{name}-tests");
            let is_test = file.starts_with(Path::new("crates").join(name).join("tests"));
            let is_apart = is_test && dependencies.contains_key(&tests);
            rust.insert(if is_apart { tests } else { name.to_owned() });
        } else if file.starts_with("web/tests/src/editor") || file.starts_with("web/vscode") {
            editor = true;
            unit.insert("web/vscode");
        } else if file.starts_with("web/tests/src") {
            let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            page.extend(name.strip_suffix(".test.ts").and_then(named));
        } else if file.starts_with("web/ui") || file.starts_with("web/engine") {
            unit.extend(["web/ui", "web/engine"]);
            // A view's own tests, and those that open a page at all.
            page.extend(part_of(file, "web/ui/src/views").and_then(named));
            page.extend(["shell", "flame"].into_iter().filter_map(named));
        } else if let Some(format) = part_of(file, "testdata") {
            rust.extend(["formats".to_owned(), "session".to_owned()]);
            page.extend(named(format));
        } else {
            match file.iter().next().and_then(|first| first.to_str()) {
                Some("xtask") => drop(rust.insert("xtask".to_owned())),
                Some("fuzz") => drop(rust.insert("fuzz".to_owned())),
                Some("builders" | "schema") => drop(rust.insert("formats".to_owned())),
                Some("python") => drop(rust.insert("app".to_owned())),
                Some("Cargo.toml" | "Cargo.lock" | ".cargo" | ".config") => {
                    return Selection::all();
                }
                _ => {}
            }
        }
    }
    let package = |name: String| match name.as_str() {
        "app" => "hotframe".to_owned(),
        "python" => "hotframe-python".to_owned(),
        _ => name,
    };
    let changed: BTreeSet<String> = rust.into_iter().map(package).collect();
    let packages = with_dependents(changed, dependencies);
    Selection {
        rust: (!packages.is_empty()).then(|| packages.into_iter().collect()),
        page: (!page.is_empty())
            .then(|| page.into_iter().map(|name| format!("src/{name}.test.ts")).collect()),
        editor,
        packages: packages_changed,
        unit: WEB
            .into_iter()
            .filter(|folder| unit.contains(folder))
            .map(|folder| {
                (folder, vec![format!("--changed={revision}"), "--passWithNoTests".to_owned()])
            })
            .collect(),
    }
}

/// The folder of a file that is named from the root, if it is one of a workspace's parts.
fn part_of<'a>(file: &'a Path, folder: &str) -> Option<&'a str> {
    file.strip_prefix(folder).ok()?.iter().next()?.to_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selected(files: &[&str]) -> Selection {
        let tests = ["flame", "shell", "heat", "table"].map(str::to_owned).into();
        let on = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let dependencies = [
            ("hotframe", on(&["session"])),
            ("layout", on(&["analysis"])),
            ("session", on(&["analysis", "layout"])),
            ("analysis", on(&[])),
            ("analysis-tests", on(&["analysis"])),
        ];
        let dependencies = dependencies.map(|(name, on)| (name.to_owned(), on)).into();
        select(&files.iter().copied().collect(), &tests, &dependencies, "HEAD")
    }

    #[test]
    fn crates_have_those_that_depend_on_them_tested() {
        let selection = selected(&["crates/layout/src/lib.rs", "crates/app/tests/cli/show.rs"]);
        assert_eq!(selection.rust().unwrap(), ["hotframe", "layout", "session"]);
        assert_eq!(selected(&["crates/app/src/lib.rs"]).rust().unwrap(), ["hotframe"]);
        assert!(selection.page().is_none() && !selection.editor());
        assert!(selection.unit("web/ui").is_none());
        let selection = selected(&["crates/analysis/tests/analysis/heat.rs"]);
        assert_eq!(selection.rust().unwrap(), ["analysis-tests"]);
        let selection = selected(&["crates/analysis/src/heat.rs"]);
        assert_eq!(
            selection.rust().unwrap(),
            ["analysis", "analysis-tests", "hotframe", "layout", "session"]
        );
    }

    #[test]
    fn views_have_their_own_tests() {
        let selection = selected(&["web/ui/src/views/heat/heat.tsx", "README.md"]);
        assert!(selection.rust().is_none());
        let page = ["src/flame.test.ts", "src/heat.test.ts", "src/shell.test.ts"];
        assert_eq!(selection.page().unwrap(), page);
        assert_eq!(selection.unit("web/ui").unwrap()[0], "--changed=HEAD");
        assert!(!selection.editor());
    }

    #[test]
    fn a_changed_lock_file_selects_every_test() {
        let selection = selected(&["Cargo.lock"]);
        assert_eq!(selection.rust().unwrap(), [""; 0]);
        assert!(selection.editor());
    }

    #[test]
    fn packages_are_installed_if_what_is_in_them_changed() {
        assert!(selected(&["packaging/install.sh"]).packages());
        assert!(!selected(&["crates/app/src/lib.rs"]).packages());
    }

    #[test]
    fn changed_docs_select_no_test() {
        let selection = selected(&["docs/tour.md"]);
        assert!(selection.rust().is_none() && selection.page().is_none() && !selection.editor());
    }
}
