//! What a format is: how it is recognised, read and written, and what of it reaches the profile.

use std::io::Write;

use profile::Profile;

use crate::error::{ReadError, WriteError};
use crate::features::Carries;
use crate::input::folder::{Folder, FolderFile};
use crate::input::stream::Stream;
use crate::limits::ReadOptions;
use crate::warnings::Warnings;

/// One format.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// Short name, as options take it.
    pub name: &'static str,
    /// One line for people.
    pub title: &'static str,
    /// Usual file name endings, without the leading dot.
    pub extensions: &'static [&'static str],
    /// What of it reaches the profile, for the table of formats.
    pub about: About,
    /// How it is read, if it is.
    pub(crate) reader: Option<Reader>,
    /// How a folder of its files is read as one profile, if it is.
    pub(crate) folder: Option<FolderReader>,
    /// How it is written, if it is.
    pub(crate) writer: Option<Writer>,
}

/// What people should know of a format, as plain text; empty where there is nothing to say.
#[derive(Debug, Clone, Copy)]
pub struct About {
    /// What is carried into the profile.
    pub carries: &'static str,
    /// What is estimated or derived.
    pub estimates: &'static str,
    /// What is skipped.
    pub skips: &'static str,
    /// The tools whose figures the reader is checked against.
    pub checked_against: &'static str,
}

impl About {
    /// Nothing to say.
    pub(crate) const NONE: About =
        About { carries: "", estimates: "", skips: "", checked_against: "" };
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Reader {
    /// Judges the first bytes (at most [`SNIFF_BYTES`]) and the file name.
    pub(crate) sniff: fn(head: &[u8], file_name: &str) -> Sniff,
    pub(crate) read: fn(Stream, &ReadOptions, &mut Warnings) -> Result<Profile, ReadError>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct FolderReader {
    /// Judges the names in a folder.
    pub(crate) sniff: fn(&[FolderFile]) -> Sniff,
    pub(crate) read: fn(&dyn Folder, &ReadOptions, &mut Warnings) -> Result<Profile, ReadError>,
    /// Whether a file of this name is a part of such a folder: who opens the file means the folder.
    pub(crate) is_part: fn(file_name: &str) -> bool,
    /// The names of all files that belong to a part of that name; empty if all of the folder does.
    pub(crate) siblings: fn(file_name: &str) -> Vec<String>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Writer {
    pub(crate) carries: Carries,
    /// The files it writes; one, but for tables.
    pub(crate) parts: &'static [Part],
}

/// One of the files that a format writes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Part {
    /// What it holds; empty if it is the only one.
    pub(crate) name: &'static str,
    pub(crate) write: fn(&Profile, &mut dyn Write) -> Result<(), WriteError>,
}

/// What a format says of the first bytes of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Sniff {
    /// Surely not.
    No,
    /// Could be: taken if nobody is sure.
    Maybe,
    /// Surely.
    Yes,
}

/// How many bytes a format may look at to recognise itself.
pub const SNIFF_BYTES: usize = 64 << 10;

impl Format {
    /// Whether files of this format can be read.
    pub fn reads(&self) -> bool {
        self.reader.is_some() || self.folder.is_some()
    }

    /// Whether files of this format can be written.
    pub fn writes(&self) -> bool {
        self.writer.is_some()
    }

    /// What a written file keeps of a profile; none for formats that are only read.
    pub fn carries(&self) -> Option<Carries> {
        self.writer.map(|writer| writer.carries)
    }

    /// What writing `profile` would lose, counted.
    pub fn losses(&self, profile: &Profile) -> Warnings {
        self.writer.map_or_else(Warnings::default, |writer| writer.carries.losses(profile))
    }

    /// The names of the files that are written: one empty name for a format that writes one file,
    /// none for a format that writes none.
    pub fn parts(&self) -> impl Iterator<Item = &'static str> {
        self.writer.map_or(&[][..], |writer| writer.parts).iter().map(|part| part.name)
    }

    /// Writes `profile`; [`Format::losses`] tells beforehand what is left out.
    pub fn write(&self, profile: &Profile, out: &mut dyn Write) -> Result<(), WriteError> {
        self.write_part("", profile, out)
    }

    /// Writes one of several files, by its name in [`Format::parts`].
    pub fn write_part(
        &self,
        part: &str,
        profile: &Profile,
        out: &mut dyn Write,
    ) -> Result<(), WriteError> {
        let Some(writer) = self.writer else { return Err(WriteError::ReadOnly(self.name)) };
        match writer.parts.iter().find(|known| known.name == part) {
            Some(part) => (part.write)(profile, out),
            None => Err(WriteError::SeveralFiles(self.name)),
        }
    }
}
