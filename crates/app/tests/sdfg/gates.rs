//! `--fail-if` of `sdfg cost` and `sdfg compare`.

use std::fs;
use std::path::Path;

use crate::{graph, run};

/// Exit code and standard error of `sdfg cost` with limits.
fn cost(set: &[&str], limits: &[&str]) -> (Option<i32>, String) {
    let limits = limits.iter().flat_map(|limit| ["--fail-if", limit]);
    let arguments: Vec<&str> =
        ["sdfg", "cost", "-"].into_iter().chain(set.iter().copied()).chain(limits).collect();
    let (code, out, err) = run(&arguments, &graph());
    assert!(code == Some(2) || out.contains("of the whole"), "the report comes first: {out}");
    (code, err)
}

#[track_caller]
fn check(limits: &[&str], code: i32, said: &str) {
    let (found, err) = cost(&["--set", "N=100"], limits);
    assert!(found == Some(code) && err.contains(said), "{limits:?}: {found:?}: {err}");
}

#[test]
fn costs_have_limits() {
    check(&["movement_bytes > 1600"], 0, "");
    check(&["movement_bytes > 1.6 KiB", "work > 100", "depth > 1", "intensity < 0.0625"], 0, "");
    let said = "The limit does not hold:\n- movement_bytes is above 1599: 1,600 bytes\n";
    check(&["movement_bytes > 1599"], 3, said);
    check(&["movement_bytes > 1.5 KiB"], 3, "above 1.5 KiB: 1,600 bytes");
    check(&["intensity < 0.1"], 3, "intensity is below 0.1: 0.063 operations/byte");
    check(&["work > 1", "depth > 0", "depth > 9"], 3, "2 of 3 limits do not hold:\n- work is");
}

#[test]
fn reports_bounds_as_bounds() {
    // Distinct bytes are at most 1,600: below the limit they pass.
    check(&["distinct_bytes > 1600"], 0, "");
    check(&["distinct_bytes > 1 kB"], 3, "distinct_bytes is above 1 kB: 1,600 bytes (at most: ");
    check(&["distinct_bytes < 100"], 1, "whether that is below the limit is not known");
    // What is above the least is above the limit.
    check(&["intensity_of_distinct < 0.0625"], 0, "");
    check(&["intensity_of_distinct < 2"], 3, "0.063 operations/byte (estimated: ");
    check(&["intensity_of_distinct > 2"], 1, "whether that is above the limit is not known");
}

/// Work and depth are both at most: their quotient may be less or more.
#[test]
fn quotients_of_bounds_decide_nothing() {
    let chooses = graph().replace("c = a * a", "c = a * a if a > 0 else a * 2 * a");
    for (limit, side) in [("parallelism > 1", "above"), ("parallelism < 1000", "below")] {
        let arguments = ["sdfg", "cost", "-", "--set", "N=100", "--fail-if", limit];
        let (code, _, err) = run(&arguments, &chooses);
        let said = format!(
            "it is 100 (estimated: code may do less than it says, or several things at once), and whether that is {side} the limit is not known"
        );
        assert!(code == Some(1) && err.contains(&said), "{code:?}: {err}");
    }
}

#[test]
fn what_has_no_value_is_an_error() {
    let (code, err) = cost(&[], &["movement_bytes > 2 GB", "depth > 0"]);
    assert_eq!(code, Some(1), "{err}");
    assert!(err.contains("movement_bytes > 2 GB: it has no value: it is 16*N"), "{err}");
    assert!(err.contains("- depth is above 0: 1 operations"), "{err}");
    check(&["measured_time > 1 s"], 1, "nothing was measured: --measured gives reports");
}

#[test]
fn limits_that_are_none_are_explained() {
    check(&["movment_bytes > 1"], 2, "did you mean movement_bytes?");
    check(&["movement_bytes > 2 G"], 2, "movement_bytes is in bytes, not in G");
    check(&["movement_bytes > 5%"], 2, "`hotframe sdfg compare`");
    check(&["movement_bytes = 5"], 2, "'movement_bytes > 2 GB' or 'intensity < 2'");
}

