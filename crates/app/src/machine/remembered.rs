//! What was measured, remembered from one run to the next.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::limits::{Limits, threads};
use crate::state_folder::state_folder;

/// What was measured, and where.
#[derive(Serialize, Deserialize)]
struct Remembered {
    /// What the machine calls itself: folders of users may be shared by several.
    machine: String,
    limits: Limits,
}

/// What was measured on this machine with all its threads, if that is remembered.
pub(crate) fn remembered() -> Option<Limits> {
    read(&file()?, &own_name())
}

/// Remembers what was measured with all threads.
pub(crate) fn remember(limits: Limits) -> io::Result<()> {
    match file() {
        // A build that is not optimised is slow itself.
        Some(path) if limits.threads == threads() && !cfg!(debug_assertions) => {
            write(&path, own_name(), limits)
        }
        _ => Ok(()),
    }
}

fn file() -> Option<PathBuf> {
    Some(state_folder(|name| std::env::var_os(name))?.join("machine.json"))
}

/// What this machine calls itself.
fn own_name() -> String {
    let text = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let processors = text("/proc/cpuinfo");
    let model = processors.lines().find(|line| line.starts_with("model name"));
    let name = text("/proc/sys/kernel/hostname");
    format!("{}, {}, {} threads", name.trim(), model.unwrap_or_default(), threads())
}

fn read(path: &Path, machine: &str) -> Option<Limits> {
    let Remembered { machine: own, limits } =
        serde_json::from_str(&std::fs::read_to_string(path).ok()?).ok()?;
    let numbers = [limits.bandwidth_bytes_per_second, limits.operations_per_second];
    let is_sound = numbers.iter().all(|number| number.is_finite() && *number > 0.0);
    (own == machine && is_sound).then_some(limits)
}

fn write(path: &Path, machine: String, limits: Limits) -> io::Result<()> {
    let text = serde_json::to_string(&Remembered { machine, limits })?;
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let beside = path.with_extension(format!("{}.part", std::process::id()));
    std::fs::write(&beside, text)?;
    std::fs::rename(&beside, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_measured_is_remembered_of_this_machine_alone() {
        let folder = tempfile::tempdir().expect("there is room");
        let path = folder.path().join("own/machine.json");
        let limits =
            Limits { threads: 2, bandwidth_bytes_per_second: 2e10, operations_per_second: 6e10 };
        assert_eq!(read(&path, "a"), None);
        write(&path, "a".to_owned(), limits).expect("the folder is ours");
        assert_eq!((read(&path, "a"), read(&path, "b")), (Some(limits), None));
        write(&path, "a".to_owned(), Limits { operations_per_second: 0.0, ..limits })
            .expect("the folder is ours");
        assert_eq!(read(&path, "a"), None);
        std::fs::write(&path, "no JSON").expect("the folder is ours");
        assert_eq!(read(&path, "a"), None);
    }
}
