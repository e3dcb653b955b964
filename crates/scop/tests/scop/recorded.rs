//! What Polly wrote of our programs in C, against the same loops written down here.

use std::collections::HashMap;

use locality::{Options, Placement, Space, distances};
use scop::{Limits, Nested, Scop, read};

use crate::walked::walked;

/// An access of an array: which, the element, whether it writes.
type Access = (&'static str, i64, bool);

fn open(name: &str) -> Scop {
    let bytes = std::fs::read(samples::testdata(format!("jscop/{name}.jscop"))).unwrap();
    assert!(scop::is_scop(&bytes));
    read(&bytes, &Limits::default()).unwrap()
}

fn nested(scop: &Scop, values: &[(&str, i64)]) -> Nested {
    let at: HashMap<String, i128> =
        values.iter().map(|(name, value)| ((*name).to_owned(), (*value).into())).collect();
    let nested = scop.nest(&at, None).unwrap();
    assert!(nested.left_out.is_empty(), "{:?}", nested.left_out);
    nested
}

#[track_caller]
fn check(name: &str, values: &[(&str, i64)], expected: &[Access]) {
    let scop = open(name);
    let nested = nested(&scop, values);
    let found: Vec<(String, i64, bool)> = walked(&nested)
        .into_iter()
        .map(|(statement, access, element, is_write)| {
            let access = &scop.statements[statement as usize].accesses[access as usize];
            (scop.arrays[access.array.unwrap() as usize].name.clone(), element, is_write)
        })
        .collect();
    let named = |&(name, element, is_write): &Access| (format!("MemRef_{name}"), element, is_write);
    let expected: Vec<(String, i64, bool)> = expected.iter().map(named).collect();
    assert_eq!(found, expected, "{name} {values:?}");
}

#[test]
fn a_product_of_matrices() {
    for (n, m, p) in [(3, 4, 5), (1, 1, 1), (2, 3, 0), (0, 3, 2), (2, 7, 1)] {
        let mut all = vec![];
        for i in 0..n {
            for j in 0..m {
                all.extend([("C", i * m + j, false), ("C", i * m + j, true)]);
                for k in 0..p {
                    all.extend([("A", i * p + k, false), ("B", k * m + j, false)]);
                    all.extend([("C", i * m + j, false), ("C", i * m + j, true)]);
                }
            }
        }
        check("gemm", &[("n", n), ("m", m), ("p", p)], &all);
    }
}

#[test]
fn a_stencil_in_time() {
    for (t, n) in [(3, 6), (1, 3), (2, 2), (0, 9)] {
        let mut all = vec![];
        for _ in 0..t {
            let inner = || (1..n - 1).flat_map(|i| (1..n - 1).map(move |j| i * n + j));
            for at in inner() {
                all.extend([at, at - 1, at + 1, at - n, at + n].map(|at| ("A", at, false)));
                all.push(("B", at, true));
            }
            for at in inner() {
                all.extend([("B", at, false), ("A", at, true)]);
            }
        }
        check("heat", &[("t", t), ("n", n)], &all);
    }
}

#[test]
fn a_triangle_is_solved() {
    for n in [0, 1, 2, 7] {
        let mut all = vec![];
        for i in 0..n {
            all.extend([("b", i, false), ("x", i, true)]);
            for j in 0..i {
                all.extend([("L", i * n + j, false), ("x", j, false)]);
                all.extend([("x", i, false), ("x", i, true)]);
            }
            all.extend([("x", i, false), ("L", i * n + i, false), ("x", i, true)]);
        }
        check("solve", &[("n", n)], &all);
    }
}

#[test]
fn loops_one_after_the_other() {
    for n in [0, 1, 2, 9, 10] {
        let mut all = vec![];
        all.extend((0..n).flat_map(|i| [("b", i + 1, false), ("a", i, true)]));
        let down = (0..n).rev().step_by(2);
        all.extend(down.flat_map(|i| [("c", i, false), ("a", n - i, false), ("c", i, true)]));
        check("sequence", &[("n", n)], &all);
    }
}

#[test]
fn what_the_file_does_not_say_is_noted() {
    let nested = nested(&open("gemm"), &[("n", 3), ("m", 4), ("p", 5)]);
    let shapes: Vec<&[u64]> = nested.containers.iter().map(|own| &*own.shape).collect();
    assert_eq!(shapes, [[3, 4], [3, 5], [5, 4]]);
    assert!(nested.notes[0].starts_with("MemRef_C: its outermost size is not in the file; 3"));
    // No more than one loop for each of C, and no question asked within.
    assert_eq!(nested.nest.variables, 3);
}

#[test]
fn parameters_are_those_that_the_file_is_for() {
    let at = HashMap::from([("n".to_owned(), 1i128 << 40)]);
    let text = std::fs::read_to_string(samples::testdata("jscop/solve.jscop")).unwrap();
    let small = text.replace("p_0 <=", "n <=").replace("9223372036854775807", "4096");
    let scop = read(small.as_bytes(), &Limits::default()).unwrap();
    let error = scop.nest(&at, None).unwrap_err().to_string();
    assert!(error.contains("not meant for these parameters: -n >= -4096 must hold"), "{error}");
}

#[test]
fn the_published_counts_of_haystack_are_those_of_its_loops_in_c() {
    let nested = nested(&open("rows"), &[("n", 1024)]);
    assert_eq!(nested.nest.accesses(), 4_297_064_448);
    let space = Space::new(nested.containers, Placement::OwnLines, 64).unwrap();
    let depth = 512 * 1024 / 64;
    let options = Options { depth, ..Options::default() };
    let all = distances(&nested.nest, &space, &options).unwrap().total();
    for bytes in [32, 512] {
        let misses = all.misses(bytes * 1024 / 64);
        assert_eq!((misses.cold, misses.capacity), (196_608, 67_043_328), "{bytes} KiB");
    }
}
