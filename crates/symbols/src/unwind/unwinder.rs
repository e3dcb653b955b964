//! Processes with what they map, whose stacks are walked.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::cfi::CodeUnwind;
use super::module::{Learnt, Module, ModuleId};
use super::registers::Architecture;
use crate::debug_files::Binary;
use crate::files::Files;
use crate::maps::{Mapped, Maps};
use crate::missing::Missing;

/// A file or anything else that was mapped into a process.
#[derive(Clone, Copy, Debug)]
pub struct Mapping<'a> {
    /// The first address.
    pub start: u64,
    /// The first address after it.
    pub end: u64,
    /// Where the file stands at `start`.
    pub file_offset: u64,
    /// The file, or a name such as `[vdso]` or `//anon`.
    pub path: &'a str,
    /// Its build id, where it was recorded.
    pub build_id: Option<&'a [u8]>,
}

/// Walks the stacks of a recording. Modules are shared by all processes that map them, with what was
/// learnt of their addresses.
pub struct Unwinder {
    pub(super) files: Arc<dyn Files>,
    pub(super) architecture: Architecture,
    pub(super) processes: FxHashMap<u32, Arc<Maps>>,
    pub(super) modules: Vec<Module>,
    by_binary: FxHashMap<Binary, ModuleId>,
    pub(super) learnt: Learnt,
}

impl Unwinder {
    /// Without processes.
    pub fn new(files: Arc<dyn Files>, architecture: Architecture) -> Self {
        Self {
            files,
            architecture,
            processes: FxHashMap::default(),
            modules: vec![],
            by_binary: FxHashMap::default(),
            learnt: Learnt::default(),
        }
    }

    /// Something was mapped into a process; it takes the place of what was there.
    pub fn map(&mut self, process: u32, mapping: &Mapping<'_>) {
        let binary = Binary {
            path: mapping.path.to_owned(),
            build_id: mapping.build_id.map(<[u8]>::to_vec),
        };
        let next = ModuleId(u32::try_from(self.modules.len()).unwrap_or(u32::MAX));
        let module = *self.by_binary.entry(binary.clone()).or_insert_with(|| {
            self.modules.push(Module::of_binary(binary));
            next
        });
        self.insert(process, mapping.start, mapping.end, mapping.file_offset, module);
    }

    /// A just-in-time compiler wrote code into a process, and how to unwind it, if it says so.
    pub fn map_code(&mut self, process: u32, start: u64, size: u64, unwind: Option<&CodeUnwind>) {
        let module = ModuleId(u32::try_from(self.modules.len()).unwrap_or(u32::MAX));
        self.modules.push(Module::of_code(unwind, size));
        self.insert(process, start, start.saturating_add(size), 0, module);
    }

    fn insert(&mut self, process: u32, start: u64, end: u64, file_offset: u64, module: ModuleId) {
        let maps = Arc::make_mut(self.processes.entry(process).or_default());
        maps.insert(Mapped { start, end, file_offset, module: module.0 });
    }

    /// A process became two, which have the same mappings at first.
    pub fn fork(&mut self, parent: u32, child: u32) {
        // Threads are told as forks of their own process.
        if parent == child {
            return;
        }
        match self.processes.get(&parent).cloned() {
            Some(maps) => self.processes.insert(child, maps),
            None => self.processes.remove(&child),
        };
    }

    /// A process runs another program: what was mapped is gone.
    pub fn exec(&mut self, process: u32) {
        self.processes.remove(&process);
    }

    /// A process ended.
    pub fn exit(&mut self, process: u32) {
        self.processes.remove(&process);
    }

    /// The module that holds an address of a process, and where its file has it.
    pub fn module_at(&self, process: u32, address: u64) -> Option<(ModuleId, u64)> {
        let mapped = self.processes.get(&process)?.find(address)?;
        let offset = mapped.file_offset.wrapping_add(address - mapped.start);
        Some((ModuleId(mapped.module), offset))
    }

    /// What a module is; none for code without a file.
    pub fn binary(&self, module: ModuleId) -> Option<&Binary> {
        self.modules.get(module.0 as usize)?.binary()
    }

    /// Why a module has no unwind information, where its file was looked for in vain.
    pub fn missing(&self, module: ModuleId) -> Option<&Missing> {
        self.modules.get(module.0 as usize)?.missing()
    }
}
