//! How things look, and pictures as SVG.

pub(super) mod appearance;
pub(super) mod boxes;
pub(super) mod charts;
pub(super) mod colours;
pub(super) mod flame_svg;
mod measures;
pub(super) mod timeline_svg;
