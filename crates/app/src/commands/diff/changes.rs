//! The report of what changed.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use anyhow::Result;
use serde::Serialize;
use session::{
    Change, ChangeRow, ChosenSide, Match, Metric, MetricId, ReportShape, Rule, Significance, Tag,
    Verdict, ViewOptions, base_name,
};

use super::View;
use crate::arguments::ReportFormat;
use crate::commands::notes::view_warnings;
use crate::commands::show::{Files, estimated, exactness, place_fields};
use crate::report::{
    After, Cell, Column, Fields, Head, Kind, Measure, Members, Name, Record, Report, Sink, Span,
};

/// Width of a column of a metric beside the first.
const WIDE: usize = 14;

/// One of the two changes of a row.
type Of = fn(&ChangeRow) -> (Change, Tag);

const TOTAL: Of = |row| (row.total, row.tag);
const OWN: Of = |row| (row.own, row.own_tag);

impl View {
    pub(super) fn measure(&self) -> Rc<Measure> {
        Measure::new(self.metric())
    }

    pub(super) fn metric(&self) -> &Metric {
        &self.compared.metrics[self.options.metric.index()]
    }

    /// What changes are shares of: nothing, in a metric whose values do not add up.
    fn of_all(&self, whole: Change) -> Change {
        let adds_up = self.compared.adds_up(self.options.metric);
        if adds_up { whole } else { Change { base: 0, new: 0 } }
    }

