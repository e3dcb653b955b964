//! By how much runs differ from other runs, and what can be said of it. Every comparison of runs asks here.
//!
//! | runs on the smaller side | test, and interval that goes with it |
//! |---|---|
//! | 1 | none: the change is shown as it was measured |
//! | 2 to 11 | Student's pooled t-test; from 4 runs on without values that lie far from all others |
//! | 12 and more | van der Waerden's normal scores, with the shift that they estimate |
//!
//! Values above 0 are compared by their logarithms, since times scatter in proportion to what they are.
//! Ranks and permutations of 2 or 3 runs never reach 5 %, however large a change is; a t-test does, with about the
//! right share of false findings. `docs/experiments.md` has the figures of simulations, which
//! `analysis/tests` repeats.

use super::normal::quantile;
use super::{Interval, student_quantile, student_two_sided};

/// How new runs differ from those of a base.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shift {
    /// How many runs each side has, base first.
    pub runs: [usize; 2],
    /// Runs that lie far from all others of their side, and do not count.
    pub set_aside: usize,
    /// How likely runs of one kind differ as much.
    pub p_value: f64,
    /// New less base, in the unit of the values, with its 95 % interval.
    pub difference: Interval,
    /// New over base; none where a value is 0 or below.
    pub ratio: Option<Interval>,
}

/// What can be said of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// More than before.
    More,
    /// Less than before.
    Less,
    /// The same: the whole interval lies within the margin.
    Same,
    /// Neither is shown.
    Unknown(Reason),
}

/// Why nothing can be said of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// A side has one run: nobody knows how far runs differ by themselves.
    OneRun,
    /// The interval holds both what is a change and what is none.
    Wide,
    /// Alone it would be shown, but with so many compared some are found by chance.
    Many,
    /// It is too small a part of the whole to be tested.
    Small,
    /// It was measured on one side only.
    NotMeasured,
    /// What is compared is not a value of the runs, as a formula is not.
    Untested,
}

impl Reason {
    /// For people and programs.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Reason::OneRun => "1 run on a side",
            Reason::Wide => "too noisy, or too few runs",
            Reason::Many => "may be a false positive",
            Reason::Small => "too small to be tested",
            Reason::NotMeasured => "not measured on both sides",
            Reason::Untested => "not tested",
        }
    }
}

impl Verdict {
    /// `more`, `less`, `same` or `unknown`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Verdict::More => "more",
            Verdict::Less => "less",
            Verdict::Same => "same",
            Verdict::Unknown(_) => "unknown",
        }
    }

    /// Whether several runs a side leave it open.
    #[must_use]
    pub fn is_undecided(self) -> bool {
        matches!(self, Verdict::Unknown(reason) if reason != Reason::OneRun)
    }

    /// Why nothing can be said, if so.
    #[must_use]
    pub fn reason(self) -> Option<Reason> {
        match self {
            Verdict::Unknown(reason) => Some(reason),
            _ => None,
        }
    }
}

/// The share of false findings that is accepted: of tests, and of findings among many tests.
pub const LEVEL: f64 = 0.05;

/// How large a share of a value a change has to be to be one at all, unless another margin is asked for.
pub const MARGIN: f64 = 0.01;

/// From so many runs on either side on, ranks lose next to nothing, and outliers do no harm.
const RANKED: usize = 12;

/// With two runs a side their deviation is a guess from two numbers. It is taken to be this share of the
/// values at least, or two runs that happen to agree would show any change.
const LEAST_DEVIATION: f64 = 0.008;

/// What p-values are multiplied by where values were set aside, since which ones was seen in the data.
const SELECTION: f64 = 1.5;

