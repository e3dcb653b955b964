//! A trace, packet by packet.

use std::io::Read as _;

use hashbrown::HashMap;
use profile::{LocationId, Profile, ProfileBuilder, StringId};

use super::clocks::{ClockSnapshot, Clocks, MONOTONIC};
use super::fields::{message, number, text_of};
use super::ftrace::Kernel;
use super::gpu::Specifications;
use super::heap::Heaps;
use super::lines::{Key, Lines};
use super::samples::Sample;
use super::sequence::Sequence;
use super::weights::Weights;
use crate::input::stream::Stream;
use crate::readers::perfetto::FORMAT;
use crate::readers::perfetto::schema::packet;
use crate::wire::{Fields, WireError, next_field};
use crate::{Place, ReadError, ReadOptions, Warnings};

pub(in crate::readers::perfetto) fn read(
    mut stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let mut trace = Trace::default();
    let mut packets = 0u64;
    loop {
        let place = stream.place();
        if packets > 0 && stream.peek(1)?.first() == Some(&0) {
            warnings.add("zeros", || "zero bytes between packets are stepped over".to_owned());
            stream.consume(1);
            continue;
        }
        let next = match next_field(&mut stream, FORMAT.name) {
            Err(ReadError::Truncated { .. }) if packets > 0 => {
                cut(place, warnings);
                break;
            }
            next => next?,
        };
        let Some((field, wire, start, len)) = next else { break };
        let total = start.saturating_add(len);
        let bytes = stream.peek(total)?;
        if bytes.len() < total {
            if packets == 0 {
                return Err(ReadError::Truncated {
                    format: FORMAT.name,
                    place: Place(place.0 + bytes.len() as u64),
                    reason: format!("in field {field} at {place}"),
                });
            }
            cut(place, warnings);
            break;
        }
        if (field, wire) == (1, 2) {
            trace.packet(&bytes[start..total], true, options, warnings)?;
        } else {
            warnings.add("fields", || "fields between packets are not known".to_owned());
        }
        stream.consume(total);
        packets += 1;
        if packets.is_multiple_of(256) || len > 1 << 16 {
            options.check_memory(trace.heap_bytes())?;
        }
    }
    options.check_memory(trace.heap_bytes())?;
    Ok(trace.finish(warnings))
}

fn cut(place: Place, warnings: &mut Warnings) {
    warnings.add("cut", || format!("the file ends inside the packet at {place}"));
}

/// What is collected of a trace.
#[derive(Default)]
pub(super) struct Trace {
    pub(super) builder: ProfileBuilder,
    pub(super) clocks: Clocks,
    pub(super) sequences: HashMap<u32, Sequence>,
    pub(super) lines: Lines,
    pub(super) kernel: Kernel,
    pub(super) samples: Vec<Sample>,
    pub(super) weights: Weights,
    pub(super) heaps: Heaps,
    pub(super) gpu: Specifications,
    /// Locations by name, file and line.
    pub(super) places: HashMap<(StringId, StringId, u32), LocationId>,
    /// Values of counters that are not finite numbers.
    pub(super) not_finite: u64,
}

/// What a packet says besides what happened.
#[derive(Default, Clone, Copy)]
pub(super) struct Packet<'a> {
    time: Option<u64>,
    clock: Option<u32>,
    pub(super) sequence: u32,
    flags: u64,
    is_dropped: bool,
    defaults: Option<&'a [u8]>,
}