    fn shape_name(&self) -> &'static str {
        match self.shape {
            ReportShape::TopDown => "top-down",
            ReportShape::BottomUp => "bottom-up",
            ReportShape::AllCallers => "all-callers",
            ReportShape::Flat => "flat",
        }
    }

    pub(in crate::commands) fn report(&self, format: ReportFormat) -> Result<Report<'_>> {
        let whole = self.compared.total(&self.options)?;
        let measure = self.measure();
        let mut fields = Fields::new(format);
        let of_all = self.of_all(whole);
        self.people_fields(&mut fields, of_all);
        fields.extend(|rows| place_fields(rows, Files::Unsaid), |row: &ChangeRow| &row.row);
        fields.add(Column::exact("depth", Kind::Count), |row, _| Cell::Count(row.row.depth.into()));
        fields.add(Column::exact("path", Kind::Text), |_, path| Cell::Path(path));
        change_fields(&mut fields, "total", TOTAL, of_all, &measure);
        change_fields(&mut fields, "self", OWN, of_all, &measure);
        estimated(&mut fields, |row| row.row.is_estimated);
        exactness(&mut fields, |row| row.row.exactness.as_deref());
        self.more_fields(&mut fields)?;
        test_fields(&mut fields, &measure);
        self.match_fields(&mut fields);
        let columns = fields.columns();
        let rows = move |sink: &mut Sink<'_>| self.rows(&fields, sink);
        Ok(Report { head: self.head(whole)?, columns, rows: Box::new(rows) })
    }

    fn head(&self, whole: Change) -> Result<Head> {
        let measure = self.measure();
        let shown = |cell: Cell<'_>| cell.shown();
        let [base, new] = [whole.base, whole.new].map(|side| measure.unit.text(side));
        let difference = shown(Cell::change(whole.difference(), &measure));
        let total = vec![
            Span::plain(format!("{base} → {new}, ")),
            Span::strong(difference),
            Span::plain(match growth(whole) {
                Cell::Nothing => String::new(),
                by => format!(" ({})", shown(by)),
            }),
            Span::plain(self.said_of_total(&measure)?),
        ];
        let matched: BTreeMap<&'static str, usize> =
            self.compared.match_counts().map(|(rule, n)| (rule.name(), n)).collect();
        let in_all =
            Cell::Record(record(whole, whole.tag(self.noise), self.of_all(whole), &measure));
        let members = Members::default()
            .with("title", &self.compared.document.title())?
            .with("metric", &self.metric().name)?
            .with("unit", &self.metric().unit)?
            .with_cell("metrics", &self.more_metrics()?)?
            .with("warnings", &view_warnings(&self.compared.document, &self.options)?)?
            .with("view", &self.shape_name())?
            .with_some("sides", &self.sides())?
            .with("matched", &matched)?
            .with_cell("total", &in_all)?
            .with("runs", &self.compared.runs())?
            .with_cell("test", &self.total_record(&measure)?)?;
        Ok(Head {
            title: self.compared.document.title().to_owned(),
            metric: self.metric().name.clone(),
            view: self.shape_name().to_owned(),
            total,
            notes: self.side_sentences(),
            members,
            ..Head::default()
        })
    }

    /// What runs show of the total, in words.
    fn said_of_total(&self, measure: &Rc<Measure>) -> Result<String> {
        let Some(test) = self.compared.total_test(&self.options)? else {
            let runs = self.compared.runs();
            let has_one = runs.contains(&1);
            return Ok(if has_one {
                ", 1 run on a side: changes may be noise".to_owned()
            } else {
                String::new()
            });
        };
        let end = |value: f64| Cell::change(value.round() as i64, measure).shown();
        let difference = test.shift.difference;
        let verdict = self.compared.verdict(Some(&test));
        let why = verdict.reason().map_or(String::new(), |why| format!(" ({})", why.text()));
        let [base, new] = test.shift.runs;
        let far = match test.shift.set_aside {
            0 => String::new(),
            1 => ", 1 of them far from the others and left out".to_owned(),
            many => format!(", {many} of them far from the others and left out"),
        };
        Ok(format!(
            ", {}{why}: {} to {}, {base} and {new} runs{far}",
            verdict.name(),
            end(difference.low),
            end(difference.high)
        ))
    }

    /// The same as a record.
    fn total_record(&self, measure: &Rc<Measure>) -> Result<Cell<'static>> {
        let test = self.compared.total_test(&self.options)?;
        let verdict = self.compared.verdict(test.as_ref());
        let end = |value: f64| Cell::change(value.round() as i64, measure);
        let interval = test.as_ref().map(|test| test.shift.difference);
        let low = Cell::maybe(interval, |interval| end(interval.low));
        let high = Cell::maybe(interval, |interval| end(interval.high));
        Ok(Cell::Record(vec![
            ("verdict", Cell::text(verdict.name())),
            ("reason", Cell::maybe(verdict.reason(), |reason| Cell::text(reason.text()))),
            ("low", low),
            ("high", high),
            (
                "left_out",
                Cell::maybe(test.as_ref(), |test| Cell::Count(test.shift.set_aside as u64)),
            ),
            ("p_value", Cell::maybe(test.as_ref(), |test| Cell::Real(test.shift.p_value))),
        ]))
    }

    /// The same in words.
    pub(super) fn side_sentences(&self) -> Vec<String> {
        self.sides().iter().flatten().map(SideJson::sentence).collect()
    }

    /// What was chosen of base and new side, in a comparison of parts.
    pub(super) fn sides(&self) -> Option<[SideJson; 2]> {
        let chosen = self.compared.document.comparison()?.chosen.as_ref()?;
        let side = |side: &'static str, of: &'_ ChosenSide| SideJson {
            side,
            filters: of.filters.clone(),
            length_ns: of.time.length,
            of_threads: of.time.is_of_threads,
            spans: of.time.spans,
            chosen_by: of.time.chosen_by,
        };
        Some([side("base", &chosen[0]), side("new", &chosen[1])])
    }

    fn people_fields<'a>(&'a self, fields: &mut Fields<'a, ChangeRow>, whole: Change) {
        let [base, new, by, own] = std::array::from_fn(|_| self.measure());
        let value = |title: &'static str| Column::shown(title, Kind::Value);
        let change = |title: &'static str| Column::shown(title, Kind::Change);
        fields.add(value("base"), move |row, _| Cell::value(row.total.base, &base));
        fields.add(value("new"), move |row, _| Cell::value(row.total.new, &new));
        fields.add(change("change"), move |row, _| Cell::change(row.total.difference(), &by));
        fields.add(change("change%").wide(8), |row, _| growth(row.total));
        let of_all = Column::shown("share", Kind::Share).only(ReportFormat::Text);
        fields.add(of_all, move |row, _| Cell::Share(row.total.difference(), whole.difference()));
        fields.add(change("self change"), move |row, _| Cell::change(row.own.difference(), &own));
        for (index, &metric) in self.options.more_metrics.iter().enumerate() {
            let metric = &self.compared.metrics[metric.index()];
            let measure = Measure::new(metric);
            let column = Column::shown(metric.name.clone(), Kind::Change).wide(WIDE);
            fields.add(column, move |row, _| {
                let more = row.more.get(index);
                Cell::maybe(more, |(_, total)| Cell::change(total.difference(), &measure))
            });
        }
        let mark = self.mark();
        fields.add(Column::shown("", Kind::Mark), move |row, _| Cell::text(mark(row)));
        fields.add(Column::shown("function", Kind::Name), |row, _| {
            let at = self.was(row).unwrap_or_default().into();
            let remark = match &row.row.exactness {
                Some(exactness) => format!("({})", exactness.text).into(),
                None if row.row.is_estimated => "(estimated)".into(),
                None => "".into(),
            };
            Name { text: row.row.label.as_str().into(), at, remark, ..Name::default() }.into()
        });
    }

    /// Changes in the metrics beside the first.
    fn more_fields(&self, fields: &mut Fields<'_, ChangeRow>) -> Result<()> {
        let noise = self.noise;
        let wholes: Vec<(Rc<Measure>, Change)> = (self.more_wholes()?.into_iter())
            .map(|(metric, whole)| (Measure::new(metric), whole))
            .collect();
        let sides: [(&str, fn(&(Change, Change)) -> i64); 4] = [
            ("total base", |(_, total)| total.base),
            ("total new", |(_, total)| total.new),
            ("self base", |(own, _)| own.base),
            ("self new", |(own, _)| own.new),
        ];
        for (index, (metric, _)) in self.more_wholes()?.into_iter().enumerate() {
            for (part, side) in sides {
                let measure = Measure::new(metric);
                let column =
                    Column::exact("", measure.kind()).titled(metric.name.clone()).part(part);
                fields.add(column.only(ReportFormat::Csv), move |row, _| {
                    Cell::maybe(row.more.get(index), |more| Cell::value(side(more), &measure))
                });
            }
        }
        let column = Column::exact("metrics", Kind::Text).left_out().only(ReportFormat::Json);
        fields.add(column, move |row, _| {
            let recorded = |change: Change, (measure, whole): &(Rc<Measure>, Change)| {
                Cell::Record(record(change, change.tag(noise), *whole, measure))
            };
            let values = row.more.iter().zip(&wholes).map(|(&(own, total), of)| {
                vec![("total", recorded(total, of)), ("self", recorded(own, of))]
            });
            Cell::Records(values.collect())
        });
        Ok(())
    }

    /// The kind of change; with a `?` where runs do not show it.
    fn mark(&self) -> impl Fn(&ChangeRow) -> &'static str + use<> {
        let is_tested = self.compared.is_tested(&self.options);
        move |row| match row.verdict {
            Verdict::Unknown(_) if is_tested => row.tag.unsure_sign(),
            _ => row.tag.sign(),
        }
    }

    /// Where the base has a function under another name, file or line.
    fn match_fields<'a>(&'a self, fields: &mut Fields<'a, ChangeRow>) {
        let of = |row: &ChangeRow| self.compared.match_of(&row.row);
        let column = |key, title: &'static str, kind| {
            Column::exact(key, kind).titled(title).within("matched").left_out()
        };
        let text = |key, title| column(key, title, Kind::Text);
        fields.add(text("rule", "matched by"), move |row, _| {
            Cell::maybe(of(row), |found| Cell::text(found.rule.name()))
        });
        fields.add(text("was", "was"), move |row, _| {
            Cell::maybe(of(row), |found| Cell::text(found.base.name.clone()))
        });
        fields.add(text("was_in", "was in"), move |row, _| {
            Cell::maybe(of(row), |found| Cell::text(found.base.place.clone()))
        });
        fields.add(column("score", "score", Kind::Share), move |row, _| {
            Cell::maybe(of(row), |found| Cell::Real(found.score))
        });
    }

    fn rows(&self, fields: &Fields<'_, ChangeRow>, sink: &mut Sink<'_>) -> Result<After> {
        let View { compared, options, shape, order, limit, .. } = self;
        if *shape == ReportShape::Flat {
            let (rows, all) = compared.flat_report(options, *order, *limit)?;
            for row in &rows {
                sink(&fields.row(row, std::slice::from_ref(&row.row.name), 0))?;
            }
            let marks = rows.iter().map(self.mark());
            return Ok(After {
                notes: legend(marks),
                ..After::left_out(all - rows.len(), "functions")
            });
        }
        let (mark, mut marks) = (self.mark(), BTreeSet::new());
        let each = |row: &ChangeRow, path: &[String]| {
            marks.insert(mark(row));
            sink(&fields.row(row, path, row.row.depth))
        };
        let left_out = compared.tree_report(*shape, options, *order, *limit, each)??;
        Ok(After { notes: legend(marks), ..After::left_out(left_out, "subtrees") })
    }

    /// The metrics beside the first, each with what it is in all.
    fn more_wholes(&self) -> Result<Vec<(&Metric, Change)>> {
        let whole = |&metric: &MetricId| {
            let of = ViewOptions { metric, ..self.options.clone() };
            Ok((&self.compared.metrics[metric.index()], self.compared.total(&of)?))
        };
        self.options.more_metrics.iter().map(whole).collect()
    }

    fn more_metrics(&self) -> Result<Cell<'_>> {
        let wholes = self.more_wholes()?;
        let told = |(metric, whole): (&'_ Metric, Change)| {
            let total = record(whole, whole.tag(self.noise), whole, &Measure::new(metric));
            vec![
                ("name", Cell::text(metric.name.clone())),
                ("unit", Cell::text(metric.unit.clone())),
                ("total", Cell::Record(total)),
            ]
        };
        Ok(Cell::Records(wholes.into_iter().map(told).collect()))
    }

    /// What the function of a row was in the base, where that is another name or file.
    fn was(&self, row: &ChangeRow) -> Option<String> {
        let Match { base, rule, .. } = self.compared.match_of(&row.row)?;
        match rule {
            Rule::Exact | Rule::Line => None,
            Rule::Moved if base.place.is_empty() => Some("(moved)".to_owned()),
            Rule::Moved => Some(format!("was in {} (moved)", base_name(&base.place))),
            Rule::Clone | Rule::Template | Rule::Renamed => {
                Some(format!("was {} ({})", base.name, rule.name()))
            }
        }
    }
}

