//! What is known of the recording as a whole: events, machine, command.

use hashbrown::HashMap;

use crate::attr::{self, Attr};
use crate::bytes::{ByteOrder, Bytes, lossy};
use crate::feature::{BuildId, Features};
use crate::reader::HEADER;
use crate::record::number;
use crate::sample::Places;

/// An event that was recorded.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Event {
    /// What was asked of the kernel.
    pub attr: Attr,
    /// What it is called; empty as long as the file did not tell.
    pub name: String,
    /// Its counters: one for each processor or thread.
    pub ids: Vec<u64>,
}

impl Event {
    /// What it is called, or what it is in general.
    pub fn name(&self) -> String {
        if self.name.is_empty() { self.attr.generic_name() } else { self.name.clone() }
    }
}

/// What is known of the recording as a whole. The features of a file come after its records, those
/// of a pipe before them.
#[derive(Debug, Default)]
pub struct Head {
    /// Byte order of the machine that recorded.
    pub order: ByteOrder,
    /// Whether it was written into a pipe.
    pub is_pipe: bool,
    /// Whether the recorder did not finish the file, so that features are missing.
    pub is_unfinished: bool,
    /// The events.
    pub events: Vec<Event>,
    /// What else the file tells.
    pub features: Features,
    /// What was found while reading.
    pub counts: Counts,
    /// Names of kinds of events, as files of old versions have them.
    pub(crate) event_types: Vec<(u64, String)>,
    event_of_id: HashMap<u64, u32>,
    places: Vec<Places>,
}

/// What was found while reading.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Counts {
    /// Records by their number, see [`crate::record_name`].
    pub records: std::collections::BTreeMap<u32, u64>,
    /// Records shorter than their kind, which are left out.
    pub short: u64,
    /// Records whose counter belongs to none of several events, which count as the first one's.
    pub unknown_ids: u64,
    /// Samples with fields that are not known and come last.
    pub unknown_fields: u64,
    /// Records that came later than the order of time wants.
    pub late: u64,
    /// Bytes after the last whole record.
    pub cut_bytes: u64,
    /// Pieces of compressed data that could not be unpacked.
    pub damaged_pieces: u64,
}

impl Head {
    pub(crate) fn new(order: ByteOrder, is_pipe: bool) -> Self {
        Head { order, is_pipe, ..Head::default() }
    }

    pub(crate) fn add_event(&mut self, attr: Attr, ids: Vec<u64>) {
        let number = self.events.len() as u32;
        for &id in &ids {
            self.event_of_id.entry(id).or_insert(number);
        }
        self.places.push(Places::new(&attr));
        self.events.push(Event { attr, name: String::new(), ids });
    }

    /// More counters of an event.
    pub(crate) fn add_ids(&mut self, number: usize, ids: &[u64]) {
        for &id in ids {
            let was = self.event_of_id.insert(id, number as u32);
            if was != Some(number as u32) {
                self.events[number].ids.push(id);
            }
        }
    }

    /// The event of a counter.
    #[inline]
    pub fn event_of(&self, id: u64) -> Option<usize> {
        self.event_of_id.get(&id).map(|&number| number as usize)
    }

    /// Where fields stand in records, which is the same for all events that share a file.
    #[inline]
    pub(crate) fn places(&self, event: usize) -> Places {
        self.places.get(event).copied().unwrap_or_default()
    }
}

impl Head {
    /// The event that a record is of, and its time (0 without one).
    #[inline]
    pub(crate) fn place(&mut self, number: u32, bytes: &[u8]) -> (u32, u64) {
        let word = |at: Option<usize>| Bytes::new(bytes.get(at?..)?, self.order).u64();
        let places = self.places(0);
        let is_sample = number == number::SAMPLE;
        if number >= 64 {
            return (0, 0);
        }
        let back = |at: Option<usize>| bytes.len().checked_sub(at?);
        let (id, time) = if is_sample {
            (places.sample_id.map(|at| at + HEADER), places.sample_time.map(|at| at + HEADER))
        } else {
            (back(places.other_id), back(places.other_time))
        };
        let mut event = 0;
        let mut is_unknown = false;
        if self.events.len() > 1 {
            // Number 0 stands where the kernel has no counter to tell.
            match word(id).filter(|&id| is_sample || id != 0) {
                Some(id) => match self.event_of(id) {
                    Some(found) => event = found as u32,
                    None => is_unknown = is_sample,
                },
                None => is_unknown = is_sample,
            }
        }
        let time = match event {
            0 => time,
            event => {
                let places = self.places(event as usize);
                if is_sample {
                    places.sample_time.map(|at| at + HEADER)
                } else {
                    back(places.other_time)
                }
            }
        };
        let time = word(time).unwrap_or_default();
        self.counts.unknown_ids += u64::from(is_unknown);
        (event, time)
    }

