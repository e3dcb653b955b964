//! What is written for a change compiles, runs, and computes what the program did before.
//!
//! Texts have comments in the place of what is computed. Here each iteration of a loop begins with a number,
//! each read takes an element into it, and each write leaves it: in another order of what depends on each
//! other, or at another element, it would be another number.

#![allow(clippy::print_stderr, reason = "a test that is left out says so")]

use std::path::PathBuf;
use std::process::Command;

use locality::{
    Affine, Change, Container, Language, Loop, Nest, Program, Space, Step, apply, written,
};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use crate::known::{IJK, hdiff, matmul};
use crate::nests::nests;

const MODULUS: i64 = 1_000_003;

fn program((nest, space): (Nest, Space), names: &[&str]) -> Program {
    Program {
        containers: space.containers,
        nest,
        variables: names.iter().map(|&name| name.to_owned()).collect(),
        is_whole: true,
    }
}

fn parsed(changes: &[&str]) -> Vec<Change> {
    changes.iter().map(|one| one.parse().unwrap()).collect()
}

/// All indices of a container, in row-major order.
fn indices(container: &Container) -> Vec<Vec<i64>> {
    let mut all = vec![vec![]];
    for &size in &container.shape {
        all = all
            .iter()
            .flat_map(|before: &Vec<i64>| {
                (0..size as i64).map(move |next| [&before[..], &[next]].concat())
            })
            .collect();
    }
    all
}

/// Elements by container and indices after the program ran, by its definition.
fn interpreted(own: &Program) -> Vec<i64> {
    fn run(
        nest: &Nest,
        steps: &[Step],
        values: &mut Vec<i64>,
        memory: &mut [std::collections::HashMap<i64, i64>],
        number: &mut i64,
    ) {
        for step in steps {
            match step {
                Step::Access(place) => {
                    let one = &nest.references[*place as usize];
                    let cell = memory[one.container as usize]
                        .entry(one.element.value(values))
                        .or_default();
                    if one.is_write {
                        *cell = *number % 1000;
                        *number = 1;
                    } else {
                        *number = (*number * 3 + *cell) % MODULUS;
                    }
                }
                Step::Loop(one) => {
                    let up = one.step > 0;
                    let all = |bounds: &[Affine]| -> Vec<i64> {
                        bounds.iter().map(|bound| bound.value(values)).collect()
                    };
                    let (begins, ends) = (all(&one.begin), all(&one.end));
                    let largest = |all: Vec<i64>| all.into_iter().max().unwrap();
                    let smallest = |all: Vec<i64>| all.into_iter().min().unwrap();
                    let (begin, end) = if up {
                        (largest(begins), smallest(ends))
                    } else {
                        (smallest(begins), largest(ends))
                    };
                    let outer = values[one.variable as usize];
                    let mut at = begin;
                    while if up { at < end } else { at > end } {
                        values[one.variable as usize] = at;
                        run(nest, &one.body, values, memory, &mut 1);
                        at += one.step;
                    }
                    values[one.variable as usize] = outer;
                }
            }
        }
    }
    let element = |container: &Container, indices: &[i64]| {
        container.offset + indices.iter().zip(&container.strides).map(|(a, b)| a * b).sum::<i64>()
    };
    let mut memory: Vec<std::collections::HashMap<i64, i64>> = own
        .containers
        .iter()
        .map(|container| {
            let all = indices(container).into_iter().enumerate();
            all.map(|(place, at)| (element(container, &at), filled(place as i64))).collect()
        })
        .collect();
    let mut values = vec![0; own.nest.variables as usize];
    run(&own.nest, &own.nest.body, &mut values, &mut memory, &mut 1);
    let of = |(container, memory): (&Container, &std::collections::HashMap<i64, i64>)| {
        indices(container).iter().map(|at| memory[&element(container, at)]).collect::<Vec<i64>>()
    };
    own.containers.iter().zip(&memory).flat_map(of).collect()
}

/// What an element is at first, by its place in row-major order.
fn filled(place: i64) -> i64 {
    place * 37 % 101
}

