//! From what is asked to what will run.

use super::Kind;
use crate::manifest::{Event, Events, RunKind, Tool};
use crate::overhead;
use crate::plan::{Forecast, Plan, PlannedRun};
use crate::{Asked, Error, command};

pub(super) fn prepare(asked: &Asked, tool: Tool) -> Result<Plan, Error> {
    if asked.name.is_empty() || asked.name.contains(['/', '\0']) || asked.name.starts_with('.') {
        return Err(Error::Asked(format!("'{}' cannot name files", asked.name)));
    }
    if asked.runs == 0 && asked.overhead.runs == 0 {
        return Err(Error::Asked("nothing is to run: ask for one run or more".to_owned()));
    }
    if !asked.overhead.frequencies.is_empty() {
        return Err(Error::Asked("a trace has no frequency: leave it out".to_owned()));
    }
    let options = &asked.trace;
    if options.memory.is_some() && (options.counts || options.without_c_functions) {
        return Err(Error::Asked(
            "memory is recorded without calls: leave counts and without_c_functions out".to_owned(),
        ));
    }
    command::check_command(asked)?;
    let event = Kind::of(asked).event.to_owned();
    let measured = PlannedRun {
        number: 0,
        kind: RunKind::Sampled,
        events: vec![event.clone()],
        frequency: None,
        arguments: vec![],
    };
    let event = Event { name: event, sampling: None, set: None, is_time: false };
    Ok(Plan {
        asked: asked.clone(),
        tool,
        events: Events { opened: vec![event], not_supported: vec![] },
        runs: overhead::interleaved(asked, &[measured], &[]),
        forecast: Forecast::default(),
        findings: vec![],
    })
}
