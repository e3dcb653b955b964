//! Damaged and hostile files: whatever stands in them, reading ends, soon and without a panic.

use std::collections::HashMap;
use std::sync::Arc;

use proptest::prelude::*;
use proptest::sample::Index;
use symbols::jitdump::JitDump;
use symbols::kernel::Kallsyms;
use symbols::perf_map::PerfMap;
use symbols::{Architecture, Binary, Files, Mapping, Names, Registers, Unwinder, Variables};

use crate::built::Folder;
use crate::disk::Disk;

/// A change to a file.
#[derive(Clone, Debug)]
enum Change {
    /// A byte anywhere.
    Byte(Index, u8),
    /// A number of a section header: which section, which byte of the header, what.
    Header(Index, Index, u64),
    /// A number in the bytes of a section that matters.
    Number(Index, Index, u64, usize),
    /// A part of a section stands elsewhere in it too.
    Copy(Index, Index, Index, usize),
    /// The rest is gone.
    Cut(Index),
}

fn number() -> impl Strategy<Value = u64> {
    let extreme = prop::sample::select(vec![
        0,
        1,
        2,
        7,
        0x7f,
        0x80,
        0xff,
        0x7fff,
        0x8000,
        0xffff,
        0x7fff_ffff,
        0x8000_0000,
        0xffff_fff0,
        0xffff_ffff,
        0x7fff_ffff_ffff_ffff,
        0x8000_0000_0000_0000,
        u64::MAX - 7,
        u64::MAX,
    ]);
    prop_oneof![extreme, any::<u64>(), 0..0x1000_u64]
}

fn change() -> impl Strategy<Value = Change> {
    let index = any::<Index>;
    prop_oneof![
        1 => (index(), any::<u8>()).prop_map(|(at, byte)| Change::Byte(at, byte)),
        3 => (index(), index(), number()).prop_map(|(one, at, to)| Change::Header(one, at, to)),
        6 => (index(), index(), number(), prop::sample::select(vec![1, 2, 4, 8]))
            .prop_map(|(one, at, to, width)| Change::Number(one, at, to, width)),
        2 => (index(), index(), index(), 1..64_usize)
            .prop_map(|(one, from, to, size)| Change::Copy(one, from, to, size)),
        1 => index().prop_map(Change::Cut),
    ]
}

/// A file and the parts of it that are read.
struct Sample {
    bytes: Vec<u8>,
    /// Where section headers are.
    headers: Vec<std::ops::Range<usize>>,
    /// The bytes of sections that are read, and the headers of the file.
    parts: Vec<std::ops::Range<usize>>,
}

impl Sample {
    fn new(bytes: Vec<u8>) -> Self {
        let word = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
        let half = |at: usize| usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
        let begin = word(40);
        let headers: Vec<_> =
            (0..half(60)).map(|index| begin + index * 64..begin + index * 64 + 64).collect();
        let names = word(headers[half(62)].start + 24);
        let is_read = |header: &std::ops::Range<usize>| {
            let at =
                names + u32::from_le_bytes(bytes[header.start..][..4].try_into().unwrap()) as usize;
            [b".debug".as_slice(), b".eh_frame", b".symtab", b".note", b".gnu_debug"]
                .iter()
                .any(|name| bytes[at..].starts_with(name))
        };
        let mut parts: Vec<_> = headers
            .iter()
            .filter(|header| is_read(header) && bytes[header.start + 4] != 8)
            .map(|header| {
                word(header.start + 24)..word(header.start + 24) + word(header.start + 32)
            })
            .filter(|part| !part.is_empty())
            .collect();
        parts.push(0..64 + 56 * half(56));
        Self { bytes, headers, parts }
    }

    fn changed(&self, changes: &[Change]) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        let mut put = |at: usize, number: u64, width: usize| {
            let width = width.min(self.bytes.len() - at);
            bytes[at..at + width].copy_from_slice(&number.to_le_bytes()[..width]);
        };
        let mut size = self.bytes.len();
        for change in changes {
            match change {
                Change::Byte(at, byte) => put(at.index(self.bytes.len()), u64::from(*byte), 1),
                Change::Header(one, at, number) => {
                    let header = at.get(&[0, 4, 8, 16, 24, 32, 40, 48, 56]);
                    let width = if [0, 4, 40].contains(header) { 4 } else { 8 };
                    put(one.get(&self.headers).start + header, *number, width);
                }
                Change::Number(one, at, number, width) => {
                    let part = one.get(&self.parts);
                    put(part.start + at.index(part.len()), *number, *width);
                }
                Change::Copy(one, from, to, size) => {
                    let part = one.get(&self.parts);
                    let (from, to) = (from.index(part.len()), to.index(part.len()));
                    let size = (*size).min(part.len() - from.max(to));
                    let source = self.bytes[part.start + from..][..size].to_vec();
                    source.chunks(1).enumerate().for_each(|(offset, byte)| {
                        put(part.start + to + offset, u64::from(byte[0]), 1);
                    });
                }
                Change::Cut(at) => size = at.index(self.bytes.len()),
            }
        }
        bytes.truncate(size);
        bytes
    }
}

