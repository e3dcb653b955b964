//! What measuring costs: the same command without it, in between the runs that are measured.

use crate::RecordOptions;
use crate::manifest::{Experiment, Run, RunKind};
use crate::plan::PlannedRun;
use crate::turns;

/// Runs of each kind, and of each set of events, by turns.
pub(crate) fn interleaved(
    asked: &RecordOptions,
    measured: &[PlannedRun],
    others: &[PlannedRun],
) -> Vec<PlannedRun> {
    let unmeasured = PlannedRun {
        number: 0,
        kind: RunKind::Unmeasured,
        events: vec![],
        frequency: None,
        arguments: vec![],
    };
    let bare = std::iter::once(&unmeasured).chain(others).map(|run| (run, asked.overhead.runs));
    let sides: Vec<(&PlannedRun, u32)> =
        bare.chain(measured.iter().map(|run| (run, asked.runs))).collect();
    let counts: Vec<usize> = sides.iter().map(|&(_, runs)| runs as usize).collect();
    let mut runs: Vec<PlannedRun> =
        turns(&counts).into_iter().map(|(side, _)| sides[side].0.clone()).collect();
    for (number, run) in (1..).zip(&mut runs) {
        run.number = number;
    }
    runs
}

/// Runs of one kind, and what they took.
#[derive(Debug, Clone, PartialEq)]
pub struct Cost {
    /// What was done.
    pub kind: RunKind,
    /// Samples a second.
    pub frequency: Option<u32>,
    /// The events, where there are several sets of them.
    pub events: String,
    /// How many runs.
    pub runs: usize,
    /// Nanoseconds from start to end, of the recorder where there is one.
    pub duration: Spread,
    /// Nanoseconds of the command on processors.
    pub cpu: Spread,
    /// Nanoseconds of the recorder on processors, the median.
    pub recorder_cpu: u64,
    /// Median to median of what is not measured; none where that was not run.
    pub duration_ratio: Option<f64>,
    /// The same of time on processors.
    pub cpu_ratio: Option<f64>,
    /// Bytes of a recording, the median.
    pub size: u64,
    /// Files that the recorder had open, the most.
    pub descriptors: u64,
}

/// Values of several runs.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Spread {
    /// The least.
    pub least: u64,
    /// Half of the runs have less; the mean of the two in the middle.
    pub median: u64,
    /// The most.
    pub most: u64,
}

impl Spread {
    fn new(values: impl Iterator<Item = u64>) -> Spread {
        let mut values: Vec<u64> = values.collect();
        values.sort_unstable();
        let (Some(&least), Some(&most)) = (values.first(), values.last()) else {
            return Spread::default();
        };
        let (low, high) = (values[(values.len() - 1) / 2], values[values.len() / 2]);
        Spread { least, median: low + (high - low) / 2, most }
    }
}

/// What runs took by kind; the unmeasured ones first.
pub fn costs(experiment: &Experiment) -> Vec<Cost> {
    let mut groups: Vec<(&Run, Vec<&Run>)> = vec![];
    let is_whole = |run: &&Run| run.kind != RunKind::Added && !run.course.is_stopped;
    for run in experiment.runs.iter().filter(is_whole) {
        let is_alike = |other: &Run| {
            other.kind == run.kind
                && other.course.frequency == run.course.frequency
                && other.events == run.events
        };
        match groups.iter_mut().find(|(first, _)| is_alike(first)) {
            Some((_, runs)) => runs.push(run),
            None => groups.push((run, vec![run])),
        }
    }
    groups.sort_by_key(|(first, _)| (first.kind != RunKind::Unmeasured, first.course.frequency));
    let costs = groups.into_iter().map(|(first, runs)| Cost {
        kind: first.kind,
        frequency: first.course.frequency,
        events: first.events.join(", "),
        runs: runs.len(),
        duration: Spread::new(runs.iter().map(|run| run.course.duration_ns)),
        cpu: Spread::new(runs.iter().map(|run| run.course.cpu_ns)),
        recorder_cpu: Spread::new(runs.iter().map(|run| run.course.recorder_cpu_ns)).median,
        duration_ratio: None,
        cpu_ratio: None,
        size: Spread::new(runs.iter().map(|run| run.size)).median,
        descriptors: runs.iter().map(|run| run.course.descriptors).max().unwrap_or(0),
    });
    let mut costs: Vec<Cost> = costs.collect();
    let base = costs.first().filter(|cost| cost.kind == RunKind::Unmeasured).cloned();
    for (cost, base) in costs.iter_mut().zip(std::iter::repeat(base)) {
        let Some(base) = base else { break };
        let ratio = |new: Spread, old: Spread| {
            (old.median > 0).then(|| new.median as f64 / old.median as f64)
        };
        cost.duration_ratio = ratio(cost.duration, base.duration);
        cost.cpu_ratio = ratio(cost.cpu, base.cpu);
    }
    costs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Overhead;

    #[test]
    fn kinds_of_runs_take_turns() {
        let run = |kind, frequency| PlannedRun {
            number: 0,
            kind,
            events: vec![],
            frequency: Some(frequency),
            arguments: vec![],
        };
        let mut asked = RecordOptions::new("x", vec!["x".to_owned()]);
        asked.runs = 3;
        asked.overhead = Overhead { runs: 2, frequencies: vec![99] };
        let measured = [run(RunKind::Sampled, 1), run(RunKind::Sampled, 2)];
        let runs = interleaved(&asked, &measured, &[run(RunKind::Overhead, 99)]);
        let numbers: Vec<u32> = runs.iter().map(|run| run.number).collect();
        assert_eq!(numbers, (1..=10).collect::<Vec<u32>>());
        let kinds = |runs: &[PlannedRun]| {
            let mut all: Vec<u32> = runs.iter().map(|run| run.frequency.unwrap_or(0)).collect();
            all.sort_unstable();
            all
        };
        let rounds = [&runs[..4], &runs[4..8], &runs[8..]].map(kinds);
        assert_eq!(rounds, [vec![0, 1, 2, 99], vec![0, 1, 2, 99], vec![1, 2]]);
    }

    #[test]
    fn the_middle_of_several_values() {
        let of = |values: &[u64]| Spread::new(values.iter().copied());
        assert_eq!(of(&[3, 1, 8]), Spread { least: 1, median: 3, most: 8 });
        assert_eq!(of(&[4, 1]).median, 2);
        assert_eq!(of(&[]), Spread::default());
    }
}
