//! Metrics and values of a database.

use profile::{
    ContextId, LabelSetId, Metric, MetricId, Point, Points, Profile, ProfileBuilder, ThreadId,
    Timing,
};

use super::meta::Meta;
use super::profiles::ThreadValues;
use super::{meta, profiles, taxonomy, threads, traces};
use crate::input::folder;
use crate::input::folder::{Folder, FolderFile};
use crate::numbers::combining::by_name;
use crate::readers::hpctoolkit::FORMAT;
use crate::{ReadError, ReadOptions, Warnings};

/// The files that make a database; the first is in every one.
const PARTS: [&str; 4] = ["meta.db", "profile.db", "cct.db", "trace.db"];

/// A line of execution as points name it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line {
    pub(super) thread: ThreadId,
    pub(super) labels: LabelSetId,
}

/// A metric that has values, and how its values become whole numbers.
#[derive(Debug, Clone, Copy)]
struct Column {
    /// Its number in `meta.db`.
    metric: u32,
    decimals: u8,
}

/// Where the database in a folder starts: the path of the outermost `meta.db` that has another of
/// the files beside it, without the name.
pub(in crate::readers::hpctoolkit) fn root(files: &[FolderFile]) -> Option<&str> {
    let roots = files.iter().filter_map(|file| {
        let root = file.path.strip_suffix(PARTS[0])?;
        (root.is_empty() || root.ends_with('/')).then_some(root)
    });
    let has_more = |root: &&str| PARTS[1..].iter().any(|part| has(files, &format!("{root}{part}")));
    roots.filter(has_more).min_by_key(|root| root.len())
}

pub(in crate::readers::hpctoolkit) fn read(
    folder: &dyn Folder,
    root: &str,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let files = folder.files();
    let path = |part: &str| format!("{root}{part}");
    let part = |part: &str| Some(path(part)).filter(|path| has(files, path));
    let mut builder = ProfileBuilder::default();
    FORMAT.name.clone_into(&mut builder.origin.format);
    builder.origin.producer = "HPCToolkit".to_owned();

    let mut meta = folder::read_file(folder, &path("meta.db"), options, |mut stream| {
        meta::read(&stream.read_to_end(options)?, &mut builder, options, warnings)
    })?;
    if let Some(path) = part("metrics/default.yaml") {
        let order = folder::read_file(folder, &path, options, taxonomy::names)?;
        meta.order = meta.ordered(&order);
    }

    let mut infos = vec![];
    let mut values = vec![];
    match part("profile.db") {
        Some(path) => {
            infos = profiles::list(folder, &path, options, warnings)?;
            values = profiles::values(folder, &path, &infos, &meta, options, warnings)?;
        }
        None => warnings.add("profile.db", || {
            "profile.db is not here: the traces are shown without the values of the metrics"
                .to_owned()
        }),
    }
    let lines = threads::lines(&infos, &meta.kinds, &mut builder);
    drop(infos);

    let trace = part("trace.db");
    let columns = columns(&values, &meta, warnings);
    push_metrics(&mut builder, &meta, &columns, trace.is_some());
    push_values(&mut builder, &columns, values, &lines, options)?;
    if let Some(path) = trace {
        traces::read(folder, &path, &meta, &lines, &mut builder, options, warnings)?;
    }
    Ok(builder.finish())
}

fn has(files: &[FolderFile], path: &str) -> bool {
    files.iter().any(|file| file.path == path)
}

/// The metrics that have values, in the order in which they are shown, each with as many decimals as
/// its values need.
fn columns(values: &[ThreadValues], meta: &Meta, warnings: &mut Warnings) -> Vec<Column> {
    #[derive(Clone, Copy, Default)]
    struct Needs {
        decimals: u8,
        sum: f64,
    }
    let mut needs = vec![Needs::default(); meta.metrics.len()];
    for thread in values {
        for own in &thread.own {
            let need = &mut needs[own.metric as usize];
            let most = if meta.metrics[own.metric as usize].unit == "seconds" { 9 } else { 6 };
            let noise = thread.noise[own.metric as usize];
            need.sum += own.value.abs();
            while need.decimals < most && !is_whole(own.value, need.decimals, noise) {
                need.decimals += 1;
            }
        }
    }
    for need in needs.iter_mut() {
        while need.decimals > 0 && need.sum * 10f64.powi(need.decimals.into()) >= i64::MAX as f64 {
            need.decimals -= 1;
        }
        if need.sum >= i64::MAX as f64 {
            warnings.add("large", || "values leave 64 bits and are held at the limit".to_owned());
        }
    }
    let shown = meta.order.iter().filter(|&&metric| needs[metric as usize].sum > 0.0);
    shown.map(|&metric| Column { metric, decimals: needs[metric as usize].decimals }).collect()
}

