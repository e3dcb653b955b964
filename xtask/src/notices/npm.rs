//! The npm packages that are bundled. Each build of Vite lists those of its modules
//! (`web/ui/vite.packages.ts`).

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::Context as _;
use serde_json::Value;

use super::files;
use super::package::Package;
use crate::licenses::allowed::Allowed;
use crate::workspace;

const LISTS: &str = "web/dist/packages";

/// What Pyodide is built from: it has no file that says so.
const PYODIDE: [(&str, &str, &str); 13] = [
    ("CPython", "Python-2.0.1", "https://github.com/python/cpython"),
    ("Emscripten", "MIT OR NCSA", "https://github.com/emscripten-core/emscripten"),
    ("HACL*", "MIT", "https://github.com/hacl-star/hacl-star"),
    ("SQLite", "blessing", "https://sqlite.org"),
    ("bzip2", "bzip2-1.0.6", "https://sourceware.org/bzip2"),
    ("expat", "MIT", "https://libexpat.github.io"),
    ("libffi", "MIT", "https://github.com/libffi/libffi"),
    ("liblzma", "0BSD", "https://tukaani.org/xz"),
    ("libmpdec", "BSD-2-Clause", "https://www.bytereef.org/mpdecimal"),
    ("mimalloc", "MIT", "https://github.com/microsoft/mimalloc"),
    ("musl", "MIT", "https://musl.libc.org"),
    ("zlib", "Zlib", "https://zlib.net"),
    ("zstd", "BSD-3-Clause", "https://github.com/facebook/zstd"),
];

/// The packages in these bundles; fails if one has a licence that is not allowed.
pub(super) fn bundled(bundles: &[&str]) -> anyhow::Result<Vec<Package>> {
    let mut folders = BTreeSet::new();
    for bundle in bundles {
        let file = workspace::root().join(LISTS).join(format!("{bundle}.json"));
        let list = fs::read_to_string(&file).with_context(|| {
            format!("no list of packages {}: remove web/ui/dist* and build again", file.display())
        })?;
        folders.extend(serde_json::from_str::<Vec<String>>(&list)?);
    }
    let allowed = Allowed::read()?;
    let mut packages = vec![];
    for folder in folders {
        let package = package(&workspace::root().join(&folder)).with_context(|| folder.clone())?;
        allowed.check(&package.name, Some(&package.license)).context("a bundled npm package")?;
        packages.extend(inside(&package)?);
        packages.push(package);
    }
    Ok(packages)
}

fn package(folder: &Path) -> anyhow::Result<Package> {
    let manifest = fs::read_to_string(folder.join("package.json")).context("no package.json")?;
    let manifest: Value = serde_json::from_str(&manifest)?;
    let field = |name: &str| manifest[name].as_str().map(str::to_owned);
    let license = field("license").context("it names no licence")?;
    let author = field("author").or(manifest["author"]["name"].as_str().map(str::to_owned));
    let mut texts = files::of_package(folder, None, &license, author.as_slice())?;
    // Of Vite, a few lines are in what it builds, and nothing that it is built from itself.
    for text in &mut texts {
        if let Some(end) = text.text.find("\n# Licenses of bundled dependencies") {
            text.text.truncate(end);
        }
    }
    let repository =
        field("repository").or(manifest["repository"]["url"].as_str().map(str::to_owned));
    let repository = repository.or(field("homepage")).unwrap_or_default();
    Ok(Package {
        name: field("name").context("it has no name")?,
        version: field("version").context("it has no version")?,
        license,
        repository: repository.trim_start_matches("git+").trim_end_matches(".git").to_owned(),
        texts,
    })
}

/// What is inside of a package, as packages of their own.
fn inside(outer: &Package) -> anyhow::Result<Vec<Package>> {
    let inside: &[_] = if outer.name == "pyodide" { &PYODIDE } else { &[] };
    let package = |&(name, license, repository): &(&str, &str, &str)| {
        Ok(Package {
            name: name.to_owned(),
            version: format!("(in {} {})", outer.name, outer.version),
            license: license.to_owned(),
            repository: repository.to_owned(),
            texts: files::standard(license, &format!("the authors of {name}"))?,
        })
    };
    inside.iter().map(package).collect()
}
