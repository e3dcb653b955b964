//! The file's tables as they stand in it.

use profile::{Label, Module, ProfileBuilder, StringId};

use crate::readers::pprof::stack_worker::StackWorker;

/// The file's tables as they stand in it.
pub(super) struct RawProfile {
    /// Label sets (naming raw strings) and points are built on the way.
    pub(super) builder: ProfileBuilder,
    pub(super) stacks: StackWorker,
    pub(super) sample_types: Vec<RawValueType>,
    pub(super) mappings: Vec<RawMapping>,
    pub(super) functions: Vec<RawFunction>,
    pub(super) locations: Vec<RawLocation>,
    pub(super) lines: Vec<RawLine>,
    /// By raw index.
    pub(super) strings: Vec<StringId>,
    pub(super) first_string_empty: bool,
    pub(super) largest_label_string: RawString,
    pub(super) drop_frames: RawString,
    pub(super) keep_frames: RawString,
    pub(super) default_type: RawString,
    pub(super) doc_url: RawString,
    pub(super) comments: Vec<RawString>,
    pub(super) period_type: Option<RawValueType>,
    // Taken and put back for each sample, so that no sample allocates.
    pub(super) ids: Vec<u64>,
    pub(super) values: Vec<i64>,
    pub(super) labels: Vec<Label>,
}

/// An index into the string table, not yet checked, with the place that names it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct RawString {
    pub(super) index: u64,
    pub(super) place: u64,
}

#[derive(Debug, Default)]
pub(super) struct RawMapping {
    pub(super) id: u64,
    pub(super) module: Module,
    pub(super) name: RawString,
    pub(super) build_id: RawString,
}

#[derive(Debug, Default)]
pub(super) struct RawFunction {
    pub(super) id: u64,
    pub(super) name: RawString,
    pub(super) system_name: RawString,
    pub(super) file: RawString,
    pub(super) start_line: u64,
}

#[derive(Debug, Default)]
pub(super) struct RawLocation {
    pub(super) id: u64,
    pub(super) mapping: u64,
    pub(super) address: u64,
    pub(super) folded: bool,
    /// Range in `RawProfile::lines`.
    pub(super) lines: (usize, usize),
}

#[derive(Debug, Default)]
pub(super) struct RawLine {
    pub(super) function: u64,
    pub(super) line: u64,
    pub(super) column: u64,
}

#[derive(Debug, Default, Clone, Copy)]
pub(super) struct RawValueType {
    pub(super) kind: RawString,
    pub(super) unit: RawString,
}

/// Bytes of a location, a line and a function after joining, with the indexes that joining needs.
const JOINED_LOCATION: usize = 64;
const JOINED_LINE: usize = 32;
const JOINED_FUNCTION: usize = 64;

impl RawProfile {
    pub(super) fn new() -> Self {
        RawProfile {
            builder: ProfileBuilder::default(),
            stacks: StackWorker::default(),
            sample_types: vec![],
            mappings: vec![],
            functions: vec![],
            locations: vec![],
            lines: vec![],
            strings: vec![],
            first_string_empty: true,
            largest_label_string: RawString::default(),
            drop_frames: RawString::default(),
            keep_frames: RawString::default(),
            default_type: RawString::default(),
            doc_url: RawString::default(),
            comments: vec![],
            period_type: None,
            ids: vec![],
            values: vec![],
            labels: vec![],
        }
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.builder.heap_bytes()
            + self.stacks.heap_bytes()
            + self.strings.capacity() * size_of::<StringId>()
            + self.locations.capacity() * size_of::<RawLocation>()
            + self.lines.capacity() * size_of::<RawLine>()
            + self.functions.capacity() * size_of::<RawFunction>()
            + self.mappings.capacity() * size_of::<RawMapping>()
            + self.sample_types.capacity() * size_of::<RawValueType>()
            + self.comments.capacity() * size_of::<RawString>()
            // What joining them makes of them: tables, and indexes by their ids.
            + self.locations.len() * JOINED_LOCATION
            + self.lines.len() * JOINED_LINE
            + self.functions.len() * JOINED_FUNCTION
    }
}
