//! Units whose entries stand in files of their own (`-gsplit-dwarf`), or in one package of them.

use std::sync::Arc;

use gimli::{Dwarf, DwarfPackage};
use rustc_hash::{FxHashMap, FxHashSet};

use super::debug_file::{Bytes, DebugFile, Root, empty, endian};
use crate::budget::Budget;
use crate::debug_files;
use crate::elf::Elf;
use crate::files::Files;

/// The files of split units, by the numbers of their skeletons.
pub(super) struct Splits {
    files: Arc<dyn Files>,
    /// Where packages may stand: beside these.
    beside: Vec<String>,
    package: Option<Option<DwarfPackage<Bytes>>>,
    opened: FxHashMap<usize, DebugFile>,
    /// How many were looked for in vain.
    pub(super) missing: FxHashSet<usize>,
}

impl Splits {
    pub(super) fn new(files: Arc<dyn Files>, beside: [&String; 2]) -> Self {
        let beside = beside.map(String::clone).to_vec();
        Self {
            files,
            beside,
            package: None,
            opened: FxHashMap::default(),
            missing: FxHashSet::default(),
        }
    }

    /// Forgets the files that were opened.
    pub(super) fn forget(&mut self) {
        self.opened = FxHashMap::default();
    }

    pub(super) fn file(&self, skeleton: usize) -> Option<&DebugFile> {
        self.opened.get(&skeleton)
    }

    pub(super) fn file_mut(&mut self, skeleton: usize) -> Option<&mut DebugFile> {
        self.opened.get_mut(&skeleton)
    }

    /// The file of a split unit, the unit in it, and its first entry; none for units that are whole, or
    /// whose file is not here.
    pub(super) fn open(
        &mut self,
        skeleton: usize,
        root: &Root,
        main: &DebugFile,
        budget: &mut Budget,
    ) -> Option<(&DebugFile, usize, Arc<Root>)> {
        let name = root.dwo_name.as_ref()?;
        let parent = &main.dwarf;
        let found = self.packaged(root, parent, budget).or_else(|| {
            let name = main.text(&root.unit, name)?;
            let folder = root.folder.as_ref().and_then(|folder| main.text(&root.unit, folder));
            let folder = folder.unwrap_or_default();
            let file = debug_files::beside(&*self.files, &folder, &name)?;
            let mut file = DebugFile::load_split(&Elf::open(file).ok()?, parent);
            *budget = budget.and(file.size());
            let (unit, root) = file.split_root(&root.unit, budget).ok()?;
            Some((file, unit, root))
        });
        let Some((file, unit, root)) = found else {
            self.missing.insert(skeleton);
            return None;
        };
        self.opened.insert(skeleton, file);
        Some((self.opened.get(&skeleton)?, unit, root))
    }

    /// The unit in the package beside the binary.
    fn packaged(
        &mut self,
        root: &Root,
        parent: &Dwarf<Bytes>,
        budget: &mut Budget,
    ) -> Option<(DebugFile, usize, Arc<Root>)> {
        let Self { files, beside, package, .. } = self;
        let package = package.get_or_insert_with(|| {
            let mut places = beside.iter().map(|path| format!("{path}.dwp"));
            places.find_map(|path| load_package(&Elf::open(files.open(&path)?).ok()?))
        });
        let sections = package.as_ref()?.find_cu(root.unit.dwo_id?, parent).ok()??;
        let mut file = DebugFile::new(Arc::new(sections));
        *budget = budget.and(file.size());
        let (unit, root) = file.split_root(&root.unit, budget).ok()?;
        Some((file, unit, root))
    }
}

fn load_package(elf: &Elf) -> Option<DwarfPackage<Bytes>> {
    let load = |id: gimli::SectionId| {
        let bytes = id.dwo_name().and_then(|name| elf.named_bytes(name));
        let bytes = bytes.unwrap_or_else(|| Arc::from([]));
        Ok::<_, gimli::Error>(Bytes::new(bytes, endian(elf.big_endian)))
    };
    DwarfPackage::load(load, empty(elf.big_endian)).ok()
}
