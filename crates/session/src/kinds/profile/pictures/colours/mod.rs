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

mod classes;
mod groups;
mod looks;
mod oklch;
mod theme;
#[cfg(test)]
mod typescript;

pub(crate) use looks::{Finish, Look, Looks, Measured, Names, finished, of_sign};
pub(crate) use oklch::{Rgb, hex};
pub(crate) use theme::{Theme, bytes};
#[cfg(test)]
pub(crate) use typescript::fresh;
