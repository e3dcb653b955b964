//! Caliper: its own `.cali` files, and the split JSON (`json-split`) that cali-query makes of them,
//! a table of records whose columns are values or nodes of a tree.

mod cali;

use profile::{
    ContextId, Label, LabelValue, LocationKind, Metric, Place, Point, Points, Profile,
    ProfileBuilder,
};

use crate::decimal::Decimal;
use crate::json::outline::Outline;
use crate::json::{Json, Kind};
use crate::parents::{self, NONE};
use crate::scale::Scale;
use crate::stream::Stream;
use crate::{About, Format, ReadError, ReadOptions, Reader, Sniff, Warnings};

pub(crate) const FORMAT: Format = Format {
    name: "caliper",
    title: "Caliper (.cali and split JSON)",
    extensions: &["cali"],
    about: About {
        carries: "every exclusive value, regions by path, ranks and threads, other attributes as \
                  labels",
        skips: "inclusive values beside exclusive ones",
        ..About::NONE
    },
    reader: Some(Reader { sniff, read }),
    folder: None,
    writer: None,
};

fn sniff(head: &[u8], _: &str) -> Sniff {
    if cali::is_cali(head) {
        return Sniff::Yes;
    }
    let Some(outline) = Outline::of(head) else { return Sniff::No };
    let is_table = outline.at(&["data", "0"]).is_some_and(|row| row.kind == Kind::Array);
    let is_described =
        outline.has(&["columns", "column_metadata"]) || outline.has(&["columns", "nodes"]);
    // Where the records are long, only they show.
    if is_table && (is_described || outline.keys().count() == 1) { Sniff::Yes } else { Sniff::No }
}

/// A column of the table.
#[derive(Default)]
struct Column {
    name: String,
    is_value: bool,
    unit: String,
}

/// A node of the tree.
#[derive(Default)]
struct Node {
    column: String,
    label: String,
    parent: u32,
}

