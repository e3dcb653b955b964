//! The metrics of all inputs: matched by name, by what their units measure and by how values
//! combine.
//!
//! ```text
//! input 1: cpu, milliseconds          1 becomes 1 000 000 --+--> cpu, nanoseconds
//! input 2: cpu, nanoseconds                  1 stays 1 -----+
//! ```
//! All values of a metric are told in the finest unit, with as many decimals as make all of them
//! whole. Where that leaves 64 bits each unit stays a metric of its own.

use std::collections::BTreeMap;

use profile::{Combine, Combining, Metric, MetricId, Points, Profile, Timing};

use profile::{UnitKind, unit_scale};

use super::notes::MergeNote;
use super::union::Union;

/// The metrics of all inputs.
#[derive(Debug, Default)]
pub(super) struct Metrics {
    union: Union<MetricKey>,
    slots: Vec<Slot>,
}

/// What makes metrics equal.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct MetricKey {
    name: String,
    kind: UnitKind,
    combining: [Combine; 3],
    /// The metric that weights its means.
    weight: Option<String>,
}

/// Names that different tools give to the same: events that were counted, one a sample. They meet
/// only where their unit counts, too, and no profile has two of them.
const SAME_NAMES: &[&[&str]] = &[&["samples", "sample", "count", "counts"]];

/// A metric of the merge.
#[derive(Debug, Default)]
struct Slot {
    /// The names under which inputs have it.
    names: Vec<String>,
    /// How many inputs have it.
    inputs: usize,
    /// The units and decimals in which inputs have it.
    variants: Vec<Variant>,
    /// That of the inputs whose points have times; [`Timing::Instant`] where they differ.
    timing: Option<Timing>,
    /// Whether some input has it of samples that are an estimate.
    is_estimate: bool,
}

#[derive(Debug)]
struct Variant {
    metric: Metric,
    /// The metric that weights its means.
    weight: Option<Source>,
    /// Bytes or nanoseconds of one of its unit.
    scale: i64,
    /// The largest value, sign aside.
    largest: u64,
}

/// Where the values of an input's metric go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Source {
    slot: u32,
    variant: u32,
}

/// Where values go in the end: the metric, and what they are multiplied with.
#[derive(Debug, Clone, Copy)]
pub(super) struct Column {
    pub(super) metric: MetricId,
    pub(super) factor: i64,
}

impl Metrics {
    /// By metric of `input`, where its values go. `points` are the values that will.
    pub(super) fn add(&mut self, input: &Profile, points: &Points) -> Vec<Source> {
        let key = |metric: &Metric| MetricKey::new(metric, &input.metrics);
        let slots = &mut self.slots;
        let rows = self.union.add(input.metrics.iter().map(key), |_| {
            slots.push(Slot::default());
            slots.len() as u32 - 1
        });
        let is_timed = points.has_times() || !input.timeline.spans.is_empty();
        let source = |(index, (metric, slot)): (usize, (&Metric, u32))| {
            let Slot { inputs, variants, names, timing, is_estimate } =
                &mut self.slots[slot as usize];
            *inputs += 1;
            *is_estimate |= !metric.is_counted;
            if is_timed {
                let known = timing.unwrap_or(metric.timing);
                *timing = Some(if known == metric.timing { known } else { Timing::Instant });
            }
            if !names.contains(&metric.name) {
                names.push(metric.name.clone());
            }
            let same = |known: &Variant| {
                known.metric.unit == metric.unit && known.metric.decimals == metric.decimals
            };
            let variant = variants.iter().position(same).unwrap_or_else(|| {
                let scale = unit_scale(&metric.unit).0;
                let (metric, weight) = (metric.clone(), None);
                variants.push(Variant { metric, weight, scale, largest: 0 });
                variants.len() - 1
            });
            let largest =
                points.values(MetricId(index as u32)).map(i64::unsigned_abs).max().unwrap_or(0);
            variants[variant].largest = variants[variant].largest.max(largest);
            Source { slot, variant: variant as u32 }
        };
        let sources: Vec<Source> = input.metrics.iter().zip(rows).enumerate().map(source).collect();
        for (metric, source) in input.metrics.iter().zip(&sources) {
            let variant = &mut self.slots[source.slot as usize].variants[source.variant as usize];
            variant.weight = metric.combining.weight.map(|weight| sources[weight.index()]);
        }
        sources
    }

