//! How call stacks are found where nobody says how.
//!
//! Compilers leave frame pointers out, and so do most libraries: a chain of them then skips callers, or ends, and
//! nothing in the recording tells. Copies of the stack are unwound by what compilers write for exceptions, which
//! is there in any case. They are large, and they do not help where code is made while the program runs or
//! where a compiler writes no such tables: such programs keep frame pointers.

use std::ffi::OsStr;
use std::fs::OpenOptions;
use std::io::Read;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use super::limits;
use crate::{CallGraph, Finding, Machine, PerfOptions, RecordOptions};

/// More bytes a minute than this are not copied unasked.
const MOST_BYTES: u64 = 6_000_000_000;

/// Programs that make code while they run.
const MAKE_CODE: [&str; 11] = [
    "node", "nodejs", "deno", "bun", "java", "dotnet", "luajit", "julia", "pypy", "pypy3",
    "wasmtime",
];

/// What Go's linker writes into each program.
const GO: &[u8] = b"\xff Go buildinf:";

/// More of a program is not looked through.
const MOST_OF_A_PROGRAM: u64 = 256 << 20;

/// Fewer samples a second than this are not taken unasked.
const LEAST_FREQUENCY: u32 = 49;

/// The options with the way that suits what is recorded, and what is to be told of it.
pub(super) fn chosen(parse: &RecordOptions, machine: &Machine) -> (PerfOptions, Option<Finding>) {
    let options = &parse.perf;
    let with = |call_graph| PerfOptions { call_graph, ..options.clone() };
    let is_passed_on = options.more.iter().any(|one| one.contains("call-graph") || one == "-g");
    if options.call_graph != CallGraph::Auto {
        return (options.clone(), None);
    }
    let pointers = |what: String| {
        let advice = "where code has no frame pointers, callers are missing: --call-graph dwarf";
        (with(CallGraph::Fp), Some(Finding::note(what, advice)))
    };
    if options.count.is_some() || is_passed_on || !cfg!(target_arch = "x86_64") {
        return (with(CallGraph::Fp), None);
    }
    let command = options.pid.map_or(parse.command.clone(), command_of);
    let name = command.first().map(|own| Path::new(own).file_name().unwrap_or(OsStr::new(own)));
    let name = name.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let asks_python = |one: &String| one == "perf" || one == "-Xperf";
    let is_python = name.starts_with("python") && command.iter().any(asks_python);
    if MAKE_CODE.contains(&name.as_str()) || is_python {
        return pointers(format!(
            "stacks are found by frame pointers: {name} makes code as it runs"
        ));
    }
    let file = options.pid.map(|pid| format!("/proc/{pid}/exe"));
    if file.as_ref().or(command.first()).is_some_and(|own| is_go(own)) {
        return (with(CallGraph::Fp), None);
    }
    let copies = with(CallGraph::Dwarf);
    match limits::bytes_per_minute(&copies, machine, 1) {
        Some(bytes) if bytes > MOST_BYTES => {
            fewer(&copies, bytes).unwrap_or_else(|| pointers(format!(
                "stacks are found by frame pointers: copies of them may take {:.0} GB a minute here",
                bytes as f64 / 1e9
            )))
        }
        _ => (copies, None),
    }
}

/// So many samples that copies of stacks, which would take `bytes` a minute, do not take too much: whole
/// stacks are worth more than many. None where somebody asked for a frequency, or too few are left.
fn fewer(copies: &PerfOptions, bytes: u64) -> Option<(PerfOptions, Option<Finding>)> {
    let usual = PerfOptions::default().frequency;
    let at_one_a_second = bytes.div_ceil(u64::from(usual));
    let frequency = u32::try_from(MOST_BYTES / at_one_a_second).ok()?;
    if copies.frequency != usual || frequency < LEAST_FREQUENCY {
        return None;
    }
    let what = format!(
        "{frequency} samples a second and processor are taken, not {usual}: with copies of stacks those \
         may take {:.0} GB a minute",
        bytes as f64 / 1e9
    );
    let advice =
        "take more (--call-graph dwarf --frequency), or stacks by frame pointers (--call-graph fp)";
    Some((PerfOptions { frequency, ..copies.clone() }, Some(Finding::note(what, advice))))
}

