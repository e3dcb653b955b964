//! How large boxes are, in view units.

use layout::{Inside, NestedBox, Spacing};

use super::drawing::DrawnBox;

/// Room between boxes: numbers stand on edges between layers.
pub(super) const SPACING: Spacing = Spacing { across: 20.0, along: 46.0 };
/// Height of a header, in which a label fits.
const HEADER: f64 = 26.0;
/// Around what is in a box.
const PADDING: f64 = 18.0;
/// Height of a box with a label and a value.
const LEAF: f64 = 42.0;
/// Height of the bar that ends a scope.
const FOOTER: f64 = 12.0;
/// Widths of a letter of a label and of a note, about.
const LETTER: f64 = 6.9;
const NOTE_LETTER: f64 = 6.0;
/// What is beside a text in its box, and in a header.
const BESIDE: f64 = 30.0;
const BESIDE_IN_HEADER: f64 = 46.0;
/// The narrowest and the widest box; longer texts are cut by who draws them.
const NARROWEST: f64 = 64.0;
const WIDEST: f64 = 260.0;
const WIDEST_NOTE: f64 = 170.0;

/// The bar that ends a scope.
pub(super) fn footer(one: &DrawnBox) -> NestedBox {
    NestedBox { parent: one.parent, size: (0.0, FOOTER), inside: None }
}

/// Any other box; `footer` is the bar that ends it.
pub(super) fn of(one: &DrawnBox, footer: Option<u32>) -> NestedBox {
    let beside = if one.is_open { BESIDE_IN_HEADER } else { BESIDE };
    let label = one.label.chars().count() as f64 * LETTER + beside;
    let note = one.note.chars().count() as f64 * NOTE_LETTER + beside;
    let width = label.max(note.min(WIDEST_NOTE)).clamp(NARROWEST, WIDEST);
    let size = (width, if one.is_open { HEADER } else { LEAF });
    let inside = one.is_open.then_some(Inside { header: HEADER, padding: PADDING, footer });
    NestedBox { parent: one.parent, size, inside }
}
