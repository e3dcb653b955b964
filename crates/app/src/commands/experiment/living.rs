//! What workers and runners live in: signals of this process, and its readers.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, Result};
use experiment::{Host, ReadRecording};
use session::{Collector, ReadOptions, warnings};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use crate::{binaries, host};

/// The first word where this program is to begin an isolated one.
pub(super) const ISOLATED: &str = "--isolated";

/// The first word where this program is to record one run of a worker.
pub(super) const RECORDS: &str = "--record-run";

/// This program as one that begins isolated ones.
pub(crate) fn launcher() -> Vec<String> {
    own(ISOLATED)
}

fn own(word: &str) -> Vec<String> {
    let own = std::env::current_exe().unwrap_or_default();
    vec![own.to_string_lossy().into_owned(), word.to_owned()]
}

/// Whether somebody wants this process to end.
#[derive(Debug, Clone)]
pub(super) struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Ctrl+C and the like: the second one ends this process at once.
    pub(super) fn on_signals() -> Result<Stop> {
        let stop = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            let first = Arc::clone(&stop);
            let waits = signal_hook::flag::register_conditional_default(signal, Arc::clone(&stop))
                .and_then(|_| signal_hook::flag::register(signal, first));
            waits.context("cannot wait for signals")?;
        }
        Ok(Stop(stop))
    }

    pub(super) fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// This machine.
pub(super) struct Here {
    pub(super) stop: Stop,
}

impl Host for Here {
    fn is_stopped(&self) -> bool {
        self.stop.is_requested()
    }

    fn launcher(&self) -> Vec<String> {
        launcher()
    }

    fn recorder(&self) -> Vec<String> {
        own(RECORDS)
    }
}

/// Reads a recording, with names for what it has addresses of.
pub(super) fn read(file: &Path) -> Result<ReadRecording, String> {
    // Where a profile needs more, that is told, before the system says so.
    let most = (experiment::Task::MEMORY / 4 * 3) as usize;
    let options = ReadOptions { max_memory: most, ..ReadOptions::default() };
    let reading = session::ReadSettings {
        binaries: Some(binaries::of_machine(&[])),
        ..session::ReadSettings::default()
    };
    let mut collector = Collector::new(&options).reading_as(reading);
    let input = host::open(file, options.max_size).map_err(|error| error.to_string())?;
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    collector.add(input, &Unseen, &name).map_err(|error| error.to_string())?;
    let document = collector.finish(&name);
    let warnings = warnings(&document).into_iter().map(|(message, _)| message).collect();
    Ok(ReadRecording { profile: (**document.profile()).clone(), warnings })
}

/// Nobody watches how much of a run was read.
struct Unseen;

impl session::Watch for Unseen {
    fn watch<'a>(
        &'a self,
        bytes: Box<dyn std::io::Read + Send + 'a>,
    ) -> Box<dyn std::io::Read + Send + 'a> {
        bytes
    }
}
