//! One value a run.

use profile::{FactKind, FactValue, MetricId, Profile};
use work::steps;

use super::Runs;
use crate::{Filtered, FrameGroup, NO_VALUE};

/// A value for each run; none where it was not measured.
pub type Values = Vec<Option<f64>>;

/// Which value of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Which {
    /// Its own, which adds up over functions.
    #[default]
    Own,
    /// With what it calls; once where it is on a stack several times.
    Total,
}

/// Values by group of frames and run; those that are 0 take no room.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GroupValues {
    /// By group, where its entries begin; one more than groups.
    starts: Vec<u32>,
    /// Runs and values, by group.
    entries: Vec<(u32, f64)>,
    /// By run, whether it recorded anything: only there an absent value is 0.
    recorded: Vec<bool>,
}

impl Runs {
    /// What a figure of whole runs was, by its name.
    pub fn measure(&self, profile: &Profile, name: &str) -> Values {
        let of = |run: &super::Run| match profile.fact(run.member, name)? {
            fact if fact.kind != FactKind::Measure => None,
            fact => match fact.value {
                FactValue::Number(number, _) => Some(number as f64),
                FactValue::Text(_) => None,
            },
        };
        self.runs.iter().map(of).collect()
    }

    /// Names of figures that runs have, with their units, in the order in which they come.
    pub fn measures(&self, profile: &Profile) -> Vec<(String, String)> {
        let mut found: Vec<(String, String)> = vec![];
        for run in &self.runs {
            for fact in &profile.members[run.member.index()].facts {
                let FactValue::Number(_, unit) = fact.value else { continue };
                let name = profile.text(fact.name);
                if fact.kind == FactKind::Measure && !found.iter().any(|(known, _)| known == name) {
                    found.push((name.to_owned(), profile.text(unit).to_owned()));
                }
            }
        }
        found
    }

    /// What a metric was in each run as a whole, with what filters leave; none in runs that recorded
    /// nothing at all, that filters take away, or in which a formula has no value.
    pub fn totals(&self, filtered: &Filtered, metric: MetricId) -> Values {
        let recorded = self.recorded(filtered.profile());
        let mut values: Values = vec![None; self.runs.len()];
        for (member, value) in filtered.totals_of_members(metric) {
            let row = member.index();
            if recorded[row] && value != NO_VALUE {
                values[row] = Some(value as f64);
            }
        }
        values
    }

    /// By run, whether it has any point.
    fn recorded(&self, profile: &Profile) -> Vec<bool> {
        let mut found = vec![false; self.runs.len().max(1)];
        for point in 0..profile.points.len() {
            found[profile.points.member(point).index()] = true;
        }
        found
    }

    /// The values of all groups of frames in a metric that adds up.
    pub fn groups(
        &self,
        filtered: &Filtered,
        group_of_frame: &[impl FrameGroup],
        groups: usize,
        metric: MetricId,
        which: Which,
    ) -> GroupValues {
        let profile = filtered.profile();
        let recorded = self.recorded(profile);
        // Sums of one member at a time, which come one after the other in most files.
        let member = |point: u32| profile.points.member(point as usize).0;
        let points = profile.points.len() as u32;
        let mut order: Vec<u32> = vec![];
        if !(0..points).is_sorted_by_key(member) {
            order.extend(0..points);
            order.sort_by_key(|&point| member(point));
        }
        let contexts = filtered.point_contexts();
        let mut sums = vec![0i64; groups];
        let mut touched: Vec<u32> = vec![];
        let mut seen = vec![u32::MAX; groups];
        let mut found: Vec<(u32, u32, f64)> = vec![];
        let mut current = 0;
        let flush = |run: u32, sums: &mut [i64], touched: &mut Vec<u32>, found: &mut Vec<_>| {
            for group in touched.drain(..) {
                let sum = std::mem::take(&mut sums[group as usize]);
                if sum != 0 {
                    found.push((group, run, sum as f64));
                }
            }
        };
        for number in steps("adding up functions by run", 0..points) {
            let point = order.get(number as usize).copied().unwrap_or(number);
            if member(point) != current {
                flush(current, &mut sums, &mut touched, &mut found);
                current = member(point);
            }
            let row = point as usize;
            let value = filtered.row(row)[metric.index()];
            if value == 0 || !filtered.keeps_point(row) {
                continue;
            }
            let mut at = filtered.innermost_shown(contexts[row], None);
            while let Some((context, frame)) = at {
                let group = group_of_frame[frame as usize].index();
                if std::mem::replace(&mut seen[group], number) != number {
                    touched.push(group as u32);
                    sums[group] = sums[group].saturating_add(value);
                }
                if which == Which::Own {
                    break;
                }
                at = filtered.innermost_shown(context, Some(frame));
            }
        }
        flush(current, &mut sums, &mut touched, &mut found);
        GroupValues::new(found, groups, recorded)
    }
}

impl GroupValues {
    /// Of groups, runs and values, by run.
    fn new(found: Vec<(u32, u32, f64)>, groups: usize, recorded: Vec<bool>) -> GroupValues {
        let mut starts = vec![0u32; groups + 1];
        for &(group, ..) in &found {
            starts[group as usize + 1] += 1;
        }
        for group in 0..groups {
            starts[group + 1] += starts[group];
        }
        let mut next = starts.clone();
        let mut entries = vec![(0, 0.0); found.len()];
        for (group, run, value) in found {
            let place = &mut next[group as usize];
            entries[*place as usize] = (run, value);
            *place += 1;
        }
        GroupValues { starts, entries, recorded }
    }

    /// How many groups there are.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Whether there is no group.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Runs in which a group has a value, with it.
    pub fn entries(&self, group: usize) -> &[(u32, f64)] {
        &self.entries[self.starts[group] as usize..self.starts[group + 1] as usize]
    }

    /// A group's values: 0 where a run recorded something, and not the group.
    pub fn values(&self, group: usize) -> Values {
        let mut values: Values =
            self.recorded.iter().map(|&recorded| recorded.then_some(0.0)).collect();
        for &(run, value) in self.entries(group) {
            values[run as usize] = Some(value);
        }
        values
    }
}
