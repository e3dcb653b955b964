//! What the whole costs, and what can be said of each number.

use sdfg::cost::{AtMost, Certainty, Cost, Costs, Excess};
use sdfg::expr::{Bindings, Expr};
use serde::Serialize;

use super::measured::{Measured, per_second};
use super::value::{CostValue, add_cost, named};
use super::verdict::{Judged, NotKnown};
use crate::arguments::{CostLimit, Quantity, ReportFormat};
use crate::report::{Cell, Column, Fields, Kind};

/// All totals, in the shape of JSON.
#[derive(Clone, Serialize)]
pub(super) struct Totals {
    pub(super) work: TotalValue,
    pub(super) movement_bytes: TotalValue,
    pub(super) distinct_bytes: TotalValue,
    pub(super) depth: TotalValue,
    pub(super) parallelism: TotalValue,
    pub(super) intensity: TotalValue,
    /// Operations for each byte if every element moved once.
    pub(super) intensity_of_distinct: TotalValue,
    #[serde(flatten)]
    pub(super) measured: Option<MeasuredTotals>,
}

/// What runs of the whole took.
#[derive(Clone, Serialize)]
pub(super) struct MeasuredTotals {
    /// Nanoseconds of a run.
    pub(super) measured_time: TotalValue,
    /// Bytes of all accesses in a second.
    bandwidth: TotalValue,
    /// Operations in a second.
    rate: TotalValue,
}

#[derive(Clone)]
pub(super) struct TotalValue {
    pub(super) cost: CostValue,
    /// Of the expression and what it comes to: `exact`, `at most`, `unknown`; of a quotient with a bound below
    /// the line, `estimated`; of what a run took, `measured`.
    pub(super) certainty: &'static str,
    why: Option<String>,
    pub(super) bound: Bound,
}

/// What is said of a value that is not there: sizes in its expression are not set, or it has none at these.
const NO_VALUE: &str = "no value";

impl Serialize for TotalValue {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Written<'a> {
            #[serde(flatten)]
            cost: &'a CostValue,
            certainty: &'a str,
            expression_certainty: &'a str,
            why: Option<&'a str>,
        }
        let certainty = self.value_certainty();
        let written = Written {
            cost: &self.cost,
            certainty,
            expression_certainty: self.certainty,
            why: self.why.as_deref(),
        };
        written.serialize(serializer)
    }
}

/// Where the true value may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    /// It is the number.
    Exact,
    /// It may be less.
    AtMost,
    /// It may be more.
    AtLeast,
    /// It may be either.
    About,
    /// It is the number if what is not known is as it was set.
    Assumed,
}

impl Totals {
    /// What a graph costs, and what was measured of it.
    pub(super) fn new(costs: &Costs, at: &Bindings, measured: Option<&Measured<'_>>) -> Totals {
        let total = &costs.total;
        let AtMost { work, depth, moved } = total.at_most;
        let distinct = &costs.distinct.total;
        let of = |expr: &Expr, excess| TotalValue::new(costs, expr, excess, at);
        let quotient = |expr, parts| TotalValue::quotient(costs, expr, parts, at);
        let of_distinct = Cost { moved: distinct.bytes.clone(), ..total.clone() }.intensity();
        let mut totals = Totals {
            work: of(&total.work, work),
            movement_bytes: of(&total.moved, moved),
            distinct_bytes: of(&distinct.bytes, distinct.excess),
            depth: of(&total.depth, depth),
            parallelism: quotient(total.parallelism(), [work, depth]),
            intensity: quotient(total.intensity(), [work, moved]),
            intensity_of_distinct: quotient(of_distinct, [work, distinct.excess]),
            measured: None,
        };
        totals.measured = measured.map(|measured| MeasuredTotals::new(&totals, measured));
        totals
    }

    /// The total of a quantity; nothing where nothing was measured.
    pub(super) fn get(&self, quantity: Quantity) -> Option<&TotalValue> {
        Some(match quantity {
            Quantity::Work => &self.work,
            Quantity::MovementBytes => &self.movement_bytes,
            Quantity::DistinctBytes => &self.distinct_bytes,
            Quantity::Depth => &self.depth,
            Quantity::Parallelism => &self.parallelism,
            Quantity::Intensity => &self.intensity,
            Quantity::IntensityOfDistinct => &self.intensity_of_distinct,
            Quantity::MeasuredTime => &self.measured.as_ref()?.measured_time,
        })
    }

