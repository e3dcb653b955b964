//! Files that the page has handed over.

use std::collections::HashMap;
use std::io::{self, Read};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Deserialize;
use session::{Folder, FolderFile, Host, Input};

use crate::Page;

/// What the page hands over to be opened as one document.
#[derive(Debug, Clone, Deserialize)]
pub struct Handed {
    /// The number of the upload that opens it.
    pub upload: u32,
    /// One file without a path, or those of a folder.
    pub files: Vec<HandedFile>,
    /// Why it must not be read: it ended the worker before.
    #[serde(default)]
    pub refused: Option<String>,
}

/// A file of the page.
#[derive(Debug, Clone, Deserialize)]
pub struct HandedFile {
    /// Its path below the folder; none for a file by itself.
    pub path: Option<String>,
    /// By which the page knows it.
    pub file: u32,
    /// Bytes in it.
    pub size: u64,
}

/// The page as the session's host: it gives what was handed over, and nothing else.
pub(crate) struct PageHost<P> {
    pub(crate) page: Arc<P>,
    handed: Mutex<HashMap<u32, Handed>>,
}

impl<P: Page + 'static> PageHost<P> {
    pub(crate) fn new(page: Arc<P>) -> PageHost<P> {
        PageHost { page, handed: Mutex::default() }
    }

    pub(crate) fn keep(&self, handed: Handed) {
        self.handed().insert(handed.upload, handed);
    }

    /// Bytes of what was handed over for an upload; none where nothing was.
    pub(crate) fn size(&self, upload: u32) -> Option<u64> {
        Some(self.handed().get(&upload)?.files.iter().map(|file| file.size).sum())
    }

    /// Whether what was handed over for an upload is one document: a file, or a folder that is one
    /// profile.
    pub(crate) fn is_one(&self, upload: u32) -> bool {
        match self.handed().get(&upload).map(|handed| &handed.files[..]) {
            Some([HandedFile { path: None, .. }]) => true,
            Some(files) => session::is_spread(&listed(files)),
            None => false,
        }
    }

    /// What the session asks [`Host::open`] for.
    pub(crate) fn name(upload: u32) -> String {
        upload.to_string()
    }

    fn handed(&self) -> MutexGuard<'_, HashMap<u32, Handed>> {
        self.handed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn slices(&self, file: &HandedFile) -> Slices<P> {
        Slices { page: self.page.clone(), file: file.file, offset: 0, size: file.size }
    }
}

impl<P: Page + 'static> Host for PageHost<P> {
    fn open(&self, name: &str) -> io::Result<Input> {
        let handed = name.parse().ok().and_then(|upload: u32| self.handed().get(&upload).cloned());
        let Handed { files, refused, .. } = handed.ok_or(io::ErrorKind::NotFound)?;
        if let Some(refused) = refused {
            return Err(io::Error::other(refused));
        }
        if let [file @ HandedFile { path: None, .. }] = &files[..] {
            return Ok(Input::File(Box::new(self.slices(file)), Some(file.size)));
        }
        Ok(Input::Folder(Box::new(HandedFolder::new(self.page.clone(), files))))
    }

    fn seconds(&self) -> f64 {
        self.page.seconds()
    }
}

/// The bytes of a file, asked for as they are needed.
struct Slices<P> {
    page: Arc<P>,
    file: u32,
    offset: u64,
    size: u64,
}

impl<P: Page> Read for Slices<P> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.offset >= self.size || out.is_empty() {
            return Ok(0);
        }
        let count = self.page.read(self.file, self.offset, out)?;
        if count == 0 {
            let message = "the file is shorter than it was when it was opened";
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, message));
        }
        self.offset += count as u64;
        Ok(count)
    }
}

/// The files of a folder.
struct HandedFolder<P> {
    page: Arc<P>,
    listed: Vec<FolderFile>,
    /// By the path below the folder.
    files: HashMap<String, HandedFile>,
}

impl<P: Page> HandedFolder<P> {
    fn new(page: Arc<P>, files: Vec<HandedFile>) -> HandedFolder<P> {
        let listed = listed(&files);
        let by_path = |file: HandedFile| (file.path.clone().unwrap_or_default(), file);
        HandedFolder { page, listed, files: files.into_iter().map(by_path).collect() }
    }
}

impl<P: Page + 'static> Folder for HandedFolder<P> {
    fn files(&self) -> &[FolderFile] {
        &self.listed
    }

    fn open(&self, path: &str) -> io::Result<Box<dyn Read + Send + '_>> {
        let file = self.files.get(path).ok_or(io::ErrorKind::NotFound)?;
        Ok(Box::new(Slices {
            page: self.page.clone(),
            file: file.file,
            offset: 0,
            size: file.size,
        }))
    }
}

/// The files of a folder in the order of their paths.
fn listed(files: &[HandedFile]) -> Vec<FolderFile> {
    let listed = files
        .iter()
        .map(|file| FolderFile { path: file.path.clone().unwrap_or_default(), size: file.size });
    let mut listed: Vec<FolderFile> = listed.collect();
    listed.sort();
    listed
}
