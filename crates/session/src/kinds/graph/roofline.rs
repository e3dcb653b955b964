//! Boxes under a roofline (Williams, Waterman and Patterson 2009).

use std::collections::BTreeSet;

use protocol::{GraphRooflineParams, GraphRooflineResult, ProtocolError, Reply, RooflinePoint};
use sdfg::cost::NodeValues;
use sdfg::outline::Element;

use super::drawing::Drawing;
use super::overlay::{Valued, bindings};
use super::{GraphDocument, quantity, wording};

/// The boxes of a drawing that compute and move, the most work first.
pub(crate) fn roofline(
    document: &GraphDocument,
    params: &GraphRooflineParams,
) -> Result<Reply<GraphRooflineResult>, ProtocolError> {
    let drawing = document.drawn(&params.view);
    let values = document.values(&bindings(&params.symbols));
    let of = Valued { document, values: &values };
    let points = told_boxes(document, &drawing).into_iter().filter_map(|element| {
        let NodeValues { work, moved: bytes, .. } = quantity::in_all(of, element);
        (work > 0.0 && bytes > 0.0).then(|| RooflinePoint {
            element: document.outline.number(element),
            label: wording::label(&document.program, element),
            intensity: work / bytes,
            work,
            bytes,
            time_s: document.measured_seconds(element),
        })
    });
    let mut points: Vec<RooflinePoint> = points.collect();
    points.sort_by(|a, b| b.work.total_cmp(&a.work));
    let left_out = points.len().saturating_sub(params.limit as usize);
    points.truncate(params.limit as usize);
    Ok(Reply::from(GraphRooflineResult { points, left_out: left_out as f64 }))
}

/// The closed boxes; in place of those that were not measured the open one around that was.
fn told_boxes(document: &GraphDocument, drawing: &Drawing) -> BTreeSet<Element> {
    let is_measured =
        |place: usize| document.measured_seconds(drawing.boxes[place].element).is_some();
    let measured: Vec<bool> = (0..drawing.boxes.len()).map(is_measured).collect();
    let closed = (0..drawing.boxes.len()).filter(|&place| !drawing.boxes[place].is_open);
    closed
        .map(|place| {
            let mut around = place;
            while !measured[around] && around != 0 {
                around = drawing.boxes[around].parent as usize;
            }
            let told = if measured[around] { around } else { place };
            drawing.boxes[told].element
        })
        .collect()
}
