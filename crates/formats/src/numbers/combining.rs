//! How the values of a metric combine, where the format says it with the metric's name only.

use profile::{Combine, Combining};

/// What names of metrics say, as HPCToolkit's statistics (`CPUTIME:Max`), VTune's columns and
/// memory's high-water marks do. Words of one meaning each; a name without any adds up.
pub(crate) fn by_name(name: &str) -> Combining {
    let lower = name.to_ascii_lowercase();
    let words = || lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let has = |wanted: &[&str]| words().any(|word| wanted.contains(&word));
    let is_mark = has(&["peak", "rss", "hwm", "highwatermark"]) || lower.contains("high water");
    if has(&["stddev", "cfvar", "variance", "ratio", "rate", "cpi", "ipc", "frequency"]) {
        Combining::everywhere(Combine::None)
    } else if has(&["mean", "avg", "average"]) {
        Combining::everywhere(Combine::Mean)
    } else if is_mark {
        HIGH_WATER_MARK
    } else if has(&["max", "maximum"]) {
        Combining::everywhere(Combine::Maximum)
    } else if has(&["min", "minimum"]) {
        Combining::everywhere(Combine::Minimum)
    } else {
        Combining::default()
    }
}

/// The most that something ever was: contexts reach theirs at different times, so that nothing is
/// known of several together.
pub(crate) const HIGH_WATER_MARK: Combining = Combining {
    contexts: Combine::None,
    time: Combine::Maximum,
    members: Combine::Maximum,
    weight: None,
};

/// Shares of a whole: those of contexts add up to it, those of different wholes to nothing.
pub(crate) const SHARE: Combining =
    Combining { contexts: Combine::Sum, time: Combine::None, members: Combine::None, weight: None };

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_how_values_combine() {
        for (name, expected) in [
            ("CPUTIME:Sum (I)", Combine::Sum),
            ("CPUTIME:Max (E)", Combine::Maximum),
            ("PAPI_TOT_CYC:Mean", Combine::Mean),
            ("REALTIME:StdDev", Combine::None),
            ("CPI Rate", Combine::None),
            ("L2_RQSTS.MISS", Combine::Sum),
            ("maximize", Combine::Sum),
        ] {
            assert_eq!(by_name(name), Combining::everywhere(expected), "{name}");
        }
        assert_eq!(by_name("peak RSS"), HIGH_WATER_MARK);
    }
}
