//! `hotframe advice`.

use std::io::{BufWriter, Write as _};

use anyhow::Result;
use session::{Advised, AllAdvised, share_text};

use crate::arguments::{Advice, ReportFormat};
use crate::report::{After, Cell, Column, Fields, Head, Kind, Members, Name, Report};
use crate::{advice_rules, reading};

/// Prints what the notes of a profile and rules say of it.
pub(crate) fn advice(arguments: &Advice) -> Result<()> {
    let rules = advice_rules::rules(&arguments.rules)?;
    let document = reading::read(&arguments.files, &arguments.limits)?;
    super::notes::tell_warnings(&document)?;
    let options = reading::view_options(&document, &arguments.view_options)?;
    super::filters::check_filters(&document, &options)?;
    let AllAdvised { found, left_out } = session::advice(&document, &options, &rules)?;
    let format = arguments.format;
    if !matches!(format, ReportFormat::Json) {
        super::notes::tell_notes(&left_out)?;
    }
    let limit = format.limit(arguments.limit);
    let fields = fields(format);
    let members = Members::default()
        .with("document", &document.title())?
        .with("warnings", &super::notes::view_warnings(&document, &options)?)?
        .with("left_out_rules", &left_out)?;
    let notes = if found.is_empty() {
        vec!["No advice: no rule matches, and the profile has no notes.".to_owned()]
    } else {
        vec![]
    };
    let report = Report {
        head: Head {
            title: format!("Advice on {}", document.title()),
            notes,
            members,
            ..Head::default()
        },
        columns: fields.columns(),
        rows: Box::new(move |sink| {
            for row in found.iter().take(limit) {
                sink(&fields.row(row, &[], 0))?;
            }
            Ok(After::left_out(found.len().saturating_sub(limit), "pieces of advice"))
        }),
    };
    let mut out = BufWriter::new(crate::text::stdout());
    report.write(format, &mut out)?;
    Ok(out.flush()?)
}

fn fields<'a>(format: ReportFormat) -> Fields<'a, Advised> {
    let mut fields = Fields::<Advised>::new(format);
    fields.add(Column::exact("title", Kind::Text), |row, _| Cell::text(&row.title));
    fields.add(Column::exact("function", Kind::Text), |row, _| Cell::text(&row.name));
    fields.add(Column::exact("file", Kind::Text), |row, _| Cell::text(&row.file));
    fields.add(Column::exact("line", Kind::Count), |row, _| Cell::Position(row.line));
    fields.add(Column::exact("path", Kind::Text), |row, _| Cell::text(&row.path));
    fields.add(Column::exact("share", Kind::Share), |row, _| {
        row.share.map_or(Cell::Nothing, Cell::Real)
    });
    fields.add(Column::exact("value", Kind::Text), |row, _| Cell::text(&row.value));
    fields.add(Column::exact("estimated", Kind::Flag), |row, _| Cell::Is(row.is_estimated));
    fields.add(Column::exact("text", Kind::Text), |row, _| Cell::text(&row.text));
    fields.add(Column::exact("link", Kind::Text), |row, _| Cell::text(&row.link));
    fields.add(Column::exact("rule", Kind::Text), |row, _| Cell::text(&row.origin));
    fields.add(Column::shown("share", Kind::Text).wide(8), |row, _| {
        let about = if row.is_estimated { "~" } else { "" };
        Cell::text(row.share.map_or(String::new(), |share| format!("{about}{}", share_text(share))))
    });
    fields.add(Column::shown("of", Kind::Text).wide(22), |row, _| Cell::text(&row.value));
    fields.add(Column::shown("advice", Kind::Name), |row, _| {
        let line = if row.line == 0 { String::new() } else { format!(":{}", row.line) };
        let file = session::base_name(&row.file);
        let at = if file.is_empty() { String::new() } else { format!("{file}{line}") };
        let link = if row.link.is_empty() { "" } else { " " };
        let path = if row.path.is_empty() { "" } else { " below " };
        let text = format!("{}: {}{path}{}", row.title, row.name, row.path);
        let remark = format!("{}{link}{}", row.text, row.link);
        Name { text: text.into(), at: at.into(), remark: remark.into(), ..Name::default() }.into()
    });
    fields
}
