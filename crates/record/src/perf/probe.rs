//! Which events work here: found by opening them, because a list of names proves nothing.

use std::ffi::OsString;
use std::process::Output;

use super::events::{Group, RequestedEvent, parse};
use super::tool::{Program, first_line, said, texts};
use crate::files::Scratch;
use crate::machine::Rights;
use crate::{Error, Machine};

/// Whether an event opens here.
#[derive(Debug, Clone, PartialEq)]
pub struct EventProbe {
    /// As it was asked for.
    pub name: String,
    /// It can be counted.
    pub counts: bool,
    /// Samples of it can be taken.
    pub samples: bool,
    /// Why not; empty where all works.
    pub reason: String,
}

/// Whether the events of a list open here, one by one.
///
/// # Errors
/// It is not a list of events, or perf does not work.
pub fn probe_events(list: &str) -> Result<Vec<EventProbe>, Error> {
    let program = Program::find()?;
    let groups = parse(list).map_err(Error::BadOptions)?;
    let events = groups.into_iter().flat_map(|group| group.events);
    let is_user_only = !Rights::here().reach_kernel(&Machine::here());
    let probed = events.map(|event| match event.in_user_mode() {
        Ok(event) if is_user_only => probe(&event, &program),
        Err(reason) if is_user_only => {
            EventProbe { name: event.text, counts: false, samples: false, reason }
        }
        _ => probe(&event, &program),
    });
    Ok(probed.collect())
}

fn probe(event: &RequestedEvent, program: &Program) -> EventProbe {
    let name = event.text.clone();
    let counted = counts(&event.text);
    let sampled = counted.clone().and_then(|()| samples(&event.text, program));
    EventProbe {
        name,
        counts: counted.is_ok(),
        samples: sampled.is_ok(),
        reason: sampled.err().unwrap_or_default(),
    }
}

/// Whether an event can be counted.
pub(super) fn counts(spec: &str) -> Result<(), String> {
    let output = said(["stat", "-x", ",", "-e", spec, "--", "true"]);
    let output = output.map_err(|error| error.to_string())?;
    let text = texts(&output);
    if !output.status.success() {
        return Err(reason(&text));
    }
    // Heterogeneous processors have a line for each kind of cores.
    let mut values = values(&text).peekable();
    if values.peek().is_none() {
        return Err(format!("perf says: {}", first_line(&text)));
    }
    if values.any(|value| value != NOT_SUPPORTED) {
        return Ok(());
    }
    Err("not supported by this processor".to_owned())
}

/// Whether samples can be taken of an event that can be counted.
pub(super) fn samples(spec: &str, program: &Program) -> Result<(), String> {
    let folder = Scratch::new().map_err(|error| error.to_string())?;
    let start = ["record", "-o"].map(OsString::from).into_iter();
    let arguments = start.chain([folder.file("probe").into()]);
    let quickly = program.offers("--no-bpf-event").then(|| OsString::from("--no-bpf-event"));
    let arguments = arguments.chain(quickly);
    let arguments = arguments.chain(["-e", spec, "--", "true"].map(Into::into));
    let output: Output = said(arguments).map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("it can be counted, not sampled: {}", reason(&texts(&output))))
}

/// Whether events have a counter each at the same time.
pub(super) fn fits(specs: &[&str]) -> bool {
    let group = format!("{{{}}}", specs.join(","));
    let Ok(output) = said(["stat", "-x", ",", "-e", &group, "--", "true"]) else { return false };
    let text = texts(&output);
    let mut values = values(&text).peekable();
    output.status.success()
        && values.peek().is_some()
        && values.all(|value| value != NOT_SUPPORTED && value != NOT_COUNTED)
}

const NOT_SUPPORTED: &str = "<not supported>";
const NOT_COUNTED: &str = "<not counted>";

/// The first field of each line of `perf stat -x,`.
fn values(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| line.split(',').count() >= 4).filter_map(|line| {
        let value = line.split(',').next()?.trim();
        let is_value =
            value == NOT_SUPPORTED || value == NOT_COUNTED || value.parse::<f64>().is_ok();
        is_value.then_some(value)
    })
}

/// Why perf refused, from what it said.
pub(super) fn reason(text: &str) -> String {
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    if has(&["No permission", "not permitted", "Permission denied", "access to performance"])
        || has(&["Access to performance", "may not have permission"])
    {
        let setting = Machine::here().perf_event_paranoid;
        let setting = setting.map_or("set".to_owned(), |level| level.to_string());
        return format!("not permitted: kernel.perf_event_paranoid is {setting}");
    }
    if has(&["syntax error", "Cannot find PMU", "unknown tracepoint", "unknown term"])
        || has(&["for a list of valid events"])
    {
        return "perf does not know it on this machine".to_owned();
    }
    if has(&["No space left"]) {
        return "there is no space left on the disk for temporary files".to_owned();
    }
    first_line(text).to_owned()
}

/// The events of groups that open, those that do not with their reason, and groups without those.
pub(super) fn opened(
    groups: Vec<Group>,
    is_user_only: bool,
) -> (Vec<Group>, Vec<(String, String)>) {
    let mut refused = vec![];
    let mut left = vec![];
    for mut group in groups {
        group.events.retain_mut(|event| {
            let found = if is_user_only { event.in_user_mode() } else { Ok(event.clone()) };
            match found.and_then(|found| counts(&found.text).map(|()| found)) {
                Ok(found) => {
                    *event = found;
                    true
                }
                Err(reason) => {
                    refused.push((event.text.clone(), reason));
                    false
                }
            }
        });
        if !group.events.is_empty() {
            left.push(group);
        }
    }
    (left, refused)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_counts_are_distinguished_from_others() {
        let text = "# started\n\n<not supported>,,cycles,0,100.00,,\n0.43,msec,cpu-clock,4,100.00,,\n\
                    warning, a, b, c\n<not counted>,,x,0,0.00,,";
        let found: Vec<_> = values(text).collect();
        assert_eq!(found, [NOT_SUPPORTED, "0.43", NOT_COUNTED]);
    }

    #[test]
    fn what_perf_says_becomes_a_reason() {
        assert!(reason("event syntax error: 'foo'").contains("does not know it"));
        assert!(reason("Error:\nNo permission to enable x").contains("perf_event_paranoid"));
        assert_eq!(reason("Error:\nsome other thing\nmore"), "some other thing");
    }
}
