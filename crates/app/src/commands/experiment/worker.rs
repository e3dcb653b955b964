//! `hotframe experiment worker`: runs what waits in a queue.

use std::io::Write as _;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Result, bail};
use experiment::{Worker, WorkerOptions};

use super::living::{Here, Stop};
use super::queue;
use crate::arguments;

pub(super) fn worker(arguments: &arguments::Worker) -> Result<ExitCode> {
    let seconds = |name: &str, number: f64| {
        Duration::try_from_secs_f64(number)
            .map_err(|_| anyhow::anyhow!("--{name} is a number of seconds, not {number}"))
    };
    let lease = seconds("lease", arguments.lease)?;
    if lease < Duration::from_millis(100) {
        bail!("--lease is at least 0.1 seconds");
    }
    let host = Here { stop: Stop::on_signals()? };
    let folders = queue::folders(&arguments.folders)?;
    let (store, _) = queue::open(&arguments.queue, &folders)?;
    let options = WorkerOptions {
        lease,
        batch: arguments.experiment.clone(),
        idle: arguments.idle.map(|idle| seconds("idle", idle)).transpose()?,
        parent: arguments.parent,
    };
    let worker = Worker::new(&*store, &folders, &host, options);
    if arguments.experiment.is_none() {
        writeln!(crate::text::stderr(), "hotframe: {} waits for jobs", worker.name())?;
    }
    worker.work()?;
    Ok(ExitCode::SUCCESS)
}
