//! `hotframe show`.

use std::io::{BufWriter, Write};

use anyhow::{Result, bail};
use console::style;
use serde::Serialize;
use session::{
    Called, Metric, NO_VALUE, Order, ProfileDocument, ReportRow, ReportShape, ViewOptions,
    base_name, decimal_text, shortened, visible,
};

use super::pairs;
use crate::arguments::{ReportView, Show, ShowFormat, Sort};
use crate::reading;
use crate::text::{Harmless, Unit, count, json_number, share, terminal_width};

/// Rows of a text report without `--limit`.
const TEXT_ROWS: usize = 40;

/// Prints a report.
pub(crate) fn show(arguments: &Show) -> Result<()> {
    let document = reading::read(&arguments.files, &arguments.limits)?;
    super::tell_warnings(&document)?;
    let mut options = reading::view_options(&document, &arguments.view_options)?;
    options.order = order(arguments)?;
    let limit = match (arguments.limit, arguments.format) {
        (Some(0), _) | (None, ShowFormat::Json | ShowFormat::Csv) => usize::MAX,
        (Some(limit), _) => limit,
        (None, ShowFormat::Text) => TEXT_ROWS,
    };
    let out = BufWriter::new(std::io::stdout().lock());
    let mut out: Box<dyn Write> = match arguments.format {
        ShowFormat::Text => Box::new(Harmless::new(out)),
        ShowFormat::Json | ShowFormat::Csv => Box::new(out),
    };
    if arguments.view == ReportView::Pairs && arguments.peek.is_none() {
        let roles = pairs::two_roles(&document, &arguments.role)?;
        pairs::pairs(&mut out, &document, &options, roles, limit, arguments.format)?;
        return Ok(out.flush()?);
    }
    options.role = pairs::one_role(&document, &arguments.role)?;
    let shape = match (arguments.view, &arguments.peek) {
        (ReportView::CallGraph | ReportView::Pairs, pattern) | (_, pattern @ Some(_)) => {
            let pattern = pattern.as_deref();
            match arguments.format {
                ShowFormat::Text => calls_text(&mut out, &document, &options, pattern, limit)?,
                ShowFormat::Json => calls_json(&mut out, &document, &options, pattern, limit)?,
                ShowFormat::Csv => calls_csv(&mut out, &document, &options, pattern, limit)?,
            }
            return Ok(out.flush()?);
        }
        (ReportView::TopDown, None) => ReportShape::TopDown,
        (ReportView::BottomUp, None) => ReportShape::BottomUp,
        (ReportView::Flat, None) => ReportShape::Flat,
    };
    match (arguments.format, shape) {
        (ShowFormat::Json, shape) => json(&mut out, &document, shape, &options, limit)?,
        (ShowFormat::Csv, shape) => csv(&mut out, &document, shape, &options, limit)?,
        (ShowFormat::Text, ReportShape::Flat) => flat_text(&mut out, &document, &options, limit)?,
        (ShowFormat::Text, shape) => tree_text(&mut out, &document, shape, &options, limit)?,
    }
    Ok(out.flush()?)
}

/// What rows are ordered by.
fn order(arguments: &Show) -> Result<Order> {
    let is_list = arguments.view == ReportView::Flat && arguments.peek.is_none();
    let is_tree = matches!(arguments.view, ReportView::TopDown | ReportView::BottomUp);
    match arguments.sort {
        None => Ok(Order::Value),
        Some(Sort::OwnValue) if is_list => Ok(Order::Value),
        Some(Sort::Total) if is_list || is_tree => Ok(Order::Total),
        Some(Sort::Name) if is_list || is_tree => Ok(Order::Name),
        Some(Sort::OwnValue) if is_tree => {
            bail!("a tree is ordered by total or name; --view flat by self too")
        }
        Some(_) => bail!("--sort orders --view flat, top-down and bottom-up"),
    }
}

/// How values of a report look.
pub(super) struct Values {
    unit: Unit,
    /// What shares are of; 0 where there are none.
    whole: i64,
    total: i64,
}

