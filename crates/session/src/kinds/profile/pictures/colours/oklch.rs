//! From lightness, chroma and hue to red, green and blue.

/// A colour: red, green, blue.
pub(crate) type Rgb = [u8; 3];

/// As `#rrggbb`.
pub(crate) fn hex([red, green, blue]: Rgb) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// A colour of OKLCH (Ottosson 2020, CSS Color 4) in sRGB; where screens have none that strong, the
/// strongest of the same lightness and hue.
pub(in crate::kinds::profile) fn rgb(lightness: f64, chroma: f64, hue: f64) -> Rgb {
    let inside = |chroma: f64| {
        linear(lightness, chroma, hue).iter().all(|part| (-1e-4..=1.0001).contains(part))
    };
    let (mut low, mut high) = (0.0, chroma);
    if !inside(chroma) {
        for _ in 0..24 {
            let middle = (low + high) / 2.0;
            if inside(middle) { low = middle } else { high = middle }
        }
    } else {
        low = chroma;
    }
    linear(lightness, low, hue).map(|part| (gamma(part.clamp(0.0, 1.0)) * 255.0).round() as u8)
}

fn linear(lightness: f64, chroma: f64, hue: f64) -> [f64; 3] {
    let (sin, cos) = hue.to_radians().sin_cos();
    let (a, b) = (chroma * cos, chroma * sin);
    let l = (lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b).powi(3);
    let m = (lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b).powi(3);
    let s = (lightness - 0.089_484_177_5 * a - 1.291_485_548_0 * b).powi(3);
    [
        4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s,
        -1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s,
        -0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701_0 * s,
    ]
}

fn gamma(part: f64) -> f64 {
    if part <= 0.003_130_8 { 12.92 * part } else { 1.055 * part.powf(1.0 / 2.4) - 0.055 }
}

#[cfg(test)]
pub(in crate::kinds::profile) mod tests {
    use super::{Rgb, rgb};

    /// Figures of CSS Color 4's own examples.
    #[test]
    fn known_colours() {
        assert_eq!(rgb(1.0, 0.0, 0.0), [255, 255, 255]);
        assert_eq!(rgb(0.0, 0.0, 0.0), [0, 0, 0]);
        assert_eq!(rgb(0.627_955, 0.257_704, 29.233_9), [255, 0, 0]);
        assert_eq!(rgb(0.519_752, 0.176_858, 142.495), [0, 128, 0]);
        // Stronger than any screen: the lightness stays, a channel is at its end.
        assert!(rgb(0.7, 0.5, 150.0).contains(&0));
    }

    /// Contrast of two colours by WCAG 2.2: from 1 to 21.
    pub(in crate::kinds::profile) fn contrast(one: Rgb, other: Rgb) -> f64 {
        let luminance = |colour: Rgb| {
            let [red, green, blue] = colour.map(|part| {
                let part = f64::from(part) / 255.0;
                if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
            });
            0.2126 * red + 0.7152 * green + 0.0722 * blue
        };
        let (one, other) = (luminance(one), luminance(other));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    #[test]
    fn black_on_white_is_the_most() {
        assert!((contrast([0; 3], [255; 3]) - 21.0).abs() < 1e-9);
    }
}
