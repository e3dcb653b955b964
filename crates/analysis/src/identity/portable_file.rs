//! Source files by what stays the same from machine to machine.

use std::borrow::Cow;

/// A source file, named by what it belongs to and its path in there: never by an absolute path.
///
/// ```text
/// /usr/lib/python3.11/json/decoder.py              standard  json/decoder.py
/// /venv/lib/python3.11/site-packages/numpy/a.py    package   numpy/a.py
/// /home/me/.cargo/registry/src/X/serde-1.0.2/src/a.rs package   serde/src/a.rs
/// /home/me/project/src/main.rs                     project   src/main.rs
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PortableFile<'a> {
    /// What it belongs to.
    pub belongs_to: BelongsTo,
    /// The path in there.
    pub path: Cow<'a, str>,
}

/// What a source file belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BelongsTo {
    /// The program itself, as far as anybody knows.
    Project,
    /// A package that it uses; its version is not part of the path.
    Package,
    /// The standard library of the language.
    Standard,
}

/// Folders that packages stand in: what follows is the package's path.
const PACKAGES: [&str; 4] = ["/site-packages/", "/dist-packages/", "/node_modules/", "/pkg/mod/"];

/// Folders of standard libraries: what follows is the path in them.
const STANDARD: [&str; 5] =
    ["/go/src/", "/lib/rustlib/src/rust/", "/libexec/src/", "/share/go/src/", "/golang/src/"];

impl<'a> PortableFile<'a> {
    /// The name of `file` in a project whose files have `root` in common.
    pub fn new(file: &'a str, root: &str) -> PortableFile<'a> {
        of_library(file).unwrap_or_else(|| PortableFile {
            belongs_to: BelongsTo::Project,
            path: Cow::Borrowed(file.strip_prefix(root).unwrap_or(file)),
        })
    }
}

/// The folder that all files of the project have in common, with its last separator; empty if
/// there is none. Files of packages and standard libraries, and those without a full path, do not
/// count.
pub(super) fn project_root<'a>(files: impl Iterator<Item = &'a str>) -> &'a str {
    let is_full = |file: &&str| file.starts_with('/') || file.get(1..3) == Some(":\\");
    let own = files.filter(is_full).filter(|file| of_library(file).is_none());
    let mut root: Option<&str> = None;
    for file in own {
        let known = root.unwrap_or_else(|| folder(file));
        let same = known.bytes().zip(file.bytes()).take_while(|(a, b)| a == b).count();
        // Only whole folders count; a separator is one byte.
        let end = known.as_bytes()[..same].iter().rposition(|byte| is_separator(*byte));
        root = Some(&known[..end.map_or(0, |end| end + 1)]);
    }
    root.unwrap_or("")
}

/// The file as one of a package or of a standard library.
fn of_library(file: &str) -> Option<PortableFile<'_>> {
    let package = |path: Cow<'_, str>| -> Option<PortableFile<'_>> {
        Some(PortableFile { belongs_to: BelongsTo::Package, path: Cow::Owned(path.into_owned()) })
    };
    let standard =
        |path| Some(PortableFile { belongs_to: BelongsTo::Standard, path: Cow::Borrowed(path) });
    if let Some(path) = PACKAGES.iter().find_map(|folder| after(file, folder)) {
        return match after(file, "/pkg/mod/") {
            Some(path) => package(without_module_version(path)),
            None => Some(PortableFile { belongs_to: BelongsTo::Package, path: path.into() }),
        };
    }
    // ~/.cargo/registry/src/INDEX/serde-1.0.2/src/lib.rs, and git/checkouts/NAME-HASH/REVISION/.
    if let Some((_, path)) = after(file, "/registry/src/").and_then(|rest| rest.split_once('/')) {
        return package(without_crate_version(path));
    }
    if let Some((name, rest)) = after(file, "/git/checkouts/").and_then(|r| r.split_once('/'))
        && let Some((_, path)) = rest.split_once('/')
    {
        let name = name.rsplit_once('-').map_or(name, |(name, _)| name);
        return package(Cow::Owned(format!("{name}/{path}")));
    }
    // /rustc/HASH/library/core/src/lib.rs
    if let Some((_, path)) = file.strip_prefix("/rustc/").and_then(|rest| rest.split_once('/')) {
        return standard(path);
    }
    if let Some(path) = STANDARD.iter().find_map(|folder| after(file, folder)) {
        return standard(path);
    }
    python_library(file).and_then(standard)
}

