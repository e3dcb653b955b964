//! The numbers of a roofline, measured.

use std::num::NonZero;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::thread::available_parallelism;

use protocol::{ErrorCode, MachineResult, ProtocolError, RooflineMachine};
use serde::{Deserialize, Serialize};

use super::caches;
use super::measure::{self, ROUNDS};
use super::remembered::{remember, remembered};

/// The two numbers of a roofline, by so many threads.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Limits {
    pub(crate) threads: usize,
    /// As programs count: a store that fetches first may move more.
    pub(crate) bandwidth_bytes_per_second: f64,
    /// On doubles; a fused multiplication and addition is two.
    pub(crate) operations_per_second: f64,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_measurement_that_is_stopped_ends_and_says_so() {
        let error = limits(true, &|_| false).expect_err("nobody waits for it");
        assert_eq!(error.code, ErrorCode::Cancelled);
        let error = limits(true, &|done| done < 0.3).expect_err("nobody waits for it");
        assert_eq!(error.code, ErrorCode::Cancelled);
    }
}