    /// Whether a total is beyond a limit.
    pub(super) fn judged(&self, limit: &CostLimit) -> Result<Judged, NotKnown> {
        let (name, is_above) = (limit.quantity.name(), limit.is_above);
        let total = self.get(limit.quantity).ok_or_else(NotKnown::not_measured)?;
        let value = total.number().ok_or_else(|| total.why_unknown())?;
        let is_broken = if is_above { value > limit.limit } else { value < limit.limit };
        let side = if is_above { "above" } else { "below" };
        let shown = total.shown(limit.quantity);
        let is_open = matches!((total.bound, is_above), (Bound::AtMost, false))
            || matches!((total.bound, is_above), (Bound::AtLeast, true));
        if is_open && !is_broken || total.bound == Bound::About {
            // A bound that keeps the limit says nothing of a value behind it, nor does an estimate.
            let text = format!("it is {shown}, and whether that is {side} the limit is not known");
            return Err(NotKnown(text));
        }
        let not = if is_broken { "" } else { "not " };
        let limit = &limit.written;
        Ok(Judged { is_broken, told: format!("{name} is {not}{side} {limit}: {shown}") })
    }

    pub(super) fn rows(&self) -> Vec<(&'static str, TotalValue)> {
        let mut rows = vec![
            ("work (operations)", &self.work),
            ("movement (bytes of all accesses)", &self.movement_bytes),
            ("distinct (bytes, each once)", &self.distinct_bytes),
            ("depth (operations)", &self.depth),
            ("average parallelism", &self.parallelism),
            ("intensity (operations/byte)", &self.intensity),
            ("intensity of distinct bytes", &self.intensity_of_distinct),
        ];
        if let Some(measured) = &self.measured {
            rows.push(("measured time (nanoseconds of a run)", &measured.measured_time));
            rows.push(("bandwidth (bytes of all accesses/second)", &measured.bandwidth));
            rows.push(("rate (operations/second)", &measured.rate));
        }
        rows.into_iter().map(|(name, total)| (name, total.clone())).collect()
    }
}

impl MeasuredTotals {
    fn new(totals: &Totals, measured: &Measured<'_>) -> MeasuredTotals {
        let time = &measured.whole;
        let of_time = |cost: &TotalValue| {
            if measured.is_doubtful {
                return TotalValue::unknown("elements ran another number of times");
            }
            match measured.rate_of_whole(&cost.cost) {
                Some(value) => {
                    let certainty = if cost.certainty == "exact" { "measured" } else { "at most" };
                    let per_second = CostValue { expression: None, value: Some(value) };
                    let why = cost.why.clone();
                    TotalValue { cost: per_second, certainty, why, bound: cost.bound }
                }
                None if time.is_none() => TotalValue::not_timed(),
                None => TotalValue::unknown("the cost has no value for the sizes of the run"),
            }
        };
        MeasuredTotals {
            bandwidth: of_time(&totals.movement_bytes),
            rate: of_time(&totals.work),
            measured_time: TotalValue::measured(time.clone()),
        }
    }
}

impl TotalValue {
    fn new(costs: &Costs, expr: &Expr, excess: Option<Excess>, at: &Bindings) -> TotalValue {
        let certainty = costs.certainty(expr, excess);
        let (why, bound) = match certainty {
            Certainty::AtMost(excess) => (Some(excess.to_string()), Bound::AtMost),
            Certainty::Exact => (None, Bound::Exact),
            Certainty::Unknown => (None, Bound::Assumed),
        };
        let cost = CostValue::new(Some(expr), at);
        TotalValue { cost, certainty: certainty.name(), why, bound }
    }

