//! Markers: instants become marks, what has a begin and an end intervals.

use std::collections::HashSet;

use hashbrown::HashMap;
use profile::{
    ContextId, Label, LabelSetId, LabelValue, LocationKind, Mark, Place, ProfileBuilder, StringId,
    TrackId,
};

use super::causes::Causes;
use super::frames::Stack;
use super::marker_table::{FieldValue, MarkerTable, Phase, Times};
use super::processed::text;
use super::samples::Categories;
use crate::json::Json;
use crate::time::intervals::Interval;
use crate::{ReadError, Warnings};

/// Which fields name texts by their place in the table of texts: type of the marker, and key.
#[derive(Debug, Default)]
pub(super) struct Schemas(HashSet<(StringId, StringId)>);

/// The type of markers that are spans of lanes, as they are written here.
pub(super) const ASYNCHRONOUS: &str = "AsyncSpan";

/// More of them are not looked at.
const MOST_TEXT_FIELDS: usize = 1 << 16;

impl Schemas {
    /// Reads the list at the cursor.
    pub(super) fn read(
        &mut self,
        json: &mut Json,
        builder: &mut ProfileBuilder,
    ) -> Result<(), ReadError> {
        if !json.try_array()? {
            return Ok(());
        }
        let mut keys = vec![];
        while json.next_element()? {
            if !json.try_object()? {
                continue;
            }
            keys.clear();
            let mut name = StringId::EMPTY;
            while let Some(key) = json.next_key()? {
                match key {
                    "name" => name = builder.strings.intern(&text(json)?),
                    // As the list of fields was called first.
                    "fields" | "data" => fields(json, builder, &mut keys)?,
                    _ => {}
                }
            }
            let left = MOST_TEXT_FIELDS.saturating_sub(self.0.len());
            self.0.extend(keys.iter().take(left).map(|&key| (name, key)));
        }
        Ok(())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The keys of fields that name texts.
fn fields(
    json: &mut Json,
    builder: &mut ProfileBuilder,
    keys: &mut Vec<StringId>,
) -> Result<(), ReadError> {
    if !json.try_array()? {
        return Ok(());
    }
    while json.next_element()? {
        if !json.try_object()? {
            continue;
        }
        let (mut key, mut format) = (StringId::EMPTY, String::new());
        while let Some(member) = json.next_key()? {
            match member {
                "key" => key = builder.strings.intern(&text(json)?),
                "format" => format = text(json)?,
                _ => {}
            }
        }
        let is_place =
            matches!(format.as_str(), "unique-string" | "flow-id" | "terminating-flow-id");
        if is_place && keys.len() < MOST_TEXT_FIELDS {
            keys.push(key);
        }
    }
    Ok(())
}

/// What is known around the markers of a thread.
pub(super) struct Around<'a> {
    pub(super) strings: &'a [StringId],
    pub(super) schemas: &'a Schemas,
    /// What is added to times, in nanoseconds.
    pub(super) offset: i64,
    /// Those that markers tell of are among them.
    pub(super) stacks: &'a [Stack],
    /// The time of the last sample of the thread.
    pub(super) last_sample: Option<i64>,
}

/// The markers of a thread.
#[derive(Default)]
pub(super) struct ThreadMarkers {
    pub(super) intervals: Vec<Interval>,
    /// Without their track.
    marks: Vec<Mark>,
}

impl ThreadMarkers {
    pub(super) fn is_empty(&self) -> bool {
        self.intervals.is_empty() && self.marks.is_empty()
    }

    /// The first and the last time.
    pub(super) fn extent(&self) -> Option<[i64; 2]> {
        let spans = self.intervals.iter();
        let spans = spans.map(|one| [one.begin, one.begin.saturating_add(one.length)]);
        let marks = self.marks.iter().map(|mark| [mark.time; 2]);
        spans.chain(marks).reduce(|[first, last], [begin, end]| [first.min(begin), last.max(end)])
    }

    /// Puts the instants onto a track.
    pub(super) fn push_marks(&self, track: TrackId, builder: &mut ProfileBuilder) {
        for &mark in &self.marks {
            builder.timeline.mark(Mark { track, ..mark });
        }
    }
}

/// A marker without its times.
struct Marker {
    name: StringId,
    group: StringId,
    is_asynchronous: bool,
    labels: LabelSetId,
    arguments: LabelSetId,
}

/// The markers so far.
#[derive(Default)]
struct Resolved {
    found: ThreadMarkers,
    /// Begins whose end did not come yet, by name, as places among the intervals.
    open: HashMap<StringId, Vec<usize>>,
    /// The last time.
    last: i64,
}

impl Resolved {
    fn push(
        &mut self,
        phase: Phase,
        [begin, end]: [i64; 2],
        marker: &Marker,
        builder: &mut ProfileBuilder,
        warnings: &mut Warnings,
    ) {
        let &Marker { name, group, is_asynchronous, labels, arguments } = marker;
        let intervals = &mut self.found.intervals;
        self.last = self.last.max(begin).max(end);
        match phase {
            Phase::Instant => {
                let fields = builder.labels.join(labels, arguments);
                self.found.marks.push(Mark { track: TrackId(0), time: begin, kind: name, fields });
            }
            Phase::Interval | Phase::Begin => {
                if phase == Phase::Begin {
                    self.open.entry(name).or_default().push(intervals.len());
                }
                let function = builder.strings.get(name).to_owned();
                let place =
                    Place { kind: LocationKind::Region, function: &function, ..Place::default() };
                intervals.push(Interval {
                    begin,
                    length: length(begin, end, warnings),
                    is_unfinished: false,
                    stack: ContextId::ROOT,
                    location: builder.place(&place),
                    group,
                    is_asynchronous,
                    labels,
                    arguments,
                });
            }
            Phase::End => match self.open.get_mut(&name).and_then(Vec::pop) {
                Some(place) => {
                    let interval = &mut intervals[place];
                    interval.length = length(interval.begin, end, warnings);
                    interval.arguments = builder.labels.join(interval.arguments, arguments);
                }
                None => {
                    warnings.add("never began", || "ends of markers that did not begin".to_owned())
                }
            },
        }
    }

