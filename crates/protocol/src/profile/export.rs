//! Pictures and tables as files.

use serde::{Deserialize, Serialize};

use crate::{LanesParams, ViewSpec};

/// Parameters of [`crate::ProfileRequest::ExportSvg`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExportSvgParams {
    /// The view.
    pub view: ViewSpec,
    /// Instance that `root` belongs to; none if `root` is 0.
    pub instance: Option<u32>,
    /// Node that fills the width; 0 is the whole program.
    pub root: u32,
    /// Width in pixels.
    pub width: f64,
    /// The colours of the picture.
    pub theme: ThemeName,
    /// What decides the colour.
    pub colour: ColourBy,
    /// Regular expression to highlight; empty for none.
    pub search: String,
    /// What frames are called.
    pub labels: LabelBy,
}

/// Parameters of [`crate::ProfileRequest::ExportTimelineSvg`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExportTimelineSvgParams {
    /// Tracks from above, the part of time, and the width of it in pixels.
    pub lanes: LanesParams,
    /// The colours of the picture.
    pub theme: ThemeName,
    /// What decides the colours of bars.
    pub colour: ColourBy,
    /// The outermost rows of a track are at its bottom.
    pub upwards: bool,
}

/// The colours of a page or a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum ThemeName {
    /// On white.
    #[default]
    Light,
    /// On dark grey.
    Dark,
    /// On black, with strong lines.
    Contrast,
    /// On white, with strong lines.
    ContrastLight,
}

/// What the frames of a picture are called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum LabelBy {
    /// The function, with its place where another one has the same name.
    #[default]
    Function,
    /// The function, and the module that it is in.
    Module,
    /// Source file and line; the function where they are not known.
    Place,
}

/// What decides a box's colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ColourBy {
    /// The package in the function's name, else the module where there are several, else the file.
    #[default]
    Module,
    /// The source file.
    File,
    /// The function.
    Function,
    /// Share of its total that is self.
    SelfShare,
    /// Of a comparison: less, more, by how much.
    Change,
}
