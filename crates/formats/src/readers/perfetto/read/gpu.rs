//! What ran on a GPU: its stages, each on the lane of its hardware queue.

use profile::{Label, LabelSetId, LabelValue, Mark, Place, TrackId};

use super::fields::{message, number, text_of};
use super::lines::Key;
use super::trace::{Packet, Trace};
use crate::Warnings;
use crate::readers::perfetto::schema::interned;
use crate::time::span_records::Begin;
use crate::time::span_tracks::{Happening, Record};
use crate::wire::{Fields, WireError};

/// Names of queues and stages by their place in a list, as older traces tell them once.
#[derive(Default)]
pub(super) struct Specifications {
    queues: Vec<String>,
    stages: Vec<String>,
}

impl Trace {
    /// Reads `GpuRenderStageEvent`.
    pub(super) fn gpu_stage(
        &mut self,
        packet: &Packet<'_>,
        bytes: &[u8],
        warnings: &mut Warnings,
    ) -> Result<(), WireError> {
        let (mut event, mut length, mut name, mut gpu) = (None, None, None, 0);
        let (mut queue, mut stage) = (None, None);
        let mut labels = vec![];
        let tables = &self.sequences.entry(packet.sequence).or_default().tables;
        let builder = &mut self.builder;
        let mut fields = Fields::new(bytes);
        while let Some((field, payload)) = fields.next()? {
            let value = number(payload);
            let specified = || tables.string(interned::GPU_SPECIFICATIONS, value);
            match field {
                1 => event = Some(value),
                2 => length = Some(value),
                3 => queue = self.gpu.queues.get(value as usize).cloned(),
                4 => stage = self.gpu.stages.get(value as usize).cloned(),
                6 => {
                    let (mut key, mut text) = (None, None);
                    let mut fields = Fields::new(message(payload));
                    while let Some((field, payload)) = fields.next()? {
                        match field {
                            1 => key = text_of(payload),
                            2 => text = text_of(payload),
                            _ => {}
                        }
                    }
                    let [key, text] =
                        [key, text].map(|text| builder.strings.intern(&text.unwrap_or_default()));
                    labels.push(Label { key, value: LabelValue::Text(text) });
                }
                7 => self.gpu.read(message(payload))?,
                11 => gpu = value as u32,
                13 => queue = specified().map(|name| builder.strings.get(name).to_owned()),
                14 => stage = specified().map(|name| builder.strings.get(name).to_owned()),
                17 => name = text_of(payload).map(String::from),
                20 => {
                    let known = tables.string(interned::EVENT_NAMES, value);
                    name = known.map(|name| builder.strings.get(name).to_owned());
                }
                _ => {}
            }
        }
        // The packet that tells the names is not an event.
        if event.is_none() && length.is_none() && stage.is_none() && name.is_none() {
            return Ok(());
        }
        let name = name.or(stage).unwrap_or_else(|| "(unnamed)".to_owned());
        let queue = queue.unwrap_or_else(|| "queue without a name".to_owned());
        let queue = builder.strings.intern(&format!("GPU {gpu}: {queue}"));
        let arguments = match labels.as_slice() {
            [] => LabelSetId(0),
            labels => builder.labels.add(labels),
        };
        let text = builder.strings.intern(&name);
        let location = builder.place(&Place { function: &name, ..Place::default() });
        let Some(time) = self.time_of(packet, None, warnings) else { return Ok(()) };
        let key = Key::Queue(queue);
        match length {
            None => {
                let mark = Mark { track: TrackId(0), time, kind: text, fields: arguments };
                self.lines.mark(key, mark);
            }
            Some(length) => {
                let length = i64::try_from(length).unwrap_or(i64::MAX);
                let begin = Begin { location, name: text, labels: LabelSetId(0) };
                let happening = Happening::Complete(length);
                self.lines.push(key, Record { time, happening, begin, arguments });
            }
        }
        Ok(())
    }
}

impl Specifications {
    fn read(&mut self, bytes: &[u8]) -> Result<(), WireError> {
        let (mut queues, mut stages) = (vec![], vec![]);
        let mut fields = Fields::new(bytes);
        while let Some((field, payload)) = fields.next()? {
            if !matches!(field, 2 | 3) {
                continue;
            }
            let mut name = String::new();
            let mut inner = Fields::new(message(payload));
            while let Some((field, payload)) = inner.next()? {
                if field == 1 {
                    name = text_of(payload).unwrap_or_default().into_owned();
                }
            }
            if field == 2 { &mut queues } else { &mut stages }.push(name);
        }
        (self.queues, self.stages) = (queues, stages);
        Ok(())
    }

    pub(super) fn heap_bytes(&self) -> usize {
        let names = self.queues.iter().chain(&self.stages);
        names.map(|name| name.capacity() + size_of::<String>()).sum()
    }
}
