//! The kernel that runs here, and what it maps into programs.

use crate::elf::Elf;
use crate::files::Files;

/// More bytes of notes are not read; a kernel has some hundred.
const MOST_NOTES: u64 = 1 << 20;

/// The build id of the kernel that runs here.
pub fn build_id(files: &dyn Files) -> Option<Vec<u8>> {
    let notes = files.open("[kernel.notes]")?;
    let mut bytes = vec![0; usize::try_from(notes.len().min(MOST_NOTES)).ok()?];
    notes.read_at(0, &mut bytes).ok()?;
    build_id_of_notes(&bytes)
}

/// The build id of what a kernel maps into programs (`[vdso]`), which recorders seldom tell; none unless that
/// kernel runs here.
pub fn vdso_of(files: &dyn Files, kernel: &[u8]) -> Option<Vec<u8>> {
    let is_here = !kernel.is_empty() && build_id(files).as_deref() == Some(kernel);
    is_here.then(|| Elf::open(files.open("[vdso]")?).ok()?.build_id())?
}

/// The build id in the notes of an ELF file: sizes of name and content, kind, then both.
fn build_id_of_notes(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut rest = bytes;
    loop {
        let (head, behind) = rest.split_at_checked(12)?;
        let word = |at: usize| -> Option<usize> {
            Some(u32::from_ne_bytes(head.get(at..at + 4)?.try_into().ok()?) as usize)
        };
        let (name, content) = (word(0)?.next_multiple_of(4), word(4)?);
        let found = behind.get(name..)?.get(..content)?;
        if word(8)? == 3 && behind.starts_with(b"GNU\0") {
            return Some(found.to_vec());
        }
        rest = behind.get(name + content.next_multiple_of(4)..)?;
    }
}
