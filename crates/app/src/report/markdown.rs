//! Reports as Markdown: a heading, a sentence and a table as GitHub has them.

use std::io::Write;

use anyhow::Result;
use session::{escaped, visible};

use super::write::Report;
use super::{Cell, Column, Head, Kind, Name, Row, Style};
use crate::text::count;

/// Deeper rows are moved in no further.
const MOST_INDENT: u32 = 40;

pub(super) fn write(report: Report<'_>, out: &mut dyn Write) -> Result<()> {
    write_head(&report.head, out)?;
    // Who a row is of comes first.
    let columns = report.columns;
    let (names, values): (Vec<usize>, Vec<usize>) =
        (0..columns.len()).partition(|&column| columns[column].is_name());
    let order = [names, values].concat();
    for &column in &order {
        write!(out, "| {} ", field(&columns[column].heading()))?;
    }
    writeln!(out, "|")?;
    for &column in &order {
        write!(out, "|{}", rule(&columns[column]))?;
    }
    writeln!(out, "|")?;
    let after = (report.rows)(&mut |row| {
        if row.style == Style::Gap {
            return Ok(());
        }
        for &column in &order {
            write!(out, "| {} ", cell(row, &columns[column], &row.cells[column]))?;
        }
        writeln!(out, "|")
    })?;
    if let Some((left, word)) = after.left_out {
        writeln!(out, "\n{} more {word} are not listed.", count(left as u64))?;
    }
    for note in after.notes {
        writeln!(out, "\n{}", field(&note))?;
    }
    Ok(())
}

fn write_head(head: &Head, out: &mut dyn Write) -> Result<()> {
    if !head.title.is_empty() {
        writeln!(out, "### {}\n", field(&head.title))?;
    }
    let what: Vec<String> = [&head.metric, &head.view]
        .map(|text| field(text))
        .into_iter()
        .filter(|t| !t.is_empty())
        .collect();
    let total: String = (head.total.iter())
        .map(|span| match (field(&span.text), span.is_strong) {
            (text, true) => format!("**{text}**"),
            (text, false) => text,
        })
        .collect();
    if !what.is_empty() {
        writeln!(out, "{}: {total}\n", what.join(", "))?;
    }
    for note in std::iter::once(&head.note).chain(&head.notes).filter(|note| !note.is_empty()) {
        writeln!(out, "{}\n", field(note))?;
    }
    Ok(())
}

fn rule(column: &Column) -> &'static str {
    if column.is_number() { "---:" } else { "---" }
}

fn cell(row: &Row<'_>, column: &Column, cell: &Cell<'_>) -> String {
    let text = match cell {
        Cell::Name(name) => return named(row, name),
        // Marks are ours.
        cell if column.kind == Kind::Mark => return cell.shown(),
        cell => field(&cell.shown()),
    };
    match row.style {
        Style::Strong if !text.is_empty() => format!("**{text}**"),
        _ => text,
    }
}

fn named(row: &Row<'_>, name: &Name<'_>) -> String {
    let mut out = "&nbsp;".repeat(row.depth.min(MOST_INDENT) as usize);
    out.push_str(&field(&name.lead));
    let text = field(&name.text);
    match row.style {
        Style::Strong => out.push_str(&format!("**{text}**")),
        _ => out.push_str(&text),
    }
    for more in [&name.at, &name.remark] {
        if !more.is_empty() {
            out.push(' ');
            out.push_str(&field(more));
        }
    }
    out
}

/// A text that is not markup and stays in its cell.
pub(super) fn field(text: &str) -> String {
    // Signs begin a list only where a line begins.
    escaped(&visible(text)).replace("\\+", "+").replace("\\-", "-")
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use session::Unit;

    use super::super::sample::of_rows;
    use super::super::{Measure, Span};
    use super::*;

    fn columns() -> Vec<Column> {
        let value = Column::shown("cpu|x", Kind::Value).part("self");
        let mark = Column::shown("", Kind::Mark);
        vec![value, mark, Column::shown("function", Kind::Name)]
    }

    fn row(value: i64, text: &'static str, depth: u32, style: Style) -> Row<'static> {
        let measure = Rc::new(Measure { unit: Unit::new("ns", 0), decimals: 0 });
        let at = "a_b.c:3".into();
        let name = Name { text: text.into(), at, ..Name::default() };
        let cells = vec![Cell::value(value, &measure), Cell::text("[+]"), name.into()];
        Row { cells, depth, style }
    }

    fn written(report: Report<'_>) -> String {
        let mut out = vec![];
        write(report, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    const HEAD: &str = "|  | function | cpu\\|x self |\n|---|---|---:|\n";
    const END: &str = "\n2 more functions are not listed.\n";

    #[test]
    fn names_come_first_and_break_nothing() {
        let rows = vec![
            row(1500, "f<a|b>\n| x |", 2, Style::Plain),
            row(-1, "*main*", 0, Style::Strong),
            row(0, "", 0, Style::Gap),
        ];
        let expected = concat!(
            "| [+] | &nbsp;&nbsp;f\\<a\\|b\\>\\\\n\\| x \\| a_b.c:3 | 1.5 µs |\n",
            "| [+] | **\\*main\\*** a_b.c:3 | **-1 ns** |\n",
        );
        assert_eq!(written(of_rows(columns(), rows)), format!("{HEAD}{expected}{END}"));
    }

    #[test]
    fn no_rows_leave_the_head() {
        let mut report = of_rows(columns(), vec![]);
        report.head.title = "a_|_".to_owned();
        report.head.metric = "cpu (ns)".to_owned();
        report.head.view = "flat".to_owned();
        report.head.total = vec![Span::plain("1 → 2, "), Span::strong("+1")];
        let told = "### a\\_\\|\\_\n\ncpu (ns), flat: 1 → 2, **+1**\n\n";
        assert_eq!(written(report), format!("{told}{HEAD}{END}"));
    }
}
