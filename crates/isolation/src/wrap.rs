//! From a command to one that is isolated.

use crate::{Error, Isolation, Launcher, Wrapped, here};

impl Isolation {
    /// Makes of a command one that runs it isolated. The program is looked for inside, in `PATH`.
    pub fn wrap(&self, launcher: &Launcher, command: &[String]) -> Result<Wrapped, Error> {
        let _ = command;
        here(launcher).and_then(|_| Err(Error::refused("", "")))
    }
}
