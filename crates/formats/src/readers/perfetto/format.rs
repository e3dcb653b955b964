//! The format, and how its files are known.

use super::schema::packet;
use super::{read, write};
use crate::wire::{Fields, Payload};
use crate::{About, Format, Part, Reader, Sniff, Writer};

pub(crate) const FORMAT: Format = Format {
    name: "perfetto",
    title: "Perfetto trace (protobuf)",
    extensions: &["perfetto-trace", "pftrace", "perfetto"],
    about: About {
        carries: "track events: slices with arguments, categories and source places, instants, \
                  counters with units, flows; tracks with names, parents and order; the kernel's \
                  switches as spans of processors, wake-ups, frequencies, atrace's prints; stack \
                  samples of perf, of Chrome and of profilers with their weights; heap profiles; \
                  stages of GPUs; tracks called `processor 3` under \
                  nothing are processors",
        estimates: "times of several clocks are brought to one by the latest snapshot before them; \
                    what runs on a processor last is ended with the trace; figures of heap profiles \
                    are estimates by heapprofd",
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

/// Whether a packet tells what only packets do; none if it is not a packet.
fn packet_fields(bytes: &[u8]) -> Option<bool> {
    let mut fields = Fields::new(bytes);
    let mut is_told = false;
    loop {
        match fields.next().ok()? {
            None => return Some(is_told),
            Some((field, payload)) => {
                let is_integer = packet::use_of(field) == Some(packet::Use::Header);
                if is_integer != matches!(payload, Payload::Varint(_)) {
                    return None;
                }
                is_told |= match (field, payload) {
                    (packet::FTRACE_EVENTS, Payload::Bytes(bytes)) => is_bundle(bytes),
                    (packet::COMPRESSED_ZSTD, Payload::Bytes(bytes)) => {
                        bytes.starts_with(&ZSTD_MAGIC)
                    }
                    _ => matches!(
                        field,
                        packet::TIMESTAMP
                            | packet::SEQUENCE
                            | packet::TRACK_DESCRIPTOR
                            | packet::TRACK_EVENT
                            | packet::COMPRESSED
                    ),
                };
            }
        }
    }
}

/// The first bytes of a zstd frame.
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Whether a message is a bundle of the kernel's events: a processor, then events with a time and a thread.
fn is_bundle(bytes: &[u8]) -> bool {
    let mut fields = Fields::new(bytes);
    let Ok(Some((1, Payload::Varint(_)))) = fields.next() else { return false };
    let Ok(Some((2, Payload::Bytes(event)))) = fields.next() else { return false };
    let mut fields = Fields::new(event);
    matches!(fields.next(), Ok(Some((1, Payload::Varint(_)))))
        && matches!(fields.next(), Ok(Some((2, Payload::Varint(_)))))
}
