//! The methods: one variant of [`Request`], one result type and, where bulk numbers answer, one
//! set of columns each.

use serde::{Deserialize, Serialize};

use crate::columns::columns;
use crate::documents::*;
use crate::graphs::*;
use crate::{ProtocolError, ViewSpec};

/// A method with its parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "method", content = "params", rename_all = "snake_case")]
pub enum Request {
    /// What is open: [`DocumentsResult`].
    Documents {},
    /// Opens bytes that the page holds (a dropped file), in pieces: [`UploadResult`]. Each request
    /// carries one piece as the column `bytes`; pieces follow each other.
    Upload(UploadParams),
    /// Closes a document: [`DocumentsResult`] of what is left.
    Close(DocumentParams),
    /// Waits until a document is read, with progress; then [`SummaryResult`] and
    /// [`SummaryColumns`].
    Summary(DocumentParams),
    /// The boxes of a flame graph's visible part: [`FlameResult`] and [`FlameColumns`].
    Flame(FlameParams),
    /// The visible rows of a tree table: [`RowsResult`] and [`RowsColumns`].
    Rows(RowsParams),
    /// The heaviest path below a node: [`NodesResult`], from that node to its end.
    HottestPath(NodeParams),
    /// The node of a path: [`LocateResult`].
    Locate(LocateParams),
    /// All about one node: [`DetailsResult`] and [`DetailsColumns`].
    Details(NodeParams),
    /// How the values of a node spread over the members: [`DistributionResult`] and
    /// [`DistributionColumns`].
    Distribution(NodeParams),
    /// Defines a metric by a formula: [`MetricResult`].
    DefineMetric(DefineMetricParams),
    /// Opens the comparison of open documents: [`OpenedResult`].
    Compare(CompareParams),
    /// Opens a comparison with values brought to another scale: [`OpenedResult`], with the document
    /// that has them already if there is one.
    Normalise(NormaliseParams),
    /// Opens open documents as one, whose members they are: [`OpenedResult`].
    Merge(MergeParams),
    /// Opens a document's profile with other members, threads for example: [`OpenedResult`], with
    /// the document that has them already if there is one. It is no entry of its own in
    /// [`DocumentsResult`] and is closed with the document that it is of.
    SplitMembers(SplitMembersParams),
    /// Reads the bytes of a document once more, in a format that is told and not recognised:
    /// [`OpenedResult`].
    ReadAs(ReadAsParams),
    /// Which share of a view matches: [`SearchResult`] and [`SearchColumns`].
    Search(SearchParams),
    /// What each filter of a view kept: [`FiltersResult`].
    Filters(ViewParams),
    /// The pairs of contexts that points join: [`PairsResult`] and [`PairsColumns`].
    Pairs(PairsParams),
    /// The flame graph as a self-contained SVG document: [`TextResult`].
    ExportSvg(ExportSvgParams),
    /// The rows of a table as CSV: [`TextResult`].
    ExportCsv(RowsParams),
    /// The formats that open: [`FormatsResult`].
    Formats {},
    /// Shows a source line in the editor that the engine works for: [`DoneResult`].
    OpenSource(OpenSourceParams),
    /// Waits until a dataflow graph is read, with progress; then [`GraphSummaryResult`].
    GraphSummary(DocumentParams),
    /// Where the boxes and edges of a graph stand: [`GraphDrawingResult`] and
    /// [`GraphDrawingColumns`].
    GraphDrawing(GraphDrawingParams),
    /// What is laid over a drawing: [`GraphOverlayResult`] and [`GraphOverlayColumns`].
    GraphOverlay(GraphOverlayParams),
    /// All about one element of a graph: [`GraphElementResult`].
    GraphElement(GraphElementParams),
    /// Elements of a graph that match: [`GraphSearchResult`].
    GraphSearch(GraphSearchParams),
    /// A cost over a symbol: [`GraphScalingResult`] and [`GraphScalingColumns`].
    GraphScaling(GraphScalingParams),
    /// Two graphs side by side: [`GraphCompareResult`].
    GraphCompare(GraphCompareParams),
    /// Joins what was measured to a graph: [`GraphMeasureResult`].
    GraphMeasure(GraphMeasureParams),
    /// The boxes of a drawing under a roofline: [`GraphRooflineResult`].
    GraphRoofline(GraphRooflineParams),
    /// A drawing as a self-contained SVG document: [`TextResult`].
    GraphSvg(GraphSvgParams),
}

