//! What every fuzz target asks of a reader.

use std::io::{self, Read};
use std::time::{Duration, Instant};

use formats::{Folder, FolderFile, Opened, ReadError, ReadOptions, Source};

pub mod mutate;

/// How long an input may take; what takes longer is a defect as a panic is.
const LONGEST: Duration = Duration::from_secs(10);

/// How many changed inputs are made of one.
const MUTANTS: u64 = 4;

/// Limits that a reader must keep.
fn options() -> ReadOptions {
    ReadOptions { max_size: 64 << 20, max_memory: 64 << 20, ..ReadOptions::default() }
}

/// Reads `bytes` as a file of this name, and then inputs that have other values in the places of
/// its values. Any error will do but that of a panic; what must not happen is a hang, memory
/// without bound, or a profile that breaks an invariant.
pub fn read(bytes: &[u8], file_name: &str) {
    read_one(bytes, file_name);
    let seed = bytes.iter().fold(0u64, |seed, &byte| seed.rotate_left(7) ^ u64::from(byte));
    let mut random = mutate::Random::new(seed);
    for _ in 0..MUTANTS {
        read_one(&mutate::mutate(bytes, &mut random), file_name);
    }
}

fn read_one(bytes: &[u8], file_name: &str) {
    let start = Instant::now();
    sound(formats::read(Source { bytes: Box::new(bytes), file_name }, &options()));
    assert!(start.elapsed() < LONGEST, "it took {:?}", start.elapsed());
}

fn sound(result: Result<Opened, ReadError>) {
    match result {
        Ok(opened) => assert_eq!(opened.profile.check(), []),
        Err(ReadError::Panicked { format, message }) => panic!("{format}: {message}"),
        Err(_) => {}
    }
}

/// Like [`read`], for a profile that is spread over files of these names: the first two bytes of
/// each are its length, the last file has what is left.
pub fn read_folder(bytes: &[u8], names: &[&str]) {
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
    let start = Instant::now();
    sound(formats::read_folder(&folder, &options()));
    assert!(start.elapsed() < LONGEST, "it took {:?}", start.elapsed());
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
