//! timemory's JSON, as its documentation describes it: a component a measure, in each the call tree
//! as a list (`ranks`) or as a tree (`graph`, with MPI also `mpi`; in files `*.tree.json` alone).
//!
//! ```text
//! timemory.wall_clock.unit_repr
//! timemory.wall_clock.ranks[].graph[]: prefix "|0>>>   |_work", depth, entry: laps, repr_data
//! timemory.wall_clock.graph[][]: node: prefix, inclusive.entry: laps, repr_data; children
//! ```
//! Values are those of a call with all inside it, in the unit that the file names.

#![allow(
    clippy::collapsible_match,
    reason = "a guard cannot borrow the reader that the key is borrowed from"
)]

use hashbrown::HashMap;
use profile::{
    Combine, Combining, ContextId, Metric, MetricId, Place, Point, Points, Profile, ProfileBuilder,
    ThreadId,
};

use crate::graph::inclusive::{Outside, make_exclusive};
use crate::graph::path::Path;
use crate::input::stream::Stream;
use crate::json::Json;
use crate::json::outline::Outline;
use crate::numbers::decimal::Decimal;
use crate::{About, Format, ReadError, ReadOptions, Reader, Sniff, Warnings};

pub(crate) const FORMAT: Format = Format {
    name: "timemory",
    title: "timemory JSON",
    extensions: &["timemory.json"],
    about: About {
        carries: "every component that is one number, how often each region ran (laps), call \
                  paths, ranks, files and lines where names hold them",
        estimates: "own values, as what the regions inside leave of the stored ones",
        skips: "statistics of laps, components of several numbers (counted), the tree where the \
                list is there too",
        checked_against: "samples written by hand after its documentation: timemory was not at hand",
    },
    reader: Some(Reader { sniff, read }),
    folder: None,
    writer: None,
};

fn sniff(head: &[u8], _: &str) -> Sniff {
    let Some(outline) = Outline::new(head) else { return Sniff::No };
    let Some(all) = outline.at(&["timemory"]) else { return Sniff::No };
    let mut keys = all.keys();
    let is_component = |key: &str| {
        ["unit_repr", "ranks", "graph", "mpi"].iter().any(|of| all.at(&[key, of]).is_some())
    };
    if keys.any(is_component) { Sniff::Yes } else { Sniff::No }
}

/// A region of a call tree.
#[derive(Default)]
struct Row {
    rank: u32,
    depth: i64,
    name: String,
    laps: i64,
    /// None where it is not a single number.
    value: Option<Decimal>,
}

/// A component, such as `wall_clock`.
#[derive(Default)]
struct Component {
    name: String,
    unit: String,
    list: Vec<Row>,
    tree: Vec<Row>,
}

/// Digits after the point that are kept.
const MOST_DECIMALS: u8 = 9;

fn read(
    stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let mut json = Json::new(stream, FORMAT.name)?;
    let mut components = vec![];
    let mut held = 0;
    json.object()?;
    while let Some(key) = json.next_key()? {
        if key != "timemory" || !json.try_object()? {
            continue;
        }
        while let Some(key) = json.next_key()? {
            let name = key.to_owned();
            if json.try_object()? {
                let mut component = Component { name, ..Component::default() };
                component.read(&mut json, &mut held, options)?;
                if !component.rows().is_empty() {
                    components.push(component);
                }
            }
        }
    }
    json.finish()?;
    let missing = "component with regions in its \"ranks\" or \"graph\"";
    ReadError::unless(!components.is_empty(), FORMAT.name, missing)?;
    Ok(finish(&components, warnings))
}

impl Component {
    /// The list, or else the tree.
    fn rows(&self) -> &[Row] {
        if self.list.is_empty() { &self.tree } else { &self.list }
    }