/// Parameters that name a document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DocumentParams {
    /// The document.
    pub document: u32,
}

/// Parameters that name a view.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ViewParams {
    /// The view.
    pub view: ViewSpec,
}

/// Result of [`Request::Documents`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DocumentsResult {
    /// In the order of opening.
    pub documents: Vec<DocumentInfo>,
    /// Whether an editor is there that [`Request::OpenSource`] reaches.
    pub opens_source: bool,
}

/// Parameters of [`Request::OpenSource`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OpenSourceParams {
    /// The document that names the file.
    pub document: u32,
    /// The file as the document names it.
    pub file: String,
    /// From 1; 0 where it is unknown.
    pub line: u32,
    /// Whether the editor gets the keyboard.
    pub take_focus: bool,
}

/// Result of a request that is done and has nothing to say.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DoneResult {}

/// One open document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DocumentInfo {
    /// Its number.
    pub document: u32,
    /// File name without folders.
    pub title: String,
    /// How far it is.
    pub state: DocumentState,
}

/// How far a document is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum DocumentState {
    /// Being read.
    Loading {},
    /// Ready for views.
    Ready {
        /// What it is.
        shows: DocumentKind,
    },
    /// Unreadable.
    Failed {
        /// Why.
        error: ProtocolError,
    },
}

/// What a document is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum DocumentKind {
    /// What was measured: everything but the methods on graphs.
    Profile,
    /// A dataflow graph: the methods on graphs.
    Graph,
}

/// Result of [`Request::Summary`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SummaryResult {
    /// File name without folders.
    pub title: String,
    /// Name of the format, such as `pprof`.
    pub format: String,
    /// What wrote it, as far as the file tells; else empty.
    pub producer: String,
    /// Start of the measurement in seconds since 1970, if known.
    pub time_s: Option<f64>,
    /// Length of the measurement in seconds, if known.
    pub duration_s: Option<f64>,
    /// The metrics, in file order.
    pub metrics: Vec<MetricInfo>,
    /// Index of the metric to show first.
    pub default_metric: u32,
    /// Contexts of the calling context tree.
    pub contexts: f64,
    /// Frames (places in code, inlined ones counted).
    pub frames: f64,
    /// Functions.
    pub functions: f64,
    /// Monitoring points (samples, lines of a collapsed file).
    pub points: f64,
    /// Threads that labels or the format name; 0 where nothing tells.
    pub threads: u32,
    /// Label keys in use.
    pub label_keys: Vec<String>,
    /// Roles of the contexts that points join, such as `allocation`, `use`, `reuse`; empty where
    /// every point has one context.
    pub roles: Vec<String>,
    /// Free text that the producer left.
    pub comments: Vec<String>,
    /// Where the producer explains the profile, if it says so; only http and https addresses.
    pub doc_url: String,
    /// What the reader repaired or skipped.
    pub warnings: Vec<WarningInfo>,
    /// How long opening took, in seconds, where the host measured it.
    pub opened_s: Option<f64>,
    /// How many profiles came as one; 0 if it came alone.
    pub members: u32,
    /// What members can be made of ([`Request::SplitMembers`]): what some point has. Empty for a
    /// comparison.
    pub splits: Vec<MemberSplit>,
    /// Whether call paths, and so the totals of trees, are estimated from a call graph.
    pub estimated_paths: bool,
    /// What is compared, if it is a comparison.
    pub comparison: Option<ComparisonInfo>,
}

columns! {
    /// Columns of [`Request::Summary`], one entry a metric, derived ones included.
    SummaryColumns {
        /// Sum over all points.
        total: i64,
    }
}