fn read(
    mut stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    if cali::is_cali(stream.peek(cali::HEAD)?) {
        return cali::read(stream, options, warnings);
    }
    let mut json = Json::new(stream, FORMAT.name)?;
    let mut cells: Vec<Option<Decimal>> = vec![];
    let mut ends: Vec<usize> = vec![];
    let mut columns: Vec<Column> = vec![];
    let mut nodes: Vec<Node> = vec![];
    let mut builder = ProfileBuilder::default();
    json.object()?;
    while let Some(key) = json.next_key()? {
        match key {
            "data" => {
                json.array()?;
                while json.next_element()? {
                    json.array()?;
                    while json.next_element()? {
                        cells.push(json.any_number()?);
                    }
                    ends.push(cells.len());
                    options.check_memory(cells.capacity() * 24 + ends.capacity() * 8)?;
                }
            }
            "columns" => {
                json.array()?;
                let mut place = 0;
                while json.next_element()? {
                    let name = json.any_text()?;
                    at(&mut columns, place).name = name;
                    place += 1;
                }
            }
            "column_metadata" => {
                json.array()?;
                let mut place = 0;
                while json.next_element()? {
                    if json.try_object()? {
                        while let Some(key) = json.next_key()? {
                            match key {
                                "is_value" => at(&mut columns, place).is_value = json.bool()?,
                                "attribute.unit" => {
                                    at(&mut columns, place).unit = json.any_text()?
                                }
                                _ => {}
                            }
                        }
                    }
                    place += 1;
                }
            }
            "nodes" => {
                json.array()?;
                while json.next_element()? {
                    let mut node = Node { parent: NONE, ..Node::default() };
                    json.object()?;
                    while let Some(key) = json.next_key()? {
                        match key {
                            "column" => node.column = json.any_text()?,
                            "label" => node.label = json.any_text()?,
                            "parent" => {
                                let parent = json.any_number()?.and_then(Decimal::to_whole);
                                node.parent =
                                    parent.and_then(|p| u32::try_from(p).ok()).unwrap_or(NONE);
                            }
                            _ => {}
                        }
                    }
                    nodes.push(node);
                    options.check_memory(nodes.capacity() * size_of::<Node>())?;
                }
            }
            // What was recorded where and how.
            _ => {
                let key = key.to_owned();
                let value = json.any_text()?;
                const MOST_NOTES: usize = 100;
                if !value.is_empty() && builder.origin.comments.len() < MOST_NOTES {
                    builder.origin.comments.push(format!("{key}: {value}"));
                }
            }
        }
    }
    json.finish()?;
    FORMAT.name.clone_into(&mut builder.origin.format);
    "Caliper".clone_into(&mut builder.origin.producer);

    let is_place = |name: &str| is_rank(name) || is_thread(name);
    let exclusive: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
    let is_metric = |column: &Column| {
        let inclusive =
            ["inclusive#", "inclusive_"].iter().find_map(|p| column.name.strip_prefix(p));
        let doubled = inclusive.is_some_and(|rest| exclusive.iter().any(|name| name == rest));
        column.is_value && !is_place(&column.name) && !doubled
    };
    let metrics: Vec<usize> = (0..columns.len()).filter(|&row| is_metric(&columns[row])).collect();
    builder.metrics = metrics.iter().map(|&row| metric(&columns[row])).collect();
    builder.points = Points::new(metrics.len());
    let mut scales = vec![Scale::up_to(9); metrics.len()];

    // The path, or else whatever has nodes.
    let path = columns.iter().position(|column| !column.is_value && column.name == "path");
    let path = path.or(columns.iter().position(|column| !column.is_value));
    let locations: Vec<_> = (nodes.iter())
        .map(|node| {
            builder.place(&Place {
                kind: LocationKind::Region,
                function: &node.label,
                ..Place::default()
            })
        })
        .collect();
    let parents: Vec<u32> = nodes.iter().map(|node| node.parent).collect();
    let contexts = parents::contexts(
        &parents,
        |row| Some(locations[row]),
        &mut builder.contexts,
        || {
            warnings.add("circles", || "nodes stand below themselves".to_owned());
        },
    );
    let mut start = 0;
    let mut values = vec![0; metrics.len()];
    for end in ends {
        let row = &cells[start..end];
        start = end;
        let whole = |column: usize| row.get(column).copied().flatten().and_then(Decimal::to_whole);
        let node = |column: usize| whole(column).and_then(|node| usize::try_from(node).ok());
        values.fill(0);
        for (place, &column) in metrics.iter().enumerate() {
            let Some(number) = row.get(column).copied().flatten() else { continue };
            match scales[place].fit(number) {
                Some(scaled) => {
                    if let Some(factor) = scaled.grown {
                        builder.points.scale(place, factor);
                    }
                    values[place] = scaled.value;
                }
                None => {
                    warnings.add("range", || "values that leave 64 bits are left out".to_owned())
                }
            }
        }
        let mut labels = vec![];
        let (mut process, mut thread) = (None, None);
        for (place, column) in columns.iter().enumerate() {
            if is_rank(&column.name) {
                process = whole(place).map(|rank| builder.process(&rank.to_string()));
            } else if is_thread(&column.name) {
                thread = whole(place);
            } else if !column.is_value
                && Some(place) != path
                && let Some(node) = node(place).and_then(|node| nodes.get(node))
            {
                let key = builder.strings.intern(&column.name);
                let value = LabelValue::Text(builder.strings.intern(&node.label));
                labels.push(Label { key, value });
            }
        }
        let thread = match (process, thread) {
            (None, None) => None,
            (process, thread) => {
                let id = thread.map_or(String::new(), |thread| thread.to_string());
                Some(builder.thread(process, &id))
            }
        };
        let context = path.and_then(node).and_then(|node| contexts.get(node).copied());
        let context = context.unwrap_or(ContextId::ROOT);
        if values.iter().any(|&value| value != 0) {
            let labels = builder.labels.add(&labels);
            let point = Point { context, labels, thread, ..Point::default() };
            builder.points.push_point(point, &values);
        }
        options.check_memory(builder.heap_bytes())?;
    }
    for (metric, scale) in builder.metrics.iter_mut().zip(scales) {
        metric.decimals = scale.decimals;
    }
    Ok(builder.finish())
}

fn at(columns: &mut Vec<Column>, place: usize) -> &mut Column {
    if columns.len() <= place {
        columns.resize_with(place + 1, Column::default);
    }
    &mut columns[place]
}

fn is_rank(name: &str) -> bool {
    matches!(name, "mpi.rank" | "rank" | "mpi.world.rank")
}

fn is_thread(name: &str) -> bool {
    matches!(name, "pthread.id" | "omp.thread.id" | "omp.thread_id" | "thread")
}

fn metric(column: &Column) -> Metric {
    let name = column.name.as_str();
    let unit = match column.unit.as_str() {
        "sec" | "s" => "seconds",
        "usec" | "us" => "microseconds",
        "nsec" | "ns" => "nanoseconds",
        "" if name.ends_with("duration.ns") => "nanoseconds",
        "" if name.ends_with("time.duration") => "microseconds",
        "" if name.contains("bytes") || name.contains("alloc.") => "bytes",
        "" => "count",
        other => other,
    };
    Metric { name: name.to_owned(), unit: unit.to_owned(), decimals: 0, ..Metric::default() }
}
