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
        let payload = self.payload();
        let mut bytes = vec![];
        match self {
            Section::Process(_) => bytes.extend(MAGIC),
            Section::Holder { .. } => bytes.extend(MEMORY_MAGIC),
            _ => {}
        }
        bytes.push(self.kind());
        bytes.extend((payload.len() as u32).to_le_bytes());
        bytes.extend(payload);
        bytes
    }

    fn kind(&self) -> u8 {
        match self {
            Section::Process(_) => PROCESS,
            Section::Functions(_) => 2,
            Section::Thread { .. } => 3,
            Section::Events { .. } => 4,
            Section::Anchor(_) => 5,
            Section::Gap(_) => 6,
            Section::Demoted(_) => Section::DEMOTED,
            Section::Tasks(_) => 8,
            Section::End { .. } => 9,
            Section::Stacks(_) => 10,
            Section::Rounds(_) => 11,
            Section::Seen(_) => 12,
            Section::Holder { .. } => HOLDER,
            Section::Steps(_) => 14,
            Section::Snapshot(_) => 15,
            Section::Logged(..) => 16,
            Section::Most(_) => 17,
            Section::Unknown(kind) => *kind,
        }
    }

    fn payload(&self) -> Vec<u8> {
        let mut bytes = vec![];
        let mut put = |values: &[u64]| values.iter().for_each(|&one| varint::put(&mut bytes, one));
        match self {
            // Texts and numbers: nothing that JSON has no words for.
            Section::Process(facts) => bytes = serde_json::to_vec(facts).unwrap_or_default(),
            Section::Functions(functions) => {
                put(&[functions.len() as u64]);
                functions.iter().for_each(|one| one.put(&mut bytes));
            }
            Section::Thread { number, id, name } => {
                put(&[(*number).into(), *id]);
                bytes.extend(name.as_bytes());
            }
            Section::Events { thread, start, events, length, frame } => {
                put(&[(*thread).into(), *start, *events, (*length).into()]);
                bytes.extend(frame);
            }
            Section::Anchor(Anchor { ticks, monotonic_ns, wall_ns }) => {
                put(&[*ticks, *monotonic_ns, *wall_ns]);
            }
            Section::Gap(Gap { thread, first, last, events }) => {
                put(&[(*thread).into(), *first, *last, *events]);
            }
            Section::Demoted(Demotion { function, ticks, calls }) => {
                put(&[(*function).into(), *ticks, *calls]);
            }
            Section::Tasks(tasks) => {
                put(&[tasks.len() as u64]);
                for (activation, name) in tasks {
                    varint::put(&mut bytes, (*activation).into());
                    varint::put(&mut bytes, name.len() as u64);
                    bytes.extend(name.as_bytes());
                }
            }
            Section::End { reason, events, sites } => {
                put(&[*events, *sites]);
                bytes.extend(reason.as_bytes());
            }
            Section::Stacks(stacks) => stacks.put(&mut bytes),
            Section::Rounds(rounds) => rounds.put(&mut bytes),
            Section::Holder { facts, mean } => {
                put(&[*mean]);
                bytes.extend(serde_json::to_vec(facts).unwrap_or_default());
            }
            Section::Steps(steps) => {
                put(&[steps.len() as u64]);
                steps.iter().for_each(|step| step.put(&mut bytes));
            }
            Section::Snapshot(Snapshot { ticks, resident, peak_ticks, length, frame }) => {
                put(&[*ticks, *resident, *peak_ticks, (*length).into()]);
                bytes.extend(frame);
            }
            Section::Most(Most { held, ticks }) => put(&[*held, *ticks]),
            Section::Logged(logged, lost) => {
                put(&[*lost, logged.len() as u64]);
                logged.iter().for_each(|one| one.put(&mut bytes));
            }
            Section::Seen(seen) => seen.put(&mut bytes),
            Section::Unknown(_) => {}
        }
        bytes
    }

    pub(crate) fn new(kind: u8, payload: &[u8]) -> Option<Section> {
        let mut rest = payload;
        let rest = &mut rest;
        let text = |rest: &[u8]| String::from_utf8_lossy(rest).into_owned();
        let small = |rest: &mut &[u8]| varint::take(rest)?.try_into().ok();
        let section = match kind {
            PROCESS => Section::Process(serde_json::from_slice(payload).ok()?),
            2 => Section::Functions(list(varint::take(rest)?, || Function::take(rest))?),
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
                let task = || {
                    let activation = small(rest)?;
                    let length = usize::try_from(varint::take(rest)?).ok()?;
                    let (name, behind) = rest.split_at_checked(length)?;
                    *rest = behind;
                    Some((activation, text(name)))
                };
                Section::Tasks(list(count, task)?)
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
            14 => Section::Steps(list(varint::take(rest)?, || Step::take(rest))?),
            15 => Section::Snapshot(Snapshot {
                ticks: varint::take(rest)?,
                resident: varint::take(rest)?,
                peak_ticks: varint::take(rest)?,
                length: small(rest)?,
                frame: rest.to_vec(),
            }),
            16 => {
                let (lost, count) = (varint::take(rest)?, varint::take(rest)?);
                Section::Logged(list(count, || Logged::take(rest))?, lost)
            }
            17 => Section::Most(Most { held: varint::take(rest)?, ticks: varint::take(rest)? }),
            kind => Section::Unknown(kind),
        };
        Some(section)
    }
}

/// As many as there should be.
fn list<T>(count: u64, mut take: impl FnMut() -> Option<T>) -> Option<Vec<T>> {
    let all: Vec<T> = (0..count).map_while(|_| take()).collect();
    (all.len() as u64 == count).then_some(all)
}
