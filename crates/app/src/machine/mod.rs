//! What this machine can do at most: measured, and remembered from one run to the next.

pub(crate) mod caches;
mod measure;

use std::io;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread::available_parallelism;

use protocol::{ErrorCode, MachineResult, ProtocolError, RooflineMachine};
use serde::{Deserialize, Serialize};

use crate::state_folder::state_folder;
pub(crate) use measure::ROUNDS;

/// The two numbers of a roofline, by so many threads.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Limits {
    pub(crate) threads: usize,
    /// As programs count: a store that fetches first may move more.
    pub(crate) bandwidth_bytes_per_second: f64,
    /// On doubles; a fused multiplication and addition is two.
    pub(crate) operations_per_second: f64,
}

/// What was measured, and where.
#[derive(Serialize, Deserialize)]
struct Remembered {
    /// What the machine calls itself: folders of users may be shared by several.
    machine: String,
    limits: Limits,
}

/// Threads that can run at once.
pub(crate) fn threads() -> usize {
    available_parallelism().map_or(1, NonZero::get)
}

/// Measures; `goes_on` is asked [`ROUNDS`] times for each number, with how often it was asked before.
/// None where it says no.
pub(crate) fn measured(threads: usize, goes_on: &(dyn Fn(usize) -> bool + Sync)) -> Option<Limits> {
    // Two at once would measure each other.
    static ONE: Mutex<()> = Mutex::new(());
    let _alone = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let bandwidth = measure::bandwidth(threads, goes_on)?;
    let operations = measure::operations(threads, &|round| goes_on(ROUNDS + round))?;
    Some(Limits {
        threads,
        bandwidth_bytes_per_second: bandwidth.round(),
        operations_per_second: operations.round(),
    })
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

/// What a page is told of this machine, measured first where it asks for that.
pub(crate) fn limits(
    measure: bool,
    goes_on: &(dyn Fn(f64) -> bool + Sync),
) -> Result<MachineResult, ProtocolError> {
    let limits = if measure {
        let all = (2 * ROUNDS) as f64;
        let limits =
            measured(threads(), &|round| goes_on((round + 1) as f64 / all)).ok_or_else(|| {
                ProtocolError::new(ErrorCode::Cancelled, "the measurement was stopped")
            })?;
        // What cannot be kept is measured again next time.
        let _ = remember(limits);
        Some(limits)
    } else {
        remembered()
    };
    let caches = caches::caches(Path::new(caches::FOLDER));
    Ok(MachineResult {
        measured: limits.map(|limits| RooflineMachine {
            bandwidth: limits.bandwidth_bytes_per_second,
            peak: limits.operations_per_second,
        }),
        threads: limits.map_or(0, |limits| limits.threads as u32),
        caches: caches::option_of(&caches),
    })
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

    #[test]
    fn a_measurement_that_is_stopped_ends_and_says_so() {
        let error = limits(true, &|_| false).expect_err("nobody waits for it");
        assert_eq!(error.code, ErrorCode::Cancelled);
        let error = limits(true, &|done| done < 0.3).expect_err("nobody waits for it");
        assert_eq!(error.code, ErrorCode::Cancelled);
    }
}