/// One metric.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MetricInfo {
    /// Name, such as `cpu` or `inuse_space`.
    pub name: String,
    /// Unit as the file has it, such as `nanoseconds`, `bytes`, `count`.
    pub unit: String,
    /// Values are integers that count 10^-decimals of the unit.
    pub decimals: u32,
    /// The formula of a derived metric. Its values do not add up; the smallest 64-bit integer
    /// stands for 'no value'.
    pub formula: Option<String>,
    /// Whether its values add up: those of formulas do not, nor those of measured metrics that
    /// combine in another way.
    pub adds_up: bool,
    /// What several values are together over contexts: `sum`, `maximum`, `minimum`, `last`, `mean`
    /// or `none`.
    pub combine: String,
}

/// A comparison.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ComparisonInfo {
    /// Title of the base.
    pub base: String,
    /// Title of the new profile.
    pub new: String,
    /// How many runs each side is the mean of, base first.
    pub runs: [u32; 2],
    /// Whether changes are told from noise by the runs, by a test of every node.
    pub tested: bool,
    /// What makes values of both sides comparable.
    pub normalise: Normalise,
    /// The metrics that are compared.
    pub metrics: Vec<ComparedMetric>,
}

/// A metric of a comparison, by the indices of the document's metrics.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ComparedMetric {
    /// Its name in the profiles.
    pub name: String,
    /// The base's values.
    pub base: u32,
    /// The new profile's values.
    pub new: u32,
    /// Both added up.
    pub both: u32,
    /// New less base.
    pub change: u32,
    /// New over base.
    pub ratio: u32,
}

/// What kind of change a node has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ChangeTag {
    /// Only in the new profile.
    Added,
    /// Only in the base.
    Deleted,
    /// More in the new profile.
    Larger,
    /// Less in the new profile.
    Smaller,
    /// The same, but for noise.
    Unchanged,
}

/// One warning.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct WarningInfo {
    /// What happened, with the first place where it did.
    pub message: String,
    /// How often.
    pub count: f64,
}

/// Parameters of [`Request::Flame`]. Horizontal positions are shares (0 to 1) of the root node's
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
    /// Regular expression to highlight; empty for none.
    pub search: String,
}

/// Result of [`Request::Flame`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FlameResult {
    /// Which build of the view the node numbers belong to.
    pub instance: u32,
    /// Frames that are drawn merged because each is narrower than a view unit.
    pub merged_frames: f64,
    /// Rows from the root to the deepest box in the wanted horizontal part, at this resolution.
    pub total_rows: u32,
    /// Narrowest box that is drawn on its own, in view units: 1, or more where there would be
    /// too many boxes.
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
    /// Columns of [`Request::Flame`], one entry a box, by row and then from left to right; and
    /// `scale`, which has three entries: total of the program, of the root node, of its parent.
    FlameColumns {
        /// Node number; of a merged box the first of its nodes.
        node: u32,
        /// Node number of the parent; the node's own for the whole program.
        parent: u32,
        /// Row, 0 for the root node.
        row: u32,
        /// Left edge as a share of the root node's width.
        x: f64,
        /// Width as a share of the root node's width.
        width: f64,
        /// Index into `names`.
        name: u32,
        /// Index into `modules`.
        module: u32,
        /// Index into `files`.
        file: u32,
        /// 0 for a box of its own; n for n sibling frames drawn as one.
        merged: u32,
        /// Bits: 1 matches the search, 2 has no source position, 4 inlined, 8 recursion collapsed.
        flags: u32,
        /// Identity of the frame at the view's granularity.
        key: u32,
        /// Self value in the view's metric (of a merged box: the sum).
        self_value: i64,
        /// Total value in the view's metric (of a merged box: the sum).
        total_value: i64,
        /// Total of the program, of the root node, of the root node's parent.
        scale: i64,
        /// Of a comparison: 0 none (a merged box), 1 added, 2 deleted, 3 larger, 4 smaller, 5
        /// unchanged. Empty for others, as are the next two.
        tag: u32,
        /// Total value in the base.
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

/// A node with its name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NodeName {
    /// Node number.
    pub node: u32,
    /// Identity of the frame at the view's granularity.
    pub key: u32,
    /// Name, with its place where another function has the same name.
    pub name: String,
}

