//! Decimals that grow with the numbers that come, so that whole numbers stay whole.

use crate::Warnings;
use crate::numbers::decimal::Decimal;

/// The scale of a column of decimal numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Scale {
    /// Digits after the point that are kept.
    pub(crate) decimals: u8,
    most: u8,
    /// The largest number so far, scaled.
    largest: u64,
}

/// A number on a [`Scale`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Scaled {
    pub(crate) value: i64,
    /// What numbers from before must be multiplied with, because the scale grew; it fits.
    pub(crate) grown: Option<i64>,
}

impl Scale {
    /// A scale that keeps `most` digits after the point; further ones are rounded.
    pub(crate) fn up_to(most: u8) -> Scale {
        Scale { decimals: 0, most, largest: 0 }
    }

    /// Scales `number`; none if it leaves 64 bits. The scale does not grow where numbers from
    /// before would leave 64 bits. A number that is too small becomes 0, with a warning.
    #[inline]
    pub(crate) fn fit(&mut self, number: Decimal, warnings: &mut Warnings) -> Option<Scaled> {
        let mut grown = None;
        if number.exponent < -i32::from(self.decimals) && self.decimals < self.most {
            grown = self.grow(number);
        }
        let value = number.to_scaled(self.decimals)?;
        if value == 0 && number.mantissa != 0 {
            warn_vanished(warnings, self.decimals);
        }
        self.largest = self.largest.max(value.unsigned_abs());
        Some(Scaled { value, grown })
    }

    #[inline(never)]
    fn grow(&mut self, number: Decimal) -> Option<i64> {
        let wanted = number.decimals().min(self.most);
        if wanted <= self.decimals {
            return None;
        }
        let factor = 10i64.checked_pow(u32::from(wanted - self.decimals))?;
        let largest = self.largest.checked_mul(factor as u64)?;
        if largest > i64::MAX as u64 || number.to_scaled(wanted).is_none() {
            return None;
        }
        self.decimals = wanted;
        self.largest = largest;
        Some(factor)
    }
}

/// A value that is not 0 became 0.
pub(crate) fn warn_vanished(warnings: &mut Warnings, decimals: u8) {
    warnings.add("vanished", || format!("values too small for {decimals} decimals count as 0"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_grows_as_far_as_it_may_and_numbers_fit() {
        let mut scale = Scale::up_to(3);
        let mut warnings = Warnings::default();
        let mut fit = |text: &str| {
            let scaled = scale.fit(Decimal::parse(text.as_bytes()).unwrap(), &mut warnings);
            (scaled.map(|scaled| (scaled.value, scaled.grown)), scale.decimals)
        };
        assert_eq!(fit("12.0"), (Some((12, None)), 0));
        assert_eq!(fit("0.5"), (Some((5, Some(10))), 1));
        assert_eq!(fit("0.12345"), (Some((123, Some(100))), 3));
        assert_eq!(fit("-7"), (Some((-7000, None)), 3));
        assert_eq!(fit("1e18"), (None, 3));

        let mut large = Scale::up_to(9);
        let mut warnings = Warnings::default();
        let mut fit =
            |text: &str| large.fit(Decimal::parse(text.as_bytes()).unwrap(), &mut warnings);
        assert_eq!(fit("1700000000000000000").unwrap().value, 1_700_000_000_000_000_000);
        assert_eq!(fit("2.5"), Some(Scaled { value: 3, grown: None }));
    }
}
