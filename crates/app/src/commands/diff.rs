//! `hotframe diff`.

mod changes;
mod growth;
mod time;

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use protocol::{ColourBy, LabelBy, ThemeName};
use session::{
    ChangeOrder, CompareOptions, Compared, Filter, FilterKind, MetricId, Normalise, ReportShape,
    Rules, SvgOptions, ViewOptions, unmatched_filters,
};

use crate::arguments::{ChangeSort, Diff, DiffView, Limits, ReportFormat, ViewArguments};
use crate::host::{self, FileHost};
use crate::server::{self, ServeOptions};
use crate::sources::Sources;
use crate::{reading, settings};

/// The exit code of a comparison that `--fail-if` does not let pass; errors have 1, arguments that
/// cannot be understood 2.
pub(super) const FAILED: u8 = 3;

/// Prints what changed, or shows it in the browser.
pub(crate) fn diff(arguments: &Diff) -> Result<ExitCode> {
    let (base, new) = sides(arguments);
    let how = CompareOptions {
        rules: Rules::new(arguments.rules.iter().copied()),
        normalise: arguments.normalise.clone(),
        noise: arguments.noise.0 / 100.0,
        align: arguments.limits.align(),
        with_failed: arguments.with_failed,
    };
    if arguments.open {
        return open(arguments, &base, &new, how);
    }
    let mut compared = compare(arguments, &base, &new, &how)?;
    super::notes::tell_warnings(&compared.document)?;
    let options = options(&mut compared, &arguments.view_options)?;
    check(arguments, &compared, &options)?;
    let view = View {
        options,
        compared,
        shape: match arguments.view() {
            DiffView::TopDown => ReportShape::TopDown,
            DiffView::BottomUp => ReportShape::BottomUp,
            DiffView::Flat | DiffView::Spans | DiffView::Timeline => ReportShape::Flat,
        },
        noise: how.noise,
        normalise: how.normalise.clone(),
        order: match arguments.sort {
            None | Some(ChangeSort::Change) => ChangeOrder::Change,
            Some(ChangeSort::OwnValue) => ChangeOrder::Own,
            Some(ChangeSort::Total) => ChangeOrder::Total,
            Some(ChangeSort::Name) => ChangeOrder::Name,
        },
        limit: arguments.format.limit(arguments.limit),
    };
    if let Some(path) = &arguments.output {
        return saved(arguments, &view, path);
    }
    let mut out = BufWriter::new(crate::text::stdout());
    let report = match arguments.view() {
        of_time @ (DiffView::Spans | DiffView::Timeline) => {
            view.time_report(of_time, arguments.format)?
        }
        _ => view.report(arguments.format)?,
    };
    report.write(arguments.format, &mut out)?;
    let mut code = ExitCode::SUCCESS;
    if let Some(growth) = &arguments.fail_if {
        let grown = view.grown(growth, arguments.unknown.policy())?;
        let markdown = arguments.format == ReportFormat::Markdown;
        if markdown {
            view.verdict(&mut out, growth, &grown)?;
            view.doubts(&mut out)?;
        }
        out.flush()?;
        let mut errors = crate::text::stderr();
        if grown.is_empty() {
            writeln!(errors, "hotframe: --fail-if '{growth}' passed")?;
        } else {
            code = ExitCode::from(FAILED);
            view.verdict(&mut errors, growth, &grown)?;
            writeln!(errors, "\nhotframe: --fail-if '{growth}' failed (exit code {FAILED})")?;
        }
    }
    out.flush()?;
    Ok(code)
}

/// Reads both sides, and compares what their filters leave.
fn compare(
    arguments: &Diff,
    base: &[PathBuf],
    new: &[PathBuf],
    how: &CompareOptions,
) -> Result<Compared> {
    // Both sides are put on one axis together.
    let titles = session::side_titles(&host::document_names(base), &host::document_names(new));
    let of_base = arguments.base_filters.filters();
    let limits = &arguments.limits.unaligned();
    Ok(if new.is_empty() {
        let whole = reading::read(base, limits)?;
        super::filters::check_names(&[&whole], &of_base, "--base-")?;
        let of_new = arguments.view_options.part_filters();
        super::filters::check_names(&[&whole], &of_new, "--")?;
        Compared::of_parts((&whole, &of_base), (&whole, &of_new), how)?
    } else {
        let base = reading::read_called(&titles[0], base, limits)?;
        let new = reading::read_called(&titles[1], new, limits)?;
        if of_base.is_empty() {
            Compared::new(&base, &new, how)?
        } else {
            super::filters::check_names(&[&base], &of_base, "--base-")?;
            let of_new = arguments.view_options.part_filters();
            super::filters::check_names(&[&new], &of_new, "--")?;
            Compared::of_parts((&base, &of_base), (&new, &of_new), how)?
        }
    })
}

/// Checks that options belong to the view, and that filters match something.
fn check(arguments: &Diff, compared: &Compared, options: &ViewOptions) -> Result<()> {
    if arguments.view() == DiffView::Timeline && arguments.sort.is_some() {
        anyhow::bail!("--sort does not apply to stretches of time");
    }
    if arguments.view() == DiffView::Spans && !arguments.view_options.metric.is_empty() {
        anyhow::bail!("spans are compared by how long they last: --metric is for the other views");
    }
    super::filters::check_filters(&compared.document, options)?;
    if let Normalise::Frame(pattern) = &arguments.normalise {
        let frame = Filter { kind: FilterKind::Focus, pattern: pattern.clone() };
        if !unmatched_filters(&compared.document, &[frame])?.is_empty() {
            anyhow::bail!("--normalise: no function matches {}", session::visible(pattern));
        }
    }
    Ok(())
}

