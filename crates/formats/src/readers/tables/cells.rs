//! Columns of tables, whose cells are worked out on the way.

use std::borrow::Cow;

/// A column of a table.
pub(super) struct Column<'a> {
    pub(super) name: String,
    pub(super) cells: Cells<'a>,
}

/// The cells of a column, from the first row to the last.
pub(super) enum Cells<'a> {
    /// Whole numbers, or nothing.
    Whole(Box<dyn Iterator<Item = Option<i64>> + 'a>),
    /// Addresses and the like, which may take all 64 bits, or nothing.
    Unsigned(Box<dyn Iterator<Item = Option<u64>> + 'a>),
    /// Decimal fractions with this many digits after the point at most, or nothing.
    #[cfg_attr(not(feature = "parquet"), allow(dead_code, reason = "CSV needs no digits"))]
    Decimal(u8, Box<dyn Iterator<Item = Option<Fraction>> + 'a>),
    /// Texts; empty if unknown.
    Text(Box<dyn Iterator<Item = Cow<'a, str>> + 'a>),
}

/// A number that counts 10^-decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fraction {
    pub(super) value: i64,
    pub(super) decimals: u8,
}

pub(super) fn whole<'a>(name: &str, cells: impl Iterator<Item = Option<i64>> + 'a) -> Column<'a> {
    Column { name: name.to_owned(), cells: Cells::Whole(Box::new(cells)) }
}

/// Numbers of which 0 means unknown.
pub(super) fn unsigned<'a>(name: &str, cells: impl Iterator<Item = u64> + 'a) -> Column<'a> {
    let cells = cells.map(|number| (number != 0).then_some(number));
    Column { name: name.to_owned(), cells: Cells::Unsigned(Box::new(cells)) }
}

pub(super) fn text<'a>(name: &str, cells: impl Iterator<Item = Cow<'a, str>> + 'a) -> Column<'a> {
    Column { name: name.to_owned(), cells: Cells::Text(Box::new(cells)) }
}

/// Values of metrics that have `decimals` at most: whole numbers where that is 0.
pub(super) fn fractions<'a>(
    name: String,
    decimals: u8,
    cells: impl Iterator<Item = Option<Fraction>> + 'a,
) -> Column<'a> {
    let cells = match decimals {
        0 => Cells::Whole(Box::new(cells.map(|cell| cell.map(|fraction| fraction.value)))),
        _ => Cells::Decimal(decimals, Box::new(cells)),
    };
    Column { name, cells }
}

/// 0 means unknown.
pub(super) fn known(number: u32) -> Option<i64> {
    (number != 0).then_some(number.into())
}
