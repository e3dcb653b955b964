//! `hotframe show --view critical-path`.

use anyhow::{Result, bail};
use session::{PathRow, visible};

use super::super::super::tell_notes;
use super::super::Asked;
use super::{Deep, add_time, head, made, nanoseconds};
use crate::arguments::ReportFormat;
use crate::report::{Cell, Column, Fields, Kind, Name, Report, Span};

impl Deep for PathRow {}

pub(super) fn report<'a>(asked: &Asked<'a>) -> Result<Report<'a>> {
    let Asked { document, options, format, limit, .. } = *asked;
    let Some(path) = document.path_report(options, limit)? else {
        bail!("{} has no span to choose: --during names one", visible(document.title()));
    };
    tell_notes(&path.notes)?;
    let mut head = head(asked, "critical-path", "critical path", &path.notes)?;
    let length = path.extent[1].saturating_sub(path.extent[0]);
    head.total = vec![
        Span::plain(format!("{} on {}: ", path.span, path.track)),
        Span::strong(nanoseconds().unit.text(length)),
    ];
    head.members = head
        .members
        .with("span", &path.span)?
        .with("track", &path.track)?
        .with("begin_ns", &path.extent[0])?
        .with("end_ns", &path.extent[1])?;
    made(head, path_fields(format, length), (path.pieces, path.all, "pieces"))
}

fn path_fields<'a>(format: ReportFormat, whole: i64) -> Fields<'a, PathRow> {
    let mut fields = Fields::<PathRow>::new(format);
    let length = |row: &PathRow| row.extent[1].saturating_sub(row.extent[0]);
    fields.add(Column::exact("track", Kind::Text), |row, _| Cell::text(&row.track));
    fields.add(Column::exact("kind", Kind::Text), |row, _| Cell::text(row.kind));
    fields.add(Column::exact("name", Kind::Text), |row, _| Cell::text(&row.name));
    add_time(&mut fields, ["begin_ns", "from"], |row| Some(row.extent[0]));
    add_time(&mut fields, ["end_ns", "to"], |row| Some(row.extent[1]));
    add_time(&mut fields, ["time_ns", "time"], |row| {
        Some(row.extent[1].saturating_sub(row.extent[0]))
    });
    fields.add(Column::shown("", Kind::Share), move |row, _| Cell::Share(length(row), whole));
    fields.add(Column::shown("piece", Kind::Name), |row, _| {
        let (text, remark) = match (row.kind, row.name.as_str()) {
            ("span", "") => ("[no frame]", row.track.clone()),
            ("span", name) => (name, row.track.clone()),
            ("flow", "") => ("[flow]", format!("to {}", row.track)),
            ("flow", name) => (name, format!("flow to {}", row.track)),
            _ => ("[waiting]", row.track.clone()),
        };
        Name { text: text.into(), remark: remark.into(), ..Name::default() }.into()
    });
    fields
}
