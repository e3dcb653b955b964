//! Reading one profile for a command, with a progress bar.

use std::io::{self, Read};
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use session::Document;

use crate::arguments::{Limits, ViewArguments};
use crate::host;

/// Reads a profile.
pub(crate) fn read(path: &Path, limits: &Limits) -> Result<Document> {
    let options = limits.read_options();
    let name = host::document_name(path);
    let (bytes, size) =
        host::open(path, options.max_size).with_context(|| format!("cannot read {name}"))?;
    let watched = Watched::new(bytes, size);
    let bar = watched.bar.clone();
    let document = session::read(watched, &name, &options);
    bar.finish_and_clear();
    Ok(document?)
}

/// The options of a view, with the metric looked up.
pub(crate) fn view_options(
    document: &Document,
    arguments: &ViewArguments,
) -> Result<session::ViewOptions> {
    Ok(session::ViewOptions {
        metric: metric(document, arguments.metric.as_deref())?,
        granularity: arguments.granularity(),
        filters: arguments.filters(),
        order: session::Order::Value,
        collapse_recursion: arguments.collapse_recursion,
        drop_frames: !arguments.no_drop_frames,
    })
}

/// The metric of a name or number; the profile's default without one.
pub(crate) fn metric(document: &Document, name: Option<&str>) -> Result<usize> {
    let profile = document.profile();
    if profile.metrics.is_empty() {
        anyhow::bail!("{} has no metrics: nothing was measured", document.title());
    }
    let Some(name) = name else { return Ok(profile.origin.default_metric) };
    document.metric_named(name).with_context(|| {
        let known: Vec<_> = profile.metrics.iter().map(|metric| metric.name.as_str()).collect();
        format!("{} has no metric {name}; it has: {}", document.title(), known.join(", "))
    })
}

/// Draws a bar for work that takes over a second.
struct Watched {
    bytes: Box<dyn Read + Send>,
    bar: ProgressBar,
    started: Instant,
    shown: bool,
}

impl Watched {
    fn new(bytes: Box<dyn Read + Send>, size: Option<u64>) -> Watched {
        let bar = match size {
            Some(size) => ProgressBar::with_draw_target(Some(size), ProgressDrawTarget::hidden()),
            None => ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()),
        };
        let template = match size {
            Some(_) => "reading {wide_bar} {bytes} of {total_bytes}, {eta} left",
            None => "reading {spinner} {bytes}",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Watched { bytes, bar, started: Instant::now(), shown: false }
    }
}

impl Read for Watched {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.bytes.read(out)?;
        self.bar.inc(count as u64);
        if !self.shown && self.started.elapsed() > Duration::from_secs(1) {
            self.shown = true;
            // Draws nothing where standard error is no terminal.
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        Ok(count)
    }
}
