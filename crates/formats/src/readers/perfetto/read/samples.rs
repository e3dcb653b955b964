//! Samples of stacks.

use std::ops::Range;

use profile::{ContextId, LabelSetId, ThreadId};

use super::fields::number;
use super::lines::Key;
use super::trace::{Packet, Trace};
use crate::Warnings;
use crate::wire::{Fields, WireError, repeated};

/// A sample, before the tables of threads and contexts are ready.
pub(super) struct Sample {
    /// By the trace's clock; none of figures of a whole recording.
    pub(super) time: Option<i64>,
    pub(super) key: Key,
    pub(super) cpu: Option<u32>,
    pub(super) context: ContextId,
    pub(super) labels: LabelSetId,
    /// What it weighs, in the list of all weights.
    pub(super) weights: Range<usize>,
    /// Whether it counts as a sample: sums of many do not.
    pub(super) is_counted: bool,
}

impl Sample {
    /// One that weighs nothing but itself.
    pub(super) fn new(time: i64, key: Key, cpu: Option<u32>, context: ContextId) -> Sample {
        let (labels, weights, is_counted) = (LabelSetId(0), 0..0, true);
        Sample { time: Some(time), key, cpu, context, labels, weights, is_counted }
    }

    pub(super) fn point(&self, thread: Option<ThreadId>, clock: i64) -> profile::Point<'static> {
        profile::Point {
            context: self.context,
            time: self.time.map(|time| time.saturating_sub(clock)),
            labels: self.labels,
            thread,
            cpu: self.cpu,
            ..profile::Point::default()
        }
    }
}

impl Trace {
    /// Reads `PerfSample`.
    pub(super) fn perf_sample(
        &mut self,
        packet: &Packet<'_>,
        bytes: &[u8],
        warnings: &mut Warnings,
    ) -> Result<(), WireError> {
        let (mut cpu, mut pid, mut tid, mut stack) = (None, 0, None, None);
        let (mut is_skipped, mut lost) = (false, 0);
        let mut fields = Fields::new(bytes);
        while let Some((field, payload)) = fields.next()? {
            let value = number(payload);
            match field {
                1 => cpu = u32::try_from(value).ok(),
                2 => pid = i64::from(value as u32),
                3 => tid = Some(i64::from(value as u32)),
                4 => stack = Some(value),
                17 => lost = value,
                18 => is_skipped = true,
                _ => {}
            }
        }
        if lost > 0 {
            warnings.add_many("samples lost", lost, || "samples that were lost".to_owned());
        }
        let Some(tid) = tid else { return Ok(()) };
        if is_skipped {
            warnings.add("skipped", || "samples that the recording left out".to_owned());
            return Ok(());
        }
        let Some(time) = self.time_of(packet, None, warnings) else { return Ok(()) };
        let context = self.stack(packet.sequence, stack, warnings);
        self.lines.process_of.entry(tid).or_insert(pid);
        self.sample(Sample::new(time, Key::Thread(pid, tid), cpu, context));
        Ok(())
    }

    /// Reads `StreamingProfilePacket`: samples of the sequence's thread, with times as differences.
    pub(super) fn streaming_profile(
        &mut self,
        packet: &Packet<'_>,
        bytes: &[u8],
        warnings: &mut Warnings,
    ) -> Result<(), WireError> {
        let (mut stacks, mut deltas) = (vec![], vec![]);
        let mut fields = Fields::new(bytes);
        while let Some((field, payload)) = fields.next()? {
            match field {
                1 => repeated(payload, |stack| stacks.push(stack))?,
                2 => repeated(payload, |delta| deltas.push(delta as i64))?,
                _ => {}
            }
        }
        if stacks.len() != deltas.len() {
            warnings.add("streamed", || "lists of stacks and of times that differ".to_owned());
        }
        let sequence = self.sequences.entry(packet.sequence).or_default();
        let key = match (sequence.defaults.track, sequence.thread) {
            (_, Some((pid, tid))) => Key::Thread(pid, tid),
            (Some(track), None) => Key::Track(track),
            (None, None) => Key::Track(0),
        };
        for (stack, delta) in stacks.into_iter().zip(deltas) {
            let Some(time) = self.time_of(packet, Some((delta, false)), warnings) else { continue };
            let context = self.stack(packet.sequence, Some(stack), warnings);
            self.sample(Sample::new(time, key, None, context));
        }
        Ok(())
    }

    pub(super) fn sample(&mut self, sample: Sample) {
        let line = self.lines.line(sample.key);
        self.lines.list[line].is_used = true;
        self.samples.push(sample);
    }

    pub(super) fn stack(
        &mut self,
        sequence: u32,
        id: Option<u64>,
        warnings: &mut Warnings,
    ) -> ContextId {
        let tables = self.sequences.get(&sequence).map(|sequence| &sequence.tables);
        let found = id.map(|id| tables.and_then(|tables| tables.stack(id)));
        if found == Some(None) {
            warnings.add("stacks", || "samples whose stacks no packet has".to_owned());
        }
        found.flatten().unwrap_or(ContextId::ROOT)
    }
}