/// Parameters of [`Request::Rows`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RowsParams {
    /// The view.
    pub view: ViewSpec,
    /// Instance that the node numbers belong to; none if there are none but 0.
    pub instance: Option<u32>,
    /// Node whose children are the first level; 0 is the whole program.
    pub root: u32,
    /// Unfolded nodes.
    pub expanded: Vec<u32>,
    /// What rows are sorted by among siblings.
    pub sort: Sort,
    /// Keeps rows that match, and the rows that lead to them; empty for all.
    pub filter: String,
    /// First wanted row.
    pub first: u32,
    /// Number of wanted rows.
    pub count: u32,
}

/// What rows are sorted by.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Sort {
    /// The column.
    pub by: SortBy,
    /// Metric index, for `self_value` and `total_value`.
    pub metric: u32,
    /// Smallest (or Z) first.
    pub reverse: bool,
}

/// A sortable column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum SortBy {
    /// Name.
    Name,
    /// Self value.
    SelfValue,
    /// Total value.
    TotalValue,
}

/// Result of [`Request::Rows`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RowsResult {
    /// Which build of the view the node numbers belong to.
    pub instance: u32,
    /// Visible rows in all.
    pub total_rows: u32,
    /// Metrics a row has, measured ones first: the stride of the value columns.
    pub metrics: u32,
    /// One entry a row.
    pub rows: Vec<RowInfo>,
}

/// The text of a row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RowInfo {
    /// Node number.
    pub node: u32,
    /// Identity of the frame at the view's granularity.
    pub key: u32,
    /// 0 for children of the root.
    pub depth: u32,
    /// Whether it can be unfolded.
    pub has_children: bool,
    /// Whether it is unfolded.
    pub expanded: bool,
    /// Whether its own name matches the filter.
    pub matched: bool,
    /// Function name, or what stands for it at the view's granularity.
    pub name: String,
    /// Name with its place, where another function has the same name.
    pub label: Option<String>,
    /// Source file; may be empty.
    pub file: String,
    /// Line; 0 if unknown.
    pub line: u32,
    /// Module; may be empty.
    pub module: String,
    /// Of a comparison: the kind of change.
    pub tag: Option<ChangeTag>,
}

columns! {
    /// Columns of [`Request::Rows`]: row-major, `metrics` entries a row; `scale` has one entry a
    /// metric: the total of the program.
    RowsColumns {
        /// Self values.
        self_value: i64,
        /// Total values.
        total_value: i64,
        /// Total of the program.
        scale: i64,
    }
}

/// Parameters that name a node.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NodeParams {
    /// The view.
    pub view: ViewSpec,
    /// Instance that `node` belongs to; none if `node` is 0.
    pub instance: Option<u32>,
    /// The node.
    pub node: u32,
}

/// Result of methods that answer with nodes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NodesResult {
    /// Which build of the view the node numbers belong to.
    pub instance: u32,
    /// The nodes.
    pub nodes: Vec<u32>,
}

/// Parameters of [`Request::Locate`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LocateParams {
    /// The view.
    pub view: ViewSpec,
    /// Keys from below the whole program down to the node.
    pub path: Vec<u32>,
}

/// Result of [`Request::Locate`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LocateResult {
    /// Which build of the view the node numbers belong to.
    pub instance: u32,
    /// The nodes along the path, without the whole program; shorter than the path where the view
    /// has no such node.
    pub nodes: Vec<NodeName>,
}

