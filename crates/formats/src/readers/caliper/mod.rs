//! Caliper: its own `.cali` files, and the split JSON (`json-split`) that cali-query makes of them,
//! a table of records whose columns are values or nodes of a tree.

mod attributes;
mod cali;

use hashbrown::HashMap;
use profile::{
    ContextId, Label, LabelValue, LocationKind, Place, Point, Points, Profile, ProfileBuilder,
    StringId,
};

use crate::decimal::Decimal;
use crate::inclusive::make_exclusive;
use crate::json::outline::Outline;
use crate::json::{Json, Kind};
use crate::parents::{self, NONE};
use crate::scale::Scale;
use crate::stream::Stream;
use crate::{About, Format, ReadError, ReadOptions, Reader, Sniff, Warnings};
use attributes::{Attribute, Metrics, is_label, is_rank, is_thread};

pub(crate) const FORMAT: Format = Format {
    name: "caliper",
    title: "Caliper (.cali and split JSON)",
    extensions: &["cali"],
    about: About {
        carries: "every value, call paths or else regions by path, ranks and threads, other \
                  attributes as labels",
        estimates: "own values where there are inclusive ones only, as differences",
        skips: "inclusive values beside exclusive ones",
        checked_against: "sums and counts of the records by an independent script",
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

/// What stands in a row of the table: a value, or the number of a node.
#[derive(Debug, Clone, Copy)]
enum Cell {
    None,
    Number(Decimal),
    Text(StringId),
}

impl Cell {
    fn number(self) -> Option<Decimal> {
        if let Cell::Number(number) = self { Some(number) } else { None }
    }

    fn is_text(self) -> bool {
        matches!(self, Cell::Text(_))
    }
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
    let mut cells: Vec<Cell> = vec![];
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
                        cells.push(match json.kind()? {
                            Kind::String => {
                                let text = json.string()?;
                                match Decimal::parse(text.as_bytes()) {
                                    Some(number) => Cell::Number(number),
                                    None => Cell::Text(builder.strings.intern(text)),
                                }
                            }
                            _ => json.any_number()?.map_or(Cell::None, Cell::Number),
                        });
                    }
                    ends.push(cells.len());
                    let held = cells.capacity() * size_of::<Cell>() + ends.capacity() * 8;
                    options.check_memory(held + builder.heap_bytes())?;
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

    let cells_end = cells.len();
    let rows = || {
        let starts = std::iter::once(0).chain(ends.iter().copied());
        starts.zip(ends.iter().copied()).map(|(start, end)| &cells[start..end.min(cells_end)])
    };
    // Columns with numbers that measure something.
    let mut has_numbers = vec![false; columns.len()];
    for row in rows() {
        for (has, cell) in has_numbers.iter_mut().zip(row) {
            *has |= matches!(cell, Cell::Number(_));
        }
    }
    let is_metric = |row: usize| {
        let Column { name, is_value, .. } = &columns[row];
        *is_value && has_numbers[row] && !is_rank(name) && !is_thread(name) && !is_label(name)
    };
    let measured: Vec<usize> = (0..columns.len()).filter(|&row| is_metric(row)).collect();
    let attribute = |&row: &usize| Attribute {
        name: columns[row].name.clone(),
        unit: columns[row].unit.clone(),
    };
    let metrics = Metrics::of(&measured.iter().map(attribute).collect::<Vec<_>>());
    builder.origin.default_metric = metrics.default_row();
    builder.metrics.clone_from(&metrics.metrics);
    builder.points = Points::new(metrics.metrics.len());
    let mut scales = vec![Scale::up_to(9); metrics.metrics.len()];
    let place_of: HashMap<usize, usize> = (measured.iter().zip(&metrics.rows))
        .filter_map(|(&column, &row)| Some((column, row?)))
        .collect();

    let path = path_column(&columns, &nodes);
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
    let mut values = vec![0; metrics.metrics.len()];
    for row in rows() {
        let whole = |column: usize| row.get(column).and_then(|cell| cell.number()?.to_whole());
        let node = |column: usize| whole(column).and_then(|node| usize::try_from(node).ok());
        values.fill(0);
        let mut labels = vec![];
        let (mut process, mut thread) = (None, None);
        for (column, &cell) in row.iter().enumerate() {
            let Some(about) = columns.get(column) else { continue };
            if let Some(&place) = place_of.get(&column)
                && let Some(number) = cell.number()
            {
                match scales[place].fit(number, warnings) {
                    Some(scaled) => {
                        if let Some(factor) = scaled.grown {
                            builder.points.scale(place, factor);
                        }
                        values[place] = scaled.value;
                    }
                    None => warnings
                        .add("range", || "values that leave 64 bits are left out".to_owned()),
                }
            } else if is_rank(&about.name) {
                process = whole(column).map(|rank| builder.process(&rank.to_string()));
            } else if is_thread(&about.name) {
                thread = whole(column);
            } else if Some(column) != path && !measured.contains(&column) || cell.is_text() {
                let value = match cell {
                    Cell::Text(text) => Some(LabelValue::Text(text)),
                    Cell::Number(_) if !about.is_value => {
                        let node = node(column).and_then(|node| nodes.get(node));
                        node.map(|node| LabelValue::Text(builder.strings.intern(&node.label)))
                    }
                    Cell::Number(number) => {
                        number.to_whole().map(|number| LabelValue::Number(number, StringId::EMPTY))
                    }
                    Cell::None => None,
                };
                let key = builder.strings.intern(&about.name);
                labels.extend(value.map(|value| Label { key, value }));
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
    let mut profile = builder.finish();
    make_exclusive(&mut profile, &metrics.inclusive, warnings);
    Ok(profile)
}

/// The column whose nodes are the contexts: call paths, or else regions, or else whichever has the
/// most nodes.
fn path_column(columns: &[Column], nodes: &[Node]) -> Option<usize> {
    const PATHS: [&str; 2] = ["source.function#callpath.address", "path"];
    let with_nodes = |row: &usize| !columns[*row].is_value;
    let named =
        |name: &str| (0..columns.len()).filter(with_nodes).find(|&row| columns[row].name == name);
    let count = |row: &usize| {
        let nodes = nodes.iter().filter(|node| node.column == columns[*row].name).count();
        (nodes, std::cmp::Reverse(*row))
    };
    let largest = || (0..columns.len()).filter(with_nodes).max_by_key(count);
    PATHS.into_iter().find_map(named).or_else(largest)
}

fn at(columns: &mut Vec<Column>, place: usize) -> &mut Column {
    if columns.len() <= place {
        columns.resize_with(place + 1, Column::default);
    }
    &mut columns[place]
}
