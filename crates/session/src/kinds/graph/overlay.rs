//! What is overlay over a drawing: a value and a colour for every box and edge.

use std::collections::BTreeMap;
use std::sync::Arc;

use protocol::{
    EdgeQuantity, GraphBasis, GraphLegend, GraphOverlayColumns, GraphOverlayParams,
    GraphOverlayResult, GraphShow, LegendCategory, NodeQuantity, ProtocolError, Reply,
    SymbolSetting,
};
use sdfg::cost::CostValues;
use sdfg::expr::Bindings;
use sdfg::outline::Element;

use super::colours::{self, Rgb};
use super::compare::Partners;
use super::drawing::Drawing;
use super::measured::Unlike;
use super::quantity::{edge_value, node_unit, node_value};
use super::scale::Scale;
use super::{GraphDocument, network, wording};

/// Values and positions of all boxes and edges of a drawing; no number where there is none.
#[derive(Debug, Default)]
pub(super) struct Overlay {
    pub(super) node_value: Vec<f64>,
    pub(super) node_position: Vec<f64>,
    pub(super) edge_value: Vec<f64>,
    pub(super) edge_position: Vec<f64>,
    pub(super) nodes: Option<GraphLegend>,
    pub(super) edges: Option<GraphLegend>,
    pub(super) ramp: Vec<Rgb>,
}

/// A graph with its costs at one setting of the symbols.
#[derive(Clone, Copy)]
pub(crate) struct Valued<'d> {
    pub(crate) document: &'d GraphDocument,
    pub(crate) values: &'d CostValues,
    /// What was measured of them is not of these values.
    pub(super) unlike: &'d Unlike,
}

/// What a graph is compared with.
struct Base<'d> {
    of: Valued<'d>,
    partners: Arc<Partners>,
}

/// The value of an element, less that of its partner; what has none is new as a whole.
fn difference<'d>(
    base: Option<&Base<'d>>,
    of: Valued<'d>,
    element: Element,
    value: impl Fn(Valued<'d>, Element) -> f64,
) -> f64 {
    let before = base.and_then(|base| Some((base.of, base.partners.get(element)?)));
    let own = value(of, element);
    before.map_or(own, |(of, partner)| own - value(of, partner))
}

/// Values of symbols, as the analysis takes them. Fractions are cut off.
pub(crate) fn bindings(symbols: &[SymbolSetting]) -> Bindings {
    symbols.iter().map(|one| (one.name.clone(), one.value as i128)).collect()
}

/// What is overlay over a drawing. `base` is what it is compared with.
pub(crate) fn overlay(
    document: &GraphDocument,
    base: Option<&Arc<GraphDocument>>,
    params: &GraphOverlayParams,
) -> Result<Reply<GraphOverlayResult, GraphOverlayColumns>, ProtocolError> {
    let drawing = document.drawn(&params.view);
    let overlay = lay_over(document, base, &drawing, &params.show);
    let at = bindings(&params.show.symbols);
    let unset =
        document.plan.free_symbols().iter().filter(|symbol| !at.contains_key(&*symbol.name));
    let (total, distinct) = (&document.costs.total, &document.costs.distinct.total);
    let mut totals = document.teller(&at).of_cost(total, Some(distinct));
    totals.extend(network::total(document, &at));
    let result = GraphOverlayResult {
        nodes: overlay.nodes,
        edges: overlay.edges,
        ramp: overlay.ramp.iter().copied().map(colours::hex).collect(),
        totals,
        unset: unset.map(|symbol| symbol.name.to_string()).collect(),
    };
    Ok(Reply {
        result,
        columns: GraphOverlayColumns {
            node_value: overlay.node_value,
            node_position: overlay.node_position,
            edge_value: overlay.edge_value,
            edge_position: overlay.edge_position,
        },
    })
}

