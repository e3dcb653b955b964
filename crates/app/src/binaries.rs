//! The binaries of this machine, which recordings name.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use session::{Binaries, Disassembler, FileBytes, Files, Instruction, NoInstructions, visible};

use crate::{access, objdump};

/// Binaries below some folders, or where the recording says that they are.
pub(crate) fn of_machine(folders: &[PathBuf]) -> Binaries {
    let files = Arc::new(MachineFiles { folders: folders.to_vec() });
    let disassembler = Some(files.clone() as Arc<dyn Disassembler>);
    Binaries { files, are_named: !folders.is_empty(), disassembler }
}

struct MachineFiles {
    folders: Vec<PathBuf>,
}

/// A file that is read where it is asked for.
struct OpenFile {
    file: File,
    length: u64,
}

impl FileBytes for OpenFile {
    fn len(&self) -> u64 {
        self.length
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        self.file.read_exact_at(into, offset)
    }
}

/// What the kernel tells of itself.
const KERNEL: [(&str, &str); 2] =
    [("[kernel.kallsyms]", "/proc/kallsyms"), ("[kernel.notes]", "/sys/kernel/notes")];
/// Bytes of the kernel's symbols: a usual kernel has 10 to 20 MB of them.
const MOST_SYMBOLS: u64 = 256 << 20;

impl MachineFiles {
    /// Where a binary may be.
    fn places(&self, path: &str) -> Vec<PathBuf> {
        let recorded = Path::new(path);
        let Some(name) = recorded.file_name() else { return vec![] };
        let below = self.folders.iter().flat_map(|folder| {
            let whole = recorded.strip_prefix("/").map(|path| folder.join(path));
            whole.into_iter().chain([folder.join(name)])
        });
        let recorded = recorded.is_absolute().then(|| recorded.to_owned());
        below.chain(recorded).collect()
    }
}

impl Disassembler for MachineFiles {
    fn instructions(
        &self,
        path: &str,
        code: Range<u64>,
    ) -> Result<Vec<Instruction>, NoInstructions> {
        let file = self.places(path).into_iter().find(|path| open(path).is_some());
        let file = file.ok_or_else(|| NoInstructions {
            why: format!("{} is not here", visible(path)),
            is_final: false,
        })?;
        objdump::instructions(&file, code)
    }
}

impl Files for MachineFiles {
    fn open(&self, path: &str) -> Option<Arc<dyn FileBytes>> {
        let told = KERNEL.iter().find(|(name, _)| *name == path);
        if let Some((_, file)) = told {
            // Such files have no length before they are read.
            let mut text = vec![];
            File::open(file).ok()?.take(MOST_SYMBOLS).read_to_end(&mut text).ok()?;
            return Some(Arc::new(text));
        }
        if path == "[vdso]" {
            return vdso().map(|bytes| Arc::new(bytes) as Arc<dyn FileBytes>);
        }
        self.places(path).into_iter().find_map(|path| open(&path))
    }

    fn debug_folders(&self) -> Vec<String> {
        let home = std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".debug"));
        let usual = [PathBuf::from("/usr/lib/debug")].into_iter().chain(home);
        let all = self.folders.iter().cloned().chain(usual);
        all.map(|folder| folder.to_string_lossy().into_owned()).collect()
    }
}

/// What the kernel maps into every program, this one too.
fn vdso() -> Option<Vec<u8>> {
    /// It has some pages.
    const LARGEST: u64 = 1 << 20;
    let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
    let line = maps.lines().find(|line| line.ends_with("[vdso]"))?;
    let (start, end) = line.split(' ').next()?.split_once('-')?;
    let [start, end] = [start, end].map(|text| u64::from_str_radix(text, 16));
    let length = end.ok()?.checked_sub(start.clone().ok()?).filter(|length| *length <= LARGEST)?;
    let mut bytes = vec![0; length as usize];
    File::open("/proc/self/mem").ok()?.read_exact_at(&mut bytes, start.ok()?).ok()?;
    Some(bytes)
}

/// Regular files only: a recording may name a pipe or a device, which would never end.
fn open(path: &Path) -> Option<Arc<dyn FileBytes>> {
    if !path.metadata().ok()?.is_file() {
        return None;
    }
    let file = access::open_binary(path).ok()?;
    let length = file.metadata().ok().filter(std::fs::Metadata::is_file)?.len();
    Some(Arc::new(OpenFile { file, length }))
}
