//! How many colours there are of what.

/// Hues, in degrees of OKLCH, that stay apart for the common kinds of colour blindness: neighbours
/// in the list differ in blue against yellow, and each has its own difference in lightness.
pub(super) const HUES: [(f64, f64); 10] = [
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
pub(super) const SHADES: u32 = 3;

/// Colours of groups.
pub(super) const GROUP_COLOURS: u32 = HUES.len() as u32 * SHADES;

/// Steps of the scale of self in total.
pub(super) const SELF_STEPS: u32 = 12;

/// Steps of the scale of changes on either side of 'unchanged'.
pub(super) const CHANGE_STEPS: u32 = 6;

/// The step of a value that is a change itself: only its sign is coloured, as its size is its width.
pub(super) const SIGN_STEP: u32 = 4;

/// Classes of one finish: boxes of several frames, the whole program, groups, self, change.
pub(super) const CLASSES: u32 = 2 + GROUP_COLOURS + SELF_STEPS + 2 * CHANGE_STEPS + 1;
