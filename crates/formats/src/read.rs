//! Finding the format of a file, in any container, and reading it.

use std::io::Read;

use profile::Profile;

use crate::error::ReadError;
use crate::format::{Format, SNIFF_BYTES, Sniff};
use crate::input::container_kind::Container;
use crate::input::folder::Folder;
#[cfg(feature = "rare")]
use crate::input::tar;
use crate::input::{container, elsewhere, encoding, guard, named, zip};
use crate::limits::ReadOptions;
use crate::read_folder::{read_folder, read_folder_each};
use crate::readers::FORMATS;
use crate::warnings::Warnings;

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
