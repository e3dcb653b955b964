//! The comparison of the active profile with its base: the engine's, worked out beside and kept.

use std::collections::HashMap;
use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use anyhow::Result;
use session::{
    Change, CompareOptions, Compared, MetricId, ProfileDocument, SourceChanges, ViewOptions,
};

use super::events::Event;
use crate::text::Unit;

/// Base and active profile, by their numbers in the session.
pub(super) type Sides = [u32; 2];

/// Two profiles, compared.
pub(super) struct Comparison {
    pub(super) sides: Sides,
    documents: [Arc<ProfileDocument>; 2],
    /// Why not, where they cannot be compared.
    compared: Result<Mutex<Compared>, String>,
    /// By metric of the active profile; none where the base does not have it.
    changes: Mutex<HashMap<MetricId, Option<Arc<Changes>>>>,
}

/// What changed in one metric.
pub(super) struct Changes {
    pub(super) functions: SourceChanges,
    /// Of the whole program.
    pub(super) whole: Change,
    /// Whether values are shares of the whole.
    pub(super) adds_up: bool,
    pub(super) unit: Unit,
    /// The metric among those of the comparison.
    pub(super) metric: MetricId,
}

impl Comparison {
    /// Compares on a thread of its own; the server is told of the end.
    pub(super) fn start(
        sides: Sides,
        documents: [Arc<ProfileDocument>; 2],
        metric: MetricId,
        events: SyncSender<Event>,
    ) {
        thread::spawn(move || {
            let make = || {
                let [base, new] = &documents;
                let compared = Compared::new(base, new, &CompareOptions::default())?;
                let made = Comparison {
                    sides,
                    documents: documents.clone(),
                    compared: Ok(Mutex::new(compared)),
                    changes: Mutex::default(),
                };
                made.changes(metric)?;
                anyhow::Ok(made)
            };
            // Everything waits for this answer, so it comes even if an analysis has a fault.
            let made = match panic::catch_unwind(AssertUnwindSafe(make)) {
                Ok(made) => made.map_err(|error| format!("{error:#}")),
                Err(_) => Err("the engine failed on it".to_owned()),
            };
            let (compared, problem) = match made {
                Ok(made) => (made, None),
                Err(why) => {
                    let compared = Err(why.clone());
                    let none = Comparison { sides, documents, compared, changes: Mutex::default() };
                    (none, Some(why))
                }
            };
            // A server that is gone needs no comparison.
            let _ = events.send(Event::Compared { compared: Box::new(compared), problem });
        });
    }

    /// What changed in a metric of the active profile; none where the base does not have it.
    pub(super) fn changes(&self, metric: MetricId) -> Result<Option<Arc<Changes>>> {
        if let Some(known) = lock(&self.changes).get(&metric) {
            return Ok(known.clone());
        }
        let changes = self.worked_out(metric)?.map(Arc::new);
        lock(&self.changes).insert(metric, changes.clone());
        Ok(changes)
    }

    fn worked_out(&self, of_active: MetricId) -> Result<Option<Changes>> {
        let [base, new] = &self.documents;
        let Ok(compared) = &self.compared else { return Ok(None) };
        let mut compared = lock(compared);
        let Some(metric) = compared.metric_of(new, of_active) else { return Ok(None) };
        let options = ViewOptions { metric, ..ViewOptions::default() };
        let known = &compared.metrics[metric.index()];
        Ok(Some(Changes {
            functions: compared.source_changes(base, new, metric)?,
            whole: compared.total(&options)?,
            adds_up: compared.adds_up(metric),
            unit: Unit::new(&known.unit, known.decimals),
            metric,
        }))
    }

    /// Asks the comparison itself; none where there is none.
    pub(super) fn ask<T>(&self, ask: impl FnOnce(&Compared) -> T) -> Option<T> {
        self.compared.as_ref().ok().map(|compared| ask(&lock(compared)))
    }

    /// Why nothing is compared, if so.
    pub(super) fn problem(&self) -> Option<&str> {
        self.compared.as_ref().err().map(String::as_str)
    }

    /// Why the runs of both sides may not be alike, each a sentence.
    pub(super) fn doubts(&self) -> Vec<String> {
        self.ask(|compared| compared.doubts.clone()).unwrap_or_default()
    }

    /// Whether runs that failed are left out: then what the sides have themselves is something else.
    pub(super) fn leaves_out_runs(&self) -> bool {
        self.ask(|compared| compared.left_out).unwrap_or(false)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // What a panicking answer left behind is a cache.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
