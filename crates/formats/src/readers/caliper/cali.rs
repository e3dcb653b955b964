//! `.cali` files: a line a record, `__rec=kind,key=value,…`, where `=` also parts the values.
//!
//! ```text
//! __rec=node,id=19,attr=10,data=268,parent=3       properties of an attribute: nested, a text
//! __rec=node,id=20,attr=8,data=function,parent=19  the attribute `function`
//! __rec=node,id=155,attr=20,data=main              function=main
//! __rec=ctx,ref=155,attr=97=111,data=0.2=0.5       values there
//! ```

use hashbrown::HashMap;
use profile::{
    ContextId, Label, LabelValue, LocationKind, MetricId, Place, Point, Points, Profile,
    ProfileBuilder,
};

use super::FORMAT;
use super::attributes::{Attribute, Metrics, is_label, is_rank, is_thread};
use crate::graph::inclusive::{Outside, make_exclusive};
use crate::input::stream::Stream;
use crate::numbers::decimal::Decimal;
use crate::numbers::scale::Scale;
use crate::text::lines::Lines;
use crate::{ReadError, ReadOptions, Warnings};

/// How many bytes tell.
pub(super) const HEAD: usize = 6;

pub(super) fn is_cali(head: &[u8]) -> bool {
    head.starts_with(b"__rec=")
}

/// Attributes and properties that every file knows without saying so.
const NAME: u64 = 8;
const PROPERTIES: u64 = 10;

/// The property of attributes whose nodes make the path.
const NESTED: u64 = 256;

/// A node of the file's tree.
struct Node {
    attribute: u64,
    data: String,
    parent: Option<u64>,
    /// Where it stands in the tree of contexts; its parent's place where it is not a part of a path.
    context: ContextId,
}

/// A value of a record, until all attributes are known.
struct Cell {
    attribute: u64,
    value: Decimal,
}

/// A record.
struct Row {
    context: ContextId,
    cells: std::ops::Range<usize>,
    labels: Vec<Label>,
    process: Option<i64>,
    thread: Option<i64>,
}

#[derive(Default)]
struct CaliParser {
    builder: ProfileBuilder,
    nodes: HashMap<u64, Node>,
    cells: Vec<Cell>,
    rows: Vec<Row>,
    /// Attributes with numbers, in the order in which they came up.
    columns: Vec<u64>,
}

pub(super) fn read(
    stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let mut lines = Lines::new(stream, FORMAT.name)?;
    let mut reading = CaliParser::default();
    let mut fields = vec![];
    while let Some(line) = lines.next_line()? {
        if line.text.is_empty() {
            continue;
        }
        fields.clear();
        split(line.text, &mut fields);
        let sound = match fields.first() {
            Some(Field { key, values }) if key == "__rec" => {
                match values.first().map(String::as_str) {
                    Some("node") => reading.node(&fields),
                    Some("ctx") => reading.record(&fields, warnings),
                    Some("globals") => reading.globals(&fields),
                    _ => None,
                }
            }
            _ => None,
        };
        if sound.is_none() {
            warnings.add("record", || {
                let start: String = line.text.chars().take(40).collect();
                format!("line {} at {} is skipped: {start}", line.number, line.place)
            });
        }
        if line.number.is_multiple_of(1024) {
            let held =
                reading.nodes.len() * 128 + reading.cells.len() * 24 + reading.rows.len() * 96;
            options.check_memory(reading.builder.heap_bytes() + held)?;
        }
    }
    lines.check_skipped(warnings, &["record"])?;
    reading.finish(options, warnings)
}

struct Field {
    key: String,
    values: Vec<String>,
}

/// Splits `key=value=value,key=value`; a backslash protects what follows.
fn split(text: &str, fields: &mut Vec<Field>) {
    let mut word = String::new();
    let mut words = vec![];
    let mut characters = text.chars();
    loop {
        match characters.next() {
            Some('\\') => word.push(match characters.next() {
                Some('n') => '\n',
                other => other.unwrap_or('\\'),
            }),
            Some('=') => words.push(std::mem::take(&mut word)),
            end @ (Some(',') | None) => {
                words.push(std::mem::take(&mut word));
                let mut words = std::mem::take(&mut words).into_iter();
                let key = words.next().unwrap_or_default();
                fields.push(Field { key, values: words.collect() });
                if end.is_none() {
                    return;
                }
            }
            Some(other) => word.push(other),
        }
    }
}