/// What was chosen of a side.
#[derive(Serialize)]
pub(super) struct SideJson {
    side: &'static str,
    filters: String,
    length_ns: i64,
    of_threads: bool,
    spans: u64,
    chosen_by: Option<u64>,
}

impl SideJson {
    fn sentence(&self) -> String {
        let length = Measure::new(&Metric { unit: "nanoseconds".into(), ..Metric::default() });
        let of = match (self.filters.as_str(), self.of_threads) {
            ("", _) => "all of it, ".to_owned(),
            (filters, false) => format!("{filters}, "),
            (filters, true) => format!("{filters}, of all threads together "),
        };
        let by = match self.chosen_by {
            Some(1) => " in 1 place".to_owned(),
            Some(count) => format!(" in {} places", session::count_text(count)),
            None => String::new(),
        };
        let (side, length) = (self.side, length.unit.text(self.length_ns));
        let spans = match self.spans {
            1 => "1 span".to_owned(),
            count => format!("{} spans", session::count_text(count)),
        };
        format!("{side}: {of}{length}{by}; {spans}")
    }
}

/// By how much of the base it changed.
pub(super) fn growth(change: Change) -> Cell<'static> {
    Cell::maybe(change.ratio().filter(|_| change.base > 0), Cell::Growth)
}

