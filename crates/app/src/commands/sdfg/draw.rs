//! `hotframe sdfg draw`.

use std::io::Write as _;

use anyhow::{Result, bail};
use protocol::{
    CountedOperations, EdgeQuantity, GraphBasis, GraphColours, GraphCountingParams,
    GraphMeasureParams, GraphMeasureResult, GraphMetric, GraphRequest, GraphScale, GraphShow,
    GraphSvgParams, GraphView, NodeQuantity, OpenedResult, SymbolSetting, TextResult, WarningInfo,
};
use session::Session;

use crate::arguments::{DrawnColours, DrawnQuantity, DrawnScale, Operations, SdfgDraw};
use crate::commands::notes::counted;
use crate::commands::output::write_output;
use crate::host::{self, FileHost, document_name};

/// Width of a picture in percent of its height, about: three to two.
const PAGE: u32 = 150;

/// Saves a picture of a graph.
pub(super) fn draw(arguments: &SdfgDraw) -> Result<()> {
    let files = std::iter::once(&arguments.file).chain(&arguments.against);
    let files: Vec<_> = files.chain(&arguments.measured).cloned().collect();
    host::check(&files)?;
    let options = session::ReadOptions { max_size: arguments.max_size, ..Default::default() };
    let session = Session::new(Box::new(FileHost::new(&files, options.max_size)), options);
    let document = session.add(&document_name(&arguments.file));
    let document = match arguments.operations {
        Operations::Dace => document,
        Operations::Every => {
            let operations = CountedOperations::Every;
            let request = GraphRequest::GraphCounting(GraphCountingParams { document, operations });
            let opened: OpenedResult =
                session.answer(request, vec![], &session::Silent)?.into_result()?;
            opened.document
        }
    };
    let against = arguments.against.as_ref().map(|base| session.add(&document_name(base)));
    let measured = measured(&session, document, arguments)?;
    let params = GraphSvgParams {
        view: GraphView {
            document,
            depth: arguments.depth,
            opened: vec![],
            closed: vec![],
            hidden: vec![],
            aspect: Some(PAGE),
        },
        show: show(arguments, against, measured),
        dark: arguments.dark,
    };
    let picture: TextResult =
        session.answer(GraphRequest::GraphSvg(params), vec![], &session::Silent)?.into_result()?;
    write_output(&arguments.output, |out| Ok(out.write_all(picture.text.as_bytes())?))
}

/// Lays what was measured over the graph, and gives the metric that boxes tell.
fn measured(session: &Session, document: u32, arguments: &SdfgDraw) -> Result<Option<String>> {
    let mut metrics: Vec<GraphMetric> = vec![];
    for path in &arguments.measured {
        let measured = session.add(&document_name(path));
        let params = GraphMeasureParams { document, measured };
        let request = GraphRequest::GraphMeasure(params);
        let GraphMeasureResult { measurement } =
            session.answer(request, vec![], &session::Silent)?.into_result()?;
        let mut err = crate::text::stderr();
        for WarningInfo { message, count } in &measurement.warnings {
            let told = counted(message.clone(), *count as u64);
            writeln!(err, "hotframe: {}: {}", path.display(), session::visible(&told))?;
        }
        if measurement.elements == 0.0 {
            bail!("{}: nothing that was measured belongs to the graph", path.display());
        }
        metrics.extend(measurement.metrics);
    }
    let needs = match arguments.nodes {
        Some(DrawnQuantity::Measured) => "measured",
        Some(DrawnQuantity::Bandwidth) => "bandwidth",
        Some(DrawnQuantity::Rate) => "rate",
        _ => "",
    };
    let Some(first) = metrics.first() else {
        if !needs.is_empty() {
            bail!("--nodes {needs} shows measurements: give reports with --measured");
        }
        return Ok(None);
    };
    if arguments.metric.is_some() && arguments.nodes.is_some() && needs != "measured" {
        bail!("--metric goes with --nodes measured");
    }
    let Some(name) = &arguments.metric else { return Ok(Some(first.name.clone())) };
    if metrics.iter().all(|metric| metric.name != *name) {
        let mut known: Vec<&str> = metrics.iter().map(|metric| &*metric.name).collect();
        known.sort_unstable();
        known.dedup();
        bail!("nothing measured is called {name}; there are: {}", known.join(", "));
    }
    Ok(Some(name.clone()))
}

fn show(arguments: &SdfgDraw, against: Option<u32>, measured: Option<String>) -> GraphShow {
    let symbols = arguments.set.iter();
    let told = |name: Option<String>| {
        name.map_or(NodeQuantity::None {}, |name| NodeQuantity::Measured { name })
    };
    GraphShow {
        symbols: symbols
            .map(|(name, value)| SymbolSetting { name: name.clone(), value: *value as f64 })
            .collect(),
        nodes: match arguments.nodes {
            None | Some(DrawnQuantity::Measured) => told(measured),
            Some(DrawnQuantity::Bandwidth) => NodeQuantity::Bandwidth {},
            Some(DrawnQuantity::Network) => NodeQuantity::Network {},
            Some(DrawnQuantity::Rate) => NodeQuantity::Rate {},
            Some(DrawnQuantity::Work) => NodeQuantity::Work {},
            Some(DrawnQuantity::Depth) => NodeQuantity::Depth {},
            Some(DrawnQuantity::Parallelism) => NodeQuantity::Parallelism {},
            Some(DrawnQuantity::Intensity) => NodeQuantity::Intensity {},
            Some(DrawnQuantity::Movement) => NodeQuantity::Movement {},
            Some(DrawnQuantity::Memory) => NodeQuantity::Memory {},
            Some(DrawnQuantity::Storage) => NodeQuantity::Storage {},
        },
        edges: if arguments.plain_edges { EdgeQuantity::None } else { EdgeQuantity::Movement },
        simulation: None,
        basis: if arguments.each_time { GraphBasis::Each } else { GraphBasis::Whole },
        in_bytes: !arguments.elements,
        scale: match arguments.scale {
            DrawnScale::Mean => GraphScale::Mean,
            DrawnScale::Median => GraphScale::Median,
            DrawnScale::Histogram => GraphScale::Histogram,
            DrawnScale::Linear => GraphScale::Linear,
            DrawnScale::Exponential => GraphScale::Exponential,
        },
        colours: match arguments.colours {
            DrawnColours::Heat => GraphColours::Heat,
            DrawnColours::Viridis => GraphColours::Viridis,
            DrawnColours::Cividis => GraphColours::Cividis,
        },
        against,
    }
}
