//! The normal distribution.

use std::f64::consts::{PI, SQRT_2};

/// Probability that a standard normal variable lies above `z`; also in the far tail with some 13
/// digits.
pub(super) fn upper_tail(z: f64) -> f64 {
    0.5 * erfc(z / SQRT_2)
}

/// The value that a standard normal variable stays below with a probability, between 0 and 1.
pub(super) fn quantile(probability: f64) -> f64 {
    // The tail is looked for, where floating-point numbers are finest.
    let tail = probability.min(1.0 - probability);
    let (mut low, mut high) = (0.0, 40.0);
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if upper_tail(middle) > tail { low = middle } else { high = middle }
    }
    if probability < 0.5 { -low } else { low }
}

/// The complementary error function: Abramowitz and Stegun, *Handbook of Mathematical Functions*,
/// 7.1.6 (a series) near zero and 7.1.14 (a continued fraction) away from it.
fn erfc(x: f64) -> f64 {
    if x < 0.0 {
        return 2.0 - erfc(-x);
    }
    if x < 2.0 {
        let (mut term, mut sum) = (x, x);
        for n in 1..60 {
            term *= 2.0 * x * x / f64::from(2 * n + 1);
            sum += term;
        }
        return 1.0 - 2.0 / PI.sqrt() * (-x * x).exp() * sum;
    }
    let mut fraction = x;
    for n in (1..=60).rev() {
        fraction = x + f64::from(n) / 2.0 / fraction;
    }
    (-x * x).exp() / (PI.sqrt() * fraction)
}

#[cfg(test)]
mod tests {
    use super::{quantile, upper_tail};

    #[test]
    fn quantiles_are_those_of_scipy() {
        // scipy.stats.norm.ppf
        let known = [
            (0.5, 0.0),
            (0.975, 1.959_963_984_540_054),
            (0.1, -1.281_551_565_544_600_4),
            (1e-9, -5.997_807_015_007_686),
        ];
        for (probability, value) in known {
            assert!((quantile(probability) - value).abs() < 1e-9, "{probability}");
        }
    }

    #[test]
    fn tails_are_those_of_scipy() {
        // scipy.stats.norm.sf
        let known = [
            (0.0, 0.5),
            (0.5, 0.308_537_538_725_986_9),
            (1.959_963_984_540_054, 0.025),
            (2.9, 0.001_865_813_300_384_037_8),
            (5.0, 2.866_515_718_791_939e-7),
            (10.0, 7.619_853_024_160_527e-24),
            (-1.5, 0.933_192_798_731_141_9),
        ];
        for (z, tail) in known {
            let found = upper_tail(z);
            assert!((found - tail).abs() <= 1e-12 * tail, "{z}: {found} is not {tail}");
        }
        assert_eq!(upper_tail(1e200), 0.0);
    }
}