    fn finish(mut self, warnings: &mut Warnings) -> ThreadMarkers {
        for place in self.open.into_values().flatten() {
            warnings.add("never ended", || {
                "markers never end: they are shown as unfinished, and their time is in no sum"
                    .to_owned()
            });
            let interval = &mut self.found.intervals[place];
            interval.is_unfinished = true;
            interval.length = self.last.saturating_sub(interval.begin).max(0);
        }
        self.found
    }
}

/// Marks and intervals of a table.
pub(super) fn resolve(
    table: &MarkerTable,
    around: &Around<'_>,
    categories: &mut Categories<'_>,
    builder: &mut ProfileBuilder,
    warnings: &mut Warnings,
) -> ThreadMarkers {
    let keys = ["type", "CompositorScreenshot", "interval", ASYNCHRONOUS];
    let [kind, screenshot, part, beside] = keys.map(|key| builder.strings.intern(key));
    let mut causes = Causes::new(around.stacks);
    let last = around.last_sample.unwrap_or(i64::MIN);
    let mut resolved = Resolved { last, ..Resolved::default() };
    if table.left_out > 0 {
        warnings.add_many("fields", table.left_out, || {
            "fields beyond 64 of one marker are left out".to_owned()
        });
    }
    for row in 0..table.len() {
        let value_of = |wanted: StringId| {
            let field = table.fields(row).iter().find(|field| field.key == wanted);
            field.map(|field| field.value)
        };
        let of_type = value_of(kind);
        if of_type == Some(FieldValue::Text(screenshot)) {
            warnings.add("screenshots", || "screenshots are not shown".to_owned());
            continue;
        }
        let is_asynchronous = of_type == Some(FieldValue::Text(beside));
        let is_part = |wanted: &str| match value_of(part) {
            Some(FieldValue::Text(text)) => builder.strings.get(text) == wanted,
            _ => false,
        };
        let Times { phase, begin, end } = table.times(row, is_part);
        let [begin, end] = [begin, end].map(|time| time.map(|t| t.saturating_add(around.offset)));
        let name = table.name(row).and_then(|name| around.strings.get(name)).copied();
        let name = name.filter(|&name| name != StringId::EMPTY);
        let name = name.unwrap_or_else(|| builder.strings.intern("(unnamed)"));
        let category = table.category(row);
        let labels = categories.label(category, builder);
        let cause = table.cause(row);
        let cause = cause.and_then(|stack| causes.text(stack, builder, warnings));
        let arguments = arguments(table, row, (of_type, cause), around, builder);
        let Some(times) = phase.ends(begin, end) else {
            warnings.add("untimed", || "markers without a time are left out".to_owned());
            continue;
        };
        let group = category.and_then(|category| categories.names.get(category)).copied();
        let group = group.filter(|&group| group != StringId::EMPTY).unwrap_or(name);
        let marker = Marker { name, group, is_asynchronous, labels, arguments };
        resolved.push(phase, times, &marker, builder, warnings);
    }
    resolved.finish(warnings)
}

fn length(begin: i64, end: i64, warnings: &mut Warnings) -> i64 {
    if end < begin {
        warnings.add("negative", || "markers that end before they begin last 0 here".to_owned());
    }
    end.saturating_sub(begin).max(0)
}

/// The fields of a marker, and the stack that it tells of. Those whose schema says so are places in the table
/// of texts.
fn arguments(
    table: &MarkerTable,
    row: usize,
    (of_type, cause): (Option<FieldValue>, Option<StringId>),
    around: &Around<'_>,
    builder: &mut ProfileBuilder,
) -> LabelSetId {
    let named = |key: StringId, number: i64| {
        let Some(FieldValue::Text(of_type)) = of_type else { return None };
        let is_place = around.schemas.0.contains(&(of_type, key));
        let place = usize::try_from(number).ok().filter(|_| is_place)?;
        around.strings.get(place).copied()
    };
    let mut labels: Vec<Label> = table
        .fields(row)
        .iter()
        .map(|field| {
            let value = match field.value {
                FieldValue::Text(text) => LabelValue::Text(text),
                FieldValue::Number(number) => match named(field.key, number) {
                    Some(text) => LabelValue::Text(text),
                    None => LabelValue::Number(number, StringId::EMPTY),
                },
            };
            Label { key: field.key, value }
        })
        .collect();
    if let Some(cause) = cause {
        let key = builder.strings.intern("stack");
        labels.push(Label { key, value: LabelValue::Text(cause) });
    }
    builder.labels.add(&labels)
}
