//! `hotframe show --view pairs`.

use std::io::Write;
use std::rc::Rc;

use anyhow::{Context, Result, bail};
use protocol::{CommonAncestor, LinkedContext};
use session::{
    LinkedRole, Metric, MetricId, PairRow, ProfileDocument, RoleOptions, ViewOptions, base_name,
    pairs_report, role_named, roles, visible,
};

use super::ReportRequest;
use super::head::{Values, head};
use crate::arguments::ReportFormat;
use crate::report::{After, Cell, Column, Fields, Kind, Measure, Name, Report, Sink};
use crate::text::count;

/// The role whose contexts a tree or list shows, if one is asked for.
pub(in crate::commands) fn one_role(
    document: &ProfileDocument,
    names: &[String],
) -> Result<Option<RoleOptions>> {
    match names {
        [] => Ok(None),
        [name] => Ok(Some(RoleOptions { role: role(document, name)?, chosen: vec![] })),
        _ => bail!("only --view pairs shows two roles"),
    }
}

/// The roles of pairs: the last two where none are asked for.
pub(super) fn two_roles(document: &ProfileDocument, names: &[String]) -> Result<[LinkedRole; 2]> {
    let roles = match names {
        [] => match roles(document).as_slice() {
            [.., first, second] => [*first, *second],
            _ => bail!("{} {}", visible(document.title()), known(document)),
        },
        [first, second] => [role(document, first)?, role(document, second)?],
        _ => bail!("pairs need two roles: write --role twice"),
    };
    if roles[0] == roles[1] {
        bail!("pairs need two different roles");
    }
    Ok(roles)
}

fn role(document: &ProfileDocument, name: &str) -> Result<LinkedRole> {
    role_named(document, name).with_context(|| {
        format!("no role {name}: {} {}", visible(document.title()), known(document))
    })
}

/// Which roles there are, after the title of a document.
fn known(document: &ProfileDocument) -> String {
    let names: Vec<_> = roles(document).iter().map(|role| role.name(document.profile())).collect();
    match names.as_slice() {
        [] => "has no points that join contexts".to_owned(),
        [one] => format!("has only the role {}", visible(one)),
        names => format!("has the roles {}", visible(&names.join(", "))),
    }
}

/// Writes the pairs of two roles.
pub(super) fn write(
    asked: &ReportRequest<'_>,
    roles: [LinkedRole; 2],
    out: &mut dyn Write,
) -> Result<()> {
    let ReportRequest { document, options, format, limit, .. } = *asked;
    let found = pairs_report(document, options, roles, limit)?;
    // Filters look at all contexts of a point here: totals are those of a role view.
    let role = Some(RoleOptions { role: roles[0], chosen: vec![] });
    let options = &ViewOptions { metric: found.metric, role, ..options.clone() };
    let names = roles.map(|role| role.name(document.profile()));
    let shape = format!("pairs of {} and {}", names[0], names[1]);
    let (mut head, values) = head(&ReportRequest { options, ..*asked }, "pairs", &shape)?;
    head.above_names = "contexts, and where their paths part".to_owned();
    let mut fields = Fields::new(format);
    for_people(&mut fields, &names, Rc::new(values), options.metric);
    let metrics = &document.profile().metrics;
    for_programs(&mut fields, &names, metrics, options.metric);
    let columns = fields.columns();
    let rows = move |sink: &mut Sink<'_>| {
        for pair in &found.pairs {
            sink(&fields.row(pair, &[], 0))?;
        }
        Ok(After::left_out(found.all - found.pairs.len(), "pairs"))
    };
    Report { head, columns, rows: Box::new(rows) }.write(format, out)
}

/// The context of a pair in one of its roles.
type Of = fn(&PairRow) -> &LinkedContext;

const BOTH: [(&str, Of); 2] =
    [("first", |pair| &pair.info.first), ("second", |pair| &pair.info.second)];

