//! Bytes to and from [`Profile`]: one module a format, listed in [`FORMATS`].
//!
//! [`read`] opens containers (gzip, zstd, xz, bzip2) and archives (zip, tar), decodes UTF-16, asks
//! every format whether it knows the first bytes and lets the one that does read the rest as a
//! stream. Readers never panic on bytes: what cannot be read is a [`ReadError`] with its place, what
//! could be repaired is a warning.

mod call_graph;
mod combining;
mod container;
mod csv_table;
mod decimal;
mod elsewhere;
mod encoding;
mod error;
mod features;
mod folder;
mod frame_tree;
mod guard;
mod id_index;
mod inclusive;
mod indented;
mod intervals;
mod json;
mod left_out;
mod limits;
mod lines;
mod named;
mod nesting;
mod parents;
mod path;
mod readers;
mod scale;
mod schedule;
mod separated;
mod span_records;
mod span_tracks;
mod spans;
mod stack_walker;
mod stream;
#[cfg(feature = "rare")]
mod tar;
mod thread_states;
mod thread_tracks;
mod v8_nodes;
mod warnings;
mod whole_unit;
mod wire;
mod zip;

use std::io::{Read, Write};

use profile::Profile;

pub use csv_table::CsvTable;
pub use error::{Place, ReadError, WriteError};
pub use features::{Carries, Feature};
pub use folder::{
    Folder, FolderFile, is_folder_part, is_spread, part_siblings, read_folder, read_folder_each,
};
pub use limits::ReadOptions;
pub use readers::FORMATS;
pub use stack_walker::{CopiedStack, StackEnd, StackMapping, StackWalker, StackWalkers};
pub use warnings::{Warning, Warnings};

use container::Container;
use stream::Stream;

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
    reader: Option<Reader>,
    /// How a folder of its files is read as one profile, if it is.
    folder: Option<FolderReader>,
    /// How it is written, if it is.
    writer: Option<Writer>,
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
    const NONE: About = About { carries: "", estimates: "", skips: "", checked_against: "" };
}

#[derive(Debug, Clone, Copy)]
struct Reader {
    /// Judges the first bytes (at most [`SNIFF_BYTES`]) and the file name.
    sniff: fn(head: &[u8], file_name: &str) -> Sniff,
    read: fn(Stream, &ReadOptions, &mut Warnings) -> Result<Profile, ReadError>,
}

#[derive(Debug, Clone, Copy)]
struct FolderReader {
    /// Judges the names in a folder.
    sniff: fn(&[FolderFile]) -> Sniff,
    read: fn(&dyn Folder, &ReadOptions, &mut Warnings) -> Result<Profile, ReadError>,
    /// Whether a file of this name is a part of such a folder: who opens the file means the folder.
    is_part: fn(file_name: &str) -> bool,
    /// The names of all files that belong to a part of that name; empty if all of the folder does.
    siblings: fn(file_name: &str) -> Vec<String>,
}

#[derive(Debug, Clone, Copy)]
struct Writer {
    carries: Carries,
    /// The files it writes; one, but for tables.
    parts: &'static [Part],
}

/// One of the files that a format writes.
#[derive(Debug, Clone, Copy)]
struct Part {
    /// What it holds; empty if it is the only one.
    name: &'static str,
    write: fn(&Profile, &mut dyn Write) -> Result<(), WriteError>,
}

/// What a format says of the first bytes of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sniff {
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

/// The format called `name`.
pub fn format_named(name: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.name == name)
}

/// The format that `file_name` ends like, the longest ending first.
pub fn format_for_file_name(file_name: &str) -> Option<&'static Format> {
    let lower = file_name.to_ascii_lowercase();
    let ending = |format: &Format| {
        let matching =
            format.extensions.iter().filter(|ending| lower.ends_with(&format!(".{ending}")));
        matching.map(|ending| ending.len()).max()
    };
    FORMATS.iter().filter(|f| ending(f).is_some()).max_by_key(|f| ending(f))
}

/// The formats that take the file which starts with `head`: those that are sure, or else those that
/// think it possible. [`read`] takes the first.
pub fn claims(head: &[u8], file_name: &str) -> Vec<&'static str> {
    let head = &*encoding::head(head);
    let judged = FORMATS.iter().filter_map(|format| {
        let judgement = (format.reader?.sniff)(head, file_name);
        (judgement != Sniff::No).then_some((format.name, judgement))
    });
    let judged: Vec<_> = judged.collect();
    let best = judged.iter().map(|&(_, judgement)| judgement).max();
    let strongest = judged.into_iter().filter(|&(_, judgement)| Some(judgement) == best);
    strongest.map(|(name, _)| name).collect()
}