/// What follows the last occurrence of a folder.
fn after<'a>(file: &'a str, folder: &str) -> Option<&'a str> {
    file.rfind(folder).map(|at| &file[at + folder.len()..])
}

/// `/usr/lib/python3.11/json/decoder.py` to `json/decoder.py`.
fn python_library(file: &str) -> Option<&str> {
    let rest = after(file, "/lib/python").or_else(|| after(file, "/lib/pypy"))?;
    let (version, path) = rest.split_once('/')?;
    let is_version =
        !version.is_empty() && version.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    is_version.then_some(path)
}

/// `github.com/x/y@v1.2.3/a.go` to `github.com/x/y/a.go`.
fn without_module_version(path: &str) -> Cow<'_, str> {
    match path.split_once('@') {
        Some((module, rest)) => match rest.split_once('/') {
            Some((_, file)) => Cow::Owned(format!("{module}/{file}")),
            None => Cow::Borrowed(path),
        },
        None => Cow::Borrowed(path),
    }
}

/// `serde-1.0.2/src/a.rs` to `serde/src/a.rs`.
fn without_crate_version(path: &str) -> Cow<'_, str> {
    let Some((folder, file)) = path.split_once('/') else { return Cow::Borrowed(path) };
    let is_version = |text: &str| text.starts_with(|first: char| first.is_ascii_digit());
    let dashes = folder.match_indices('-').map(|(at, _)| at);
    match { dashes }.find(|&at| is_version(&folder[at + 1..])) {
        Some(at) => Cow::Owned(format!("{}/{file}", &folder[..at])),
        None => Cow::Borrowed(path),
    }
}

fn is_separator(byte: u8) -> bool {
    byte == b'/' || byte == b'\\'
}

/// The folder of a file, with its last separator.
fn folder(file: &str) -> &str {
    let end = file.bytes().rposition(is_separator);
    &file[..end.map_or(0, |end| end + 1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_files_alike_on_all_machines() {
        let told = |file| {
            let PortableFile { belongs_to, path } = PortableFile::new(file, "/home/me/p/");
            format!("{belongs_to:?} {path}")
        };
        for (file, expected) in [
            ("/usr/lib/python3.11/json/decoder.py", "Standard json/decoder.py"),
            ("/v/lib/python3.12/site-packages/numpy/a.py", "Package numpy/a.py"),
            ("/usr/lib/python3/dist-packages/six.py", "Package six.py"),
            ("/a/node_modules/x/node_modules/y/i.js", "Package y/i.js"),
            ("/home/me/go/pkg/mod/github.com/x/y@v1.2.3/z/a.go", "Package github.com/x/y/z/a.go"),
            ("/usr/local/go/src/runtime/proc.go", "Standard runtime/proc.go"),
            (
                "/home/me/.cargo/registry/src/i-6f1/serde-json-1.0.2-rc.1/src/a.rs",
                "Package serde-json/src/a.rs",
            ),
            ("/c/git/checkouts/tokio-12ab/9f3/src/a.rs", "Package tokio/src/a.rs"),
            ("/rustc/90b35a6/library/core/src/fmt/mod.rs", "Standard library/core/src/fmt/mod.rs"),
            ("/home/me/p/src/main.rs", "Project src/main.rs"),
            ("/home/other/main.rs", "Project /home/other/main.rs"),
            ("/opt/lib/python-tools/x.py", "Project /opt/lib/python-tools/x.py"),
            ("main.c", "Project main.c"),
        ] {
            assert_eq!(told(file), expected, "{file}");
        }
    }

    #[test]
    fn finds_the_folder_of_the_project() {
        let root = |files: &[&'static str]| project_root(files.iter().copied());
        assert_eq!(root(&["/p/src/a.c", "/p/srv/b.c", "/usr/lib/python3.1/x.py", "a.h"]), "/p/");
        assert_eq!(root(&["/p/src/a.c", "/p/src/sub/b.c"]), "/p/src/");
        assert_eq!(root(&["C:\\p\\a.c", "C:\\p\\q\\b.c"]), "C:\\p\\");
        assert_eq!(root(&["/p/é/a.c", "/p/è/b.c"]), "/p/");
        assert_eq!(root(&["a.c"]), "");
    }
}
