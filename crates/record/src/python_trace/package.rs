//! The Python package, laid out for the interpreters that a command starts.

#![allow(
    clippy::disallowed_methods,
    reason = "folders of the user and of this worker; untrusted programs do not write there"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::{Error, RecordOptions};

/// The package's sources, which are the same for all interpreters.
const SOURCES: [(&str, &str); 9] = [
    ("hotframe/__init__.py", include_str!("../../../../python/src/hotframe/__init__.py")),
    ("hotframe/builder.py", include_str!("../../../../python/src/hotframe/builder.py")),
    ("hotframe/tracing.py", include_str!("../../../../python/src/hotframe/tracing.py")),
    ("hotframe/_attach.py", include_str!("../../../../python/src/hotframe/_attach.py")),
    ("hotframe/allocating.py", include_str!("../../../../python/src/hotframe/allocating.py")),
    ("hotframe/_running.py", include_str!("../../../../python/src/hotframe/_running.py")),
    ("hotframe/_begin.py", include_str!("../../../../python/src/hotframe/_begin.py")),
    ("hotframe/_log.py", include_str!("../../../../python/src/hotframe/_log.py")),
    ("sitecustomize.py", include_str!("../../../../python/src/hotframe/_site/sitecustomize.py")),
];

/// What the package reads what is asked of it from.
const SETTINGS: &str = "HOTFRAME_TRACE";

/// The compiled part beside this program, as it is built and as it is shipped.
const COMPILED: [&str; 5] = [
    "libhotframe_native.so",
    "_native.abi3.so",
    "../lib/hotframe/_native.abi3.so",
    // As `pip install --target` lays it out.
    "../hotframe/_native.abi3.so",
    "../libhotframe_native.so",
];

/// Whether every call can be recorded of interpreters that have the package not installed: the compiled
/// part is beside this program.
pub fn has_tracer() -> bool {
    compiled().is_some()
}

/// Whether the compiled part is here; interpreters need the package installed where it is not.
pub(super) fn compiled() -> Option<PathBuf> {
    let program = std::env::current_exe().ok()?;
    let folder = program.parent()?;
    COMPILED.iter().map(|name| folder.join(name)).find(|path| path.is_file())
}

/// The variables that make interpreters begin a trace: of the command, with the folder of the package and
/// the one where processes write their traces.
pub(super) fn variables(
    site: &Path,
    folder: &Path,
    asked: &RecordOptions,
) -> BTreeMap<String, String> {
    let settings = settings(folder, asked);
    let mut environment = asked.environment.clone();
    let around = environment.get("PYTHONPATH").cloned();
    let around =
        around.or_else(|| std::env::var("PYTHONPATH").ok()).filter(|path| !path.is_empty());
    let path = site.display().to_string();
    let path = around.map_or(path.clone(), |around| format!("{path}:{around}"));
    environment.insert("PYTHONPATH".to_owned(), path);
    environment.insert(SETTINGS.to_owned(), settings.to_string());
    environment
}

/// What the package is asked for.
pub(super) fn settings(folder: &Path, asked: &RecordOptions) -> serde_json::Value {
    let options = &asked.trace;
    serde_json::json!({
        "folder": folder,
        "limit": options.limit,
        "c_functions": !options.without_c_functions,
        "counts": options.counts,
        "log": options.log,
        "memory": options.memory,
    })
}

/// Lays the package out in a folder, which it is imported from.
pub(super) fn lay_out(site: &Path) -> Result<(), Error> {
    let compiled = compiled();
    for (name, text) in SOURCES {
        // An installed package is the one that is used where its compiled part is not here.
        if compiled.is_none() && name.starts_with("hotframe/") {
            continue;
        }
        let path = site.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(Error::writing(parent))?;
        }
        fs::write(&path, text).map_err(Error::writing(&path))?;
    }
    if let Some(compiled) = compiled {
        let path = site.join("hotframe/_native.abi3.so");
        fs::copy(&compiled, &path).map_err(Error::writing(&path))?;
    }
    Ok(())
}
