//! Stacks of real recordings.

use std::collections::BTreeMap;
use std::sync::Arc;

use symbols::jitdump::{Event, JitDump};
use symbols::{
    Architecture, Binary, End, Files, Mapping, Missing, Names, Registers, Unwinder, Walked,
};

use crate::disk::Disk;
use crate::recording;

/// The functions of a static binary, by `nm`: the one that holds an address.
struct Functions(Vec<(u64, String)>);

impl Functions {
    fn of(binary: &std::path::Path) -> Self {
        let output = std::process::Command::new("nm").arg(binary).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let mut functions: Vec<_> = text.lines().filter_map(Self::line).collect();
        functions.sort();
        Self(functions)
    }

    fn line(line: &str) -> Option<(u64, String)> {
        let (address, rest) = line.split_once(' ')?;
        let (kind, name) = rest.split_once(' ')?;
        let is_function = ["t", "T", "W", "i"].contains(&kind);
        Some((u64::from_str_radix(address, 16).ok()?, name.to_owned())).filter(|_| is_function)
    }

    fn at(&self, address: u64) -> &str {
        let after = self.0.partition_point(|(begin, _)| *begin <= address);
        let (begin, _) = self.0[after - 1];
        // Several names of one function: the one that people write.
        let first = self.0.partition_point(|(other, _)| *other < begin);
        let names = self.0[first..after].iter().map(|(_, name)| name.as_str());
        names.min_by_key(|name| (name.starts_with('_'), name.len())).unwrap()
    }
}

#[test]
fn every_stack_of_a_static_binary_without_frame_pointers_is_whole() {
    let Some(folder) = samples::corpus("perf") else { return };
    let data = std::fs::read(folder.join("hot-dwarf.data")).unwrap();
    let disk = Disk { folder: Some(folder.join("bin")), ..Disk::default() };
    let mut unwinder = Unwinder::new(Arc::new(disk), Architecture::X86_64);
    let samples = recording::read(&data, &mut unwinder);
    let functions = Functions::of(&folder.join("bin/hot_nofp_static"));
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    let mut by_frame_pointer = 0;
    for sample in &samples {
        let mut stack = vec![];
        let walked = unwinder.walk(sample.process, &sample.registers, &sample.stack, &mut stack);
        let names: Vec<_> = stack
            .iter()
            .rev()
            .map(|address| match unwinder.module_at(sample.process, *address) {
                Some((module, _)) if unwinder.binary(module).unwrap().path == "[vdso]" => "[vdso]",
                _ => functions.at(*address),
            })
            .collect();
        let line = names.join(";").replace(&["deep"; 13].join(";"), "deep x13");
        // No copy of the vdso was kept with the recording: there the frame pointer leads on.
        by_frame_pointer += walked.by_frame_pointer;
        assert_eq!(walked.end, End::Whole, "{line}");
        *counts.entry(line).or_default() += 1;
    }
    let truth = std::fs::read_to_string(folder.join("truth/hot-dwarf.expected.json")).unwrap();
    let truth: serde_json::Value = serde_json::from_str(&truth).unwrap();
    let expected: BTreeMap<String, u64> =
        serde_json::from_value(truth["stacks_user_part"].clone()).unwrap();
    assert_eq!(counts, expected);
    assert_eq!(by_frame_pointer, 2);
}

const CODE: u64 = 0x10_0000;
const STACK: u64 = 0x7fff_0000;

fn nothing_here() -> Unwinder {
    Unwinder::new(Arc::new(Disk::default()), Architecture::X86_64)
}

fn anonymous(start: u64, end: u64) -> Mapping<'static> {
    Mapping { start, end, file_offset: 0, path: "//anon", build_id: None }
}

