//! What goes wrong between here and the server, and what is tried again.

use std::error::Error as StdError;
use std::time::{Duration, Instant};

use async_nats::connection::State as Connection;

use super::link::Link;
use crate::Error;

/// How long the server may take for one answer before it is asked again.
pub(super) const ANSWER: Duration = Duration::from_secs(3);
/// Between two tries.
const PAUSE: Duration = Duration::from_millis(50);

/// Why a request failed.
#[derive(Debug)]
pub(super) enum Trouble {
    /// The server did not answer, or cannot for now.
    Again(String),
    /// Somebody else changed it meanwhile.
    Conflict,
    /// The server refused.
    Final(String),
    /// There is no space left.
    Full(String),
}

/// Words of failures that pass.
const PASSING: [&str; 12] = [
    "timed out",
    "timeout",
    "deadline",
    "no responders",
    // The same as a status, of a stream that is read.
    "stream: 503",
    "stream not found",
    "broken pipe",
    "connection",
    "closed",
    "unavailable",
    "no leader",
    "not current",
];
/// Words of a server that may not store more.
const FULL: [&str; 6] = [
    "no space left",
    "insufficient storage",
    "insufficient resources",
    "maximum bytes exceeded",
    "resource limits exceeded",
    "storage resources exceeded",
];
/// A write that expected another state.
const CONFLICT: [&str; 3] = ["wrong last sequence", "wrong last revision", "key already exists"];

/// Any of the client's errors: only their words, and those of what caused them, are alike.
impl<E: StdError> From<E> for Trouble {
    fn from(error: E) -> Trouble {
        let mut text = error.to_string();
        let mut cause = error.source();
        while let Some(error) = cause {
            let more = error.to_string();
            if !text.contains(&more) {
                text = format!("{text}: {more}");
            }
            cause = error.source();
        }
        Trouble::new(text)
    }
}

impl Trouble {
    fn new(text: String) -> Trouble {
        let words = text.to_lowercase();
        let has = |list: &[&str]| list.iter().any(|word| words.contains(word));
        match () {
            () if has(&FULL) => Trouble::Full(text),
            () if has(&CONFLICT) => Trouble::Conflict,
            () if has(&PASSING) => Trouble::Again(text),
            () => Trouble::Final(text),
        }
    }

    /// Of an error of which only a box is known.
    pub(super) fn boxed(error: &async_nats::Error) -> Trouble {
        Trouble::new(error.to_string())
    }
}

/// One call of a queue: everything that it asks of the server has the same end.
pub(super) struct Call<'a> {
    pub(super) link: &'a Link,
    until: Instant,
}

impl<'a> Call<'a> {
    pub(super) fn new(link: &'a Link) -> Call<'a> {
        Call { link, until: Instant::now() + link.patience }
    }

    /// Asks until there is an answer or the time is over. What is asked must be as good twice as once.
    pub(super) async fn ask<T>(
        &self,
        request: impl AsyncFnMut() -> Result<T, Trouble>,
    ) -> Result<T, Error> {
        match self.try_ask(request).await? {
            Ok(answer) => Ok(answer),
            Err(Conflict) => Err(self.other("the server says that another program changed it")),
        }
    }

    /// The same where somebody else may have been faster.
    pub(super) async fn try_ask<T>(
        &self,
        mut request: impl AsyncFnMut() -> Result<T, Trouble>,
    ) -> Result<Result<T, Conflict>, Error> {
        let mut what = "there is no connection".to_owned();
        loop {
            if self.link.client.connection_state() == Connection::Connected {
                match request().await {
                    Ok(answer) => return Ok(Ok(answer)),
                    Err(Trouble::Conflict) => return Ok(Err(Conflict)),
                    Err(Trouble::Final(what)) => return Err(self.other(what)),
                    Err(Trouble::Full(what)) => {
                        return Err(Error::Full { place: self.link.place.clone(), what });
                    }
                    Err(Trouble::Again(why)) => what = why,
                }
            }
            if Instant::now() > self.until {
                return Err(Error::Unreachable { place: self.link.place.clone(), what });
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    pub(super) fn other(&self, what: impl Into<String>) -> Error {
        Error::Other { place: self.link.place.clone(), what: what.into() }
    }

    pub(super) fn missing(&self, what: String) -> Error {
        Error::Missing { what, place: self.link.place.clone() }
    }

    pub(super) fn damaged(&self, what: impl Into<String>) -> Error {
        Error::Damaged { what: what.into(), place: self.link.place.clone() }
    }
}

/// Somebody else was faster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Conflict;
