//! Reading profiles for a command, with a progress bar.

use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use session::{
    Collector, MetricId, NO_MEMBERS, ProfileDocument, ReadOptions, Watch, merged_title,
    metric_named, short_names, visible,
};

use crate::arguments::{Limits, ViewArguments};
use crate::{host, settings};

pub(crate) mod kept;

/// Reads the profile that `paths` are together.
pub(crate) fn read(paths: &[PathBuf], limits: &Limits) -> Result<ProfileDocument> {
    let title = merged_title(&host::document_names(&host::once(paths).0));
    read_called(&title, paths, limits)
}

/// The same; tells what it is called.
pub(crate) fn read_called(
    title: &str,
    paths: &[PathBuf],
    limits: &Limits,
) -> Result<ProfileDocument> {
    let formulas = settings::formulas()?;
    kept::read(paths, &format!("{title:?} {limits:?} {formulas:?}"), || {
        let options = limits.read_options();
        let collector = Collector::new(&options).reading_as(limits.reading_as());
        let mut document = collected(title, paths, collector, options.max_size)?;
        document.define_fitting(&formulas);
        Ok(document)
    })
}

/// The profile that recordings of ours are together, as they are.
pub(crate) fn read_plain(paths: &[PathBuf]) -> Result<ProfileDocument> {
    let options = ReadOptions::default();
    let title = merged_title(&host::document_names(paths));
    collected(&title, paths, Collector::new(&options), options.max_size)
}

fn collected(
    title: &str,
    paths: &[PathBuf],
    mut collector: Collector<'_>,
    max_size: u64,
) -> Result<ProfileDocument> {
    let (paths, again) = host::once(paths);
    for path in again {
        let name = path.display().to_string();
        collector.warn("recording of a manifest", || {
            format!("{} is read once: a manifest names it, too", visible(&name))
        });
    }
    for (at, path) in paths.iter().enumerate() {
        if paths[..at].contains(path) && path.as_os_str() != "-" {
            let name = path.display().to_string();
            collector.warn("file named twice", || {
                format!("{} is named more than once: it counts as often", visible(&name))
            });
        }
    }
    let names = host::document_names(&paths);
    let bar = Bar::new(paths.iter().map(|path| host::size(path)).sum());
    let result = paths.iter().zip(&names).zip(short_names(&names)).try_for_each(
        |((path, name), told)| -> Result<()> {
            let input = host::open(path, max_size);
            let input = input.with_context(|| format!("cannot read {}", visible(name)))?;
            Ok(collector.add(input, &bar, told)?)
        },
    );
    bar.bar.finish_and_clear();
    result?;
    let document = collector.finish(title);
    let warnings = &document.profile().origin.warnings;
    if let Some(unsplit) = warnings.iter().find(|one| one.kind == NO_MEMBERS) {
        anyhow::bail!("{}", visible(&unsplit.message));
    }
    Ok(document)
}

/// The options of a view, with the metric looked up.
pub(crate) fn view_options(
    document: &ProfileDocument,
    arguments: &ViewArguments,
) -> Result<session::ViewOptions> {
    view_options_but(document, arguments, false)
}

/// The same; the first metric that is named may be none of the profile.
pub(crate) fn view_options_but(
    document: &ProfileDocument,
    arguments: &ViewArguments,
    is_other: bool,
) -> Result<session::ViewOptions> {
    for definition in &arguments.define {
        document.define_metric(&definition.name, &definition.formula)?;
    }
    let named = arguments.metric.first().map(String::as_str).filter(|_| !is_other);
    let first = metric(document, named)?;
    let more = arguments.metric.iter().skip(1).map(|name| metric(document, Some(name)));
    Ok(session::ViewOptions {
        metric: first,
        more_metrics: more.collect::<Result<_>>()?,
        granularity: arguments.granularity(),
        filters: arguments.filters(),
        order: session::Order::Value,
        collapse: arguments.collapse(),
        drop_frames: !arguments.no_drop_frames,
        role: None,
    })
}

/// The metric of a name or number; the profile's default without one.
pub(crate) fn metric(document: &ProfileDocument, name: Option<&str>) -> Result<MetricId> {
    let profile = document.profile();
    if profile.metrics.is_empty() {
        anyhow::bail!("{} has no metrics: nothing was measured", visible(document.title()));
    }
    let Some(name) = name else { return Ok(profile.origin.default_metric) };
    if let Some(metric) = metric_named(document, name) {
        return Ok(metric);
    }
    if is_word(name) {
        let known: Vec<_> = profile.metrics.iter().map(|metric| metric.name.as_str()).collect();
        let (title, known) = (visible(document.title()), known.join(", "));
        anyhow::bail!("{title} has no metric {name}; it has: {}", visible(&known));
    }
    Ok(document.define_metric("", name)?)
}

/// Whether a text is a name and no formula.
pub(crate) fn is_word(text: &str) -> bool {
    text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':'))
}

/// Draws a bar for work that takes over a second.
struct Bar {
    bar: ProgressBar,
    started: Instant,
    shown: AtomicBool,
    /// Who may stop it.
    watch: Option<Arc<dyn work::Watch>>,
}

impl Bar {
    /// A bar for so many bytes, if that is known.
    fn new(size: Option<u64>) -> Bar {
        let bar = ProgressBar::with_draw_target(size, ProgressDrawTarget::hidden());
        let template = match size {
            Some(_) => "reading {wide_bar} {bytes} of {total_bytes}, {eta} left",
            None => "reading {spinner} {bytes}",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Bar { bar, started: Instant::now(), shown: AtomicBool::new(false), watch: work::watch() }
    }
}

impl Watch for Bar {
    fn watch<'a>(&'a self, bytes: Box<dyn Read + Send + 'a>) -> Box<dyn Read + Send + 'a> {
        Box::new(Watched { bytes, bar: self })
    }
}

struct Watched<'a> {
    bytes: Box<dyn Read + Send + 'a>,
    bar: &'a Bar,
}

impl Read for Watched<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.bytes.read(out)?;
        let Bar { bar, started, shown, watch } = self.bar;
        if watch.as_ref().is_some_and(|watch| watch.is_stopped()) {
            return Err(io::Error::new(io::ErrorKind::ConnectionAborted, "stopped"));
        }
        bar.inc(count as u64);
        if started.elapsed() > Duration::from_secs(1) && !shown.swap(true, Ordering::Relaxed) {
            // Draws nothing where standard error is not a terminal.
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        Ok(count)
    }
}