    /// Acts on a record that tells of the recording; `bytes` hold all of it.
    pub(crate) fn take(&mut self, number: u32, bytes: Bytes<'_>) {
        if self.take_record(number, bytes).is_none() {
            self.counts.short += 1;
        }
    }

    fn take_record(&mut self, number: u32, whole: Bytes<'_>) -> Option<()> {
        let mut bytes = whole.after(HEADER)?;
        match number {
            number::HEADER_ATTR => {
                let mut ahead = bytes.after(4)?;
                // Size 0 is that of the first version.
                let size = match ahead.u32()? {
                    0 => 64,
                    size => size as usize,
                };
                let attr = Attr::parse(Bytes::new(bytes.take(size)?, bytes.order()))?;
                let ids = std::iter::from_fn(|| bytes.u64()).collect();
                self.add_event(attr, ids);
            }
            number::HEADER_EVENT_TYPE => {
                let config = bytes.u64()?;
                self.event_types.push((config, lossy(bytes.text())));
            }
            number::HEADER_FEATURE => {
                let feature = u32::try_from(bytes.u64()?).ok()?;
                self.features.take(feature, bytes);
            }
            number::EVENT_UPDATE => {
                const NAME: u64 = 2;
                let (kind, id) = (bytes.u64()?, bytes.u64()?);
                if let Some(event) = self.event_of(id).filter(|_| kind == NAME) {
                    self.events[event].name = lossy(bytes.text());
                }
            }
            number::BUILD_ID => self.features.build_ids.push(BuildId::parse(whole)?),
            // Says which processor or thread each counter is of; events know their counters.
            _ => {}
        }
        Some(())
    }

    /// Takes the features behind the records: a table of their places, in the order of their bits,
    /// which starts at `table`, and what follows.
    pub(crate) fn take_features(&mut self, bits: [u64; 4], table: u64, behind: &[u8]) {
        let mut places = Bytes::new(behind, self.order);
        let numbers = (0..256u32).filter(|bit| bits[*bit as usize / 64] >> (bit % 64) & 1 != 0);
        for number in numbers {
            let Some((at, size)) = places.u64().zip(places.u64()) else {
                self.features.damaged.push(number);
                continue;
            };
            let start = at.checked_sub(table).and_then(|start| usize::try_from(start).ok());
            let size = usize::try_from(size).unwrap_or(usize::MAX);
            let bytes = start.and_then(|start| behind.get(start..)?.get(..size));
            match bytes {
                Some(bytes) => self.features.take(number, Bytes::new(bytes, self.order)),
                None => self.features.damaged.push(number),
            }
        }
    }

    /// Gives events the names that features have for them.
    pub(crate) fn finish(&mut self) {
        for (number, known) in std::mem::take(&mut self.features.events).into_iter().enumerate() {
            let by_id = known.ids.iter().find_map(|&id| self.event_of(id));
            let same = |at: &usize| {
                let attr = self.events.get(*at).map(|event| &event.attr);
                attr.is_some_and(|attr| {
                    (attr.kind, attr.config) == (known.attr.kind, known.attr.config)
                })
            };
            let Some(at) = by_id.or(Some(number).filter(same)) else { continue };
            if self.events[at].name.is_empty() {
                self.events[at].name = known.name;
            }
            self.add_ids(at, &known.ids);
        }
        let types = std::mem::take(&mut self.event_types);
        let tracing = self.features.tracing.as_ref();
        for event in self.events.iter_mut().filter(|event| event.name.is_empty()) {
            let config = event.attr.config;
            let told = types.iter().find(|(known, _)| *known == config);
            let format = tracing.filter(|_| event.attr.kind == attr::kind::TRACEPOINT);
            let format = format.and_then(|tracing| tracing.formats.get(&config));
            event.name = match (format, told) {
                (Some(format), _) => format.full_name(),
                (None, Some((_, name))) => name.clone(),
                (None, None) => String::new(),
            };
        }
    }
}

impl Counts {
    pub(crate) fn add(&mut self, other: &Counts) {
        for (&number, count) in &other.records {
            *self.records.entry(number).or_default() += count;
        }
        self.short += other.short;
        self.unknown_ids += other.unknown_ids;
        self.unknown_fields += other.unknown_fields;
        self.late += other.late;
        self.cut_bytes += other.cut_bytes;
        self.damaged_pieces += other.damaged_pieces;
    }
}
