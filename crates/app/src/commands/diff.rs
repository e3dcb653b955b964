//! `hotframe diff`.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use console::style;
use serde::Serialize;
use session::{
    Change, ChangeRow, CompareOptions, Compared, Match, Metric, Order, ReportShape, Rule, Rules,
    Tag, ViewOptions, base_name, shortened, visible,
};

use crate::arguments::{ChangeSort, Diff, DiffFormat, DiffView, Growth, ViewArguments};
use crate::host::{self, FileHost};
use crate::reading;
use crate::server::{self, ServeOptions};
use crate::settings;
use crate::text::{Harmless, Unit, json_number, share, terminal_width};

/// The exit code of a comparison that `--fail-if` does not let pass; errors have 1, arguments that
/// cannot be understood 2.
const FAILED: u8 = 3;

/// Rows of a text without `--limit`.
const TEXT_ROWS: usize = 40;

/// Prints what changed, or shows it in the browser.
pub(crate) fn diff(arguments: &Diff) -> Result<ExitCode> {
    let (base, new) = sides(arguments);
    let how = CompareOptions {
        rules: Rules::of(arguments.rules.iter().copied()),
        normalise: arguments.normalise.clone(),
        noise: arguments.noise.0 / 100.0,
    };
    if arguments.open {
        return open(arguments, &base, &new, how);
    }
    let (base, new) =
        (reading::read(&base, &arguments.limits)?, reading::read(&new, &arguments.limits)?);
    let mut compared = Compared::new(&base, &new, &how)?;
    super::tell_warnings(&compared.document)?;
    drop((base, new));
    let mut view_options = options(&mut compared, &arguments.view_options)?;
    match (arguments.view, arguments.sort) {
        (DiffView::Flat, _) | (_, None) => {}
        (_, Some(ChangeSort::Name)) => view_options.order = Order::Name,
        _ => bail!("a tree of changes is ordered by size or name; --view flat by any"),
    }
    let view = View {
        options: view_options,
        compared,
        shape: match arguments.view {
            DiffView::TopDown => ReportShape::TopDown,
            DiffView::BottomUp => ReportShape::BottomUp,
            DiffView::Flat => ReportShape::Flat,
        },
        noise: how.noise,
        sort: arguments.sort,
        limit: match (arguments.limit, arguments.format) {
            (Some(0), _) | (None, DiffFormat::Json) => usize::MAX,
            (Some(limit), _) => limit,
            (None, DiffFormat::Text | DiffFormat::Markdown) => TEXT_ROWS,
        },
    };
    let mut out = BufWriter::new(std::io::stdout().lock());
    match arguments.format {
        DiffFormat::Text => view.text(&mut Harmless::new(&mut out))?,
        DiffFormat::Json => view.json(&mut out)?,
        DiffFormat::Markdown => view.markdown(&mut out)?,
    }
    let mut code = ExitCode::SUCCESS;
    if let Some(growth) = &arguments.fail_if {
        let grown = view.grown(growth)?;
        let markdown = arguments.format == DiffFormat::Markdown;
        if markdown {
            view.verdict(&mut out, growth, &grown)?;
        }
        out.flush()?;
        if !grown.is_empty() {
            code = ExitCode::from(FAILED);
            view.verdict(&mut std::io::stderr().lock(), growth, &grown)?;
        }
    }
    out.flush()?;
    Ok(code)
}

/// What is compared.
fn sides(arguments: &Diff) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let one = |path: &Option<PathBuf>| path.iter().cloned().collect();
    match arguments.base_runs.is_empty() {
        true => (one(&arguments.base), one(&arguments.new)),
        false => (arguments.base_runs.clone(), arguments.new_runs.clone()),
    }
}

/// Serves the comparison to the browser.
fn open(
    arguments: &Diff,
    base: &[PathBuf],
    new: &[PathBuf],
    how: CompareOptions,
) -> Result<ExitCode> {
    let files = [base, new].concat();
    host::check(&files)?;
    let options = arguments.limits.read_options();
    let host = FileHost::new(&files, options.max_size);
    let session = session::Session::new(Box::new(host), options)
        .with_formulas(settings::formulas()?)
        .reading_as(arguments.limits.reading_as());
    let names = |paths: &[PathBuf]| -> Vec<String> {
        paths.iter().map(|path| host::document_name(path)).collect()
    };
    let document = session.add_compared(&names(base), &names(new), how);
    let options = ServeOptions { port: arguments.port, browser: !arguments.no_browser };
    server::serve(session, &[document], &names(&files).join(", "), &options)?;
    Ok(ExitCode::SUCCESS)
}

