//! ELF files, of 32 and 64 bits and both byte orders: headers first, sections when they are asked for.

use std::sync::Arc;

use crate::decompress::{self, Compression};
use crate::fields::{Fields, string_at};
use crate::files::FileBytes;
use crate::stored::Stored;

/// More sections than any linked file has; object files with one for each function are not read.
const MAX_SECTIONS: u64 = 65_536;
/// More than the names of so many sections take.
const MAX_SECTION_NAMES: u64 = 16 << 20;
/// A note section with a build id is a few dozen bytes.
const MAX_NOTES: u64 = 64 << 10;

/// Kinds of sections and segments, and flags.
const PT_LOAD: u32 = 1;
const PT_NOTE: u32 = 4;
const PF_X: u32 = 1;
const SHT_NOTE: u32 = 7;
const SHT_NOBITS: u32 = 8;
const SHF_COMPRESSED: u64 = 0x800;
pub(crate) const SHT_SYMTAB: u32 = 2;
pub(crate) const SHT_DYNSYM: u32 = 11;
pub(crate) const SHF_EXECINSTR: u64 = 4;
const ET_REL: u16 = 1;
const ET_DYN: u16 = 3;
const NT_GNU_BUILD_ID: u32 = 3;

/// What the headers of a file say.
pub(crate) struct Elf {
    file: Arc<dyn FileBytes>,
    pub(crate) is_64: bool,
    pub(crate) big_endian: bool,
    pub(crate) machine: u16,
    /// True for object files and kernel modules, whose sections wait for a linker.
    pub(crate) is_relocatable: bool,
    /// True for what may be loaded anywhere: shared libraries, and programs that are linked like them.
    pub(crate) is_movable: bool,
    /// The address of the first instruction.
    pub(crate) entry: u64,
    pub(crate) segments: Vec<Segment>,
    pub(crate) sections: Vec<Section>,
}

/// A part of the file that is mapped.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segment {
    kind: u32,
    flags: u32,
    offset: u64,
    address: u64,
    size_in_file: u64,
}

/// A section by its header.
#[derive(Clone, Debug)]
pub(crate) struct Section {
    pub(crate) name: Vec<u8>,
    pub(crate) kind: u32,
    pub(crate) flags: u64,
    pub(crate) address: u64,
    offset: u64,
    pub(crate) size: u64,
    /// The section that belongs to it: the names of a table of symbols.
    pub(crate) link: u32,
}

