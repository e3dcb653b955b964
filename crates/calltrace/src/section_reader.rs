//! Files, section by section.

use std::io::{self, Read};

use crate::section::{HOLDER, MAGIC, MEMORY_MAGIC, PROCESS, Section};

/// No payload has more bytes.
pub const MOST_PAYLOAD: usize = 1 << 25;

/// Why there is no further section.
#[derive(Debug, thiserror::Error)]
pub enum SectionError {
    /// Not such a file.
    #[error("it does not begin like a trace of calls")]
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
            let is_of = |magic: &[u8]| rest[..magic.len() - 1] == magic[1..];
            let first = match () {
                () if is_of(MAGIC) => Some(PROCESS),
                () if is_of(MEMORY_MAGIC) => Some(HOLDER),
                () => None,
            };
            let Some(first) = first else {
                return Err(match (at, got) {
                    (0, _) => SectionError::Magic,
                    (_, got) if got < rest.len() => SectionError::Cut(self.at),
                    _ => SectionError::Damaged { at, what: "a process begins otherwise" },
                });
            };
            kind[0] = rest[MAGIC.len() - 1];
            if got < rest.len() {
                return Err(SectionError::Cut(self.at));
            }
            if kind[0] != first {
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
        let section = Section::new(kind[0], &payload);
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
    use crate::memory::{Most, Snapshot, Step};
    use crate::{
        Anchor, Demotion, Facts, Function, FunctionKind, Gap, Logged, Node, Rounds, Seen, SeenRun,
        Stacks,
    };

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
            Section::End { reason: "exit".into(), events: 2, sites: 0 },
            Section::Process(Facts::default()),
            Section::Stacks(Stacks {
                texts: vec!["run".into(), "a.py".into()],
                nodes: vec![Node { around: None, name: 0, file: 1, line: 7 }],
            }),
            Section::Rounds(Rounds { period_ns: 5_000_000, slack_ns: 9, times_us: vec![5, 9, 70] }),
            Section::Seen(Seen {
                thread: 9,
                runs: vec![SeenRun { begin: 1, rounds: 2, stack: 0 }],
            }),
            Section::Logged(vec![Logged { ticks: 5, values: "{}".into(), ..Logged::default() }], 7),
            Section::Holder { facts: Facts { pid: 8, ..Facts::default() }, mean: 1 << 16 },
            Section::Steps(vec![Step { parent: u32::MAX, function: u32::MAX - 2, line: 9 }]),
            Section::Most(Most { held: 9, ticks: 6 }),
            Section::Snapshot(Snapshot { ticks: 7, frame: vec![1, 2], ..Snapshot::default() }),
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
    fn reports_what_is_damaged() {
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
