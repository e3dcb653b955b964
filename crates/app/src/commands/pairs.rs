//! `hotframe show --view pairs`.

use std::io::Write;

use anyhow::{Context, Result, bail};
use console::style;
use protocol::{CommonAncestor, LinkedContext};
use serde::Serialize;
use session::{
    LinkedRole, PairsReport, ProfileDocument, RoleOptions, ViewOptions, base_name, decimal_text,
    shortened, visible,
};

use super::show::{self, rest, to_json};
use crate::arguments::ShowFormat;
use crate::text::{count, json_number, terminal_width};

/// The role whose contexts a tree or list shows, if one is asked for.
pub(super) fn one_role(
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
        [] => match document.roles() {
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
    document.role_named(name).with_context(|| {
        format!("no role {name}: {} {}", visible(document.title()), known(document))
    })
}

/// Which roles there are, after the title of a document.
fn known(document: &ProfileDocument) -> String {
    let names: Vec<_> = document.roles().iter().map(|role| role.name(document.profile())).collect();
    match names.as_slice() {
        [] => "has no points that join contexts".to_owned(),
        [one] => format!("has only the role {}", visible(one)),
        names => format!("has the roles {}", visible(&names.join(", "))),
    }
}

/// Prints the pairs of two roles.
pub(super) fn pairs(
    out: &mut dyn Write,
    document: &ProfileDocument,
    options: &ViewOptions,
    roles: [LinkedRole; 2],
    limit: usize,
    format: ShowFormat,
) -> Result<()> {
    let report = document.pairs_report(options, roles, limit)?;
    // Filters look at all contexts of a point here: totals are those of a role view.
    let role = Some(RoleOptions { role: roles[0], chosen: vec![] });
    let options = &ViewOptions { metric: report.metric, role, ..options.clone() };
    let names = roles.map(|role| role.name(document.profile()));
    match format {
        ShowFormat::Text => text(out, document, options, &names, &report),
        ShowFormat::Json => json(out, document, options, &names, &report),
        ShowFormat::Csv => csv(out, document, &names, &report),
    }
}

fn text(
    out: &mut dyn Write,
    document: &ProfileDocument,
    options: &ViewOptions,
    [first, second]: &[String; 2],
    report: &PairsReport,
) -> Result<()> {
    let values = show::title(out, document, options, &format!("pairs of {first} and {second}"))?;
    let header = format!("{:>10} {:>7}  contexts, and where their paths part", "value", "value%");
    writeln!(out, "{}", style(header).dim())?;
    let [first, second] = [visible(first), visible(second)];
    let label = first.chars().count().max(second.chars().count()).max("below".len());
    let room = terminal_width().saturating_sub(22 + label);
    let place = |name: &str, file: &str, lines: &str| {
        let at = match (base_name(file), lines) {
            ("", _) => String::new(),
            (file, "") => visible(file).into_owned(),
            (file, lines) => format!("{}:{lines}", visible(file)),
        };
        let name = shortened(name, room.saturating_sub(at.chars().count() + 2).max(room / 2));
        format!("{name}  {}", style(at).dim()).trim_end().to_owned()
    };
    for pair in &report.pairs {
        let value = pair.values[options.metric];
        let context = |context: &LinkedContext| {
            let name = if context.name.is_empty() { "[no frame]" } else { &context.name };
            place(name, &context.file, &line_text(context.line))
        };
        let below = match &pair.info.ancestor {
            Some(ancestor) => place(&ancestor.name, &ancestor.file, &lines_text(ancestor)),
            None => "nothing in common".to_owned(),
        };
        let head = format!("{:>10} {:>7}", values.text(value), values.share(value));
        let more = match pair.info.merged as u64 {
            1 => String::new(),
            merged => format!("  + {} at other lines", count(merged - 1)),
        };
        let more = style(more).dim();
        writeln!(out, "{head}  {first:<label$}  {}{more}", context(&pair.info.first))?;
        writeln!(out, "{:>18}  {second:<label$}  {}", "", context(&pair.info.second))?;
        writeln!(out, "{:>18}  {:<label$}  {}", "", style("below").dim(), style(below).bold())?;
    }
    rest(out, report.all - report.pairs.len(), "pairs")
}

fn line_text(line: u32) -> String {
    if line == 0 { String::new() } else { line.to_string() }
}

/// The line of the ancestor, or the two lines from which the paths go on.
fn lines_text(ancestor: &CommonAncestor) -> String {
    let CommonAncestor { first_line, second_line, .. } = *ancestor;
    match first_line == second_line {
        true => line_text(first_line),
        false => format!("{first_line} and {second_line}"),
    }
}

#[derive(Serialize)]
struct ContextJson<'a> {
    role: &'a str,
    function: &'a str,
    file: &'a str,
    line: u32,
}

