//! `hotframe experiment run`.

use std::cell::RefCell;
use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use experiment::{Folders, PlanFile, Progress, ReportedFact, ResultFile, Runner};
use indicatif::{ProgressBar, ProgressStyle};
use session::visible;

use super::living::Stop;
use super::plan::chosen;
use super::queue;
use crate::arguments::ExperimentRun;

pub(super) fn run(arguments: &ExperimentRun) -> Result<ExitCode> {
    let plan = PlanFile::read(&arguments.plan)?;
    let wanted = chosen(&plan, arguments.name.as_deref())?;
    if arguments.output.is_some() && wanted.len() > 1 {
        bail!("--output is for one experiment: choose it with --name");
    }
    let folders = queue::folders(&arguments.folders)?;
    let (store, is_local) = queue::open(&arguments.queue, &folders)?;
    let stop = Stop::on_signals()?;
    let mut failed = 0;
    for experiment in wanted {
        let told = Bar::new(stop.clone());
        let again = if arguments.again { stamp() } else { 0 };
        let runner = Runner::new(experiment, &*store, &folders, (is_local, again), &told)?;
        let output = arguments.output.clone();
        let output = output.unwrap_or_else(|| experiment.result_in(&plan.output));
        if arguments.replace {
            set_aside(&output, runner.batch(), &folders)?;
        }
        let mut result = ResultFile::open(&output, runner.batch(), &plan.text, &folders)?;
        let own = std::env::current_exe().context("cannot find this program")?;
        let lease = arguments.lease.to_string();
        let own = own.to_string_lossy().into_owned();
        let words = ["experiment", "worker", "--lease"].map(str::to_owned);
        let worker: Vec<String> = [own].into_iter().chain(words).chain([lease]).collect();
        let ended = runner.run(&mut result, &worker, &told);
        told.clear();
        let mut out = crate::text::stderr();
        let ended = match ended {
            Err(error) => {
                if !result.is_empty() {
                    let path = visible(&result.path().to_string_lossy()).into_owned();
                    writeln!(out, "hotframe: {path} has {} runs", result.len())?;
                }
                return Err(error.into());
            }
            Ok(ended) => ended,
        };
        failed += ended.failed;
        let path = visible(&output.to_string_lossy()).into_owned();
        let of = match ended.failed {
            0 => String::new(),
            failed => format!(", of which {failed} failed: see `hotframe experiment status`"),
        };
        writeln!(
            out,
            "hotframe: {path} has {} runs; {} were requested{of}",
            result.len(),
            ended.all
        )?;
    }
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Something that no earlier invocation had.
fn stamp() -> u32 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(1, |since| since.as_secs() as u32)
}

/// A result of something else makes room; one of this experiment is gone on with.
fn set_aside(output: &Path, batch: &str, folders: &Folders) -> Result<()> {
    if !output.is_file() || ResultFile::open(output, batch, "", folders).is_ok() {
        return Ok(());
    }
    // What is not a profile of ours is somebody else's.
    let mut head = [0; 18];
    use std::io::Read as _;
    let file = std::fs::File::open(output)?;
    let _ = file.take(18).read(&mut head)?;
    if !head.windows(8).any(|part| part == b"hotframe") {
        bail!("{} is not a result file of Hotframe, so it is not replaced", output.display());
    }
    std::fs::remove_file(output).with_context(|| format!("cannot remove {}", output.display()))
}

/// Tells how far it is: a bar on a terminal, a line for each end elsewhere.
struct Bar {
    stop: Stop,
    bar: ProgressBar,
    is_terminal: bool,
    last: RefCell<Instant>,
}

impl Bar {
    fn new(stop: Stop) -> Bar {
        let bar = ProgressBar::new(0);
        if let Ok(style) =
            ProgressStyle::with_template("{wide_bar} {pos} of {len}, {eta} left {msg}")
        {
            bar.set_style(style);
        }
        let is_terminal = !bar.is_hidden();
        Bar { stop, bar, is_terminal, last: RefCell::new(Instant::now()) }
    }

    fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

impl ReportedFact for Bar {
    fn see(&self, progress: &Progress) {
        if !progress.preparing.is_empty() {
            if self.is_terminal {
                self.bar.set_message(visible(&progress.preparing).into_owned());
            }
            return;
        }
        self.bar.set_length(progress.all as u64);
        self.bar.set_position(progress.ended as u64);
        let mut out = crate::text::stderr();
        for (title, failed) in &progress.news {
            let Some(failed) = failed else { continue };
            let first = failed.lines().next().unwrap_or_default();
            let line = format!("hotframe: {} failed: {}", visible(title), visible(first));
            if self.is_terminal {
                self.bar.println(line);
            } else {
                let _ = writeln!(out, "{line}");
            }
        }
        let running = progress.running.join("; ");
        if self.is_terminal {
            self.bar.set_message(visible(&running).into_owned());
        } else if self.last.borrow().elapsed() > Duration::from_secs(10) {
            self.last.replace(Instant::now());
            let (ended, all) = (progress.ended, progress.all);
            let _ = writeln!(out, "hotframe: {ended} of {all} have ended; {}", visible(&running));
        }
    }

    fn is_stopped(&self) -> bool {
        self.stop.is_requested()
    }
}
