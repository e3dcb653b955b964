//! How evenly processors and threads share something, such as time.

use std::collections::HashMap;

use profile::MemberId;
use work::steps;

use super::Columns;
use crate::Filtered;

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
    filtered: &Filtered,
    runs: &[MemberId],
    columns: &Columns,
    of: LoadOf,
) -> Vec<Option<Load>> {
    let mut run_of = vec![None; filtered.profile().members.len().max(1)];
    for (run, member) in runs.iter().enumerate() {
        run_of[member.index()] = Some(run);
    }
    let mut shares: Vec<HashMap<u32, i64>> = vec![HashMap::new(); runs.len()];
    let mut samples = vec![0; runs.len()];
    let profile = filtered.profile();
    let points = &profile.points;
    let Some(metric) = columns.metrics.first() else { return vec![None; runs.len()] };
    for point in steps("sharing out events", 0..points.len()) {
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
    shares.iter().zip(samples).map(|(shares, samples)| Load::of(shares, samples)).collect()
}

impl Load {
    fn of(shares: &HashMap<u32, i64>, samples: u64) -> Option<Load> {
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
    filtered: &Filtered,
    by: super::EventsBy,
    runs: &[MemberId],
) -> Result<HashMap<(u32, MemberId), u32>, super::NoGroups> {
    let groups = by.groups(filtered)?;
    let points = &filtered.profile().points;
    let mut seen = std::collections::HashSet::new();
    let mut counts = HashMap::new();
    let mut last = None;
    for point in steps("counting threads", 0..points.len()) {
        let (Some(group), Some(thread)) = (groups.of_point[point], points.thread(point)) else {
            continue;
        };
        let found = (group, points.member(point), thread);
        // Points of one thread often come one after the other.
        if last != Some(found) && runs.contains(&found.1) && seen.insert(found) {
            *counts.entry((group, found.1)).or_default() += 1;
        }
        last = Some(found);
    }
    Ok(counts)
}
