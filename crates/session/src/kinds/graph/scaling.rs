//! What a cost does when sizes change.

use protocol::{
    CostQuantity, GraphScalingColumns, GraphScalingParams, GraphScalingResult, ProtocolError,
    Reply, SymbolEffect,
};
use sdfg::cost::Cost;
use sdfg::expr::{Bindings, Expr};
use sdfg::outline::Element;

use super::overlay::bindings;
use super::{GraphDocument, element};

/// Values of the symbol that a plot shows, at most.
const POINTS: usize = 64;

/// A cost over one symbol, and which symbol matters most.
pub(crate) fn scaling(
    document: &GraphDocument,
    params: &GraphScalingParams,
) -> Result<Reply<GraphScalingResult, GraphScalingColumns>, ProtocolError> {
    let at = bindings(&params.symbols);
    let Some(cost) = cost(document, params)? else {
        let result =
            GraphScalingResult { expression: String::new(), exponent: None, ranking: vec![] };
        return Ok(Reply { result, columns: GraphScalingColumns::default() });
    };
    let mut columns = GraphScalingColumns::default();
    if !params.symbol.is_empty() {
        for value in sizes(params.from, params.to) {
            let mut at = at.clone();
            at.insert(params.symbol.clone(), value);
            columns.at.push(value as f64);
            columns.cost.push(value_at(&cost, &at));
        }
    }
    let result = GraphScalingResult {
        expression: cost.to_string(),
        exponent: exponent(&columns.at, &columns.cost),
        ranking: ranking(&cost, &at),
    };
    Ok(Reply { result, columns })
}

/// The cost in the whole run; nothing where there is none.
fn cost(
    document: &GraphDocument,
    params: &GraphScalingParams,
) -> Result<Option<Expr>, ProtocolError> {
    let Some(number) = params.element else {
        return Ok(part(&document.costs.total, params.quantity));
    };
    let element = document.element(number)?;
    let whole = match element {
        Element::Edge(state, edge) => document
            .costs
            .edge_in_all(&document.program, state, edge)
            .map(|movement| Cost { moved: movement.bytes, ..Cost::default() }),
        _ => element::in_all(document, element),
    };
    Ok(whole.and_then(|cost| part(&cost, params.quantity)))
}

fn part(cost: &Cost, quantity: CostQuantity) -> Option<Expr> {
    match quantity {
        CostQuantity::Work => Some(cost.work.clone()),
        CostQuantity::Depth => Some(cost.depth.clone()),
        CostQuantity::Movement => Some(cost.moved.clone()),
        CostQuantity::Parallelism => cost.parallelism(),
        CostQuantity::Intensity => cost.intensity(),
    }
}

/// Whole numbers between two, evenly by their logarithm, each once.
fn sizes(from: f64, to: f64) -> Vec<i128> {
    let (from, to) = (from.max(1.0), to.max(from.max(1.0)));
    let step = (to / from).ln() / (POINTS - 1) as f64;
    let mut all: Vec<i128> =
        (0..POINTS).map(|at| (from * (step * at as f64).exp()).round() as i128).collect();
    all.dedup();
    all
}

fn value_at(cost: &Expr, at: &Bindings) -> f64 {
    cost.evaluate(at).map_or(f64::NAN, |value| value.to_f64())
}

/// The slope of the larger half of the points, by their logarithms: smaller terms have died away
/// there.
fn exponent(at: &[f64], cost: &[f64]) -> Option<f64> {
    /// Fewer points fit anything.
    const ENOUGH: usize = 4;
    let points = at.iter().zip(cost).skip(at.len() / 2);
    let points = points.filter(|(_, cost)| cost.is_finite() && **cost > 0.0);
    let points: Vec<(f64, f64)> = points.map(|(at, cost)| (at.ln(), cost.ln())).collect();
    if points.len() < ENOUGH {
        return None;
    }
    let count = points.len() as f64;
    let mean_x = points.iter().map(|point| point.0).sum::<f64>() / count;
    let mean_y = points.iter().map(|point| point.1).sum::<f64>() / count;
    let above: f64 = points.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    let below: f64 = points.iter().map(|(x, _)| (x - mean_x).powi(2)).sum();
    (below > 0.0).then(|| above / below)
}

/// By symbol, how many times as much it costs if the symbol doubles; the largest change first.
fn ranking(cost: &Expr, at: &Bindings) -> Vec<SymbolEffect> {
    let now = value_at(cost, at);
    let effects = cost.symbols().into_iter().filter_map(|name| {
        let mut doubled = at.clone();
        let value = doubled.get_mut(name)?;
        *value = value.checked_mul(2)?;
        let doubled = value_at(cost, &doubled) / now;
        doubled.is_finite().then(|| SymbolEffect { name: name.to_owned(), doubled })
    });
    let mut effects: Vec<SymbolEffect> = effects.collect();
    let size = |effect: &SymbolEffect| effect.doubled.ln().abs();
    effects.sort_by(|a, b| size(b).total_cmp(&size(a)).then_with(|| a.name.cmp(&b.name)));
    effects
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_spread_evenly() {
        assert_eq!(sizes(1.0, 4.0), [1, 2, 3, 4]);
        let all = sizes(1.0, 1048576.0);
        assert_eq!((all[0], all[all.len() - 1]), (1, 1_048_576));
        assert_eq!(sizes(5.0, 5.0), [5]);
        assert_eq!(sizes(-3.0, 0.0), [1]);
    }

    #[test]
    fn the_exponent_is_that_of_the_largest_term() {
        let at: Vec<f64> = sizes(1.0, 1e6).iter().map(|&size| size as f64).collect();
        let cost: Vec<f64> = at.iter().map(|n| 3.0 * n * n + 50.0 * n).collect();
        let found = exponent(&at, &cost).expect("there are enough points");
        assert!((found - 2.0).abs() < 0.01, "{found}");
        assert_eq!(exponent(&[1.0, 2.0], &[1.0, 2.0]), None);
    }

    #[test]
    fn the_symbol_that_matters_most_comes_first() {
        let cost = sdfg::expr::parse("N**2*M + K").expect("an expression");
        let at = [("N", 100), ("M", 10), ("K", 5)];
        let at: Bindings = at.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let order: Vec<String> = ranking(&cost, &at).into_iter().map(|one| one.name).collect();
        assert_eq!(order, ["N", "M", "K"]);
    }
}
