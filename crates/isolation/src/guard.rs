//! What must live as long as a run.

use crate::{End, Error};

/// Holds a run: dropping it ends every process of it and removes what was made for it.
#[derive(Debug)]
pub struct Guard {}

impl Guard {
    /// How the run ended; none before it did.
    pub fn end(&self) -> Result<Option<End>, Error> {
        Ok(None)
    }
}
