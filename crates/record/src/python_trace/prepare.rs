//! From what is asked to what will run.

use super::attach;
use super::recorder::Kind;
use crate::manifest::{Event, Events, RunKind, Tool};
use crate::overhead;
use crate::plan::{Forecast, Plan, PlannedRun};
use crate::{Error, RecordOptions, command};

pub(super) fn prepare(asked: &RecordOptions, tool: Tool) -> Result<Plan, Error> {
    if asked.name.is_empty() || asked.name.contains(['/', '\0']) || asked.name.starts_with('.') {
        return Err(Error::BadOptions(format!("'{}' cannot name files", asked.name)));
    }
    if asked.runs == 0 && asked.overhead.runs == 0 {
        return Err(Error::BadOptions("nothing is to run: ask for one run or more".to_owned()));
    }
    if !asked.overhead.frequencies.is_empty() {
        return Err(Error::BadOptions("a trace has no frequency: leave it out".to_owned()));
    }
    let options = &asked.trace;
    if options.memory.is_some()
        && (options.counts || options.without_c_functions || !options.log.is_empty())
    {
        return Err(Error::BadOptions(
            "memory is recorded without calls: leave counts, without_c_functions and log out"
                .to_owned(),
        ));
    }
    for one in &options.log {
        check_logged(one)?;
    }
    match asked.python.pid {
        Some(_) if !asked.command.is_empty() => {
            let what = "a process that runs (--pid) has no command: leave one of them out";
            return Err(Error::BadOptions(what.to_owned()));
        }
        Some(_) if asked.runs != 1 || asked.overhead.runs > 0 => {
            return Err(Error::BadOptions(
                "a process that runs (--pid) is recorded once".to_owned(),
            ));
        }
        Some(pid) => attach::check(pid)?,
        None if asked.python.duration_ms.is_some() => {
            let what = "a duration ends the trace of a process that runs (--pid): a command ends by itself";
            return Err(Error::BadOptions(what.to_owned()));
        }
        None => command::check_command(asked)?,
    }
    let name = Kind::new(asked).event.to_owned();
    let measured = PlannedRun {
        number: 0,
        kind: RunKind::Sampled,
        events: vec![name.clone()],
        frequency: None,
        arguments: vec![],
    };
    let event = Event { name, sampling: None, set: None, is_time: false };
    Ok(Plan {
        asked: asked.clone(),
        tool,
        events: Events { opened: vec![event], not_supported: vec![] },
        runs: overhead::interleaved(asked, &[measured], &[]),
        forecast: Forecast::default(),
        findings: vec![],
        exchange: None,
    })
}

/// `NAME` or `NAME:VARIABLE,VARIABLE`.
fn check_logged(asked: &str) -> Result<(), Error> {
    let (name, variables) = asked.split_once(':').unwrap_or((asked, ""));
    let is_identifier = |text: &str| {
        !text.is_empty()
            && !text.starts_with(|c: char| c.is_ascii_digit())
            && text.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    let is_sound =
        variables.is_empty() || variables.split(',').all(|one| is_identifier(one.trim()));
    if name.is_empty() || !is_sound {
        let what = format!("--log {asked}: write a function as NAME or NAME:VARIABLE,VARIABLE");
        return Err(Error::BadOptions(what));
    }
    Ok(())
}
