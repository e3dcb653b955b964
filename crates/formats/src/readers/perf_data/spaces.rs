//! Which file stands at which addresses of a process, or of the kernel.

use hashbrown::HashMap;
use perfdata::{Map, Mode};
use profile::{Module, ModuleId, ProfileBuilder};

/// The memory of all processes.
#[derive(Default)]
pub(super) struct Spaces {
    processes: HashMap<u32, Space>,
    kernel: Space,
    /// Modules by path and build id.
    modules: HashMap<(Vec<u8>, Vec<u8>), ModuleId>,
    /// By process, where its just-in-time compiler writes down its code.
    jitdumps: HashMap<u32, Vec<u8>>,
    /// How many there were: number 0 is the kernel's.
    count: u32,
    maps: usize,
}

/// The kernel's own code.
pub(super) const KERNEL: &[u8] = b"[kernel.kallsyms]";

/// Whether what is mapped is not a file, so that code in it was generated.
fn is_generated(path: &[u8]) -> bool {
    let starts =
        ["//", "[heap]", "[stack", "[anon", "/dev/zero", "/SYSV", "anon_inode:", "/memfd:"];
    path.is_empty() || starts.iter().any(|start| path.starts_with(start.as_bytes()))
}

/// Whether this is what a just-in-time compiler writes down of its code, as perf's users name it:
/// `jit-PID.dump`.
fn is_jitdump(path: &[u8]) -> bool {
    let name = path.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
    let number = name.strip_prefix(b"jit-").and_then(|rest| rest.strip_suffix(b".dump"));
    number.is_some_and(|number| !number.is_empty() && number.iter().all(u8::is_ascii_digit))
}

/// The memory of a process. Its number changes where what was known of an address may not hold.
#[derive(Default, Clone)]
pub(super) struct Space {
    pub(super) number: u32,
    /// By first address, without overlaps.
    maps: Vec<Mapped>,
}

#[derive(Clone, Copy)]
struct Mapped {
    start: u64,
    end: u64,
    /// Added to an address to get that in its module.
    shift: u64,
    module: ModuleId,
}

/// More maps of one process are not kept: a process has at most 65,530 by default.
const MOST_MAPS: usize = 1 << 20;

impl Spaces {
    pub(super) fn heap_bytes(&self) -> usize {
        self.maps * size_of::<Mapped>() + self.modules.len() * 128 + self.processes.len() * 64
    }

    /// A file was mapped. What is data is noted too, for it may stand where code was.
    pub(super) fn map(&mut self, map: &Map<'_>, mode: Mode, builder: &mut ProfileBuilder) {
        let is_kernel =
            matches!(mode, Mode::Kernel | Mode::GuestKernel) || map.thread.pid == u32::MAX;
        let Some(end) = map.start.checked_add(map.length.max(1)) else { return };
        let (path, shift) = self.place(map, is_kernel);
        let module = self.module(&path, map.build_id, builder);
        if is_kernel {
            // Who has the kernel's symbols sees by its place whether they are of this boot.
            let module = &mut builder.modules[module.index()];
            (module.memory_start, module.memory_limit) = (map.start, end);
            module.file_offset = map.start;
        }
        let mapped = Mapped { start: map.start, end, shift, module };
        let count = &mut self.count;
        let space = if is_kernel {
            &mut self.kernel
        } else {
            self.processes.entry(map.thread.pid).or_insert_with(|| Space::new(count))
        };
        let before = space.maps.len();
        if before < MOST_MAPS && space.put(mapped) {
            *count += 1;
            space.number = *count;
        }
        self.maps = (self.maps + space.maps.len()).saturating_sub(before);
        if !is_kernel && is_jitdump(map.path) {
            self.announce_code(map.thread.pid, module);
        }
    }

    /// A just-in-time compiler writes down its code from now on; where that goes was mapped before.
    fn announce_code(&mut self, process: u32, dump: ModuleId) {
        let told = format!("/tmp/perf-{process}.map").into_bytes();
        let Some(&before) = self.modules.get(&(told, vec![])) else { return };
        let Some(space) = self.processes.get_mut(&process) else { return };
        for map in space.maps.iter_mut().filter(|map| map.module == before) {
            map.module = dump;
        }
        self.count += 1;
        space.number = self.count;
    }

