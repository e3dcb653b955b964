//! Generates `web/engine/src/generated/protocol.ts` and checks that it is fresh.

use std::fmt::Write as _;
use std::path::Path;

use ts_rs::{Config, TS};

use crate::columns::{ColumnKind, Columns};
use crate::frame::ColumnEntry;
use crate::*;

fn generate() -> String {
    let config = Config::default();
    let mut out = String::from(
        "// Generated from crates/protocol by `cargo xtask codegen`; do not edit.\n\n",
    );
    macro_rules! types {
        ($($type:ty),* $(,)?) => {
            $(writeln!(out, "export {}\n", <$type as TS>::decl(&config)).unwrap();)*
        };
    }
    types!(
        Header,
        Progress,
        ColumnEntry,
        ColumnKind,
        ProtocolError,
        ErrorCode,
        Request,
        ViewSpec,
        RoleView,
        ChosenNode,
        Shape,
        Granularity,
        Order,
        Filter,
        FilterKind,
        DocumentParams,
        ViewParams,
        UploadParams,
        UploadResult,
        DocumentsResult,
        DoneResult,
        DocumentInfo,
        DocumentState,
        DocumentKind,
        SummaryResult,
        MetricInfo,
        ComparisonInfo,
        ComparedMetric,
        ChangeTag,
        ChangeInfo,
        MatchInfo,
        DistributionResult,
        MemberInfo,
        Figures,
        TrendInfo,
        Direction,
        IntervalInfo,
        DefineMetricParams,
        MetricResult,
        CompareParams,
        Normalise,
        NormaliseParams,
        MergeParams,
        ReadAsParams,
        SplitMembersParams,
        MemberSplit,
        OpenSourceParams,
        OpenedResult,
        WarningInfo,
        FlameParams,
        FlameResult,
        NameLabel,
        NodeName,
        RowsParams,
        Sort,
        SortBy,
        RowsResult,
        RowInfo,
        NodeParams,
        NodesResult,
        LocateParams,
        LocateResult,
        DetailsResult,
        LocationKind,
        NamedKey,
        FacetKind,
        FacetShare,
        LineShare,
        SearchParams,
        SearchResult,
        FiltersResult,
        FilterEffect,
        PairsParams,
        PairsResult,
        PairInfo,
        LinkedContext,
        CommonAncestor,
        ExportSvgParams,
        ColourBy,
        TextResult,
        FormatsResult,
        FormatInfo,
        GraphSummaryResult,
        GraphSymbol,
        GraphContainer,
        GraphMeasurement,
        GraphMetric,
        GraphView,
        GraphKind,
        GraphDrawingParams,
        GraphDrawingResult,
        GraphShow,
        SymbolSetting,
        NodeQuantity,
        EdgeQuantity,
        GraphBasis,
        GraphScale,
        GraphColours,
        GraphOverlayParams,
        GraphOverlayResult,
        GraphLegend,
        LegendTick,
        LegendCategory,
        GraphCost,
        GraphElementParams,
        GraphElementResult,
        GraphStep,
        GraphProperty,
        GraphCode,
        GraphSource,
        GraphNeighbour,
        GraphSearchParams,
        GraphSearchResult,
        GraphMatch,
        CostQuantity,
        GraphScalingParams,
        GraphScalingResult,
        SymbolEffect,
        GraphCompareParams,
        GraphCompareResult,
        ComparedCost,
        ComparedElement,
        GraphMeasureParams,
        GraphMeasureResult,
        GraphRooflineParams,
        GraphRooflineResult,
        RooflinePoint,
        GraphSvgParams,
    );
    out = out.replace("serde_json::Value", "unknown").replace("JsonValue", "unknown");
    for columns in [
        SummaryColumns::typescript(),
        FlameColumns::typescript(),
        RowsColumns::typescript(),
        DetailsColumns::typescript(),
        DistributionColumns::typescript(),
        SearchColumns::typescript(),
        PairsColumns::typescript(),
        GraphDrawingColumns::typescript(),
        GraphOverlayColumns::typescript(),
        GraphScalingColumns::typescript(),
    ] {
        writeln!(out, "{columns}").unwrap();
    }
    out
}

/// With `UPDATE_GENERATED=1` the file is written; otherwise it must be equal.
#[test]
fn generated_typescript_is_fresh() {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/engine/src/generated/protocol.ts");
    let fresh = generate();
    if std::env::var_os("UPDATE_GENERATED").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &fresh).unwrap();
    }
    let checked_in = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(checked_in == fresh, "protocol.ts is stale: run `cargo xtask codegen`");
}
