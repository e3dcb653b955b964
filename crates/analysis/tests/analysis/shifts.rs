//! What verdicts find in simulated runs, beside what the best of simple methods finds.
//!
//! The table in `docs/experiments.md` comes from here: `HOTFRAME_LONG=1 cargo test -p analysis simulated -- \
//! --nocapture` prints it.

use analysis::statistics::{Interval, MARGIN, Shift, Verdict};
use proptest::prelude::*;

/// How values of runs scatter.
#[derive(Debug, Clone, Copy)]
enum Kind {
    /// Normal, with a deviation in percent.
    Normal(f64),
    /// Log-normal, with one of 5 %.
    LogNormal,
    /// Around 97 or 103.
    Bimodal,
    /// 1.5 %, and one run in ten takes 30 % more.
    Outliers,
}

/// Numbers that look random and are the same each time (PCG, O'Neill 2014).
struct Random(u64);

impl Random {
    fn uniform(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let word = ((self.0 >> 18) ^ self.0) >> 27;
        let turned = (word as u32).rotate_right((self.0 >> 59) as u32);
        (f64::from(turned) + 0.5) / 4_294_967_296.0
    }

    fn normal(&mut self) -> f64 {
        (-2.0 * self.uniform().ln()).sqrt() * (2.0 * std::f64::consts::PI * self.uniform()).cos()
    }

    fn run(&mut self, kind: Kind) -> f64 {
        match kind {
            Kind::Normal(percent) => 100.0 + percent * self.normal(),
            Kind::LogNormal => 100.0 * (0.05 * self.normal()).exp(),
            Kind::Bimodal => (if self.uniform() < 0.5 { 97.0 } else { 103.0 }) + self.normal(),
            Kind::Outliers => {
                let far = if self.uniform() < 0.1 { 1.3 } else { 1.0 };
                far * (100.0 + 1.5 * self.normal())
            }
        }
    }
}

/// Changes in percent, the first of them none.
const CHANGES: [f64; 5] = [0.0, 2.0, 5.0, 10.0, 50.0];

/// Percent of comparisons in which a difference is shown, by change.
fn shown(kind: Kind, runs: usize, comparisons: usize) -> [f64; 5] {
    CHANGES.map(|change| {
        let mut random = Random(change.to_bits() ^ (runs as u64) << 7 ^ 0x5DEECE66D);
        let mut side = |by: f64| -> Vec<f64> { (0..runs).map(|_| random.run(kind) * by).collect() };
        let found = (0..comparisons).filter(|_| {
            let (base, new) = (side(1.0), side(1.0 + change / 100.0));
            let shift = Shift::new(&base, &new).unwrap();
            // Whether it is a change at all is for the margin to say, and not for the test.
            matches!(shift.verdict(shift.p_value, 0.0), Verdict::More | Verdict::Less)
        });
        100.0 * found.count() as f64 / comparisons as f64
    })
}

/// Kind, runs a side, and what the best of Welch's and the pooled t-test, permutations of means, ranks and
/// trimmed means finds of each change.
const BEST: [(&str, Kind, usize, [f64; 4]); 17] = [
    ("normal 2 %", Kind::Normal(2.0), 2, [7.0, 29.0, 73.0, 100.0]),
    ("normal 2 %", Kind::Normal(2.0), 3, [17.0, 63.0, 99.0, 100.0]),
    ("normal 2 %", Kind::Normal(2.0), 4, [23.0, 83.0, 100.0, 100.0]),
    ("normal 2 %", Kind::Normal(2.0), 5, [28.0, 92.0, 100.0, 100.0]),
    ("normal 2 %", Kind::Normal(2.0), 10, [58.0, 100.0, 100.0, 100.0]),
    ("normal 5 %", Kind::Normal(5.0), 3, [6.0, 12.0, 42.0, 100.0]),
    ("normal 5 %", Kind::Normal(5.0), 5, [8.0, 30.0, 77.0, 100.0]),
    ("normal 5 %", Kind::Normal(5.0), 20, [26.0, 88.0, 100.0, 100.0]),
    ("log-normal", Kind::LogNormal, 3, [8.0, 14.0, 42.0, 100.0]),
    ("log-normal", Kind::LogNormal, 10, [16.0, 56.0, 98.0, 100.0]),
    ("bimodal", Kind::Bimodal, 2, [12.0, 15.0, 32.0, 100.0]),
    ("bimodal", Kind::Bimodal, 5, [12.0, 50.0, 100.0, 100.0]),
    ("bimodal", Kind::Bimodal, 20, [65.0, 100.0, 100.0, 100.0]),
    ("outliers", Kind::Outliers, 3, [12.0, 44.0, 59.0, 97.0]),
    ("outliers", Kind::Outliers, 5, [24.0, 67.0, 84.0, 100.0]),
    ("outliers", Kind::Outliers, 10, [55.0, 93.0, 93.0, 100.0]),
    ("outliers", Kind::Outliers, 20, [87.0, 100.0, 100.0, 100.0]),
];

