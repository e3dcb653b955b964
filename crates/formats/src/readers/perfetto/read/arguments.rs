//! Annotations of events as labels.

use profile::{Label, LabelSetId, LabelValue, ProfileBuilder, StringId};

use super::fields::{double, message, number, text_of};
use super::sequence::Tables;
use crate::Warnings;
use crate::readers::perfetto::schema::interned;
use crate::wire::{Fields, WireError};

/// More arguments of one event are left out.
const MOST: usize = 64;

/// Lists and dictionaries in each other; what is deeper is left out.
const DEEPEST: usize = 8;

/// What an annotation is, before the name of what it stands in.
#[derive(Clone, Copy)]
struct Annotation<'a> {
    bytes: &'a [u8],
    /// Row of the name of what it stands in, or none.
    inside: Option<usize>,
    /// Its place in a list.
    place: Option<usize>,
    depth: usize,
}

/// What the fields of an annotation say.
#[derive(Default)]
struct Content<'a> {
    name: Option<String>,
    value: Option<LabelValue>,
    /// Annotations in it, and whether those are of a list.
    inner: Vec<(&'a [u8], bool)>,
    is_nested: bool,
    left_out: u64,
}

impl<'a> Annotation<'a> {
    fn read(
        &self,
        tables: &Tables,
        builder: &mut ProfileBuilder,
    ) -> Result<Content<'a>, WireError> {
        let mut content = Content::default();
        let mut fields = Fields::new(self.bytes);
        while let Some((field, payload)) = fields.next()? {
            match field {
                1 => {
                    let known = tables.string(interned::ANNOTATION_NAMES, number(payload));
                    content.name = known.map(|id| builder.strings.get(id).to_owned());
                }
                10 => content.name = text_of(payload).map(Into::into),
                2 => {
                    let text = if number(payload) == 0 { "false" } else { "true" };
                    content.value = Some(text_label(builder, text));
                }
                3 => content.value = Some(unsigned(builder, number(payload))),
                4 => {
                    content.value =
                        Some(LabelValue::Number(number(payload) as i64, StringId::EMPTY))
                }
                5 => content.value = Some(text_label(builder, &double(payload).to_string())),
                6 | 9 => content.value = text_of(payload).map(|text| text_label(builder, &text)),
                7 => content.value = Some(text_label(builder, &format!("{:#x}", number(payload)))),
                17 => {
                    let known = tables.string(interned::ANNOTATION_STRINGS, number(payload));
                    content.value = Some(LabelValue::Text(known.unwrap_or_default()));
                }
                8 | 14 => content.left_out += 1,
                11 => content.inner.push((message(payload), false)),
                12 => content.inner.push((message(payload), true)),
                _ => continue,
            }
            content.is_nested |= matches!(field, 8 | 11 | 12 | 14);
        }
        Ok(content)
    }
}

/// All of an event's annotations. Those in dictionaries and lists are called by the way to them, as
/// `request.url` and `sizes[1]`.
pub(super) fn labels(
    annotations: &[&[u8]],
    tables: &Tables,
    builder: &mut ProfileBuilder,
    warnings: &mut Warnings,
) -> Result<LabelSetId, WireError> {
    if annotations.is_empty() {
        return Ok(LabelSetId(0));
    }
    let mut labels: Vec<Label> = vec![];
    let mut names: Vec<String> = vec![];
    let top = |&bytes| Annotation { bytes, inside: None, place: None, depth: 0 };
    let mut open: Vec<Annotation<'_>> = annotations.iter().rev().map(top).collect();
    let (mut left_out, mut too_many) = (0, 0);
    while let Some(annotation) = open.pop() {
        let Content { name, value, inner, is_nested, left_out: inside } =
            annotation.read(tables, builder)?;
        left_out += inside;
        let own = match (annotation.inside.and_then(|row| names.get(row)), annotation.place) {
            (Some(around), Some(place)) => format!("{around}[{place}]"),
            (Some(around), None) => format!("{around}.{}", name.unwrap_or_default()),
            (None, _) => name.unwrap_or_default(),
        };
        if let Some(value) = value {
            if labels.len() < MOST {
                let key = builder.strings.intern(&own);
                labels.push(Label { key, value });
            } else {
                too_many += 1;
            }
        } else if !is_nested {
            left_out += 1;
        }
        if inner.is_empty() {
            continue;
        }
        if annotation.depth >= DEEPEST || names.len() >= MOST || inner.len() > MOST {
            left_out += inner.len() as u64;
            continue;
        }
        names.push(own);
        let inside = Some(names.len() - 1);
        let depth = annotation.depth + 1;
        let rows = inner.into_iter().enumerate().rev();
        open.extend(rows.map(|(row, (bytes, is_list))| Annotation {
            bytes,
            inside,
            place: is_list.then_some(row),
            depth,
        }));
    }
    if left_out > 0 {
        warnings.add_many("messages", left_out, || {
            "arguments that are messages, empty, or many in one are left out".to_owned()
        });
    }
    if too_many > 0 {
        warnings.add_many("arguments", too_many, || {
            "arguments beyond 64 of one event are left out".to_owned()
        });
    }
    Ok(builder.labels.add(&labels))
}

fn text_label(builder: &mut ProfileBuilder, text: &str) -> LabelValue {
    LabelValue::Text(builder.strings.intern(text))
}

fn unsigned(builder: &mut ProfileBuilder, value: u64) -> LabelValue {
    match i64::try_from(value) {
        Ok(value) => LabelValue::Number(value, StringId::EMPTY),
        Err(_) => text_label(builder, &value.to_string()),
    }
}