/// The options of the view; its metrics are those that both have in all, or formulas over them.
fn options(compared: &mut Compared, view: &ViewArguments) -> Result<ViewOptions> {
    if compared.metrics.is_empty() {
        anyhow::bail!("neither profile has metrics: nothing was measured");
    }
    for definition in &view.define {
        compared.define_metric(&definition.name, &definition.formula)?;
    }
    let mut metrics = vec![];
    for name in &view.metric {
        metrics.push(metric(compared, name)?);
    }
    let default = compared.document.profile().origin.default_metric / 3;
    Ok(ViewOptions {
        metric: metrics.first().copied().unwrap_or(default),
        more_metrics: metrics.into_iter().skip(1).collect(),
        granularity: view.granularity(),
        filters: view.filters(),
        collapse_recursion: view.collapse_recursion,
        drop_frames: !view.no_drop_frames,
        ..ViewOptions::default()
    })
}

/// The metric of a name, a number or a formula.
fn metric(compared: &mut Compared, name: &str) -> Result<usize> {
    let metrics = &compared.metrics;
    if let Some(number) = name.parse().ok().filter(|&number| number < metrics.len()) {
        return Ok(number);
    }
    if let Some(named) = metrics.iter().position(|m| m.name.eq_ignore_ascii_case(name)) {
        return Ok(named);
    }
    if reading::is_word(name) {
        let known: Vec<_> = metrics.iter().map(|metric| metric.name.as_str()).collect();
        anyhow::bail!("there is no metric {name}; there are: {}", known.join(", "));
    }
    Ok(compared.define_metric("", name)?)
}

/// What is shown.
struct View {
    compared: Compared,
    options: ViewOptions,
    shape: ReportShape,
    noise: f64,
    limit: usize,
    /// By the change of self values without it.
    sort: Option<ChangeSort>,
}

/// Orders a list by values of the new profile, or by name.
fn sort_changes(rows: &mut [ChangeRow], sort: ChangeSort) {
    match sort {
        ChangeSort::Change => {}
        ChangeSort::OwnValue => rows.sort_by_key(|row| Reverse(row.own.new)),
        ChangeSort::Total => rows.sort_by_key(|row| Reverse(row.total.new)),
        ChangeSort::Name => rows.sort_by(|a, b| a.row.name.cmp(&b.row.name)),
    }
}

impl View {
    fn metric(&self) -> &Metric {
        &self.compared.metrics[self.options.metric]
    }

    fn unit(&self) -> Unit {
        Unit::of(&self.metric().unit, self.metric().decimals)
    }

