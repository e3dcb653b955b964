//! The JSON of `+RTS -pj`: a table of cost centres, and a tree of objects that name them.

use hashbrown::HashMap;
use profile::{
    FunctionId, LabelSetId, Location, LocationId, Metric, ModuleId, Points, Profile, ProfileBuilder,
};

use super::FORMAT;
use super::text::place_of;
use crate::graph::id_index::IdIndex;
use crate::graph::parents;
use crate::graph::parents::NONE;
use crate::input::stream::Stream;
use crate::json::Json;
use crate::json::outline::Outline;
use crate::numbers::decimal::Decimal;
use crate::{ReadError, ReadOptions, Sniff, Warnings};

pub(super) fn sniff(head: &[u8]) -> Sniff {
    let Some(outline) = Outline::new(head) else { return Sniff::No };
    let is_ghc = outline.has(&["cost_centres"]) || outline.has(&["program", "total_ticks"]);
    if is_ghc { Sniff::Yes } else { Sniff::No }
}

/// A cost centre.
struct Centre {
    module: Option<ModuleId>,
    function: FunctionId,
    line: u32,
    column: u32,
}

/// A node of the tree.
struct Node {
    parent: u32,
    /// Number of the cost centre.
    centre: u32,
    /// Ticks, bytes, entries.
    values: [i64; 3],
}

pub(super) fn read(
    stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let mut json = Json::new(stream, FORMAT.name)?;
    let mut builder = ProfileBuilder::new(vec![
        Metric::new("ticks", "count"),
        Metric::new("alloc", "bytes"),
        Metric::new("entries", "count"),
    ]);
    let mut centres: HashMap<u64, Centre> = HashMap::new();
    let mut ids = IdIndex::default();
    let mut nodes: Vec<Node> = vec![];
    let mut command: Vec<String> = vec![];
    json.object()?;
    while let Some(key) = json.next_key()? {
        match key {
            "arguments" | "rts_arguments" => {
                json.array()?;
                while json.next_element()? {
                    command.push(json.any_text()?);
                }
            }
            "end_time" => {
                let date = json.any_text()?;
                builder.origin.comments.push(format!("written: {date}"));
            }
            "total_time" => {
                let seconds = json.any_number()?.and_then(|seconds| seconds.to_scaled(9));
                builder.origin.duration_ns = seconds.unwrap_or(0);
            }
            "tick_interval" => {
                // Microseconds.
                let interval = json.any_number()?.and_then(|number| number.to_scaled(3));
                builder.origin.period = interval.unwrap_or(0);
                builder.origin.period_type = Some(("ticks".into(), "nanoseconds".into()));
            }
            "cost_centres" => {
                json.array()?;
                while json.next_element()? {
                    let (id, centre) = read_centre(&mut json, &mut builder)?;
                    centres.insert(id, centre);
                    options.check_memory(builder.heap_bytes() + centres.capacity() * 32)?;
                }
            }
            "profile" => read_tree(&mut json, &mut nodes, &mut ids, options)?,
            _ => {}
        }
    }
    json.finish()?;
    if !command.is_empty() {
        builder.origin.comments.push(format!("command: {}", command.join(" ")));
    }
    FORMAT.name.clone_into(&mut builder.origin.format);
    "GHC".clone_into(&mut builder.origin.producer);
    builder.points = Points::new(3);

    let locations = locations(&ids, &centres, &mut builder, warnings);
    let rows: Vec<u32> = nodes.iter().map(|node| node.parent).collect();
    let location = |row: usize| locations.get(nodes[row].centre as usize).copied();
    let contexts = parents::contexts(&rows, location, &mut builder.contexts, || {});
    for (node, context) in nodes.iter().zip(contexts) {
        if node.values != [0; 3] {
            builder.points.push(context, LabelSetId(0), &node.values);
        }
    }
    Ok(builder.finish())
}

/// By number, where cost centres are.
fn locations(
    ids: &IdIndex,
    centres: &HashMap<u64, Centre>,
    builder: &mut ProfileBuilder,
    warnings: &mut Warnings,
) -> Vec<LocationId> {
    (ids.ids().iter())
        .map(|id| match centres.get(id) {
            Some(Centre { module, function, line, column }) => {
                let place = Location { module: *module, ..Location::default() };
                builder.location(place, &[(Some(*function), *line, *column)])
            }
            None => {
                warnings.add("cost centres", || format!("cost centre {id} is not in the table"));
                let function = builder.function(&format!("cost centre {id}"), "", 0);
                builder.location(Location::default(), &[(Some(function), 0, 0)])
            }
        })
        .collect()
}

fn read_centre(json: &mut Json, builder: &mut ProfileBuilder) -> Result<(u64, Centre), ReadError> {
    let (mut id, mut label, mut module, mut source) =
        (0, String::new(), String::new(), String::new());
    json.object()?;
    while let Some(key) = json.next_key()? {
        match key {
            "id" => id = json.u64()?,
            "label" => label = json.any_text()?,
            "module" => module = json.any_text()?,
            "src_loc" => source = json.any_text()?,
            _ => {}
        }
    }
    let (file, line, column) = place_of(&source);
    let function = builder.function(&label, file, line);
    Ok((id, Centre { module: builder.module(&module), function, line, column }))
}

fn read_tree(
    json: &mut Json,
    nodes: &mut Vec<Node>,
    ids: &mut IdIndex,
    options: &ReadOptions,
) -> Result<(), ReadError> {
    let mut open: Vec<usize> = vec![];
    let mut enters = json.try_object()?;
    loop {
        if enters {
            let parent = open.last().map_or(NONE, |&row| row as u32);
            open.push(nodes.len());
            nodes.push(Node { parent, centre: NONE, values: [0; 3] });
            if nodes.len().is_multiple_of(1024) {
                options.check_memory(nodes.capacity() * size_of::<Node>() + ids.heap_bytes())?;
            }
        }
        let Some(&row) = open.last() else { return Ok(()) };
        let value = |number: Option<Decimal>| number.and_then(|n| n.to_scaled(0)).unwrap_or(0);
        enters = false;
        match json.next_key()? {
            Some("id") => nodes[row].centre = ids.number(json.u64()?),
            Some("ticks") => nodes[row].values[0] = value(json.any_number()?),
            Some("alloc") => nodes[row].values[1] = value(json.any_number()?),
            Some("entries") => nodes[row].values[2] = value(json.any_number()?),
            Some("children") => enters = json.try_array()? && next_object(json)?,
            Some(_) => {}
            None => {
                open.pop();
                enters = !open.is_empty() && next_object(json)?;
            }
        }
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
