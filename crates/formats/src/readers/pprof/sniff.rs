//! Recognising a message without a magic number: its first fields must all be ones that
//! `profile.proto` has, with the right wire types, and so must the fields inside them.

use crate::Sniff;
use crate::wire::{Fields, Payload, varint};

/// What a field may look like.
#[derive(Clone, Copy, PartialEq)]
enum Shape {
    Integer,
    /// Integers, packed or not.
    Integers,
    Text,
    Message(&'static [Shape]),
}

use Shape::{Integer, Integers, Message, Text};

const VALUE_TYPE: &[Shape] = &[Integer, Integer];
const LABEL: &[Shape] = &[Integer, Integer, Integer, Integer];
const SAMPLE: &[Shape] = &[Integers, Integers, Message(LABEL)];
const MAPPING: &[Shape] = &[Integer; 10];
const LINE: &[Shape] = &[Integer, Integer, Integer];
const LOCATION: &[Shape] = &[Integer, Integer, Integer, Message(LINE), Integer];
const FUNCTION: &[Shape] = &[Integer; 5];
const PROFILE: &[Shape] = &[
    Message(VALUE_TYPE),
    Message(SAMPLE),
    Message(MAPPING),
    Message(LOCATION),
    Message(FUNCTION),
    Text,
    Integer,
    Integer,
    Integer,
    Integer,
    Message(VALUE_TYPE),
    Integer,
    Integers,
    Integer,
    Integer,
];

/// Fields looked at.
const ENOUGH: usize = 64;

pub(super) fn sniff(head: &[u8], file_name: &str) -> Sniff {
    let others = [crate::readers::ezview::sniff, crate::readers::perfetto::sniff];
    if others.into_iter().any(|sniff| sniff(head, file_name) == Sniff::Yes) {
        return Sniff::No;
    }
    let named = super::FORMAT.extensions.iter().any(|e| file_name.ends_with(&format!(".{e}")));
    let mut position = 0;
    let mut known = 0;
    while position < head.len() && known < ENOUGH {
        let mut next = position;
        let Some(tag) = varint(head, &mut next) else { break };
        let shape = (tag >> 3).checked_sub(1).and_then(|field| PROFILE.get(field as usize));
        let Some(shape) = shape else {
            // A later version's field may follow known ones.
            match (known, Fields::new(&head[position..]).skip()) {
                (0, _) => return Sniff::No,
                (_, Some(len)) => position += len,
                (_, None) => break,
            }
            continue;
        };
        match (tag & 7, *shape) {
            (0, Integer | Integers) => {
                if varint(head, &mut next).is_none() {
                    break;
                }
            }
            (2, Text | Integers | Message(_)) => {
                let Some(len) = varint(head, &mut next) else { break };
                let rest = &head[next.min(head.len())..];
                match usize::try_from(len).ok().and_then(|len| rest.get(..len)) {
                    Some(payload) if fits(payload, *shape) => next += payload.len(),
                    Some(_) => return Sniff::No,
                    // Reaches past what is shown: a large string, or the end of a cut file.
                    None => break,
                }
            }
            _ => return Sniff::No,
        }
        known += 1;
        position = next;
    }
    match known {
        0 if named => Sniff::Maybe,
        0 => Sniff::No,
        1..3 if !named => Sniff::Maybe,
        _ => Sniff::Yes,
    }
}

fn fits(payload: &[u8], shape: Shape) -> bool {
    let Message(fields) = shape else { return true };
    let mut walk = Fields::new(payload);
    loop {
        match walk.next() {
            Ok(None) => return true,
            Err(_) => return false,
            Ok(Some((number, payload))) => {
                let Some(&shape) = fields.get(number as usize - 1) else { continue };
                let sound = match payload {
                    Payload::Varint(_) => matches!(shape, Integer | Integers),
                    Payload::Bytes(bytes) => shape != Integer && fits(bytes, shape),
                    Payload::Fixed32(_) | Payload::Fixed64(_) => false,
                };
                if !sound {
                    return false;
                }
            }
        }
    }
}