    fn shape_name(&self) -> &'static str {
        match self.shape {
            ReportShape::TopDown => "top-down",
            ReportShape::BottomUp => "bottom-up",
            ReportShape::Flat => "flat",
        }
    }

    /// Calls `each` with every row and the names that lead to it; how many the limit leaves out, if
    /// that is known.
    fn rows(
        &self,
        mut each: impl FnMut(&ChangeRow, &[String]) -> std::io::Result<()>,
    ) -> Result<usize> {
        if self.shape == ReportShape::Flat {
            let Some(sort) = self.sort else {
                let (rows, all) = self.compared.flat_report(&self.options, self.limit)?;
                for row in &rows {
                    each(row, std::slice::from_ref(&row.row.name))?;
                }
                return Ok(all - rows.len());
            };
            let (mut rows, all) = self.compared.flat_report(&self.options, usize::MAX)?;
            sort_changes(&mut rows, sort);
            rows.truncate(self.limit);
            for row in &rows {
                each(row, std::slice::from_ref(&row.row.name))?;
            }
            return Ok(all - rows.len());
        }
        self.compared.tree_report(self.shape, &self.options, self.limit, each)??;
        Ok(0)
    }

    fn text(&self, out: &mut dyn Write) -> Result<()> {
        let unit = self.unit();
        let whole = self.compared.total(&self.options)?;
        writeln!(
            out,
            "{}  {}  {}  {} → {}, {} ({})",
            style(visible(self.compared.document.title())).bold(),
            visible(&self.metric().name),
            self.shape_name(),
            unit.text(whole.base),
            unit.text(whole.new),
            style(signed(&unit, whole)).bold(),
            percent(whole).trim(),
        )?;
        let header = format!(
            "{:>10} {:>10} {:>11} {:>8} {:>7} {:>11}      function",
            "base", "new", "change", "by", "of all", "self change"
        );
        let more: Vec<(&Metric, Unit)> = (self.options.more_metrics.iter())
            .map(|&metric| &self.compared.metrics[metric])
            .map(|metric| (metric, Unit::of(&metric.unit, metric.decimals)))
            .collect();
        let header = more.iter().fold(header, |header, (metric, _)| {
            header.replace(
                "      function",
                &format!(" {:>14}      function", shortened(&metric.name, 14)),
            )
        });
        writeln!(out, "{}", style(header).dim())?;
        let width = terminal_width().saturating_sub(68 + 15 * more.len());
        let left = self.rows(|row, _| {
            let change = row.total;
            let depth = (row.row.depth as usize).min(width / 2);
            let room = width.saturating_sub(depth);
            let was = self.was(row).map_or(String::new(), |was| format!("  {was}"));
            let was = shortened(&was, room / 2);
            let name = shortened(&row.row.label, room - was.chars().count());
            let beside: String = (row.more.iter().zip(&more))
                .map(|(&(_, total), (_, unit))| format!(" {:>14}", signed(unit, total)))
                .collect();
            writeln!(
                out,
                "{:>10} {:>10} {:>11} {:>8} {:>7} {:>11}{beside}  {} {:depth$}{name}{}",
                unit.text(change.base),
                unit.text(change.new),
                signed(&unit, change),
                percent(change),
                share(change.difference(), whole.difference()),
                signed(&unit, row.own),
                row.tag.sign(),
                "",
                style(if row.row.is_estimated { format!("{was}  (estimated)") } else { was }).dim(),
            )
        })?;
        if left > 0 {
            writeln!(out, "{}", style(format!("… {left} more (--limit 0 shows all)")).dim())?;
        }
        Ok(())
    }

    fn markdown(&self, out: &mut dyn Write) -> Result<()> {
        let unit = self.unit();
        let whole = self.compared.total(&self.options)?;
        let metric = &self.metric().name;
        writeln!(out, "### {}\n", escaped(self.compared.document.title()))?;
        writeln!(
            out,
            "{metric}: {} → {}, **{}** ({})\n",
            unit.text(whole.base),
            unit.text(whole.new),
            signed(&unit, whole),
            percent(whole).trim(),
        )?;
        writeln!(out, "| | function | base | new | change | by | self change |")?;
        writeln!(out, "|---|---|---:|---:|---:|---:|---:|")?;
        let left = self.rows(|row, _| {
            let change = row.total;
            writeln!(
                out,
                "| {} | {}{}{} | {} | {} | {} | {} | {} |",
                row.tag.sign(),
                "&nbsp;".repeat(row.row.depth.min(40) as usize),
                escaped(&row.row.label),
                self.was(row).map_or(String::new(), |was| format!(" {}", escaped(&was))),
                unit.text(change.base),
                unit.text(change.new),
                signed(&unit, change),
                percent(change).trim(),
                signed(&unit, row.own),
            )
        })?;
        if left > 0 {
            writeln!(out, "\n{left} more functions are not listed.")?;
        }
        Ok(())
    }

    fn json(&self, out: &mut dyn Write) -> Result<()> {
        let whole = self.compared.total(&self.options)?;
        let decimals = self.metric().decimals;
        let more_wholes = self.more_wholes()?;
        let head = HeadJson {
            title: self.compared.document.title(),
            metric: &self.metric().name,
            unit: &self.metric().unit,
            metrics: self.more_json()?,
            warnings: super::warnings(&self.compared.document),
            view: self.shape_name(),
            matched: self.compared.match_counts().map(|(rule, n)| (rule.name(), n)).collect(),
            total: ChangeJson::new(whole, whole.tag(self.noise), whole, decimals),
        };
        let head = serde_json::to_string(&head)?;
        // Rows are written as they come, as the last member.
        write!(out, "{},\"rows\":[", head.strip_suffix('}').unwrap_or(&head))?;
        let mut first = true;
        self.rows(|row, path| {
            let separator = if std::mem::take(&mut first) { "" } else { "," };
            write!(out, "{separator}")?;
            let json = RowJson {
                function: &row.row.name,
                file: &row.row.file,
                line: row.row.line,
                module: &row.row.module,
                depth: row.row.depth,
                path,
                total: ChangeJson::new(row.total, row.tag, whole, decimals),
                own: ChangeJson::new(row.own, row.own_tag, whole, decimals),
                estimated: row.row.is_estimated,
                metrics: self.more_values(row, &more_wholes),
                test: row.test.map(|test| TestJson {
                    p_value: test.test.p_value,
                    adjusted: test.adjusted,
                    cliffs_delta: test.test.delta,
                }),
                matched: self.compared.match_of(&row.row).map(MatchJson::new),
            };
            serde_json::to_writer(&mut *out, &json).map_err(std::io::Error::from)
        })?;
        writeln!(out, "]}}")?;
        Ok(())
    }

    /// The metrics beside the first, each with what it is in all.
    fn more_wholes(&self) -> Result<Vec<(&Metric, Change)>> {
        let whole = |&metric: &usize| {
            let of = ViewOptions { metric, ..self.options.clone() };
            Ok((&self.compared.metrics[metric], self.compared.total(&of)?))
        };
        self.options.more_metrics.iter().map(whole).collect()
    }

    fn more_json(&self) -> Result<Vec<MetricJson<'_>>> {
        let wholes = self.more_wholes()?;
        Ok((wholes.into_iter())
            .map(|(metric, whole)| MetricJson {
                name: &metric.name,
                unit: &metric.unit,
                total: ChangeJson::new(whole, whole.tag(self.noise), whole, metric.decimals),
            })
            .collect())
    }

    fn more_values(&self, row: &ChangeRow, wholes: &[(&Metric, Change)]) -> Vec<MoreJson> {
        let json = |change: Change, &(metric, whole): &(&Metric, Change)| {
            ChangeJson::new(change, change.tag(self.noise), whole, metric.decimals)
        };
        let values = row.more.iter().zip(wholes);
        values
            .map(|(&(own, total), of)| MoreJson { total: json(total, of), own: json(own, of) })
            .collect()
    }

    /// What the function of a row was in the base, where that is another name or file.
    fn was(&self, row: &ChangeRow) -> Option<String> {
        let Match { base, rule, .. } = self.compared.match_of(&row.row)?;
        match rule {
            Rule::Exact | Rule::Line => None,
            Rule::Moved if base.place.is_empty() => Some("(moved)".to_owned()),
            Rule::Moved => Some(format!("was in {} (moved)", base_name(&base.place))),
            Rule::Clone | Rule::Template | Rule::Renamed => {
                Some(format!("was {} ({})", base.name, rule.name()))
            }
        }
    }

    /// The functions that grew by more than is allowed.
    fn grown(&self, growth: &Growth) -> Result<Vec<ChangeRow>> {
        let whole = self.compared.total(&self.options)?.base;
        let (rows, _) = self.compared.flat_report(&self.options, usize::MAX)?;
        let is_too_much = |row: &ChangeRow| {
            let change = value_of(growth, row);
            let by = change.difference() as f64;
            // What runs do not show to be more than chance is no growth.
            let tag = if growth.of_self { row.own_tag } else { row.tag };
            let is_noise = tag == Tag::Unchanged && self.compared.is_tested();
            by > 0.0 && by > growth.limit.0 / 100.0 * whole as f64 && !is_noise
        };
        Ok(rows.into_iter().filter(is_too_much).collect())
    }

    fn verdict(&self, out: &mut dyn Write, growth: &Growth, grown: &[ChangeRow]) -> Result<()> {
        /// More are counted only.
        const MOST: usize = 10;
        let (unit, of, percent) = (self.unit(), word_of(growth), growth.limit.0);
        if grown.is_empty() {
            writeln!(out, "\nNo function's {of} grew by more than {percent} % of the base.")?;
            return Ok(());
        }
        let who = match grown.len() {
            1 => "One function's".to_owned(),
            many => format!("{many} functions'"),
        };
        writeln!(out, "\n{who} {of} grew by more than {percent} % of the base:")?;
        for row in grown.iter().take(MOST) {
            let by = signed(&unit, value_of(growth, row));
            let place = match base_name(&row.row.file) {
                "" => String::new(),
                file => format!(" ({})", visible(file)),
            };
            writeln!(out, "- {}: {by}{place}", visible(&row.row.name))?;
        }
        if grown.len() > MOST {
            writeln!(out, "- and {} more", grown.len() - MOST)?;
        }
        Ok(())
    }
}

