//! Folders that are one profile.

use std::collections::BTreeMap;
use std::path::Path;

use formats::{Folder, FolderFile};

/// The files of a folder in memory, so that they can be damaged.
pub(crate) struct HeldFolder {
    pub(crate) files: Vec<FolderFile>,
    pub(crate) bytes: BTreeMap<String, Vec<u8>>,
}

impl HeldFolder {
    /// Reads all files below `root`.
    pub(crate) fn of(root: &Path) -> HeldFolder {
        let mut bytes = BTreeMap::new();
        let mut open = vec![(root.to_owned(), String::new())];
        while let Some((path, prefix)) = open.pop() {
            for entry in std::fs::read_dir(path).unwrap() {
                let entry = entry.unwrap();
                let name = format!("{prefix}{}", entry.file_name().to_str().unwrap());
                match entry.file_type().unwrap().is_dir() {
                    true => open.push((entry.path(), format!("{name}/"))),
                    false => drop(bytes.insert(name, std::fs::read(entry.path()).unwrap())),
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
