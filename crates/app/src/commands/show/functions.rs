//! Lists of functions and trees of calls.

use std::rc::Rc;

use anyhow::Result;
use session::{
    Exactness, Pruning, ReportRow, ReportShape, TreeLeftOut, base_name, flat_report, tree_report,
};

use super::ReportRequest;
use super::head::{Values, all_metrics, head};
use crate::arguments::ReportFormat;
use crate::report::{After, Cell, Column, Fields, Kind, Measure, Name, Report, Row, Sink, Style};
use crate::text::count;

/// Width of a column of a metric beside the first.
const WIDE: usize = 15;

/// The report of a shape.
pub(in crate::commands) fn report<'a>(
    asked: &'a ReportRequest<'a>,
    shape: ReportShape,
) -> Result<Report<'a>> {
    let view = match shape {
        ReportShape::TopDown => "top-down",
        ReportShape::BottomUp => "bottom-up",
        ReportShape::AllCallers => "all-callers",
        ReportShape::Flat => "flat",
    };
    let (head, values) = head(asked, view, view)?;
    let values = Rc::new(values);
    let mut fields = Fields::new(asked.format);
    if shape == ReportShape::Flat {
        list_fields(&mut fields, &values);
    } else {
        tree_fields(&mut fields, &values);
    }
    let metrics = all_metrics(asked.document, asked.options);
    let measures: Vec<_> = metrics.iter().map(Measure::new).collect();
    for (index, (metric, measure)) in metrics.iter().zip(&measures).skip(1).enumerate() {
        for (part, side) in [("self", Side::Own), ("total", Side::Total)] {
            let column = Column::shown(metric.name.clone(), Kind::Value).part(part).wide(WIDE);
            let measure = Rc::clone(measure);
            fields.add(column, move |row, _| more_value(row, index, side, &measure));
        }
    }
    fields.add(Column::shown("function", Kind::Name), move |row: &ReportRow, _| {
        let remark = match (shape, row.is_estimated, &row.exactness) {
            (ReportShape::Flat, _, Some(exactness)) => format!("({})", exactness.text).into(),
            (_, _, Some(exactness)) => format!("({})", exactness.short()).into(),
            (ReportShape::Flat, true, None) => "(total estimated)".into(),
            _ => "".into(),
        };
        Name { text: row.label.as_str().into(), at: place(row), remark, ..Name::default() }.into()
    });
    program_fields(&mut fields, &values);
    let every = measures.clone();
    fields.add(
        Column::exact("metrics", Kind::Text).left_out().only(ReportFormat::Json),
        move |row, _| all_values(row, &every),
    );
    for (index, (metric, measure)) in metrics.iter().zip(&measures).skip(1).enumerate() {
        for (part, side) in [("self", Side::Own), ("total", Side::Total)] {
            let column = Column::exact("", measure.kind()).titled(metric.name.clone()).part(part);
            let measure = Rc::clone(measure);
            fields.add(column.only(ReportFormat::Csv), move |row, _| {
                more_value(row, index, side, &measure)
            });
        }
    }
    estimated(&mut fields, |row| row.is_estimated);
    exactness(&mut fields, |row| row.exactness.as_deref());
    let columns = fields.columns();
    let rows = move |sink: &mut Sink<'_>| match shape {
        ReportShape::Flat => list_rows(asked, &fields, sink),
        shape => tree_rows(asked, shape, &fields, &values, sink),
    };
    Ok(Report { head, columns, rows: Box::new(rows) })
}

fn list_fields(fields: &mut Fields<'_, ReportRow>, values: &Rc<Values>) {
    let own = Rc::clone(values);
    fields.add(Column::shown("self", Kind::Value), move |row, _| own.value(row.self_value));
    let own = Rc::clone(values);
    fields.add(Column::shown("self%", Kind::Share), move |row, _| own.share(row.self_value));
    let (all, sum) = (Rc::clone(values), std::cell::Cell::new(0i64));
    fields.add(Column::shown("sum%", Kind::Share), move |row, _| {
        let own = if row.self_value == session::NO_VALUE { 0 } else { row.self_value };
        sum.set(sum.get().saturating_add(own));
        all.share(sum.get())
    });
    let total = Rc::clone(values);
    fields.add(Column::shown("total", Kind::Value), move |row, _| total.value(row.total_value));
    let total = Rc::clone(values);
    fields.add(Column::shown("total%", Kind::Share), move |row, _| total.share(row.total_value));
}

