//! Heap profiles of heapprofd: what each stack allocated and freed, since the recording began.

use hashbrown::HashMap;
use profile::{ContextId, Label, LabelSetId, LabelValue, StringId};

use super::fields::{message, number, text_of};
use super::lines::Key;
use super::samples::Sample;
use super::trace::{Packet, Trace};
use super::weights::Counter;
use crate::Warnings;
use crate::wire::{Fields, WireError};

/// The last profile of each heap of each process.
#[derive(Default)]
pub(super) struct Heaps {
    of: HashMap<(i64, StringId), Heap>,
    samples: usize,
}

struct Heap {
    /// The profile that it is of: the writer, and how many it wrote before.
    profile: (u32, u64),
    samples: Vec<(ContextId, Figures)>,
}

/// Bytes and numbers of allocations at a stack.
#[derive(Default, Clone, Copy)]
struct Figures {
    allocated: u64,
    freed: u64,
    allocations: u64,
    frees: u64,
    peak: Option<u64>,
}

impl Heaps {
    pub(super) fn heap_bytes(&self) -> usize {
        self.samples * size_of::<(ContextId, Figures)>() + self.of.capacity() * 64
    }
}

impl Trace {
    /// Reads `ProfilePacket`.
    pub(super) fn heap_profile(
        &mut self,
        packet: &Packet<'_>,
        bytes: &[u8],
        warnings: &mut Warnings,
    ) -> Result<(), WireError> {
        let mut is_continued = false;
        let mut fields = Fields::new(bytes);
        while let Some((field, payload)) = fields.next()? {
            match field {
                3 => warnings.add("own stacks", || {
                    "heap profiles of Android 10, which carry their own stacks, are not read"
                        .to_owned()
                }),
                5 => self.heap(packet.sequence, message(payload), warnings)?,
                6 => is_continued = number(payload) != 0,
                _ => {}
            }
        }
        if !is_continued {
            self.sequences.entry(packet.sequence).or_default().heap_profiles += 1;
        }
        Ok(())
    }

    /// Reads `ProcessHeapSamples`.
    fn heap(
        &mut self,
        sequence: u32,
        bytes: &[u8],
        warnings: &mut Warnings,
    ) -> Result<(), WireError> {
        let (mut pid, mut name, mut samples) = (0, None, vec![]);
        let mut fields = Fields::new(bytes);
        while let Some((field, payload)) = fields.next()? {
            match field {
                1 => pid = number(payload) as i64,
                2 => samples.push(message(payload)),
                4 if number(payload) != 0 => warnings.add("rejected heaps", || {
                    "processes that were not profiled, as another profiler was".to_owned()
                }),
                7 | 8 | 10 if number(payload) != 0 => warnings.add("cut heaps", || {
                    "heap profiles that ended before their process: their figures are at least so \
                     much"
                        .to_owned()
                }),
                11 => name = text_of(payload),
                _ => {}
            }
        }
        let name = self.builder.strings.intern(&name.unwrap_or_default());
        let mut read = Vec::with_capacity(samples.len());
        for sample in samples {
            let (stack, figures) = figures(sample)?;
            read.push((self.stack(sequence, stack, warnings), figures));
        }
        let profile = (sequence, self.sequences.entry(sequence).or_default().heap_profiles);
        let heaps = &mut self.heaps;
        let new = || Heap { profile, samples: vec![] };
        let heap = heaps.of.entry((pid, name)).or_insert_with(new);
        if heap.profile != profile {
            warnings.add("heap profiles", || {
                "earlier profiles of a heap are left out: the last one counts from the same start"
                    .to_owned()
            });
            heaps.samples -= heap.samples.len();
            *heap = new();
        }
        heaps.samples += read.len();
        heap.samples.extend(read);
        Ok(())
    }

    /// The last profile of each heap becomes samples.
    pub(super) fn heap_samples(&mut self, warnings: &mut Warnings) {
        let mut heaps: Vec<_> = std::mem::take(&mut self.heaps).of.into_iter().collect();
        if heaps.is_empty() {
            return;
        }
        warnings.add("sampled heaps", || {
            "figures of heap profiles are estimates: allocations are sampled by their bytes"
                .to_owned()
        });
        heaps.sort_by(|((pid, name), _), ((other, other_name), _)| {
            let strings = &self.builder.strings;
            (pid, strings.get(*name)).cmp(&(other, strings.get(*other_name)))
        });
        let mut counter = |name: &str, unit: &str| {
            let [name, unit] = [name, unit].map(|text| self.builder.strings.intern(text));
            Counter { name, unit, multiplier: 1 }
        };
        let in_use = counter("in use", "bytes");
        let objects = counter("allocations in use", "count");
        let allocated = counter("allocated", "bytes");
        let allocations = counter("allocations", "count");
        let peak = counter("peak", "bytes");
        let key = self.builder.strings.intern("heap");
        let mut negative = 0;
        for ((pid, name), heap) in heaps {
            let labels = match name {
                StringId::EMPTY => LabelSetId(0),
                name => self.builder.labels.add(&[Label { key, value: LabelValue::Text(name) }]),
            };
            for (context, figures) in heap.samples {
                negative += u64::from(figures.freed > figures.allocated);
                let values = match figures.peak {
                    Some(bytes) => vec![(peak, bytes)],
                    None => vec![
                        (in_use, figures.allocated.saturating_sub(figures.freed)),
                        (objects, figures.allocations.saturating_sub(figures.frees)),
                        (allocated, figures.allocated),
                        (allocations, figures.allocations),
                    ],
                };
                let weights = self.weights.add(values, warnings);
                let sample = Sample::new(0, Key::Process(pid), None, context);
                self.sample(Sample { time: None, labels, weights, is_counted: false, ..sample });
            }
        }
        if negative > 0 {
            warnings.add_many("freed", negative, || {
                "stacks that freed more than they allocated are shown with nothing in use"
                    .to_owned()
            });
        }
    }
}

/// Reads `HeapSample`; the number of its stack, and its figures.
fn figures(bytes: &[u8]) -> Result<(Option<u64>, Figures), WireError> {
    let (mut stack, mut read) = (None, Figures::default());
    let mut fields = Fields::new(bytes);
    while let Some((field, payload)) = fields.next()? {
        let value = number(payload);
        match field {
            1 => stack = Some(value),
            2 => read.allocated = value,
            3 => read.freed = value,
            5 => read.allocations = value,
            6 => read.frees = value,
            8 => read.peak = Some(value),
            _ => {}
        }
    }
    Ok((stack, read))
}