impl Shift {
    /// Compares runs; none where a side has less than two, or a value is not finite.
    #[must_use]
    pub fn new(base: &[f64], new: &[f64]) -> Option<Shift> {
        let all = || base.iter().chain(new);
        let is_sound = all().all(|value| value.is_finite());
        if !is_sound || base.len().min(new.len()) < 2 {
            return None;
        }
        let is_positive = all().all(|&value| value > 0.0);
        let scaled = |values: &[f64]| -> Vec<f64> {
            values.iter().map(|&value| if is_positive { value.ln() } else { value }).collect()
        };
        let sides = [scaled(base), scaled(new)];
        let centre = mean(base);
        let least = if is_positive { LEAST_DEVIATION } else { LEAST_DEVIATION * centre.abs() };
        let is_ranked = base.len().min(new.len()) >= RANKED;
        // What the change is a change of: the same runs that say how large it is.
        let centre = match (is_positive, is_ranked) {
            (false, _) => centre,
            (true, true) => median(base),
            (true, false) => {
                let [kept, _] = without_outliers(sides.clone());
                mean(&kept.into_iter().map(f64::exp).collect::<Vec<f64>>())
            }
        };
        let (p_value, found, set_aside) =
            if is_ranked { by_ranks(&sides)? } else { by_means(sides, least)? };
        let Interval { estimate, low, high } = found;
        let of = |each: fn(f64) -> f64| Interval {
            estimate: each(estimate),
            low: each(low),
            high: each(high),
        };
        let (ratio, difference) = if is_positive {
            let less_one = of(f64::exp_m1);
            let by = |share: f64| centre * share;
            let difference = Interval {
                estimate: by(less_one.estimate),
                low: by(less_one.low),
                high: by(less_one.high),
            };
            (Some(of(f64::exp)), difference)
        } else {
            (None, found)
        };
        let ends = [difference.low, difference.high, difference.estimate];
        let is_sound = ends.iter().all(|end| end.is_finite());
        let runs = [base.len(), new.len()];
        is_sound.then_some(Shift { runs, set_aside, p_value, difference, ratio })
    }