/// Result of [`Request::Details`].
#[derive(Debug, Default, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DetailsResult {
    /// Which build of the view the node numbers belong to.
    pub instance: u32,
    /// Function name, or what stands for it at the view's granularity.
    pub name: String,
    /// Name with its place, where another function has the same name.
    pub label: Option<String>,
    /// The linker's name where it differs.
    pub system_name: String,
    /// Identity of the frame at the view's granularity.
    pub key: u32,
    /// What the frame stands for.
    pub kind: LocationKind,
    /// Source file; may be empty.
    pub file: String,
    /// Line; 0 if unknown.
    pub line: u32,
    /// Line where the function starts; 0 if unknown.
    pub start_line: u32,
    /// Module; may be empty.
    pub module: String,
    /// Build id of the module; may be empty.
    pub build_id: String,
    /// Address in hexadecimal; may be empty.
    pub address: String,
    /// Whether it was inlined into its caller.
    pub inlined: bool,
    /// From below the whole program down to the node.
    pub path: Vec<NodeName>,
    /// Callers of the function in the whole view, largest first.
    pub callers: Vec<NamedKey>,
    /// Callers that `callers` leaves out.
    pub more_callers: u32,
    /// What the function calls in the whole view, largest first.
    pub callees: Vec<NamedKey>,
    /// Callees that `callees` leaves out.
    pub more_callees: u32,
    /// How values below the node spread over threads, labels and the like, largest first within
    /// each key.
    pub labels: Vec<FacetShare>,
    /// How many `labels` leaves out.
    pub more_labels: u32,
    /// Source positions that the node stands for, largest first: parts of its total in a top-down
    /// tree, of its self value elsewhere.
    pub lines: Vec<LineShare>,
    /// Source positions that `lines` leaves out.
    pub more_lines: u32,
    /// The metric that values of the lists are in: the view's, or for a derived one the measured
    /// metric that it begins with.
    pub list_metric: u32,
    /// Of a comparison: the kind of change.
    pub change: Option<ChangeInfo>,
}

/// How a node changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ChangeInfo {
    /// The kind of change.
    pub tag: ChangeTag,
    /// How likely chance alone makes runs differ so (Mann and Whitney), where it was tested.
    pub p_value: Option<f64>,
    /// The same, adjusted for the number of nodes that were tested (Benjamini and Hochberg).
    pub adjusted: Option<f64>,
    /// What the function is in the base, where it has another name, file or line there.
    pub matched: Option<MatchInfo>,
}

/// A function of the base that is one of the new profile.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MatchInfo {
    /// Its name in the base.
    pub was: String,
    /// Its file in the base, or the module where no file is known.
    pub was_in: String,
    /// The rule that matched them: `line`, `moved`, `clone`, `template` or `renamed`.
    pub rule: String,
    /// How alike they are, from 0 to 1.
    pub score: f64,
}

columns! {
    /// Columns of [`Request::Details`]. The first four have one entry a metric; the others go with
    /// the lists of the result and are in the view's metric.
    DetailsColumns {
        /// Self values of the node.
        self_value: i64,
        /// Total values of the node.
        total_value: i64,
        /// Total values of its parent.
        parent_total: i64,
        /// Total of the program.
        program_total: i64,
        /// Self and total of the function in the whole view, in the view's metric.
        function: i64,
        /// One entry a caller.
        callers: i64,
        /// One entry a callee.
        callees: i64,
        /// One entry a label value.
        labels: i64,
        /// Self value, one entry a line.
        lines: i64,
    }
}

/// Result of [`Request::Distribution`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DistributionResult {
    /// Which build of the view the node numbers belong to.
    pub instance: u32,
    /// The measured metric that values are in.
    pub metric: u32,
    /// The members, in their order.
    pub members: Vec<MemberInfo>,
    /// Whether members came in an order of time, so that a trend is one over time.
    pub timed: bool,
    /// Of a comparison of runs: how many members belong to the base; the others are new.
    pub base_members: Option<u32>,
    /// Members that stand apart so far that the histogram leaves them out.
    pub beyond: u32,
    /// The usual figures of the total values.
    pub figures: Option<Figures>,
    /// Which members stand apart from the others (beyond Tukey's fences).
    pub outliers: Vec<u32>,
    /// Whether values rise or fall from member to member.
    pub trend: Option<TrendInfo>,
    /// Of a comparison of runs: by how much the means differ.
    pub interval: Option<IntervalInfo>,
}

