//! What DaCe's reports measured on both sides of a comparison.

use std::collections::{BTreeMap, BTreeSet};

use sdfg::compare::{Comparison, Sides};
use sdfg::model::{BlockKind, NodeKind, Program};
use sdfg::report::{Place, Report};
use serde_json::Number;

use super::runs::{MeasuredElement, Runs};
use crate::arguments::ReportFormat;
use crate::commands::sdfg::files::table;
use crate::report::{Cell, Column, Fields, Kind, Section};

/// The metric of a row that is not a counter.
const TIME: &str = "measured_time";

/// What runs of either side measured.
pub(in crate::commands::sdfg) struct MeasuredSides<'a> {
    rows: Vec<Row<'a>>,
    pub(in crate::commands::sdfg) warnings: Vec<String>,
    /// Nanoseconds of a run of the whole.
    pub(in crate::commands::sdfg) whole: Sides<Option<Number>>,
}

/// A metric of an element that either side has.
struct Row<'a> {
    base: Option<MeasuredElement<'a>>,
    new: Option<MeasuredElement<'a>>,
    metric: String,
    values: Sides<Option<Number>>,
}

impl<'a> MeasuredSides<'a> {
    /// Lays a report over either side; elements are those that the comparison matched.
    pub(in crate::commands::sdfg) fn new(
        programs: Sides<&'a Program>,
        reports: Sides<&[Report]>,
        measured_side: &Comparison,
    ) -> MeasuredSides<'a> {
        let base = Metrics::new(programs.base, reports.base);
        let new = Metrics::new(programs.new, reports.new);
        let partners = partners(programs, measured_side);
        let mut rows = vec![];
        let mut matched = BTreeSet::new();
        for (&place, metrics) in &base.by_place {
            let partner = partners.get(&place).filter(|partner| new.by_place.contains_key(partner));
            let none = BTreeMap::new();
            let other = partner.map_or(&none, |partner| &new.by_place[partner]);
            matched.extend(partner.copied());
            let names: BTreeSet<&String> = metrics.keys().chain(other.keys()).collect();
            rows.extend(names.into_iter().map(|name| Row {
                base: Some(MeasuredElement::new(programs.base, place)),
                new: partner.map(|partner| MeasuredElement::new(programs.new, *partner)),
                metric: name.clone(),
                values: Sides { base: metrics.get(name).cloned(), new: other.get(name).cloned() },
            }));
        }
        for (&place, metrics) in new.by_place.iter().filter(|(place, _)| !matched.contains(place)) {
            rows.extend(metrics.iter().map(|(name, value)| Row {
                base: None,
                new: Some(MeasuredElement::new(programs.new, place)),
                metric: name.clone(),
                values: Sides { base: None, new: Some(value.clone()) },
            }));
        }
        let mut warnings = vec![];
        for (side, of_side) in [("base", &base), ("new", &new)] {
            warnings.extend(of_side.warnings.iter().map(|text| format!("{side}: {text}")));
        }
        MeasuredSides { rows, warnings, whole: Sides { base: base.whole, new: new.whole } }
    }

    /// The table of elements.
    pub(in crate::commands::sdfg) fn section(
        mut self,
        format: ReportFormat,
        most: usize,
    ) -> Section<'a> {
        if format.is_for_people() {
            self.rows.sort_by(|a, b| b.difference().total_cmp(&a.difference()));
        }
        let both = |row: &&Row<'_>| row.base.is_some() && row.new.is_some();
        let both = self.rows.iter().filter(both).count();
        let one = self.rows.len() - both;
        let title = format!(
            "measured in a run: {both} values of elements on both sides, {one} of elements that \
             one side has"
        );
        let report = table(title, fields(format), self.rows, (most, "measured values"));
        Section::new("measured", report)
    }
}

/// What the runs of one side measured.
struct Metrics {
    by_place: BTreeMap<Place, BTreeMap<String, Number>>,
    warnings: Vec<String>,
    whole: Option<Number>,
}

impl Metrics {
    fn new(program: &Program, reports: &[Report]) -> Metrics {
        let runs = Runs::new(program, reports);
        let mut by_place = BTreeMap::new();
        for (&place, one) in &runs.measured.elements {
            let counters = runs.counters(place, one).into_iter();
            let mut metrics: BTreeMap<String, Number> =
                counters.map(|(name, value)| (name.to_string(), value)).collect();
            metrics.extend(runs.time(place, one).map(|time| (TIME.to_owned(), time)));
            by_place.insert(place, metrics);
        }
        Metrics { by_place, warnings: runs.warnings(), whole: runs.whole(program) }
    }
}

