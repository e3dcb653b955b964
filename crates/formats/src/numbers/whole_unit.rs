//! Units in which the decimal fractions of a metric are whole numbers, for formats that have no
//! fractions.

use profile::{Metric, UnitKind, unit_scale};

/// Units that formats know by these names, and how many nanoseconds or bytes each is.
const TIMES: [(&str, i64); 6] = [
    ("hours", 3_600_000_000_000),
    ("minutes", 60_000_000_000),
    ("seconds", 1_000_000_000),
    ("milliseconds", 1_000_000),
    ("microseconds", 1_000),
    ("nanoseconds", 1),
];

const SIZES: [(&str, i64); 5] = [
    ("terabytes", 1 << 40),
    ("gigabytes", 1 << 30),
    ("megabytes", 1 << 20),
    ("kilobytes", 1 << 10),
    ("bytes", 1),
];

/// How values become values of another unit: multiplied, then divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WholeUnit {
    factor: i64,
    divisor: i64,
}

impl WholeUnit {
    /// The unit to write a metric in, and what its values become: its own if all are whole in it,
    /// else the coarsest finer one in which they are. Where there is none, values are rounded in
    /// the finest that does not leave 64 bits.
    pub(crate) fn new(
        metric: &Metric,
        values: impl Iterator<Item = i64> + Clone,
    ) -> (&str, WholeUnit) {
        let divisor = 10i64.pow(metric.decimals.into());
        let own = WholeUnit { factor: 1, divisor };
        let fits = |unit: WholeUnit| !values.clone().any(|value| unit.is_rounded(value));
        if fits(own) {
            return (&metric.unit, own);
        }
        let mut finest = (metric.unit.as_str(), own);
        for (name, factor) in finer(&metric.unit) {
            let unit = WholeUnit { factor, divisor };
            if values.clone().any(|value| unit.checked(value).is_none()) {
                break;
            }
            if fits(unit) {
                return (name, unit);
            }
            finest = (name, unit);
        }
        finest
    }

    /// A value in the unit; halves are rounded away from zero.
    pub(crate) fn value(self, value: i64) -> i64 {
        self.checked(value).unwrap_or(if value < 0 { i64::MIN } else { i64::MAX })
    }

    /// Whether a value is not whole in the unit.
    pub(crate) fn is_rounded(self, value: i64) -> bool {
        i128::from(value) * i128::from(self.factor) % i128::from(self.divisor) != 0
    }

    fn checked(self, value: i64) -> Option<i64> {
        let (value, divisor) =
            (i128::from(value) * i128::from(self.factor), i128::from(self.divisor));
        i64::try_from((value + divisor / 2 * value.signum()) / divisor).ok()
    }
}

/// The finer units, coarsest first, with how many of them the unit is.
fn finer(unit: &str) -> Vec<(&'static str, i64)> {
    let (size, kind) = unit_scale(unit);
    let ladder = match kind {
        UnitKind::Time => TIMES.as_slice(),
        UnitKind::Bytes => SIZES.as_slice(),
        UnitKind::Other(_) => return vec![],
    };
    ladder
        .iter()
        .filter(|(_, step)| *step < size)
        .map(|&(name, step)| (name, size / step))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_whole_unit(unit: &str, decimals: u8, values: &[i64]) -> (String, Vec<i64>) {
        let metric = Metric { decimals, ..Metric::new("m", unit) };
        let (name, scale) = WholeUnit::new(&metric, values.iter().copied());
        (name.to_owned(), values.iter().map(|&value| scale.value(value)).collect())
    }

    #[test]
    fn fractions_become_whole_in_a_finer_unit() {
        assert_eq!(
            in_whole_unit("seconds", 2, &[672, 0]),
            ("milliseconds".to_owned(), vec![6720, 0])
        );
        assert_eq!(in_whole_unit("s", 6, &[1]), ("microseconds".to_owned(), vec![1]));
        assert_eq!(in_whole_unit("ms", 0, &[7]), ("ms".to_owned(), vec![7]));
        assert_eq!(in_whole_unit("milliseconds", 1, &[70]), ("milliseconds".to_owned(), vec![7]));
        assert_eq!(in_whole_unit("MB", 1, &[5]), ("kilobytes".to_owned(), vec![512]));
        assert_eq!(
            in_whole_unit("nanoseconds", 1, &[15, -15]),
            ("nanoseconds".to_owned(), vec![2, -2])
        );
        assert_eq!(in_whole_unit("count", 1, &[14]), ("count".to_owned(), vec![1]));
        // As fine as 64 bits allow.
        let large = i64::MAX / 2;
        assert_eq!(in_whole_unit("seconds", 1, &[large]).0, "seconds");
    }
}