impl Elf {
    /// Reads the headers; the reason if they do not hold.
    pub(crate) fn open(file: Arc<dyn FileBytes>) -> Result<Self, &'static str> {
        let head = read(&*file, 0, file.len().min(64)).ok_or("it cannot be read")?;
        if !head.starts_with(b"\x7fELF") {
            return Err("it does not begin as ELF does");
        }
        let (Some(class @ (1 | 2)), Some(order @ (1 | 2))) = (head.get(4), head.get(5)) else {
            return Err("its class or byte order is unknown");
        };
        let (is_64, big_endian) = (*class == 2, *order == 2);
        let header = Header::parse(&head, is_64, big_endian).ok_or("its header is cut")?;
        let mut elf = Self {
            file,
            is_64,
            big_endian,
            machine: header.machine,
            is_relocatable: header.kind == ET_REL,
            is_movable: header.kind == ET_DYN,
            entry: header.entry,
            segments: vec![],
            sections: vec![],
        };
        elf.segments = elf.read_segments(&header).ok_or("its program headers are cut")?;
        // A file without sections still maps, so that its addresses can be told.
        elf.sections = elf.read_sections(&header).unwrap_or_default();
        Ok(elf)
    }

    fn read_segments(&self, header: &Header) -> Option<Vec<Segment>> {
        let width: u16 = if self.is_64 { 56 } else { 32 };
        if header.segments == 0 {
            return Some(vec![]);
        }
        if header.segment_width < width {
            return None;
        }
        let size = u64::from(header.segments) * u64::from(header.segment_width);
        let table = read(&*self.file, header.segments_at, size)?;
        let one = |bytes| Segment::parse(bytes, self.is_64, self.big_endian);
        table.chunks_exact(usize::from(header.segment_width)).map(one).collect()
    }

    fn read_sections(&self, header: &Header) -> Option<Vec<Section>> {
        let width: u16 = if self.is_64 { 64 } else { 40 };
        if header.sections_at == 0 || header.section_width < width {
            return None;
        }
        let at = |index: u64, count: u64| {
            let width = u64::from(header.section_width);
            let begin = header.sections_at.checked_add(index.checked_mul(width)?)?;
            read(&*self.file, begin, count.checked_mul(width)?)
        };
        let parse = |bytes: &[u8]| Header::section(bytes, self.is_64, self.big_endian);
        // Where there are too many for the header, the first section says how many.
        let first = parse(&at(0, 1)?)?;
        let count = if header.sections == 0 { first.1.size } else { u64::from(header.sections) };
        let names = match header.section_names {
            0xffff => u64::from(first.1.link),
            index => u64::from(index),
        };
        if count > MAX_SECTIONS {
            return None;
        }
        let table = at(0, count)?;
        let parsed: Vec<(u32, Section)> = table
            .chunks_exact(usize::from(header.section_width))
            .map(parse)
            .collect::<Option<_>>()?;
        let (_, names) = parsed.get(usize::try_from(names).ok()?)?;
        let names = read(&*self.file, names.offset, names.size.min(MAX_SECTION_NAMES))?;
        let named = parsed.into_iter().map(|(name, section)| {
            let name = string_at(&names, name as usize).unwrap_or_default().to_vec();
            Section { name, ..section }
        });
        Some(named.collect())
    }

    /// The section of that name; with bytes before one without.
    pub(crate) fn section(&self, name: &[u8]) -> Option<&Section> {
        let mut of_name = self.sections.iter().filter(|section| section.name == name);
        let first = of_name.next()?;
        if first.kind != SHT_NOBITS {
            return Some(first);
        }
        Some(of_name.find(|section| section.kind != SHT_NOBITS).unwrap_or(first))
    }

    /// The bytes of a section, unpacked; none if the file does not hold them.
    pub(crate) fn bytes(&self, section: &Section) -> Option<Arc<[u8]>> {
        if section.kind == SHT_NOBITS {
            return None;
        }
        if section.flags & SHF_COMPRESSED != 0 {
            let packed = read(&*self.file, section.offset, section.size)?;
            return self.unpacked(&packed);
        }
        if section.name.starts_with(b".zdebug") {
            let packed = read(&*self.file, section.offset, section.size)?;
            let mut fields = Fields::new(packed.strip_prefix(b"ZLIB")?, true);
            let size = fields.u64()?;
            return decompress::unpack(Compression::Zlib, fields.rest(), size);
        }
        read(&*self.file, section.offset, section.size)
    }

    fn unpacked(&self, packed: &[u8]) -> Option<Arc<[u8]>> {
        let mut fields = Fields::new(packed, self.big_endian);
        let compression = match fields.u32()? {
            1 => Compression::Zlib,
            2 => Compression::Zstd,
            _ => return None,
        };
        if self.is_64 {
            fields.u32()?;
        }
        let size = fields.word(self.is_64)?;
        fields.word(self.is_64)?;
        decompress::unpack(compression, fields.rest(), size)
    }

    /// The bytes of the section of that name, `.zdebug` for `.debug` too.
    pub(crate) fn named_bytes(&self, name: &str) -> Option<Arc<[u8]>> {
        let plain = self.section(name.as_bytes()).and_then(|section| self.bytes(section));
        plain.or_else(|| {
            let packed = format!(".z{}", name.strip_prefix(".debug").map(|_| &name[1..])?);
            self.bytes(self.section(packed.as_bytes())?)
        })
    }

    /// A section that is read in parts; as a whole only if it is packed.
    pub(crate) fn stored(&self, section: &Section) -> Option<Stored> {
        let is_packed = section.flags & SHF_COMPRESSED != 0 || section.name.starts_with(b".zdebug");
        if is_packed || section.kind == SHT_NOBITS {
            return self.bytes(section).map(Stored::Unpacked);
        }
        let end = section.offset.checked_add(section.size)?;
        let file = self.file.clone();
        let Section { offset, size, .. } = *section;
        (end <= file.len()).then_some(Stored::InFile { file, offset, size })
    }

    /// The section of that name, read in parts.
    pub(crate) fn named_stored(&self, name: &str) -> Option<Stored> {
        match self.section(name.as_bytes()) {
            Some(section) if section.kind != SHT_NOBITS => self.stored(section),
            _ => self.named_bytes(name).map(Stored::Unpacked),
        }
    }

    /// True if a section of that name has bytes here.
    pub(crate) fn has(&self, name: &str) -> bool {
        let holds = |name: &str| {
            self.section(name.as_bytes()).is_some_and(|one| one.kind != SHT_NOBITS && one.size > 0)
        };
        holds(name) || (name.starts_with(".debug") && holds(&format!(".z{}", &name[1..])))
    }

    /// The address that the file states for what stands at `offset` in it.
    pub(crate) fn address_of_offset(&self, offset: u64) -> Option<u64> {
        let holds = |segment: &&Segment| {
            segment.kind == PT_LOAD
                && offset
                    .checked_sub(segment.offset)
                    .is_some_and(|into| into < segment.size_in_file)
        };
        let executable = self.segments.iter().find(|one| one.flags & PF_X != 0 && holds(one));
        let segment = executable.or_else(|| self.segments.iter().find(holds))?;
        (offset - segment.offset).checked_add(segment.address)
    }

    /// The build id that the linker wrote into the file.
    pub(crate) fn build_id(&self) -> Option<Vec<u8>> {
        let sections = self.sections.iter().filter(|one| one.kind == SHT_NOTE);
        let sections = sections.map(|one| (one.offset, one.size));
        let segments = self.segments.iter().filter(|one| one.kind == PT_NOTE);
        let segments = segments.map(|one| (one.offset, one.size_in_file));
        sections.chain(segments).find_map(|(offset, size)| {
            let notes = read(&*self.file, offset, size.min(MAX_NOTES))?;
            self.build_id_in(&notes)
        })
    }

    fn build_id_in(&self, notes: &[u8]) -> Option<Vec<u8>> {
        let mut fields = Fields::new(notes, self.big_endian);
        loop {
            let (name_size, size, kind) = (fields.u32()?, fields.u32()?, fields.u32()?);
            let padded = |size: u32| (size as usize).checked_next_multiple_of(4);
            let name = fields.bytes(padded(name_size)?)?;
            let start = fields.rest();
            let id = start.get(..size as usize)?;
            if kind == NT_GNU_BUILD_ID && name == b"GNU\0" && (1..=64).contains(&id.len()) {
                return Some(id.to_vec());
            }
            fields.bytes(padded(size)?)?;
        }
    }
}

