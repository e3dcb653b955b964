//! Whole tables, for programs that work on columns.

use serde::{Deserialize, Serialize};

use crate::ViewSpec;
use crate::columns::columns;

/// Parameters of [`crate::ProfileRequest::TreeTable`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TreeTableParams {
    /// The view.
    pub view: ViewSpec,
    /// Most nodes that are wanted: a tree of more is refused, not cut.
    pub most: u32,
    /// A metric whose totals are wanted by member, too.
    #[serde(default)]
    pub members_of: Option<u32>,
}

/// Result of [`crate::ProfileRequest::TreeTable`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TreeTableResult {
    /// Nodes, the whole program among them.
    pub nodes: u32,
    /// Metrics, measured ones first: value columns have all nodes of the first metric, then all of the next.
    pub metrics: u32,
    /// The members that filters leave, by name, where totals by member were asked for.
    pub members: Vec<String>,
}

columns! {
    /// Columns of [`crate::ProfileRequest::TreeTable`]: nodes in preorder, the whole program first; places by
    /// number; texts as UTF-8 one after the other.
    TreeTableColumns {
        /// Number of the parent; its own for the whole program.
        parent: u32,
        /// What each node stands for, a number of the columns of places.
        place: u32,
        /// Self values, by metric. The smallest 64-bit integer stands for 'no value'.
        self_value: i64,
        /// Total values, by metric. The smallest 64-bit integer stands for 'no value'.
        total_value: i64,
        /// Totals of the metric that was asked for: all nodes of the first member, then all of the next.
        member_total: i64,
        /// By place: the text of its name.
        place_name: u32,
        /// By place: the text of its function's name; empty for what is not a function.
        place_function: u32,
        /// By place: the text of its source file; empty where none is known.
        place_file: u32,
        /// By place: the text of its module; empty where none is known.
        place_module: u32,
        /// By place: the line; 0 where none is known.
        place_line: u32,
        /// By place: 1 for what stands for a function (or what the granularity has for one), 0 for the whole
        /// program and for the outer levels of the flat tree.
        place_is_frame: u8,
        /// Where each text ends.
        text_end: u32,
        /// All texts.
        text: u8,
    }
}

/// Result of [`crate::ProfileRequest::ProfileTables`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ProfileTablesResult {
    /// Contexts, the whole program among them.
    pub contexts: u32,
    /// Points.
    pub points: u32,
    /// Measured metrics: values have all points of the first metric, then all of the next.
    pub metrics: u32,
}

columns! {
    /// Columns of [`crate::ProfileRequest::ProfileTables`]: the profile as it was read, no filter applied. Rows
    /// name rows of other tables by number; 4294967295 stands for none.
    ProfileTablesColumns {
        /// By context, in preorder: its parent; its own for the whole program.
        context_parent: u32,
        /// By context: its location; none for the whole program.
        context_location: u32,
        /// By location: its first frame; frames go on to the next location's first one, outermost first.
        location_frame: u32,
        /// By location: the text of its module.
        location_module: u32,
        /// By location: its address; 0 where none is known.
        location_address: i64,
        /// By frame: its function.
        frame_function: u32,
        /// By frame: its line; 0 where none is known.
        frame_line: u32,
        /// By function: the text of its name.
        function_name: u32,
        /// By function: the text of its source file.
        function_file: u32,
        /// By function: the line where it starts; 0 where none is known.
        function_line: u32,
        /// By point: its context.
        point_context: u32,
        /// Values of points, by metric.
        point_value: i64,
        /// By point: nanoseconds from the start of its member; empty where no point has a time.
        point_time: i64,
        /// By point: its thread, a text; empty where no point has one.
        point_thread: u32,
        /// By point: its member; empty where the profile came alone.
        point_member: u32,
        /// By point: its set of labels.
        point_labels: u32,
        /// By set of labels: where its labels end in the two next columns.
        labels_end: u32,
        /// By label: the text of its key.
        label_key: u32,
        /// By label: the text of its value, with its unit if it is a number.
        label_value: u32,
        /// Where each text ends.
        text_end: u32,
        /// All texts.
        text: u8,
    }
}

columns! {
    /// Columns of methods that answer a file.
    BytesColumns {
        /// The file.
        bytes: u8,
    }
}

/// Parameters of [`crate::SessionRequest::BuildProfile`]. The nodes of a tree are columns of the request, by
/// the names of [`TreeTableColumns`]: `parent` (of nodes in preorder, the whole program first), `place`,
/// `self_value` (by metric), the columns of places, and texts. A column `note` may give each node a text, or
/// 4294967295 for none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BuildProfileParams {
    /// What the document is called.
    pub name: String,
    /// Its metrics.
    pub metrics: Vec<BuiltMetric>,
    /// Number of the metric to show first.
    pub default_metric: u32,
    /// What people are to be told of it.
    pub comments: Vec<String>,
}

/// A metric of a profile that is built.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BuiltMetric {
    /// Name.
    pub name: String,
    /// Unit, such as `nanoseconds`.
    pub unit: String,
    /// Values are integers that count 10^-decimals of the unit.
    pub decimals: u32,
    /// What several values are together: `sum`, `maximum`, `minimum`, `last`, `mean` or `none`.
    pub combine: String,
    /// The metric that weights a mean.
    pub weight: Option<u32>,
}
