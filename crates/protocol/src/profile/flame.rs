//! The boxes of flame graphs and treemaps.

use serde::{Deserialize, Serialize};

#[cfg(doc)]
use crate::ColourBy;
use crate::columns::columns;
use crate::{LabelBy, NodeName, ViewSpec};

/// Parameters of [`crate::ProfileRequest::Flame`]. Horizontal positions are shares (0 to 1) of the root node's
/// width; rows count from the root node, which is row 0.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FlameParams {
    /// The view.
    pub view: ViewSpec,
    /// Instance that `root` belongs to; none if `root` is 0.
    pub instance: Option<u32>,
    /// Node that fills the width; 0 is the whole program.
    pub root: u32,
    /// Left edge of the wanted part.
    pub from: f64,
    /// Right edge of the wanted part.
    pub to: f64,
    /// Width of the wanted part in view units (for a page: CSS pixels).
    pub width: f64,
    /// First wanted row.
    pub first_row: u32,
    /// Number of wanted rows.
    pub rows: u32,
    /// What to highlight, see [`crate::FindParams::pattern`]; empty for none.
    pub search: String,
    /// What frames are called.
    pub labels: LabelBy,
}

/// Parameters of [`crate::ProfileRequest::Treemap`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TreemapParams {
    /// The view.
    pub view: ViewSpec,
    /// Instance that `root` belongs to; none if `root` is 0.
    pub instance: Option<u32>,
    /// Node that fills the picture; 0 is the whole program.
    pub root: u32,
    /// Width of the picture in view units (for a page: CSS pixels).
    pub width: f64,
    /// Height of the picture in view units.
    pub height: f64,
    /// Share of the root that a box of its own has at least, 0 to 1.
    pub least: f64,
    /// What to highlight, see [`crate::FindParams::pattern`]; empty for none.
    pub search: String,
    /// What frames are called.
    pub labels: LabelBy,
}

/// Result of [`crate::ProfileRequest::Flame`] and [`crate::ProfileRequest::Treemap`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FlameResult {
    /// Which build of the view the node numbers belong to.
    pub instance: u32,
    /// Frames that are drawn merged because each is narrower than a view unit.
    pub merged_frames: f64,
    /// Rows from the root to the deepest box in the wanted horizontal part, at this resolution; of a
    /// treemap its levels.
    pub total_rows: u32,
    /// Narrowest box that is drawn on its own, in view units: 1, or more where there would be
    /// too many boxes. Of a treemap: share of the root that a box of its own has at least.
    pub narrowest: f64,
    /// Names that the column `name` indexes. Functions that share a name and not a place have an
    /// entry each.
    pub names: Vec<String>,
    /// What entries of `names` are shown as, where that is not the name alone.
    pub labels: Vec<NameLabel>,
    /// Modules that the column `module` indexes; entry 0 is the empty name.
    pub modules: Vec<String>,
    /// Files that the column `file` indexes; entry 0 is the empty name.
    pub files: Vec<String>,
    /// The nodes from the whole program to the root node.
    pub breadcrumb: Vec<NodeName>,
}

columns! {
    /// Columns of [`crate::ProfileRequest::Flame`], one entry a box, by row and then from left to right; and
    /// `scale`, which has three entries: total of the program, of the root node, of its parent. Of
    /// [`crate::ProfileRequest::Treemap`], where boxes of a row are by parent and then from the largest.
    FlameColumns {
        /// Node number; of a merged box the first of its nodes.
        node: u32,
        /// Node number of the parent; the node's own for the whole program.
        parent: u32,
        /// Row, 0 for the root node.
        row: u32,
        /// Left edge as a share of the root node's width; of a treemap in view units.
        x: f64,
        /// Width as a share of the root node's width; of a treemap in view units.
        width: f64,
        /// Of a treemap: upper edge in view units. Empty for flame graphs, as is the next.
        y: f64,
        /// Height in view units.
        height: f64,
        /// Index into `names`.
        name: u32,
        /// Index into `modules`.
        module: u32,
        /// Index into `files`.
        file: u32,
        /// 0 for a box of its own; n for n sibling frames drawn as one.
        merged: u32,
        /// Bits, [`crate::FlameFlag`].
        flags: u32,
        /// Identity of the frame at the view's granularity.
        key: u32,
        /// What colours decide from, see [`ColourBy`]: places among the colours of groups by module
        /// (the lowest byte), by file and by function, then four bits each for the step of self in
        /// total and for that of the change (0 for none, 7 for unchanged). 0 for a merged box.
        colours: u32,
        /// Self value in the view's metric (of a merged box: the sum).
        self_value: i64,
        /// Total value in the view's metric (of a merged box: the sum).
        total_value: i64,
        /// Total of the program, of the root node, of the root node's parent.
        scale: i64,
        /// Of a comparison, or of a metric whose values are changes: 0 for a merged box, else 1 and
        /// the place in the list of [`crate::ChangeTag`]. Empty for others.
        tag: u32,
        /// Of a comparison: total value in the base. Empty for others, as is the next.
        base_value: i64,
        /// Total value in the new profile.
        new_value: i64,
    }
}

/// A name with the place that tells it from equal ones.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NameLabel {
    /// Index into the names.
    pub name: u32,
    /// Name and place.
    pub label: String,
}
