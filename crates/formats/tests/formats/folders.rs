//! Folders that are one profile.

use std::collections::BTreeMap;
use std::path::Path;

use formats::{Folder, FolderFile};
use profile::MetricId;

/// The files of a folder in memory, so that they can be damaged.
pub(crate) struct HeldFolder {
    pub(crate) files: Vec<FolderFile>,
    pub(crate) bytes: BTreeMap<String, Vec<u8>>,
}

impl HeldFolder {
    /// Reads all files below `root`.
    pub(crate) fn new(root: &Path) -> HeldFolder {
        let mut bytes = BTreeMap::new();
        let mut open = vec![(root.to_owned(), String::new())];
        while let Some((path, prefix)) = open.pop() {
            for entry in std::fs::read_dir(path).unwrap() {
                let entry = entry.unwrap();
                let name = format!("{prefix}{}", entry.file_name().to_str().unwrap());
                if entry.file_type().unwrap().is_dir() {
                    open.push((entry.path(), format!("{name}/")))
                } else {
                    drop(bytes.insert(name, std::fs::read(entry.path()).unwrap()))
                }
            }
        }
        let file = |(path, bytes): (&String, &Vec<u8>)| FolderFile {
            path: path.clone(),
            size: bytes.len() as u64,
        };
        HeldFolder { files: bytes.iter().map(file).collect(), bytes }
    }
}

impl Folder for HeldFolder {
    fn files(&self) -> &[FolderFile] {
        &self.files
    }

    fn open(&self, path: &str) -> std::io::Result<Box<dyn std::io::Read + Send + '_>> {
        Ok(Box::new(self.bytes[path].as_slice()))
    }
}

/// A folder of these files.
pub(crate) fn held(files: &[(&str, &[u8])]) -> HeldFolder {
    let bytes: BTreeMap<String, Vec<u8>> =
        files.iter().map(|(path, bytes)| ((*path).to_owned(), bytes.to_vec())).collect();
    let file = |(path, bytes): (&String, &Vec<u8>)| FolderFile {
        path: path.clone(),
        size: bytes.len() as u64,
    };
    HeldFolder { files: bytes.iter().map(file).collect(), bytes }
}

/// The paths of the profiles that are read, with their totals, and the warnings.
type Each = (Vec<(String, i64)>, Vec<(String, u64)>);

fn each(
    read: impl FnOnce(&mut formats::Take<'_>) -> Result<formats::Warnings, formats::ReadError>,
) -> Result<Each, formats::ReadError> {
    let mut taken = vec![];
    let passed = read(&mut |path, opened| {
        taken.push((path.to_owned(), opened.profile.metric_total(MetricId(0)).0));
        Ok(())
    })?;
    Ok((taken, passed.iter().map(|warning| (warning.message.clone(), warning.count)).collect()))
}

#[test]
fn every_profile_of_a_folder_is_read_and_the_rest_passed_over() {
    let folder = held(&[
        ("b/two.collapsed", b"main;f 2\n"),
        ("a.collapsed", b"main 1\n"),
        ("notes", b"\x00\x01"),
        ("empty", b""),
    ]);
    let options = formats::ReadOptions::default();
    let read = |folder: &HeldFolder| each(|take| formats::read_folder_each(folder, &options, take));
    let (taken, passed) = read(&folder).unwrap();
    assert_eq!(taken, [("a.collapsed".to_owned(), 1), ("b/two.collapsed".to_owned(), 2)]);
    assert!(passed.len() == 1 && passed[0].1 == 2 && passed[0].0.contains("empty"), "{passed:?}");

    let alone = held(&[("a.collapsed", b"main 1\n")]);
    assert_eq!(read(&alone).unwrap(), (vec![(String::new(), 1)], vec![]));
    let error = read(&held(&[("a", b"\x00"), ("b", b"")])).unwrap_err();
    assert!(matches!(error, formats::ReadError::UnknownFolder { .. }), "{error}");

    let narrow = formats::ReadOptions { max_size: 4, ..options.clone() };
    let error = each(|take| formats::read_folder_each(&folder, &narrow, take)).unwrap_err();
    assert!(error.is_limit(), "{error}");
    let stop = |_: &str, _: formats::Opened| Err(formats::ReadError::Io(std::io::Error::other("")));
    assert!(formats::read_folder_each(&folder, &options, &mut { stop }).is_err());
}

/// A zip archive of stored files.
fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut bytes, mut directory) = (vec![], vec![]);
    for (path, content) in files {
        let mut crc = flate2::Crc::new();
        crc.update(content);
        let size = (content.len() as u32).to_le_bytes();
        let mut header = vec![20, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        header.extend(crc.sum().to_le_bytes());
        header.extend([size, size].concat());
        header.extend((path.len() as u16).to_le_bytes());
        header.extend([0, 0]);
        let start = (bytes.len() as u32).to_le_bytes();
        directory.extend([&b"PK\x01\x02\x14\0"[..], &header, &[0; 10], &start].concat());
        directory.extend(path.bytes());
        bytes.extend([&b"PK\x03\x04"[..], &header, path.as_bytes(), content].concat());
    }
    let (start, size) = (bytes.len() as u32, directory.len() as u32);
    let count = (files.len() as u16).to_le_bytes();
    bytes.extend(directory);
    bytes.extend([&b"PK\x05\x06\0\0\0\0"[..], &count, &count].concat());
    bytes.extend([size.to_le_bytes(), start.to_le_bytes()].concat());
    bytes.extend([0, 0]);
    bytes
}

#[test]
fn every_profile_of_an_archive_is_read() {
    let bytes = archive(&[("x/b.collapsed", b"main;f 2\n"), ("a.collapsed", b"main 1\n")]);
    let options = formats::ReadOptions::default();
    let source = || formats::Source { bytes: Box::new(&bytes[..]), file_name: "runs.zip" };
    let (taken, passed) = each(|take| formats::read_each(source(), &options, take)).unwrap();
    assert_eq!(taken, [("a.collapsed".to_owned(), 1), ("x/b.collapsed".to_owned(), 2)]);
    assert_eq!(passed, []);
    assert!(formats::read(source(), &options).is_err(), "several profiles are not one");
}