fn stack_of(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn walk(unwinder: &mut Unwinder, pc: u64, fp: u64, stack: &[u64]) -> (Vec<u64>, Walked) {
    let registers = Registers::new(Architecture::X86_64, pc, STACK, fp);
    let mut out = vec![];
    let walked = unwinder.walk(1, &registers, &stack_of(stack), &mut out);
    (out, walked)
}

#[test]
fn where_nothing_says_how_frame_pointers_that_lead_upwards_are_followed_and_reported() {
    let mut unwinder = nothing_here();
    unwinder.map(1, &anonymous(CODE, CODE + 0x1000));
    let caller = CODE + 0x200;
    // Two frames: the pointer to the outer one, and a return address behind it.
    let stack = [7, STACK + 24, caller, STACK + 8, 0];
    let (frames, walked) = walk(&mut unwinder, CODE + 0x10, STACK + 8, &stack);
    assert_eq!(frames, [CODE + 0x10, caller - 1]);
    let module = unwinder.module_at(1, CODE).map(|(module, _)| module);
    assert_eq!((walked.end, walked.by_frame_pointer), (End::Whole, 1));

    let no_info = End::NoUnwindInfo { module };
    // Downwards, beside a word, beyond the copy, and to what is not code.
    let ends: Vec<End> = [STACK - 8, STACK + 9, STACK + 40, u64::MAX - 7]
        .into_iter()
        .map(|fp| walk(&mut unwinder, CODE + 0x10, fp, &stack).1.end)
        .collect();
    assert_eq!(ends, [no_info; 4]);
    let (frames, walked) = walk(&mut unwinder, CODE + 0x10, STACK, &[STACK + 16, 5]);
    assert_eq!((frames.len(), walked.end), (1, no_info));
    // One that leads to itself ends, for frames must go up.
    let (frames, walked) = walk(&mut unwinder, CODE + 0x10, STACK, &[STACK, caller]);
    assert_eq!((frames.len(), walked.end, walked.by_frame_pointer), (2, no_info, 1));
}

#[test]
fn processes_have_their_own_mappings_and_children_those_of_their_parents() {
    let mut unwinder = nothing_here();
    let has = |unwinder: &Unwinder, process| unwinder.module_at(process, CODE).is_some();
    unwinder.map(1, &anonymous(CODE, CODE + 0x1000));
    unwinder.fork(1, 2);
    unwinder.fork(1, 1);
    unwinder.map(2, &anonymous(CODE + 0x1000, CODE + 0x2000));
    assert_eq!([1, 2, 3].map(|process| has(&unwinder, process)), [true, true, false]);
    assert!(unwinder.module_at(1, CODE + 0x1000).is_none());
    unwinder.exec(1);
    assert_eq!([1, 2].map(|process| has(&unwinder, process)), [false, true]);
    unwinder.exit(2);
    assert!(!has(&unwinder, 2));
    // Without a mapping the leaf is told all the same.
    let (frames, walked) = walk(&mut unwinder, CODE, 0, &[]);
    assert_eq!((frames, walked.end), (vec![CODE], End::NoUnwindInfo { module: None }));
}

#[test]
fn reports_a_copy_that_is_too_short() {
    let Some(folder) = samples::corpus("perf") else { return };
    let data = std::fs::read(folder.join("hot-dwarf.data")).unwrap();
    let disk = Disk { folder: Some(folder.join("bin")), ..Disk::default() };
    let mut unwinder = Unwinder::new(Arc::new(disk), Architecture::X86_64);
    let samples = recording::read(&data, &mut unwinder);
    for sample in &samples {
        let mut whole = vec![];
        unwinder.walk(sample.process, &sample.registers, &sample.stack, &mut whole);
        for size in (0..sample.stack.len()).step_by(40) {
            let mut cut = vec![];
            let stack = &sample.stack[..size];
            let walked = unwinder.walk(sample.process, &sample.registers, stack, &mut cut);
            assert!(whole.starts_with(&cut));
            assert_eq!(walked.is_truncated(), cut.len() < whole.len());
            let is_short = walked.end == End::StackTooShort;
            // In the vdso, of which there is no copy, only the frame pointer leads on.
            let in_vdso = matches!(walked.end, End::NoUnwindInfo { .. }) && cut.len() == 1;
            assert!(is_short || in_vdso || walked.end == End::Whole, "{walked:?}");
        }
    }
}

#[test]
fn a_binary_of_another_build_is_not_used_and_reported() {
    let Some(folder) = samples::corpus("perf/bin") else { return };
    let disk = Disk { folder: Some(folder), ..Disk::default() };
    let mut unwinder = Unwinder::new(Arc::new(disk), Architecture::X86_64);
    let recorded = [7; 20];
    let mapping = Mapping {
        start: 0x40_1000,
        end: 0x47_f000,
        file_offset: 0x1000,
        path: "/x/hot_nofp_static",
        build_id: Some(&recorded),
    };
    unwinder.map(1, &mapping);
    let (frames, walked) = walk(&mut unwinder, 0x40_2000, 0, &[0; 8]);
    let module = unwinder.module_at(1, 0x40_2000).map(|(module, _)| module);
    assert_eq!((frames.len(), walked.end), (1, End::NoUnwindInfo { module }));
    assert!(matches!(unwinder.missing(module.unwrap()), Some(Missing::AnotherBuild { .. })));
}

#[test]
fn code_of_python_is_unwound_by_what_its_compiler_wrote_down() {
    let Some(bytes) = samples::corpus_bytes("perf/py-jit.jit-8094.dump") else { return };
    let dump = JitDump::read(&bytes[..], usize::MAX).unwrap();
    let mut unwinder = nothing_here();
    let caller = CODE + 0x200;
    unwinder.map(1, &anonymous(CODE, CODE + 0x1000));
    for event in &dump.events {
        let Event::Load(code) = event else { continue };
        unwinder.map_code(1, code.address, code.size, code.unwind.as_ref());
        // At its first instruction a function has pushed nothing.
        let (frames, walked) = walk(&mut unwinder, code.address, 1, &[caller]);
        assert_eq!((frames, walked.by_frame_pointer), (vec![code.address, caller - 1], 0));
    }
}

/// Stacks as functions of one binary, outermost first; what is in others is left out.
fn in_binary(
    unwinder: &Unwinder,
    names: &mut Names,
    process: u32,
    path: &str,
    stack: &[u64],
) -> String {
    let mut functions = vec![];
    for address in stack.iter().rev() {
        let Some((module, offset)) = unwinder.module_at(process, *address) else { continue };
        if unwinder.binary(module).is_some_and(|binary| binary.path.ends_with(path)) {
            let mut frames = vec![];
            names.at(offset, &mut frames);
            functions.extend(frames.iter().map(|one| one.name.as_deref().unwrap().to_owned()));
        }
    }
    functions.join(";")
}

#[test]
fn a_program_that_is_loaded_anywhere_has_the_stacks_that_perf_found() {
    let Some(folder) = samples::corpus("perf") else { return };
    let data = std::fs::read(folder.join("visperf-flags.data")).unwrap();
    let disk = Disk { folder: Some(folder.join("bin")), ..Disk::default() };
    let files: Arc<dyn Files> = Arc::new(disk);
    let mut unwinder = Unwinder::new(files.clone(), Architecture::X86_64);
    let samples = recording::read(&data, &mut unwinder);
    let binary = Binary { path: "/x/hot".to_owned(), build_id: None };
    let mut names = Names::open(&files, &binary).unwrap();
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for sample in &samples {
        let mut stack = vec![];
        let walked = unwinder.walk(sample.process, &sample.registers, &sample.stack, &mut stack);
        // Beyond the program is a library that is not here.
        assert!(walked.is_truncated());
        let line = in_binary(&unwinder, &mut names, sample.process, "/hot", &stack);
        *counts.entry(line.trim_start_matches("_start;").to_owned()).or_default() += 1;
    }
    let truth = std::fs::read_to_string(folder.join("truth/visperf-flags.json")).unwrap();
    let truth: serde_json::Value = serde_json::from_str(&truth).unwrap();
    let mut compared = 0;
    for (line, count) in truth["folded_stacks_top"].as_object().unwrap() {
        let Some((_, own)) = line.split_once(";main;") else { continue };
        // What `printf` calls is in the library.
        if !own.starts_with("printf") {
            let own = format!("main;{own}");
            assert_eq!(counts.get(&own), count.as_u64().as_ref(), "{own} {counts:?}");
            compared += count.as_u64().unwrap();
        }
    }
    assert_eq!(compared, 149);
}
