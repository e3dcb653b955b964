//! What an environment is made of.

use std::path::{Path, PathBuf};

use jobs::Key;
use serde::{Deserialize, Serialize};

/// What an environment is made of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EnvironmentSpec {
    /// The interpreter as the plan says it: a version, a name or a path.
    pub interpreter: String,
    /// Every package with its version and the hashes of its files, as pip writes requirements.
    pub lock: String,
    /// Folders with packages, besides the index.
    pub find_links: Vec<PathBuf>,
    /// Wheels alone are installed, so that nothing of a package runs meanwhile: what is isolated later
    /// is not to run here now.
    #[serde(default)]
    pub wheels_only: bool,
}

impl EnvironmentSpec {
    /// What it is called, with an interpreter of this machine.
    pub(crate) fn key(&self, interpreter: &crate::Interpreter) -> Key {
        // By build, not by name: two interpreters of one version are two environments.
        let parts = [
            "environment 1",
            &interpreter.hash,
            &interpreter.program.to_string_lossy(),
            &self.lock,
            std::env::consts::ARCH,
        ];
        Key::new(parts.join("\0").as_bytes())
    }

    /// Packages with their versions, for people: `numpy 2.2.1`.
    pub fn packages(&self) -> Vec<(String, String)> {
        let lines = self.lock.lines().filter(|line| !line.starts_with([' ', '#', '-']));
        let pair = |line: &str| {
            let line = line.split([';', '\\', ' ']).next().unwrap_or(line);
            let (name, version) = line.split_once("==")?;
            Some((name.to_owned(), version.trim().to_owned()))
        };
        lines.filter_map(pair).collect()
    }
}

/// Where programs of an environment are.
pub(crate) fn programs(folder: &Path) -> PathBuf {
    folder.join("bin")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_packages_of_a_lock() {
        let lock = "numpy==2.2.1 \\\n    --hash=sha256:ab \\\n    --hash=sha256:cd\nsix==1.16.0 ; python_version >= '3'\n\
                    # made by hand\n-i x\n";
        let spec = EnvironmentSpec {
            interpreter: "3.12".to_owned(),
            lock: lock.to_owned(),
            find_links: vec![],
            wheels_only: false,
        };
        let want = [("numpy", "2.2.1"), ("six", "1.16.0")];
        assert_eq!(spec.packages(), want.map(|(a, b)| (a.to_owned(), b.to_owned())));
    }
}
