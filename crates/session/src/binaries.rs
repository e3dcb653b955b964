//! Binaries of the program that was measured: for stacks that were copied, and for names.

use std::collections::HashSet;
use std::fmt;
use std::io::{self, Read};
use std::ops::Range;
use std::sync::Arc;

use formats::{CopiedStack, StackEnd, StackMapping, StackWalker, StackWalkers};
use symbols::jitdump::{Event, JitDump};
use symbols::{Architecture, End, FileBytes, Files, Mapping, Registers, Unwinder};

/// Where binaries and their debug information come from.
#[derive(Clone)]
pub struct Binaries {
    /// Gives their bytes.
    pub files: Arc<dyn Files>,
    /// Whether somebody named folders for them: then addresses of every format get names. Without,
    /// only those of recordings do that leave names to whoever reads them, as perf's does.
    pub are_named: bool,
    /// Who tells instructions of them; none where there is no such program.
    pub disassembler: Option<Arc<dyn Disassembler>>,
}

/// Tells the instructions of binaries.
pub trait Disassembler: Send + Sync {
    /// The instructions of the file that [`Files`] opens as `path`, from an address that it states to before
    /// another one, by address.
    fn instructions(
        &self,
        path: &str,
        code: Range<u64>,
    ) -> Result<Vec<Instruction>, NoInstructions>;
}

/// Why there are no instructions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoInstructions {
    /// The reason, and what to do.
    pub why: String,
    /// Whether other code will not have any either, so that nobody should wait for it.
    pub is_final: bool,
}

/// An instruction of a binary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instruction {
    /// As the file states it.
    pub address: u64,
    /// As an assembler has it.
    pub text: String,
}

impl fmt::Debug for Binaries {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Binaries")
    }
}

impl Binaries {
    /// Who unwinds stacks with them.
    pub(crate) fn walkers(&self) -> StackWalkers {
        let files = self.files.clone();
        StackWalkers(Arc::new(move || {
            let (told, unwinder, jits) = (Vec::new(), None, HashSet::new());
            Box::new(Walker { files: files.clone(), unwinder, told, jits, vdso: vec![] })
        }))
    }
}

/// Unwinds the stacks of one recording.
struct Walker {
    files: Arc<dyn Files>,
    /// Made for the first stack, whose registers tell the architecture.
    unwinder: Option<(Architecture, Unwinder)>,
    /// What was told of processes before that.
    told: Vec<MapEvent>,
    /// Processes whose just-in-time compiler wrote down its code.
    jits: HashSet<u32>,
    /// The build id of what the recorded kernel maps into programs, if it runs here.
    vdso: Vec<u8>,
}

enum MapEvent {
    Map(u32, OwnMapping),
    Fork(u32, u32),
    Exec(u32),
}

struct OwnMapping {
    start: u64,
    end: u64,
    file_offset: u64,
    path: String,
    build_id: Vec<u8>,
}

impl Walker {
    fn tell(&mut self, told: MapEvent) {
        match &mut self.unwinder {
            Some((_, unwinder)) => act(unwinder, &*self.files, &mut self.jits, &told),
            None => self.told.push(told),
        }
    }

    fn unwinder(&mut self, mask: u64) -> &mut (Architecture, Unwinder) {
        let (files, told, jits) = (&self.files, &mut self.told, &mut self.jits);
        self.unwinder.get_or_insert_with(|| {
            /// The program counter of aarch64; x86-64 has no such register.
            const PC_OF_AARCH64: u64 = 1 << 32;
            let is_arm = mask & PC_OF_AARCH64 != 0;
            let architecture = if is_arm { Architecture::Aarch64 } else { Architecture::X86_64 };
            let mut unwinder = Unwinder::new(files.clone(), architecture);
            told.drain(..).for_each(|told| act(&mut unwinder, &**files, jits, &told));
            (architecture, unwinder)
        })
    }
}

