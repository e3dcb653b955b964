//! The line table of a unit.

use std::sync::Arc;

use gimli::{ColumnType, DebugLineOffset, LineProgramHeader};
use rustc_hash::FxHashSet;

use super::debug::shared;
use super::debug_file::{Bytes, Damaged, DebugFile, Root};
use super::extent::Code;
use crate::budget::Budget;

/// Longer paths are not paths.
const MAX_PATH: usize = 4096;

/// A place in a source file; 0 where it is not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    /// A number in the unit's table of files.
    pub(super) file: u64,
    pub(super) line: u32,
    pub(super) column: u32,
}

/// The code from `address` to that of the next row.
struct Row {
    address: u64,
    file: u32,
    line: u32,
    column: u32,
}

/// Rows of code without gaps.
struct Sequence {
    begin: u64,
    end: u64,
    rows: std::ops::Range<usize>,
}

/// Where the code of a unit comes from.
pub(super) struct Lines {
    header: LineProgramHeader<Bytes>,
    /// By where they begin.
    sequences: Vec<Sequence>,
    rows: Vec<Row>,
    /// Paths that were asked for.
    files: Vec<Option<Arc<str>>>,
}

impl Lines {
    pub(super) fn read(
        file: &DebugFile,
        root: &Root,
        offset: DebugLineOffset,
        code: &Code,
        budget: &mut Budget,
    ) -> Result<Self, Damaged> {
        let address_size = root.unit.header.address_size();
        let program = file.line_program(offset, address_size)?;
        let header = program.header().clone();
        budget.take(header.header_length() as u64)?;
        let (mut sequences, mut rows) = (vec![], Vec::<Row>::new());
        let mut first = 0;
        let mut program = program.rows();
        loop {
            budget.take(1)?;
            let Some((_, row)) = program.next_row()? else { break };
            let address = row.address();
            if row.end_sequence() {
                if let Some(begin) = rows.get(first).map(|row| row.address)
                    && begin < address
                    && code.holds(begin)
                {
                    sequences.push(Sequence { begin, end: address, rows: first..rows.len() });
                }
                first = rows.len();
                continue;
            }
            let one = Row {
                address,
                file: u32::try_from(row.file_index()).unwrap_or(u32::MAX),
                line: row.line().map_or(0, |line| u32::try_from(line.get()).unwrap_or(0)),
                column: match row.column() {
                    ColumnType::LeftEdge => 0,
                    ColumnType::Column(column) => u32::try_from(column.get()).unwrap_or(0),
                },
            };
            // Of several rows of one address, the last is that of its code.
            match rows[first..].last_mut() {
                Some(last) if last.address == address => *last = one,
                _ => rows.push(one),
            }
        }
        for sequence in &sequences {
            // Addresses grow in a sequence; those of a damaged one are put in order.
            rows[sequence.rows.clone()].sort_by_key(|row| row.address);
        }
        sequences.sort_unstable_by_key(|sequence| (sequence.begin, sequence.end));
        rows.shrink_to_fit();
        Ok(Self { header, sequences, rows, files: vec![] })
    }

    /// About how many bytes this takes, with the program that it is made of.
    pub(super) fn size(&self) -> usize {
        let files = size_of_val(self.header.file_names()) + self.header.unit_length();
        files + size_of_val(&*self.rows) + size_of_val(&*self.sequences)
    }

    /// Begin and end of all code that the table tells of.
    pub(super) fn ranges(&self) -> impl Iterator<Item = (u64, u64)> {
        self.sequences.iter().map(|sequence| (sequence.begin, sequence.end))
    }

    /// Where the code at an address comes from.
    pub(super) fn at(&self, address: u64) -> Option<Place> {
        let after = self.sequences.partition_point(|sequence| sequence.begin <= address);
        let mut near = self.sequences[..after].iter().rev().take(4);
        let sequence = near.find(|sequence| address < sequence.end)?;
        let rows = &self.rows[sequence.rows.clone()];
        let row = rows[..rows.partition_point(|row| row.address <= address)].last()?;
        let known = row.line != 0;
        Some(Place {
            file: u64::from(row.file),
            line: row.line,
            column: if known { row.column } else { 0 },
        })
    }

    /// The path of a file of the table.
    pub(super) fn file(
        &mut self,
        debug: &DebugFile,
        root: &Root,
        index: u64,
        texts: &mut FxHashSet<Arc<str>>,
    ) -> Option<Arc<str>> {
        let slot = usize::try_from(index).ok()?;
        if slot > self.header.file_names().len() {
            return None;
        }
        if self.files.len() <= slot {
            self.files.resize(slot + 1, None);
        }
        if self.files[slot].is_none() {
            self.files[slot] = self.path(debug, root, index).map(|path| shared(&path, texts));
        }
        self.files[slot].clone()
    }

    fn path(&self, debug: &DebugFile, root: &Root, index: u64) -> Option<String> {
        let file = self.header.file(index)?;
        let text = |value| debug.text(&root.unit, &value).filter(|text| text.len() <= MAX_PATH);
        let mut path = root.folder.clone().and_then(text).unwrap_or_default();
        // The first folder is that of the compilation.
        if file.directory_index() != 0
            && let Some(folder) = file.directory(&self.header).and_then(text)
        {
            join(&mut path, &folder);
        }
        join(&mut path, &text(file.path_name())?);
        Some(path)
    }
}

/// Goes on from a folder, or begins anew.
fn join(path: &mut String, part: &str) {
    let is_windows = |path: &str| path.starts_with('\\') || path.get(1..3) == Some(":\\");
    if part.starts_with('/') || is_windows(part) || part.get(1..3) == Some(":/") {
        path.clear();
    } else if !path.is_empty() && !path.ends_with(['/', '\\']) {
        path.push(if is_windows(path) { '\\' } else { '/' });
    }
    path.push_str(part);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_go_on_or_begin_anew() {
        let joined = |parts: &[&str]| {
            let mut path = String::new();
            parts.iter().for_each(|part| join(&mut path, part));
            path
        };
        assert_eq!(joined(&["/build", "src", "a.c"]), "/build/src/a.c");
        assert_eq!(joined(&["/build/", "/usr/include", "b.h"]), "/usr/include/b.h");
        assert_eq!(joined(&["C:\\build", "a.c"]), "C:\\build\\a.c");
        assert_eq!(joined(&["a.c"]), "a.c");
    }
}