columns! {
    /// Columns of [`Request::Distribution`]. `self_value` and `total_value` have one entry a
    /// member; the others are the histogram of the totals.
    DistributionColumns {
        /// Self value of the node in a member.
        self_value: i64,
        /// Total value of the node in a member.
        total_value: i64,
        /// Edges of the bins, one more than bins, in 10^-decimals of the unit.
        edges: f64,
        /// Members in a bin.
        counts: u32,
    }
}

/// A member.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MemberInfo {
    /// Its name.
    pub name: String,
    /// A label filter pattern that selects it.
    pub pattern: String,
    /// When it was measured, in seconds since 1970, if known.
    pub time_s: Option<f64>,
}

/// The usual figures of values, in 10^-decimals of the unit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Figures {
    /// How many members have the node.
    pub present: u32,
    /// Smallest.
    pub min: f64,
    /// Largest.
    pub max: f64,
    /// Arithmetic mean.
    pub mean: f64,
    /// The one in the middle.
    pub median: f64,
    /// Standard deviation of the sample; none for a single value.
    pub deviation: Option<f64>,
    /// The value that 95 of 100 do not exceed.
    pub p95: f64,
}

/// A trend over the members.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TrendInfo {
    /// Which way values go.
    pub direction: Direction,
    /// Change from a member to the next, in 10^-decimals of the unit: the line of least
    /// squares, or where a few wild members turn it against the test, the median slope of pairs
    /// (Theil and Sen).
    pub slope: f64,
    /// How likely values without a trend go as much one way (Mann and Kendall).
    pub p_value: f64,
    /// Where values got high early and were never given back: the smallest since then, as a share
    /// of the largest.
    pub kept: Option<f64>,
}

/// Which way values go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// Up.
    Rising,
    /// Neither.
    Steady,
    /// Down.
    Falling,
}

/// The difference of two groups of runs and where it may lie, in 10^-decimals of the unit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct IntervalInfo {
    /// Mean of the new runs less that of the base's.
    pub estimate: f64,
    /// Where the 95 % interval begins (bootstrap).
    pub low: f64,
    /// Where it ends.
    pub high: f64,
}

/// Parameters of [`Request::DefineMetric`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DefineMetricParams {
    /// The document.
    pub document: u32,
    /// What to call it; empty for the text of the formula.
    pub name: String,
    /// The formula, such as `misses / instructions` or `max_of(bytes)`.
    pub formula: String,
}

/// Result of [`Request::DefineMetric`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MetricResult {
    /// Index among the document's metrics; that of an equal one that was defined before.
    pub metric: u32,
}

/// Parameters of [`Request::Compare`]. Several documents on a side are runs, whose mean is
/// compared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CompareParams {
    /// The base.
    pub base: Vec<u32>,
    /// The new side.
    pub new: Vec<u32>,
    /// What makes values of both sides comparable.
    pub normalise: Normalise,
    /// Differences up to this share (0 to 1) of the larger value are noise; for runs, chance is
    /// asked instead.
    pub noise: f64,
}

/// What makes values of both sides comparable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Normalise {
    /// As they are.
    Absolute {},
    /// Both sides get the total of the base.
    Total {},
    /// The functions that match get the same total on both sides.
    Frame {
        /// Regular expression over function, file and module.
        pattern: String,
    },
}

/// A function that calls or is called.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NamedKey {
    /// Identity of the frame at the view's granularity.
    pub key: u32,
    /// Name, with its place where another function has the same name.
    pub name: String,
}

/// What a frame stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum LocationKind {
    /// A function, or a place in it.
    #[default]
    Code,
    /// A loop.
    Loop,
    /// A data object.
    Data,
    /// A region that the programme itself names.
    Region,
}

/// What the values of a [`FacetShare`] are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum FacetKind {
    /// Processes.
    Process,
    /// Threads.
    Thread,
    /// Processors.
    Cpu,
    /// Profiles of a file that holds several.
    Member,
    /// Values of a label.
    Label,
}

/// A thread, a value of a label or the like, whose share of the values is told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FacetShare {
    /// What the value is.
    pub kind: FacetKind,
    /// Label key, or the name of the kind.
    pub key: String,
    /// Text, or number with unit.
    pub value: String,
    /// A label filter pattern that selects it.
    pub pattern: String,
}

