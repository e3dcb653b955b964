//! What accesses do in caches.

use locality::{
    Cache, Caches, Container, Inclusion, Method, Options, Outcome, Replacement, Replay, Split,
};
use protocol::*;

use super::Accesses;
use super::part::{Source, not_simulated};
use crate::Call;

/// Pairs of who drove out whom that are told; what is beyond is little.
const MOST_EVICTIONS: usize = 1000;

/// No more accesses are told one by one, whatever is asked for: each has some 25 bytes.
pub(super) const MOST_EACH: u32 = 1 << 20;

/// Accesses that went through caches.
pub(super) struct Ran {
    pub(super) own: Accesses,
    /// By container, where its base is.
    pub(super) bases: Vec<f64>,
    pub(super) outcome: Outcome,
    /// What is told of each access, if that is.
    pub(super) columns: AccessesRunColumns,
    pub(super) has_each: bool,
}

impl Ran {
    /// The same with every access: how many elements each touches, where that is not one each time, and by
    /// number of a line which line of the address space it is, where that is another.
    pub(super) fn with(self, replay: Replay, counts: Vec<u32>, lines: Vec<f64>) -> Ran {
        let columns = AccessesRunColumns {
            reference: replay.references,
            element: replay.elements,
            line: replay.lines,
            distance: replay.distances,
            missed: replay.missed,
            victim: replay.victims,
            start: replay.starts,
            value: replay.values.iter().map(|&value| value as f64).collect(),
            elements: counts,
            place: lines,
            ..AccessesRunColumns::default()
        };
        Ran { columns, has_each: true, ..self }
    }
}

/// The answer to [`protocol::AccessesRequest::AccessesRun`].
pub(super) fn run(
    source: &Source,
    params: &AccessesRunParams,
    call: &dyn Call,
) -> Result<Reply<AccessesRunResult, AccessesRunColumns>, ProtocolError> {
    let caches = caches(&params.caches)?;
    let ran = match source {
        Source::Recorded(document) => document.run(params, &caches, call)?,
        _ => of_loops(source, params, &caches, call)?,
    };
    Ok(run_result(source, params, ran))
}

fn of_loops(
    source: &Source,
    params: &AccessesRunParams,
    caches: &Caches,
    call: &dyn Call,
) -> Result<Ran, ProtocolError> {
    let (own, space) = source.accesses(&params.program, caches.private)?;
    let nest = &own.program.nest;
    let count = nest.accesses();
    let goes_on = |done: u128| goes_on(call, done, count);
    let options = Options {
        depth: params.depth.into(),
        goes_on: &goes_on,
        threads: &own.threads,
        ..Options::default()
    };
    let outcome = Outcome::new(nest, &space, caches, &options).map_err(not_simulated)?;
    let most = params.each.min(MOST_EACH);
    let replay = if nest.most_touches(&space) <= most.into() && fits_cells(&space.containers) {
        Some(Replay::new(nest, &space, caches, most, &options).map_err(not_simulated)?)
    } else {
        None
    };
    let bases = space.bases.iter().map(|&base| base as f64).collect();
    let columns = AccessesRunColumns::default();
    let ran = Ran { own, bases, outcome, columns, has_each: false };
    Ok(match replay {
        Some(replay) => ran.with(replay, vec![], vec![]),
        None => ran,
    })
}

fn run_result(
    source: &Source,
    params: &AccessesRunParams,
    ran: Ran,
) -> Reply<AccessesRunResult, AccessesRunColumns> {
    let Ran { own, bases, outcome, columns, has_each } = ran;
    let nest = &own.program.nest;
    let line = f64::from(params.program.line);
    let all = || 0..nest.references.len();
    let sum = |level: usize, lines: u64, references: &mut dyn Iterator<Item = usize>| {
        totals(outcome.sum(level, references), lines, line)
    };
    let lines: u64 = outcome.distances.lines.iter().sum();
    let containers = own.program.containers.iter().enumerate().map(|(number, container)| {
        let mut its = all().filter(|&one| nest.references[one].container as usize == number);
        AccessedContainer {
            name: container.name.clone(),
            element: container.element as f64,
            shape: container.shape.iter().map(|&size| size as f64).collect(),
            strides: container.strides.iter().map(|&stride| stride as f64).collect(),
            offset: container.offset as f64,
            base: bases[number],
            totals: sum(0, outcome.distances.lines[number], &mut its),
        }
    });
    let around = nest.loops_around();
    let references = all().map(|number| AccessReference {
        container: nest.references[number].container,
        is_write: nest.references[number].is_write,
        origin: own.origins[number].text.clone(),
        edge: source.edge(own.origins[number].edge),
        loops: around[number].clone(),
        totals: totals(outcome.split(0, number), 0, line),
    });
    let levels = params.caches.levels.iter().enumerate().map(|(level, cache)| LevelTotals {
        size: cache.size,
        ways: cache.ways,
        totals: sum(level, lines, &mut all()),
    });
    let result = AccessesRunResult {
        containers: containers.collect(),
        references: references.collect(),
        variables: own.program.variables.clone(),
        totals: sum(0, lines, &mut all()),
        levels: levels.collect(),
        evictions: evictions(&outcome),
        method: "exact".to_owned(),
        simulated: outcome.simulated() as f64,
        has_each,
        notes: notes(&own, &outcome),
        left_out: own
            .left_out
            .iter()
            .map(|(what, why)| LeftOutPart { what: what.clone(), why: why.clone() })
            .collect(),
        depth: outcome.distances.depth as f64,
    };
    let columns = with_histograms(columns, &own, &outcome);
    Reply { result, columns }
}

