//! What a recording holds, as it is on the disk: of a trace its sections, without unpacking events, which would take
//! nearly as long as the program ran.

#![allow(
    clippy::disallowed_methods,
    reason = "folders of the user and of this worker; untrusted programs do not write there"
)]

use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use calltrace::{Section, SectionError, SectionReader};
use profile::MetricId;

use super::recorder::Kind;
use crate::manifest::{Holds, Run, RunKind};
use crate::{Error, Finding, RecordOptions};

/// Says what a run's file holds, and what is wrong with it.
pub(super) fn verify(
    run: &mut Run,
    asked: &RecordOptions,
    file: &Path,
) -> Result<Vec<Finding>, Error> {
    let mut findings = std::mem::take(&mut run.findings);
    if run.kind != RunKind::Sampled {
        return Ok(findings);
    }
    let opened = File::open(file).map_err(Error::reading(file))?;
    let kind = Kind::new(asked);
    let held = if asked.trace.counts || asked.trace.memory.is_some() {
        total(opened, kind).map_err(|error| error.to_string())
    } else {
        events(opened).map_err(|error| error.to_string())
    };
    match held {
        Ok((count, threads, lost)) => {
            run.holds = Some(Holds {
                samples: BTreeMap::from([(kind.event.to_owned(), count)]),
                threads,
                lost,
                throttled: 0,
                first_ns: None,
                last_ns: None,
            });
        }
        Err(why) => findings.push(Finding::error(
            format!("the recording cannot be read: {why}"),
            "is the disk full? Record again to another disk; without --exact a trace is smaller",
        )),
    }
    Ok(findings)
}

/// Events, threads, events that were lost.
fn events(file: File) -> Result<(u64, u64, u64), SectionError> {
    let mut reader = SectionReader::new(BufReader::new(file));
    let (mut count, mut lost, mut process) = (0, 0, 0);
    let mut threads = HashSet::new();
    while let Some(section) = reader.section()? {
        match section {
            Section::Process(_) => process += 1,
            Section::Events { thread, events, .. } => {
                threads.insert((process, thread));
                count += events;
            }
            Section::Gap(gap) => lost += gap.events,
            _ => {}
        }
    }
    Ok((count, threads.len() as u64, lost))
}

/// The same of sums, which are read as everybody will read them.
fn total(file: File, kind: Kind) -> Result<(u64, u64, u64), formats::ReadError> {
    let file_name = &format!("x.{}", kind.ending);
    let source = formats::Source { bytes: Box::new(file), file_name };
    let profile = formats::read(source, &formats::ReadOptions::default())?.profile;
    let at = profile.metrics.iter().position(|metric| metric.name == kind.event);
    let calls = at.map_or(0, |at| profile.metric_total(MetricId(at as u32)).0 as u64);
    Ok((calls, profile.threads.len() as u64, 0))
}
