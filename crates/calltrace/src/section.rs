//! Sections of files.

use crate::facts::{Facts, Function};
use crate::memory::{Most, Snapshot, Step};
use crate::samples::{Rounds, Seen, Stacks};
use crate::{Logged, varint};

/// What each process of a trace begins with.
pub const MAGIC: &[u8; 18] = b"hotframe calls 1\r\n";

/// What each process begins with whose memory was watched; as long as that of a trace.
pub const MEMORY_MAGIC: &[u8; 18] = b"hotframe bytes 1\r\n";

/// Why a trace has less in it than its end says: the thread that began it was left to another profiler.
pub const REPLACED: &str = "another profiler took the tracer's place";

/// Kinds of sections that processes begin with.
pub(crate) const PROCESS: u8 = 1;
pub(crate) const HOLDER: u8 = 13;

/// A part of a file.
#[derive(Debug, Clone, PartialEq)]
pub enum Section {
    /// A process begins; what follows is its.
    Process(Facts),
    /// Functions that events are about.
    Functions(Vec<Function>),
    /// A thread: its number in events, the system's number, its name.
    Thread {
        /// Its number here.
        number: u32,
        /// The system's.
        id: u64,
        /// Its name, or empty.
        name: String,
    },
    /// Events of a thread in order.
    Events {
        /// Its number here.
        thread: u32,
        /// Ticks that its times are after.
        start: u64,
        /// How many there are.
        events: u64,
        /// How many bytes they are unpacked.
        length: u32,
        /// A frame of zstd.
        frame: Vec<u8>,
    },
    /// What a tick is.
    Anchor(Anchor),
    /// Events of a thread were lost.
    Gap(Gap),
    /// A function is no longer traced.
    Demoted(Demotion),
    /// What activations are called that tasks began with.
    Tasks(Vec<(u32, String)>),
    /// Values that were asked for, and how many were lost before them because the disk did not keep up.
    Logged(Vec<Logged>, u64),
    /// The trace ended as it should.
    End {
        /// Why; [`REPLACED`] is one that readers tell.
        reason: String,
        /// Events that were written.
        events: u64,
        /// Places that call several functions and whose calls are no longer seen.
        sites: u64,
    },
    /// A process begins whose memory is watched; what follows is its.
    Holder {
        /// What is known of it.
        facts: Facts,
        /// Bytes between marks; 0 where every allocation is a sample.
        mean: u64,
    },
    /// Contexts that come, numbered on from those before.
    Steps(Vec<Step>),
    /// What changed in memory.
    Snapshot(Snapshot),
    /// The most that was held before the next snapshot.
    Most(Most),
    /// Stacks that samples saw; those of further sections are numbered on.
    Stacks(Stacks),
    /// When samples of the process were taken.
    Rounds(Rounds),
    /// What a thread did in them.
    Seen(Seen),
    /// A kind that newer versions write.
    Unknown(u8),
}

/// A time by three clocks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Anchor {
    /// Ticks of events.
    pub ticks: u64,
    /// Nanoseconds of the system's monotonic clock.
    pub monotonic_ns: u64,
    /// Nanoseconds since 1970.
    pub wall_ns: u64,
}

/// Events that were lost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Gap {
    /// Of which thread.
    pub thread: u32,
    /// Ticks of the first of them.
    pub first: u64,
    /// And of the last.
    pub last: u64,
    /// How many.
    pub events: u64,
}

/// A function that is no longer traced.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Demotion {
    /// Its number.
    pub function: u32,
    /// When, in ticks.
    pub ticks: u64,
    /// Calls that were traced.
    pub calls: u64,
}

impl Section {
    /// The first byte of [`Section::Demoted`].
    pub const DEMOTED: u8 = 7;

