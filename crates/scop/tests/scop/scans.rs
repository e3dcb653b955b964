//! What is scanned, against all points of a box in the order of their schedules.

use std::collections::HashMap;

use proptest::prelude::*;
use scop::{Limits, NestError, read};

use crate::oracle::{Condition, Made, accesses, made};
use crate::walked::walked;

fn at(values: &[(&str, i128)]) -> HashMap<String, i128> {
    values.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect()
}

/// Compares; tells how many accesses there are, or nothing where a statement is left out.
fn same(made: &Made, n: i64) -> Option<usize> {
    let json = made.json();
    let scop = read(json.as_bytes(), &Limits::default()).unwrap();
    let nested = scop.nest(&at(&[("n", n.into())]), None).unwrap();
    if !nested.left_out.is_empty() {
        return None;
    }
    let expected = accesses(made, n);
    let found = walked(&nested);
    assert_eq!(found, expected, "{json}\n{:#?}", nested.nest);
    Some(expected.len())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn every_access_comes_in_its_time((made, n) in made()) {
        same(&made, n);
    }
}

#[test]
fn most_random_programs_are_scanned() {
    use proptest::strategy::ValueTree as _;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let (mut scanned, mut touched) = (0, 0);
    for _ in 0..200 {
        let (made, n) = made().new_tree(&mut runner).unwrap().current();
        if let Some(count) = same(&made, n) {
            scanned += 1;
            touched += usize::from(count > 0);
        }
    }
    assert!(scanned > 150 && touched > 100, "{scanned} of 200, {touched} with accesses");
}