    fn read(
        &mut self,
        json: &mut Json,
        held: &mut usize,
        options: &ReadOptions,
    ) -> Result<(), ReadError> {
        while let Some(key) = json.next_key()? {
            match key {
                "unit_repr" => self.unit = json.any_text()?,
                "ranks" => {
                    if json.try_array()? {
                        while json.next_element()? {
                            if json.try_object()? {
                                self.rank(json, held, options)?;
                            }
                        }
                    }
                }
                "graph" | "mpi" | "upcxx" => {
                    if json.try_array()? {
                        self.trees(json, held, options)?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The list of a rank.
    fn rank(
        &mut self,
        json: &mut Json,
        held: &mut usize,
        options: &ReadOptions,
    ) -> Result<(), ReadError> {
        let mut rank = 0;
        let first = self.list.len();
        while let Some(key) = json.next_key()? {
            match key {
                "rank" => rank = json.any_position()?,
                "graph" => {
                    if !json.try_array()? {
                        continue;
                    }
                    while json.next_element()? {
                        if json.try_object()? {
                            let mut row = Row::default();
                            row.read(json)?;
                            row.hold(held, options)?;
                            self.list.push(row);
                        }
                    }
                }
                _ => {}
            }
        }
        self.list[first..].iter_mut().for_each(|row| row.rank = rank);
        Ok(())
    }

    /// Trees, or a list of trees a rank.
    fn trees(
        &mut self,
        json: &mut Json,
        held: &mut usize,
        options: &ReadOptions,
    ) -> Result<(), ReadError> {
        let mut rank = 0;
        while json.next_element()? {
            match json.kind()? {
                crate::json::Kind::Array => {
                    json.array()?;
                    while json.next_element()? {
                        if json.try_object()? {
                            self.tree(json, rank, held, options)?;
                        }
                    }
                    rank += 1;
                }
                _ => {
                    if json.try_object()? {
                        self.tree(json, rank, held, options)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The tree whose root was entered.
    fn tree(
        &mut self,
        json: &mut Json,
        rank: u32,
        held: &mut usize,
        options: &ReadOptions,
    ) -> Result<(), ReadError> {
        // Rows of the nodes that are open: children may come before what their parent says.
        let mut open = vec![self.start(rank, 0)];
        while let Some(&row) = open.last() {
            let opened = match json.next_key()? {
                Some("node") => {
                    if json.try_object()? {
                        let depth = self.tree[row].depth;
                        self.tree[row].read(json)?;
                        self.tree[row].depth = depth;
                        self.tree[row].hold(held, options)?;
                    }
                    false
                }
                Some("children") => json.try_array()? && next_object(json)?,
                Some(_) => false,
                None => {
                    open.pop();
                    !open.is_empty() && next_object(json)?
                }
            };
            if opened {
                open.push(self.start(rank, open.len() as i64));
            }
        }
        Ok(())
    }

    /// The row of a node of the tree.
    fn start(&mut self, rank: u32, depth: i64) -> usize {
        self.tree.push(Row { rank, depth, ..Row::default() });
        self.tree.len() - 1
    }
}

/// Goes to the next element that is an object, and into it.
fn next_object(json: &mut Json) -> Result<bool, ReadError> {
    while json.next_element()? {
        if json.try_object()? {
            return Ok(true);
        }
    }
    Ok(false)
}

impl Row {
    /// An entry of the list, or a node of the tree.
    fn read(&mut self, json: &mut Json) -> Result<(), ReadError> {
        while let Some(key) = json.next_key()? {
            match key {
                "prefix" => self.name = json.any_text()?,
                "depth" => self.depth = i64::from(json.any_position()?),
                "entry" => self.entry(json)?,
                "inclusive" => {
                    if json.try_object()? {
                        while let Some(key) = json.next_key()? {
                            if key == "entry" {
                                self.entry(json)?;
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn entry(&mut self, json: &mut Json) -> Result<(), ReadError> {
        if !json.try_object()? {
            return Ok(());
        }
        while let Some(key) = json.next_key()? {
            match key {
                "laps" => {
                    self.laps = json.any_number()?.and_then(Decimal::to_whole).unwrap_or(0);
                }
                "repr_data" => self.value = json.any_number()?,
                _ => {}
            }
        }
        Ok(())
    }

    fn hold(&self, held: &mut usize, options: &ReadOptions) -> Result<(), ReadError> {
        *held += size_of::<Row>() + self.name.len();
        options.check_memory(*held)
    }

    /// Whether it only holds the others of a process.
    fn is_root(&self) -> bool {
        self.name.is_empty() || self.name.starts_with("unknown-hash=0")
    }
}

/// The metric of a component, and the digits that its numbers are scaled by.
fn metric(component: &Component) -> (Metric, u8) {
    let digits = component.rows().iter().filter_map(|row| row.value).map(|value| value.decimals());
    let digits = digits.max().unwrap_or(0).min(MOST_DECIMALS);
    let (unit, scale, decimals) = match component.unit.as_str() {
        "sec" | "s" => ("nanoseconds", 9, 0),
        "msec" | "ms" => ("nanoseconds", 6, 0),
        "usec" | "us" => ("nanoseconds", 3, 0),
        "nsec" | "ns" => ("nanoseconds", 0, 0),
        "" => ("count", digits, digits),
        // Decimal ones, as `unit_value` says: 1,000,000 bytes are a MB, 1,048,576 a MiB.
        "KB" | "kB" => ("bytes", 3, 0),
        "MB" => ("bytes", 6, 0),
        "GB" => ("bytes", 9, 0),
        other => (other, digits, digits),
    };
    let combining = match unit {
        "%" => Combining::everywhere(Combine::None),
        _ => Combining::default(),
    };
    (
        Metric {
            name: component.name.clone(),
            unit: unit.to_owned(),
            decimals,
            combining,
            ..Metric::default()
        },
        scale,
    )
}

fn finish(components: &[Component], warnings: &mut Warnings) -> Profile {
    let mut builder = ProfileBuilder::default();
    FORMAT.name.clone_into(&mut builder.origin.format);
    "timemory".clone_into(&mut builder.origin.producer);
    let (mut metrics, scales): (Vec<_>, Vec<_>) = components.iter().map(metric).unzip();
    let sums: Vec<usize> =
        (0..metrics.len()).filter(|&metric| metrics[metric].combining.is_sum()).collect();
    // Whichever comes first, time is what is looked at; laps, which every component counts, are its.
    let is_time = |component: &Component| component.name.eq_ignore_ascii_case("wall_clock");
    let main = components.iter().position(is_time).unwrap_or(0);
    builder.origin.default_metric = MetricId(main as u32);
    let laps = metrics.len();
    metrics.push(Metric { name: "laps".into(), unit: "count".into(), ..Metric::default() });
    builder.points = Points::new(metrics.len());
    builder.metrics = metrics;
    let has_ranks = components.iter().flat_map(Component::rows).any(|row| row.rank != 0);
    // A context has one row a thread, whichever components measured it.
    let mut numbers = HashMap::new();
    let mut rows: Vec<(ContextId, Option<ThreadId>, Vec<i64>)> = vec![];
    for (index, component) in components.iter().enumerate() {
        let mut path = Path::default();
        let mut open: Vec<(i64, profile::LocationId)> = vec![];
        let mut rank = None;
        for row in component.rows() {
            if rank != Some(row.rank) {
                open.clear();
                rank = Some(row.rank);
            }
            while open.last().is_some_and(|&(depth, _)| depth >= row.depth) {
                open.pop();
            }
            if row.is_root() {
                continue;
            }
            open.push((row.depth, builder.place(&place(&row.name))));
            path.start();
            for &(_, location) in &open {
                path.step(&mut builder.contexts, location);
            }
            let thread = has_ranks.then(|| thread(&mut builder, row.rank));
            let number = *numbers.entry((path.context(), thread)).or_insert_with(|| {
                rows.push((path.context(), thread, vec![0; laps + 1]));
                rows.len() - 1
            });
            let values = &mut rows[number].2;
            match row.value {
                Some(value) => {
                    let value = value.to_scaled(scales[index]).unwrap_or(i64::MAX);
                    values[index] = values[index].saturating_add(value);
                }
                None => warnings.add("several numbers", || {
                    format!(
                        "values of {} that are not a single number are not shown",
                        component.name
                    )
                }),
            }
            if index == main {
                values[laps] = values[laps].saturating_add(row.laps);
            }
        }
    }
    for (context, thread, values) in rows {
        builder.points.push_point(Point { context, thread, ..Point::default() }, &values);
    }
    let mut profile = builder.finish();
    make_exclusive(&mut profile, &sums, Outside::HoldsAll, warnings);
    profile
}

fn thread(builder: &mut ProfileBuilder, rank: u32) -> ThreadId {
    let process = builder.process(&rank.to_string());
    builder.processes[process.index()].name = builder.strings.intern(&format!("rank {rank}"));
    builder.thread(Some(process), "0")
}

/// The place of `|0>>>   |_name`, `name@file:line`.
fn place(prefix: &str) -> Place<'_> {
    let name = prefix.split_once(">>>").map_or(prefix, |(_, name)| name).trim();
    let name = name.strip_prefix("|_").unwrap_or(name);
    // A label behind the line tells regions there apart: the name stays whole then.
    let by_line = || {
        let (function, rest) = name.split_once('@')?;
        let (file, line) = rest.rsplit_once(':')?;
        Some(Place { function, file, line: line.parse().ok()?, ..Place::default() })
    };
    by_line().unwrap_or(Place { function: name, ..Place::default() })
}