fn tree_fields(fields: &mut Fields<'_, ReportRow>, values: &Rc<Values>) {
    let total = Rc::clone(values);
    fields.add(Column::shown("total", Kind::Value), move |row, _| total.value(row.total_value));
    let total = Rc::clone(values);
    fields.add(Column::shown("total%", Kind::Share), move |row, _| total.share(row.total_value));
    let own = Rc::clone(values);
    fields.add(Column::shown("self", Kind::Value), move |row, _| own.value(row.self_value));
    let own = Rc::clone(values);
    fields.add(Column::shown("self%", Kind::Share), move |row, _| own.share(row.self_value));
}

/// Who a row is of, its values and its place in a tree, for programs.
pub(super) fn program_fields(fields: &mut Fields<'_, ReportRow>, values: &Rc<Values>) {
    place_fields(fields, Files::Counted);
    let kind = values.measure.kind();
    let own = Rc::clone(values);
    fields.add(Column::exact("self", kind), move |row, _| own.value(row.self_value));
    let total = Rc::clone(values);
    fields.add(Column::exact("total", kind), move |row, _| total.value(row.total_value));
    fields.add(Column::exact("depth", Kind::Count), |row, _| Cell::Count(row.depth.into()));
    fields.add(Column::exact("path", Kind::Text), |_, path| Cell::Path(path));
}

/// Who a row is of, for programs.
pub(in crate::commands) fn place_fields(fields: &mut Fields<'_, ReportRow>, files: Files) {
    let text = |key| Column::exact(key, Kind::Text);
    let count = |key| Column::exact(key, Kind::Count);
    fields.add(text("function"), |row, _| Cell::text(row.name.as_str()));
    fields.add(text("file"), |row, _| Cell::text(row.place.file.as_str()));
    if files == Files::Counted {
        fields.add(count("files").left_out().only(ReportFormat::Json), |row, _| {
            let files = row.place.files as u64;
            Cell::maybe((files > 0).then_some(files), Cell::Count)
        });
    }
    fields.add(count("line"), |row, _| Cell::Position(row.place.line));
    fields.add(count("column").left_out(), |row, _| {
        let column = row.place.column;
        Cell::maybe((column > 0).then_some(column), Cell::Position)
    });
    fields.add(text("module"), |row, _| Cell::text(row.place.module.as_str()));
}

/// Whether JSON says how many files a row merges.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::commands) enum Files {
    Counted,
    Unsaid,
}

/// Whether totals are estimates, for programs.
pub(in crate::commands) fn estimated<R: 'static>(
    fields: &mut Fields<'_, R>,
    is_estimated: fn(&R) -> bool,
) {
    fields.add(Column::exact("estimated", Kind::Flag).left_out(), move |row, _| {
        Cell::holds(is_estimated(row))
    });
}

/// How far functions are exact, for programs.
pub(in crate::commands) fn exactness<R: 'static>(
    fields: &mut Fields<'_, R>,
    of: fn(&R) -> Option<&Exactness>,
) {
    let column = Column::exact("exactness", Kind::Text).left_out().only(ReportFormat::Json);
    fields.add(column, move |row, _| {
        Cell::maybe(of(row), |one| {
            let mut cells = vec![("exact_calls", Cell::Count(one.calls))];
            if let Some((time, half)) = one.estimated_ns {
                cells.push(("estimated_ns", Cell::Number(time.into())));
                cells.push(("plus_minus_ns", Cell::Number(half.into())));
            }
            Cell::Record(cells)
        })
    });
}

#[derive(Clone, Copy)]
enum Side {
    Own,
    Total,
}

/// A value in a metric beside the first.
fn more_value(row: &ReportRow, index: usize, side: Side, measure: &Rc<Measure>) -> Cell<'static> {
    Cell::maybe(row.more_values.get(index), |&(own, total)| match side {
        Side::Own => Cell::value(own, measure),
        Side::Total => Cell::value(total, measure),
    })
}

