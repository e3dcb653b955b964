//! Boxes under a roofline (Williams, Waterman and Patterson 2009).

use std::collections::BTreeSet;

use protocol::{
    ErrorCode, GraphRooflineParams, GraphRooflineResult, ProtocolError, Reply, RooflineMachine,
    RooflinePoint,
};
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
    let RooflineMachine { bandwidth, peak } = params.machine;
    if ![bandwidth, peak].iter().all(|limit| limit.is_finite() && *limit > 0.0) {
        let message = "bandwidth and peak of a machine are above 0";
        return Err(ProtocolError::new(ErrorCode::BadRequest, message));
    }
    let drawing = document.drawn(&params.view);
    let values = document.values(&bindings(&params.symbols));
    let of = Valued { document, values: &values };
    let points = told_boxes(document, &drawing).into_iter().filter_map(|element| {
        let NodeValues { work, moved: bytes, .. } = quantity::in_all(of, element);
        let time_s = document.measured_seconds(element);
        let intensity = work / bytes;
        let attainable = (intensity * bandwidth).min(peak);
        (work > 0.0 && bytes > 0.0).then(|| RooflinePoint {
            element: document.outline.number(element),
            label: wording::label(&document.program, element),
            intensity,
            work,
            bytes,
            time_s,
            rate: time_s.map_or(attainable, |time| work / time),
        })
    });
    let mut points: Vec<RooflinePoint> = points.collect();
    points.sort_by(|a, b| b.work.total_cmp(&a.work));
    let left_out = points.len().saturating_sub(params.limit as usize);
    points.truncate(params.limit as usize);
    let ridge = peak / bandwidth;
    let memory_bound = points.iter().filter(|point| point.intensity < ridge).count() as u32;
    let left_out = left_out as f64;
    Ok(Reply::from(GraphRooflineResult { points, left_out, ridge, memory_bound }))
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