/// The same, as a value.
pub(super) fn lay_over(
    document: &GraphDocument,
    base: Option<&Arc<GraphDocument>>,
    drawing: &Drawing,
    show: &GraphShow,
) -> Overlay {
    let at = bindings(&show.symbols);
    let values = document.values(&at);
    let unlike = Unlike::new(document, &at);
    let of = Valued { document, values: &values, unlike: &unlike };
    let base_values = base.map(|base| (base.values(&at), Unlike::new(base, &at)));
    let base = base.zip(base_values.as_ref()).map(|(base, (values, unlike))| Base {
        of: Valued { document: base, values, unlike },
        partners: document.partners(base),
    });
    let ramp = colours::ramp(show.colours, base.is_some());
    let mut overlay = Overlay { ramp, ..Overlay::default() };
    lay_nodes(&mut overlay, of, base.as_ref(), drawing, show);
    lay_edges(&mut overlay, (of, &at), base.as_ref(), drawing, show);
    overlay
}

fn lay_nodes(
    overlay: &mut Overlay,
    of: Valued<'_>,
    base: Option<&Base<'_>>,
    drawing: &Drawing,
    show: &GraphShow,
) {
    let count = drawing.boxes.len();
    overlay.node_value = vec![f64::NAN; count];
    overlay.node_position = vec![f64::NAN; count];
    match &show.nodes {
        NodeQuantity::None {} => return,
        NodeQuantity::Storage {} => return lay_storage(overlay, of.document, drawing),
        _ => {}
    }
    for (place, one) in drawing.boxes.iter().enumerate() {
        overlay.node_value[place] =
            difference(base, of, one.element, |of, one| node_value(of, one, show));
    }
    let tells = telling(drawing, &overlay.node_value);
    let told: Vec<usize> = (0..count).filter(|&place| tells[place]).collect();
    // What is drawn several times counts once.
    let counted = || told.iter().filter(|&&place| !drawing.boxes[place].is_copy);
    let finite: Vec<f64> = counted()
        .map(|&place| overlay.node_value[place])
        .filter(|value| value.is_finite())
        .collect();
    let scale = Scale::new(show.scale, &finite, base.is_some());
    for &place in &told {
        let value = overlay.node_value[place];
        if value.is_finite() {
            overlay.node_position[place] = scale.position(value).0;
        }
    }
    let of_applying = counted()
        .filter(|&&place| super::quantity::applies(&show.nodes, drawing.boxes[place].kind));
    let of_applying = of_applying.map(|&place| overlay.node_value[place]);
    let (title, unit) = node_unit(of.document, show);
    let mut legend = scale.legend(titled(title, base), &unit, &finite, of_applying);
    if matches!(show.nodes, NodeQuantity::Bandwidth {} | NodeQuantity::Rate {}) {
        let base = base.map(|base| base.of.unlike.message());
        legend.note =
            Some(of.unlike.message()).filter(|told| !told.is_empty()).or(base).unwrap_or_default();
    }
    overlay.nodes = Some(legend);
}

/// Which boxes tell their value: what is open does only if nothing in it has one, as what is in it
/// tells the same in more detail.
fn telling(drawing: &Drawing, values: &[f64]) -> Vec<bool> {
    let mut has_value_inside = vec![false; drawing.boxes.len()];
    // What is in a box stands behind it.
    for (place, one) in drawing.boxes.iter().enumerate().skip(1).rev() {
        if values[place].is_finite() || has_value_inside[place] {
            has_value_inside[one.parent as usize] = true;
        }
    }
    let boxes = drawing.boxes.iter().enumerate();
    boxes
        .map(
            |(place, one)| {
                if one.is_open {
                    values[place].is_finite() && !has_value_inside[place]
                } else {
                    true
                }
            },
        )
        .collect()
}