/// `sdfg compare` of the square of doubles with a changed one.
fn compare(folder: &Path, new: &str, more: &[&str]) -> (Option<i32>, String, String) {
    let [base, changed] = ["base.sdfg", "new.sdfg"].map(|name| folder.join(name));
    fs::write(&base, graph()).unwrap();
    fs::write(&changed, new).unwrap();
    let [base, changed] = [&base, &changed].map(|path| path.to_str().unwrap());
    let arguments = [&["sdfg", "compare", base, changed, "--set", "N=100"], more].concat();
    run(&arguments, "")
}

#[test]
fn growth_has_limits() {
    let folder = tempfile::tempdir().unwrap();
    // One array of twice the size: half again as many bytes.
    let wide = graph().replacen("float64", "complex128", 1);
    let check = |new: &str, limit: &str, code: i32, said: &str| {
        let (found, _, err) = compare(folder.path(), new, &["--fail-if", limit]);
        assert!(found == Some(code) && err.contains(said), "{limit}: {found:?}: {err}");
    };
    let said = "- movement_bytes grew by +50.0 %, more than 5 % of the base: 1,600 bytes to 2,400";
    check(&wide, "movement_bytes > 5%", 3, said);
    check(&wide, "movement_bytes > 50%", 0, "");
    check(&wide, "movement_bytes > 49.9%", 3, "");
    check(&wide, "intensity < -33%", 3, "intensity grew by -33.3 %, less than -33 % of the base");
    check(&wide, "intensity < -34%", 0, "");
    check(&graph(), "movement_bytes > 0%", 0, "");
    check(&wide, "distinct_bytes > 5%", 3, "(at most: ");
    check(&wide, "movement_bytes > 2 GB", 2, "share of the base");
    check(&wide, "movement > 5%", 2, "there are work, movement_bytes");
    check(&wide, "measured_time > 5%", 1, "nothing was measured");
}

#[test]
fn growth_from_0_and_of_what_is_not_known_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let none = graph().replace("c = a * a", "c = a");
    let limit = ["--fail-if", "work > 5%"];
    let (code, _, err) = compare(folder.path(), &none, &limit);
    assert_eq!(code, Some(0), "all is saved: {err}");
    let [base, new] = ["new.sdfg", "base.sdfg"].map(|name| folder.path().join(name));
    let [base, new] = [&base, &new].map(|path| path.to_str().unwrap());
    let sides = ["sdfg", "compare", base, new];
    let (code, _, err) = run(&[&sides[..], &["--set", "N=100"], &limit].concat(), "");
    assert!(code == Some(1) && err.contains("it grew from 0 to 100 operations"), "{err}");
    let (code, _, err) = run(&[&sides[..], &limit].concat(), "");
    assert!(code == Some(1) && err.contains("in the new, it has no value: it is N"), "{err}");
    let same = ["sdfg", "compare", base, base, "--set", "N=100"];
    let (code, _, err) = run(&[&same[..], &limit].concat(), "");
    assert_eq!(code, Some(0), "nothing is nothing: {err}");
}

#[test]
fn verdicts_are_part_of_markdown() {
    let folder = tempfile::tempdir().unwrap();
    let more = ["--format", "markdown", "--fail-if", "work > 0%"];
    let (code, out, err) = compare(folder.path(), &graph(), &more);
    let said = "\nThe limit holds:\n- work grew by +0.0 %, not more than 0 % of the base: 100 \
                operations to 100 operations\n";
    assert!(code == Some(0) && out.ends_with(said) && err.is_empty(), "{out} {err}");
    let more = ["--format", "json", "--fail-if", "work > 0%"];
    let (_, out, err) = compare(folder.path(), &graph(), &more);
    assert!(serde_json::from_str::<serde_json::Value>(&out).is_ok() && err.is_empty());
}
