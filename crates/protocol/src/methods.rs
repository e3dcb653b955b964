//! The methods: what can be asked, of which kind of document, and what answers.
//!
//! The table at the end of this file is the one place that lists them. The requests, the traits
//! that whoever answers implements, and the TypeScript of both follow from it.

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize};

use crate::columns::{Column, Columns};
use crate::table::Table;
use crate::{
    ErrorCode, ProtocolError, accesses::*, graph::*, profile::*, report::*, runs::*, session::*,
};

/// A method with its parameters.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(untagged)]
pub enum Request {
    /// Asked of what is open, whatever kind it is.
    Session(SessionRequest),
    /// Asked of whoever runs experiments.
    Runs(RunsRequest),
    /// Asked of a profile.
    Profile(ProfileRequest),
    /// Asked of a dataflow graph.
    Graph(GraphRequest),
    /// Asked of a dataflow graph or loops.
    Accesses(AccessesRequest),
}

impl<'de> Deserialize<'de> for Request {
    /// By the name of the method, so that an error is about the parameters of that one. Derived code
    /// would read parameters from what it has put aside until it knows the name, and be twice as large.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Request, D::Error> {
        let mut request = serde_json::Value::deserialize(deserializer)?;
        let params = request.get_mut("params").map(serde_json::Value::take);
        let Some(method) = request.get("method").and_then(serde_json::Value::as_str) else {
            return Err(D::Error::custom("a request names its method"));
        };
        let read = [
            SessionRequest::read,
            RunsRequest::read,
            ProfileRequest::read,
            GraphRequest::read,
            AccessesRequest::read,
        ];
        let mut params = Params(params);
        match read.iter().find_map(|read| read(method, &mut params)) {
            Some(request) => request.map_err(D::Error::custom),
            None => Err(D::Error::custom(format_args!("there is no method {method}"))),
        }
    }
}

/// The parameters of a request, which the method takes that is named.
struct Params(Option<serde_json::Value>);

impl Params {
    fn take<P: DeserializeOwned>(&mut self) -> serde_json::Result<P> {
        match self.0.take() {
            Some(params) => serde_json::from_value(params),
            None => Err(serde_json::Error::missing_field("params")),
        }
    }
}

/// Parameters of a method that has none.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NoParams {}

/// The columns of a method that answers no bulk numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NoColumns;

impl Columns for NoColumns {
    fn into_columns(self) -> Vec<Column> {
        vec![]
    }

    fn name() -> &'static str {
        "NoColumns"
    }

    fn typescript() -> String {
        "export type NoColumns = Readonly<Record<string, never>>;\n".to_owned()
    }
}

/// What a method answers, in its own types.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply<R, C = NoColumns> {
    /// The result.
    pub result: R,
    /// The bulk numbers.
    pub columns: C,
}

impl<R> From<R> for Reply<R> {
    fn from(result: R) -> Reply<R> {
        Reply { result, columns: NoColumns }
    }
}

/// What a method answers, as it travels.
#[derive(Debug)]
pub struct Answer {
    /// The result, as JSON.
    pub result: serde_json::Value,
    /// The columns, by name.
    pub columns: Vec<Column>,
}

impl Answer {
    /// The result, for a caller in the same process.
    pub fn into_result<R: serde::de::DeserializeOwned>(self) -> Result<R, ProtocolError> {
        serde_json::from_value(self.result).map_err(|error| {
            ProtocolError::new(ErrorCode::BadRequest, format!("another result: {error}"))
        })
    }
}

impl<R: Serialize, C: Columns> From<Reply<R, C>> for Answer {
    fn from(reply: Reply<R, C>) -> Answer {
        let result = serde_json::to_value(reply.result)
            .expect("results are plain data, which JSON can always hold");
        Answer { result, columns: reply.columns.into_columns() }
    }
}

