//! Reports as JSON: the version, the members of the head, the rows one by one, what comes after them.

use std::io::{self, Write};

use anyhow::Result;
use serde::Serialize;

use super::rows::{After, Rows};
use super::write::Report;
use super::{Cell, Column, Members, Record, Row};
use crate::text::json_number;

/// The version of all JSON that commands print. It grows when a key gets another name or meaning, or goes. New keys
/// do not change it.
pub(crate) const VERSION: u32 = 1;

pub(super) fn write(report: Report<'_>, out: &mut dyn Write) -> Result<()> {
    let mut is_first = begin(out)?;
    write_members(&report.head.members, &mut is_first, out)?;
    separate(out, &mut is_first)?;
    write!(out, "\"rows\":")?;
    let after = write_rows(&report.columns, report.rows, out)?;
    write_members(&after.members, &mut is_first, out)?;
    Ok(writeln!(out, "}}")?)
}

/// What stands around the rows.
pub(super) fn object<const N: usize>(all: [&Members; N]) -> Result<String> {
    let mut json = vec![];
    let mut is_first = begin(&mut json)?;
    for members in all {
        write_members(members, &mut is_first, &mut json)?;
    }
    json.push(b'}');
    Ok(String::from_utf8(json)?)
}

/// Begins the object of an answer. Returns whether the next member is the first one.
pub(super) fn begin(out: &mut dyn Write) -> io::Result<bool> {
    write!(out, "{{\"version\":{VERSION}")?;
    Ok(false)
}

/// Members of an object that is begun.
pub(super) fn write_members(
    members: &Members,
    is_first: &mut bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    for (key, value) in &members.0 {
        separate(out, is_first)?;
        write!(out, "\"{key}\":{value}")?;
    }
    Ok(())
}

/// Rows as a list of objects.
pub(super) fn write_rows(columns: &[Column], rows: Rows<'_>, out: &mut dyn Write) -> Result<After> {
    write!(out, "[")?;
    let mut is_first = true;
    let after = rows(&mut |row| {
        separate(out, &mut is_first)?;
        write_row(out, columns, row)
    })?;
    write!(out, "]")?;
    Ok(after)
}

pub(super) fn separate(out: &mut dyn Write, is_first: &mut bool) -> io::Result<()> {
    if !std::mem::take(is_first) {
        write!(out, ",")?;
    }
    Ok(())
}

fn write_row(out: &mut dyn Write, columns: &[Column], row: &Row<'_>) -> io::Result<()> {
    write!(out, "{{")?;
    let mut is_first = true;
    let mut start = 0;
    for together in columns.chunk_by(|a, b| a.group.is_some() && a.group == b.group) {
        let end = start + together.len();
        let cells = &row.cells[start..end];
        start = end;
        let is_empty = cells.iter().all(is_nothing);
        if is_empty && together[0].is_left_out {
            continue;
        }
        match &together[0].group {
            None => write_member(out, &mut is_first, &together[0].key, &cells[0])?,
            Some(group) => {
                separate(out, &mut is_first)?;
                write!(out, "\"{group}\":")?;
                if is_empty {
                    write!(out, "null")?;
                    continue;
                }
                let members = together.iter().zip(cells).map(|(column, cell)| (&*column.key, cell));
                write_object(out, members)?;
            }
        }
    }
    write!(out, "}}")
}

fn is_nothing(cell: &Cell<'_>) -> bool {
    match cell {
        Cell::Nothing => true,
        Cell::Records(records) => records.is_empty(),
        _ => false,
    }
}

fn write_object<'c>(
    out: &mut dyn Write,
    members: impl Iterator<Item = (&'c str, &'c Cell<'c>)>,
) -> io::Result<()> {
    write!(out, "{{")?;
    let mut is_first = true;
    for (key, cell) in members {
        write_member(out, &mut is_first, key, cell)?;
    }
    write!(out, "}}")
}

fn write_member(
    out: &mut dyn Write,
    is_first: &mut bool,
    key: &str,
    cell: &Cell<'_>,
) -> io::Result<()> {
    separate(out, is_first)?;
    write!(out, "\"{key}\":")?;
    write_cell(out, cell)
}

