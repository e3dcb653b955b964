//! `hotframe sdfg simulate` of accesses that valgrind's lackey recorded.

use std::path::{Path, PathBuf};
use std::process::Command;

use locality::{
    Affine, Cache, Caches, Container, Loop, Nest, Options, Outcome, Placement, Replacement, Space,
    Split, Step,
};
use serde_json::Value;

use super::run;

const ROWS: u64 = 24;
const COLUMNS: u64 = 12;

/// Ranges of the recording that is stored, as the linker's table of symbols tells.
const RANGES: [&str; 6] = [
    "--range",
    "table=0x403080:8:24x12",
    "--range",
    "sums=0x403000:8:12",
    "--range",
    "order=0x403980:2:7",
];

fn stored(name: &str) -> String {
    samples::testdata(format!("lackey/{name}")).display().to_string()
}

fn simulated(file: &str, more: &[&str]) -> Value {
    let all = ["sdfg", "simulate", file, "--format", "json"];
    let (code, out, error) = run(&[&all[..], more].concat(), "");
    assert_eq!(code, Some(0), "{error}");
    serde_json::from_str(&out).unwrap()
}

fn split(row: &Value) -> Split {
    let of = |kind: &str| row["misses"][kind].as_i64().unwrap();
    Split {
        accesses: row["accesses"].as_u64().unwrap(),
        cold: of("cold") as u64,
        capacity: of("capacity") as u64,
        conflict: of("conflict"),
    }
}

/// What rows whose names begin so do together.
fn sum(table: &Value, start: &str) -> Split {
    let rows = table.as_array().unwrap().iter();
    let its = rows.filter(|row| row["name"].as_str().unwrap().starts_with(start));
    its.fold(Split::default(), |all, row| all.and(&split(row)))
}

/// The loops of `columns.c`, its arrays where they were.
fn nest() -> (Nest, Space) {
    let at = |base, container| Container { base: Some(base), ..container };
    let containers = vec![
        at(0x403080, Container::rows("table", 8, &[ROWS, COLUMNS])),
        at(0x403000, Container::rows("sums", 8, &[COLUMNS])),
        at(0x403980, Container::rows("order", 2, &[7])),
    ];
    let space = Space::new(containers.clone(), Placement::OwnLines, 64).unwrap();
    let mut nest = Nest { variables: 3, ..Nest::default() };
    let [i, j, one] = [0, 1, 2].map(Affine::variable);
    let order = nest.refer(&containers, 2, &[one], true);
    let table = nest.refer(&containers, 0, &[i, j.clone()], false);
    let read = nest.refer(&containers, 1, std::slice::from_ref(&j), false);
    let write = nest.refer(&containers, 1, &[j], true);
    let rows = Loop::over(0, ROWS as i64, vec![table, read, write]);
    let columns = Loop::over(1, COLUMNS as i64, vec![Step::Loop(rows)]);
    nest.body = vec![Step::Loop(Loop::over(2, 7, vec![order])), Step::Loop(columns)];
    // What it does at the end, through indices that it reads: one by one.
    for place in 0..7i64 {
        let constant = |value| [Affine::constant(value)];
        let index = nest.refer(&containers, 2, &constant(place), false);
        let row = [Affine::constant(place * 3 % 7), Affine::constant(place)];
        let from = nest.refer(&containers, 0, &row, false);
        let to = nest.refer(&containers, 1, &constant(place), true);
        nest.body.extend([index, from, to]);
    }
    (nest, space)
}

/// The recording says of each array what its loops say, in every cache.
fn check_nest(file: &str, arrays: &[&str]) {
    let (nest, space) = nest();
    for (text, levels) in [
        ("1K:2", vec![(1024, Some(2))]),
        ("512", vec![(512, None)]),
        ("512:4,2K:8", vec![(512, Some(4)), (2048, Some(8))]),
    ] {
        let told = simulated(file, &[&["--cache", text], arrays].concat());
        let level = |&(size, ways)| Cache { size, ways, replacement: Replacement::Lru };
        let caches = Caches::new(levels.iter().map(level).collect());
        let options = Options { depth: 0, ..Options::default() };
        let outcome = Outcome::new(&nest, &space, &caches, &options).unwrap();
        for (number, name) in ["table", "sums", "order"].into_iter().enumerate() {
            let its = nest.references.iter().enumerate();
            let its = its.filter(|(_, one)| one.container as usize == number);
            let expected =
                outcome.sum(0, its.map(|(number, _)| number).collect::<Vec<_>>().into_iter());
            assert_eq!(sum(&told["containers"], name), expected, "{name} in {text}");
        }
        assert_eq!(
            sum(&told["containers"], "elsewhere"),
            Split::default(),
            "nothing else is there"
        );
        for level in 0..levels.len() {
            let expected = outcome.sum(level, 0..nest.references.len());
            assert_eq!(split(&told["levels"][level]), expected, "{text}");
        }
    }
}