/// For what the base has what that is in the new graph.
fn partners(programs: Sides<&Program>, measured_side: &Comparison) -> BTreeMap<Place, Place> {
    let mut partners = BTreeMap::new();
    if let (Some(base), Some(new)) = (programs.base.root(), programs.new.root()) {
        partners.insert(Place::Region(base.region), Place::Region(new.region));
    }
    for at in measured_side.blocks.both.iter().map(|one| one.at) {
        let kinds = (
            &programs.base.region(at.base.0).block(at.base.1).kind,
            &programs.new.region(at.new.0).block(at.new.1).kind,
        );
        match kinds {
            (BlockKind::State(base), BlockKind::State(new)) => {
                partners.insert(Place::State(*base), Place::State(*new));
            }
            (BlockKind::Region(base), BlockKind::Region(new)) => {
                partners.insert(Place::Region(*base), Place::Region(*new));
            }
            (
                BlockKind::Conditional { branches: base, .. },
                BlockKind::Conditional { branches: new, .. },
            ) if base.len() == new.len() => {
                let pairs = base.iter().zip(new);
                partners.extend(
                    pairs.map(|((_, base), (_, new))| (Place::Region(*base), Place::Region(*new))),
                );
            }
            _ => {}
        }
    }
    for at in measured_side.nodes.both.iter().map(|one| one.at) {
        let (base, new) = ((at.base.0, at.base.1), (at.new.0, at.new.1));
        partners.insert(Place::Node(base.0, base.1), Place::Node(new.0, new.1));
        let kinds = (
            &programs.base.state(base.0).nodes[base.1.place()].kind,
            &programs.new.state(new.0).nodes[new.1.place()].kind,
        );
        if let (NodeKind::Nested { .. }, NodeKind::Nested { .. }) = kinds {
            let region = |program: &Program, holder| {
                let graph = program.graphs.iter().find(|graph| graph.holder == Some(holder));
                graph.map(|graph| Place::Region(graph.region))
            };
            let inner = region(programs.base, base).zip(region(programs.new, new));
            partners.extend(inner);
        }
    }
    partners
}

impl Row<'_> {
    fn measured_side(&self) -> Option<&MeasuredElement<'_>> {
        self.new.as_ref().or(self.base.as_ref())
    }

    /// Without a sign; what one side has comes last.
    fn difference(&self) -> f64 {
        let number = |value: &Option<Number>| value.as_ref().and_then(Number::as_f64);
        match (number(&self.values.base), number(&self.values.new)) {
            (Some(base), Some(new)) => (new - base).abs(),
            _ => -1.0,
        }
    }

    fn growth(&self) -> Option<f64> {
        let number = |value: &Option<Number>| value.as_ref().and_then(Number::as_f64);
        let (base, new) = (number(&self.values.base)?, number(&self.values.new)?);
        (base != 0.0 && base != new).then(|| new / base)
    }

    /// A value as people read it.
    fn shown(&self, value: &Option<Number>) -> Cell<'_> {
        let unit = if self.metric == TIME { "nanoseconds" } else { "" };
        let text = |value| Cell::text(session::quantity_text(value, unit));
        Cell::maybe(value.as_ref().and_then(Number::as_f64), text)
    }
}

fn fields<'a>(format: ReportFormat) -> Fields<'a, Row<'a>> {
    let exact = |value: &Option<Number>| Cell::maybe(value.clone(), Cell::Number);
    let id = |measured_side: &Option<MeasuredElement<'_>>| {
        Cell::maybe(measured_side.as_ref(), |measured_side| Cell::text(measured_side.id.clone()))
    };
    let mut fields = Fields::<Row<'_>>::new(format);
    fields.add(Column::exact("base_id", Kind::Text), move |row, _| id(&row.base));
    fields.add(Column::exact("new_id", Kind::Text), move |row, _| id(&row.new));
    fields.add(Column::exact("label", Kind::Text), |row, _| {
        Cell::maybe(row.measured_side(), |measured_side| Cell::text(measured_side.label))
    });
    fields.add(Column::exact("kind", Kind::Text), |row, _| {
        Cell::maybe(row.measured_side(), |measured_side| Cell::text(measured_side.kind))
    });
    fields.add(Column::exact("metric", Kind::Text), |row, _| Cell::text(&row.metric));
    fields.add(Column::exact("base", Kind::Value), move |row, _| exact(&row.values.base));
    fields.add(Column::exact("new", Kind::Value), move |row, _| exact(&row.values.new));
    fields.add(Column::shown("base", Kind::Value).wide(14), |row, _| row.shown(&row.values.base));
    fields.add(Column::shown("new", Kind::Value).wide(14), |row, _| row.shown(&row.values.new));
    fields.add(Column::shown("change", Kind::Change), |row, _| {
        Cell::maybe(row.growth(), Cell::Growth)
    });
    fields.add(Column::shown("element", Kind::Name), |row, _| {
        let side = match (&row.base, &row.new) {
            (Some(_), None) => ", only in the base",
            (None, Some(_)) => ", only in the new",
            _ => "",
        };
        let remark = format!("{}{side}", if row.metric == TIME { "time" } else { &row.metric });
        Cell::maybe(row.measured_side(), |measured_side| measured_side.name(remark))
    });
    fields
}
