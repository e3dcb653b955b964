//! Who and when: where that stands in records of every kind.

use super::Thread;
use crate::attr::{Attr, SampleFields, sample};
use crate::bytes::Bytes;

/// Where fields that are needed before a record is understood stand in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Places {
    /// Of a sample, from its start.
    pub(crate) sample_id: Option<usize>,
    pub(crate) sample_time: Option<usize>,
    /// Of other records, from their end.
    pub(crate) other_id: Option<usize>,
    pub(crate) other_time: Option<usize>,
}

impl Places {
    pub(crate) fn new(attr: &Attr) -> Places {
        let mut places = Places::default();
        let mut at = 0;
        let before_id =
            [sample::IDENTIFIER, sample::IP, sample::TID, sample::TIME, sample::ADDR, sample::ID];
        for field in before_id.into_iter().filter(|&field| attr.has(field)) {
            match field {
                sample::IDENTIFIER => places.sample_id = Some(at),
                sample::ID => places.sample_id = places.sample_id.or(Some(at)),
                sample::TIME => places.sample_time = Some(at),
                _ => {}
            }
            at += 8;
        }
        if attr.is(crate::attr::flag::SAMPLE_ID_ALL) {
            let mut back = 0;
            for field in SampleId::FIELDS.into_iter().rev().filter(|&field| attr.has(field)) {
                back += 8;
                match field {
                    sample::IDENTIFIER => places.other_id = Some(back),
                    sample::ID => places.other_id = places.other_id.or(Some(back)),
                    sample::TIME => places.other_time = Some(back),
                    _ => {}
                }
            }
        }
        places
    }
}

/// Who and when, at the end of records other than samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SampleId {
    /// Process and thread.
    pub thread: Option<Thread>,
    /// Nanoseconds of the recording's clock.
    pub time: Option<u64>,
    /// The counter.
    pub id: Option<u64>,
    /// Processor.
    pub cpu: Option<u32>,
}

impl SampleId {
    const FIELDS: [u64; 6] =
        [sample::TID, sample::TIME, sample::ID, sample::STREAM_ID, sample::CPU, sample::IDENTIFIER];

    /// How many bytes of a record it takes.
    pub(crate) fn size(attr: &Attr) -> usize {
        if attr.is(crate::attr::flag::SAMPLE_ID_ALL) {
            Self::FIELDS.into_iter().filter(|&field| attr.has(field)).count() * 8
        } else {
            0
        }
    }

    /// What the last [`SampleId::size`] bytes of a record say.
    pub(crate) fn parse(mut bytes: Bytes<'_>, fields: SampleFields) -> Option<SampleId> {
        let mut found = SampleId::default();
        for field in Self::FIELDS.into_iter().filter(|field| fields.0 & field != 0) {
            match field {
                sample::TID => found.thread = Some(Thread::parse(&mut bytes)?),
                sample::CPU => {
                    found.cpu = Some(bytes.u32()?);
                    let _reserved = bytes.u32()?;
                }
                _ => {
                    let word = bytes.u64()?;
                    match field {
                        sample::TIME => found.time = Some(word),
                        sample::ID | sample::IDENTIFIER => found.id = Some(word),
                        _ => {}
                    }
                }
            }
        }
        Some(found)
    }
}