/// A profile that was read.
#[derive(Debug)]
pub struct Opened {
    /// The profile.
    pub profile: Profile,
    /// What was repaired or skipped.
    pub warnings: Warnings,
}

/// Bytes to read.
pub struct Source<'a> {
    /// The bytes, from the start of the file.
    pub bytes: Box<dyn Read + Send + 'a>,
    /// Name of the file without folders; only a hint, may be empty.
    pub file_name: &'a str,
}

/// Takes profiles as they are read: each with its path in the folder or archive it is a file of,
/// which is empty for a profile that is all there is. Its error ends the reading.
pub type Take<'a> = dyn FnMut(&str, Opened) -> Result<(), ReadError> + 'a;

/// Reads a profile of any format, in any container.
pub fn read(source: Source<'_>, options: &ReadOptions) -> Result<Opened, ReadError> {
    match open(source, options)? {
        Content::Profile(opened) => Ok(*opened),
        Content::Archive(archive) => read_folder(&*archive, options),
    }
}

/// Reads every profile of a source: the one that it is, or those of an archive of profiles. What
/// was passed over in the archive comes back; see [`read_folder_each`].
pub fn read_each(
    source: Source<'_>,
    options: &ReadOptions,
    take: &mut Take<'_>,
) -> Result<Warnings, ReadError> {
    match open(source, options)? {
        Content::Profile(opened) => take("", *opened).map(|()| Warnings::default()),
        Content::Archive(archive) => read_folder_each(&*archive, options, take),
    }
}

/// What a source is, once its container is opened.
enum Content {
    Profile(Box<Opened>),
    Archive(Box<dyn Folder>),
}

fn open(source: Source<'_>, options: &ReadOptions) -> Result<Content, ReadError> {
    container::open(source.bytes, options, |bytes, container| {
        let mut stream = encoding::stream(bytes, options)?;
        let head = stream.peek(SNIFF_BYTES)?;
        if head.is_empty() {
            return Err(ReadError::Empty { container });
        }
        let is_tar = is_tar(head);
        if is_tar || head.starts_with(zip::MAGIC) {
            options.check_archive()?;
        }
        if head.starts_with(zip::MAGIC) {
            let archive = zip::ZipFolder::new(stream.read_to_end(options)?, options)?;
            return Ok(Content::Archive(Box::new(archive)));
        }
        if is_tar {
            #[cfg(feature = "rare")]
            {
                let archive = tar::TarFolder::new(stream.read_to_end(options)?)?;
                return Ok(Content::Archive(Box::new(archive)));
            }
            #[cfg(not(feature = "rare"))]
            return Err(ReadError::LeftOut);
        }
        if let Some(format) = options.from {
            let opened = named::read(stream, format, source.file_name, options)?;
            return Ok(Content::Profile(Box::new(opened)));
        }
        let name = source.file_name.trim_end_matches(container.map_or("", Container::ending));
        let mut possible = None;
        let mut readers = FORMATS.iter().filter_map(|format| Some((format.name, format.reader?)));
        let sure = readers.find(|&(format, reader)| {
            let judgement = guard::sniffed(|| (reader.sniff)(head, name));
            if judgement == Sniff::Maybe {
                possible.get_or_insert((format, reader));
            }
            judgement == Sniff::Yes
        });
        match sure.or(possible) {
            Some((format, reader)) => {
                let read = |warnings: &mut _| (reader.read)(stream, options, warnings);
                guard::guarded(format, read).map(|opened| Content::Profile(Box::new(opened)))
            }
            None => Err(elsewhere::recognise(head, name)
                .unwrap_or_else(|| ReadError::unknown_format(head, container))),
        }
    })
}

/// Whether a tar archive starts so: its first header holds the sum of its own bytes, in octal.
fn is_tar(head: &[u8]) -> bool {
    /// Bytes of a header, and where it has the sum, which counts as spaces.
    const HEADER: usize = 512;
    const SUM: std::ops::Range<usize> = 148..156;
    let Some(bytes) = head.first_chunk::<HEADER>() else { return false };
    let digits = bytes[SUM].iter().copied().filter(u8::is_ascii_digit);
    let told = digits.fold(0, |sum, digit| sum * 8 + u32::from(digit - b'0'));
    let counted =
        |(at, &byte): (usize, &u8)| u32::from(if SUM.contains(&at) { b' ' } else { byte });
    let sum: u32 = bytes.iter().enumerate().map(counted).sum();
    bytes[0] != 0 && told == sum
}
