//! What is to be done, and by whom it can be.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::Key;

/// The name of the need for a processor architecture, as `uname -m` gives it: `x86_64`.
pub const ARCHITECTURE: &str = "architecture";
/// The name of the need for one machine, by its host name.
pub const MACHINE: &str = "machine";
/// The name of the need for an interpreter.
pub const INTERPRETER: &str = "interpreter";

/// Something to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// What it is; a second job with the same key is the same job.
    pub key: Key,
    /// Id of the experiment that it belongs to.
    pub batch: String,
    /// Its order within the batch: lower runs first.
    pub place: u64,
    /// What a worker must offer to get it.
    pub needs: Needs,
    /// What is to be done, for the worker alone; at most [`MOST_BODY`](crate::MOST_BODY) bytes.
    pub body: Vec<u8>,
    /// Its times are to be trusted. The store shows this and does nothing about it: a machine that
    /// measures has one worker.
    pub measured: bool,
}

/// What a job needs: capabilities by name, one value each. A worker may claim the job if it offers all
/// of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Needs(BTreeMap<String, String>);

impl Needs {
    /// Any worker will do.
    pub fn none() -> Needs {
        Needs::default()
    }

    /// The same with one need more, or with another value for it.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl Into<String>) -> Needs {
        self.0.insert(name.into(), value.into());
        self
    }

    /// The value that is needed.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// All needs, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Nothing is needed.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a worker with these capabilities can do it.
    pub fn are_met_by(&self, offers: &Offers) -> bool {
        self.iter().all(|(name, value)| offers.has(name, value))
    }
}

/// What a worker is capable of: by name all values that it has, such as several interpreters.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Offers(BTreeMap<String, BTreeSet<String>>);

impl Offers {
    /// Nothing in particular: jobs without needs.
    pub fn none() -> Offers {
        Offers::default()
    }

    /// The same with one capability more.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl Into<String>) -> Offers {
        self.0.entry(name.into()).or_default().insert(value.into());
        self
    }

    /// Whether it is among them.
    pub fn has(&self, name: &str, value: &str) -> bool {
        self.0.get(name).is_some_and(|values| values.contains(value))
    }

    /// All capabilities, by name and value.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().flat_map(|(name, values)| {
            values.iter().map(move |value| (name.as_str(), value.as_str()))
        })
    }
}

/// Who runs jobs, one at a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worker {
    /// Its own name, which no other worker of the store has: `host-1234`.
    pub name: String,
    /// Host name of its machine.
    pub machine: String,
    /// What it is capable of.
    pub offers: Offers,
}
