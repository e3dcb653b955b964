//! What the names of attributes say: Caliper puts what it did with values before their name, as in
//! `avg#inclusive#sum#time.duration`, and people may choose other names (`Avg time/rank (inc)`).

use profile::{Combine, Combining, Metric, MetricId};

/// An attribute with numbers.
#[derive(Debug, Default, Clone)]
pub(super) struct Attribute {
    pub(super) name: String,
    /// As the file says, if it does.
    pub(super) unit: String,
}

/// The metrics of a profile, and which of them are inclusive and must be made exclusive.
#[derive(Debug)]
pub(super) struct Metrics {
    pub(super) metrics: Vec<Metric>,
    /// Rows of `metrics`.
    pub(super) inclusive: Vec<usize>,
    /// For each attribute its row in `metrics`; none for inclusive values beside exclusive ones.
    pub(super) rows: Vec<Option<usize>>,
}

impl Metrics {
    pub(super) fn new(attributes: &[Attribute]) -> Metrics {
        let meanings: Vec<Meaning> = attributes.iter().map(|a| Meaning::new(&a.name)).collect();
        let mut found = Metrics { metrics: vec![], inclusive: vec![], rows: vec![] };
        for (attribute, meaning) in attributes.iter().zip(&meanings) {
            let is_sum = meaning.is_inclusive && meaning.combine == Combine::Sum;
            let plain = |other: &Meaning| !other.is_inclusive && other.plain == meaning.plain;
            if is_sum && meanings.iter().any(plain) {
                found.rows.push(None);
                continue;
            }
            found.rows.push(Some(found.metrics.len()));
            if is_sum {
                found.inclusive.push(found.metrics.len());
            }
            let mut combining = Combining::everywhere(meaning.combine);
            if meaning.is_inclusive && !matches!(meaning.combine, Combine::Sum | Combine::Maximum) {
                combining.contexts = Combine::None;
            }
            found.metrics.push(Metric {
                name: if is_sum { meaning.plain.clone() } else { attribute.name.clone() },
                unit: unit(attribute, meaning, attributes.iter().zip(&meanings)),
                combining,
                ..Metric::default()
            });
        }
        // Each record has the mean of `count` values.
        let count = found.metrics.iter().position(|metric| metric.name == "count");
        for (row, meaning) in found.rows.iter().zip(&meanings) {
            if let Some(row) = *row
                && meaning.is_of_values
                && meaning.combine == Combine::Mean
            {
                found.metrics[row].combining.weight = count.map(|row| MetricId(row as u32));
            }
        }
        found
    }

    /// What people look at first: a sum of times, if there is one.
    pub(super) fn default_row(&self) -> usize {
        let adds_up = |metric: &Metric| metric.combining.is_sum();
        let is_time = |metric: &Metric| metric.unit.ends_with("seconds");
        let sums_time = |metric: &&Metric| {
            adds_up(metric) && is_time(metric) && metric.name.starts_with("sum#")
        };
        let position = |wanted: &dyn Fn(&Metric) -> bool| self.metrics.iter().position(wanted);
        let first = position(&|metric| sums_time(&metric))
            .or(position(&|metric| adds_up(metric) && is_time(metric)))
            .or(position(&adds_up));
        first.unwrap_or(0)
    }
}

/// What a name says.
struct Meaning {
    /// The name without the word for inclusive values.
    plain: String,
    /// The attribute that was measured, without what was done with its values.
    base: String,
    is_inclusive: bool,
    /// Whether a mean is of values, and not of sums or of other means.
    is_of_values: bool,
    combine: Combine,
    is_share: bool,
}