    /// What can be said, where the p-value adjusted for all that is compared is this, and changes up to
    /// this share of the value are none.
    #[must_use]
    pub fn verdict(&self, adjusted: f64, margin: f64) -> Verdict {
        let is_within = match &self.ratio {
            Some(ratio) => ratio.low >= 1.0 - margin && ratio.high <= 1.0 + margin,
            None => self.difference.low == 0.0 && self.difference.high == 0.0,
        };
        if is_within {
            Verdict::Same
        } else if adjusted <= LEVEL {
            if self.difference.estimate > 0.0 { Verdict::More } else { Verdict::Less }
        } else if self.p_value <= LEVEL {
            Verdict::Unknown(Reason::Many)
        } else {
            Verdict::Unknown(Reason::Wide)
        }
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 {
        sorted[middle]
    } else {
        f64::midpoint(sorted[middle - 1], sorted[middle])
    }
}

/// Student's pooled t-test and its interval.
fn by_means(sides: [Vec<f64>; 2], least: f64) -> Option<(f64, Interval, usize)> {
    let all = sides[0].len() + sides[1].len();
    let is_shortest = sides.iter().all(|side| side.len() == 2);
    let [base, new] = without_outliers(sides);
    let set_aside = all - base.len() - new.len();
    let counts = [base.len() as f64, new.len() as f64];
    let means = [mean(&base), mean(&new)];
    let squares =
        |side: &[f64], mean: f64| -> f64 { side.iter().map(|value| (value - mean).powi(2)).sum() };
    let freedom = counts[0] + counts[1] - 2.0;
    let mut variance = (squares(&base, means[0]) + squares(&new, means[1])) / freedom;
    if is_shortest {
        variance += least * least;
    }
    let estimate = means[1] - means[0];
    let error = (variance * (1.0 / counts[0] + 1.0 / counts[1])).sqrt();
    // What sums of equal numbers are off by.
    let rounding = 1e-12 * means[0].abs().max(means[1].abs());
    if error <= rounding {
        // Counts that are the same in every run.
        let estimate = if estimate.abs() <= rounding { 0.0 } else { estimate };
        let p_value = if estimate == 0.0 { 1.0 } else { 0.0 };
        let interval = Interval { estimate, low: estimate, high: estimate };
        return Some((p_value, interval, set_aside));
    }
    let cost = if set_aside > 0 { SELECTION } else { 1.0 };
    let half = student_quantile(LEVEL / cost, freedom)? * error;
    let interval = Interval { estimate, low: estimate - half, high: estimate + half };
    let p_value = (student_two_sided(estimate / error, freedom) * cost).min(1.0);
    Some((p_value, interval, set_aside))
}

/// Both sides without values that lie far from all others of their side: one of four at most, and by many
/// times as much as the values of both sides lie from their medians. One run in ten that something
/// disturbed hides any change otherwise.
fn without_outliers(sides: [Vec<f64>; 2]) -> [Vec<f64>; 2] {
    let medians = [median(&sides[0]), median(&sides[1])];
    let off = |side: usize, value: f64| (value - medians[side]).abs();
    let all: Vec<f64> = (0..2)
        .flat_map(|side| sides[side].iter().map(move |&value| (side, value)))
        .map(|(side, value)| off(side, value))
        .collect();
    let count = all.len() as f64;
    // Each median has taken one value's part in the scatter.
    let scale = median(&all) * 1.4826 * (count / (count - 2.0)).sqrt();
    let mut kept = sides.clone();
    for (side, values) in kept.iter_mut().enumerate() {
        let most = values.len() / 4;
        let far = if values.len() == 4 { 12.0 } else { 8.0 };
        values.sort_by(|a, b| off(side, *a).total_cmp(&off(side, *b)));
        for _ in 0..most {
            match values.last() {
                Some(&last) if off(side, last) > far * scale => values.pop(),
                _ => break,
            };
        }
    }
    kept
}

/// Van der Waerden's test: ranks as the normal distribution would have them, which lose nothing where values
/// are normal. The interval holds the shifts that the test does not refuse.
fn by_ranks([base, new]: &[Vec<f64>; 2]) -> Option<(f64, Interval, usize)> {
    let scores: Vec<f64> = {
        let count = (base.len() + new.len()) as f64;
        (1..=base.len() + new.len()).map(|rank| quantile(rank as f64 / (count + 1.0))).collect()
    };
    let test = |shift: f64| score(base, new, shift, &scores);
    let ends = |values: &[f64]| {
        values.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], &value| {
            [low.min(value), high.max(value)]
        })
    };
    let ([base_low, base_high], [new_low, new_high]) = (ends(base), ends(new));
    let (lowest, highest) = (new_low - base_high, new_high - base_low);
    let t = test(0.0);
    let freedom = scores.len() as f64 - 2.0;
    let bound = student_quantile(LEVEL, freedom)?;
    // What is left of the difference falls with the shift that is taken away.
    let shift_of = |wanted: f64| {
        let (mut low, mut high) = (lowest, highest);
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            if test(middle) > wanted { low = middle } else { high = middle }
        }
        f64::midpoint(low, high)
    };
    let interval =
        Interval { estimate: shift_of(0.0), low: shift_of(bound), high: shift_of(-bound) };
    Some((student_two_sided(t, freedom), interval, 0))
}

