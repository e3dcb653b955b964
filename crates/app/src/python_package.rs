//! The Python package's modules that need no compiled part, laid out for interpreters.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

macro_rules! modules {
    ($($name:literal,)*) => {
        &[$(($name, include_str!(concat!("../../../python/src/hotframe/", $name))),)*]
    };
}

const MODULES: &[(&str, &str)] = modules![
    "__init__.py",
    "_engine.py",
    "_frames.py",
    "_log.py",
    "_magic.py",
    "_pane.py",
    "_run.py",
    "_running.py",
    "allocating.py",
    "builder.py",
    "columns.py",
    "document.py",
    "metrics.py",
    "tracing.py",
    "transform.py",
    "tree.py",
    "widget.py",
];

/// Lays the package out in a folder that interpreters look for modules in.
pub(crate) fn lay_out(folder: &Path) -> Result<()> {
    let package = folder.join("hotframe");
    fs::create_dir_all(&package).with_context(|| format!("cannot make {}", package.display()))?;
    for (name, text) in MODULES {
        let path = package.join(name);
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_module_is_forgotten_but_those_of_recordings() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../python/src/hotframe");
        let recording = ["__main__.py", "_attach.py", "_begin.py", "_record.py"];
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.ends_with(".py") && !recording.contains(&name.as_str()))
            .collect();
        names.sort();
        assert_eq!(names, MODULES.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    }
}