impl Source {
    /// The number of an edge of a graph.
    fn edge(&self, id: Option<sdfg::model::ElementId>) -> Option<u32> {
        match self {
            Source::Graph(document) => document.edge_number(id?),
            Source::Loops(_) | Source::Recorded(_) => None,
        }
    }
}

/// Tells how far a simulation is; whether it goes on.
pub(super) fn goes_on(call: &dyn Call, done: u128, count: u128) -> bool {
    let progress =
        Progress { phase: "simulating".to_owned(), done: done as f64, total: count as f64 };
    call.progress(progress);
    !call.is_cancelled()
}

/// Whether elements of containers have numbers that columns hold.
pub(super) fn fits_cells(containers: &[Container]) -> bool {
    const MOST_ELEMENTS: u64 = 1 << 24;
    let elements = |shape: &[u64]| shape.iter().try_fold(1u64, |all, &size| all.checked_mul(size));
    containers
        .iter()
        .all(|container| elements(&container.shape).is_some_and(|count| count <= MOST_ELEMENTS))
}

/// Caches as they are simulated.
pub(crate) fn caches(asked: &AccessesCaches) -> Result<Caches, ProtocolError> {
    if asked.levels.is_empty() || asked.levels.len() > 8 {
        let message = format!("{} levels of caches: there are 1 to 8", asked.levels.len());
        return Err(ProtocolError::new(ErrorCode::BadRequest, message));
    }
    let replacement = match asked.replacement {
        LineReplacement::Lru => Replacement::Lru,
        LineReplacement::Plru => Replacement::Plru,
        LineReplacement::Fifo => Replacement::Fifo,
    };
    let level =
        |level: &CacheLevel| Cache { size: level.size as u64, ways: level.ways, replacement };
    Ok(Caches {
        inclusion: match asked.inclusion {
            LevelInclusion::None => Inclusion::None,
            LevelInclusion::Inclusive => Inclusion::Inclusive,
            LevelInclusion::Exclusive => Inclusion::Exclusive,
        },
        is_write_back: !asked.writes_through,
        is_write_allocate: !asked.writes_around,
        prefetches_next: asked.prefetches_next,
        private: asked.private as usize,
        ..Caches::new(asked.levels.iter().map(level).collect())
    })
}

fn totals(split: Split, lines: u64, line: f64) -> AccessTotals {
    AccessTotals {
        accesses: split.accesses as f64,
        lines: lines as f64,
        cold: split.cold as f64,
        capacity: split.capacity as f64,
        conflict: split.conflict as f64,
        bytes: split.misses() as f64 * line,
    }
}

fn evictions(outcome: &Outcome) -> Vec<LineEvictions> {
    let Some(run) = &outcome.run else { return vec![] };
    let mut all = vec![];
    for (level, counts) in run.counts.levels.iter().enumerate() {
        for (by, row) in counts.evictions.iter().enumerate() {
            for (of, &lines) in row.iter().enumerate().filter(|(_, lines)| **lines > 0) {
                let [level, by, of] = [level, by, of].map(|number| number as u32);
                all.push(LineEvictions { level, by, of, lines: lines as f64 });
            }
        }
    }
    all.sort_by(|one, other| other.lines.total_cmp(&one.lines));
    all.truncate(MOST_EVICTIONS);
    all
}

fn notes(own: &Accesses, outcome: &Outcome) -> Vec<String> {
    let mut notes = own.notes.clone();
    if outcome.method() == Method::Skipped {
        notes.push(format!(
            "{} touches were simulated; what repeats them elsewhere was counted",
            outcome.simulated()
        ));
    }
    notes
}

fn with_histograms(
    mut columns: AccessesRunColumns,
    own: &Accesses,
    outcome: &Outcome,
) -> AccessesRunColumns {
    for container in 0..own.program.containers.len() as u32 {
        let mut all = locality::Histogram::default();
        for (number, reference) in own.program.nest.references.iter().enumerate() {
            if reference.container == container {
                all.merge(outcome.histogram(0, number));
            }
        }
        let mut counts: Vec<(f64, u64)> =
            all.counts().map(|(distance, count)| (distance as f64, count)).collect();
        counts.sort_by(|one, other| one.0.total_cmp(&other.0));
        counts.extend([(-1.0, all.far), (f64::INFINITY, all.cold)]);
        for (distance, count) in counts.into_iter().filter(|(_, count)| *count > 0) {
            columns.histogram_container.push(container);
            columns.histogram_distance.push(distance);
            columns.histogram_count.push(count as f64);
        }
    }
    columns
}