    /// The metrics of the merge of `inputs` profiles, and where values go.
    pub(super) fn finish(
        self,
        inputs: usize,
        notes: &mut Vec<MergeNote>,
    ) -> (Vec<Metric>, Columns) {
        let mut metrics = vec![];
        let mut columns = vec![];
        let mut weights = vec![];
        let of_one_name = several_ways(&self.slots);
        for (metric, ways) in &of_one_name {
            let (metric, ways) = (metric.clone(), ways.clone());
            notes.push(MergeNote::Combining { metric, ways });
        }
        for Slot { inputs: having, variants, names, timing, is_estimate } in self.slots {
            let first = metrics.len();
            if names.len() > 1 {
                notes.push(MergeNote::SameMetric(names));
            }
            let own_weights: Vec<Option<Source>> = variants.iter().map(|one| one.weight).collect();
            if let Some((metric, factors)) = common(&variants) {
                let column = |factor| Column { metric: MetricId(first as u32), factor };
                columns.push(factors.into_iter().map(column).collect::<Vec<_>>());
                metrics.push(metric);
                weights.push(own_weights[0]);
            } else {
                let units = variants.iter().map(|variant| unit_text(&variant.metric)).collect();
                let metric = variants[0].metric.name.clone();
                notes.push(MergeNote::Units { metric, units });
                let column = |index| Column { metric: MetricId((first + index) as u32), factor: 1 };
                columns.push((0..variants.len()).map(column).collect());
                metrics.extend(variants.into_iter().map(|variant| variant.metric));
                weights.extend(own_weights);
            }
            for metric in &mut metrics[first..] {
                metric.timing = timing.unwrap_or(metric.timing);
                metric.is_counted = !is_estimate;
            }
            if having < inputs && !of_one_name.contains_key(&metrics[first].name) {
                let Metric { name, unit, .. } = &metrics[first];
                let metric =
                    if unit.is_empty() { name.clone() } else { format!("{name} ({unit})") };
                notes.push(MergeNote::Absent { metric, without: inputs - having, of: inputs });
            }
        }
        let columns = Columns(columns);
        for (metric, weight) in metrics.iter_mut().zip(weights) {
            metric.combining.weight = weight.map(|weight| columns.of(weight).metric);
        }
        (metrics, columns)
    }
}

impl MetricKey {
    fn new(metric: &Metric, all: &[Metric]) -> MetricKey {
        let kind = kind(&metric.unit);
        let Combining { contexts, time, members, weight } = metric.combining;
        let counts = kind == UnitKind::Other("count".into());
        let same = SAME_NAMES.iter().find(|names| counts && names.contains(&&*metric.name));
        let is_only = |names: &&&[&str]| {
            all.iter().filter(|other| names.contains(&&*other.name)).count() == 1
        };
        let name = same.filter(is_only).map_or(&*metric.name, |names| names[0]);
        MetricKey {
            name: name.to_owned(),
            kind,
            combining: [contexts, time, members],
            weight: weight.map(|weight| all[weight.index()].name.clone()),
        }
    }
}

/// The names of metrics that differ in how their values combine, with the ways.
fn several_ways(slots: &[Slot]) -> BTreeMap<String, Vec<&'static str>> {
    let mut ways = BTreeMap::<String, Vec<Combining>>::new();
    for slot in slots {
        let metric = &slot.variants[0].metric;
        let known = ways.entry(metric.name.clone()).or_default();
        let combining = Combining { weight: None, ..metric.combining };
        if !known.contains(&combining) {
            known.push(combining);
        }
    }
    ways.retain(|_, ways| ways.len() > 1);
    let words = |ways: Vec<Combining>| ways.iter().map(|way| way.contexts.word()).collect();
    ways.into_iter().map(|(name, ways)| (name, words(ways))).collect()
}

/// Where values go, by [`Source`].
pub(super) struct Columns(Vec<Vec<Column>>);

impl Columns {
    pub(super) fn of(&self, source: Source) -> Column {
        self.0[source.slot as usize][source.variant as usize]
    }
}

/// The metric in which all variants are whole numbers, and what the values of each are multiplied
/// with; none if a value would leave 64 bits.
fn common(variants: &[Variant]) -> Option<(Metric, Vec<i64>)> {
    let finest = variants.iter().min_by_key(|variant| variant.scale)?;
    let most = variants.iter().map(|variant| variant.metric.decimals).max()?;
    // A value is `scale / 10^decimals` of bytes or nanoseconds.
    let factor = |variant: &Variant, decimals: u8| -> Option<i64> {
        let power = |decimals: u8| 10i128.checked_pow(decimals.into());
        let size = i128::from(variant.scale).checked_mul(power(decimals)?)?;
        let step = i128::from(finest.scale).checked_mul(power(variant.metric.decimals)?)?;
        (size % step == 0).then(|| i64::try_from(size / step).ok())?
    };
    let fits = |variant: &Variant, factor: i64| {
        let largest = i64::try_from(variant.largest).ok();
        factor == 1 || largest.is_some_and(|largest| largest.checked_mul(factor).is_some())
    };
    let factors = |decimals: u8| -> Option<Vec<i64>> {
        let factor = |v: &Variant| factor(v, decimals).filter(|&factor| fits(v, factor));
        variants.iter().map(factor).collect()
    };
    (0..=most).find_map(|decimals| {
        let metric = Metric { decimals, ..finest.metric.clone() };
        factors(decimals).map(|factors| (metric, factors))
    })
}

/// What a unit measures; counts of anything are counts.
fn kind(unit: &str) -> UnitKind {
    match unit_scale(unit).1 {
        UnitKind::Other(unit) if matches!(&*unit, "" | "sample") => UnitKind::Other("count".into()),
        kind => kind,
    }
}

fn unit_text(metric: &Metric) -> String {
    match metric.decimals {
        0 => metric.unit.clone(),
        decimals => format!("{} with {decimals} decimals", metric.unit),
    }
}
