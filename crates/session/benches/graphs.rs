//! How long the engine takes to answer what a person does with a dataflow graph:
//! `HOTFRAME_SDFG=FILE cargo bench -p session --bench graphs`.
//!
//! Prints medians of documents opened anew, and of overlays for other symbols, in milliseconds.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench prints and fails by panicking"
)]

use std::io::Cursor;
use std::time::Instant;

use protocol::{
    DocumentParams, EdgeQuantity, GraphBasis, GraphColours, GraphDrawingParams, GraphDrawingResult,
    GraphOverlayParams, GraphRequest, GraphScale, GraphShow, GraphSummaryResult, GraphView,
    NodeQuantity, SymbolSetting,
};
use session::{Host, Input, ReadOptions, Session, Silent};

struct File(Vec<u8>);

impl Host for File {
    fn open(&self, _: &str) -> std::io::Result<Input> {
        Ok(Input::File(Box::new(Cursor::new(self.0.clone())), None))
    }

    fn seconds(&self) -> f64 {
        0.0
    }
}

/// All that nests is open.
const WHOLE: u32 = 50;

fn view(depth: Option<u32>) -> GraphView {
    GraphView { document: 0, depth, opened: vec![], closed: vec![], hidden: vec![], aspect: None }
}

fn drawing(depth: Option<u32>) -> GraphRequest {
    GraphRequest::GraphDrawing(GraphDrawingParams { view: view(depth) })
}

/// Work and movement where every symbol is `size`.
fn overlay(depth: Option<u32>, symbols: &[String], size: u32) -> GraphRequest {
    let setting = |name: &String| SymbolSetting { name: name.clone(), value: size.into() };
    let show = GraphShow {
        symbols: symbols.iter().map(setting).collect(),
        nodes: NodeQuantity::Work {},
        edges: EdgeQuantity::Movement,
        simulation: None,
        basis: GraphBasis::Whole,
        in_bytes: true,
        scale: GraphScale::Mean,
        colours: GraphColours::Heat,
        against: None,
    };
    GraphRequest::GraphOverlay(GraphOverlayParams { view: view(depth), show })
}

fn main() {
    const ROUNDS: usize = 5;
    /// Of a slider, each time that a document is open.
    const STEPS: u32 = 9;
    let Some(path) = std::env::var_os("HOTFRAME_SDFG") else {
        println!("no graph: name a file in HOTFRAME_SDFG");
        return;
    };
    let bytes = std::fs::read(path).unwrap();
    let names = [
        "read and summary",
        "first drawing",
        "overlay of it",
        "overlay, other symbols",
        "read to first drawing",
        "drawing with all open",
        "overlay of all",
        "overlay of all, other symbols",
    ];
    let mut times = vec![vec![]; names.len()];
    let mut told = String::new();
    for _ in 0..ROUNDS {
        let opened = Instant::now();
        let session = Session::new(Box::new(File(bytes.clone())), ReadOptions::default());
        session.add("graph");
        let ask = |request: GraphRequest, times: &mut Vec<f64>| {
            let started = Instant::now();
            let answer = session.answer(request, vec![], &Silent).unwrap();
            times.push(since(started));
            answer
        };
        let summary = GraphRequest::GraphSummary(DocumentParams { document: 0 });
        let summary = ask(summary, &mut times[0]);
        ask(drawing(None), &mut times[1]);
        times[4].push(since(opened));
        let summary: GraphSummaryResult = summary.into_result().unwrap();
        let symbols: Vec<String> = summary.symbols.into_iter().map(|symbol| symbol.name).collect();
        ask(overlay(None, &symbols, 256), &mut times[2]);
        for step in 0..STEPS {
            ask(overlay(None, &symbols, 300 + step), &mut times[3]);
        }
        let whole = ask(drawing(Some(WHOLE)), &mut times[5]);
        let boxes = whole.columns[0].data.len();
        let whole: GraphDrawingResult = whole.into_result().unwrap();
        ask(overlay(Some(WHOLE), &symbols, 256), &mut times[6]);
        for step in 0..STEPS {
            ask(overlay(Some(WHOLE), &symbols, 300 + step), &mut times[7]);
        }
        told = format!("{} nodes, {} edges", summary.nodes, summary.edges);
        told += &format!("; all open to depth {}: {boxes} boxes", whole.depth);
    }
    println!("{told}\n\n| step | ms |\n|---|---:|");
    for (name, times) in names.iter().zip(&mut times) {
        times.sort_by(f64::total_cmp);
        println!("| {name} | {:.1} |", times[times.len() / 2]);
    }
}

fn since(started: Instant) -> f64 {
    started.elapsed().as_secs_f64() * 1e3
}
