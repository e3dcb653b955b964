//! Numbers.

use num_traits::CheckedMul as _;

use super::{ParseError, Parser, is_word_part};
use crate::expr::{Expr, Number, TooLarge};

impl Parser<'_> {
    /// A number, exact: `2`, `1.5`, `1e-3`, `2i16`, `7f64`.
    pub(super) fn number(&mut self) -> Result<Expr, ParseError> {
        let start = self.at;
        let too_large = |parser: &Parser<'_>| parser.error(TooLarge.to_string());
        let mut value = Number::from_integer(0);
        let mut scale: i32 = 0;
        let mut is_fraction = false;
        let ten = Number::from_integer(10);
        while let Some(c) = self.rest().chars().next() {
            match c {
                '.' if !is_fraction => is_fraction = true,
                '_' => {}
                '0'..='9' => {
                    let digit = Number::from_integer(i128::from(c as u8 - b'0'));
                    let shifted = value.checked_mul(&ten).ok_or_else(|| too_large(self))?;
                    value = num_traits::CheckedAdd::checked_add(&shifted, &digit)
                        .ok_or_else(|| too_large(self))?;
                    scale -= i32::from(is_fraction);
                }
                _ => break,
            }
            self.at += c.len_utf8();
        }
        if self.text[start..self.at].chars().all(|c| c == '.') {
            return Err(self.error("a point where a value should be"));
        }
        if let Some(exponent) = self.exponent() {
            scale = scale.saturating_add(exponent);
        }
        for _ in 0..scale.unsigned_abs().min(60) {
            let step = if scale < 0 { ten.recip() } else { ten };
            value = value.checked_mul(&step).ok_or_else(|| too_large(self))?;
        }
        if scale.unsigned_abs() > 60 {
            return Err(too_large(self));
        }
        // The type of a typed constant.
        let suffix = self.rest().find(|c| !is_word_part(c)).unwrap_or(self.rest().len());
        let typed = &self.rest()[..suffix];
        let is_type = typed
            .strip_prefix(['i', 'u', 'f'])
            .is_some_and(|bits| matches!(bits, "8" | "16" | "32" | "64"));
        match typed {
            "" => {}
            _ if is_type => self.at += suffix,
            _ => return Err(self.error(format!("{typed} behind a number"))),
        }
        Ok(Expr::number(value))
    }

    /// `e-3` behind the digits of a number.
    fn exponent(&mut self) -> Option<i32> {
        let after = self.rest().strip_prefix(['e', 'E'])?;
        let (sign, digits) = match after.strip_prefix('-') {
            Some(digits) => (-1, digits),
            None => (1, after.strip_prefix('+').unwrap_or(after)),
        };
        let length = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        let exponent: i32 = digits[..length].parse().ok()?;
        self.at = self.text.len() - digits.len() + length;
        Some(sign * exponent)
    }
}