impl Values {
    fn new(document: &ProfileDocument, options: &ViewOptions) -> Result<Values> {
        let metric = metric_of(document, options);
        Ok(Values {
            unit: Unit::of(&metric.unit, metric.decimals),
            // Values of formulas have no shares: they do not add up.
            whole: match document.is_derived(options.metric) {
                true => 0,
                false => document.unfiltered_total(options.metric)?,
            },
            total: document.unfiltered_total(options.metric)?,
        })
    }

    pub(super) fn text(&self, value: i64) -> String {
        self.unit.text(value)
    }

    pub(super) fn share(&self, value: i64) -> String {
        share(value, self.whole)
    }
}

fn metric_of(document: &ProfileDocument, options: &ViewOptions) -> Metric {
    document.metrics().swap_remove(options.metric)
}

/// The metrics that a report tells, the first being that of its order.
fn all_metrics(document: &ProfileDocument, options: &ViewOptions) -> Vec<Metric> {
    let metrics = document.metrics();
    let numbers = std::iter::once(&options.metric).chain(&options.more_metrics);
    numbers.map(|&number| metrics[number].clone()).collect()
}

/// The metric of the values of calls: that of a formula's first metric, for calls have no self.
fn metric_of_calls(document: &ProfileDocument, options: &ViewOptions) -> Metric {
    document.metrics().swap_remove(document.base_metric(options.metric))
}

pub(super) fn title(
    out: &mut dyn Write,
    document: &ProfileDocument,
    options: &ViewOptions,
    shape: &str,
) -> Result<Values> {
    let values = Values::new(document, options)?;
    let metric = metric_of(document, options);
    let kept = document.total(options)?;
    write!(out, "{}  {}", style(visible(document.title())).bold(), visible(&metric.name))?;
    if !metric.unit.is_empty() {
        write!(out, " ({})", visible(&metric.unit))?;
    }
    write!(out, "  {shape}  total {}", style(values.text(values.total)).bold())?;
    if kept != values.total {
        let share = values.share(kept);
        let share = if share.is_empty() { share } else { format!(" ({})", share.trim()) };
        write!(out, ", filters keep {}{share}", values.text(kept))?;
    }
    if document.profile().origin.estimated_paths && shape != "flat" {
        write!(out, "  {}", style("totals are estimated from a call graph").dim())?;
    }
    writeln!(out)?;
    Ok(values)
}

/// The columns of metrics beside the first.
struct MoreColumns(Vec<(String, Unit)>);

impl MoreColumns {
    fn new(document: &ProfileDocument, options: &ViewOptions) -> MoreColumns {
        let metrics = all_metrics(document, options).into_iter().skip(1);
        MoreColumns(
            metrics
                .map(|metric| {
                    let unit = Unit::of(&metric.unit, metric.decimals);
                    (metric.name, unit)
                })
                .collect(),
        )
    }

    /// How wide they are together.
    fn width(&self) -> usize {
        2 * COLUMN * self.0.len()
    }

    fn header(&self) -> String {
        let names = self.0.iter().flat_map(|(name, _)| {
            ["self", "total"].map(|side| {
                let room = COLUMN - side.len() - 2;
                format!(" {:>1$}", format!("{} {side}", shortened(name, room)), COLUMN - 1)
            })
        });
        names.collect()
    }

    fn values(&self, row: &ReportRow) -> String {
        let values = row.more_values.iter().zip(&self.0);
        let texts = values.flat_map(|(&(own, total), (_, unit))| {
            [own, total].map(|value| format!(" {:>1$}", unit.text(value), COLUMN - 1))
        });
        texts.collect()
    }
}

/// Width of a column of [`MoreColumns`].
const COLUMN: usize = 16;

/// A value as CSV has it: empty where there is none.
fn decimal(value: i64, decimals: u8) -> String {
    if value == NO_VALUE { String::new() } else { decimal_text(value, decimals) }
}