fn for_people(
    fields: &mut Fields<'_, PairRow>,
    names: &[String; 2],
    values: Rc<Values>,
    metric: MetricId,
) {
    let shares = Rc::clone(&values);
    fields.add(Column::shown("value", Kind::Value), move |pair, _| {
        values.value(pair.values[metric.index()])
    });
    fields.add(Column::shown("value%", Kind::Share), move |pair, _| {
        shares.share(pair.values[metric.index()])
    });
    for (name, (which, of)) in names.iter().zip(BOTH) {
        fields.add(Column::shown(name.clone(), Kind::Name), move |pair, _| {
            let LinkedContext { name, file, line, .. } = of(pair);
            let text = if name.is_empty() { "[no frame]" } else { name };
            let more = (pair.info.merged as u64).saturating_sub(1);
            let remark = if which == "first" && more > 0 {
                format!("+ {} at other lines", count(more))
            } else {
                String::new()
            };
            let at = place(file, &line_text(*line)).into();
            Name { text: text.into(), at, remark: remark.into(), ..Name::default() }.into()
        });
    }
    fields.add(Column::shown("below", Kind::Name), |pair, _| {
        let name = match &pair.info.ancestor {
            Some(ancestor) => {
                let at = place(&ancestor.file, &lines_text(ancestor)).into();
                Name { text: ancestor.name.as_str().into(), at, ..Name::default() }
            }
            None => Name { text: "nothing in common".into(), ..Name::default() },
        };
        Name { is_strong: true, ..name }.into()
    });
}

/// CSV has all metrics.
fn for_programs(
    fields: &mut Fields<'_, PairRow>,
    names: &[String; 2],
    metrics: &[Metric],
    metric: MetricId,
) {
    for (name, (group, of)) in names.iter().zip(BOTH) {
        let column =
            |key, kind| Column::exact(key, kind).within(group).titled(format!("{name} {key}"));
        let role = name.clone();
        fields.add(column("role", Kind::Text).only(ReportFormat::Json), move |_, _| {
            Cell::text(role.clone())
        });
        fields
            .add(column("function", Kind::Text), move |pair, _| Cell::text(of(pair).name.as_str()));
        fields.add(column("file", Kind::Text), move |pair, _| Cell::text(of(pair).file.as_str()));
        fields.add(column("line", Kind::Count), move |pair, _| Cell::Position(of(pair).line));
    }
    ancestor_fields(fields);
    let measure = Measure::new(&metrics[metric.index()]);
    fields.add(Column::exact("value", Kind::Value).only(ReportFormat::Json), move |pair, _| {
        Cell::value(pair.values[metric.index()], &measure)
    });
    let points = Column::exact("points", Kind::Count);
    fields.add(points, |pair, _| Cell::Count(pair.info.points as u64));
    let merged = Column::exact("merged", Kind::Count);
    fields.add(merged, |pair, _| Cell::Count(pair.info.merged as u64));
    for (index, metric) in metrics.iter().enumerate() {
        let measure = Measure::new(metric);
        let column = Column::exact("", measure.kind()).titled(metric.name.clone());
        fields.add(column.only(ReportFormat::Csv), move |pair, _| {
            Cell::value(pair.values[index], &measure)
        });
    }
}

/// The last context that both paths come from.
fn ancestor_fields(fields: &mut Fields<'_, PairRow>) {
    let column = |key: &'static str| {
        Column::exact(key, Kind::Text).within("ancestor").titled(format!("ancestor {key}"))
    };
    fn of_ancestor<'r>(pair: &'r PairRow, cell: fn(&'r CommonAncestor) -> Cell<'r>) -> Cell<'r> {
        Cell::maybe(pair.info.ancestor.as_ref(), cell)
    }
    fields
        .add(column("function"), |pair, _| of_ancestor(pair, |one| Cell::text(one.name.as_str())));
    fields.add(column("file"), |pair, _| of_ancestor(pair, |one| Cell::text(one.file.as_str())));
    fields.add(column("first_line").only(ReportFormat::Json), |pair, _| {
        of_ancestor(pair, |one| Cell::Position(one.first_line))
    });
    fields.add(column("second_line").only(ReportFormat::Json), |pair, _| {
        of_ancestor(pair, |one| Cell::Position(one.second_line))
    });
    fields.add(column("lines").only(ReportFormat::Csv), |pair, _| {
        of_ancestor(pair, |one| Cell::text(lines_text(one)))
    });
}

fn place(file: &str, lines: &str) -> String {
    match (base_name(file), lines) {
        ("", _) => String::new(),
        (file, "") => file.to_owned(),
        (file, lines) => format!("{file}:{lines}"),
    }
}

fn line_text(line: u32) -> String {
    if line == 0 { String::new() } else { line.to_string() }
}

/// The line of the ancestor, or the two lines from which the paths go on.
fn lines_text(ancestor: &CommonAncestor) -> String {
    let CommonAncestor { first_line, second_line, .. } = *ancestor;
    if first_line == second_line {
        line_text(first_line)
    } else {
        format!("{first_line} and {second_line}")
    }
}
