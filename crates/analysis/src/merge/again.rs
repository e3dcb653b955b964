//! Recordings that are there twice.

use std::collections::HashMap;

use profile::{MetricId, Profile};

use super::notes::MergeNote;

/// The recordings of a merge, by what two of them do not share.
#[derive(Debug, Default)]
pub(super) struct Recordings {
    known: HashMap<Recording, String>,
    first: Option<[String; 2]>,
    again: usize,
}

/// When it was, and how much is in it.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Recording {
    time_ns: i64,
    clock_ns: i64,
    points: usize,
    contexts: usize,
    total: (i64, bool),
}

impl Recordings {
    pub(super) fn add(&mut self, name: &str, input: &Profile) {
        // Without a time nothing tells equal ones from the same.
        if input.origin.time_ns == 0 || input.points.is_empty() {
            return;
        }
        let recording = Recording {
            time_ns: input.origin.time_ns,
            clock_ns: input.origin.clock_ns,
            points: input.points.len(),
            contexts: input.contexts.len(),
            total: input.metric_total(MetricId(0)),
        };
        match self.known.get(&recording) {
            Some(before) => {
                self.again += 1;
                self.first.get_or_insert_with(|| [before.clone(), name.to_owned()]);
            }
            None => drop(self.known.insert(recording, name.to_owned())),
        }
    }

    pub(super) fn finish(self) -> Option<MergeNote> {
        let [first, second] = self.first?;
        Some(MergeNote::Again { first, second, count: self.again })
    }
}
