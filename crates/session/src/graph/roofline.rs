//! Boxes under a roofline (Williams, Waterman and Patterson 2009).

use protocol::{GraphRooflineParams, GraphRooflineResult, ProtocolError, RooflinePoint};

use sdfg::cost::NodeValues;

use super::overlay::{Valued, bindings};
use super::{GraphDocument, quantity, wording};
use crate::Answer;

/// The boxes of a drawing that compute and move, the most work first.
pub(crate) fn roofline(
    document: &GraphDocument,
    params: &GraphRooflineParams,
) -> Result<Answer, ProtocolError> {
    let drawing = document.drawn(&params.view);
    let values = document.values(&bindings(&params.symbols));
    let of = Valued { document, values: &values };
    let points = drawing.boxes.iter().filter(|one| !one.is_open).filter_map(|one| {
        let NodeValues { work, moved: bytes, .. } = quantity::in_all(of, one.element);
        (work > 0.0 && bytes > 0.0).then(|| RooflinePoint {
            element: document.outline.number(one.element),
            label: wording::label(&document.program, one.element),
            intensity: work / bytes,
            work,
            bytes,
            time_s: document.measured_seconds(one.element),
        })
    });
    let mut points: Vec<RooflinePoint> = points.collect();
    points.sort_by(|a, b| b.work.total_cmp(&a.work));
    let left_out = points.len().saturating_sub(params.limit as usize);
    points.truncate(params.limit as usize);
    Ok(Answer::new(GraphRooflineResult { points, left_out: left_out as f64 }))
}