fn flat_text(
    out: &mut dyn Write,
    document: &ProfileDocument,
    options: &ViewOptions,
    limit: usize,
) -> Result<()> {
    let values = title(out, document, options, "flat")?;
    let (rows, all) = document.flat_report(options, limit)?;
    let more = MoreColumns::new(document, options);
    let header = format!(
        "{:>10} {:>7} {:>7} {:>10} {:>7}{}  function",
        "self",
        "self%",
        "sum%",
        "total",
        "total%",
        more.header(),
    );
    writeln!(out, "{}", style(header).dim())?;
    let room = terminal_width().saturating_sub(46 + more.width());
    let mut sum = 0i64;
    for row in &rows {
        sum = sum.saturating_add(if row.self_value == NO_VALUE { 0 } else { row.self_value });
        writeln!(
            out,
            "{:>10} {:>7} {:>7} {:>10} {:>7}{}  {}{}",
            values.text(row.self_value),
            values.share(row.self_value),
            values.share(sum),
            values.text(row.total_value),
            values.share(row.total_value),
            more.values(row),
            place(row, room),
            if row.is_estimated { "  (total estimated)" } else { "" },
        )?;
    }
    rest(out, all - rows.len(), "functions")
}

pub(super) fn rest(out: &mut dyn Write, count_left: usize, word: &str) -> Result<()> {
    if count_left > 0 {
        let text = format!("… {} more {word} (--limit 0 shows all)", count(count_left as u64));
        writeln!(out, "{}", style(text).dim())?;
    }
    Ok(())
}

/// Name and place of a row in `room` columns: the name is cut first, from its left.
fn place(row: &ReportRow, room: usize) -> String {
    // A name that several functions have says its place itself.
    let at = match (base_name(&row.file), row.line) {
        _ if row.label != row.name => String::new(),
        _ if row.files > 1 => format!("{} files", row.files),
        ("", _) => base_name(&row.module).to_owned(),
        (file, 0) => file.to_owned(),
        (file, line) => format!("{file}:{line}"),
    };
    let name_room = room.saturating_sub(at.chars().count() + 2).max(room / 2);
    let name = shortened(&row.label, name_room);
    let left = room.saturating_sub(name.chars().count() + 2);
    let at = shortened(&at, left);
    format!("{name}  {}", style(at).dim()).trim_end().to_owned()
}

fn tree_text(
    out: &mut dyn Write,
    document: &ProfileDocument,
    shape: ReportShape,
    options: &ViewOptions,
    limit: usize,
) -> Result<()> {
    let name = match shape {
        ReportShape::TopDown => "top-down",
        ReportShape::BottomUp => "bottom-up",
        ReportShape::Flat => "flat",
    };
    let values = title(out, document, options, name)?;
    let columns = MoreColumns::new(document, options);
    let header = format!(
        "{:>10} {:>7} {:>10} {:>7}{}  function",
        "total",
        "total%",
        "self",
        "self%",
        columns.header(),
    );
    writeln!(out, "{}", style(header).dim())?;
    let width = terminal_width().saturating_sub(38 + columns.width());
    // Deep stacks are indented by half the line at most; beyond, the depth is written out.
    let indent = |depth: u32| match depth as usize {
        depth if depth <= width / 2 => " ".repeat(depth),
        depth => format!("{:<1$}", format!("{depth}:"), width / 2),
    };
    let mut more = vec![];
    let result = document.tree_report(shape, options, limit, |row, _| {
        flush_more(out, &mut more, Some(row.depth), &values, &indent)?;
        let pad = indent(row.depth);
        let name = place(row, width.saturating_sub(pad.len()));
        writeln!(
            out,
            "{:>10} {:>7} {:>10} {:>7}{}  {pad}{name}",
            values.text(row.total_value),
            values.share(row.total_value),
            values.text(row.self_value),
            values.share(row.self_value),
            columns.values(row),
        )?;
        if row.more.0 > 0 {
            more.push((row.depth + 1, row.more));
        }
        Ok(())
    })?;
    let root_more = result?;
    flush_more(out, &mut more, None, &values, &indent)?;
    if root_more.0 > 0 {
        more.push((0, root_more));
        flush_more(out, &mut more, None, &values, &indent)?;
        writeln!(out, "{}", style("--limit 0 shows all").dim())?;
    }
    Ok(())
}