/// How far scores of the new side lie above those of the base, as Student's t, where `shift` is taken off the
/// new values.
fn score(base: &[f64], new: &[f64], shift: f64, scores: &[f64]) -> f64 {
    let mut all: Vec<(f64, bool)> = base.iter().map(|&value| (value, false)).collect();
    all.extend(new.iter().map(|&value| (value - shift, true)));
    all.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let (mut sum, mut squares, mut at) = (0.0, 0.0, 0);
    for equal in all.chunk_by(|a, b| a.0 == b.0) {
        let own = mean(&scores[at..at + equal.len()]);
        sum += own * equal.iter().filter(|(_, is_new)| *is_new).count() as f64;
        squares += own * own * equal.len() as f64;
        at += equal.len();
    }
    let (count, part) = (all.len() as f64, new.len() as f64);
    let spread = (squares * part * (count - part) / count).sqrt();
    if spread < 1e-9 {
        return 0.0;
    }
    let correlation = (sum / spread).clamp(-1.0, 1.0);
    correlation * ((count - 2.0) / (1.0 - correlation * correlation).max(1e-15)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pooled_t_test_is_that_of_scipy() {
        // scipy.stats.ttest_ind(log(new), log(base)), and the exponentials of its confidence interval.
        let shift = Shift::new(&[100.0, 102.0, 98.0], &[110.0, 111.0, 108.0]).unwrap();
        assert!((shift.p_value - 0.002_797_733_990_329_239).abs() < 1e-12, "{shift:?}");
        let ratio = shift.ratio.unwrap();
        for (found, scipy) in [
            (ratio.estimate, 1.096_741_786_504_178_2),
            (ratio.low, 1.054_685_666_112_623_6),
            (ratio.high, 1.140_474_915_808_642_7),
        ] {
            assert!((found - scipy).abs() < 1e-9, "{found}, {scipy}");
        }
    }

    #[test]
    fn few_runs_are_not_equal_runs() {
        let one = Shift::new(&[1.0], &[2.0, 2.0]);
        assert_eq!(one, None);
        let wide = Shift::new(&[100.0, 120.0], &[105.0, 130.0]).unwrap();
        assert_eq!(wide.verdict(wide.p_value, MARGIN), Verdict::Unknown(Reason::Wide));
        let more = Shift::new(&[100.0, 102.0], &[150.0, 148.0]).unwrap();
        assert_eq!(more.verdict(more.p_value, MARGIN), Verdict::More);
        assert_eq!(more.verdict(0.2, MARGIN), Verdict::Unknown(Reason::Many));
    }

    #[test]
    fn equal_counts_are_the_same_and_others_are_not() {
        let same = Shift::new(&[7.0; 3], &[7.0; 4]).unwrap();
        assert_eq!(same.verdict(same.p_value, 0.0), Verdict::Same);
        let more = Shift::new(&[7.0; 3], &[8.0; 3]).unwrap();
        assert_eq!((more.p_value, more.verdict(more.p_value, MARGIN)), (0.0, Verdict::More));
        let from_nothing = Shift::new(&[0.0; 3], &[5.0; 3]).unwrap();
        assert_eq!(from_nothing.ratio, None);
        assert_eq!(from_nothing.verdict(from_nothing.p_value, MARGIN), Verdict::More);
        let nothing = Shift::new(&[0.0; 2], &[0.0; 2]).unwrap();
        assert_eq!(nothing.verdict(nothing.p_value, MARGIN), Verdict::Same);
    }

    #[test]
    fn sides_turned_round_say_the_same_of_each_other() {
        let mut random = crate::statistics::random::Random::new(7);
        for runs in [2, 3, 4, 5, 8, 12, 20] {
            let mut draw = |by: f64| -> Vec<f64> {
                (0..runs).map(|_| by + random.below(1000) as f64 / 100.0).collect()
            };
            let (base, new) = (draw(100.0), draw(103.0));
            let there = Shift::new(&base, &new).unwrap();
            let back = Shift::new(&new, &base).unwrap();
            let (ratio, other) = (there.ratio.unwrap(), back.ratio.unwrap());
            let near = |a: f64, b: f64| (a - b).abs() < 1e-6 * a.abs().max(1e-3);
            assert!(near(there.p_value, back.p_value), "{runs}: {there:?} {back:?}");
            assert!(near(ratio.estimate, 1.0 / other.estimate), "{runs}: {there:?} {back:?}");
            assert!(near(ratio.low, 1.0 / other.high), "{runs}: {there:?} {back:?}");
            assert!(ratio.low <= ratio.estimate && ratio.estimate <= ratio.high);
        }
    }

    #[test]
    fn one_disturbed_run_hides_no_change() {
        let base = [100.0, 101.0, 99.0, 100.5, 130.0];
        let new = [110.0, 111.0, 109.0, 110.5, 110.2];
        let shift = Shift::new(&base, &new).unwrap();
        assert_eq!(shift.verdict(shift.p_value, MARGIN), Verdict::More);
    }
}
