//! `hotframe sdfg simulate` with accesses that were recorded.

use std::io::{BufReader, Read};

use anyhow::{Context, Result, bail};
use locality::{Access, Caches, Container, Lackey, Line, Schedule, Traced, Tracing, Wanted};
use session::{Accesses, recorded_accesses, seen_notes};

use super::elements;
use super::simulated::{Simulated, print_simulated};
use crate::arguments::SdfgSimulate;
use crate::recorded_arrays;

/// What belongs to no array.
const ELSEWHERE: &str = "elsewhere";

/// Prints what recorded accesses do.
pub(super) fn traced(
    bytes: Box<dyn Read>,
    caches: &Caches,
    arguments: &SdfgSimulate,
) -> Result<()> {
    check(arguments)?;
    let mut arrays = recorded_arrays::of(&arguments.trace)?;
    if arrays.all.is_empty() {
        arrays.notes.push(
            "no array is known, so all accesses are elsewhere: name arrays with --binary PROGRAM or --range"
                .to_owned(),
        );
    }
    let entry = arrays.entry.as_ref().map(|entry| entry.address);
    let mut has_begun = false;
    let watched = match &arguments.elements {
        Some(name) => {
            elements::lines_of(caches, arguments.line)?;
            Some(named(&arrays.all, name)?)
        }
        None => None,
    };
    let mut tracing =
        Tracing::new(&arrays.all, arguments.line, caches, Wanted { watched, ..Wanted::default() })?;
    let mut lackey = Lackey::new(BufReader::with_capacity(1 << 20, bytes));
    let mut instructions = 0u64;
    let cannot_read = || format!("cannot read {}", arguments.file.display());
    while let Some(line) = lackey.next().with_context(cannot_read)? {
        match line {
            Line::Instruction(address) => {
                instructions += 1;
                has_begun |= Some(address) == entry;
            }
            Line::Data(access) => tracing.access(access)?,
            Line::Modify(access) => {
                tracing.access(access)?;
                tracing.access(Access { is_write: true, ..access })?;
            }
        }
    }
    if let Some(entry) = arrays.entry.as_ref().filter(|_| !has_begun) {
        bail!("{}", entry.refusal);
    }
    let Traced { outcome, seen, watched: of_elements, .. } = tracing.finish(arguments.line);
    let mut notes = arrays.notes.clone();
    notes.extend(seen_notes(&seen, instructions, lackey.has_ended()));
    let own = accesses(&arrays.all, notes);
    if let (Some(container), Some(told)) = (watched, of_elements) {
        let lines = elements::lines_of(caches, arguments.line)?;
        return elements::print(&own, container, told.elements, lines, arguments);
    }
    let simulated = Simulated {
        own: &own,
        outcome: &outcome,
        line: arguments.line,
        word: "references",
        is_recorded: true,
    };
    print_simulated(&simulated, None, arguments)
}

/// Refuses what needs loops.
fn check(arguments: &SdfgSimulate) -> Result<()> {
    let needs = [
        (!arguments.scope.is_empty(), "--scope", "has no parts"),
        (!arguments.set.is_empty(), "--set", "has no sizes to choose"),
        (arguments.combining_reads, "--combining-reads", "says itself what is read"),
        (!arguments.what_if.is_empty(), "--what-if", "has no loops or indices to change"),
        (arguments.search.is_some(), "--search", "has no loops or indices to change"),
        (arguments.export.is_some(), "--export", "has no loops to write"),
        (
            arguments.schedule != Schedule::Sequential,
            "--schedule",
            "has the order in which it was recorded",
        ),
        (arguments.private > 0, "--private", "does not distinguish threads"),
        (arguments.packed, "--packed", "has the addresses that were recorded"),
    ];
    match needs.into_iter().find(|(is_given, ..)| *is_given) {
        Some((_, option, why)) => {
            bail!("{option} is for graphs and loops: a recording of accesses {why}")
        }
        None => Ok(()),
    }
}

/// Arrays and what is elsewhere, each read and then written.
fn accesses(arrays: &[Container], notes: Vec<String>) -> Accesses {
    let elsewhere = Container { base: Some(0), ..Container::rows(ELSEWHERE, 1, &[]) };
    recorded_accesses(&[arrays, &[elsewhere]].concat(), notes)
}

/// The number of an array.
fn named(arrays: &[Container], name: &str) -> Result<usize> {
    let known: Vec<&str> = arrays.iter().map(|one| &*one.name).collect();
    match known.iter().position(|own| *own == name) {
        Some(place) => Ok(place),
        None => bail!("no array {name} is known; there are {}", known.join(", ")),
    }
}