fn values<'f>(fields: &'f [Field], key: &str) -> &'f [String] {
    fields.iter().find(|field| field.key == key).map_or(&[], |field| &field.values)
}

fn number(fields: &[Field], key: &str) -> Option<u64> {
    values(fields, key).first()?.parse().ok()
}

impl CaliParser {
    fn node(&mut self, fields: &[Field]) -> Option<()> {
        let (id, attribute) = (number(fields, "id")?, number(fields, "attr")?);
        let data = values(fields, "data").first()?.clone();
        let parent = number(fields, "parent");
        let above = parent.and_then(|parent| self.nodes.get(&parent));
        let mut context = above.map_or(ContextId::ROOT, |node| node.context);
        if self.is_nested(attribute) {
            let place = Place { kind: LocationKind::Region, function: &data, ..Place::default() };
            let location = self.builder.place(&place);
            context = self.builder.contexts.child(context, location);
        }
        self.nodes.insert(id, Node { attribute, data, parent, context });
        Some(())
    }

    /// Whether an attribute makes the path: its properties stand above its name.
    fn is_nested(&self, attribute: u64) -> bool {
        let mut at = Some(attribute);
        // Two or three steps; more are a circle.
        for _ in 0..8 {
            let Some(node) = at.and_then(|id| self.nodes.get(&id)) else { break };
            if node.attribute == PROPERTIES {
                return node.data.parse().is_ok_and(|properties: u64| properties & NESTED != 0);
            }
            at = node.parent;
        }
        false
    }

    fn name(&self, attribute: u64) -> Option<&str> {
        self.nodes.get(&attribute).filter(|node| node.attribute == NAME).map(|node| &*node.data)
    }

    /// What the nodes of a record say besides its path, nearest first.
    fn described(&self, fields: &[Field]) -> (ContextId, Vec<(String, String)>) {
        const MOST_STEPS: usize = 10_000;
        let mut context = ContextId::ROOT;
        let mut described = vec![];
        for id in values(fields, "ref").iter().filter_map(|id| id.parse::<u64>().ok()) {
            let mut at = self.nodes.get(&id);
            let found = at.map_or(ContextId::ROOT, |node| node.context);
            if found != ContextId::ROOT {
                context = found;
            }
            for _ in 0..MOST_STEPS {
                let Some(node) = at else { break };
                if !self.is_nested(node.attribute)
                    && let Some(name) = self.name(node.attribute)
                {
                    described.push((name.to_owned(), node.data.clone()));
                }
                at = node.parent.and_then(|parent| self.nodes.get(&parent));
            }
        }
        (context, described)
    }

    fn record(&mut self, fields: &[Field], warnings: &mut Warnings) -> Option<()> {
        let (context, described) = self.described(fields);
        let start = self.cells.len();
        let mut row =
            Row { context, cells: start..start, labels: vec![], process: None, thread: None };
        let mut texts = described;
        let (attributes, data) = (values(fields, "attr"), values(fields, "data"));
        if attributes.len() != data.len() {
            warnings.add("values", || "a record has not one value an attribute".to_owned());
        }
        for (attribute, value) in attributes.iter().zip(data) {
            let attribute = attribute.parse().ok()?;
            let name = self.name(attribute)?.to_owned();
            match Decimal::parse(value.as_bytes()) {
                Some(value) if !is_rank(&name) && !is_thread(&name) && !is_label(&name) => {
                    if !self.columns.contains(&attribute) {
                        self.columns.push(attribute);
                    }
                    self.cells.push(Cell { attribute, value });
                }
                _ => texts.push((name, value.clone())),
            }
        }
        for (name, value) in texts {
            if is_rank(&name) {
                row.process = value.parse().ok();
            } else if is_thread(&name) {
                row.thread = value.parse().ok();
            } else if !name.starts_with("cali.") {
                let strings = &mut self.builder.strings;
                let value = LabelValue::Text(strings.intern(&value));
                row.labels.push(Label { key: strings.intern(&name), value });
            }
        }
        row.cells.end = self.cells.len();
        self.rows.push(row);
        Some(())
    }

