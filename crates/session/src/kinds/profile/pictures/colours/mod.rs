//! The colours of frames: one decision for the page, for pictures and for every theme.
//!
//! A frame's colours depend on its own names, on its values and on whether the profile has one
//! module, never on what was drawn before: the same function is the same colour in every view, file
//! and release.
//!
//! ```text
//! names, values --- looks.rs ---> class -----+
//!                                            +---> red, green, blue
//! theme (light, dark, contrast) --- theme.rs +
//! ```
//!
//! The page gets the classes with its boxes and rows; the colours of the classes are generated into
//! `web/ui/src/canvas/generated/colours.ts`.

mod groups;
mod looks;
mod oklch;
mod theme;
#[cfg(test)]
mod typescript;

pub(crate) use looks::{Finish, Look, Looks, Measured, Names, finished, of_sign};
pub(crate) use oklch::{Rgb, hex};
pub(crate) use theme::{Theme, bytes};

/// Hues, in degrees of OKLCH, that stay apart for the common kinds of colour blindness: neighbours
/// in the list differ in blue against yellow, and each has its own difference in lightness.
const HUES: [(f64, f64); 10] = [
    (255.0, 0.0),
    (65.0, 0.01),
    (135.0, 0.02),
    (300.0, -0.02),
    (205.0, 0.02),
    (350.0, -0.01),
    (95.0, 0.035),
    (175.0, 0.0),
    (30.0, -0.015),
    (275.0, -0.035),
];

/// Shades of a hue, so that neighbours of one group can be told apart.
const SHADES: u32 = 3;

/// Colours of groups.
const GROUP_COLOURS: u32 = HUES.len() as u32 * SHADES;

/// Steps of the scale of self in total.
const SELF_STEPS: u32 = 12;

/// Steps of the scale of changes on either side of 'unchanged'.
const CHANGE_STEPS: u32 = 6;

/// The step of a value that is a change itself: only its sign is coloured, as its size is its width.
const SIGN_STEP: u32 = 4;

/// Classes of one finish: boxes of several frames, the whole program, groups, self, change.
const CLASSES: u32 = 2 + GROUP_COLOURS + SELF_STEPS + 2 * CHANGE_STEPS + 1;
