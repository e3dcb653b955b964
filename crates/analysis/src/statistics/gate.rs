//! Whether a change passes a limit.

use super::Interval;

/// What is known of a change and a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Crossing {
    /// The change is shown to be beyond the limit.
    Beyond,
    /// It is shown not to be.
    Within,
    /// Neither is shown: the measured change is beyond the limit.
    MaybeBeyond,
    /// Neither is shown: the measured change is not beyond it.
    MaybeWithin,
}

impl Crossing {
    /// For a change as it was measured, with the interval in which it lies where that is known. A change that
    /// is not believed is not shown to be beyond anything. A limit below 0 is one for falls.
    #[must_use]
    pub fn new(
        measured: f64,
        interval: Option<Interval>,
        is_believed: bool,
        limit: f64,
    ) -> Crossing {
        let is_fall = limit.is_sign_negative();
        let is_beyond = |value: f64| if is_fall { value < limit } else { value > limit };
        let maybe = if is_beyond(measured) { Crossing::MaybeBeyond } else { Crossing::MaybeWithin };
        let Some(Interval { low, high, .. }) = interval else { return maybe };
        let [nearest, farthest] = if is_fall { [high, low] } else { [low, high] };
        if is_beyond(nearest) && is_believed {
            Crossing::Beyond
        } else if !is_beyond(farthest) {
            Crossing::Within
        } else {
            maybe
        }
    }

    /// Whether the gate is closed, where `unknown` says what is done when nothing is shown.
    #[must_use]
    pub fn fails(self, unknown: Unknown) -> bool {
        match (self, unknown) {
            (Crossing::Beyond, _) => true,
            (Crossing::Within, _) => false,
            (_, Unknown::Pass) => false,
            (_, Unknown::Fail) => true,
            (maybe, Unknown::Measured) => maybe == Crossing::MaybeBeyond,
        }
    }
}

/// What is done with changes of which nothing is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Unknown {
    /// They fail if the measured change is beyond the limit.
    #[default]
    Measured,
    /// They pass.
    Pass,
    /// They fail.
    Fail,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_passed_where_the_interval_says_so() {
        let interval = |low, high| Some(Interval { estimate: (low + high) / 2.0, low, high });
        let of = |measured, interval, is_believed, limit| {
            Crossing::new(measured, interval, is_believed, limit)
        };
        assert_eq!(of(8.0, interval(6.0, 10.0), true, 5.0), Crossing::Beyond);
        assert_eq!(of(8.0, interval(6.0, 10.0), false, 5.0), Crossing::MaybeBeyond);
        assert_eq!(of(2.0, interval(1.0, 3.0), true, 5.0), Crossing::Within);
        assert_eq!(of(6.0, interval(1.0, 10.0), true, 5.0), Crossing::MaybeBeyond);
        assert_eq!(of(4.0, interval(1.0, 10.0), true, 5.0), Crossing::MaybeWithin);
        assert_eq!(of(6.0, None, false, 5.0), Crossing::MaybeBeyond);
        assert_eq!(of(-8.0, interval(-10.0, -6.0), true, -5.0), Crossing::Beyond);
        assert_eq!(of(-2.0, interval(-3.0, 1.0), true, -5.0), Crossing::Within);
        assert_eq!(of(5.0, interval(5.0, 5.0), true, 5.0), Crossing::Within);
    }

    #[test]
    fn unknown_changes_fail_as_they_were_measured_unless_set_otherwise() {
        for (crossing, fails) in [
            (Crossing::Beyond, [true, true, true]),
            (Crossing::Within, [false, false, false]),
            (Crossing::MaybeBeyond, [true, false, true]),
            (Crossing::MaybeWithin, [false, false, true]),
        ] {
            let all = [Unknown::Measured, Unknown::Pass, Unknown::Fail];
            assert_eq!(all.map(|unknown| crossing.fails(unknown)), fails, "{crossing:?}");
        }
    }
}