    /// What holds for the whole run.
    fn globals(&mut self, fields: &[Field]) -> Option<()> {
        const MOST_NOTES: usize = 100;
        let (_, mut described) = self.described(fields);
        for (attribute, value) in values(fields, "attr").iter().zip(values(fields, "data")) {
            let name = attribute.parse().ok().and_then(|attribute| self.name(attribute));
            described.push((name.unwrap_or(attribute).to_owned(), value.clone()));
        }
        for (name, value) in described.into_iter().rev() {
            let comments = &mut self.builder.origin.comments;
            if comments.len() < MOST_NOTES {
                comments.push(format!("{name}: {value}"));
            }
        }
        Some(())
    }

    fn finish(self, options: &ReadOptions, warnings: &mut Warnings) -> Result<Profile, ReadError> {
        let names: HashMap<u64, String> = (self.columns.iter())
            .map(|&column| (column, self.name(column).unwrap_or_default().to_owned()))
            .collect();
        let mut builder = self.builder;
        let attributes: Vec<Attribute> = (self.columns.iter())
            .map(|id| {
                let name = names[id].clone();
                // Means are decimals whatever they are of.
                let base = name.strip_prefix("avg#");
                let is_of_other = base.is_some_and(|base| {
                    let ends = |name: &String| name.ends_with(base) && !name.starts_with("avg#");
                    names.values().any(ends)
                });
                Attribute { unit: unit_of(&self.nodes, *id, &name, !is_of_other), name }
            })
            .collect();
        let metrics = Metrics::new(&attributes);
        let places: HashMap<u64, usize> = (self.columns.iter().zip(&metrics.rows))
            .filter_map(|(&column, &row)| Some((column, row?)))
            .collect();
        builder.origin.default_metric = MetricId(metrics.default_row() as u32);
        builder.metrics.clone_from(&metrics.metrics);
        builder.points = Points::new(metrics.metrics.len());
        let mut scales = vec![Scale::up_to(9); metrics.metrics.len()];
        let mut row_values = vec![0; metrics.metrics.len()];
        for row in self.rows {
            row_values.fill(0);
            for cell in &self.cells[row.cells] {
                let Some(&place) = places.get(&cell.attribute) else { continue };
                match scales[place].fit(cell.value, warnings) {
                    Some(scaled) => {
                        if let Some(factor) = scaled.grown {
                            builder.points.scale(MetricId(place as u32), factor);
                        }
                        row_values[place] = scaled.value;
                    }
                    None => warnings
                        .add("range", || "values that leave 64 bits are left out".to_owned()),
                }
            }
            let process = row.process.map(|rank| builder.process(&rank.to_string()));
            let thread = match (process, row.thread) {
                (None, None) => None,
                (process, thread) => {
                    let id = thread.map_or(String::new(), |thread| thread.to_string());
                    Some(builder.thread(process, &id))
                }
            };
            if row_values.iter().any(|&value| value != 0) {
                let labels = builder.labels.add(&row.labels);
                let point = Point { context: row.context, labels, thread, ..Point::default() };
                builder.points.push_point(point, &row_values);
            }
            options.check_memory(builder.heap_bytes())?;
        }
        for (metric, scale) in builder.metrics.iter_mut().zip(scales) {
            metric.decimals = scale.decimals;
        }
        FORMAT.name.clone_into(&mut builder.origin.format);
        "Caliper".clone_into(&mut builder.origin.producer);
        let mut profile = builder.finish();
        make_exclusive(&mut profile, &metrics.inclusive, Outside::IsApart, warnings);
        Ok(profile)
    }
}

/// The unit of an attribute, as its nodes say. Old files do not: there times are seconds where
/// they are not whole numbers.
fn unit_of(
    nodes: &HashMap<u64, Node>,
    attribute: u64,
    name: &str,
    may_judge_by_type: bool,
) -> String {
    /// The node of the type of numbers with decimals.
    const DOUBLE: u64 = 5;
    let mut at = nodes.get(&attribute);
    for _ in 0..8 {
        let Some(node) = at else { break };
        let about = nodes.get(&node.attribute).map_or("", |node| &*node.data);
        if matches!(about, "time.unit" | "attribute.unit") {
            return node.data.clone();
        }
        if may_judge_by_type && node.parent == Some(DOUBLE) && name.ends_with("time.duration") {
            return "sec".to_owned();
        }
        at = node.parent.and_then(|parent| nodes.get(&parent));
    }
    String::new()
}
