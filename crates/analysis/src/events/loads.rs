//! How evenly processors and threads share something, such as time.

use std::collections::HashMap;

use profile::{MemberId, ThreadId};
use work::steps;

use super::groups::Groups;
use super::index::{Segment, Source};
use super::{Columns, EventSum};

/// Who shares it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LoadOf {
    /// Processors.
    Cpus,
    /// Threads, each by itself: those of one name are several.
    Threads,
}

/// What those that have any of something have of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Load {
    /// How many have any.
    pub sharers: usize,
    /// The most that one has, by what they have on average, less 1.
    pub imbalance: f64,
    /// Standard deviation by the average: the coefficient of variation.
    pub variation: f64,
    /// How many samples tell it.
    pub samples: u64,
}

/// By run, how the first metric of the columns is shared; none where nobody has any, or nothing tells
/// who.
pub fn loads(
    source: &Source<'_>,
    runs: &[MemberId],
    columns: &Columns,
    of: LoadOf,
) -> Vec<Option<Load>> {
    let filtered = source.filtered();
    let mut run_of = vec![None; filtered.profile().members.len().max(1)];
    for (run, member) in runs.iter().enumerate() {
        run_of[member.index()] = Some(run);
    }
    let mut shares: Vec<HashMap<u32, i64>> = vec![HashMap::new(); runs.len()];
    let mut samples = vec![0; runs.len()];
    let profile = filtered.profile();
    let points = &profile.points;
    let Some(metric) = columns.metrics.first() else { return vec![None; runs.len()] };
    for kept in source.segments() {
        let Segment { member, thread, cpu, .. } = kept.place;
        let sharer = match of {
            LoadOf::Cpus => cpu,
            LoadOf::Threads => thread.map(|thread| thread.0),
        };
        let Some((run, sharer)) = run_of[member.index()].zip(sharer) else { continue };
        let column = kept.column(*metric);
        let mut sum = EventSum::default();
        if !column.has_negative {
            kept.add(column, &mut sum);
        } else {
            kept.each(column, |entry| {
                if column.value(entry) > 0 {
                    column.add(entry, &mut sum);
                }
            });
        }
        if sum.value > 0 {
            let share = shares[run].entry(sharer).or_default();
            *share = share.saturating_add(sum.value);
            samples[run] += sum.samples;
        }
    }
    for point in steps("sharing out events", source.rest()) {
        let Some(run) = run_of[points.member(point).index()] else { continue };
        let sharer = match of {
            LoadOf::Cpus => points.cpu(point),
            LoadOf::Threads => points.thread(point).map(|thread| thread.0),
        };
        let Some(sharer) = sharer.filter(|_| filtered.keeps_point(point)) else { continue };
        let row = filtered.row(point);
        if row[metric.index()] > 0 {
            let share = shares[run].entry(sharer).or_default();
            *share = share.saturating_add(row[metric.index()]);
            samples[run] += columns.samples.of(profile.metric(*metric), row).unwrap_or(0);
        }
    }
    shares.iter().zip(samples).map(|(shares, samples)| Load::new(shares, samples)).collect()
}

impl Load {
    fn new(shares: &HashMap<u32, i64>, samples: u64) -> Option<Load> {
        let sharers = shares.len();
        let most = *shares.values().max()? as f64;
        let values = || shares.values().map(|&share| share as f64);
        let mean = values().sum::<f64>() / sharers as f64;
        let square = values().map(|value| (value - mean).powi(2)).sum::<f64>() / sharers as f64;
        let imbalance = most / mean - 1.0;
        Some(Load { sharers, imbalance, variation: square.sqrt() / mean, samples })
    }
}

/// By run, of how many threads each group of [`super::EventsBy::Thread`] or
/// [`super::EventsBy::Process`] has points; nothing for other groups.
pub fn threads_of(
    source: &Source<'_>,
    by: super::EventsBy,
    runs: &[MemberId],
) -> Result<HashMap<(u32, MemberId), u32>, super::NoGroups> {
    let Groups { grouping, .. } = by.groups(source)?;
    let profile = source.filtered().profile();
    let points = &profile.points;
    let mut seen = std::collections::HashSet::new();
    let mut counts = HashMap::new();
    let mut see = |group: u32, member: MemberId, thread: ThreadId| {
        if runs.contains(&member) && seen.insert((group, member, thread)) {
            *counts.entry((group, member)).or_default() += 1;
        }
    };
    for (kept, group) in grouping.segments() {
        if let Some((group, thread)) = group.zip(kept.place.thread) {
            see(group, kept.place.member, thread);
        }
    }
    let mut last = None;
    for point in steps("counting threads", source.rest()) {
        let group = grouping.of_point(point, points.context[point], 0);
        let (Some(group), Some(thread)) = (group, points.thread(point)) else { continue };
        // Points of one thread often come one after the other.
        let found = (group, points.member(point), thread);
        if last.replace(found) != Some(found) {
            see(group, found.1, thread);
        }
    }
    Ok(counts)
}