/// A statement of two loops with one condition more, and a schedule of two dimensions.
fn two(condition: &str, schedule: &str) -> String {
    r#"{"arrays": [{"name": "A", "sizes": ["*", "%n"], "type": "i8"}], "statements": [
        {"name": "S", "domain": "[n] -> { S[i, j] : 0 <= i, 0 <= j }", "schedule": "",
         "accesses": []}]}"#
        .replace("0 <= i, 0 <= j", &format!("0 <= i < n and 0 <= j < n{condition}"))
        .replace(r#""schedule": """#, &format!(r#""schedule": "[n] -> {{ {schedule} }}""#))
        .replace("[]}", r#"[{"kind": "read", "relation": "[n] -> { S[i, j] -> A[i, j] }"}]}"#)
}

fn elements(json: &str, n: i128) -> Result<Vec<i64>, String> {
    let scop = read(json.as_bytes(), &Limits::default()).map_err(|error| error.to_string())?;
    let nested = scop.nest(&at(&[("n", n)]), None).map_err(|error| error.to_string())?;
    match nested.left_out.first() {
        Some((name, why)) => Err(format!("{name}: {why}")),
        None => Ok(walked(&nested).into_iter().map(|(.., element, _)| element).collect()),
    }
}

#[test]
fn loops_run_down_across_and_skewed() {
    let of = |schedule: &str| elements(&two(" and j < 2", schedule), 2).unwrap();
    assert_eq!(of("S[i, j] -> [i, j]"), [0, 1, 2, 3]);
    assert_eq!(of("S[i, j] -> [j, i]"), [0, 2, 1, 3]);
    assert_eq!(of("S[i, j] -> [-i, j]"), [2, 3, 0, 1]);
    assert_eq!(of("S[i, j] -> [i + j, -i]"), [0, 2, 1, 3]);
    assert_eq!(of("S[i, j] -> [i, 3, i, 2i + j]"), [0, 1, 2, 3]);
    assert_eq!(of("S[i, j] -> [i, j] : i > 0; S[0, j] -> [0, j]"), [0, 1, 2, 3]);
    assert_eq!(of("S[i, j] -> [0, i, 1, j]; S[i, j] -> [1, i, 1, j] : false"), [0, 1, 2, 3]);
}

#[test]
fn conditions_are_kept() {
    let of = |condition: &str| elements(&two(condition, "S[i, j] -> [i, j]"), 4).unwrap();
    assert_eq!(of(" and 2j < i"), [4, 8, 12, 13]);
    assert_eq!(of(" and i = j"), [0, 5, 10, 15]);
    assert_eq!(of(" and (i > 2 or i < 1) and j = 0"), [0, 12]);
    assert_eq!(of(" and i != 1 and j = 2"), [2, 10, 14]);
    assert_eq!(of(" and 3i + 2j = 7"), [6]);
    for never in [" and i > 5", " and false"] {
        assert!(of(never).is_empty());
    }
}

#[test]
fn what_is_not_scanned_is_named() {
    for (condition, schedule, expected) in [
        (" and (i) mod 2 = 0", "S[i, j] -> [i, j]", "S: its domain: divisions and remainders"),
        (" and i <= floor((n)/2)", "S[i, j] -> [i, j]", "S: its domain: 'floor'"),
        (" and exists (e0: i = 2e0)", "S[i, j] -> [i, j]", "S: its domain: 'exists'"),
        ("", "S[i, j] -> [i]", "does not tell its iterations apart"),
        ("", "S[i, j] -> [2i, j]", "does not tell its iterations apart"),
        ("", "S[i, j] -> [i, o0]", "known by conditions alone"),
        (" or (i < 3 and i > 1 and j < 3 and j > 0)", "S[i, j] -> [i, j]", "may overlap"),
        (" or (i > n)", "S[i, j] -> [i, j]", "a loop around it has no end"),
        (" and i <", "S[i, j] -> [i, j]", "a number or a name is expected at byte"),
        (" and ~", "S[i, j] -> [i, j]", "'~' at byte"),
        ("", "S[i, j] -> [i, j", "']' is expected at byte"),
    ] {
        let error = elements(&two(condition, schedule), 4).unwrap_err();
        assert!(error.contains(expected), "{condition} {schedule}: {error}");
    }
}

#[test]
fn what_is_hostile_is_refused() {
    let plain = two("", "S[i, j] -> [i, j]");
    for (from, to, n, expected) in [
        ("j < n", "j < n", 1 << 27, "at most"),
        ("j < n", "j < n", 1 << 40, "too large"),
        ("j < n", "j < n", 1 << 90, "too large"),
        ("j < n", "j < n", -(1 << 90), "too large"),
        ("i < n", "i < 99999999999999999999999999999999999999999", 4, "not expressed"),
        ("i < n", "i < 9999999999999999999999999999999", 4, "too large"),
        ("A[i, j] }", "A[9999999999999999999999i, j] }", 4, "too large"),
        ("A[i, j] }", "A[i, 9999999999999999j] }", 4, "too large"),
        ("A[i, j] }", "A[i, j, j] }", 4, "3 indices of A"),
        ("A[i, j] }", "B[i, j] }", 4, "there is no array B"),
        ("%n", "%m", 4, "--set m=NUMBER"),
        ("%n", "(%n /u 2)", 4, "--set (%n /u 2)=NUMBER"),
        ("\"read\"", "\"look\"", 4, "kind \"look\""),
        ("\"i8\"", "\"%struct.s\"", 4, "is not known"),
    ] {
        assert!(plain.contains(from));
        let error = elements(&plain.replace(from, to), n).unwrap_err();
        assert!(error.contains(expected), "{to}: {error}");
    }
    let deep = format!(" and {}i < 3{}", "(".repeat(100_000), ")".repeat(100_000));
    assert!(elements(&two(&deep, "S[i, j] -> [i, j]"), 4).unwrap_err().contains("not expressed"));
    let many = " and (i < 1 or j < 1)".repeat(1000);
    assert!(elements(&two(&many, "S[i, j] -> [i, j]"), 4).unwrap_err().contains("not expressed"));
    let scop = read(plain.as_bytes(), &Limits::default()).unwrap();
    assert_eq!(scop.nest(&HashMap::new(), None).unwrap_err(), NestError::Unset("n".to_owned()));
    assert!(
        scop.nest(&at(&[("n", 4)]), Some("T")).unwrap_err().to_string().contains("there are S")
    );
}

#[test]
fn pieces_of_time_are_one_after_the_other() {
    let one = |name: &str, range: &str, schedule: &str| {
        let bounds = range.split(':').map(|one| one.parse().unwrap()).collect::<Vec<i64>>();
        Made::line(name, bounds[0], bounds[1], schedule.parse().unwrap())
    };
    // A single point among iterations of another, and far away ones.
    let statements = vec![
        one("S", "0:9", "0"),
        one("T", "4:4", "0"),
        one("U", "1000000:1000002", "1"),
        one("V", "-5:3", "2"),
    ];
    let made = Made { statements };
    assert_eq!(same(&made, 4), Some(2 * (10 + 1 + 3 + 9)));
    let condition = Condition { factors: vec![1], n: 0, constant: 0 };
    assert!(condition.holds(&[0], 4));
}
