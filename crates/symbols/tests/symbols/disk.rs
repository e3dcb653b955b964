//! The files of this machine, and files in memory.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use symbols::{FileBytes, Files};

/// Files in memory by path, then those of a folder by their name alone, then those of the disk.
#[derive(Default)]
pub(crate) struct Disk {
    pub(crate) in_memory: HashMap<String, Vec<u8>>,
    pub(crate) folder: Option<PathBuf>,
    pub(crate) on_disk: bool,
    pub(crate) debug_folders: Vec<String>,
}

impl Files for Disk {
    fn open(&self, path: &str) -> Option<Arc<dyn FileBytes>> {
        if let Some(bytes) = self.in_memory.get(path) {
            return Some(Arc::new(bytes.clone()));
        }
        let name = path.rsplit('/').next()?;
        let beside = self.folder.as_ref().map(|folder| folder.join(name));
        let beside = beside.filter(|path| path.is_file());
        let on_disk = self.on_disk.then(|| PathBuf::from(path)).filter(|path| path.is_file());
        Some(Arc::new(std::fs::read(beside.or(on_disk)?).ok()?))
    }

    fn debug_folders(&self) -> Vec<String> {
        self.debug_folders.clone()
    }
}

/// The files of this machine alone.
pub(crate) fn on_disk() -> Disk {
    Disk { on_disk: true, ..Disk::default() }
}