/// Reads and writes of a cache and of a large one behind it, as cachegrind counts them.
fn check_cachegrind(file: &str, lines: &str, arrays: &[&str]) -> usize {
    for line in lines.lines() {
        let fields: Vec<u64> = line.split([' ', ',']).map(|field| field.parse().unwrap()).collect();
        let [size, ways, reads, read_misses, read_last, writes, write_misses, write_last] =
            fields[..]
        else {
            panic!("{line}")
        };
        let caches = format!("{size}:{ways},1M:16");
        let told = simulated(file, &[&["--cache", &caches], arrays].concat());
        let [of_reads, of_writes] = ["reads", "writes"].map(|way| sum(&told["references"], way));
        assert_eq!([of_reads.accesses, of_writes.accesses], [reads, writes], "{line}");
        assert_eq!([of_reads.misses(), of_writes.misses()], [read_misses, write_misses], "{line}");
        assert_eq!(split(&told["levels"][1]).misses(), read_last + write_last, "{line}");
    }
    lines.lines().count()
}

#[test]
fn a_recording_is_as_its_loops() {
    check_nest(&stored("columns.lackey"), &RANGES);
}

#[test]
fn misses_are_those_of_cachegrind() {
    let lines = std::fs::read_to_string(stored("columns.cachegrind.txt")).unwrap();
    assert_eq!(check_cachegrind(&stored("columns.lackey"), &lines, &RANGES), 6);
    // Whatever of it belongs to arrays that are known.
    check_cachegrind(&stored("columns.lackey"), &lines, &[]);
}

#[test]
fn elements_are_reported_of_a_recording() {
    let told = simulated(
        &stored("columns.lackey"),
        &[&["--cache", "1K", "--elements", "sums"], &RANGES[..]].concat(),
    );
    let rows = told["elements"].as_array().unwrap();
    let accesses: Vec<u64> = rows.iter().map(|row| row["accesses"].as_u64().unwrap()).collect();
    // Each is read and written once a row; seven are written once more.
    assert_eq!(accesses, [49, 49, 49, 49, 49, 49, 49, 48, 48, 48, 48, 48]);
    let cold: Vec<u64> = rows.iter().map(|row| row["cold"].as_u64().unwrap()).collect();
    assert_eq!(cold, [1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]);
}