pub(super) fn write_cell(out: &mut dyn Write, cell: &Cell<'_>) -> io::Result<()> {
    match cell {
        Cell::Nothing | Cell::Share(_, 0) => write!(out, "null"),
        Cell::Text(text) => leaf(out, text),
        Cell::Name(name) => leaf(out, &name.text),
        Cell::Path(names) => leaf(out, names),
        Cell::Count(count) => leaf(out, count),
        Cell::Position(line) => leaf(out, line),
        Cell::Value(value, measure) | Cell::Change(value, measure) => {
            leaf(out, &json_number(*value, measure.decimals))
        }
        Cell::Share(part, whole) => leaf(out, &(*part as f64 / *whole as f64)),
        Cell::Growth(number) | Cell::Real(number) | Cell::Part(number) => leaf(out, number),
        Cell::Number(number) => leaf(out, number),
        Cell::Holds => write!(out, "true"),
        Cell::Is(holds) => leaf(out, holds),
        Cell::Record(record) => write_record(out, record),
        Cell::Records(records) => {
            write!(out, "[")?;
            let mut is_first = true;
            for record in records {
                separate(out, &mut is_first)?;
                write_record(out, record)?;
            }
            write!(out, "]")
        }
    }
}

fn write_record(out: &mut dyn Write, record: &Record<'_>) -> io::Result<()> {
    write_object(out, record.iter().map(|(key, cell)| (*key, cell)))
}

fn leaf(out: &mut dyn Write, value: &(impl Serialize + ?Sized)) -> io::Result<()> {
    serde_json::to_writer(out, value).map_err(io::Error::from)
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use session::{NO_VALUE, Unit};

    use super::super::sample::of_rows;
    use super::super::{Head, Kind, Measure};
    use super::*;

    fn columns() -> Vec<Column> {
        let within = |key, group| Column::exact(key, Kind::Count).within(group);
        vec![
            Column::exact("function", Kind::Text),
            Column::exact("column", Kind::Count).left_out(),
            within("base", "total"),
            within("new", "total"),
            within("base", "self"),
            within("p", "test").left_out(),
            Column::exact("calls", Kind::Text),
        ]
    }

    fn row(column: Cell<'static>, base: Cell<'static>, p: Cell<'static>) -> Row<'static> {
        let measure = Rc::new(Measure { unit: Unit::new("", 0), decimals: 0 });
        let calls = vec![vec![("value", Cell::value(NO_VALUE, &measure))]];
        let new = Cell::value(i64::MAX, &measure);
        let own = Cell::Nothing;
        let function = Cell::text("a\"\n|");
        let cells = vec![function, column, base, new, own, p, Cell::Records(calls)];
        Row { cells, ..Row::default() }
    }

    fn written(report: Report<'_>) -> String {
        let mut out = vec![];
        write(report, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn members_stand_in_their_groups() {
        let nothing = || Cell::Nothing;
        let rows = vec![
            row(Cell::Count(4), nothing(), Cell::Real(0.5)),
            row(nothing(), Cell::Count(1), nothing()),
        ];
        let expected = concat!(
            r#"{"version":1,"rows":[{"function":"a\"\n|","column":4,"total":{"base":null,"#,
            r#""new":9223372036854775807},"self":null,"test":{"p":0.5},"calls":[{"value":null}]},"#,
            r#"{"function":"a\"\n|","total":{"base":1,"new":9223372036854775807},"self":null,"#,
            r#""calls":[{"value":null}]}]}"#,
            "\n"
        );
        assert_eq!(written(of_rows(columns(), rows)), expected);
    }

    #[test]
    fn no_rows_are_an_empty_list() {
        let mut report = of_rows(columns(), vec![]);
        let members = Members::default().with("title", &"x\"").unwrap();
        report.head = Head { members, ..Head::default() };
        assert_eq!(written(report), "{\"version\":1,\"title\":\"x\\\"\",\"rows\":[]}\n");
    }
}