impl<'a> ContextJson<'a> {
    fn new(role: &'a str, context: &'a LinkedContext) -> ContextJson<'a> {
        let LinkedContext { name, file, line, .. } = context;
        ContextJson { role, function: name, file, line: *line }
    }
}

#[derive(Serialize)]
struct AncestorJson<'a> {
    function: &'a str,
    file: &'a str,
    first_line: u32,
    second_line: u32,
}

#[derive(Serialize)]
struct PairJson<'a> {
    first: ContextJson<'a>,
    second: ContextJson<'a>,
    ancestor: Option<AncestorJson<'a>>,
    value: Option<serde_json::Number>,
    points: u64,
    merged: u64,
}

fn json(
    out: &mut dyn Write,
    document: &ProfileDocument,
    options: &ViewOptions,
    names: &[String; 2],
    report: &PairsReport,
) -> Result<()> {
    let decimals = show::json_head(out, document, options, "pairs")?;
    for (index, pair) in report.pairs.iter().enumerate() {
        if index > 0 {
            write!(out, ",")?;
        }
        let row = PairJson {
            first: ContextJson::new(&names[0], &pair.info.first),
            second: ContextJson::new(&names[1], &pair.info.second),
            ancestor: pair.info.ancestor.as_ref().map(|ancestor| AncestorJson {
                function: &ancestor.name,
                file: &ancestor.file,
                first_line: ancestor.first_line,
                second_line: ancestor.second_line,
            }),
            value: json_number(pair.values[options.metric], decimals),
            points: pair.info.points as u64,
            merged: pair.info.merged as u64,
        };
        to_json(out, &row)?;
    }
    writeln!(out, "]}}")?;
    Ok(())
}

/// Writes all metrics of the pairs.
fn csv(
    out: &mut dyn Write,
    document: &ProfileDocument,
    names: &[String; 2],
    report: &PairsReport,
) -> Result<()> {
    let field = session::csv_field;
    for name in names {
        for column in ["function", "file", "line"] {
            write!(out, "{},", field(&format!("{name} {column}")))?;
        }
    }
    write!(out, "ancestor function,ancestor file,ancestor lines,points,merged")?;
    let metrics = &document.profile().metrics;
    for metric in metrics {
        write!(out, ",{}", field(&metric.name))?;
    }
    write!(out, "\r\n")?;
    for pair in &report.pairs {
        for LinkedContext { name, file, line, .. } in [&pair.info.first, &pair.info.second] {
            write!(out, "{},{},{},", field(name), field(file), line_text(*line))?;
        }
        match &pair.info.ancestor {
            Some(ancestor) => {
                let CommonAncestor { name, file, .. } = ancestor;
                write!(out, "{},{},{}", field(name), field(file), lines_text(ancestor))?;
            }
            None => write!(out, ",,")?,
        }
        write!(out, ",{},{}", pair.info.points, pair.info.merged)?;
        for (value, metric) in pair.values.iter().zip(metrics) {
            write!(out, ",{}", decimal_text(*value, metric.decimals))?;
        }
        write!(out, "\r\n")?;
    }
    Ok(())
}
