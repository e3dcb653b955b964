//! Reports of the engine's tables.

use std::borrow::Cow;
use std::rc::Rc;

use protocol::RowName;
use session::{Metric, Table, TableCells, TableColumn, TableReaders, base_name};

use super::rows::{After, Sink};
use super::write::Report;
use super::{Cell, Column, Head, Kind, Measure, Name, Row};
use crate::arguments::ReportFormat;

/// Who reads a format.
pub(crate) fn reader(format: ReportFormat) -> TableReaders {
    if format.is_for_people() { TableReaders::People } else { TableReaders::Programs }
}

/// The report of a table that was made for the reader of a format. For people, notes of the table stand below the
/// head.
pub(crate) fn of_table<'a>(mut head: Head, table: Table, format: ReportFormat) -> Report<'a> {
    head.notes.extend(table.notes);
    let is_for_people = reader(format) == TableReaders::People;
    let own = table.columns;
    let columns = own.iter().map(|column| column_of(column, is_for_people)).collect();
    let (count, total, noun) = (table.ids.len(), table.total as usize, table.noun);
    let time = Measure::new(&Metric { unit: "nanoseconds".into(), ..Metric::default() });
    let rows = move |sink: &mut Sink<'_>| {
        for row in 0..count {
            let cells =
                own.iter().map(|column| cell_of(column, row, is_for_people, &time)).collect();
            sink(&Row { cells, depth: depth_of(&own, row), ..Row::default() })?;
        }
        Ok(After::left_out(total - count, format!("{noun}s")))
    };
    Report { head, columns, rows: Box::new(rows) }
}

fn column_of(column: &TableColumn, is_for_people: bool) -> Column {
    let kind = match column.cells {
        TableCells::Name(_) => Kind::Name,
        TableCells::Text(_) | TableCells::Place(_) => Kind::Text,
        TableCells::Flag(_) => Kind::Flag,
        TableCells::Count(_) => Kind::Count,
        TableCells::Counts(_) | TableCells::TimeChange(_) => Kind::Change,
        TableCells::Instant(_) | TableCells::Time(_) | TableCells::Number(_) => Kind::Value,
        TableCells::Growth(_) => Kind::Change,
        TableCells::Share(_) => Kind::Share,
    };
    let kind = match column.cells {
        TableCells::Instant(_) | TableCells::Time(_) | TableCells::TimeChange(_)
            if !is_for_people =>
        {
            Kind::Count
        }
        _ => kind,
    };
    if is_for_people {
        let made = Column::shown(column.title.clone(), kind);
        return match &column.cells {
            TableCells::Counts(_) => made.wide(16),
            TableCells::Instant(times) => {
                let widths = times.iter().flatten().map(|&time| instant_text(time).chars().count());
                let wide = widths.max().unwrap_or(0).max(made.width);
                made.wide(wide)
            }
            TableCells::Growth(_) => made.wide(8),
            _ => made,
        };
    }
    let made = Column::exact(column.key.clone(), kind);
    match &column.group {
        None => made,
        Some(group) => made.titled(format!("{group} {}", column.key)).within(group.clone()),
    }
}

fn cell_of<'r>(
    column: &'r TableColumn,
    row: usize,
    is_for_people: bool,
    time: &Rc<Measure>,
) -> Cell<'r> {
    match &column.cells {
        TableCells::Name(names) => {
            let RowName { text, file, remark, detail, mark, .. } = &names[row];
            let lead = match mark.as_str() {
                "" => Cow::default(),
                mark => format!("{mark} ").into(),
            };
            let remark = if detail.is_empty() { remark } else { detail };
            let (text, remark) = (text.as_str().into(), remark.as_str().into());
            Name { lead, text, at: base_name(file).into(), remark, is_strong: false }.into()
        }
        TableCells::Text(texts) => Cell::maybe(texts[row].as_deref(), Cell::text),
        TableCells::Count(counts) => Cell::maybe(counts[row], Cell::Count),
        TableCells::Counts(counts) => {
            let [base, new] = counts[row].map(mean_text);
            Cell::text(if base == new { base } else { format!("{base} → {new}") })
        }
        // All digits: `--time` takes what stands there.
        TableCells::Instant(times) if is_for_people => {
            Cell::maybe(times[row], |value| Cell::text(instant_text(value)))
        }
        TableCells::Instant(times) | TableCells::Time(times) => {
            Cell::maybe(times[row], |value| Cell::value(value, time))
        }
        TableCells::TimeChange(changes) => {
            Cell::maybe(changes[row], |value| Cell::change(value, time))
        }
        TableCells::Growth(ratios) => Cell::maybe(ratios[row], Cell::Growth),
        TableCells::Number(numbers) if is_for_people => {
            let number = numbers[row].and_then(serde_json::Number::from_f64);
            Cell::maybe(number, Cell::Number)
        }
        TableCells::Number(numbers) => Cell::maybe(numbers[row], Cell::Real),
        TableCells::Share(shares) => Cell::maybe(shares[row], Cell::Part),
        TableCells::Flag(flags) => Cell::Is(flags[row]),
        TableCells::Place(_) => Cell::Nothing,
    }
}

/// Such as `1.132455 s`.
fn instant_text(nanoseconds: i64) -> String {
    let text = session::time_text(nanoseconds).replace('u', "µ");
    match text.find(|letter: char| letter.is_alphabetic()) {
        Some(unit) if nanoseconds != 0 => format!("{} {}", &text[..unit], &text[unit..]),
        _ => "0".to_owned(),
    }
}

fn depth_of(columns: &[TableColumn], row: usize) -> u32 {
    let name = columns.iter().find_map(|column| match &column.cells {
        TableCells::Name(names) => Some(names[row].depth),
        _ => None,
    });
    name.unwrap_or(0)
}

/// How many. A mean of runs may be no whole number.
fn mean_text(count: f64) -> String {
    if count.fract() == 0.0 { session::count_text(count as u64) } else { format!("{count:.1}") }
}
