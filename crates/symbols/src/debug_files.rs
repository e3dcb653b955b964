//! The files that belong to a binary: the binary itself as it was recorded, its separate debug
//! information, and what that shares with others.

use std::fmt::Write as _;
use std::sync::Arc;

use crate::elf::Elf;
use crate::fields::{Fields, string_at};
use crate::files::{FileBytes, Files};
use crate::missing::Missing;

/// How the recorder marks a file that was unlinked while it was mapped.
const DELETED: &str = " (deleted)";
/// How much of a file is read at once for its checksum.
const CHUNK: usize = 1 << 20;

/// What a recording says of a binary.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Binary {
    /// Its path.
    pub path: String,
    /// Its build id, where it was recorded. Older recorders fill it up to 20 bytes with zeros.
    pub build_id: Option<Vec<u8>>,
}

/// An ELF file and where it was found.
pub(crate) struct Found {
    pub(crate) elf: Elf,
    pub(crate) path: String,
}

/// The binary that was recorded: at its path if that is still the same build, else by its build id in
/// the debug folders.
pub(crate) fn binary(files: &dyn Files, binary: &Binary) -> Result<Found, Missing> {
    let recorded = binary.build_id.as_deref().filter(|id| id.iter().any(|byte| *byte != 0));
    let path = binary.path.as_str();
    let at_path = match path.strip_suffix(DELETED) {
        // Another file may stand there now, which only a build id can tell.
        Some(rest) => recorded.and_then(|_| files.open(rest)),
        // The one that is here is that of the kernel that runs here.
        None if path == "[vdso]" => recorded.and_then(|_| files.open(path)),
        None => files.open(path),
    };
    let unlike = match at_path.map(Elf::open) {
        Some(Ok(elf)) => match recorded {
            Some(recorded) if !same_build(recorded, elf.build_id().as_deref()) => {
                let found = elf.build_id().unwrap_or_default();
                Missing::AnotherBuild { path: path.to_owned(), recorded: recorded.to_vec(), found }
            }
            _ => return Ok(Found { elf, path: path.to_owned() }),
        },
        Some(Err(why)) => Missing::NotElf { path: path.to_owned(), why },
        None => Missing::File { path: path.to_owned() },
    };
    let cached = recorded.and_then(|id| by_build_id(files, id, &["/elf", "/vdso", ""]));
    cached.ok_or(unlike)
}

/// The separate debug information of a binary: by its build id, else by the name in the binary, whose
/// checksum must hold.
pub(crate) fn separate(files: &dyn Files, of: &Found) -> Option<Found> {
    let by_id = of.elf.build_id();
    let by_id = by_id.and_then(|id| by_build_id(files, &id, &[".debug", "/debug"]));
    by_id.or_else(|| {
        let link = of.elf.named_bytes(".gnu_debuglink")?;
        let name = string_at(&link, 0)?;
        let checksum_at = (name.len() + 1).next_multiple_of(4);
        let checksum = Fields::new(link.get(checksum_at..)?, of.elf.big_endian).u32()?;
        let name = file_name(name)?;
        let folder = of.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let mut places = vec![format!("{folder}/{name}"), format!("{folder}/.debug/{name}")];
        places.extend(files.debug_folders().iter().map(|root| format!("{root}{folder}/{name}")));
        places.into_iter().find_map(|path| {
            let file = files.open(&path)?;
            (checksum_of(&*file)? == checksum).then_some(())?;
            Some(Found { elf: Elf::open(file).ok()?, path })
        })
    })
}

/// What several files of debug information have in common (`dwz`).
pub(crate) fn supplementary(files: &dyn Files, of: &Found) -> Option<Found> {
    let link = of.elf.named_bytes(".gnu_debugaltlink")?;
    let name = string_at(&link, 0)?;
    let id = link.get(name.len() + 1..)?;
    let path = std::str::from_utf8(name).ok()?;
    let folder = of.path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let path = if path.starts_with('/') { path.to_owned() } else { format!("{folder}/{path}") };
    let at_path = files.open(&path).and_then(|file| Elf::open(file).ok());
    let at_path = at_path.filter(|elf| same_build(id, elf.build_id().as_deref()));
    at_path.map(|elf| Found { elf, path }).or_else(|| by_build_id(files, id, &[".debug", "/debug"]))
}

/// A file that debug folders keep under a build id.
fn by_build_id(files: &dyn Files, id: &[u8], endings: &[&str]) -> Option<Found> {
    // Ids that were filled up stand there without the filling, which may be part of a longer one.
    let end = id.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    let trimmed = &id[..end];
    let filled = (id.len() == 20 && end <= 16).then(|| &id[..16]);
    [Some(id), filled, Some(trimmed)].into_iter().flatten().find_map(|id| {
        let (first, rest) = id.split_first()?;
        let mut name = format!("/.build-id/{first:02x}/");
        rest.iter().try_for_each(|byte| write!(name, "{byte:02x}")).ok()?;
        files.debug_folders().iter().find_map(|root| {
            endings.iter().find_map(|ending| {
                let path = format!("{root}{name}{ending}");
                let elf = Elf::open(files.open(&path)?).ok()?;
                same_build(id, elf.build_id().as_deref()).then_some(Found { elf, path })
            })
        })
    })
}

/// True if a recorded build id is that of a file.
fn same_build(recorded: &[u8], found: Option<&[u8]>) -> bool {
    let Some(found) = found else { return false };
    recorded == found
        || (recorded.len() == 20
            && recorded
                .strip_prefix(found)
                .is_some_and(|filling| filling.iter().all(|byte| *byte == 0)))
}

/// A name that stays in its folder.
fn file_name(name: &[u8]) -> Option<&str> {
    let name = std::str::from_utf8(name).ok()?;
    let stays = !name.is_empty() && !name.contains('/') && name != "." && name != "..";
    stays.then_some(name)
}

/// CRC-32 of a whole file.
fn checksum_of(file: &dyn FileBytes) -> Option<u32> {
    let mut checksum = flate2::Crc::new();
    let mut chunk = vec![0; CHUNK];
    let mut offset = 0;
    while offset < file.len() {
        let size = usize::try_from(file.len() - offset).map_or(CHUNK, |left| left.min(CHUNK));
        file.read_at(offset, &mut chunk[..size]).ok()?;
        checksum.update(&chunk[..size]);
        offset += size as u64;
    }
    Some(checksum.sum())
}

/// A file that debug information names by its folder and name.
pub(crate) fn beside(files: &dyn Files, folder: &str, name: &str) -> Option<Arc<dyn FileBytes>> {
    if name.starts_with('/') { files.open(name) } else { files.open(&format!("{folder}/{name}")) }
}
