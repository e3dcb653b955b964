//! Reports for a terminal: numbers under each other, then names in the room that is left.

use std::io::{self, Write};

use anyhow::Result;
use console::style;
use session::{columns, shortened, visible};

use super::write::Report;
use super::{Cell, Column, Head, Kind, Name, Row, Style};
use crate::text::{count, terminal_width};

pub(super) fn write(report: Report<'_>, out: &mut dyn Write) -> Result<()> {
    write_head(&report.head, out)?;
    let layout = Layout::new(report.columns, terminal_width());
    writeln!(out, "{}", style(layout.header(&report.head.above_names)).dim())?;
    let after = (report.rows)(&mut |row| layout.write_row(row, out))?;
    if let Some((left, word)) = after.left_out {
        let text = format!("… {} more {word} (--limit 0 shows all)", count(left as u64));
        writeln!(out, "{}", style(text).dim())?;
    }
    for note in after.notes {
        writeln!(out, "{}", style(visible(&note)).dim())?;
    }
    Ok(())
}

fn write_head(head: &Head, out: &mut dyn Write) -> io::Result<()> {
    let mut parts = vec![];
    if !head.title.is_empty() {
        parts.push(style(visible(&head.title)).bold().to_string());
    }
    for part in [&head.metric, &head.view] {
        if !part.is_empty() {
            parts.push(visible(part).into_owned());
        }
    }
    let total: String = (head.total.iter())
        .map(|span| match (visible(&span.text), span.is_strong) {
            (text, true) => style(text).bold().to_string(),
            (text, false) => text.into_owned(),
        })
        .collect();
    if !total.is_empty() {
        parts.push(total);
    }
    if !head.note.is_empty() {
        parts.push(style(visible(&head.note)).dim().to_string());
    }
    if !parts.is_empty() {
        writeln!(out, "{}", parts.join("  "))?;
    }
    for note in &head.notes {
        writeln!(out, "{}", style(visible(note)).dim())?;
    }
    Ok(())
}

/// Where columns stand.
struct Layout {
    columns: Vec<Column>,
    /// Those that name a row.
    names: Vec<usize>,
    /// Characters before names.
    before: usize,
    /// Characters for names.
    room: usize,
    /// Characters of the words before names, where there are several.
    label: usize,
}

impl Layout {
    fn new(columns: Vec<Column>, width: usize) -> Layout {
        let before: usize = (columns.iter())
            .map(|column| match column.kind {
                Kind::Name => 0,
                _ => column.width + 1,
            })
            .sum();
        // Two spaces end the values.
        let before = before + 1;
        let names: Vec<usize> =
            (0..columns.len()).filter(|&column| columns[column].kind == Kind::Name).collect();
        let widest =
            names.iter().map(|&name| session::columns(&visible(&columns[name].title))).max();
        let label = if names.len() > 1 { widest.unwrap_or(0) + 2 } else { 0 };
        let room = width.saturating_sub(before + label);
        Layout { columns, names, before, room, label }
    }

    fn header(&self, above_names: &str) -> String {
        let title = |column: &Column| {
            let room = column.width.saturating_sub(column.part.len() + 1);
            let title = if column.part.is_empty() {
                shortened(&column.title, column.width)
            } else {
                format!("{} {}", shortened(&column.title, room), column.part)
            };
            padded(column, &title)
        };
        let names = match self.names.as_slice() {
            [name] if above_names.is_empty() => visible(&self.columns[*name].title).into_owned(),
            _ => above_names.to_owned(),
        };
        format!("{}{names}", self.line(|at| title(&self.columns[at]))).trim_end().to_owned()
    }

    fn write_row(&self, row: &Row<'_>, out: &mut dyn Write) -> io::Result<()> {
        if row.style == Style::Gap {
            return writeln!(out);
        }
        let values = self.line(|at| padded(&self.columns[at], &visible(&row.cells[at].shown())));
        let names = self.names.iter().filter_map(|&at| match &row.cells[at] {
            Cell::Name(name) => Some((at, name)),
            _ => None,
        });
        let mut before = values;
        for (at, name) in names {
            let label = left(&visible(&self.columns[at].title), self.label);
            let label = match (self.label, name.is_strong) {
                (0, _) => String::new(),
                // What matters most of several stands out by itself.
                (_, true) => style(label).dim().to_string(),
                (_, false) => label,
            };
            let pad = self.indent(row.depth);
            let room = self.room.saturating_sub(pad.len() + columns(&name.lead));
            let line = format!("{before}{label}{pad}{}{}", name.lead, fitted(name, room));
            writeln!(out, "{}", styled(line.trim_end(), row.style))?;
            before = " ".repeat(self.before);
        }
        if self.names.is_empty() {
            writeln!(out, "{}", styled(before.trim_end(), row.style))?;
        }
        Ok(())
    }

