//! Numbered names: each is told in the packet that needs it first.

use hashbrown::HashMap;
use profile::{FrameId, Profile};

use super::writer::put;
use crate::readers::perfetto::schema::interned;
use crate::wire::MessageWriter;

#[derive(Default)]
pub(super) struct Tables {
    strings: HashMap<(u64, String), u64>,
    /// Places by file and line.
    sources: HashMap<(String, u32), u64>,
    /// What the packet at hand has to tell.
    pub(super) told: MessageWriter,
}

impl Tables {
    /// The number of a text in a table.
    pub(super) fn string(&mut self, table: u64, text: &str) -> u64 {
        let key = (table, text.to_owned());
        if let Some(&known) = self.strings.get(&key) {
            return known;
        }
        let number = self.strings.len() as u64 + 1;
        let mut entry = MessageWriter::default();
        put(&mut entry, 1, number);
        entry.bytes(2, text.as_bytes());
        self.told.bytes(table, &entry.bytes);
        self.strings.insert(key, number);
        number
    }

    /// The number of the place of a frame; none if it is not known.
    pub(super) fn source(&mut self, profile: &Profile, frame: FrameId) -> Option<u64> {
        let (file, line) = (profile.frame_file(frame), profile.frames.line[frame.index()]);
        if file.is_empty() && line == 0 {
            return None;
        }
        let key = (file.to_owned(), line);
        let next = self.sources.len() as u64 + 1;
        let number = *self.sources.entry(key).or_insert(next);
        if number == next {
            let mut entry = MessageWriter::default();
            put(&mut entry, 1, number);
            entry.text(2, file);
            entry.integer(4, line.into());
            self.told.bytes(interned::SOURCE_LOCATIONS, &entry.bytes);
        }
        Some(number)
    }
}