/// Defines, for each kind of document, its requests and the trait of those that answer them.
macro_rules! methods {
    ($(
        $(#[doc = $doc:literal])*
        $group:ident: $requests:ident, $methods:ident {
            $(
                $(#[doc = $method_doc:literal])*
                $name:ident $variant:ident($params:ty) -> $result:ty $(, $columns:ty)?;
            )*
        }
    )*) => {
        $(
            $(#[doc = $doc])*
            #[derive(Debug, Clone, PartialEq, Serialize)]
            #[cfg_attr(test, derive(ts_rs::TS))]
            #[serde(tag = "method", content = "params", rename_all = "snake_case")]
            pub enum $requests {
                $($(#[doc = $method_doc])* $variant($params),)*
            }

            impl $requests {
                #[cfg(test)]
                const NAMES: &[&str] = &[$(stringify!($name)),*];

                /// The request of a method; none where the group has no method of that name.
                fn read(
                    method: &str,
                    params: &mut Params,
                ) -> Option<serde_json::Result<Request>> {
                    match method {
                        $(stringify!($name) => {
                            Some(params.take().map(|params| $requests::$variant(params).into()))
                        })*
                        _ => None,
                    }
                }
            }

            impl From<$requests> for Request {
                fn from(request: $requests) -> Request {
                    Request::$group(request)
                }
            }

            $(#[doc = $doc])*
            pub trait $methods {
                $(
                    $(#[doc = $method_doc])*
                    fn $name(
                        &self,
                        params: $params,
                    ) -> Result<Reply<$result, methods!(@columns $($columns)?)>, ProtocolError>;
                )*

                /// Answers a request by the method that it names.
                fn answer(&self, request: $requests) -> Result<Answer, ProtocolError> {
                    match request {
                        $($requests::$variant(params) => self.$name(params).map(Answer::from),)*
                    }
                }
            }
        )*

        /// What every method answers, as TypeScript, and the types of all that they use.
        #[cfg(test)]
        pub(crate) fn describe(known: &mut crate::typescript::Declared) -> String {
            use ts_rs::{Config, TS};

            let config = Config::default();
            let mut table = String::from("/** What each method answers. */\nexport interface Replies {\n");
            $($(
                known.declare::<$params>();
                known.declare::<$result>();
                known.declare_columns::<methods!(@columns $($columns)?)>();
                table.push_str(&format!(
                    "  readonly {}: {{ result: {}; columns: {} }};\n",
                    stringify!($name),
                    <$result as TS>::name(&config),
                    <methods!(@columns $($columns)?) as Columns>::name(),
                ));
            )*)*
            table + "}\n"
        }

        #[cfg(test)]
        mod tests {
            use super::*;

            #[test]
            fn methods_travel_under_the_names_of_the_table() {
                let mut names = std::collections::HashSet::new();
                $(
                    for &name in $requests::NAMES {
                        assert!(names.insert(name), "{name} is there twice");
                        let request = serde_json::json!({ "method": name, "params": "none" });
                        let error = serde_json::from_value::<Request>(request).unwrap_err();
                        assert!(error.to_string().contains("invalid type"), "{name}: {error}");
                    }
                )*
                let unknown = serde_json::json!({ "method": "sing", "params": {} });
                let error = serde_json::from_value::<Request>(unknown).unwrap_err();
                assert_eq!(error.to_string(), "there is no method sing");
            }
        }
    };
    (@columns) => { NoColumns };
    (@columns $columns:ty) => { $columns };
}

methods! {
    /// Methods on what is open, of whatever kind it is.
    Session: SessionRequest, SessionMethods {
        /// What is open.
        documents Documents(NoParams) -> DocumentsResult;
        /// Opens bytes that the page holds (a dropped file), in pieces. Each request carries one
        /// piece as the column `bytes`; pieces follow each other.
        upload Upload(UploadParams) -> UploadResult;
        /// Opens files of this machine, several as one profile, where the host may do that.
        open_files OpenFiles(OpenFilesParams) -> OpenedResult;
        /// Opens a profile that is made of columns of the request.
        build_profile BuildProfile(BuildProfileParams) -> OpenedResult;
        /// Closes a document; answers what is left.
        close Close(DocumentParams) -> DocumentsResult;
        /// Waits until a document is read, with progress; tells what it is.
        wait Wait(DocumentParams) -> DocumentInfo;
        /// Reads the bytes of a document once more, in a format that is told and not recognised.
        read_as ReadAs(ReadAsParams) -> OpenedResult;
        /// The formats that open.
        formats Formats(NoParams) -> FormatsResult;
        /// Shows a source line in the editor that the engine works for.
        open_source OpenSource(OpenSourceParams) -> DoneResult;
        /// The text of a source file that a document names, where the engine may read it.
        source_text SourceText(SourceTextParams) -> SourceTextResult;
        /// What the machine of the engine can do at most, remembered or measured now.
        machine Machine(MachineParams) -> MachineResult;
        /// Documents and a view of them as one file with the viewer inside. A page that has its engine
        /// inside sends the viewer along, as the column `viewer`.
        report Report(ReportParams) -> ReportResult, BytesColumns;
    }

    /// Methods on experiments that are begun from the page: all of them are refused unless the
    /// engine was told to allow them.
    Runs: RunsRequest, RunsMethods {
        /// The interpreters of this machine, and whether programs can be isolated.
        run_interpreters RunInterpreters(NoParams) -> RunInterpretersResult;
        /// Sends a program, a Python file or an archive, in pieces as [`SessionRequest::Upload`].
        run_upload RunUpload(UploadParams) -> RunUploadResult;
        /// What a plan would run.
        run_plan RunPlan(RunPlanParams) -> RunPlanResult;
        /// Begins an experiment, or goes on with it: what has ended is not run again unless that is
        /// asked for.
        run_start RunStart(RunStartParams) -> RunParams;
        /// How far an experiment is.
        run_status RunStatus(RunParams) -> RunStatusResult;
        /// What a job printed.
        run_log RunLog(RunLogParams) -> RunLogResult;
        /// Ends an experiment; what has ended is kept, and it can be gone on with.
        run_cancel RunCancel(RunParams) -> DoneResult;
        /// What was sent and run.
        run_list RunList(RunListParams) -> RunListResult;
        /// Opens the result of an experiment as it is now.
        run_open RunOpen(RunParams) -> OpenedResult;
        /// Workers, and experiments of this user, whoever began them.
        queue Queue(NoParams) -> QueueResult;
    }

    /// Methods on profiles.
    Profile: ProfileRequest, ProfileMethods {
        /// Waits until the profile is read, with progress.
        summary Summary(DocumentParams) -> SummaryResult, SummaryColumns;
        /// A tree with all its nodes, as columns.
        tree_table TreeTable(TreeTableParams) -> TreeTableResult, TreeTableColumns;
        /// The profile's own tables, as columns.
        profile_tables ProfileTables(DocumentParams) -> ProfileTablesResult, ProfileTablesColumns;
        /// The profile as a file of Hotframe's own format.
        write_profile WriteProfile(DocumentParams) -> DoneResult, BytesColumns;
        /// The boxes of a flame graph's visible part.
        flame Flame(FlameParams) -> FlameResult, FlameColumns;
        /// The visible rows of a tree table.
        rows Rows(RowsParams) -> RowsResult, RowsColumns;
        /// The heaviest path below a node, from that node to its end.
        hottest_path HottestPath(NodeParams) -> NodesResult;
        /// The node of a path.
        locate Locate(LocateParams) -> LocateResult;
        /// All about one node.
        details Details(NodeParams) -> DetailsResult, DetailsColumns;
        /// How the values of a node spread over the members.
        distribution Distribution(NodeParams) -> DistributionResult, DistributionColumns;
        /// Defines a metric by a formula.
        define_metric DefineMetric(DefineMetricParams) -> MetricResult;
        /// Opens the comparison of open profiles.
        compare Compare(CompareParams) -> OpenedResult;
        /// Opens a comparison with its sides the other way round: the document that has them so
        /// already if there is one.
        swap Swap(DocumentParams) -> OpenedResult;
        /// Opens a comparison with values brought to another scale: the document that has them
        /// already if there is one.
        normalise Normalise(NormaliseParams) -> OpenedResult;
        /// Opens open profiles as one, whose members they are.
        merge Merge(MergeParams) -> OpenedResult;
        /// Opens a profile with other members, threads for example: the document that has them
        /// already if there is one. It is not an entry of its own in [`DocumentsResult`] and is closed
        /// with the document that it is of.
        split_members SplitMembers(SplitMembersParams) -> OpenedResult;
        /// Opens several recordings, or a comparison, on another axis of time: the document that has
        /// them so already if there is one. As with [`Self::SplitMembers`] it is not an entry of its own.
        align Align(AlignParams) -> OpenedResult;
        /// The functions, with self and total.
        functions Functions(FunctionsParams) -> FunctionsResult, FunctionsColumns;
        /// The functions whose calls are exact up to some number, with what is known of the rest.
        estimates Estimates(ViewParams) -> EstimatesResult;
        /// What rules of advice say of the functions.
        advice Advice(AdviceParams) -> AdviceResult;
        /// The first functions of a list as bars of the first metric, with how members spread.
        bars Bars(FunctionsParams) -> BarsResult, BarsColumns;
        /// Functions by their calls and their value a call.
        scatter Scatter(ScatterParams) -> ScatterResult, ScatterColumns;
        /// A tree as boxes in boxes.
        treemap Treemap(TreemapParams) -> FlameResult, FlameColumns;
        /// Functions and their calls as a drawn graph.
        call_graph CallGraph(CallGraphParams) -> CallGraphResult, CallGraphColumns;
        /// Functions by their calls and their value a call as comma-separated values, exact.
        export_calls_csv ExportCallsCsv(ViewParams) -> TextResult;
        /// Values by line of a source file.
        source_lines SourceLines(SourceLinesParams) -> SourceLinesResult, SourceLinesColumns;
        /// Values by instruction of a node's function, all its calls together; with their text where
        /// the binary is at hand.
        instructions Instructions(NodeParams) -> InstructionsResult, InstructionsColumns;
        /// Which share of a view matches.
        search Search(SearchParams) -> SearchResult, SearchColumns;
        /// Where the frames that match stand in the flame graph.
        find Find(FindParams) -> FindResult, FindColumns;
        /// What each filter of a view kept.
        filters Filters(ViewParams) -> FiltersResult;
        /// The tracks of what happened when.
        tracks Tracks(DocumentParams) -> TracksResult;
        /// What is drawn of some tracks in a part of time.
        lanes Lanes(LanesParams) -> LanesResult, LanesColumns;
        /// When nothing is on some tracks.
        idle Idle(IdleParams) -> IdleResult;
        /// All about one span.
        span Span(SpanParams) -> SpanResult;
        /// The next span that matches.
        find_span FindSpan(FindSpanParams) -> FindSpanResult;
        /// A metric by time, in stretches of one length.
        heat Heat(HeatParams) -> HeatResult, HeatColumns;
        /// Events by run and by where they were.
        events Events(EventsParams) -> EventsResult;
        /// An event or metric over time, by where it was.
        event_bins EventBins(EventBinsParams) -> EventBinsResult, EventBinsColumns;
        /// Threads that continued on another processor.
        migrations Migrations(MigrationsParams) -> MigrationsResult, MigrationsColumns;
        /// All about a frame of a sample.
        sampled_frame SampledFrame(SampledFrameParams) -> SampledFrameResult;
        /// The next instant of a kind.
        find_mark FindMark(FindMarkParams) -> FindMarkResult;
        /// A list: spans by name, gaps, states of threads and so on.
        list List(ListParams) -> Table;
        /// How many were open at once over time, of a row of that list.
        concurrency_chart ConcurrencyChart(ConcurrencyChartParams) -> ConcurrencyChartResult, ConcurrencyChartColumns;
        /// What threads did, a bar a thread.
        thread_bars ThreadBars(ThreadBarsParams) -> ThreadBarsResult;
        /// What a span waited for.
        critical_path CriticalPath(CriticalPathParams) -> CriticalPathResult, CriticalPathColumns;
        /// The pairs of contexts that points join.
        pairs Pairs(PairsParams) -> PairsResult, PairsColumns;
        /// The flame graph as a self-contained SVG document.
        export_svg ExportSvg(ExportSvgParams) -> TextResult;
        /// Some tracks in a part of time as a self-contained SVG document.
        export_timeline_svg ExportTimelineSvg(ExportTimelineSvgParams) -> TextResult;
        /// The spans that the filters keep as comma-separated values, exact.
        export_spans_csv ExportSpansCsv(ViewParams) -> TextResult;
        /// The rows of a table as CSV.
        export_csv ExportCsv(RowsParams) -> TextResult;
        /// The conditions of an experiment, and its runs.
        experiment Experiment(ExperimentParams) -> ExperimentResult;
        /// A quantity in each cell of an experiment.
        experiment_matrix ExperimentMatrix(ExperimentQuantityParams) -> ExperimentMatrixResult;
        /// What factors of an experiment do to a quantity.
        experiment_effects ExperimentEffects(ExperimentQuantityParams) -> ExperimentEffectsResult;
        /// Which functions make the difference between cells of an experiment.
        experiment_differences ExperimentDifferences(ExperimentDifferencesParams) -> ExperimentDifferencesResult;
        /// A quantity by the levels of a factor, with where it jumps.
        experiment_history ExperimentHistory(ExperimentHistoryParams) -> ExperimentHistoryResult;
        /// All functions of a list as comma-separated values, exact.
        export_functions_csv ExportFunctionsCsv(FunctionsParams) -> TextResult;
    }

    /// Methods on dataflow graphs.
    Graph: GraphRequest, GraphMethods {
        /// Waits until the graph is read, with progress.
        graph_summary GraphSummary(DocumentParams) -> GraphSummaryResult;
        /// Where the boxes and edges of a graph stand.
        graph_drawing GraphDrawing(GraphDrawingParams) -> GraphDrawingResult, GraphDrawingColumns;
        /// What is laid over a drawing.
        graph_overlay GraphOverlay(GraphOverlayParams) -> GraphOverlayResult, GraphOverlayColumns;
        /// All about one element of a graph.
        graph_element GraphElement(GraphElementParams) -> GraphElementResult;
        /// Elements of a graph that match.
        graph_search GraphSearch(GraphSearchParams) -> GraphSearchResult;
        /// A cost over a symbol.
        graph_scaling GraphScaling(GraphScalingParams) -> GraphScalingResult, GraphScalingColumns;
        /// Two graphs side by side.
        graph_compare GraphCompare(GraphCompareParams) -> GraphCompareResult;
        /// Joins what was measured to a graph.
        graph_measure GraphMeasure(GraphMeasureParams) -> GraphMeasureResult;
        /// What several elements cost together.
        graph_sum GraphSum(GraphSumParams) -> GraphSumResult;
        /// Opens the same graph with other operations that count as work; where it is open with these
        /// already, that one.
        graph_counting GraphCounting(GraphCountingParams) -> OpenedResult;
        /// How much memory is alive, and when.
        graph_memory GraphMemory(GraphMemoryParams) -> GraphMemoryResult;
        /// Which neighbouring maps are worth fusing.
        graph_fusions GraphFusions(GraphFusionsParams) -> GraphFusionsResult;
        /// The boxes of a drawing under a roofline.
        graph_roofline GraphRoofline(GraphRooflineParams) -> GraphRooflineResult;
        /// A drawing as a self-contained SVG document.
        graph_svg GraphSvg(GraphSvgParams) -> TextResult;
    }

    /// Methods on accesses, of dataflow graphs, of loops and recorded ones.
    Accesses: AccessesRequest, AccessesMethods {
        /// What sizes and positions depend on; waits until the document is read.
        accesses_sizes AccessesSizes(AccessesSizesParams) -> AccessesSizesResult;
        /// What accesses do in caches, each or in sum.
        accesses_run AccessesRun(AccessesRunParams) -> AccessesRunResult, AccessesRunColumns;
        /// What happens at elements of a container.
        accesses_elements AccessesElements(AccessesElementsParams) -> AccessesElementsResult, AccessesElementsColumns;
        /// Layouts and orders of loops that miss less.
        accesses_search AccessesSearch(AccessesSearchParams) -> AccessesSearchResult;
        /// Layouts and loops as text to write them with.
        accesses_text AccessesText(AccessesTextParams) -> TextResult;
    }
}
