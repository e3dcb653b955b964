//! What the whole costs on either side of a comparison.

use std::collections::BTreeMap;

use sdfg::compare::Sides;
use sdfg::expr::Bindings;
use serde_json::Number;

use super::compare::{Compared, Graph, SidesJson};
use super::totals::{Bound, TotalValue, Totals};
use super::verdict::{Judged, NotKnown};
use crate::arguments::{CostLimit, Quantity};

/// Totals of either side.
pub(super) struct TotalSides {
    base: Totals,
    new: Totals,
    /// Where something was measured.
    time: Option<Sides<TotalValue>>,
}

impl TotalSides {
    /// What graphs cost, and what runs of them took.
    pub(super) fn new(
        graphs: Sides<&Graph>,
        at: &Bindings,
        time: Option<&Sides<Option<Number>>>,
    ) -> TotalSides {
        let of = |graph: &Graph| Totals::new(&graph.costs, at, None);
        TotalSides {
            base: of(graphs.base),
            new: of(graphs.new),
            time: time.map(|time| Sides {
                base: TotalValue::measured(time.base.clone()),
                new: TotalValue::measured(time.new.clone()),
            }),
        }
    }

    fn get(&self, quantity: Quantity) -> Option<[&TotalValue; 2]> {
        match (quantity, &self.time) {
            (Quantity::MeasuredTime, time) => time.as_ref().map(|time| [&time.base, &time.new]),
            _ => Some([self.base.get(quantity)?, self.new.get(quantity)?]),
        }
    }

    fn sides(&self, quantity: Quantity) -> Option<SidesJson> {
        let [base, new] = self.get(quantity)?.map(|total| total.cost.clone());
        Some(SidesJson { base, new })
    }

    /// By the name of each.
    pub(super) fn json(&self) -> BTreeMap<&'static str, SidesJson> {
        let all = Quantity::ALL.into_iter();
        all.filter_map(|quantity| Some((quantity.name(), self.sides(quantity)?))).collect()
    }

    pub(super) fn rows(&self) -> Vec<Compared<'static>> {
        let rows = Quantity::ALL.into_iter().filter_map(|quantity| {
            let name = match quantity {
                Quantity::Work => "work (operations)",
                Quantity::MovementBytes => "movement (bytes of all accesses)",
                Quantity::DistinctBytes => "distinct (bytes, each once)",
                Quantity::Depth => "depth (operations)",
                Quantity::Parallelism => "average parallelism",
                Quantity::Intensity => "intensity (operations/byte)",
                Quantity::IntensityOfDistinct => "intensity of distinct bytes",
                Quantity::MeasuredTime => "measured time (nanoseconds of a run)",
            };
            Some(Compared { name, sides: self.sides(quantity)? })
        });
        rows.collect()
    }

    /// Whether a total grew by more than is allowed.
    pub(super) fn judged(&self, limit: &CostLimit) -> Result<Judged, NotKnown> {
        let (quantity, is_above) = (limit.quantity, limit.is_above);
        let [base, new] = self.get(quantity).ok_or_else(NotKnown::not_measured)?;
        let number = |side: &str, total: &TotalValue| {
            total.number().ok_or_else(|| {
                let NotKnown(why) = total.why_unknown();
                NotKnown(format!("in the {side}, {why}"))
            })
        };
        let (from, to) = (number("base", base)?, number("new", new)?);
        if from == 0.0 && to != 0.0 {
            let to = new.shown(quantity);
            return Err(NotKnown(format!("it grew from 0 to {to}, and 0 has no shares")));
        }
        if let Some(open) = [base, new].into_iter().find(|total| total.bound == Bound::About) {
            let shown = open.shown(quantity);
            return Err(NotKnown(format!("one side has {shown}: how much it grew is not known")));
        }
        if base.bound != Bound::Exact && new.bound == Bound::Exact {
            let from = base.shown(quantity);
            return Err(NotKnown(format!("the base has {from}: how much it grew is not known")));
        }
        let change = if from == to { 0.0 } else { (to - from) / from * 100.0 };
        // Not by the rounded share: 105 is no more than 5 % above 100.
        let least = from * (1.0 + limit.limit / 100.0);
        let is_broken = match (is_above, from == to) {
            (true, true) => limit.limit < 0.0,
            (false, true) => limit.limit > 0.0,
            (true, false) => to > least && change > limit.limit,
            (false, false) => to < least && change < limit.limit,
        };
        let (name, limit) = (quantity.name(), limit.written.trim_end_matches('%').trim_end());
        let not = if is_broken { "" } else { "not " };
        let side = if is_above { "more" } else { "less" };
        let [base, new] = [base, new].map(|total| total.shown(quantity));
        let told = format!(
            "{name} grew by {change:+.1} %, {not}{side} than {limit} % of the base: {base} to {new}"
        );
        Ok(Judged { is_broken, told })
    }
}
