//! A recording of accesses as a document.

use std::io::BufReader;
use std::sync::{Arc, Mutex};

use locality::{Lackey, LackeyError, Line, Range, Recording, Regions};
use protocol::{AccessesProgram, ErrorCode, ProtocolError};

use super::arrays::KnownArrays;
use super::run;
use crate::kinds::accesses::part::bad;
use crate::kinds::{Kind, KindOf, OpenDocument};
use crate::opening::Opening;
use crate::{Input, lock};

/// Accesses that valgrind's lackey recorded.
pub(crate) const KIND: Kind = Kind {
    name: "accesses",
    noun: "recording of accesses",
    recognises: |head, _| locality::is_lackey(head),
    read: |input, opening| Ok(Arc::new(RecordedDocument::read(input, opening)?)),
};

/// Why loops are asked for in vain.
pub(in crate::kinds::accesses) const NO_LOOPS: &str = "a recorded trace has no loops to change";

/// Lines between two looks at memory.
const LOOK_EVERY: u64 = 1 << 16;

/// An open recording.
#[derive(Debug)]
pub struct RecordedDocument {
    title: String,
    pub(super) recording: Recording,
    pub(super) known: KnownArrays,
    /// Whether it tells how the program ended.
    pub(super) has_ended: bool,
    /// Those of the ranges that were asked for last.
    regions: Mutex<Option<(Vec<String>, Arc<Regions>)>>,
}

impl OpenDocument for RecordedDocument {
    fn kind(&self) -> &'static Kind {
        &KIND
    }

    fn title(&self) -> &str {
        &self.title
    }
}

impl KindOf for RecordedDocument {
    const KIND: Kind = KIND;
}

impl RecordedDocument {
    fn read(input: Input, opening: &Opening<'_>) -> Result<RecordedDocument, ProtocolError> {
        let title = opening.title().to_owned();
        let refused =
            |code: ErrorCode, why: String| ProtocolError::new(code, format!("{title}: {why}"));
        let Input::File(bytes, _) = input else {
            let why = "it is a folder, and a recording of accesses is a file".to_owned();
            return Err(refused(ErrorCode::Unreadable, why));
        };
        let unreadable = |error: LackeyError| refused(ErrorCode::Unreadable, error.to_string());
        let known = opening.reading.arrays.clone();
        let entry = known.entry.as_ref().map(|entry| entry.address);
        let options = opening.options();
        let mut lackey =
            Lackey::new(BufReader::with_capacity(1 << 18, opening.watch().watch(bytes)));
        let (mut recording, mut has_begun, mut lines) = (Recording::default(), false, 0u64);
        while let Some(line) = lackey.next().map_err(unreadable)? {
            has_begun |= matches!(line, Line::Instruction(address) if Some(address) == entry);
            recording.push(line).map_err(|error| refused(ErrorCode::Limit, error.to_string()))?;
            lines += 1;
            if lines.is_multiple_of(LOOK_EVERY) && recording.heap_bytes() > options.max_memory {
                let error = options.out_of_memory("recorded accesses");
                return Err(refused(ErrorCode::Limit, error.to_string()));
            }
        }
        recording.check().map_err(|error| refused(ErrorCode::Limit, error.to_string()))?;
        if recording.count() == 0 {
            let why = "it has no data accesses: record with --tool=lackey --trace-mem=yes";
            return Err(refused(ErrorCode::Unreadable, why.to_owned()));
        }
        if let Some(entry) = known.entry.as_ref().filter(|_| !has_begun) {
            return Err(refused(ErrorCode::BadRequest, entry.refusal.clone()));
        }
        let has_ended = lackey.has_ended();
        Ok(RecordedDocument { title, recording, known, has_ended, regions: Mutex::default() })
    }

    /// The containers of a request.
    pub(super) fn regions(&self, program: &AccessesProgram) -> Result<Arc<Regions>, ProtocolError> {
        if !program.changes.is_empty() {
            return Err(bad(NO_LOOPS));
        }
        if !program.schedule.is_empty() {
            return Err(bad("a recorded trace has the order in which it was recorded"));
        }
        if let Some((_, known)) =
            lock(&self.regions).as_ref().filter(|(of, _)| *of == program.ranges)
        {
            return Ok(known.clone());
        }
        let mut ranges = self.known.all.clone();
        for range in &program.ranges {
            let Range(own) = range.parse().map_err(bad::<locality::RangeError>)?;
            ranges.push(own);
        }
        let found = Arc::new(Regions::new(&self.recording, &ranges).map_err(run::not_simulated)?);
        *lock(&self.regions) = Some((program.ranges.clone(), found.clone()));
        Ok(found)
    }
}