/// Saves the picture of a comparison.
fn saved(arguments: &Diff, view: &View, path: &Path) -> Result<ExitCode> {
    if !path.to_string_lossy().to_lowercase().ends_with(".svg") {
        anyhow::bail!(
            "{} must end in .svg; tables are printed (--format), pages and comments saved by `hotframe \
             export NEW --base OLD -o report.html`",
            session::visible(&path.to_string_lossy())
        );
    }
    if matches!(arguments.view(), DiffView::Spans | DiffView::Timeline) {
        anyhow::bail!(
            "spans and stretches of time have no picture here: --view top-down, bottom-up or flat"
        );
    }
    let look = SvgOptions {
        width: 1400.0,
        theme: ThemeName::Light,
        colour: ColourBy::Change,
        search: String::new(),
        labels: LabelBy::Function,
    };
    let svg = view.svg(&look)?;
    super::output::write_output(path, |out| Ok(out.write_all(svg.as_bytes())?))?;
    Ok(ExitCode::SUCCESS)
}

/// A comparison of files as it is, for whoever saves it.
pub(super) fn between(
    [base, new]: [&[PathBuf]; 2],
    limits: &Limits,
    view: &ViewArguments,
    shape: ReportShape,
) -> Result<View> {
    let how = CompareOptions { align: limits.align(), ..CompareOptions::default() };
    let limits = &limits.unaligned();
    let titles = session::side_titles(&host::document_names(base), &host::document_names(new));
    let base = reading::read_called(&titles[0], base, limits)?;
    let new = reading::read_called(&titles[1], new, limits)?;
    let mut compared = Compared::new(&base, &new, &how)?;
    super::notes::tell_warnings(&compared.document)?;
    let options = options(&mut compared, view)?;
    super::filters::check_filters(&compared.document, &options)?;
    let limit = ReportFormat::Markdown.limit(None);
    let CompareOptions { noise, normalise, .. } = how;
    Ok(View { compared, options, shape, noise, normalise, limit, order: ChangeOrder::Change })
}

/// What is compared.
fn sides(arguments: &Diff) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let one = |path: &Option<PathBuf>| path.iter().cloned().collect();
    if arguments.base_runs.is_empty() {
        (one(&arguments.base), one(&arguments.new))
    } else {
        (arguments.base_runs.clone(), arguments.new_runs.clone())
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
    let host = FileHost::new(&files, options.max_size).with_sources(Sources::of(&[])?);
    let session = session::Session::new(Box::new(host), options)
        .with_formulas(settings::formulas()?)
        .with_rules(settings::rules()?)
        .reading_as(arguments.limits.unaligned().reading_as());
    let [base, new] = [base, new].map(host::document_names);
    let document = session.add_compared(&base, &new, how);
    let options =
        ServeOptions { port: arguments.port, browser: !arguments.no_browser, asks: false };
    server::serve(session, &[document], &[base, new].concat().join(", "), &options)?;
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
    let default = compared.default_metric();
    Ok(ViewOptions {
        metric: metrics.first().copied().unwrap_or(default),
        more_metrics: metrics.into_iter().skip(1).collect(),
        granularity: view.granularity(),
        // Those of parts chose their side already.
        filters: match compared.document.comparison().and_then(|of| of.chosen.as_ref()) {
            Some(_) => view.frame_filters(),
            None => view.filters(),
        },
        collapse: view.collapse(),
        drop_frames: !view.no_drop_frames,
        ..ViewOptions::default()
    })
}

/// The metric of a name, a number or a formula.
fn metric(compared: &mut Compared, name: &str) -> Result<MetricId> {
    let metrics = &compared.metrics;
    if let Some(number) = name.parse::<usize>().ok().filter(|&number| number < metrics.len()) {
        return Ok(MetricId(number as u32));
    }
    let common = |number: usize| compared.is_common(MetricId(number as u32));
    if let Some(named) = metrics.iter().position(|m| m.name.eq_ignore_ascii_case(name)) {
        anyhow::ensure!(common(named), "only one side has {name}: there is nothing to compare");
        return Ok(MetricId(named as u32));
    }
    if reading::is_word(name) {
        let known = metrics.iter().enumerate().filter(|(number, _)| common(*number));
        let known: Vec<_> = known.map(|(_, metric)| metric.name.as_str()).collect();
        anyhow::bail!("there is no metric {name}; there are: {}", known.join(", "));
    }
    Ok(compared.define_metric("", name)?)
}

impl View {
    /// The flame graph of both sides.
    pub(super) fn svg(&self, look: &SvgOptions) -> Result<String> {
        Ok(self.compared.svg(self.shape, &self.options, look)?)
    }
}

/// What is shown.
pub(super) struct View {
    compared: Compared,
    options: ViewOptions,
    shape: ReportShape,
    noise: f64,
    normalise: Normalise,
    limit: usize,
    order: ChangeOrder,
}