/// What a process runs, with its arguments.
#[allow(clippy::disallowed_methods, reason = "files of the kernel, below /proc")]
fn command_of(pid: u32) -> Vec<String> {
    let words = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let words =
        words.split(|&byte| byte == 0).map(|word| String::from_utf8_lossy(word).into_owned());
    let mut words: Vec<String> = words.collect();
    if let (Some(first), Ok(file)) =
        (words.first_mut(), std::fs::read_link(format!("/proc/{pid}/exe")))
    {
        *first = file.to_string_lossy().into_owned();
    }
    words
}

/// Whether a program is one of Go, which keeps frame pointers and writes no tables.
fn is_go(command: &str) -> bool {
    let Some(path) = found(command) else { return false };
    if !path.is_file() {
        return false;
    }
    // Whatever is there by now is not waited for.
    let flags = libc::O_NONBLOCK | libc::O_NOCTTY;
    let Ok(file) = OpenOptions::new().read(true).custom_flags(flags).open(path) else {
        return false;
    };
    let is_file = file.metadata().is_ok_and(|about| about.is_file());
    let mut bytes = vec![];
    let is_read = is_file && file.take(MOST_OF_A_PROGRAM).read_to_end(&mut bytes).is_ok();
    is_read && bytes.windows(GO.len()).any(|window| window == GO)
}

/// The file that a command starts.
fn found(command: &str) -> Option<PathBuf> {
    if command.contains('/') {
        return Some(command.into());
    }
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(command)).find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(command: &[&str]) -> RecordOptions {
        serde_json::from_value(serde_json::json!({"name": "one", "command": command})).unwrap()
    }

    #[test]
    fn what_suits_the_program_is_chosen() {
        let machine = Machine { cpus: 2, ..Machine::default() };
        let of = |parse: &RecordOptions| chosen(parse, &machine).0.call_graph;
        if !cfg!(target_arch = "x86_64") {
            return;
        }
        assert_eq!(of(&parse(&["/bin/true"])), CallGraph::Dwarf);
        assert_eq!(of(&parse(&["/usr/bin/node", "a.js"])), CallGraph::Fp);
        assert_eq!(of(&parse(&["python3", "-X", "perf", "a.py"])), CallGraph::Fp);
        assert_eq!(of(&parse(&["python3", "a.py"])), CallGraph::Dwarf);
        let mut own = parse(&["/bin/true"]);
        own.perf.call_graph = CallGraph::None;
        assert_eq!(of(&own), CallGraph::None);
    }

    #[test]
    fn machines_with_many_processors_take_fewer_samples() {
        if !cfg!(target_arch = "x86_64") {
            return;
        }
        let usual = PerfOptions::default().frequency;
        let of =
            |cpus, parse: &RecordOptions| chosen(parse, &Machine { cpus, ..Machine::default() });
        let program = parse(&["/bin/true"]);
        for cpus in [1, 8, 12, 16, 64, 128, 200] {
            let (options, finding) = of(cpus, &program);
            assert_eq!(options.call_graph, CallGraph::Dwarf, "{cpus}");
            let machine = Machine { cpus, ..Machine::default() };
            let bytes = limits::bytes_per_minute(&options, &machine, 1).unwrap();
            assert!(bytes <= MOST_BYTES, "{cpus}: {bytes}");
            assert_eq!(finding.is_some(), options.frequency != usual, "{cpus}");
            assert!(cpus > 8 || options.frequency == usual, "{cpus}");
        }
        let (options, finding) = of(100, &program);
        let what = finding.unwrap().what;
        assert!(what.contains(&format!("{} samples a second", options.frequency)), "{what}");
        assert!(what.contains("51 GB a minute"), "{what}");
        // Who asks for a frequency gets it, and where too few are left there are no copies.
        let mut often = program.clone();
        often.perf.frequency = 5000;
        for (cpus, parse) in [(100, &often), (1000, &program)] {
            let (options, finding) = of(cpus, parse);
            assert_eq!(options.call_graph, CallGraph::Fp);
            assert_eq!(options.frequency, parse.perf.frequency);
            assert!(finding.unwrap().what.contains("GB a minute"));
        }
    }

    #[test]
    fn programs_of_go_are_known_by_what_its_linker_writes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("program");
        std::fs::write(&path, [&b"\x7fELF"[..], &[0; 5000], GO, b"more"].concat()).unwrap();
        assert!(is_go(path.to_str().unwrap()));
        assert!(!is_go("/bin/true") && !is_go("/nowhere") && !is_go("/"));
    }
}