/// Two runs a side of values that are 5 % larger: a deviation below 0.7 % is not believed of two runs, which
/// costs a little where runs do differ by less.
const SHORT: (&str, usize, usize) = ("normal 2 %", 2, 1);

#[test]
fn simulated_changes_are_found_and_others_are_not() {
    let comparisons = samples::cases(600, 10_000) as usize;
    // Of so many comparisons a share is uncertain by this much, in points.
    let chance = 250.0 / (comparisons as f64).sqrt() * 0.5;
    let mut false_findings = vec![];
    println!(
        "| runs | a side | no change | +2 % | +5 % | +10 % | +50 % |\n|---|---|---|---|---|---|---|"
    );
    for (name, kind, runs, best) in BEST {
        let [none, found @ ..] = shown(kind, runs, comparisons);
        println!(
            "| {name} | {runs} | {none:.1} | {} |",
            found.map(|share| format!("{share:.0}")).join(" | ")
        );
        false_findings.push(none);
        // Two runs that lie in one of two places, and two in the other, look like a change.
        assert!(none <= 8.0 + chance, "{name}, {runs}: {none} % are found without a change");
        for (at, (share, best)) in found.into_iter().zip(best).enumerate() {
            let least = best - 10.0 - chance;
            let is_short = (name, runs, at) == SHORT;
            assert!(share >= least || is_short, "{name}, {runs}, {at}: {share} %, {best} % can be");
        }
    }
    let mean = false_findings.iter().sum::<f64>() / false_findings.len() as f64;
    println!("mean without a change: {mean:.1} %");
    assert!(mean <= 5.0 + chance / 4.0, "{mean} % on average");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(samples::cases(200, 2_000)))]

    /// Whatever the values are: ends in order, the same in other units, and a verdict that fits.
    #[test]
    fn intervals_hold_what_they_estimate(
        base in prop::collection::vec(0.1f64..1e9, 2..30),
        new in prop::collection::vec(0.1f64..1e9, 2..30),
        unit in 1e-3f64..1e3,
    ) {
        let shift = Shift::new(&base, &new).unwrap();
        let Interval { estimate, low, high } = shift.ratio.unwrap();
        prop_assert!(low <= estimate && estimate <= high, "{shift:?}");
        prop_assert!((0.0..=1.0).contains(&shift.p_value), "{shift:?}");
        let scaled = |values: &[f64]| values.iter().map(|value| value * unit).collect::<Vec<_>>();
        let again = Shift::new(&scaled(&base), &scaled(&new)).unwrap();
        prop_assert!((again.p_value - shift.p_value).abs() < 1e-6, "{shift:?} {again:?}");
        let is_wide = low < 1.0 && high > 1.0;
        let verdict = shift.verdict(shift.p_value, MARGIN);
        let is_shown = matches!(verdict, Verdict::More | Verdict::Less);
        prop_assert!(!(is_wide && is_shown && shift.p_value > 0.05), "{shift:?}");
    }

    /// More of something is never shown to be less.
    #[test]
    fn what_is_larger_in_every_run_is_not_less(
        base in prop::collection::vec(10.0f64..20.0, 2..20),
        new in prop::collection::vec(20.0f64..30.0, 2..20),
    ) {
        let shift = Shift::new(&base, &new).unwrap();
        prop_assert!(shift.verdict(shift.p_value, MARGIN) != Verdict::Less, "{shift:?}");
        prop_assert!(shift.difference.estimate > 0.0, "{shift:?}");
    }
}