/// Writes what the limit left out below rows that are done: those as deep as the next row or
/// deeper.
fn flush_more(
    out: &mut dyn Write,
    more: &mut Vec<(u32, (usize, i64))>,
    next_depth: Option<u32>,
    values: &Values,
    indent: &impl Fn(u32) -> String,
) -> std::io::Result<()> {
    while let Some(&(depth, (children, total))) = more.last() {
        if next_depth.is_some_and(|next| depth <= next) {
            break;
        }
        more.pop();
        let text = format!(
            "{:>10} {:>7} {:>10} {:>7}  {}… {} more",
            values.text(total),
            values.share(total),
            "",
            "",
            indent(depth),
            count(children as u64),
        );
        writeln!(out, "{}", style(text).dim())?;
    }
    Ok(())
}

fn calls_text(
    out: &mut dyn Write,
    document: &ProfileDocument,
    options: &ViewOptions,
    pattern: Option<&str>,
    limit: usize,
) -> Result<()> {
    /// Callers and callees of a function that are printed.
    const MOST_CALLS: usize = 8;
    let values = title(out, document, options, "call graph")?;
    let (reports, all) = document.call_report(options, pattern, limit)?;
    if reports.is_empty() {
        writeln!(out, "no function matches")?;
    }
    let of_calls = metric_of_calls(document, options);
    let is_derived = document.is_derived(options.metric);
    if is_derived {
        writeln!(out, "{}", style(format!("calls are told in {}", visible(&of_calls.name))).dim())?;
    }
    let unit = Unit::of(&of_calls.unit, of_calls.decimals);
    let header = format!("{:>10} {:>7} {:>10} {:>7}  function", "self", "self%", "total", "total%");
    writeln!(out, "{}", style(header).dim())?;
    let room = terminal_width().saturating_sub(42);
    let most = if pattern.is_some() { usize::MAX } else { MOST_CALLS };
    for report in &reports {
        let row = &report.row;
        let whole = if is_derived { 0 } else { row.total_value };
        call_lines(out, &unit, whole, &report.callers, most, ("↑", "callers"))?;
        let line = format!(
            "{:>10} {:>7} {:>10} {:>7}  {}",
            values.text(row.self_value),
            values.share(row.self_value),
            values.text(row.total_value),
            values.share(row.total_value),
            shortened(&row.name, room + 4),
        );
        writeln!(out, "{}", style(line).bold())?;
        call_lines(out, &unit, whole, &report.callees, most, ("↓", "callees"))?;
        writeln!(out)?;
    }
    rest(out, all - reports.len(), "functions")
}

/// The callers or callees of a function; shares are of `whole`, the function's total.
fn call_lines(
    out: &mut dyn Write,
    unit: &Unit,
    whole: i64,
    calls: &[Called],
    most: usize,
    (arrow, word): (&str, &str),
) -> Result<()> {
    let room = terminal_width().saturating_sub(42);
    for call in calls.iter().take(most) {
        writeln!(
            out,
            "{:>18} {:>10} {:>7}    {arrow} {}",
            "",
            unit.text(call.value),
            share(call.value, whole),
            shortened(&call.label, room),
        )?;
    }
    if calls.len() > most {
        let text = format!("{:>41}… {} more {word}", "", calls.len() - most);
        writeln!(out, "{}", style(text).dim())?;
    }
    Ok(())
}

#[derive(Serialize)]
struct ProfileJson<'a> {
    title: &'a str,
    format: &'a str,
    filtered_total: Option<serde_json::Number>,
}

#[derive(Serialize)]
struct MetricJson<'a> {
    name: &'a str,
    unit: &'a str,
}

/// A metric with its sum over the whole profile.
#[derive(Serialize)]
struct TotalJson<'a> {
    name: &'a str,
    unit: &'a str,
    total: Option<serde_json::Number>,
}

/// Values in one of several metrics.
#[derive(Serialize)]
struct ValuesJson {
    #[serde(rename = "self")]
    self_value: Option<serde_json::Number>,
    total: Option<serde_json::Number>,
}

#[derive(Serialize)]
struct RowJson<'a> {
    function: &'a str,
    file: &'a str,
    #[serde(skip_serializing_if = "is_zero")]
    files: usize,
    line: u32,
    module: &'a str,
    #[serde(rename = "self")]
    self_value: Option<serde_json::Number>,
    total: Option<serde_json::Number>,
    depth: u32,
    path: &'a [String],
    /// Values in all metrics, where there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    metrics: Vec<ValuesJson>,
    /// Only where the total is an estimate.
    #[serde(skip_serializing_if = "is_false")]
    estimated: bool,
}

