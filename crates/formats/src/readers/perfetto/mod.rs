//! Perfetto's own traces: a stream of packets of many writers, each of which numbers its strings and
//! refers to what it told before.

mod read;
mod schema;
mod write;

use crate::wire::{Fields, Payload};
use crate::{About, Format, Part, Reader, Sniff, Writer};
use schema::packet;

pub(crate) const FORMAT: Format = Format {
    name: "perfetto",
    title: "Perfetto trace (protobuf)",
    extensions: &["perfetto-trace", "pftrace", "perfetto"],
    about: About {
        carries: "track events: slices with arguments, categories and source places, instants, \
                  counters with units, flows; tracks with names, parents and order; the kernel's \
                  switches as spans of processors, wake-ups, frequencies, atrace's prints; samples \
                  of perf and of Chrome with their stacks; tracks called `processor 3` under \
                  nothing are processors",
        estimates: "times of several clocks are brought to one by the latest snapshot before them; \
                    slices without an end are ended with their track's last event, what runs on a \
                    processor last with the trace",
        skips: "other packets (counted by kind), other events of the kernel, messages as arguments",
        checked_against: "a decoder made of the format's published descriptors; what is \
                          written reads back the same",
    },
    reader: Some(Reader { sniff, read: read::read }),
    folder: None,
    writer: Some(Writer {
        carries: write::CARRIES,
        parts: &[Part { name: "", write: write::write }],
    }),
};

/// Packets follow each other, each with fields of the wire type that packets have there, and one
/// tells a time, a sequence or a track.
pub(crate) fn sniff(head: &[u8], _: &str) -> Sniff {
    let mut rest = head;
    let mut is_told = false;
    let mut packets = 0;
    loop {
        // Zeros that some writers leave between packets.
        while let [0, after @ ..] = rest
            && packets > 0
        {
            rest = after;
        }
        let mut fields = Fields::new(rest);
        match fields.next() {
            Ok(Some((1, Payload::Bytes(bytes)))) => match packet_fields(bytes) {
                Some(told) => is_told |= told,
                None => return Sniff::No,
            },
            Ok(None) => break,
            // What is looked at ends inside a packet.
            Err(_) if rest.first() == Some(&0x0a) => break,
            _ => return Sniff::No,
        }
        rest = &rest[fields.position()..];
        packets += 1;
    }
    if packets > 0 && is_told { Sniff::Yes } else { Sniff::No }
}

/// Whether a packet tells what only packets do; none if it is no packet.
fn packet_fields(bytes: &[u8]) -> Option<bool> {
    let mut fields = Fields::new(bytes);
    let mut is_told = false;
    loop {
        match fields.next().ok()? {
            None => return Some(is_told),
            Some((field, payload)) => {
                let is_integer = packet::INTEGERS.contains(&field);
                if is_integer != matches!(payload, Payload::Varint(_)) {
                    return None;
                }
                is_told |= matches!(
                    field,
                    packet::TIMESTAMP
                        | packet::SEQUENCE
                        | packet::TRACK_DESCRIPTOR
                        | packet::TRACK_EVENT
                        | packet::COMPRESSED
                );
            }
        }
    }
}
