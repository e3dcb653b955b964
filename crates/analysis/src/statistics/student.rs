//! Student's t distribution.

/// Probability that |t| is at least as large as this, with so many degrees of freedom (above 0).
pub fn student_two_sided(t: f64, freedom: f64) -> f64 {
    if t.is_nan() || freedom.is_nan() || freedom <= 0.0 {
        return 1.0;
    }
    if t.is_infinite() {
        return 0.0;
    }
    // Abramowitz and Stegun, 26.7.1 with 26.5.27.
    incomplete_beta(freedom / (freedom + t * t), freedom / 2.0, 0.5).clamp(0.0, 1.0)
}

/// The t that |t| exceeds with a probability, from 0 to 1; `None` where there is no such number.
pub fn student_quantile(two_sided: f64, freedom: f64) -> Option<f64> {
    if !(two_sided > 0.0 && two_sided < 1.0 && freedom > 0.0) {
        return None;
    }
    // The tail falls ever less steeply above 0, so that Newton's method comes closer from below with
    // every step.
    let front = log_beta(freedom / 2.0, 0.5) + freedom.ln() / 2.0;
    let mut t = 0.0f64;
    for _ in 0..200 {
        let log_density = -(freedom + 1.0) / 2.0 * (t * t / freedom).ln_1p() - front;
        let step = (student_two_sided(t, freedom) - two_sided) / (2.0 * log_density.exp());
        t += step;
        if step <= t * 1e-12 {
            return Some(t);
        }
        if t > 1e12 {
            break;
        }
    }
    None
}

/// The regularised incomplete beta function by its continued fraction (Abramowitz and Stegun,
/// 26.5.8, evaluated by Lentz's method).
fn incomplete_beta(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    let front = (a * x.ln() + b * (1.0 - x).ln() - log_beta(a, b)).exp();
    // Converges quickly on this side only.
    if x < (a + 1.0) / (a + b + 2.0) {
        front * beta_fraction(x, a, b) / a
    } else {
        1.0 - front * beta_fraction(1.0 - x, b, a) / b
    }
}

fn beta_fraction(x: f64, a: f64, b: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let held = |value: f64| if value.abs() < TINY { TINY } else { value };
    let (mut c, mut d) = (1.0, 1.0 / held(1.0 - (a + b) * x / (a + 1.0)));
    let mut fraction = d;
    for m in 1..=500 {
        let m = f64::from(m);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / held(1.0 + even * d);
        c = held(1.0 + even / c);
        fraction *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / held(1.0 + odd * d);
        c = held(1.0 + odd / c);
        fraction *= d * c;
        if (d * c - 1.0).abs() < 1e-15 {
            break;
        }
    }
    fraction
}

fn log_beta(a: f64, b: f64) -> f64 {
    log_gamma(a) + log_gamma(b) - log_gamma(a + b)
}

/// By Stirling's series (Abramowitz and Stegun, 6.1.41), shifted to where it is exact to 15 digits.
fn log_gamma(x: f64) -> f64 {
    let (mut x, mut shift) = (x, 0.0);
    while x < 15.0 {
        shift -= x.ln();
        x += 1.0;
    }
    let series = 1.0 / (12.0 * x) - 1.0 / (360.0 * x.powi(3)) + 1.0 / (1260.0 * x.powi(5))
        - 1.0 / (1680.0 * x.powi(7));
    (x - 0.5) * x.ln() - x + (2.0 * std::f64::consts::PI).ln() / 2.0 + series + shift
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails_are_those_of_scipy() {
        // 2 * scipy.stats.t.sf(t, freedom)
        let known = [
            (1.0, 1.0, 0.5),
            (2.0, 2.0, 0.183_503_419_072_273_97),
            (12.706_204_736_432_095, 1.0, 0.049_999_999_998_991_3),
            (2.5, 7.3, 0.039_650_234_665_600_43),
            (3.0, 1000.0, 0.002_766_709_044_238_192_5),
            (-2.0, 2.0, 0.183_503_419_072_273_97),
        ];
        for (t, freedom, tail) in known {
            let found = student_two_sided(t, freedom);
            assert!((found - tail).abs() < 1e-10 * tail, "{t} {freedom}: {found}, {tail}");
        }
        // scipy.stats.t.ppf(0.975, freedom)
        for (freedom, t) in [(1.0, 12.706_204_736), (4.0, 2.776_445_105), (30.0, 2.042_272_456)] {
            assert!((student_quantile(0.05, freedom).unwrap() - t).abs() < 1e-7, "{freedom}");
        }
        // What is exceeded with a probability is exceeded with that probability.
        for freedom in [0.5, 1.0, 1.7, 9.3, 250.0, 1e6] {
            for two_sided in [0.999, 0.5, 0.05, 1e-3, 1e-6] {
                let t = student_quantile(two_sided, freedom);
                let back = t.map(|t| student_two_sided(t, freedom));
                let is_near = |back: f64| (back - two_sided).abs() < 1e-7 * two_sided;
                assert!(back.map_or(freedom < 1.0, is_near), "{two_sided} {freedom}: {t:?}");
            }
        }
        assert_eq!(student_quantile(0.0, 3.0), None);
        assert_eq!(student_two_sided(f64::INFINITY, 3.0), 0.0);
        assert_eq!(student_two_sided(0.0, 3.0), 1.0);
    }
}
