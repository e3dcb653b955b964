//! What of it works on this machine.

use crate::{Error, InForce, Launcher};

/// Runs `true` isolated, once in a process, and tells what held it. Refused, with what to do,
/// where programs cannot be isolated here.
pub fn here(launcher: &Launcher) -> Result<InForce, Error> {
    let _ = launcher;
    Err(Error::refused("isolation is not there yet", ""))
}