/// What is told of a change.
const OF_CHANGE: [&str; 6] = ["tag", "base", "new", "difference", "ratio", "share"];

/// Both sides of a change and how they differ, in columns.
fn change_fields(
    fields: &mut Fields<'_, ChangeRow>,
    group: &'static str,
    of: Of,
    whole: Change,
    measure: &Rc<Measure>,
) {
    for key in OF_CHANGE {
        let kind = change_kind(key, measure);
        let column = Column::exact(key, kind).within(group).titled(format!("{group} {key}"));
        let measure = Rc::clone(measure);
        fields.add(column, move |row, _| {
            let (change, tag) = of(row);
            if key == "tag" {
                Cell::text(tag.sign())
            } else {
                change_cell(key, change, whole, &measure)
            }
        });
    }
}

/// The same in one cell.
fn record(change: Change, tag: Tag, whole: Change, measure: &Rc<Measure>) -> Record<'static> {
    let cell = |key| match key {
        "tag" => (key, Cell::text(tag.sign())),
        _ => (key, change_cell(key, change, whole, measure)),
    };
    OF_CHANGE.map(cell).into()
}

/// What the column of one of them is.
pub(super) fn change_kind(key: &str, measure: &Measure) -> Kind {
    match key {
        "tag" => Kind::Text,
        "base" | "new" | "difference" => measure.kind(),
        _ => Kind::Value,
    }
}