/// Whether a value has no more decimals than these, but for what adding up left behind.
#[inline]
fn is_whole(value: f64, decimals: u8, noise: f64) -> bool {
    let scale = 10f64.powi(decimals.into());
    let scaled = value * scale;
    (scaled - scaled.round()).abs() <= noise * scale
}

fn push_metrics(builder: &mut ProfileBuilder, meta: &Meta, columns: &[Column], has_trace: bool) {
    let metric = |name: &str, unit: &str, decimals| Metric {
        name: name.to_owned(),
        unit: unit.to_owned(),
        decimals,
        combining: by_name(name),
        ..Metric::default()
    };
    builder.metrics = (columns.iter())
        .map(|column| {
            let known = &meta.metrics[column.metric as usize];
            metric(&known.name, known.unit, column.decimals)
        })
        .collect();
    let first_named = |names: &[&str]| {
        names.iter().find_map(|name| builder.metrics.iter().position(|m| m.name == *name))
    };
    // The names that HPCToolkit gives to the time of processors, then of accelerators.
    let first = first_named(&["CPUTIME", "REALTIME", "GPUOP"]);
    builder.origin.default_metric = MetricId(first.unwrap_or(0) as u32);
    if has_trace {
        // A sample lasts from its time on.
        let time = metric(traces::TIME, "nanoseconds", 0);
        builder.metrics.push(Metric { timing: Timing::Length, ..time });
        builder.metrics.push(metric(traces::SAMPLES, "count", 0));
    }
    builder.points = Points::new(builder.metrics.len());

    let is_empty = |metric: &u32| !columns.iter().any(|column| column.metric == *metric);
    let empty: Vec<&str> = (meta.order.iter().copied().filter(is_empty))
        .map(|metric| meta.metrics[metric as usize].title.as_str())
        .collect();
    if !empty.is_empty() {
        let names = empty.join(", ");
        builder.origin.comments.push(format!("Metrics without any value: {names}"));
    }
}

fn push_values(
    builder: &mut ProfileBuilder,
    columns: &[Column],
    values: Vec<ThreadValues>,
    lines: &[Option<Line>],
    options: &ReadOptions,
) -> Result<(), ReadError> {
    let places = columns.iter().map(|column| column.metric as usize + 1).max().unwrap_or(0);
    let mut place_of = vec![None; places];
    for (place, column) in columns.iter().enumerate() {
        place_of[column.metric as usize] = Some((place, 10f64.powi(column.decimals.into())));
    }
    let mut row = vec![0i64; builder.metrics.len()];
    let mut held: usize = values.iter().map(ThreadValues::heap_bytes).sum();
    for thread in values {
        held -= thread.heap_bytes();
        let line = lines.get(thread.profile).copied().flatten();
        for of_context in thread.own.chunk_by(|a, b| a.context == b.context) {
            row.fill(0);
            let mut context = ContextId::ROOT;
            for own in of_context {
                context = own.context;
                if let Some(&Some((place, scale))) = place_of.get(own.metric as usize) {
                    // A cast holds what leaves 64 bits at the limit.
                    row[place] = row[place].saturating_add((own.value * scale).round() as i64);
                }
            }
            if row.iter().any(|&value| value != 0) {
                let point = Point {
                    context,
                    thread: line.map(|line| line.thread),
                    labels: line.map(|line| line.labels).unwrap_or_default(),
                    ..Point::default()
                };
                builder.points.push_point(point, &row);
            }
        }
        options.check_memory(builder.heap_bytes() + held)?;
    }
    Ok(())
}