/// A folder that goes with the test.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Folder {
    fn new() -> Folder {
        let mut path = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
        let thread = format!("{:?}", std::thread::current().id());
        let own: String = thread.chars().filter(char::is_ascii_digit).collect();
        path.push(format!("written-{}-{own}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    /// Numbers that a program prints; none if it is not here.
    fn run(&self, program: &str, arguments: &[&str], text: &str) -> Option<Vec<i64>> {
        let output = Command::new(program).args(arguments).current_dir(&self.0).output().ok()?;
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{program}: {error}\n{text}");
        let printed = String::from_utf8(output.stdout).unwrap();
        Some(printed.split_whitespace().map(|word| word.parse().unwrap()).collect())
    }
}

/// The names that a text has for elements: macros of C, or arrays of NumPy.
fn of_c(own: &Program, text: &str) -> Vec<String> {
    let all: Vec<String> = text
        .lines()
        .filter(|line| line.starts_with("#define") && line.contains("(d0"))
        .map(|line| line["#define ".len()..].split('(').next().unwrap().to_owned())
        .collect();
    assert_eq!(all.len(), own.containers.len());
    all
}

fn run_c(own: &Program, changes: &[Change], folder: &Folder) -> Option<Vec<i64>> {
    let text = written(own, changes, Language::C);
    let mut code = String::from("#include <stdio.h>\n");
    for line in text.lines() {
        let end = line.trim_start();
        if let Some(what) = end.strip_prefix("// reads ") {
            code.push_str(&format!("number = (number * 3 + (long){what}) % {MODULUS};\n"));
        } else if let Some(what) = end.strip_prefix("// writes ") {
            code.push_str(&format!("{what} = number % 1000; number = 1;\n"));
        } else {
            code.push_str(line);
            if end.starts_with("for (") || end == "static void loops(void) {" {
                code.push_str(" long number = 1;");
            }
            code.push('\n');
        }
    }
    code.push_str("int main(void) {\nallocate();\nlong place;\n");
    for what in ["fill", "loops", "print"] {
        if what == "loops" {
            code.push_str("loops();\n");
            continue;
        }
        for (container, name) in own.containers.iter().zip(of_c(own, &text)) {
            code.push_str("place = 0;\n");
            for (at, size) in container.shape.iter().enumerate() {
                code.push_str(&format!("for (long x{at} = 0; x{at} < {size}; x{at}++)\n"));
            }
            let all: Vec<String> = (0..container.shape.len()).map(|at| format!("x{at}")).collect();
            let element = format!("{name}({})", all.join(", "));
            code.push_str(&if what == "fill" {
                format!("{{ {element} = place * 37 % 101; place++; }}\n")
            } else {
                format!("printf(\"%ld\\n\", (long){element});\n")
            });
        }
    }
    code.push_str("return 0;\n}\n");
    std::fs::write(folder.0.join("own.c"), &code).unwrap();
    // As it is, too: who pastes it gets no warning but that nothing is called yet.
    std::fs::write(folder.0.join("plain.c"), &text).unwrap();
    let plain = ["-c", "-Wall", "-Werror", "-Wno-unused", "plain.c", "-o", "plain.o"];
    folder.run("gcc", &plain, &text)?;
    let options = ["-Wall", "-Werror", "-Wno-unused", "-fsanitize=undefined,address"];
    folder.run("gcc", &[&options[..], &["own.c", "-o", "own"]].concat(), &code)?;
    Command::new(folder.0.join("own")).env("ASAN_OPTIONS", "detect_leaks=0").output().ok().map(
        |output| {
            let error = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success() && error.is_empty(), "{error}\n{code}");
            let printed = String::from_utf8(output.stdout).unwrap();
            printed.split_whitespace().map(|word| word.parse().unwrap()).collect()
        },
    )
}

fn has_numpy() -> bool {
    let has = Command::new("python3").args(["-c", "import numpy"]).output();
    let has = has.is_ok_and(|output| output.status.success());
    if !has {
        eprintln!("notice: there is no NumPy, what is written for it is not run");
    }
    has
}

fn run_numpy(own: &Program, changes: &[Change], folder: &Folder) -> Vec<i64> {
    let text = written(own, changes, Language::Numpy);
    let mut code = String::new();
    let mut arrays = vec![];
    for line in text.lines() {
        let end = line.trim_start();
        let space = &line[..line.len() - end.len()];
        if let Some(what) = end.strip_prefix("# reads ") {
            code.push_str(&format!("{space}number = (number * 3 + int({what})) % {MODULUS}\n"));
        } else if let Some(what) = end.strip_prefix("# writes ") {
            code.push_str(&format!("{space}{what} = number % 1000; number = 1\n"));
        } else {
            code.push_str(&format!("{line}\n"));
            if end.starts_with("for ") || end == "def loops():" {
                code.push_str(&format!("{space}    number = 1\n"));
            }
        }
        if let Some((name, _)) = line.split_once(" = ").filter(|_| space.is_empty())
            && !name.ends_with("_memory")
        {
            arrays.push(name.to_owned());
        }
    }
    assert_eq!(arrays.len(), own.containers.len(), "{text}");
    for name in &arrays {
        code.push_str(&format!(
            "{name}[...] = (np.arange({name}.size) * 37 % 101).reshape({name}.shape)\n"
        ));
    }
    code.push_str("loops()\n");
    for name in &arrays {
        code.push_str(&format!("print(*({name}.astype(int)[...].reshape(-1)))\n"));
    }
    std::fs::write(folder.0.join("own.py"), &code).unwrap();
    folder.run("python3", &["own.py"], &code).unwrap()
}

/// Two loops one behind the other: what the first writes the second reads.
fn two() -> Program {
    let containers = vec![
        Container::rows("x", 4, &[12, 9]),
        Container::rows("X", 2, &[12, 9]),
        Container::rows("for", 8, &[12]),
    ];
    let mut nest = Nest { variables: 4, ..Nest::default() };
    let mut of = |first: u32, second: u32| {
        let at = [Affine::variable(first), Affine::variable(second)];
        let row = [Affine::variable(first)];
        let (from, to) = if first == 0 { (0, 1) } else { (1, 0) };
        let accesses = vec![
            nest.refer(&containers, 2, &row, false),
            nest.refer(&containers, from, &at, false),
            nest.refer(&containers, to, &at, true),
        ];
        Step::Loop(Loop::over(first, 12, vec![Step::Loop(Loop::over(second, 9, accesses))]))
    };
    let (first, second) = (of(0, 1), of(2, 3));
    nest.body = vec![first, second];
    let variables = ["i", "j", "k", "l"].map(str::to_owned).into();
    Program { containers, nest, variables, is_whole: true }
}

/// Triangles, downwards and in steps; rows that run backwards and do not begin at the first element.
fn odd() -> Program {
    let containers = vec![
        Container { offset: 3, ..Container::rows("a", 8, &[11, 11]) }.strided(&[100, 7]),
        Container { offset: 130, ..Container::rows("b", 8, &[11, 11]) }.strided(&[-13, 1]),
    ];
    let mut nest = Nest { variables: 3, ..Nest::default() };
    let at = [Affine::variable(0), Affine::variable(1)];
    let turned = [Affine::variable(1), Affine::variable(0)];
    let accesses = vec![
        nest.refer(&containers, 1, &turned, false),
        nest.refer(&containers, 0, &at, false),
        nest.refer(&containers, 0, &at, true),
    ];
    nest.references[1].indices = None;
    let mut inner = Loop::over(1, 11, accesses);
    inner.begin = vec![Affine::variable(0), Affine::constant(2)];
    let mut outer = Loop::over(0, 0, vec![Step::Loop(inner)]);
    outer.begin = vec![Affine::constant(10)];
    outer.end = vec![Affine::constant(-1)];
    outer.step = -2;
    nest.body = vec![Step::Loop(outer)];
    let variables = ["int", "a", "unused"].map(str::to_owned).into();
    Program { containers, nest, variables, is_whole: true }
}

#[test]
fn what_is_written_computes_the_same() {
    let folder = Folder::new();
    let has_numpy = has_numpy();
    let small = || program(hdiff([6, 5, 4], IJK, [IJK, IJK], 1), &["i", "j", "k"]);
    let product = || program(matmul(9, 0), &["i", "j", "k"]);
    let mut ran = 0;
    for (own, changes) in [
        (small(), &[][..]),
        (small(), &["permute in_field 2,0,1", "pad in_field 8", "order k,i,j"]),
        (
            small(),
            &["permute coeff 2,0,1", "align coeff 128", "element out_field 4", "tile i,j 4,2"],
        ),
        (product(), &["permute B 1,0", "order i,k,j"]),
        (product(), &["pad A 7", "tile i,j,k 4,4,2"]),
        (two(), &["fuse i,k"]),
        (two(), &["permute X 1,0", "fuse i,k", "fuse j,l", "order i,j"]),
        (odd(), &[]),
    ] {
        let expected = interpreted(&own);
        let changes = parsed(changes);
        let done = apply(&own, &|_| None, &changes).unwrap_or_else(|error| panic!("{error}"));
        match run_c(&done.program, &changes, &folder) {
            Some(printed) => assert_eq!(printed, expected, "{changes:?}"),
            None => eprintln!("notice: there is no gcc, what is written in C is not run"),
        }
        if has_numpy {
            assert_eq!(run_numpy(&done.program, &changes, &folder), expected, "{changes:?}");
        }
        ran += 1;
    }
    assert_eq!(ran, 8);
}

/// Random loops are written as they are.
#[test]
fn random_loops_are_written_as_they_are() {
    let folder = Folder::new();
    let has_numpy = has_numpy();
    let config = ProptestConfig { cases: 8, ..ProptestConfig::default() };
    let mut runner = TestRunner::new(config);
    runner
        .run(&nests(), |(nest, space, _)| {
            prop_assume!(nest.accesses() < 20_000);
            let own = program((nest, space), &["i", "j", "k", "t"]);
            let expected = interpreted(&own);
            if let Some(printed) = run_c(&own, &[], &folder) {
                prop_assert_eq!(&printed, &expected);
            }
            if has_numpy {
                prop_assert_eq!(run_numpy(&own, &[], &folder), expected);
            }
            Ok(())
        })
        .unwrap();
}

#[test]
fn layouts_and_loops_are_written_down() {
    let own = program(hdiff([8, 8, 5], IJK, [IJK, IJK], 1), &["i", "j", "k"]);
    let texts = ["permute in_field 2,0,1", "pad in_field 8", "order k,i,j"];
    let changes: Vec<Change> = texts.iter().map(|one| one.parse().unwrap()).collect();
    let done = apply(&own, &|_| None, &changes).unwrap().program;
    let c = written(&done, &changes, Language::C);
    assert!(
        c.contains("#define IN_FIELD(d0, d1, d2) in_field[(d0) * 16L + (d1) + (d2) * 192L]"),
        "{c}"
    );
    let place = |text: &str| c.find(text).unwrap_or_else(|| panic!("{text}: {c}"));
    assert!(place("for (long k = 0; k < 5; k += 1)") < place("for (long i = 0; i < 8"));
    assert!(
        c.contains("// reads IN_FIELD(i + 2, j + 4, k)")
            && c.contains("// writes OUT_FIELD(i, j, k)")
    );
    assert_eq!(c.matches('{').count(), c.matches('}').count());
    let numpy = written(&done, &changes, Language::Numpy);
    assert!(numpy.contains("in_field_memory = np.zeros((5, 12, 16,), np.float64)"), "{numpy}");
    assert!(numpy.contains("in_field_memory.transpose(1, 2, 0)[:12, :12, :5]"), "{numpy}");
    let dace = written(&done, &changes, Language::Dace);
    assert!(dace.contains("sdfg.arrays[\"in_field\"].strides = [16, 1, 192]"), "{dace}");
    assert!(dace.contains("sdfg.arrays[\"in_field\"].total_size = 956"), "{dace}");
    assert!(dace.contains("node.map.params = [\"k\", \"i\", \"j\"]"), "{dace}");
    // What is odd is written by its strides.
    let mut odd = own;
    odd.containers[0].strides = vec![100, 7, 1];
    odd.containers[0].offset = 3;
    odd.nest.references[1].indices = None;
    odd.nest.references[1].element = Affine::constant(9);
    assert!(written(&odd, &[], Language::C).contains("(d0) * 100L + (d1) * 7L + (d2) + 3L"));
    assert!(written(&odd, &[], Language::C).contains("// reads in_field[9]"));
    assert!(written(&odd, &[], Language::Numpy).contains("as_strided"));
}