/// Asks everything of a file: names at many addresses, stacks from many.
fn ask(files: HashMap<String, Vec<u8>>, path: &str, addresses: &[u64]) {
    let disk =
        Disk { in_memory: files, debug_folders: vec!["/debug".to_owned()], ..Disk::default() };
    let files: Arc<dyn Files> = Arc::new(disk);
    let binary = Binary { path: path.to_owned(), build_id: None };
    if let Ok(mut names) = Names::open(&files, &binary) {
        let mut frames = vec![];
        for address in addresses {
            frames.clear();
            names.at_address(*address, &mut frames);
            names.at(*address, &mut frames);
        }
        let _ = names.sources();
    }
    let _ = Variables::open(&files, &binary);
    for architecture in [Architecture::X86_64, Architecture::Aarch64] {
        let mut unwinder = Unwinder::new(files.clone(), architecture);
        let mapping = Mapping { start: 0, end: 1 << 40, file_offset: 0, path, build_id: None };
        unwinder.map(1, &mapping);
        let stack: Vec<u8> = addresses.iter().flat_map(|address| address.to_le_bytes()).collect();
        let mut out = vec![];
        for address in addresses {
            for sp in [0x1000, u64::MAX - 100, 0] {
                out.clear();
                let registers = Registers::new(architecture, *address, sp, sp.wrapping_add(16));
                unwinder.walk(1, &registers, &stack, &mut out);
            }
        }
    }
}

/// Throws mutants of a file at the readers.
fn check(
    cases: u32,
    sample: &Sample,
    addresses: &[u64],
    whole: &dyn Fn(Vec<u8>) -> HashMap<String, Vec<u8>>,
) {
    ask(whole(sample.bytes.clone()), "/x", addresses);
    // `PROPTEST_CASES` asks for more.
    let usual = ProptestConfig::default();
    let cases = cases.max(usual.cases);
    let config = ProptestConfig { cases, max_shrink_iters: 200, ..usual };
    proptest!(config, |(changes in prop::collection::vec(change(), 1..6))| {
        ask(whole(sample.changed(&changes)), "/x", addresses);
    });
}

fn alone(bytes: Vec<u8>) -> HashMap<String, Vec<u8>> {
    HashMap::from([("/x".to_owned(), bytes)])
}

/// Where the code of a small program is, and some extremes.
fn addresses() -> Vec<u64> {
    let code = (0x1000..0x2400).step_by(97);
    code.chain([0, 1, u64::MAX, 1 << 63, 0x40_1800, 0x40_2000, 0x41_0000]).collect()
}

#[test]
fn binaries() {
    let folder = Folder::new("mutants_plain");
    for options in ["-gdwarf-5", "-gdwarf-4 -no-pie -fno-pie"] {
        folder.build(options);
        let sample = Sample::new(std::fs::read(folder.program()).unwrap());
        check(600, &sample, &addresses(), &alone);
    }
}

#[test]
fn packed_binaries() {
    let folder = Folder::new("mutants_packed");
    folder.build("-gdwarf-5 -gz");
    let sample = Sample::new(std::fs::read(folder.program()).unwrap());
    check(300, &sample, &addresses(), &alone);
}

#[test]
fn split_units_and_packages() {
    let folder = Folder::new("mutants_split");
    folder.build("-gdwarf-4 -gsplit-dwarf");
    folder.run("dwp -e program -o program.dwp");
    let read = |name: &str| std::fs::read(folder.0.join(name)).unwrap();
    let program = read("program");
    let (place, unit) = (folder.0.to_str().unwrap().to_owned(), read("shapes.dwo"));
    let apart = |bytes: Vec<u8>| {
        HashMap::from([("/x".to_owned(), program.clone()), (format!("{place}/shapes.dwo"), bytes)])
    };
    check(300, &Sample::new(unit), &addresses(), &apart);
    let packed = |bytes: Vec<u8>| {
        HashMap::from([("/x".to_owned(), program.clone()), ("/x.dwp".to_owned(), bytes)])
    };
    check(300, &Sample::new(read("program.dwp")), &addresses(), &packed);
}

#[test]
fn binaries_of_the_corpus() {
    let Some(folder) = samples::corpus("perf/bin") else { return };
    for name in ["inlines", "vdso", "hot"] {
        let sample = Sample::new(std::fs::read(folder.join(name)).unwrap());
        check(200, &sample, &addresses(), &alone);
    }
}

#[test]
fn what_compilers_write() {
    let small = ProptestConfig { cases: 500, ..ProptestConfig::default() };
    let Some(dump) = samples::corpus_bytes("perf/py-jit.jit-8094.dump") else { return };
    let dump = &dump[..dump.len().min(4096)];
    let changes = prop::collection::vec((any::<Index>(), number(), 1..9_usize), 1..6);
    proptest!(small, |(changes in changes)| {
        let mut bytes = dump.to_vec();
        for (at, number, width) in changes {
            let at = at.index(bytes.len());
            let width = width.min(bytes.len() - at);
            bytes[at..at + width].copy_from_slice(&number.to_le_bytes()[..width]);
        }
        if let Ok(dump) = JitDump::read(&bytes[..], 1 << 20) {
            let mut unwinder = Unwinder::new(Arc::new(Disk::default()), Architecture::X86_64);
            let mut map = symbols::jitdump::CodeMap::default();
            for event in &dump.events {
                map.apply(event);
                if let symbols::jitdump::Event::Load(code) = event {
                    unwinder.map_code(1, code.address, code.size, code.unwind.as_ref());
                    let registers = Registers::new(Architecture::X86_64, code.address, 64, 64);
                    unwinder.walk(1, &registers, &bytes[..64], &mut vec![]);
                }
            }
        }
        let _ = PerfMap::read(&bytes[..], 1 << 20);
        let _ = Kallsyms::read(&bytes[..], 1 << 20);
    });
}