    /// All but the names.
    fn line(&self, cell: impl Fn(usize) -> String) -> String {
        let mut line = String::new();
        let values = (0..self.columns.len()).filter(|&at| !self.columns[at].is_name());
        for (index, at) in values.enumerate() {
            if index > 0 {
                line.push(' ');
            }
            line.push_str(&cell(at));
        }
        line.push_str("  ");
        for at in (0..self.columns.len()).filter(|&at| self.columns[at].kind == Kind::Mark) {
            line.push_str(&cell(at));
            line.push(' ');
        }
        line
    }

    /// Deep stacks are moved in by half of the room at most; beyond, the depth is written out.
    fn indent(&self, depth: u32) -> String {
        let half = self.room / 2;
        match depth as usize {
            depth if depth <= half => " ".repeat(depth),
            depth => format!("{:<half$}", format!("{depth}:")),
        }
    }
}

fn padded(column: &Column, text: &str) -> String {
    if column.is_number() { right(text, column.width) } else { left(text, column.width) }
}

/// A text at the left of `width` columns of the terminal.
fn left(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(columns(text))))
}

/// A text at the right of them.
fn right(text: &str, width: usize) -> String {
    format!("{}{text}", " ".repeat(width.saturating_sub(columns(text))))
}

fn styled(line: &str, how: Style) -> String {
    match how {
        Style::Plain | Style::Gap => line.to_owned(),
        Style::Strong => style(line).bold().to_string(),
        Style::Faint => style(line).dim().to_string(),
    }
}

/// A name with what is around it in `room` characters: the name is cut last.
fn fitted(name: &Name<'_>, room: usize) -> String {
    let at = columns(&visible(&name.at));
    let for_name = if at == 0 { room } else { room.saturating_sub(at + 2).max(room / 2) };
    let text = shortened(&name.text, for_name);
    let left = room.saturating_sub(columns(&text) + 2);
    let at = shortened(&name.at, left);
    let mut line = if name.is_strong { style(text).bold().to_string() } else { text };
    for more in [at.as_str(), &visible(&name.remark)] {
        if !more.is_empty() {
            line.push_str("  ");
            line.push_str(&style(more).dim().to_string());
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use session::Unit;

    use super::super::Measure;
    use super::*;

    fn layout(names: &[&'static str], width: usize) -> Layout {
        let mut columns = vec![
            Column::shown("self", Kind::Value),
            Column::shown("self%", Kind::Share),
            Column::shown("a rather long name", Kind::Value).part("total").wide(15),
        ];
        columns.extend(names.iter().map(|name| Column::shown(*name, Kind::Name)));
        Layout::new(columns, width)
    }

    fn row(names: &[(&'static str, &'static str)], depth: u32) -> Row<'static> {
        let measure = Rc::new(Measure { unit: Unit::new("ns", 0), decimals: 0 });
        let mut cells =
            vec![Cell::value(1500, &measure), Cell::Share(1, 8), Cell::value(-3, &measure)];
        cells.extend(names.iter().map(|&(text, at)| {
            Cell::Name(Name { text: text.into(), at: at.into(), ..Name::default() })
        }));
        Row { cells, depth, ..Row::default() }
    }

    fn written(layout: &Layout, row: &Row<'_>) -> String {
        let mut out = vec![];
        layout.write_row(row, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn numbers_stand_under_their_titles() {
        let layout = layout(&["function"], 80);
        assert_eq!(
            layout.header(""),
            "      self   self% a rathe… … total  function"
                .replace("a rathe… …", &shortened("a rather long name", 9))
        );
        let told = written(&layout, &row(&[("main\n", "a.c:3")], 2));
        assert_eq!(told, "    1.5 µs  12.5 %           -3 ns    main\\n  a.c:3\n");
    }

    #[test]
    fn several_names_stand_below_each_other() {
        let layout = layout(&["use", "reuse"], 80);
        assert!(layout.header("contexts").ends_with("  contexts"));
        let told = written(&layout, &row(&[("a", ""), ("b", "x.c")], 0));
        let lines: Vec<&str> = told.lines().collect();
        assert_eq!(lines[0], "    1.5 µs  12.5 %           -3 ns  use    a");
        assert_eq!(lines[1], format!("{:36}reuse  b  x.c", ""));
    }

    #[test]
    fn places_give_way_to_names_and_depth_to_both() {
        let layout = layout(&["function"], 66);
        let long = "n".repeat(40);
        let name = Name { text: long.as_str().into(), at: "f.c:1".into(), ..Name::default() };
        assert_eq!(columns(&fitted(&name, 50)), 47);
        assert!(columns(&fitted(&name, 30)) <= 30);
        assert_eq!(layout.indent(3), "   ");
        assert_eq!(layout.indent(99), format!("{:<15}", "99:"));
    }
}
