//! What just-in-time compilers leave.

use std::io::BufReader;

use symbols::jitdump::{Code, CodeMap, Event, JitDump, JitDumpError, Line};
use symbols::perf_map::PerfMap;

const UNBOUNDED: usize = usize::MAX;

#[test]
fn the_map_of_node_has_every_line() {
    let Some(bytes) = samples::corpus_bytes("perf/jit-node.perf-23819.map") else { return };
    let map = PerfMap::read(BufReader::new(&bytes[..]), UNBOUNDED).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    assert_eq!((map.len(), map.bad_lines), (text.lines().count(), 0));
    // The last line of an address is the one that counts.
    for (index, line) in text.lines().enumerate() {
        let (start, rest) = line.split_once(' ').unwrap();
        let start = u64::from_str_radix(start, 16).unwrap();
        let name = rest.split_once(' ').unwrap().1;
        let covered = text.lines().skip(index + 1).any(|later| {
            let mut numbers = later.split(' ').map(|one| u64::from_str_radix(one, 16));
            let begin = numbers.next().unwrap().unwrap();
            (begin..begin + numbers.next().unwrap().unwrap()).contains(&start)
        });
        if !covered {
            assert_eq!(map.at(start), Some((name, 0)));
        }
    }
}

#[test]
fn the_dump_of_python_has_code_and_how_to_unwind_it() {
    let Some(bytes) = samples::corpus_bytes("perf/py-jit.jit-8094.dump") else { return };
    let dump = JitDump::read(&bytes[..], UNBOUNDED).unwrap();
    assert_eq!((dump.machine, dump.process, dump.bad_records, dump.is_cut), (0, 8094, 0, false));
    // As counted by a walk over the records' sizes alone.
    let mut kinds = [0; 5];
    let mut rest = &bytes[40..];
    while !rest.is_empty() {
        kinds[rest[0] as usize] += 1;
        rest = &rest[u32::from_le_bytes(rest[4..8].try_into().unwrap()) as usize..];
    }
    assert_eq!(dump.events.len(), kinds[0] + kinds[1]);
    let mut map = CodeMap::default();
    dump.events.iter().for_each(|event| map.apply(event));
    let mut leaf = 0;
    for event in &dump.events {
        let Event::Load(code) = event else { continue };
        assert!(code.unwind.is_some(), "{}", code.name);
        let (found, _) = map.at(code.address + code.size - 1).unwrap();
        assert_eq!(found.index, code.index);
        leaf += usize::from(code.name.starts_with("py::leaf:"));
    }
    assert_eq!(leaf, 1);
}

/// A record of a jitdump.
fn record(kind: u32, time: u64, body: &[u8]) -> Vec<u8> {
    let size = body.len() as u32 + 16;
    [&kind.to_le_bytes()[..], &size.to_le_bytes(), &time.to_le_bytes(), body].concat()
}

fn words(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn file(records: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = b"DTiJ".to_vec();
    for word in [1_u32, 40, 62, 0, 77, 0, 0, 0, 0] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend(records.concat());
    bytes
}

fn load(time: u64, address: u64, size: u64, index: u64, name: &str) -> Vec<u8> {
    let mut body = words(&[0, address, address, size, index]);
    body.extend(name.as_bytes());
    body.push(0);
    body.resize(body.len() + size as usize, 0x90);
    record(0, time, &body)
}

fn debug(address: u64, lines: &[(u64, u32, &[u8])]) -> Vec<u8> {
    let mut body = words(&[address, lines.len() as u64]);
    for (address, line, file) in lines {
        body.extend(address.to_le_bytes());
        body.extend(line.to_le_bytes());
        body.extend([0; 4]);
        body.extend(*file);
        body.push(0);
    }
    record(2, 0, &body)
}

#[test]
fn code_is_loaded_moved_and_written_over() {
    let bytes = file(&[
        debug(0x1000, &[(0x1000, 3, b"a.py"), (0x1008, 4, b"\xff"), (0x100c, 9, b"b.py")]),
        load(1, 0x1000, 16, 1, "f"),
        load(2, 0x1010, 16, 2, "g"),
        record(1, 3, &words(&[0, 0x1000, 0x1000, 0x2000, 16, 1])),
        load(4, 0x1008, 16, 3, "h"),
        record(3, 5, &[]),
    ]);
    let dump = JitDump::read(&bytes[..], UNBOUNDED).unwrap();
    assert_eq!((dump.process, dump.bad_records, dump.is_cut), (77, 0, false));
    let mut map = CodeMap::default();
    let name = |map: &CodeMap, at: u64| map.at(at).map(|(code, _)| code.name.to_string());
    let expect = |name: &str| Some(name.to_owned());
    map.apply(&dump.events[0]);
    map.apply(&dump.events[1]);
    assert_eq!((name(&map, 0x100f), name(&map, 0x1010)), (expect("f"), expect("g")));
    map.apply(&dump.events[2]);
    assert_eq!((name(&map, 0x1000), name(&map, 0x2000)), (None, expect("f")));
    let (code, as_loaded) = map.at(0x200d).unwrap();
    let line = Line { address: 0x100c, line: 9, file: "b.py".into() };
    assert_eq!((as_loaded, code.line_at(as_loaded)), (0x100d, Some(&line)));
    assert_eq!(&*code.line_at(0x1009).unwrap().file, "a.py");
    // `h` was written over the first half of `g`.
    map.apply(&dump.events[3]);
    assert_eq!((name(&map, 0x1010), name(&map, 0x1018)), (expect("h"), None));
}

#[test]
fn damage_in_a_dump_is_counted() {
    let whole = file(&[
        record(9, 0, &[]),
        record(0, 0, &words(&[0, 0])),
        // More lines than there are.
        record(2, 0, &words(&[0, u64::MAX])),
        // More bytes to unwind by than there are.
        record(4, 0, &words(&[100, 0, 0])),
        load(1, 0x1000, 16, 1, "f"),
    ]);
    let names = |dump: &JitDump| {
        let name = |event: &Event| match event {
            Event::Load(Code { name, .. }) => name.to_string(),
            Event::Move { .. } => String::new(),
        };
        dump.events.iter().map(name).collect::<Vec<_>>()
    };
    let dump = JitDump::read(&whole[..], UNBOUNDED).unwrap();
    assert_eq!((names(&dump), dump.bad_records, dump.is_cut), (vec!["f".to_owned()], 4, false));
    let dump = JitDump::read(&whole[..whole.len() - 1], UNBOUNDED).unwrap();
    assert_eq!((dump.events.len(), dump.bad_records, dump.is_cut), (0, 4, true));
    assert!(matches!(JitDump::read(&b"perf"[..], UNBOUNDED), Err(JitDumpError::NotJitDump)));
    for end in 0..whole.len() {
        let _ = JitDump::read(&whole[..end], UNBOUNDED);
    }
    let many = file(&[load(1, 1, 1, 1, "f"), load(1, 2, 1, 2, "g"), load(1, 3, 1, 3, "h")]);
    let dump = JitDump::read(&many[..], 1).unwrap();
    assert_eq!((dump.events.len(), dump.bad_records), (1, 2));
}
