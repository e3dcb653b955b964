//! Reports as comma-separated values: the columns' names, then the rows, and nothing else.

use std::io::{self, Write};

use anyhow::Result;
use session::{CsvTable, NO_VALUE, decimal_text};

use super::Cell;
use super::write::Report;

pub(super) fn write(report: Report<'_>, out: &mut dyn Write) -> Result<()> {
    let mut table = CsvTable::new(out);
    for column in &report.columns {
        table.text(&column.heading())?;
    }
    table.end_row()?;
    (report.rows)(&mut |row| {
        for cell in &row.cells {
            write_cell(&mut table, cell)?;
        }
        table.end_row()
    })?;
    table.finish()?;
    Ok(())
}

fn write_cell(table: &mut CsvTable<&mut dyn Write>, cell: &Cell<'_>) -> io::Result<()> {
    match cell {
        Cell::Nothing | Cell::Position(0) => table.empty(),
        Cell::Record(_) | Cell::Records(_) => table.empty(),
        Cell::Value(NO_VALUE, _) | Cell::Change(NO_VALUE, _) => table.empty(),
        Cell::Text(text) => table.text(text),
        Cell::Name(name) => table.text(&name.text),
        Cell::Path(names) => table.text(&names.join(";")),
        Cell::Count(count) => table.exact(count),
        Cell::Position(line) => table.exact(line),
        Cell::Value(value, measure) | Cell::Change(value, measure) => {
            table.exact(decimal_text(*value, measure.decimals))
        }
        Cell::Share(_, 0) => table.empty(),
        Cell::Share(part, whole) => real(table, *part as f64 / *whole as f64),
        Cell::Growth(number) | Cell::Real(number) | Cell::Part(number) => real(table, *number),
        Cell::Number(number) => table.exact(number),
        Cell::Holds => table.exact("true"),
        Cell::Is(holds) => table.exact(holds),
    }
}

fn real(table: &mut CsvTable<&mut dyn Write>, number: f64) -> io::Result<()> {
    if number.is_finite() { table.exact(number) } else { table.empty() }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use session::Unit;

    use super::super::sample::of_rows;
    use super::super::{Column, Kind, Measure, Row};
    use super::*;

    fn columns() -> Vec<Column> {
        let value = Column::exact("self", Kind::Value).titled("=cpu").part("self");
        vec![
            Column::exact("function", Kind::Text),
            Column::exact("line", Kind::Count),
            value,
            Column::exact("path", Kind::Text),
            Column::exact("estimated", Kind::Text),
        ]
    }

    #[track_caller]
    fn check(rows: Vec<Row<'static>>, expected: &str) {
        let mut out = vec![];
        write(of_rows(columns(), rows), &mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    const HEAD: &str = "function,line,'=cpu self,path,estimated\r\n";

    #[test]
    fn no_rows_leave_the_head() {
        check(vec![], HEAD);
    }

    #[test]
    fn numbers_are_exact_and_texts_guarded() {
        let path = Vec::leak(vec!["=a".to_owned(), "b,c".to_owned()]);
        let measure = Rc::new(Measure { unit: Unit::new("ns", 2), decimals: 2 });
        let row = |line, value, holds| Row {
            cells: vec![
                Cell::text("@x|\n"),
                Cell::Position(line),
                Cell::value(value, &measure),
                Cell::Path(path),
                Cell::holds(holds),
            ],
            ..Row::default()
        };
        let rows = vec![row(7, -1250, true), row(0, NO_VALUE, false)];
        let body = "\"'@x|\n\",7,-12.5,\"'=a;b,c\",true\r\n\"'@x|\n\",,,\"'=a;b,c\",\r\n";
        check(rows, &format!("{HEAD}{body}"));
    }
}