    /// `above / below`.
    fn quotient(
        costs: &Costs,
        expr: Option<Expr>,
        [above, below]: [Option<Excess>; 2],
        at: &Bindings,
    ) -> TotalValue {
        let Some(expr) = expr else { return TotalValue::unknown("nothing below the line") };
        let mut told = TotalValue::new(costs, &expr, above, at);
        if let (Some(below), "exact" | "at most") = (below, told.certainty) {
            (told.certainty, told.why) = ("estimated", Some(below.to_string()));
            told.bound = if above.is_none() { Bound::AtLeast } else { Bound::About };
        }
        told
    }

    /// A part of what an element costs, where that is known.
    pub(super) fn of_part(
        costs: &Costs,
        cost: Option<&Cost>,
        at: &Bindings,
        part: fn(&Cost) -> (&Expr, Option<Excess>),
    ) -> TotalValue {
        let Some(cost) = cost else {
            return TotalValue::unknown("how often it is reached is not known");
        };
        let (expr, excess) = part(cost);
        TotalValue::new(costs, expr, excess, at)
    }

    fn unknown(why: &str) -> TotalValue {
        let why = Some(why.to_owned());
        TotalValue { cost: CostValue::default(), certainty: "unknown", why, bound: Bound::About }
    }

    /// What runs of the whole took.
    pub(super) fn measured(time: Option<serde_json::Number>) -> TotalValue {
        if time.is_none() {
            return TotalValue::not_timed();
        }
        let cost = CostValue { expression: None, value: time };
        TotalValue { cost, certainty: "measured", why: None, bound: Bound::Exact }
    }

    fn not_timed() -> TotalValue {
        TotalValue::unknown("the reports do not time the graph as a whole")
    }

    pub(super) fn number(&self) -> Option<f64> {
        self.cost.number()
    }

    /// What can be said of the number: nothing where there is none.
    fn value_certainty(&self) -> &'static str {
        let is_missing = self.cost.value.is_none() && self.cost.expression.is_some();
        if is_missing && self.certainty != "unknown" { NO_VALUE } else { self.certainty }
    }

    /// Why there is no number.
    pub(super) fn why_unknown(&self) -> NotKnown {
        NotKnown(match (&self.cost.expression, &self.why) {
            (Some(expression), _) => {
                format!("it has no value: it is {expression}, whose sizes are not chosen")
            }
            (None, Some(why)) => format!("it is not known: {why}"),
            (None, None) => "it has no value".to_owned(),
        })
    }

    /// The number with its unit and what can be said of it.
    pub(super) fn shown(&self, quantity: Quantity) -> String {
        let unit = match quantity.unit() {
            "nanoseconds" => "ns",
            unit => unit,
        };
        // All digits, as limits are compared with all.
        let shown = format!("{} {unit}", self.cost.cell().shown());
        let shown = shown.trim_end().to_owned();
        match self.remark() {
            Some(remark) => format!("{shown} ({remark})"),
            None => shown,
        }
    }

    /// What is said beside the number where it is not exact.
    fn remark(&self) -> Option<String> {
        match (self.certainty, &self.why) {
            ("exact" | "measured", _) => None,
            (certainty, Some(why)) => Some(format!("{certainty}: {why}")),
            (certainty, None) => Some(certainty.to_owned()),
        }
    }
}

impl Measured<'_> {
    /// A total each second of a run.
    fn rate_of_whole(&self, cost: &CostValue) -> Option<serde_json::Number> {
        per_second(cost, self.whole.as_ref()?.as_f64()?)
    }
}

pub(super) fn fields<'a>(format: ReportFormat) -> Fields<'a, (&'static str, TotalValue)> {
    let mut fields = Fields::<(&'static str, TotalValue)>::new(format);
    fields.add(Column::exact("name", Kind::Text), |row, _| Cell::text(row.0));
    add_cost(&mut fields, ["total", "value", "expression"], |row| &row.1.cost);
    fields
        .add(Column::exact("certainty", Kind::Text), |row, _| Cell::text(row.1.value_certainty()));
    fields.add(Column::shown("value", Kind::Value).wide(18), |row, _| row.1.cost.cell());
    fields.add(Column::shown("of the whole", Kind::Name), |row, _| {
        named(row.0, "", &row.1.cost, row.1.remark().as_deref())
    });
    fields
}