fn is_false(value: &bool) -> bool {
    !*value
}

/// Whether to leave out how many files a row merges.
fn is_zero(files: &usize) -> bool {
    *files == 0
}

/// Writes `{"profile", "metric", "total", "view", "rows": [` and gives how numbers look.
pub(super) fn json_head(
    out: &mut dyn Write,
    document: &ProfileDocument,
    options: &ViewOptions,
    view: &str,
) -> Result<u8> {
    let metric = metric_of(document, options);
    let total = document.unfiltered_total(options.metric)?;
    let profile = ProfileJson {
        title: document.title(),
        format: &document.profile().origin.format,
        filtered_total: json_number(document.total(options)?, metric.decimals),
    };
    write!(out, "{{\"profile\":")?;
    to_json(out, &profile)?;
    write!(out, ",\"metric\":")?;
    to_json(out, &MetricJson { name: &metric.name, unit: &metric.unit })?;
    write!(out, ",\"total\":")?;
    to_json(out, &json_number(total, metric.decimals))?;
    let all = all_metrics(document, options);
    let numbers = std::iter::once(&options.metric).chain(&options.more_metrics);
    let metrics: Vec<TotalJson<'_>> = (numbers.zip(&all))
        .map(|(&number, Metric { name, unit, decimals, .. })| {
            let total = json_number(document.unfiltered_total(number)?, *decimals);
            Ok(TotalJson { name, unit, total })
        })
        .collect::<Result<_>>()?;
    write!(out, ",\"metrics\":")?;
    to_json(out, &metrics)?;
    write!(out, ",\"warnings\":")?;
    to_json(out, &super::warnings(document))?;
    write!(out, ",\"view\":\"{view}\",\"rows\":[")?;
    Ok(metric.decimals)
}

pub(super) fn to_json(out: &mut dyn Write, value: &impl Serialize) -> std::io::Result<()> {
    serde_json::to_writer(out, value).map_err(std::io::Error::from)
}

/// Calls `each` for every row with the names that lead to it; flat rows lead to themselves.
fn for_each_row(
    document: &ProfileDocument,
    shape: ReportShape,
    options: &ViewOptions,
    limit: usize,
    mut each: impl FnMut(&ReportRow, &[String]) -> std::io::Result<()>,
) -> Result<()> {
    if shape == ReportShape::Flat {
        for row in document.flat_report(options, limit)?.0 {
            each(&row, std::slice::from_ref(&row.name))?;
        }
        return Ok(());
    }
    document.tree_report(shape, options, limit, each)??;
    Ok(())
}

fn json(
    out: &mut dyn Write,
    document: &ProfileDocument,
    shape: ReportShape,
    options: &ViewOptions,
    limit: usize,
) -> Result<()> {
    let view = match shape {
        ReportShape::TopDown => "top-down",
        ReportShape::BottomUp => "bottom-up",
        ReportShape::Flat => "flat",
    };
    let decimals = json_head(out, document, options, view)?;
    let metrics = all_metrics(document, options);
    let mut first = true;
    for_each_row(document, shape, options, limit, |row, path| {
        if !std::mem::take(&mut first) {
            write!(out, ",")?;
        }
        to_json(
            out,
            &RowJson {
                function: &row.name,
                file: &row.file,
                files: row.files,
                line: row.line,
                module: &row.module,
                self_value: json_number(row.self_value, decimals),
                total: json_number(row.total_value, decimals),
                depth: row.depth,
                path,
                metrics: values_json(row, &metrics),
                estimated: row.is_estimated,
            },
        )
    })?;
    writeln!(out, "]}}")?;
    Ok(())
}

/// The values of a row in each of several metrics.
fn values_json(row: &ReportRow, metrics: &[Metric]) -> Vec<ValuesJson> {
    if row.more_values.is_empty() {
        return vec![];
    }
    let first = std::iter::once((row.self_value, row.total_value));
    let values = first.chain(row.more_values.iter().copied()).zip(metrics);
    let json = |((own, total), metric): ((i64, i64), &Metric)| ValuesJson {
        self_value: json_number(own, metric.decimals),
        total: json_number(total, metric.decimals),
    };
    values.map(json).collect()
}

