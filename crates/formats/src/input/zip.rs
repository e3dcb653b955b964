//! Zip archives, opened as folders.

use std::io::{Cursor, Read};
use std::sync::Arc;

use ::zip::ZipArchive;
use ::zip::result::ZipError;

use crate::{Folder, FolderFile, Place, ReadError, ReadOptions};

/// How an archive starts.
pub(crate) const MAGIC: &[u8] = b"PK\x03\x04";

/// An archive in memory. Its files are unpacked when they are opened.
pub(crate) struct ZipFolder {
    archive: ZipArchive<Cursor<Arc<[u8]>>>,
    files: Vec<FolderFile>,
    max_size: u64,
}

impl ZipFolder {
    pub(crate) fn new(bytes: Vec<u8>, options: &ReadOptions) -> Result<Self, ReadError> {
        let mut archive = ZipArchive::new(Cursor::new(Arc::from(bytes))).map_err(damaged)?;
        let mut files = vec![];
        for index in 0..archive.len() {
            let file = archive.by_index_raw(index).map_err(damaged)?;
            if file.is_file() {
                let path = file.name().map_err(damaged)?.into_owned();
                files.push(FolderFile { path, size: file.size() });
            }
        }
        files.sort();
        Ok(ZipFolder { archive, files, max_size: options.max_size })
    }
}

impl Folder for ZipFolder {
    fn files(&self) -> &[FolderFile] {
        &self.files
    }

    fn open(&self, path: &str) -> std::io::Result<Box<dyn Read + Send + '_>> {
        let mut archive = self.archive.clone();
        let mut bytes = vec![];
        let file = archive.by_name(path)?;
        // One byte more than is allowed, so that the reader meets its limit.
        file.take(self.max_size.saturating_add(1)).read_to_end(&mut bytes)?;
        Ok(Box::new(Cursor::new(bytes)))
    }
}

fn damaged(error: ZipError) -> ReadError {
    ReadError::Container { container: "zip", place: Place(0), reason: error.to_string() }
}
