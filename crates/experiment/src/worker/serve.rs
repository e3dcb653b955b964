//! A worker: it claims jobs and reports what came of them.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use jobs::{Claim, JobStore, Offers, Outcome};

use super::heart;
use crate::folders::Room;
use crate::{Body, Error, Folders, Installer, find_interpreters};

/// What a worker lives in.
pub trait Host: Sync {
    /// Whether somebody wants this process to end.
    fn is_stopped(&self) -> bool;
    /// The program that begins isolated commands, with its arguments.
    fn launcher(&self) -> Vec<String>;
    /// The program that calls [`Task::serve`], with its arguments.
    fn recorder(&self) -> Vec<String>;
}

/// How a worker works.
#[derive(Debug, Clone)]
pub struct WorkerOptions {
    /// How long it may be silent.
    pub lease: Duration,
    /// The only experiment that it works for; any where none is said.
    pub batch: Option<String>,
    /// It ends when it found nothing to do for so long.
    pub idle: Option<Duration>,
    /// It ends when the process of this number is no longer its parent.
    pub parent: Option<u32>,
}

impl Default for WorkerOptions {
    fn default() -> WorkerOptions {
        WorkerOptions { lease: Duration::from_secs(30), batch: None, idle: None, parent: None }
    }
}

/// The name of the need that only workers of one experiment meet.
pub(crate) const BATCH: &str = "experiment";

/// How long nothing is asked after there was nothing to do.
const PAUSE: Duration = Duration::from_millis(20);

/// Runs jobs of a store.
pub struct Worker<'a> {
    pub(super) store: &'a dyn JobStore,
    pub(super) folders: &'a Folders,
    pub(super) host: &'a dyn Host,
    pub(super) options: WorkerOptions,
    pub(super) installer: Installer,
    pub(super) me: jobs::Worker,
    pub(super) known: Mutex<Known>,
}

/// What is done once by a worker.
#[derive(Default)]
pub(super) struct Known {
    /// Plans of recorders, by what was asked.
    pub(super) plans: HashMap<String, record::Plan>,
    /// Folders of sources, by cell.
    pub(super) places: HashMap<String, PathBuf>,
    /// Environments that could not be built, and why: every run of theirs would find out anew.
    pub(super) broken: HashMap<String, String>,
    /// Cells that were warmed up.
    pub(super) warm: Vec<String>,
}

impl<'a> Worker<'a> {
    /// A worker of this machine.
    pub fn new(
        store: &'a dyn JobStore,
        folders: &'a Folders,
        host: &'a dyn Host,
        options: WorkerOptions,
    ) -> Worker<'a> {
        let machine = record::Machine::here();
        let mut offers = Offers::none()
            .with(jobs::MACHINE, &machine.host)
            .with(jobs::ARCHITECTURE, &machine.architecture);
        for one in find_interpreters() {
            let parts: Vec<&str> = one.version.split('.').collect();
            for length in 1..=parts.len() {
                offers = offers.with(jobs::INTERPRETER, parts[..length].join("."));
            }
        }
        if let Some(batch) = &options.batch {
            offers = offers.with(BATCH, batch);
        }
        let name = format!("{}-{}", machine.host, std::process::id());
        let me = jobs::Worker { name, machine: machine.host, offers };
        let (installer, known) = (Installer::here(), Mutex::default());
        Worker { store, folders, host, options, installer, me, known }
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.me.name
    }

    /// Runs jobs until there is a reason to end; gives how many it ran.
    ///
    /// # Errors
    /// The store failed.
    pub fn work(&self) -> Result<u64, Error> {
        let _room = Room::take(&self.folders.work(), &self.me.name)?;
        let mut ran = 0;
        let mut since = Instant::now();
        while !self.is_over(since) {
            match self.store.claim(&self.me, self.options.lease)? {
                Some(claim) => {
                    self.run(&claim)?;
                    ran += 1;
                    since = Instant::now();
                }
                None => std::thread::sleep(PAUSE),
            }
        }
        Ok(ran)
    }

    fn is_over(&self, since: Instant) -> bool {
        self.is_to_end() || self.options.idle.is_some_and(|longest| since.elapsed() >= longest)
    }

    /// Whether this process is to end: somebody said so, or who started it is gone, however it died.
    pub(super) fn is_to_end(&self) -> bool {
        let is_orphan = self.options.parent.is_some_and(|parent| {
            rustix::process::getppid().is_none_or(|now| now.as_raw_nonzero().get() as u32 != parent)
        });
        self.host.is_stopped() || is_orphan
    }

    fn run(&self, claim: &Claim) -> Result<(), Error> {
        let outcome = match serde_json::from_slice::<Body>(&claim.job.body) {
            Ok(body) => heart::beating(self, claim, |heart| self.execute(&body, claim, heart)),
            Err(error) => Outcome::Retry {
                what: format!(
                    "{} cannot read this job, is it of another version? {error}",
                    self.me.name
                ),
            },
        };
        loop {
            match self.store.finish(claim, outcome.clone()) {
                // Another worker has it: what this one found counts no more.
                Ok(()) | Err(jobs::Error::Fenced { .. }) => return Ok(()),
                Err(jobs::Error::Full { .. } | jobs::Error::Unreachable { .. })
                    if !self.is_to_end() =>
                {
                    std::thread::sleep(Duration::from_secs(1));
                    // The lease goes on while there is hope.
                    let _ = self.store.beat(claim, &jobs::Progress::default());
                }
                Err(error) => return Err(error.into()),
            }
        }
    }
}