impl Meaning {
    fn new(name: &str) -> Meaning {
        let (mut rest, mut is_inclusive) = (name, false);
        for end in [" (inc)", " (I)", " (inclusive)"] {
            if let Some(start) = rest.strip_suffix(end) {
                (rest, is_inclusive) = (start, true);
            }
        }
        let mut plain = vec![];
        let mut combine = Combine::Sum;
        let (mut is_share, mut words) = (false, 0);
        while let Some((word, after)) = rest.split_once('#') {
            let (is_inner, word) = match word.strip_prefix("inclusive") {
                Some(word) => (true, word.trim_start_matches('_')),
                None => (false, word),
            };
            let of = match word {
                "" | "sum" | "scale" | "count" | "scount" | "any" | "avg.sum" => Combine::Sum,
                // How many values a mean is of.
                "avg.count" => Combine::None,
                "avg" | "mean" => Combine::Mean,
                "min" => Combine::Minimum,
                "max" => Combine::Maximum,
                "variance" | "histogram" => Combine::None,
                _ if is_share_word(word) => {
                    is_share = true;
                    Combine::None
                }
                // No operation, but a part of the name.
                _ => break,
            };
            is_inclusive |= is_inner;
            if !word.is_empty() {
                plain.push(word);
            }
            // The outermost decides, but for what no operation brings back.
            if combine == Combine::Sum || of == Combine::None {
                combine = of;
            }
            words += 1;
            rest = after;
        }
        if let Some(after) = rest.strip_prefix("inclusive_") {
            (rest, is_inclusive) = (after, true);
        }
        let lower = rest.to_ascii_lowercase();
        if combine == Combine::Sum && words == 0 {
            combine = match lower.split([' ', '_', '.', '/']).next() {
                Some("avg" | "average" | "mean") => Combine::Mean,
                Some("min" | "minimum") => Combine::Minimum,
                Some("max" | "maximum") => Combine::Maximum,
                _ => combine,
            };
        }
        let mut parts = lower.split(|c: char| !c.is_alphanumeric());
        if lower.contains('%') || parts.any(is_share_word) {
            (is_share, combine) = (true, Combine::None);
        }
        if lower.contains("highwatermark") {
            combine = Combine::Maximum;
        }
        plain.push(rest);
        Meaning {
            plain: plain.join("#"),
            base: rest.to_owned(),
            is_inclusive,
            is_of_values: words == 1 && !is_inclusive,
            combine,
            is_share,
        }
    }
}

fn is_share_word(word: &str) -> bool {
    let word = word.strip_prefix('i').unwrap_or(word);
    word == "ratio" || word.starts_with("percent")
}

/// The unit: that of the attribute which was measured, wherever the file says it.
fn unit<'a>(
    attribute: &Attribute,
    meaning: &Meaning,
    mut all: impl Iterator<Item = (&'a Attribute, &'a Meaning)>,
) -> String {
    if meaning.is_share {
        return "percent".to_owned();
    }
    if ["count#", "scount#", "avg.count#"].iter().any(|count| meaning.plain.starts_with(count)) {
        return "count".to_owned();
    }
    let named = match attribute.unit.as_str() {
        "" => all.find(|(other, about)| {
            let is_alike = !about.is_share && !about.plain.starts_with("count#");
            is_alike && about.base == meaning.base && !other.unit.is_empty()
        }),
        _ => None,
    };
    let unit = named.map_or(attribute.unit.as_str(), |(other, _)| other.unit.as_str());
    let name = meaning.base.as_str();
    let unit = match unit {
        "sec" | "s" => "seconds",
        "msec" | "ms" => "milliseconds",
        "usec" | "us" => "microseconds",
        "nsec" | "ns" => "nanoseconds",
        "" if name.ends_with("duration.ns") => "nanoseconds",
        "" if name.ends_with("time.duration") => "microseconds",
        "" if name.contains("bytes") || name.contains("alloc.") => "bytes",
        "" => "count",
        other => other,
    };
    unit.to_owned()
}

/// Whether an attribute's numbers tell records apart, and are not measurements.
pub(super) fn is_label(name: &str) -> bool {
    name.starts_with("iteration#")
        || name.starts_with("cali.")
        || [".id", ".rank", ".pc", "address", ".tag", ".src", ".dst", ".comm", "iteration"]
            .iter()
            .any(|end| name.ends_with(end))
}

pub(super) fn is_rank(name: &str) -> bool {
    matches!(name, "mpi.rank" | "rank" | "mpi.world.rank")
}

pub(super) fn is_thread(name: &str) -> bool {
    matches!(name, "pthread.id" | "omp.thread.id" | "omp.thread_id" | "thread")
}
