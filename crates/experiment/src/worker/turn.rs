//! One measured run at a time on a machine, whoever starts it.

use std::io::ErrorKind;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::time::Duration;

/// Held while something is measured. A name of the kernel's, that whoever holds it loses with its
/// process, and that is not a file which could be left behind or be somebody else's.
pub(super) struct Turn(#[expect(dead_code, reason = "it is held, and that is all")] UnixListener);

impl Turn {
    /// Waits until nobody else measures; none where `is_stopped` says so before.
    pub(super) fn take(is_stopped: impl Fn() -> bool) -> std::io::Result<Option<Turn>> {
        let name = SocketAddr::from_abstract_name(b"hotframe-measures")?;
        loop {
            match UnixListener::bind_addr(&name) {
                Ok(held) => return Ok(Some(Turn(held))),
                Err(error) if error.kind() != ErrorKind::AddrInUse => return Err(error),
                Err(_) if is_stopped() => return Ok(None),
                Err(_) => std::thread::sleep(Duration::from_millis(2)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_has_its_turn() {
        let held = Turn::take(|| false).unwrap();
        assert!(held.is_some());
        assert!(Turn::take(|| true).unwrap().is_none());
        drop(held);
        assert!(Turn::take(|| true).unwrap().is_some());
    }
}
