//! Reading folders: profiles that are spread over several files, and every file that is one.

use crate::format::{FolderReader, Format, Sniff};
use crate::input::folder::{Folder, FolderFile};
use crate::input::guard;
use crate::read::{Opened, Source, Take, read};
use crate::readers::FORMATS;
use crate::{ReadError, ReadOptions, Warnings};

/// Whether a file of this name is a part of a profile that is spread over a folder, so that the
/// folder should be opened instead.
pub fn is_folder_part(file_name: &str) -> bool {
    FORMATS.iter().filter_map(|format| format.folder).any(|folder| (folder.is_part)(file_name))
}

/// The names of the files that a part of this name makes a profile with, its own among them; empty
/// if it does so with all of its folder, or is not a part.
pub fn part_siblings(file_name: &str) -> Vec<String> {
    let mut folders = FORMATS.iter().filter_map(|format| format.folder);
    let folder = folders.find(|folder| (folder.is_part)(file_name));
    folder.map_or_else(Vec::new, |folder| (folder.siblings)(file_name))
}

/// Whether files of a folder are one profile by their names.
pub fn is_spread(files: &[FolderFile]) -> bool {
    folder_format(files).is_some()
}

/// Reads the profile that is spread over a folder. A folder that holds one file is that file.
pub fn read_folder(folder: &dyn Folder, options: &ReadOptions) -> Result<Opened, ReadError> {
    match (spread(folder, options), folder.files()) {
        (Some(opened), _) => opened,
        (None, [file]) => {
            let bytes = folder.open(&file.path).map_err(ReadError::Io)?;
            read(Source { bytes, file_name: file.name() }, &options.within())
        }
        (None, files) => Err(ReadError::unknown_folder(files)),
    }
}

/// Reads every profile of a folder: the one that is spread over it, or else each of its files, in
/// the order of their paths. Files that are not sound profiles are passed over; they come back as a
/// warning, or as an error if no file is a profile.
pub fn read_folder_each(
    folder: &dyn Folder,
    options: &ReadOptions,
    take: &mut Take<'_>,
) -> Result<Warnings, ReadError> {
    let mut passed = Warnings::default();
    if let Some(opened) = spread(folder, options) {
        take("", opened?)?;
        return Ok(passed);
    }
    let files = folder.files();
    if let [file] = files {
        let mut opened = read_folder(folder, options)?;
        folder.edit(&file.path, &mut opened.profile);
        take("", opened)?;
        return Ok(passed);
    }
    let mut taken = false;
    for file in files {
        let opened = match folder.open(&file.path) {
            Ok(bytes) => {
                match read(Source { bytes, file_name: file.name() }, &options.within()) {
                    // Not the file's fault.
                    Err(error)
                        if error.is_limit()
                            || error.is_left_out()
                            || matches!(error, ReadError::Io(_)) =>
                    {
                        let (path, error) = (file.path.clone(), Box::new(error));
                        return Err(ReadError::InFile { path, error });
                    }
                    opened => opened,
                }
            }
            Err(error) => Err(ReadError::Io(error)),
        };
        match opened {
            // A text of which no line could be read.
            Ok(Opened { profile, warnings })
                if profile.points.is_empty() && !warnings.is_empty() =>
            {
                let first = warnings.iter().next().map_or("", |warning| &warning.message);
                passed.add("passed over", || format!("passed over {}: {first}", file.path));
            }
            Ok(mut opened) => {
                folder.edit(&file.path, &mut opened.profile);
                take(&file.path, opened)?;
                taken = true;
            }
            Err(error) => {
                passed.add("passed over", || format!("passed over {}: {error}", file.path));
            }
        }
    }
    if taken { Ok(passed) } else { Err(ReadError::unknown_folder(files)) }
}

/// The profile that is spread over a folder, if the folder is of a format that is.
fn spread(folder: &dyn Folder, options: &ReadOptions) -> Option<Result<Opened, ReadError>> {
    let (format, reader) = match options.from {
        Some(format) => (format, format.folder?),
        None => folder_format(folder.files())?,
    };
    Some(guard::guarded(format.name, |warnings| (reader.read)(folder, options, warnings)))
}

/// The format that knows the names in a folder best.
fn folder_format(files: &[FolderFile]) -> Option<(&'static Format, FolderReader)> {
    let judged = FORMATS.iter().filter_map(|format| {
        let reader = format.folder?;
        Some((format, reader, (reader.sniff)(files)))
    });
    let best = judged.collect::<Vec<_>>().into_iter().rev().max_by_key(|&(.., sniff)| sniff);
    best.filter(|&(.., sniff)| sniff != Sniff::No).map(|(format, reader, _)| (format, reader))
}