/// A folder that goes with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("hotframe-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    /// What a program prints; none if it is not here.
    fn run(&self, program: &str, arguments: &[&str]) -> Option<String> {
        let output = Command::new(program).args(arguments).current_dir(&self.0).output().ok()?;
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{program}: {error}");
        Some(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Builds `columns.c` and records it; none without gcc or valgrind, which is told.
fn recorded(folder: &Folder, options: &[&str]) -> Option<()> {
    let source = Path::new(&stored("columns.c")).canonicalize().unwrap().display().to_string();
    let fixed =
        ["-g", "-O1", "-nostdlib", "-ffreestanding", "-fno-stack-protector", "-o", "columns"];
    let lackey = ["--tool=lackey", "--trace-mem=yes", "--log-file=trace", "./columns"];
    let done = folder
        .run("gcc", &[&fixed[..], options, &[&source]].concat())
        .and_then(|_| folder.run("valgrind", &lackey));
    if done.is_none() {
        eprintln!(
            "notice: there is no gcc or no valgrind, the recording is the one that is stored"
        );
    }
    done.map(|_| ())
}

#[test]
fn a_recording_made_now_is_brought_back_by_debug_information() {
    let folder = Folder::new("lackey-now");
    if recorded(&folder, &["-static", "-no-pie"]).is_none() {
        return;
    }
    let (trace, binary) = (folder.path("trace"), folder.path("columns"));
    let of_binary = ["--binary", &*binary];
    check_nest(&trace, &of_binary);
    let mut lines = String::new();
    for cache in ["512,2", "1024,1", "2048,8"] {
        let caches = format!("--D1={cache},64");
        let arguments = [
            "--tool=cachegrind",
            "--cache-sim=yes",
            "--LL=1048576,16,64",
            "--cachegrind-out-file=out",
            &caches,
            "./columns",
        ];
        folder.run("valgrind", &arguments).unwrap();
        let text = std::fs::read_to_string(folder.0.join("out")).unwrap();
        let summary = text.lines().find_map(|line| line.strip_prefix("summary: ")).unwrap();
        let of_data: Vec<&str> = summary.split(' ').skip(3).collect();
        lines.push_str(&format!("{cache} {}\n", of_data.join(" ")));
    }
    assert_eq!(check_cachegrind(&trace, &lines, &of_binary), 3);
    let refused = |more: &[&str], words: &str| {
        let (code, _, error) = run(&[&["sdfg", "simulate", &*trace], more].concat(), "");
        assert_eq!(code, Some(1), "{more:?}");
        assert!(error.contains(words), "{more:?}: {error}");
    };
    refused(&["--binary", &binary, "--load-address", "0x1000"], "leave --load-address out");
    // Another program is none of its arrays.
    folder.run("cp", &["trace", "kept"]).unwrap();
    let kept = folder.path("kept");
    recorded(&folder, &["-static-pie", "-fPIE"]).unwrap();
    refused(&["--binary", &binary], "give --load-address");
    let (code, _, error) =
        run(&["sdfg", "simulate", &kept, "--binary", &binary, "--load-address", "0x108000"], "");
    assert_eq!(code, Some(1));
    assert!(error.contains("is the recording of another program"), "{error}");
}

/// One that may be loaded anywhere is found where it was.
#[test]
fn a_program_that_was_moved_is_found_by_its_address() {
    let folder = Folder::new("lackey-moved");
    if recorded(&folder, &["-static-pie", "-fPIE"]).is_none() {
        return;
    }
    let (trace, binary) = (folder.path("trace"), folder.path("columns"));
    let text = std::fs::read_to_string(&trace).unwrap();
    let first = text.lines().find_map(|line| line.strip_prefix("I  ")).unwrap();
    let first = u64::from_str_radix(first.split_once(',').unwrap().0, 16).unwrap();
    // The first instruction is that of the program, for no other is loaded.
    let symbols = folder.run("nm", &["columns"]).unwrap();
    let entry = symbols.lines().find(|line| line.ends_with(" T _start")).unwrap();
    let base = first - u64::from_str_radix(&entry[..16], 16).unwrap();
    let base = format!("{base:#x}");
    let arrays = ["--binary", &*binary, "--load-address", &base];
    let told = simulated(&trace, &[&["--cache", "1K:2"], &arrays[..]].concat());
    assert_eq!(sum(&told["containers"], "table").accesses, ROWS * COLUMNS + 7);
    assert_eq!(sum(&told["containers"], "sums").accesses, 2 * ROWS * COLUMNS + 7);
    let wrong = ["sdfg", "simulate", &trace, "--binary", &binary, "--load-address", "0x70000"];
    let (code, _, error) = run(&wrong, "");
    assert_eq!(code, Some(1));
    assert!(error.contains("or --load-address another"), "{error}");
}

#[test]
fn what_needs_loops_is_refused() {
    let file = stored("columns.lackey");
    for (more, words) in [
        (&["--scope", "x"][..], "has no parts"),
        (&["--set", "N=4"], "has no sizes"),
        (&["--combining-reads"], "says itself what is read"),
        (&["--what-if", "pad table 8"], "no loops or indices"),
        (&["--search"], "no loops or indices"),
        (&["--export", "c"], "no loops to write"),
        (&["--schedule", "static:2"], "the order in which it was recorded"),
        (&["--packed"], "the addresses that were recorded"),
        (&["--elements", "nothing"], "no array nothing is known"),
        (&["--range", "a=0:8:4", "--range", "b=31:1"], "a and b have bytes in common"),
    ] {
        let (code, out, error) = run(&[&["sdfg", "simulate", &file], more].concat(), "");
        assert_eq!(code, Some(1), "{more:?}: {out}");
        assert!(error.contains(words), "{more:?}: {error}");
    }
    let graph = samples::testdata("sdfg/sharpen.fused.sdfg").display().to_string();
    let (code, _, error) =
        run(&["sdfg", "simulate", &graph, "--set", "H=64,W=48", "--range", "a=0:8:4"], "");
    assert_eq!(code, Some(1));
    assert!(error.contains("--range is for recorded accesses"), "{error}");
}

#[test]
fn what_is_for_recordings_is_refused_where_none_is_opened() {
    let graph = samples::testdata("sdfg/square.sdfg").display().to_string();
    let (code, _, error) = run(&["open", &graph, "--no-browser", "--range", "a=0:8:4"], "");
    assert_eq!(code, Some(1));
    assert!(error.contains("--range is for recorded accesses"), "{error}");
}

#[test]
fn reports_damage_by_its_line() {
    let whole = std::fs::read_to_string(stored("columns.lackey")).unwrap();
    let cut = &whole[..whole.find(" S ").unwrap() + 8];
    let (code, _, error) = run(&["sdfg", "simulate", "-"], cut);
    assert_eq!(code, Some(1));
    assert!(
        error.contains(&format!("line {}, the last, is cut off", cut.lines().count())),
        "{error}"
    );
    let mixed = whole.replacen("\nI ", "\nhello\nI ", 2);
    let line = mixed.lines().position(|line| line == "hello").unwrap() + 1;
    let (code, _, error) = run(&["sdfg", "simulate", "-"], &mixed);
    assert_eq!(code, Some(1));
    assert!(error.contains(&format!("line {line} is not an access")), "{error}");
    // What ends between two accesses is simulated, and said to be some of it.
    let end = whole.rfind("I  ").unwrap();
    let (code, out, _) = run(&["sdfg", "simulate", "-"], &whole[..end]);
    assert_eq!(code, Some(0));
    assert!(out.contains("may be cut off"), "{out}");
}