/// One source position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LineShare {
    /// Source file.
    pub file: String,
    /// Line; 0 if unknown.
    pub line: u32,
}

/// Parameters of [`Request::Search`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SearchParams {
    /// The view.
    pub view: ViewSpec,
    /// Regular expression over function, file and module.
    pub pattern: String,
}

/// Result of [`Request::Search`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SearchResult {
    /// Frames (at the view's granularity) that match.
    pub matches: u32,
    /// The largest matching ones.
    pub top: Vec<NamedKey>,
}

columns! {
    /// Columns of [`Request::Search`].
    SearchColumns {
        /// Value of all stacks with a matching frame, each counted once; then the program's total.
        /// For a derived metric both are in the measured one that it begins with.
        matched: i64,
        /// Total of each of `top`.
        top: i64,
    }
}

/// Result of [`Request::Filters`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FiltersResult {
    /// One entry a filter.
    pub filters: Vec<FilterEffect>,
}

/// What a filter did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FilterEffect {
    /// Share (0 to 1) of the unfiltered value left after this filter and the ones before it.
    pub kept: f64,
    /// Whether anything matched at all.
    pub matched: bool,
}

/// Parameters of [`Request::Pairs`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PairsParams {
    /// The view; what its role view chooses narrows the pairs.
    pub view: ViewSpec,
    /// Role of the first contexts, as index into the document's roles.
    pub first: u32,
    /// Role of the second contexts.
    pub second: u32,
    /// Most pairs wanted.
    pub count: u32,
}

/// Result of [`Request::Pairs`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PairsResult {
    /// The pairs, one where they are equal at the view's granularity; largest in the view's metric
    /// first.
    pub pairs: Vec<PairInfo>,
    /// How many pairs there are.
    pub total_pairs: u32,
    /// Measured metrics a pair has, in the profile's order: the stride of the column.
    pub metrics: u32,
    /// The measured metric that ranks them: the view's, or the one that stands for it.
    pub metric: u32,
}

columns! {
    /// Columns of [`Request::Pairs`]: `value` is row-major, `metrics` entries a pair; the others have
    /// one entry a metric.
    PairsColumns {
        /// Sums over the points that join the pair.
        value: i64,
        /// Sums over all pairs.
        pairs_total: i64,
        /// Totals of the program, without narrowing.
        program_total: i64,
    }
}

/// Two contexts that points join.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PairInfo {
    /// The context of the first role.
    pub first: LinkedContext,
    /// The context of the second role.
    pub second: LinkedContext,
    /// The innermost function that both paths go through; none where nothing is common to both.
    pub ancestor: Option<CommonAncestor>,
    /// Points that join the two.
    pub points: f64,
    /// Pairs of contexts that are equal at the view's granularity and are therefore this one; lines
    /// and ancestor are those of the largest.
    pub merged: f64,
}

/// A context that points join with others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LinkedContext {
    /// Function name; empty where the context is the whole program or shows no frame.
    pub name: String,
    /// Name with its place, where another function has the same name.
    pub label: Option<String>,
    /// Source file; may be empty.
    pub file: String,
    /// Line; 0 if unknown.
    pub line: u32,
    /// Keys of its node in the top-down view.
    pub path: Vec<u32>,
}

/// Where the paths to two contexts part.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CommonAncestor {
    /// Function name.
    pub name: String,
    /// Source file; may be empty.
    pub file: String,
    /// Line from which the path to the first context goes on; 0 if unknown.
    pub first_line: u32,
    /// Line from which the path to the second context goes on; 0 if unknown.
    pub second_line: u32,
}

/// Parameters of [`Request::ExportSvg`].
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
    /// Dark colours.
    pub dark: bool,
    /// What decides the colour.
    pub colour: ColourBy,
    /// Regular expression to highlight; empty for none.
    pub search: String,
}

/// What decides a box's colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ColourBy {
    /// The module; the package part of the name where all is one module.
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

/// A text document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TextResult {
    /// The text.
    pub text: String,
    /// A file name to save it under.
    pub file_name: String,
}
