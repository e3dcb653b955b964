//! Metrics, and what may be added up of them.

use crate::{MetricId, Profile};

/// Name of the metric that counts calls.
pub const CALLS: &str = "calls";
/// The metric that counts calls up to a limit of each function: there are as many at least.
pub const CALLS_AT_LEAST: &str = "calls (at least)";

/// Name of the metric that counts, by function, the calls of it that began while it was not running
/// yet, which is what Python's pstats calls primitive. Paths have parts of the count only where they are
/// estimated.
pub const PRIMITIVE_CALLS: &str = "primitive calls";

/// One metric: what was measured, in which unit, and how its values combine.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Metric {
    /// Name, such as `cpu`.
    pub name: String,
    /// Unit as the file has it, such as `nanoseconds`.
    pub unit: String,
    /// Values are integers that count 10^-decimals of the unit, so decimal fractions stay exact.
    pub decimals: u8,
    /// What several values together say.
    pub combining: Combining,
    /// Which time the values of a point are of.
    pub timing: Timing,
    /// Whether each event was seen, though the points are samples of it: the values are not an estimate.
    pub is_counted: bool,
}

impl Metric {
    /// A metric of whole numbers that add up.
    pub fn new(name: impl Into<String>, unit: impl Into<String>) -> Metric {
        Metric { name: name.into(), unit: unit.into(), ..Metric::default() }
    }
}

impl Profile {
    /// Leaves out metrics that are not kept, with their values. Those that weight others stay, and
    /// all do where none would be left or totals of functions were stored.
    ///
    /// # Panics
    /// If `keep` has not one entry a metric.
    pub fn keep_metrics(&mut self, keep: &[bool]) {
        assert_eq!(keep.len(), self.metrics.len(), "one entry a metric");
        let mut keep = keep.to_vec();
        for (metric, _) in self.metrics.iter().zip(keep.clone()).filter(|(_, kept)| *kept) {
            if let Some(weight) = metric.combining.weight {
                keep[weight.index()] = true;
            }
        }
        let is_any = keep.contains(&true);
        if !is_any || keep.iter().all(|&kept| kept) || !self.function_totals.is_empty() {
            return;
        }
        let at =
            |id: MetricId| MetricId(keep[..id.index()].iter().filter(|&&kept| kept).count() as u32);
        self.points.keep_metrics(&keep);
        let default = self.origin.default_metric;
        self.origin.default_metric = if keep[default.index()] { at(default) } else { MetricId(0) };
        let mut kept = keep.iter();
        self.metrics.retain(|_| kept.next() == Some(&true));
        for metric in &mut self.metrics {
            metric.combining.weight = metric.combining.weight.map(at);
        }
    }
}

/// Which time the values of a point are of, where it has one: what a range of time takes of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash)]
#[repr(u8)]
pub enum Timing {
    /// Of the instant of the point, or of as long as it lasted.
    #[default]
    Instant = 0,
    /// They are how long the point lasted, from its time on, in a unit of time: what its other values are of.
    Length = 1,
    /// They count what began at the point's time, or the spans that the point counts.
    Begins = 2,
}

impl Timing {
    /// All, in the order of their numbers.
    pub const ALL: [Timing; 3] = [Timing::Instant, Timing::Length, Timing::Begins];

    /// The word for people and files.
    pub fn word(self) -> &'static str {
        match self {
            Timing::Instant => "instant",
            Timing::Length => "length",
            Timing::Begins => "begins",
        }
    }
}

/// How a metric's values combine: those of several contexts, of one context at several times, and
/// of several members. The default adds up everywhere.
///
/// A resident set size, for example, has a maximum over time, none over contexts (every context
/// sees the same memory), and a sum over the processes that are members.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Combining {
    /// Over the contexts below one, and over those that a view shows as one.
    pub contexts: Combine,
    /// Over the points of one context.
    pub time: Combine,
    /// Over members.
    pub members: Combine,
    /// The metric that weights a [`Combine::Mean`]; without one all points weigh the same.
    pub weight: Option<MetricId>,
}

impl Combining {
    /// The same everywhere.
    pub const fn everywhere(combine: Combine) -> Combining {
        Combining { contexts: combine, time: combine, members: combine, weight: None }
    }

    /// Whether values add up over contexts, time and members, as most do.
    pub fn is_sum(&self) -> bool {
        [self.contexts, self.time, self.members] == [Combine::Sum; 3]
    }
}

/// What several values of a metric are together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
#[repr(u8)]
pub enum Combine {
    /// Their sum.
    #[default]
    Sum = 0,
    /// The largest.
    Maximum = 1,
    /// The smallest.
    Minimum = 2,
    /// The last in time; of points without time the last in the file.
    Last = 3,
    /// Their mean, weighted by [`Combining::weight`].
    Mean = 4,
    /// Nothing: there is no such figure, and none is shown.
    None = 5,
}

impl Combine {
    /// All, in the order of their numbers.
    pub const ALL: [Combine; 6] = [
        Combine::Sum,
        Combine::Maximum,
        Combine::Minimum,
        Combine::Last,
        Combine::Mean,
        Combine::None,
    ];

    /// The word for people and files.
    pub fn word(self) -> &'static str {
        match self {
            Combine::Sum => "sum",
            Combine::Maximum => "maximum",
            Combine::Minimum => "minimum",
            Combine::Last => "last",
            Combine::Mean => "mean",
            Combine::None => "none",
        }
    }
}

impl crate::Profile {
    /// Whether values of a metric add up in this profile: over contexts and time, and over members
    /// where there are several.
    pub fn adds_up(&self, metric: &Metric) -> bool {
        let Combining { contexts, time, members, .. } = metric.combining;
        let over_members = members == Combine::Sum || self.members.len() <= 1;
        [contexts, time] == [Combine::Sum; 2] && over_members
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ContextId, LabelSetId, ProfileBuilder};

    #[test]
    fn metrics_that_are_left_out_take_their_values_and_no_weights() {
        let mut mean = Metric::new("cost", "count");
        mean.combining = Combining { weight: Some(MetricId(2)), ..Combining::default() };
        let metrics = vec![Metric::new("a", "count"), mean, Metric::new("weight", "count")];
        let mut builder = ProfileBuilder::new(metrics);
        builder.points.push(ContextId::ROOT, LabelSetId(0), &[1, 2, 3]);
        builder.points.push(ContextId::ROOT, LabelSetId(0), &[10, 20, 30]);
        builder.origin.default_metric = MetricId(2);
        let mut profile = builder.finish();
        profile.keep_metrics(&[false, true, false]);
        let totals = profile
            .metric_ids()
            .map(|id| (profile.metric(id).name.as_str(), profile.metric_total(id).0));
        assert_eq!(totals.collect::<Vec<_>>(), [("cost", 22), ("weight", 33)]);
        assert_eq!(profile.metrics[0].combining.weight, Some(MetricId(1)));
        assert_eq!(profile.origin.default_metric, MetricId(1));
        assert!(profile.check().is_empty());
        profile.keep_metrics(&[false, false]);
        assert_eq!(profile.metrics.len(), 2);
    }
}
