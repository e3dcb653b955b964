//! From what is asked to what will run.

#![allow(
    clippy::disallowed_methods,
    reason = "folders of the user and of this worker; untrusted programs do not write there"
)]

use std::ffi::OsString;

use super::attach;
use super::recorder::EVENT;
use crate::manifest::{Event, Events, RunKind, Sampling, Tool};
use crate::overhead;
use crate::plan::{Forecast, Plan, PlannedRun};
use crate::{Error, Pausing, RecordOptions, command};

use super::account::Manner;
use super::stacks::Hold;

/// Samples a second: the program stands still for some 0.1 ms each time. A prime, so that they keep no step with
/// what is regular.
const USUAL: u32 = 199;

/// Reading all threads once takes 50 µs: more is not to be reached.
const MOST: u32 = 10_000;

pub(super) fn prepare(asked: &RecordOptions, tool: Tool) -> Result<Plan, Error> {
    check(asked)?;
    let options = &asked.python;
    if let Some(pid) = options.pid {
        attach::check(pid, !options.without_children)?;
    } else {
        command::check_command(asked)?;
    }
    let frequency = manner(asked, None).frequency;
    let run = |kind, frequency| PlannedRun {
        number: 0,
        kind,
        events: vec![EVENT.to_owned()],
        frequency: Some(frequency),
        arguments: Vec::<OsString>::new(),
    };
    let measured = [run(RunKind::Sampled, frequency)];
    let others = asked.overhead.frequencies.iter().map(|&hertz| run(RunKind::Overhead, hertz));
    let others: Vec<PlannedRun> = others.collect();
    let event = Event {
        name: EVENT.to_owned(),
        sampling: Some(Sampling::Frequency(frequency)),
        set: None,
        is_time: true,
    };
    Ok(Plan {
        asked: asked.clone(),
        tool,
        events: Events { opened: vec![event], not_supported: vec![] },
        runs: overhead::interleaved(asked, &measured, &others),
        forecast: Forecast::default(),
        findings: vec![],
        exchange: None,
    })
}

/// How often, and how the program is held, as asked for.
pub(super) fn manner(asked: &RecordOptions, frequency: Option<u32>) -> Manner {
    let options = &asked.python;
    let frequency = frequency.or(options.frequency).unwrap_or(USUAL);
    let hold = match options.pausing {
        Pausing::Always => Hold::Stop,
        Pausing::Never => Hold::Displace { or_stop: false },
        Pausing::Auto => Hold::Displace { or_stop: true },
    };
    Manner { frequency, hold }
}

fn check(asked: &RecordOptions) -> Result<(), Error> {
    let wrong = |what: &str| Err(Error::BadOptions(what.to_owned()));
    let options = &asked.python;
    let all = asked.overhead.frequencies.iter().copied().chain(options.frequency);
    if asked.name.is_empty() || asked.name.contains(['/', '\0']) || asked.name.starts_with('.') {
        return Err(Error::BadOptions(format!("'{}' cannot name files", asked.name)));
    }
    if all.clone().any(|hertz| hertz == 0 || hertz > MOST) {
        return Err(Error::BadOptions(format!("a frequency is from 1 to {MOST}")));
    }
    if options.duration_ms == Some(0) {
        return wrong("a duration is longer than 0");
    }
    if asked.runs == 0 && asked.overhead.runs == 0 {
        return wrong("nothing is to run: ask for one run or more");
    }
    if options.pid.is_none() {
        return Ok(());
    }
    if !asked.command.is_empty() {
        return wrong("a process that runs (--pid) has no command: leave one of them out");
    }
    if asked.runs != 1 || asked.overhead.runs > 0 {
        return wrong("a process that runs (--pid) is recorded once");
    }
    Ok(())
}