/// One of them, but for the tag.
pub(super) fn change_cell(
    key: &str,
    change: Change,
    whole: Change,
    measure: &Rc<Measure>,
) -> Cell<'static> {
    match key {
        "base" => Cell::value(change.base, measure),
        "new" => Cell::value(change.new, measure),
        "difference" => Cell::change(change.difference(), measure),
        "ratio" => Cell::maybe(change.ratio(), Cell::Real),
        // Of the whole change; none if there is no change in all.
        _ => Cell::Share(change.difference(), whole.difference()),
    }
}

/// What the marks in front of functions mean.
fn legend(marks: impl IntoIterator<Item = &'static str>) -> Vec<String> {
    let marks: BTreeSet<&str> = marks.into_iter().collect();
    let has = |mark: &str| marks.iter().any(|one| one.starts_with(mark));
    let meanings = [
        ("[=", "[=] unchanged"),
        ("[+", "[+] more"),
        ("[-", "[-] less"),
        ("[A", "[A] only in new"),
        ("[D", "[D] only in base"),
    ];
    let mut meanings: Vec<&str> =
        meanings.into_iter().filter(|(mark, _)| has(mark)).map(|(_, meaning)| meaning).collect();
    if marks.iter().any(|mark| mark.ends_with("?]")) {
        meanings.push("? the runs do not show it");
    }
    if meanings.is_empty() { vec![] } else { vec![meanings.join("  ")] }
}

/// What can be said of the change of the total. Of runs: the interval in which it lies, and how likely chance
/// alone makes them differ so; `adjusted` for all rows.
fn test_fields(fields: &mut Fields<'_, ChangeRow>, measure: &Rc<Measure>) {
    type OfTest = fn(&Significance) -> f64;
    fn of_test(row: &ChangeRow, value: OfTest) -> Option<f64> {
        row.tests[1].as_ref().map(value)
    }
    let verdict = |key| Column::exact(key, Kind::Text).within("test");
    fields.add(verdict("verdict"), |row, _| Cell::text(row.verdict.name()));
    fields.add(verdict("reason").left_out(), |row, _| {
        Cell::maybe(row.verdict.reason(), |reason| Cell::text(reason.text()))
    });
    let column = |key, kind| Column::exact(key, kind).within("test").left_out();
    let ends: [(&str, OfTest); 2] =
        [("low", |test| test.shift.difference.low), ("high", |test| test.shift.difference.high)];
    for (key, end) in ends {
        let measure = Rc::clone(measure);
        fields.add(column(key, measure.kind()), move |row, _| {
            Cell::maybe(of_test(row, end), |end| Cell::change(end.round() as i64, &measure))
        });
    }
    let real = |row: &ChangeRow, value| Cell::maybe(of_test(row, value), Cell::Real);
    fields.add(column("p_value", Kind::Value), move |row, _| real(row, |test| test.shift.p_value));
    fields.add(column("adjusted", Kind::Value), move |row, _| real(row, |test| test.adjusted));
}
