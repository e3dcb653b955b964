//! Tar archives, opened as folders.

use std::collections::BTreeMap;
use std::io::{Cursor, Read};
use std::ops::Range;

use ::tar::{Archive, EntryType};

use crate::{Folder, FolderFile, Place, ReadError};

/// An archive in memory.
pub(crate) struct TarFolder {
    bytes: Vec<u8>,
    files: Vec<FolderFile>,
    /// Where each of the files is.
    places: Vec<Range<usize>>,
}

impl TarFolder {
    /// Links and files with holes are not profiles, and not among the files. Of files of the same name the last
    /// one counts, as where an archive is unpacked.
    pub(crate) fn new(bytes: Vec<u8>) -> Result<Self, ReadError> {
        let mut found = BTreeMap::new();
        let mut archive = Archive::new(Cursor::new(&bytes[..]));
        for entry in archive.entries().map_err(damaged)? {
            let entry = entry.map_err(damaged)?;
            let is_file =
                matches!(entry.header().entry_type(), EntryType::Regular | EntryType::Continuous);
            if !is_file {
                continue;
            }
            let path = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
            let path = path.trim_start_matches("./").to_owned();
            let start = entry.raw_file_position();
            let end = start.saturating_add(entry.size());
            let place = usize::try_from(start).ok().zip(usize::try_from(end).ok());
            let place = place.filter(|&(_, end)| end <= bytes.len());
            let Some((start, end)) = place else {
                return Err(ReadError::Truncated {
                    format: "tar",
                    place: Place(bytes.len() as u64),
                    reason: format!("in the middle of {path}"),
                });
            };
            found.insert(path, start..end);
        }
        let file = |(path, place): (String, Range<usize>)| {
            (FolderFile { path, size: place.len() as u64 }, place)
        };
        let (files, places) = found.into_iter().map(file).unzip();
        Ok(TarFolder { bytes, files, places })
    }
}

impl Folder for TarFolder {
    fn files(&self) -> &[FolderFile] {
        &self.files
    }

    fn open(&self, path: &str) -> std::io::Result<Box<dyn Read + Send + '_>> {
        let at = self.files.binary_search_by(|file| file.path.as_str().cmp(path)).ok();
        let place = at.map(|at| self.places[at].clone()).ok_or(std::io::ErrorKind::NotFound)?;
        Ok(Box::new(Cursor::new(&self.bytes[place])))
    }
}

fn damaged(error: std::io::Error) -> ReadError {
    ReadError::Container { container: "tar", place: Place(0), reason: error.to_string() }
}
