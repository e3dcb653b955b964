//! From values to colours.
//!
//! Mean- and median-centred scales and the histogram are those of Schaad et al. (SC 2022): colours
//! run from 0 to twice the centre, so that what stands out from the rest does so whatever the unit.

use protocol::{GraphLegend, GraphScale, LegendTick};

/// Parts of the legend's histogram.
const BINS: usize = 24;

/// How values become positions from 0 to 1.
#[derive(Debug)]
pub(super) struct Scale {
    kind: GraphScale,
    /// What is at 0 and 1, for those that have it.
    low: f64,
    high: f64,
    /// Distinct values, rising, for the histogram.
    ranks: Vec<f64>,
    /// Values are differences: 0 is in the middle, and the scale is of their sizes.
    is_change: bool,
}

impl Scale {
    /// A scale for finite values.
    pub(super) fn new(kind: GraphScale, values: &[f64], is_change: bool) -> Scale {
        let mut sizes: Vec<f64> = if is_change {
            values.iter().map(|value| value.abs()).filter(|&size| size > 0.0).collect()
        } else {
            values.to_vec()
        };
        sizes.sort_unstable_by(f64::total_cmp);
        let (first, last) = (sizes.first().copied(), sizes.last().copied());
        let (low, high) = match kind {
            GraphScale::Mean => (0.0, 2.0 * sizes.iter().sum::<f64>() / sizes.len().max(1) as f64),
            GraphScale::Median => (0.0, 2.0 * median(&sizes)),
            GraphScale::Exponential => {
                let positive = sizes.iter().copied().find(|&size| size > 0.0);
                (positive.unwrap_or(0.0), last.unwrap_or(0.0))
            }
            GraphScale::Linear | GraphScale::Histogram => {
                let first = if is_change { Some(0.0) } else { first };
                (first.unwrap_or(0.0), last.unwrap_or(0.0))
            }
        };
        sizes.dedup();
        Scale { kind, low, high, ranks: sizes, is_change }
    }

    /// The position of a value, and whether it is below (-1) or above (1) what the scale shows.
    pub(super) fn position(&self, value: f64) -> (f64, i8) {
        if !self.is_change {
            return self.size_position(value);
        }
        let (position, beyond) =
            if value == 0.0 { (0.0, 0) } else { self.size_position(value.abs()) };
        let side = if value < 0.0 { -1.0 } else { 1.0 };
        let beyond = if beyond > 0 { side as i8 } else { 0 };
        (0.5 + side * position / 2.0, beyond)
    }

    fn size_position(&self, value: f64) -> (f64, i8) {
        let (low, high) = (self.low, self.high);
        let position = match self.kind {
            GraphScale::Histogram => {
                let rank = self.ranks.partition_point(|&other| other < value);
                match self.ranks.len() {
                    0 | 1 => 0.5,
                    count => rank as f64 / (count - 1) as f64,
                }
            }
            // All the same: neither small nor large.
            _ if high <= low => 0.5,
            GraphScale::Exponential if value <= 0.0 => -1.0,
            GraphScale::Exponential => (value / low).ln() / (high / low).ln(),
            _ => (value - low) / (high - low),
        };
        /// Sums that are a little off are on the scale.
        const SLACK: f64 = 1e-9;
        let beyond = i8::from(position > 1.0 + SLACK) - i8::from(position < -SLACK);
        (position.clamp(0.0, 1.0), beyond)
    }

    fn ticks(&self) -> Vec<LegendTick> {
        let tick = |position: f64, value: f64, label: &str| LegendTick {
            position,
            value,
            label: label.to_owned(),
        };
        let (low, high) = (self.low, self.high);
        let middle = match self.kind {
            GraphScale::Mean | GraphScale::Median | GraphScale::Linear => (low + high) / 2.0,
            GraphScale::Exponential => (low * high).sqrt(),
            GraphScale::Histogram => median(&self.ranks),
        };
        let name = match self.kind {
            GraphScale::Mean => "mean",
            GraphScale::Median => "median",
            _ => "",
        };
        match self.is_change {
            false if high <= low => vec![tick(0.5, high, name)],
            false => vec![tick(0.0, low, ""), tick(0.5, middle, name), tick(1.0, high, "")],
            true => vec![tick(0.0, -high, ""), tick(0.5, 0.0, "no change"), tick(1.0, high, "")],
        }
    }

    /// The legend of a scale that was made of `values` and shows `shown`.
    pub(super) fn legend(
        &self,
        title: String,
        unit: &str,
        values: &[f64],
        shown: impl Iterator<Item = f64>,
    ) -> GraphLegend {
        let mut bins = vec![0; BINS];
        for &value in values {
            let (position, _) = self.position(value);
            bins[((position * BINS as f64) as usize).min(BINS - 1)] += 1;
        }
        let (mut below, mut above, mut without) = (0, 0, 0);
        for value in shown {
            if !value.is_finite() {
                without += 1
            } else {
                match self.position(value).1 {
                    0 => {}
                    1 => above += 1,
                    _ => below += 1,
                }
            }
        }
        GraphLegend {
            title,
            unit: unit.to_owned(),
            ticks: if values.is_empty() { vec![] } else { self.ticks() },
            bins,
            values: values.len() as u32,
            below,
            above,
            without,
            categories: vec![],
            note: String::new(),
        }
    }
}