#[derive(Serialize)]
struct HeadJson<'a> {
    title: &'a str,
    metric: &'a str,
    unit: &'a str,
    /// The metrics beside it.
    metrics: Vec<MetricJson<'a>>,
    warnings: Vec<String>,
    view: &'a str,
    /// How many functions each rule matched.
    matched: BTreeMap<&'static str, usize>,
    total: ChangeJson,
}

#[derive(Serialize)]
struct MetricJson<'a> {
    name: &'a str,
    unit: &'a str,
    total: ChangeJson,
}

/// Values in a metric beside the first.
#[derive(Serialize)]
struct MoreJson {
    total: ChangeJson,
    #[serde(rename = "self")]
    own: ChangeJson,
}

#[derive(Serialize)]
struct RowJson<'a> {
    function: &'a str,
    file: &'a str,
    line: u32,
    module: &'a str,
    depth: u32,
    path: &'a [String],
    total: ChangeJson,
    #[serde(rename = "self")]
    own: ChangeJson,
    /// Only where totals are estimates.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    estimated: bool,
    /// In the order of the metrics beside the first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    metrics: Vec<MoreJson>,
    /// Of runs: how likely chance alone makes the totals differ so; `adjusted` for all rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    test: Option<TestJson>,
    /// Where the base has it under another name, file or line.
    #[serde(skip_serializing_if = "Option::is_none")]
    matched: Option<MatchJson<'a>>,
}