/// The bytes that the file holds there; nothing is allocated for those that it does not.
pub(crate) fn read(file: &dyn FileBytes, offset: u64, size: u64) -> Option<Arc<[u8]>> {
    if offset.checked_add(size)? > file.len() {
        return None;
    }
    let mut bytes: Arc<[u8]> = std::iter::repeat_n(0, usize::try_from(size).ok()?).collect();
    file.read_at(offset, Arc::get_mut(&mut bytes)?).ok()?;
    Some(bytes)
}

/// The parts of the file header that are needed.
struct Header {
    kind: u16,
    machine: u16,
    entry: u64,
    segments_at: u64,
    sections_at: u64,
    segment_width: u16,
    segments: u16,
    section_width: u16,
    sections: u16,
    section_names: u16,
}

impl Header {
    fn parse(head: &[u8], is_64: bool, big_endian: bool) -> Option<Self> {
        let mut fields = Fields::new(head, big_endian);
        fields.bytes(16)?;
        let (kind, machine) = (fields.u16()?, fields.u16()?);
        fields.u32()?;
        let entry = fields.word(is_64)?;
        let (segments_at, sections_at) = (fields.word(is_64)?, fields.word(is_64)?);
        fields.u32()?;
        fields.u16()?;
        Some(Self {
            kind,
            machine,
            entry,
            segments_at,
            sections_at,
            segment_width: fields.u16()?,
            segments: fields.u16()?,
            section_width: fields.u16()?,
            sections: fields.u16()?,
            section_names: fields.u16()?,
        })
    }

    /// A section without its name, and where that stands.
    fn section(bytes: &[u8], is_64: bool, big_endian: bool) -> Option<(u32, Section)> {
        let mut fields = Fields::new(bytes, big_endian);
        let name = fields.u32()?;
        let section = Section {
            name: vec![],
            kind: fields.u32()?,
            flags: fields.word(is_64)?,
            address: fields.word(is_64)?,
            offset: fields.word(is_64)?,
            size: fields.word(is_64)?,
            link: fields.u32()?,
        };
        Some((name, section))
    }
}

impl Segment {
    fn parse(bytes: &[u8], is_64: bool, big_endian: bool) -> Option<Self> {
        let mut fields = Fields::new(bytes, big_endian);
        let kind = fields.u32()?;
        let early_flags = if is_64 { fields.u32()? } else { 0 };
        let (offset, address) = (fields.word(is_64)?, fields.word(is_64)?);
        fields.word(is_64)?;
        let size_in_file = fields.word(is_64)?;
        fields.word(is_64)?;
        let flags = if is_64 { early_flags } else { fields.u32()? };
        Some(Self { kind, flags, offset, address, size_in_file })
    }
}
