//! Profiles that are spread over several files: a folder, or an archive of one.

use std::io::{self, Read};

use profile::Profile;

use crate::input::stream::Stream;
use crate::input::{container, encoding};
use crate::{ReadError, ReadOptions};

/// Files that belong together.
pub trait Folder {
    /// Every file below the folder.
    fn files(&self) -> &[FolderFile];
    /// The bytes of one of [`Folder::files`], by its path.
    fn open(&self, path: &str) -> io::Result<Box<dyn Read + Send + '_>>;
    /// Folders below it whose files could not be listed, with the reason.
    fn unreadable(&self) -> &[String] {
        &[]
    }
    /// What is said elsewhere of the profile of one of its files: names, and what is left out.
    fn edit(&self, _path: &str, _profile: &mut Profile) {}
}

/// A file in a folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FolderFile {
    /// Path from the folder, with `/` between names.
    pub path: String,
    /// Bytes of its content.
    pub size: u64,
}

impl FolderFile {
    /// The last part of the path.
    pub fn name(&self) -> &str {
        profile::base_name(&self.path)
    }
}

/// Reads one file of a folder, its container opened.
pub(crate) fn read_file<T>(
    folder: &dyn Folder,
    path: &str,
    options: &ReadOptions,
    read: impl FnOnce(Stream) -> Result<T, ReadError>,
) -> Result<T, ReadError> {
    let bytes = folder.open(path).map_err(ReadError::Io)?;
    let result =
        container::open(bytes, options, |bytes, _| read(encoding::stream(bytes, options)?));
    result.map_err(|error| ReadError::InFile { path: path.to_owned(), error: Box::new(error) })
}

/// The whole of one file of a folder.
pub(crate) fn read_whole(
    folder: &dyn Folder,
    path: &str,
    options: &ReadOptions,
) -> Result<Vec<u8>, ReadError> {
    read_file(folder, path, options, |mut stream| stream.read_to_end(options))
}