fn lay_edges(
    overlay: &mut Overlay,
    (of, at): (Valued<'_>, &Bindings),
    base: Option<&Base<'_>>,
    drawing: &Drawing,
    show: &GraphShow,
) {
    let count = drawing.edges.len();
    overlay.edge_value = vec![f64::NAN; count];
    overlay.edge_position = vec![f64::NAN; count];
    let simulation = match show.edges {
        EdgeQuantity::None => return,
        EdgeQuantity::Movement => None,
        EdgeQuantity::Simulated => match &show.simulation {
            Some(how) => Some(how),
            None => return,
        },
    };
    for (place, edge) in drawing.edges.iter().enumerate() {
        overlay.edge_value[place] =
            difference(base, of, edge.element, |of, one| match simulation {
                Some(how) => of.document.simulated(at, how).value(one),
                None => edge_value(of, one, show),
            });
    }
    let finite = compared_edges(drawing, &overlay.edge_value);
    let scale = Scale::new(show.scale, &finite, base.is_some());
    for (position, value) in overlay.edge_position.iter_mut().zip(&overlay.edge_value) {
        if value.is_finite() {
            *position = scale.position(*value).0;
        }
    }
    let moving = drawing.edges.iter().zip(&overlay.edge_value);
    let moving = moving.filter(|(edge, _)| moves_data(of.document, edge.element));
    let (title, unit) = match simulation {
        Some(_) => ("simulated movement in the whole run".to_owned(), "bytes"),
        None => (
            format!("data movement {}", in_words(show.basis)),
            if show.in_bytes { "bytes" } else { "elements" },
        ),
    };
    let values = moving.map(|(_, value)| *value);
    let mut legend = scale.legend(titled(title, base), unit, &finite, values);
    if let Some(how) = simulation {
        legend.note = of.document.simulated(at, how).note.clone();
        // The other graph may have no numbers, or fewer, for reasons of its own.
        if let Some(base) = base {
            let before = base.of.document.simulated(at, how);
            if before.note != legend.note {
                legend.note =
                    format!("{}; {}: {}", legend.note, base.of.document.title, before.note);
            }
        }
    }
    overlay.edges = Some(legend);
}

/// The values that a scale is made of: of the outermost edges that there are, as inner ones tell the
/// same movement again, piece by piece.
fn compared_edges(drawing: &Drawing, values: &[f64]) -> Vec<f64> {
    /// One value alone compares with nothing.
    const ENOUGH: usize = 2;
    let mut by_depth: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    for (edge, &value) in drawing.edges.iter().zip(values) {
        if value.is_finite() {
            by_depth.entry(edge.scopes).or_default().push(value);
        }
    }
    let mut all = by_depth.into_values();
    let first = all.next().unwrap_or_default();
    if first.len() >= ENOUGH {
        first
    } else {
        all.find(|values| values.len() >= ENOUGH).unwrap_or(first)
    }
}

fn moves_data(document: &GraphDocument, element: Element) -> bool {
    match element {
        Element::Edge(state, edge) => {
            let binds_view = document.program.state(state).edges[edge.place()].binds_view();
            document.costs.edges[state.place()][edge.place()].is_some() && !binds_view
        }
        _ => false,
    }
}

fn titled(title: String, base: Option<&Base<'_>>) -> String {
    match base {
        Some(base) => format!("{title}, less {}", base.of.document.title),
        None => title,
    }
}

pub(super) fn in_words(basis: GraphBasis) -> &'static str {
    match basis {
        GraphBasis::Each => "each time",
        GraphBasis::Whole => "in the whole run",
    }
}

fn lay_storage(overlay: &mut Overlay, document: &GraphDocument, drawing: &Drawing) {
    let storage = |element: Element| {
        wording::container(&document.program, element).map(|(_, data)| data.storage.clone())
    };
    let mut counts: BTreeMap<Arc<str>, u32> = BTreeMap::new();
    for one in drawing.boxes.iter().filter(|one| !one.is_copy) {
        if let Some(storage) = storage(one.element) {
            *counts.entry(storage).or_default() += 1;
        }
    }
    let names: Vec<Arc<str>> = counts.keys().cloned().collect();
    for (place, one) in drawing.boxes.iter().enumerate() {
        if let Some(storage) = storage(one.element)
            && let Ok(category) = names.binary_search(&storage)
        {
            overlay.node_position[place] = category as f64;
        }
    }
    let categories =
        counts.into_iter().enumerate().map(|(category, (name, count))| LegendCategory {
            name: name.to_string(),
            colour: colours::hex(colours::class(category)),
            count,
        });
    overlay.nodes = Some(GraphLegend {
        title: "storage".to_owned(),
        unit: String::new(),
        ticks: vec![],
        bins: vec![],
        values: 0,
        below: 0,
        above: 0,
        without: 0,
        categories: categories.collect(),
        note: String::new(),
    });
}