/// Writes rows as CSV; `path` joins its names with `;`. Metrics beside the first stand at the end.
pub(super) fn csv(
    out: &mut dyn Write,
    document: &ProfileDocument,
    shape: ReportShape,
    options: &ViewOptions,
    limit: usize,
) -> Result<()> {
    let metrics = all_metrics(document, options);
    let decimals = metrics[0].decimals;
    write!(out, "function,file,line,module,self,total,depth,path")?;
    for metric in &metrics[1..] {
        for side in ["self", "total"] {
            write!(out, ",{}", session::csv_field(&format!("{} {side}", metric.name)))?;
        }
    }
    write!(out, "\r\n")?;
    for_each_row(document, shape, options, limit, |row, path| {
        let line = if row.line == 0 { String::new() } else { row.line.to_string() };
        write!(
            out,
            "{},{},{line},{},{},{},{},{}",
            session::csv_field(&row.name),
            session::csv_field(&row.file),
            session::csv_field(&row.module),
            decimal(row.self_value, decimals),
            decimal(row.total_value, decimals),
            row.depth,
            session::csv_field(&path.join(";")),
        )?;
        for (&(own, total), metric) in row.more_values.iter().zip(&metrics[1..]) {
            write!(out, ",{},{}", decimal(own, metric.decimals), decimal(total, metric.decimals))?;
        }
        write!(out, "\r\n")
    })
}

#[derive(Serialize)]
struct CallJson {
    function: String,
    file: String,
    value: Option<serde_json::Number>,
}

#[derive(Serialize)]
struct CallsJson<'a> {
    #[serde(flatten)]
    row: RowJson<'a>,
    callers: Vec<CallJson>,
    callees: Vec<CallJson>,
}

fn calls_json(
    out: &mut dyn Write,
    document: &ProfileDocument,
    options: &ViewOptions,
    pattern: Option<&str>,
    limit: usize,
) -> Result<()> {
    let (reports, _) = document.call_report(options, pattern, limit)?;
    let decimals = json_head(out, document, options, "call-graph")?;
    let of_calls = metric_of_calls(document, options);
    for (index, report) in reports.iter().enumerate() {
        if index > 0 {
            write!(out, ",")?;
        }
        let calls = |calls: &'_ [Called]| -> Vec<CallJson> {
            calls
                .iter()
                .map(|call| CallJson {
                    function: call.name.clone(),
                    file: call.file.clone(),
                    value: json_number(call.value, of_calls.decimals),
                })
                .collect()
        };
        let row = &report.row;
        to_json(
            out,
            &CallsJson {
                row: RowJson {
                    function: &row.name,
                    file: &row.file,
                    files: row.files,
                    line: row.line,
                    module: &row.module,
                    self_value: json_number(row.self_value, decimals),
                    total: json_number(row.total_value, decimals),
                    depth: 0,
                    path: std::slice::from_ref(&row.name),
                    metrics: vec![],
                    estimated: row.is_estimated,
                },
                callers: calls(&report.callers),
                callees: calls(&report.callees),
            },
        )?;
    }
    write!(out, "],\"calls_metric\":")?;
    to_json(out, &MetricJson { name: &of_calls.name, unit: &of_calls.unit })?;
    writeln!(out, "}}")?;
    Ok(())
}

fn calls_csv(
    out: &mut dyn Write,
    document: &ProfileDocument,
    options: &ViewOptions,
    pattern: Option<&str>,
    limit: usize,
) -> Result<()> {
    let decimals = metric_of_calls(document, options).decimals;
    let (reports, _) = document.call_report(options, pattern, limit)?;
    write!(out, "caller,callee,value\r\n")?;
    for report in &reports {
        let own = session::csv_field(&report.row.name);
        for call in &report.callers {
            let value = decimal(call.value, decimals);
            write!(out, "{},{own},{value}\r\n", session::csv_field(&call.name))?;
        }
        for call in &report.callees {
            let value = decimal(call.value, decimals);
            write!(out, "{own},{},{value}\r\n", session::csv_field(&call.name))?;
        }
    }
    Ok(())
}