#[derive(Serialize)]
struct TestJson {
    p_value: f64,
    adjusted: f64,
    /// The share of pairs of runs in which the new one is larger less that in which it is smaller.
    cliffs_delta: f64,
}

#[derive(Serialize)]
struct MatchJson<'a> {
    rule: &'static str,
    was: &'a str,
    /// The file, or the module where no file is known.
    was_in: &'a str,
    score: f64,
}

impl<'a> MatchJson<'a> {
    fn new(found: &'a Match) -> MatchJson<'a> {
        let Match { base, rule, score, .. } = found;
        MatchJson { rule: rule.name(), was: &base.name, was_in: &base.place, score: *score }
    }
}

#[derive(Serialize)]
struct ChangeJson {
    tag: &'static str,
    base: Option<serde_json::Number>,
    new: Option<serde_json::Number>,
    difference: Option<serde_json::Number>,
    ratio: Option<f64>,
    /// The part of the whole change that it is; none if there is no change in all.
    share: Option<f64>,
}

impl ChangeJson {
    fn new(change: Change, tag: Tag, whole: Change, decimals: u8) -> ChangeJson {
        let all = whole.difference();
        ChangeJson {
            tag: tag.sign(),
            base: json_number(change.base, decimals),
            new: json_number(change.new, decimals),
            difference: json_number(change.difference(), decimals),
            ratio: change.ratio(),
            share: (all != 0).then(|| change.difference() as f64 / all as f64),
        }
    }
}

fn value_of(growth: &Growth, row: &ChangeRow) -> Change {
    if growth.of_self { row.own } else { row.total }
}

fn word_of(growth: &Growth) -> &'static str {
    if growth.of_self { "self value" } else { "total" }
}

/// A difference with its sign.
fn signed(unit: &Unit, change: Change) -> String {
    let difference = change.difference();
    match difference {
        0 => "0".to_owned(),
        1.. => format!("+{}", unit.text(difference)),
        _ => unit.text(difference),
    }
}

/// By how much of the base it changed.
fn percent(change: Change) -> String {
    match change.ratio() {
        Some(ratio) if change.base > 0 => format!("{:+.1} %", (ratio - 1.0) * 100.0),
        _ => String::new(),
    }
}

/// Text that Markdown takes as it is.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '|' | '\\' | '*' | '_' | '`' | '<' | '>' | '[' | ']') {
            out.push('\\');
        }
        out.push(if c.is_control() { ' ' } else { c });
    }
    out
}