    /// The name of a module, and what to add to an address to get that in the module.
    fn place(&mut self, map: &Map<'_>, is_kernel: bool) -> (Vec<u8>, u64) {
        if is_kernel {
            let is_main = map.path.starts_with(KERNEL);
            return (if is_main { KERNEL.to_vec() } else { map.path.to_vec() }, 0);
        }
        let process = map.thread.pid;
        if is_jitdump(map.path) {
            self.jitdumps.insert(process, map.path.to_vec());
        }
        if is_generated(map.path) {
            // Where just-in-time compilers tell what they put there.
            let dump = self.jitdumps.get(&process).cloned();
            return (dump.unwrap_or_else(|| format!("/tmp/perf-{process}.map").into_bytes()), 0);
        }
        (map.path.to_vec(), map.offset.wrapping_sub(map.start))
    }

    fn module(&mut self, path: &[u8], build_id: &[u8], builder: &mut ProfileBuilder) -> ModuleId {
        if let Some(&known) = self.modules.get(&(path.to_vec(), build_id.to_vec())) {
            return known;
        }
        let name = builder.strings.intern(&perfdata::text(path));
        let hex: String = build_id.iter().map(|byte| format!("{byte:02x}")).collect();
        let build_id_text = builder.strings.intern(&hex);
        builder.modules.push(Module { name, build_id: build_id_text, ..Module::default() });
        let id = ModuleId(builder.modules.len() as u32 - 1);
        self.modules.insert((path.to_vec(), build_id.to_vec()), id);
        id
    }

    /// A process began as a copy of another.
    pub(super) fn fork(&mut self, parent: u32, child: u32) {
        if parent == child {
            return;
        }
        let copy = self.processes.get(&parent).map(|space| space.maps.clone());
        self.count += 1;
        let maps = copy.unwrap_or_default();
        self.maps += maps.len();
        self.processes.insert(child, Space { number: self.count, maps });
    }

    /// A process became another program, whose files are mapped after that.
    pub(super) fn exec(&mut self, process: u32) {
        if let Some(space) = self.processes.remove(&process) {
            self.maps -= space.maps.len();
        }
    }

    /// The memory that addresses of a mode are of.
    pub(super) fn of(&mut self, process: u32, mode: Mode) -> &Space {
        if matches!(mode, Mode::Kernel | Mode::Hypervisor | Mode::GuestKernel) {
            return &self.kernel;
        }
        let count = &mut self.count;
        self.processes.entry(process).or_insert_with(|| Space::new(count))
    }
}

impl Space {
    fn new(count: &mut u32) -> Space {
        *count += 1;
        Space { number: *count, maps: vec![] }
    }

    /// The module at an address, and the address in it.
    /// Whether something is mapped, and not there.
    pub(super) fn has_only_others(&self, address: u64) -> bool {
        !self.maps.is_empty() && self.find(address).is_none()
    }

    pub(super) fn find(&self, address: u64) -> Option<(ModuleId, u64)> {
        let next = self.maps.partition_point(|map| map.start <= address);
        let map = self.maps[..next].last().filter(|map| address < map.end)?;
        Some((map.module, address.wrapping_add(map.shift)))
    }

    /// Puts a map over what was there; whether something was.
    fn put(&mut self, new: Mapped) -> bool {
        let first = self.maps.partition_point(|map| map.end <= new.start);
        let last = self.maps.partition_point(|map| map.start < new.end);
        let covered = first..last.max(first);
        let mut parts = vec![];
        for old in &self.maps[covered.clone()] {
            if old.start < new.start {
                parts.push(Mapped { end: new.start, ..*old });
            }
        }
        parts.push(new);
        for old in &self.maps[covered.clone()] {
            if old.end > new.end {
                parts.push(Mapped { start: new.end, ..*old });
            }
        }
        let is_over = !covered.is_empty();
        self.maps.splice(covered, parts);
        is_over
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mapped(start: u64, end: u64, module: u32) -> Mapped {
        Mapped { start, end, shift: 0, module: ModuleId(module) }
    }

    #[test]
    fn later_maps_cover_earlier_ones() {
        let mut space = Space::default();
        assert!(!space.put(mapped(10, 20, 1)));
        assert!(!space.put(mapped(20, 30, 2)));
        assert!(!space.put(mapped(0, 5, 3)));
        assert!(space.put(mapped(12, 14, 4)));
        let at = |space: &Space, address| space.find(address).map(|(module, _)| module.0);
        let found: Vec<_> = [0, 5, 10, 11, 12, 13, 14, 19, 20, 30].map(|a| at(&space, a)).to_vec();
        let wanted =
            [Some(3), None, Some(1), Some(1), Some(4), Some(4), Some(1), Some(1), Some(2), None];
        assert_eq!(found, wanted);
        assert!(space.put(mapped(4, 25, 5)));
        assert_eq!(at(&space, 4), Some(5));
        assert_eq!(at(&space, 24), Some(5));
        assert_eq!(at(&space, 25), Some(2));
        assert_eq!(space.maps.len(), 3);
    }
}