/// Packets as one, and how they are packed.
#[derive(Clone, Copy)]
enum Packed<'a> {
    Deflate(&'a [u8]),
    Zstd(&'a [u8]),
}

/// Flags of a packet.
const STATE_IS_CLEARED: u64 = 1;

const STATE_IS_NEEDED: u64 = 2;

impl Trace {
    fn heap_bytes(&self) -> usize {
        let sequences = self.sequences.values();
        self.builder.heap_bytes()
            + self.lines.heap_bytes()
            + self.kernel.heap_bytes()
            + self.samples.capacity() * size_of::<Sample>()
            + self.weights.heap_bytes()
            + self.heaps.heap_bytes()
            + self.gpu.heap_bytes()
            + self.places.capacity() * 24
            + self.clocks.pairs * 24
            + sequences.map(|sequence| 400 + sequence.heap_bytes()).sum::<usize>()
    }

    /// Takes a packet. One that is damaged is left out from where it is.
    fn packet(
        &mut self,
        bytes: &[u8],
        is_outer: bool,
        options: &ReadOptions,
        warnings: &mut Warnings,
    ) -> Result<(), ReadError> {
        match self.try_packet(bytes, warnings) {
            Ok(None) => Ok(()),
            Ok(Some(packed)) if is_outer => self.packed(packed, options, warnings),
            Ok(Some(_)) => {
                warnings.add("packed", || "packed packets in packed packets".to_owned());
                Ok(())
            }
            Err(_) => {
                warnings.add("damaged", || "packets that are damaged".to_owned());
                Ok(())
            }
        }
    }

    /// Packets that are packed as one.
    fn packed(
        &mut self,
        packed: Packed<'_>,
        options: &ReadOptions,
        warnings: &mut Warnings,
    ) -> Result<(), ReadError> {
        /// Packers work on some hundred kilobytes at a time.
        const MOST_BYTES: u64 = 256 << 20;
        let mut bytes = vec![];
        let unpacked = match packed {
            Packed::Deflate(packed) => {
                flate2::read::ZlibDecoder::new(packed).take(MOST_BYTES).read_to_end(&mut bytes)
            }
            Packed::Zstd(packed) => ruzstd::decoding::StreamingDecoder::new(packed)
                .map_err(|error| std::io::Error::other(error.to_string()))
                .and_then(|decoder| decoder.take(MOST_BYTES).read_to_end(&mut bytes)),
        };
        if unpacked.is_err() || bytes.len() as u64 == MOST_BYTES {
            warnings.add("unpack", || "packed packets that cannot be unpacked whole".to_owned());
        }
        options.check_memory(self.heap_bytes() + bytes.capacity())?;
        let mut fields = Fields::new(&bytes);
        loop {
            match fields.next() {
                Ok(Some((1, payload))) => {
                    self.packet(message(payload), false, options, warnings)?
                }
                Ok(Some(_)) => {}
                Ok(None) => return options.check_memory(self.heap_bytes() + bytes.capacity()),
                Err(_) => {
                    warnings.add("damaged", || "packets that are damaged".to_owned());
                    return Ok(());
                }
            }
        }
    }

    /// What happened, as the packet tells it; packed packets are given back.
    fn try_packet<'a>(
        &mut self,
        bytes: &'a [u8],
        warnings: &mut Warnings,
    ) -> Result<Option<Packed<'a>>, WireError> {
        let mut packet = Packet::default();
        let (mut data, mut interned) = (vec![], vec![]);
        let mut fields = Fields::new(bytes);
        while let Some((field, payload)) = fields.next()? {
            match field {
                packet::TIMESTAMP => packet.time = Some(number(payload)),
                packet::CLOCK => packet.clock = Some(number(payload) as u32),
                packet::SEQUENCE => packet.sequence = number(payload) as u32,
                packet::SEQUENCE_FLAGS => packet.flags |= number(payload),
                packet::STATE_CLEARED => {
                    packet.flags |= if number(payload) == 0 { 0 } else { STATE_IS_CLEARED };
                }
                packet::PREVIOUS_DROPPED => packet.is_dropped = number(payload) != 0,
                packet::INTERNED_DATA => interned.push(message(payload)),
                packet::DEFAULTS => packet.defaults = Some(message(payload)),
                _ => match packet::use_of(field) {
                    Some(packet::Use::Header | packet::Use::Aside) => {}
                    _ => data.push((field, message(payload))),
                },
            }
        }
        let sequence = self.sequences.entry(packet.sequence).or_default();
        if packet.flags & STATE_IS_CLEARED != 0 {
            sequence.clear();
        } else if packet.is_dropped {
            sequence.is_lost = true;
            warnings.add("dropped", || "times that packets before were lost".to_owned());
        }
        for bytes in interned {
            sequence.tables.read(bytes, &mut self.builder)?;
        }
        if let Some(defaults) = packet.defaults {
            sequence.read_defaults(defaults, &mut self.builder)?;
        }
        if sequence.is_lost && packet.flags & STATE_IS_NEEDED != 0 {
            warnings.add("needed", || "packets that build on lost ones are left out".to_owned());
            return Ok(None);
        }
        let mut packed = None;
        for (field, bytes) in data {
            match field {
                packet::TRACK_EVENT => self.track_event(&packet, bytes, warnings)?,
                packet::TRACK_DESCRIPTOR => self.lines.descriptor(bytes, &mut self.builder)?,
                packet::PROCESS_DESCRIPTOR => {
                    self.lines.process(bytes, &mut self.builder)?;
                }
                packet::THREAD_DESCRIPTOR => self.thread_descriptor(packet.sequence, bytes)?,
                packet::PROCESS_TREE => self.process_tree(bytes)?,
                packet::CLOCK_SNAPSHOT => self.clock_snapshot(packet.sequence, bytes, warnings)?,
                packet::FTRACE_EVENTS => self.ftrace(bytes, warnings)?,
                packet::PERF_SAMPLE => self.perf_sample(&packet, bytes, warnings)?,
                packet::STREAMING_PROFILE => self.streaming_profile(&packet, bytes, warnings)?,
                packet::STACK_SAMPLE => self.stack_sample(&packet, bytes, warnings)?,
                packet::HEAP_PROFILE => self.heap_profile(&packet, bytes, warnings)?,
                packet::GPU_STAGE => self.gpu_stage(&packet, bytes, warnings)?,
                packet::COMPRESSED => packed = Some(Packed::Deflate(bytes)),
                packet::COMPRESSED_ZSTD => packed = Some(Packed::Zstd(bytes)),
                other => {
                    let kind = match packet::use_of(other) {
                        Some(packet::Use::Skipped(kind)) => kind,
                        _ => "packets of other kinds",
                    };
                    warnings.add(kind, || format!("{kind} are not shown"));
                }
            }
        }
        Ok(packed)
    }

    /// When a packet's event was, by the clock of the trace.
    pub(super) fn time_of(
        &mut self,
        packet: &Packet<'_>,
        older_us: Option<(i64, bool)>,
        warnings: &mut Warnings,
    ) -> Option<i64> {
        let sequence = self.sequences.entry(packet.sequence).or_default();
        let (clock, time) = match (packet.time, older_us) {
            (_, Some((us, is_absolute))) => {
                let start = if is_absolute { 0 } else { sequence.reference_us };
                let us = start.saturating_add(us);
                if !is_absolute {
                    sequence.reference_us = us;
                }
                (Some(MONOTONIC), us.checked_mul(1000))
            }
            (Some(time), None) => {
                (packet.clock.or(sequence.defaults.clock), i64::try_from(time).ok())
            }
            (None, None) => (None, None),
        };
        let Some(time) = time else {
            warnings.add("untimed", || {
                "events without a time, or beyond 292 years, are left out".to_owned()
            });
            return None;
        };
        let found = self.clocks.time(packet.sequence, clock, time);
        if found.is_none() {
            warnings.add("clock", || {
                "events by clocks that no snapshot before relates to the trace's are left out"
                    .to_owned()
            });
        }
        found
    }

    fn clock_snapshot(
        &mut self,
        sequence: u32,
        bytes: &[u8],
        warnings: &mut Warnings,
    ) -> Result<(), WireError> {
        let (mut readings, mut primary) = (vec![], 0);
        let mut fields = Fields::new(bytes);
        while let Some((field, payload)) = fields.next()? {
            match field {
                1 => {
                    let mut reading = ClockSnapshot { unit: 1, ..ClockSnapshot::default() };
                    let mut fields = Fields::new(message(payload));
                    while let Some((field, payload)) = fields.next()? {
                        let value = number(payload);
                        match field {
                            1 => reading.clock = value as u32,
                            2 => reading.time = i64::try_from(value).unwrap_or(i64::MAX),
                            3 => reading.is_incremental = value != 0,
                            4 => reading.unit = i64::try_from(value).unwrap_or(1),
                            _ => {}
                        }
                    }
                    readings.push(reading);
                }
                2 => primary = number(payload) as u32,
                _ => {}
            }
        }
        if !self.clocks.snapshot(sequence, primary, &readings) {
            warnings.add("snapshots", || {
                "snapshots of clocks that nothing relates to the trace's".to_owned()
            });
        }
        Ok(())
    }

    /// The older way to tell which thread a sequence's events are of.
    fn thread_descriptor(&mut self, sequence: u32, bytes: &[u8]) -> Result<(), WireError> {
        let thread = self.lines.thread(bytes, &mut self.builder)?;
        let mut reference = None;
        let mut fields = Fields::new(bytes);
        while let Some((field, payload)) = fields.next()? {
            if field == 6 {
                reference = Some(number(payload) as i64);
            }
        }
        let sequence = self.sequences.entry(sequence).or_default();
        sequence.thread = Some(thread);
        if let Some(reference) = reference {
            sequence.reference_us = reference;
        }
        Ok(())
    }

    fn process_tree(&mut self, bytes: &[u8]) -> Result<(), WireError> {
        let mut fields = Fields::new(bytes);
        while let Some((field, payload)) = fields.next()? {
            let (mut id, mut of, mut name) = (0, 0, None);
            let mut inner = Fields::new(message(payload));
            while let Some((inner, payload)) = inner.next()? {
                match (field, inner) {
                    (1 | 2, 1) => id = number(payload) as i64,
                    (2, 3) => of = number(payload) as i64,
                    (1, 3) | (2, 2) if name.is_none() => name = text_of(payload),
                    _ => {}
                }
            }
            let name = self.builder.strings.intern(&name.unwrap_or_default());
            match field {
                1 => {
                    self.lines.process_of.insert(id, id);
                    self.lines.kernel_name(Key::Process(id), name);
                }
                2 => {
                    self.lines.process_of.insert(id, of);
                    self.lines.kernel_name(Key::Task(id), name);
                }
                _ => {}
            }
        }
        Ok(())
    }
}
