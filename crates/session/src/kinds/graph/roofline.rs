//! Boxes under a roofline (Williams, Waterman and Patterson 2009).

use std::collections::BTreeSet;

use protocol::{
    ErrorCode, GraphRooflineParams, GraphRooflineResult, PredictedState, PredictedTime,
    ProtocolError, Reply, RooflineMachine, RooflinePoint,
};
use sdfg::cost::{CostValues, NodeValues};
use sdfg::expr::Bindings;
use sdfg::outline::Element;

use super::drawing::Drawing;
use super::measured::Unlike;
use super::overlay::{Valued, bindings};
use super::{GraphDocument, element, quantity, wording};

/// Most states in an answer.
const MOST_STATES: usize = 40;

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
    let at = bindings(&params.symbols);
    let unlike = Unlike::new(document, &at);
    let of =
        Machine { document, values: &values, unlike: &unlike, at: &at, machine: params.machine };
    let boxes = measured_boxes(document, &drawing);
    let computing = boxes.iter().copied().filter(|element| of.is_computing(*element));
    let mut without: BTreeSet<Element> =
        computing.filter(|element| of.costs(*element).is_none()).collect();
    let mut points: Vec<RooflinePoint> =
        boxes.into_iter().filter_map(|element| of.point(element)).collect();
    // What only moves, or only computes, has no place under a roof.
    points.retain(|point| point.work > 0.0 && point.bytes > 0.0);
    points.sort_by(|a, b| b.work.total_cmp(&a.work));
    let left_out = points.len().saturating_sub(params.limit as usize);
    points.truncate(params.limit as usize);
    let ridge = peak / bandwidth;
    let below = points.iter().filter(|point| point.intensity < ridge);
    let (bound, between): (Vec<_>, Vec<_>) =
        below.partition(|point| point.intensity_of_distinct.is_some_and(|best| best < ridge));
    let (memory_bound, between) = (bound.len() as u32, between.len() as u32);
    let left_out = left_out as f64;
    let mut states = of.states(&mut without);
    let predicted_s = of.whole();
    states.sort_by(|a, b| b.predicted_s.most.total_cmp(&a.predicted_s.most));
    let states_left_out = states.len().saturating_sub(MOST_STATES) as f64;
    states.truncate(MOST_STATES);
    Ok(Reply::from(GraphRooflineResult {
        points,
        left_out,
        ridge,
        memory_bound,
        between,
        states,
        states_left_out,
        predicted_s,
        without_value: without.len() as u32,
        note: unlike.message(),
    }))
}

/// A graph with values of symbols, and what a machine can do.
struct Machine<'a> {
    document: &'a GraphDocument,
    values: &'a CostValues,
    unlike: &'a Unlike,
    at: &'a Bindings,
    machine: RooflineMachine,
}

impl Machine<'_> {
    fn valued(&self) -> Valued<'_> {
        Valued { document: self.document, values: self.values, unlike: self.unlike }
    }

    /// Seconds that a run took, if it was one at these sizes.
    fn seconds(&self, element: Element) -> Option<f64> {
        self.document.measured_seconds(element).filter(|_| !self.unlike.has(element))
    }

    /// Whether an element has work that may be told, whatever its value.
    fn is_computing(&self, element: Element) -> bool {
        element::cost(self.document, element).is_some_and(|cost| !cost.work.is_zero())
    }

    fn attainable(&self, intensity: f64) -> f64 {
        (intensity * self.machine.bandwidth).min(self.machine.peak)
    }

    /// Work, bytes and distinct bytes of an element in the whole run; none where they have no value.
    fn costs(&self, element: Element) -> Option<(f64, f64, Option<f64>)> {
        let of = self.valued();
        let NodeValues { work, moved: bytes, .. } = quantity::in_all(of, element);
        let distinct = match bytes {
            0.0 => Some(0.0),
            // A bound of what has to move may be above what is accessed.
            _ => self.distinct_bytes(element).map(|distinct| distinct.min(bytes)),
        };
        (work >= 0.0 && bytes >= 0.0).then_some((work, bytes, distinct))
    }

    /// What has to move in the whole run, if each time that an element is reached every element of
    /// data moves once; none where that is not known.
    fn distinct_bytes(&self, element: Element) -> Option<f64> {
        let each = &element::distinct(self.document, element)?.bytes;
        if self.document.changes_inside(each) {
            return None;
        }
        let each = each.evaluate(self.at).ok()?;
        let times = element::times(self.document, element)?.evaluate(self.at).ok()?;
        let bytes = each.to_f64() * times.to_f64();
        (bytes.is_finite() && bytes > 0.0).then_some(bytes)
    }

    fn predicted(&self, (work, bytes, distinct): (f64, f64, Option<f64>)) -> PredictedTime {
        let RooflineMachine { bandwidth, peak } = self.machine;
        let time = |bytes: f64| (work / peak).max(bytes / bandwidth);
        PredictedTime { least: distinct.map(time), most: time(bytes) }
    }

    fn point(&self, element: Element) -> Option<RooflinePoint> {
        let costs @ (work, bytes, distinct) = self.costs(element)?;
        let time_s = self.seconds(element);
        let intensity = work / bytes;
        let best = distinct.map(|distinct| work / distinct).filter(|best| best.is_finite());
        Some(RooflinePoint {
            element: self.document.outline.number(element),
            label: wording::label(&self.document.program, element),
            intensity,
            intensity_of_distinct: best,
            work,
            bytes,
            time_s,
            predicted_s: self.predicted(costs),
            rate: time_s.map_or_else(|| self.attainable(intensity), |time| work / time),
            most_rate: best.map(|best| self.attainable(best)),
        })
    }

    /// Of the whole run; none where it has no value.
    fn whole(&self) -> Option<PredictedTime> {
        let NodeValues { work, moved: bytes, .. } = self.values.total;
        let distinct = self.document.costs.distinct.total.bytes.evaluate(self.at).ok();
        let distinct = distinct.map(|distinct| distinct.to_f64().min(bytes));
        let is_known = work.is_finite() && bytes.is_finite();
        is_known.then(|| self.predicted((work, bytes, distinct.filter(|one| one.is_finite()))))
    }

    /// The states of the outermost graph, and which of them have no value; those of graphs in nodes are
    /// in them.
    fn states(&self, without: &mut BTreeSet<Element>) -> Vec<PredictedState> {
        let program = &self.document.program;
        let root = program.root().map(|root| program.region(root.region).graph);
        let states = program.states.iter();
        let states = states.filter(|state| Some(program.region(state.region).graph) == root);
        let told = states.filter_map(|state| {
            let element = Element::Block(state.region, state.block);
            let Some(costs @ (work, bytes, _)) = self.costs(element) else {
                without.insert(element);
                return None;
            };
            (work + bytes > 0.0).then(|| PredictedState {
                element: self.document.outline.number(element),
                label: wording::label(program, element),
                predicted_s: self.predicted(costs),
                time_s: self.seconds(element),
            })
        });
        told.collect()
    }
}

/// The closed boxes; in place of those that were not measured the open one around that was.
fn measured_boxes(document: &GraphDocument, drawing: &Drawing) -> BTreeSet<Element> {
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
