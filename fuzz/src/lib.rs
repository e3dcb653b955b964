//! What every fuzz target asks of a reader.

use std::io::{self, Read};

use formats::{Folder, FolderFile, ReadOptions, Source};

/// Reads `bytes` as a file of this name. Any error will do; what must not happen is a panic, a hang,
/// memory without bound, or a profile that breaks an invariant.
pub fn read(bytes: &[u8], file_name: &str) {
    let options = ReadOptions { max_size: 64 << 20, max_memory: 64 << 20 };
    if let Ok(opened) = formats::read(Source { bytes: Box::new(bytes), file_name }, &options) {
        assert_eq!(opened.profile.check(), []);
    }
}

/// Like [`read`], for a profile that is spread over files of these names: the first two bytes of
/// each are its length, the last file has what is left.
pub fn read_folder(bytes: &[u8], names: &[&str]) {
    let options = ReadOptions { max_size: 64 << 20, max_memory: 64 << 20 };
    let mut folder = Parts::default();
    let mut rest = bytes;
    for (place, name) in names.iter().enumerate() {
        let Some((size, after)) = rest.split_first_chunk::<2>() else { return };
        let is_last = place + 1 == names.len();
        let size = if is_last { after.len() } else { u16::from_le_bytes(*size).into() };
        let Some((content, after)) = after.split_at_checked(size) else { return };
        folder.files.push(FolderFile { path: (*name).to_owned(), size: size as u64 });
        folder.contents.push(content);
        rest = after;
    }
    if let Ok(opened) = formats::read_folder(&folder, &options) {
        assert_eq!(opened.profile.check(), []);
    }
}

/// Files in memory.
#[derive(Default)]
struct Parts<'a> {
    files: Vec<FolderFile>,
    contents: Vec<&'a [u8]>,
}

impl Folder for Parts<'_> {
    fn files(&self) -> &[FolderFile] {
        &self.files
    }

    fn open(&self, path: &str) -> io::Result<Box<dyn Read + Send + '_>> {
        match self.files.iter().position(|file| file.path == path) {
            Some(place) => Ok(Box::new(self.contents[place])),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }
}