fn median(sorted: &[f64]) -> f64 {
    match sorted.len() {
        0 => 0.0,
        len if len % 2 == 1 => sorted[len / 2],
        len => f64::midpoint(sorted[len / 2 - 1], sorted[len / 2]),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use super::*;

    fn positions(kind: GraphScale, values: &[f64], of: &[f64]) -> Vec<(f64, i8)> {
        let scale = Scale::new(kind, values, false);
        of.iter().map(|&value| scale.position(value)).collect()
    }

    #[test]
    fn a_centred_scale_ends_at_twice_the_centre() {
        let values = [1.0, 2.0, 3.0, 10.0];
        // The mean is 4, the median 2.5.
        let of_mean = positions(GraphScale::Mean, &values, &[0.0, 4.0, 8.0, 10.0]);
        assert_eq!(of_mean, [(0.0, 0), (0.5, 0), (1.0, 0), (1.0, 1)]);
        let of_median = positions(GraphScale::Median, &values, &[1.0, 2.5, 10.0]);
        assert_eq!(of_median, [(0.2, 0), (0.5, 0), (1.0, 1)]);
    }

    #[test]
    fn a_histogram_shows_ranks() {
        let values = [5.0, 1.0, 1.0, 1000.0];
        let ranks = positions(GraphScale::Histogram, &values, &[1.0, 5.0, 1000.0]);
        assert_eq!(ranks, [(0.0, 0), (0.5, 0), (1.0, 0)]);
    }

    #[test]
    fn logarithms_spread_evenly_and_zero_is_below() {
        let values = [0.0, 1.0, 100.0];
        let of = positions(GraphScale::Exponential, &values, &[0.0, 1.0, 10.0, 100.0]);
        assert_eq!(of, [(0.0, -1), (0.0, 0), (0.5, 0), (1.0, 0)]);
    }

    #[test]
    fn equal_values_are_in_the_middle() {
        use GraphScale::{Exponential, Histogram, Linear, Mean, Median};
        for kind in [Mean, Median, Histogram, Linear, Exponential] {
            assert_eq!(positions(kind, &[7.0, 7.0], &[7.0]), [(0.5, 0)], "{kind:?}");
        }
        assert_eq!(positions(Mean, &[], &[3.0]), [(0.5, 0)]);
    }

    #[test]
    fn differences_have_no_change_in_the_middle() {
        let scale = Scale::new(GraphScale::Linear, &[-4.0, 0.0, 2.0], true);
        let of = [-4.0, 0.0, 2.0].map(|value| scale.position(value).0);
        assert_eq!(of, [0.0, 0.5, 0.75]);
        let scale = Scale::new(GraphScale::Mean, &[-1.0, 0.0, 1.0, 7.0], true);
        assert_eq!(scale.position(7.0), (1.0, 1));
        assert_eq!(scale.position(-7.0), (0.0, -1));
    }

    /// The page has scales of its own for accesses and reads the same table: `views/accesses/scale.test.ts`.
    #[test]
    fn scales_are_those_of_the_table() {
        let table = std::fs::read_to_string(samples::testdata("scales.tsv")).unwrap();
        let mut rows = 0;
        for line in table.lines().filter(|line| !line.starts_with('#')).skip(1) {
            let mut fields = line.split('\t');
            let kind = match fields.next().unwrap() {
                "mean" => GraphScale::Mean,
                "median" => GraphScale::Median,
                "histogram" => GraphScale::Histogram,
                "linear" => GraphScale::Linear,
                "exponential" => GraphScale::Exponential,
                other => panic!("{other} is not a scale"),
            };
            let numbers =
                |text: &str| text.split(' ').map(|one| one.parse().unwrap()).collect::<Vec<f64>>();
            let values = numbers(fields.next().unwrap());
            let known: Vec<f64> = fields.map(|one| one.parse().unwrap()).collect();
            let &[value, position, low, middle, high] = &known[..] else { panic!("{line}") };
            let scale = Scale::new(kind, &values, false);
            let near = |one: f64, other: f64| (one - other).abs() <= 1e-9 * other.abs().max(1.0);
            assert!(near(scale.position(value).0, position), "{line}");
            let ticks: Vec<f64> = scale.ticks().iter().map(|tick| tick.value).collect();
            let ends = if high > low { vec![low, middle, high] } else { vec![high] };
            assert_eq!(ticks.len(), ends.len(), "{line}");
            assert!(ticks.iter().zip(&ends).all(|(one, other)| near(*one, *other)), "{line}");
            rows += 1;
        }
        assert!(rows > 100, "{rows} rows");
    }

    #[test]
    fn the_legend_counts_what_it_shows() {
        let values = [1.0, 2.0, 3.0, 10.0];
        let scale = Scale::new(GraphScale::Mean, &values, false);
        let shown = values.into_iter().chain([f64::NAN]);
        let legend = scale.legend("movement".to_owned(), "bytes", &values, shown);
        assert_eq!((legend.below, legend.above, legend.without), (0, 1, 1));
        assert_eq!(legend.bins.iter().sum::<u32>(), 4);
    }
}
