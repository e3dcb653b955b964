//! `hotframe sdfg draw`.

use anyhow::Result;
use protocol::{
    EdgeQuantity, GraphBasis, GraphColours, GraphRequest, GraphScale, GraphShow, GraphSvgParams,
    GraphView, NodeQuantity, SymbolSetting, TextResult,
};
use session::Session;

use crate::arguments::{DrawnColours, DrawnQuantity, DrawnScale, SdfgDraw};
use crate::commands::output::write_output;
use crate::host::{self, FileHost, document_name};

/// Width of a picture in percent of its height, about: three to two.
const PAGE: u32 = 150;

/// Saves a picture of a graph.
pub(super) fn draw(arguments: &SdfgDraw) -> Result<()> {
    let files: Vec<_> =
        std::iter::once(&arguments.file).chain(&arguments.against).cloned().collect();
    host::check(&files)?;
    let options = session::ReadOptions { max_size: arguments.max_size, ..Default::default() };
    let session = Session::new(Box::new(FileHost::new(&files, options.max_size)), options);
    let document = session.add(&document_name(&arguments.file));
    let against = arguments.against.as_ref().map(|base| session.add(&document_name(base)));
    let params = GraphSvgParams {
        view: GraphView {
            document,
            depth: arguments.depth,
            opened: vec![],
            closed: vec![],
            hidden: vec![],
            aspect: Some(PAGE),
        },
        show: show(arguments, against),
        dark: arguments.dark,
    };
    let picture: TextResult =
        session.answer(GraphRequest::GraphSvg(params), vec![], &session::Silent)?.into_result()?;
    write_output(&arguments.output, |out| Ok(out.write_all(picture.text.as_bytes())?))
}

fn show(arguments: &SdfgDraw, against: Option<u32>) -> GraphShow {
    let symbols = arguments.set.iter();
    GraphShow {
        symbols: symbols
            .map(|(name, value)| SymbolSetting { name: name.clone(), value: *value as f64 })
            .collect(),
        nodes: match arguments.nodes {
            None => NodeQuantity::None {},
            Some(DrawnQuantity::Work) => NodeQuantity::Work {},
            Some(DrawnQuantity::Depth) => NodeQuantity::Depth {},
            Some(DrawnQuantity::Parallelism) => NodeQuantity::Parallelism {},
            Some(DrawnQuantity::Intensity) => NodeQuantity::Intensity {},
            Some(DrawnQuantity::Movement) => NodeQuantity::Movement {},
            Some(DrawnQuantity::Memory) => NodeQuantity::Memory {},
            Some(DrawnQuantity::Storage) => NodeQuantity::Storage {},
        },
        edges: if arguments.plain_edges { EdgeQuantity::None } else { EdgeQuantity::Movement },
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
            DrawnColours::Traffic => GraphColours::Traffic,
            DrawnColours::Viridis => GraphColours::Viridis,
            DrawnColours::Cividis => GraphColours::Cividis,
        },
        against,
    }
}