fn act(unwinder: &mut Unwinder, files: &dyn Files, jits: &mut HashSet<u32>, told: &MapEvent) {
    match told {
        MapEvent::Map(process, OwnMapping { start, end, file_offset, path, build_id }) => {
            let build_id = Some(build_id.as_slice()).filter(|id| !id.is_empty());
            if is_jitdump(path) {
                return act_on_code(unwinder, files, *process, path, jits);
            }
            // What a just-in-time compiler tells is better than that there is something.
            if jits.contains(process) && (path.starts_with("//") || path.starts_with("[anon")) {
                return;
            }
            let mapping =
                Mapping { start: *start, end: *end, file_offset: *file_offset, path, build_id };
            unwinder.map(*process, &mapping);
        }
        MapEvent::Fork(parent, child) => unwinder.fork(*parent, *child),
        MapEvent::Exec(process) => unwinder.exec(*process),
    }
}

impl StackWalker for Walker {
    fn map(&mut self, process: u32, mapping: &StackMapping<'_>) {
        let &StackMapping { start, end, file_offset, path, build_id } = mapping;
        let is_vdso = path == "[vdso]" && build_id.is_empty();
        let build_id = if is_vdso { self.vdso.clone() } else { build_id.to_vec() };
        let path = path.to_owned();
        self.tell(MapEvent::Map(process, OwnMapping { start, end, file_offset, path, build_id }));
    }

    fn kernel(&mut self, build_id: &[u8]) {
        self.vdso = symbols::running::vdso_of(&*self.files, build_id).unwrap_or_default();
    }

    fn fork(&mut self, parent: u32, child: u32) {
        self.tell(MapEvent::Fork(parent, child));
    }

    fn exec(&mut self, process: u32) {
        self.tell(MapEvent::Exec(process));
    }

    fn walk(&mut self, stack: &CopiedStack<'_>, addresses: &mut Vec<u64>) -> StackEnd {
        let (architecture, unwinder) = self.unwinder(stack.mask);
        let Some(registers) = Registers::from_perf(*architecture, stack.mask, stack.registers)
        else {
            return StackEnd::Lost;
        };
        match unwinder.walk(stack.process, &registers, stack.bytes, addresses).end {
            End::Whole => StackEnd::Whole,
            End::StackTooShort => StackEnd::CopyTooShort,
            End::NoUnwindInfo { .. } | End::Misread { .. } | End::TooManyFrames => StackEnd::Lost,
        }
    }
}

/// Bytes that are taken of texts and dumps beside a recording.
pub(crate) const MOST_TOLD: usize = 256 << 20;

/// Whether this is what a just-in-time compiler writes down of its code.
pub(crate) fn is_jitdump(path: &str) -> bool {
    let name = profile::base_name(path);
    let number = name.strip_prefix("jit-").and_then(|rest| rest.strip_suffix(".dump"));
    number.is_some_and(|number| number.bytes().all(|digit| digit.is_ascii_digit()))
}

/// Tells the unwinder of the code that a just-in-time compiler wrote down.
fn act_on_code(
    unwinder: &mut Unwinder,
    files: &dyn Files,
    process: u32,
    path: &str,
    jits: &mut HashSet<u32>,
) {
    let Some(file) = files.open(path).filter(|_| jits.insert(process)) else { return };
    let Ok(dump) = JitDump::read(Sequential::new(file), MOST_TOLD) else { return };
    for event in dump.events {
        if let Event::Load(code) = event {
            unwinder.map_code(process, code.address, code.size, code.unwind.as_ref());
        }
    }
}

/// A file from its start to its end.
pub(crate) struct Sequential {
    file: Arc<dyn FileBytes>,
    at: u64,
}

impl Sequential {
    pub(crate) fn new(file: Arc<dyn FileBytes>) -> io::BufReader<Sequential> {
        io::BufReader::with_capacity(64 << 10, Sequential { file, at: 0 })
    }
}

impl Read for Sequential {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.file.len().saturating_sub(self.at)).unwrap_or(usize::MAX);
        let count = left.min(out.len());
        self.file.read_at(self.at, &mut out[..count])?;
        self.at += count as u64;
        Ok(count)
    }
}