    /// The bytes of the section; those of a process with the magic before.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let (kind, payload) = self.payload();
        let mut bytes = vec![];
        match self {
            Section::Process(_) => bytes.extend(MAGIC),
            Section::Holder { .. } => bytes.extend(MEMORY_MAGIC),
            _ => {}
        }
        bytes.push(kind);
        bytes.extend((payload.len() as u32).to_le_bytes());
        bytes.extend(payload);
        bytes
    }

    fn payload(&self) -> (u8, Vec<u8>) {
        let mut bytes = vec![];
        let mut put = |values: &[u64]| values.iter().for_each(|&one| varint::put(&mut bytes, one));
        let kind = match self {
            Section::Process(facts) => {
                // Texts and numbers: nothing that JSON has no words for.
                bytes = serde_json::to_vec(facts).unwrap_or_default();
                PROCESS
            }
            Section::Functions(functions) => {
                put(&[functions.len() as u64]);
                functions.iter().for_each(|one| one.put(&mut bytes));
                2
            }
            Section::Thread { number, id, name } => {
                put(&[(*number).into(), *id]);
                bytes.extend(name.as_bytes());
                3
            }
            Section::Events { thread, start, events, length, frame } => {
                put(&[(*thread).into(), *start, *events, (*length).into()]);
                bytes.extend(frame);
                4
            }
            Section::Anchor(Anchor { ticks, monotonic_ns, wall_ns }) => {
                put(&[*ticks, *monotonic_ns, *wall_ns]);
                5
            }
            Section::Gap(Gap { thread, first, last, events }) => {
                put(&[(*thread).into(), *first, *last, *events]);
                6
            }
            Section::Demoted(Demotion { function, ticks, calls }) => {
                put(&[(*function).into(), *ticks, *calls]);
                Section::DEMOTED
            }
            Section::Tasks(tasks) => {
                put(&[tasks.len() as u64]);
                for (activation, name) in tasks {
                    varint::put(&mut bytes, (*activation).into());
                    varint::put(&mut bytes, name.len() as u64);
                    bytes.extend(name.as_bytes());
                }
                8
            }
            Section::End { reason, events, sites } => {
                put(&[*events, *sites]);
                bytes.extend(reason.as_bytes());
                9
            }
            Section::Stacks(stacks) => {
                stacks.put(&mut bytes);
                10
            }
            Section::Rounds(rounds) => {
                rounds.put(&mut bytes);
                11
            }
            Section::Holder { facts, mean } => {
                put(&[*mean]);
                bytes.extend(serde_json::to_vec(facts).unwrap_or_default());
                HOLDER
            }
            Section::Steps(steps) => {
                put(&[steps.len() as u64]);
                steps.iter().for_each(|step| step.put(&mut bytes));
                14
            }
            Section::Snapshot(Snapshot { ticks, resident, peak_ticks, length, frame }) => {
                put(&[*ticks, *resident, *peak_ticks, (*length).into()]);
                bytes.extend(frame);
                15
            }
            Section::Most(Most { held, ticks }) => {
                put(&[*held, *ticks]);
                17
            }
            Section::Logged(logged, lost) => {
                put(&[*lost, logged.len() as u64]);
                logged.iter().for_each(|one| one.put(&mut bytes));
                16
            }
            Section::Seen(seen) => {
                seen.put(&mut bytes);
                12
            }
            Section::Unknown(kind) => *kind,
        };
        (kind, bytes)
    }

    pub(crate) fn of(kind: u8, payload: &[u8]) -> Option<Section> {
        let mut rest = payload;
        let rest = &mut rest;
        let text = |rest: &[u8]| String::from_utf8_lossy(rest).into_owned();
        let small = |rest: &mut &[u8]| varint::take(rest)?.try_into().ok();
        let section = match kind {
            PROCESS => Section::Process(serde_json::from_slice(payload).ok()?),
            2 => {
                let count = varint::take(rest)?;
                let all = (0..count).map_while(|_| Function::take(rest));
                let all: Vec<_> = all.collect();
                (all.len() as u64 == count).then_some(Section::Functions(all))?
            }
            3 => {
                Section::Thread { number: small(rest)?, id: varint::take(rest)?, name: text(rest) }
            }
            4 => Section::Events {
                thread: small(rest)?,
                start: varint::take(rest)?,
                events: varint::take(rest)?,
                length: small(rest)?,
                frame: rest.to_vec(),
            },
            5 => Section::Anchor(Anchor {
                ticks: varint::take(rest)?,
                monotonic_ns: varint::take(rest)?,
                wall_ns: varint::take(rest)?,
            }),
            6 => Section::Gap(Gap {
                thread: small(rest)?,
                first: varint::take(rest)?,
                last: varint::take(rest)?,
                events: varint::take(rest)?,
            }),
            Section::DEMOTED => Section::Demoted(Demotion {
                function: small(rest)?,
                ticks: varint::take(rest)?,
                calls: varint::take(rest)?,
            }),
            8 => {
                let count = varint::take(rest)?;
                let all = (0..count).map_while(|_| {
                    let activation = small(rest)?;
                    let length = usize::try_from(varint::take(rest)?).ok()?;
                    let (name, behind) = rest.split_at_checked(length)?;
                    *rest = behind;
                    Some((activation, text(name)))
                });
                let all: Vec<_> = all.collect();
                (all.len() as u64 == count).then_some(Section::Tasks(all))?
            }
            9 => Section::End {
                events: varint::take(rest)?,
                sites: varint::take(rest)?,
                reason: text(rest),
            },
            10 => Section::Stacks(Stacks::take(rest)?),
            11 => Section::Rounds(Rounds::take(rest)?),
            12 => Section::Seen(Seen::take(rest)?),
            HOLDER => Section::Holder {
                mean: varint::take(rest)?,
                facts: serde_json::from_slice(rest).ok()?,
            },
            14 => {
                let count = varint::take(rest)?;
                let all: Vec<_> = (0..count).map_while(|_| Step::take(rest)).collect();
                (all.len() as u64 == count).then_some(Section::Steps(all))?
            }
            15 => Section::Snapshot(Snapshot {
                ticks: varint::take(rest)?,
                resident: varint::take(rest)?,
                peak_ticks: varint::take(rest)?,
                length: small(rest)?,
                frame: rest.to_vec(),
            }),
            16 => {
                let (lost, count) = (varint::take(rest)?, varint::take(rest)?);
                let all: Vec<_> = (0..count).map_while(|_| Logged::take(rest)).collect();
                (all.len() as u64 == count).then_some(Section::Logged(all, lost))?
            }
            17 => Section::Most(Most { held: varint::take(rest)?, ticks: varint::take(rest)? }),
            kind => Section::Unknown(kind),
        };
        Some(section)
    }
}
