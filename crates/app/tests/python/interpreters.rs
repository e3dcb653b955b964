//! The interpreters of this machine.

use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Interpreter {
    pub(super) path: PathBuf,
    pub(super) version: String,
    /// Of 3.
    pub(super) minor: u32,
}

/// CPython from 3.8 on, one of each version, the oldest first.
pub(super) fn all() -> &'static [Interpreter] {
    static ALL: OnceLock<Vec<Interpreter>> = OnceLock::new();
    ALL.get_or_init(|| {
        let home = PathBuf::from(std::env::var_os("HOME").unwrap_or_default());
        let pyenv = std::fs::read_dir(home.join(".pyenv/versions")).into_iter().flatten();
        let pyenv = pyenv.filter_map(|entry| Some(entry.ok()?.path().join("bin/python3")));
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::env::split_paths(&path).filter(|folder| !folder.ends_with("shims"));
        let on_path = folders.flat_map(|folder| {
            let named = (8..30).map(|minor| format!("python3.{minor}"));
            named.chain(["python3".to_owned()]).map(move |name| folder.join(name))
        });
        let mut found: Vec<Interpreter> =
            pyenv.chain(on_path.collect::<Vec<_>>()).filter_map(known).collect();
        found.sort_by_key(|one| one.minor);
        found.dedup_by_key(|one| one.minor);
        assert!(!found.is_empty(), "no Python from 3.8 on is here");
        found
    })
}

/// The oldest of these and the newest, whose hooks differ most; all of them in
/// `cargo xtask test --long`. For tests that take a program's time again and again.
pub(super) fn some() -> Vec<&'static Interpreter> {
    let all = all();
    let step = samples::cases(u32::try_from(all.len().max(2) - 1).unwrap(), 1);
    all.iter().step_by(step as usize).collect()
}

/// The interpreter of a path, where it is one that can be traced.
fn known(path: PathBuf) -> Option<Interpreter> {
    const ASKS: &str = "import sys; print(sys.implementation.name, *sys.version_info[:3], \
                        getattr(sys, '_is_gil_enabled', lambda: True)())";
    if !path.exists() {
        return None;
    }
    let output = Command::new(&path).args(["-c", ASKS]).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let words: Vec<&str> = text.split_whitespace().collect();
    let &["cpython", "3", minor, micro, "True"] = &words[..] else { return None };
    let minor: u32 = minor.parse().ok().filter(|&minor| minor >= 8)?;
    Some(Interpreter { path, version: format!("3.{minor}.{micro}"), minor })
}
