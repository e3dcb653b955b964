//! Sections of files.

use std::io::{self, Read};

use crate::facts::{Facts, Function};
use crate::{Logged, varint};

/// What each process begins with.
pub const MAGIC: &[u8; 18] = b"hotframe calls 1\r\n";

/// Why a trace has less in it than its end says: the thread that began it was left to another profiler.
pub const REPLACED: &str = "another profiler took the tracer's place";

/// No payload has more bytes.
pub const MOST_PAYLOAD: usize = 1 << 25;

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

/// Why there is no further section.
#[derive(Debug, thiserror::Error)]
pub enum SectionError {
    /// Not such a file.
    #[error("it does not begin as a trace of calls does")]
    Magic,
    /// It ends inside of a section, or of one that is none.
    #[error("it ends at byte {0}, inside of a section")]
    Cut(u64),
    /// A section that is too long or does not hold what it says.
    #[error("the section at byte {at} is damaged: {what}")]
    Damaged {
        /// Where the section begins.
        at: u64,
        /// What is wrong with it.
        what: &'static str,
    },
    /// It cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl Section {
    /// The bytes of the section; those of a process with the magic before.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let (kind, payload) = self.payload();
        let mut bytes = vec![];
        if matches!(self, Section::Process(_)) {
            bytes.extend(MAGIC);
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
                1
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
                7
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
            Section::Logged(logged, lost) => {
                put(&[*lost, logged.len() as u64]);
                logged.iter().for_each(|one| one.put(&mut bytes));
                12
            }
            Section::Unknown(kind) => *kind,
        };
        (kind, bytes)
    }

    fn of(kind: u8, payload: &[u8]) -> Option<Section> {
        let mut rest = payload;
        let rest = &mut rest;
        let text = |rest: &[u8]| String::from_utf8_lossy(rest).into_owned();
        let small = |rest: &mut &[u8]| varint::take(rest)?.try_into().ok();
        let section = match kind {
            1 => Section::Process(serde_json::from_slice(payload).ok()?),
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
            7 => Section::Demoted(Demotion {
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
            12 => {
                let (lost, count) = (varint::take(rest)?, varint::take(rest)?);
                let all: Vec<_> = (0..count).map_while(|_| Logged::take(rest)).collect();
                (all.len() as u64 == count).then_some(Section::Logged(all, lost))?
            }
            kind => Section::Unknown(kind),
        };
        Some(section)
    }
}

/// Reads a file section by section.
#[derive(Debug)]
pub struct SectionReader<R> {
    source: R,
    at: u64,
}

impl<R: Read> SectionReader<R> {
    /// Reads from the start of a file.
    pub fn new(source: R) -> SectionReader<R> {
        SectionReader { source, at: 0 }
    }

    /// The next section; none at the end.
    ///
    /// # Errors
    /// There is none, though the file goes on. Nothing can be read behind.
    pub fn section(&mut self) -> Result<Option<Section>, SectionError> {
        let at = self.at;
        let mut kind = [0];
        if self.fill(&mut kind)? == 0 {
            return if at == 0 { Err(SectionError::Magic) } else { Ok(None) };
        }
        if kind[0] == MAGIC[0] {
            let mut rest = [0; MAGIC.len()];
            let got = self.fill(&mut rest)?;
            if rest[..MAGIC.len() - 1] != MAGIC[1..] {
                return Err(match (at, got) {
                    (0, _) => SectionError::Magic,
                    (_, got) if got < rest.len() => SectionError::Cut(self.at),
                    _ => SectionError::Damaged { at, what: "a process begins otherwise" },
                });
            }
            kind[0] = rest[MAGIC.len() - 1];
            if got < rest.len() {
                return Err(SectionError::Cut(self.at));
            }
            if kind[0] != 1 {
                return Err(SectionError::Damaged { at, what: "a process does not come first" });
            }
        } else if at == 0 {
            return Err(SectionError::Magic);
        }
        let mut length = [0; 4];
        if self.fill(&mut length)? < 4 {
            return Err(SectionError::Cut(self.at));
        }
        let length = u32::from_le_bytes(length) as usize;
        if length > MOST_PAYLOAD {
            return Err(SectionError::Damaged { at, what: "it is longer than any is" });
        }
        let mut payload = vec![];
        self.at += (&mut self.source).take(length as u64).read_to_end(&mut payload)? as u64;
        if payload.len() < length {
            return Err(SectionError::Cut(self.at));
        }
        let section = Section::of(kind[0], &payload);
        section.map(Some).ok_or(SectionError::Damaged { at, what: "it does not hold what it says" })
    }

    fn fill(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let mut got = 0;
        while got < bytes.len() {
            match self.source.read(&mut bytes[got..]) {
                Ok(0) => break,
                Ok(more) => got += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.at += got as u64;
        Ok(got)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FunctionKind;

    fn all() -> Vec<Section> {
        let function = Function {
            number: 3,
            kind: FunctionKind::Coroutine,
            name: "A.run".into(),
            module: String::new(),
            file: "a.py".into(),
            line: 700,
        };
        vec![
            Section::Process(Facts { pid: 7, limit: 10_000, ..Facts::default() }),
            Section::Functions(vec![function, Function::default()]),
            Section::Thread { number: 1, id: 1 << 40, name: "main".into() },
            Section::Events { thread: 1, start: 99, events: 2, length: 5, frame: vec![1, 2, 3] },
            Section::Anchor(Anchor { ticks: u64::MAX, monotonic_ns: 5, wall_ns: 6 }),
            Section::Gap(Gap { thread: 1, first: 5, last: 1000, events: 70_000 }),
            Section::Demoted(Demotion { function: 3, ticks: 1, calls: 10_000 }),
            Section::Tasks(vec![(1, "Task-1".into()), (5, String::new())]),
            Section::Logged(vec![Logged { ticks: 5, values: "{}".into(), ..Logged::default() }], 7),
            Section::End { reason: "exit".into(), events: 2, sites: 0 },
            Section::Process(Facts::default()),
        ]
    }

    #[test]
    fn sections_come_back_and_a_cut_file_is_read_up_to_the_cut() {
        let sections = all();
        let bytes: Vec<u8> = sections.iter().flat_map(Section::bytes).collect();
        let mut ends = vec![0];
        for section in &sections {
            ends.push(ends.last().unwrap() + section.bytes().len());
        }
        for cut in 0..=bytes.len() {
            let mut reader = SectionReader::new(&bytes[..cut]);
            let mut told = vec![];
            let error = loop {
                match reader.section() {
                    Ok(Some(section)) => told.push(section),
                    Ok(None) => break None,
                    Err(error) => break Some(error),
                }
            };
            let whole = ends.iter().filter(|&&end| end > 0 && end <= cut).count();
            assert_eq!(told, sections[..whole], "cut at {cut}");
            assert_eq!(error.is_none(), cut > 0 && ends.contains(&cut), "cut at {cut}: {error:?}");
        }
    }

    #[test]
    fn what_is_damaged_is_told() {
        let mut bytes = all()[0].bytes();
        bytes.extend([2, 255, 255, 255, 255]);
        let mut reader = SectionReader::new(&bytes[..]);
        assert!(reader.section().unwrap().is_some());
        let error = reader.section().unwrap_err().to_string();
        assert_eq!(
            error,
            format!("the section at byte {} is damaged: it is longer than any is", bytes.len() - 5)
        );
        let mut other = SectionReader::new(&b"hotframe calls 2"[..]);
        assert!(matches!(other.section(), Err(SectionError::Magic)));
    }
}