/// The values of a row in each of several metrics.
fn all_values(row: &ReportRow, measures: &[Rc<Measure>]) -> Cell<'static> {
    if row.more_values.is_empty() {
        return Cell::Nothing;
    }
    let first = std::iter::once((row.self_value, row.total_value));
    let values = first.chain(row.more_values.iter().copied()).zip(measures);
    let record = |((own, total), of): ((i64, i64), &Rc<Measure>)| {
        vec![("self", Cell::value(own, of)), ("total", Cell::value(total, of))]
    };
    Cell::Records(values.map(record).collect())
}

/// Where a function is, for people.
fn place(row: &ReportRow) -> std::borrow::Cow<'_, str> {
    let at = &row.place;
    match (base_name(&at.file), at.line) {
        // A name that several functions have says its place itself.
        _ if row.label != row.name => "".into(),
        _ if at.files > 1 => format!("{} files", at.files).into(),
        ("", _) => base_name(&at.module).into(),
        (file, 0) => file.into(),
        (file, line) => format!("{file}:{line}").into(),
    }
}

fn list_rows(
    asked: &ReportRequest<'_>,
    fields: &Fields<'_, ReportRow>,
    sink: &mut Sink<'_>,
) -> Result<After> {
    let (rows, all) = flat_report(asked.document, asked.options, asked.limit)?;
    for row in &rows {
        sink(&fields.row(row, std::slice::from_ref(&row.name), 0))?;
    }
    Ok(After::left_out(all - rows.len(), "functions"))
}

fn tree_rows(
    asked: &ReportRequest<'_>,
    shape: ReportShape,
    fields: &Fields<'_, ReportRow>,
    values: &Values,
    sink: &mut Sink<'_>,
) -> Result<After> {
    let is_for_people = asked.format.is_for_people();
    let mut more = LeftOut { of: vec![], values, columns: fields.columns().len() };
    let result = tree_report(
        asked.document,
        shape,
        asked.options,
        asked.limit,
        asked.pruning,
        |row, path| {
            more.tell(Some(row.depth), sink)?;
            sink(&fields.row(row, path, row.depth))?;
            if is_for_people && row.more.0 > 0 {
                more.of.push((row.depth + 1, row.more));
            }
            Ok(())
        },
    )?;
    let TreeLeftOut { more: root_more, cut } = result?;
    more.tell(None, sink)?;
    let mut after = After::default();
    if is_for_people && root_more.0 > 0 {
        more.of.push((0, root_more));
        more.tell(None, sink)?;
        if asked.pruning == Pruning::NONE {
            after.notes.push("--limit 0 shows all".to_owned());
        }
    }
    if asked.pruning != Pruning::NONE {
        after.members = after.members.with("cut_off", &cut)?;
        let calls = if cut == 1 { "call was" } else { "calls were" };
        after.notes.push(format!("{} {calls} cut off, with all below", count(cut as u64)));
    }
    Ok(after)
}

/// What the limit leaves out below rows: how many at a depth, and their total.
struct LeftOut<'v> {
    of: Vec<(u32, (usize, i64))>,
    values: &'v Values,
    columns: usize,
}

impl LeftOut<'_> {
    /// Tells it below rows that are done: those as deep as the next row or deeper.
    fn tell(&mut self, next_depth: Option<u32>, sink: &mut Sink<'_>) -> std::io::Result<()> {
        while let Some(&(depth, (children, total))) = self.of.last() {
            if next_depth.is_some_and(|next| depth <= next) {
                break;
            }
            self.of.pop();
            let mut cells = match total {
                session::NO_VALUE => vec![self.values.value(total)],
                total => vec![self.values.value(total), self.values.share(total)],
            };
            cells.resize_with(self.columns - 1, || Cell::Nothing);
            let text = format!("… {} more", count(children as u64));
            cells.push(Name { text: text.into(), ..Name::default() }.into());
            sink(&Row { cells, depth, style: Style::Faint })?;
        }
        Ok(())
    }
}
