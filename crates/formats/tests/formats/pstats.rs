//! Python's `.prof` files against what `pstats` says of them.

use std::collections::BTreeMap;

use crate::measured::{
    corpus, folded, profile, read, sample, self_values, stored_totals, text, total_values, warnings,
};
use profile::MetricId;
use serde_json::Value;

const SAMPLES: [&str; 16] = [
    "cprofile.prof",
    "no-builtins.prof",
    "no-subcalls.prof",
    "profile.prof",
    "script.prof",
    "threads.prof",
    "yappi.pstat",
    "yappi-wall.pstat",
    "orchard-2.7.prof",
    "orchard-3.6.prof",
    "orchard-3.13.prof",
    "cellar-2.7.prof",
    "cellar-3.6.prof",
    "cellar-3.8.prof",
    "cellar-3.11.prof",
    "cellar-3.13.prof",
];

fn nanoseconds(seconds: &Value) -> i64 {
    (seconds.as_f64().unwrap() * 1e9).round() as i64
}

/// The name that we show for pstats' `file:line(function)`.
fn name(function: &str) -> String {
    let (_, name) = function.split_once('(').unwrap();
    let name = name.strip_suffix(')').unwrap();
    // Where a code object was in memory, and of which file, is not its name.
    if let Some((code, _)) = name.split_once(" at 0x").filter(|(code, _)| code.starts_with("<code"))
    {
        return format!("{code}>");
    }
    match function.strip_prefix("~:0(<") {
        Some(_) => format!("{{{}}}", &name[1..name.len() - 1]),
        None => name.to_owned(),
    }
}

#[test]
fn own_times_and_calls_are_those_of_pstats() {
    let mut recursive = 0;
    for file in SAMPLES {
        let found = sample(&format!("pstats/{file}"));
        let report: Value =
            serde_json::from_str(&text(&format!("pstats/reports/{file}.pstats.json"))).unwrap();
        let mut own = BTreeMap::<String, i64>::new();
        let mut calls = BTreeMap::<String, i64>::new();
        let mut primitive = BTreeMap::<String, i64>::new();
        let rows = report["rows"].as_array().unwrap();
        for row in rows {
            let name = name(row["function"].as_str().unwrap());
            *own.entry(name.clone()).or_default() += nanoseconds(&row["self"]);
            let count = |of: &str| row[of].as_i64().unwrap();
            let counts = [count("calls"), count("primitive_calls")];
            *calls.entry(name.clone()).or_default() += counts[0].max(counts[1]);
            *primitive.entry(name).or_default() += counts[0].min(counts[1]);
        }
        assert!(rows.len() > 3, "{file}");
        let (own_found, calls_found) =
            (self_values(&found, MetricId(0)), self_values(&found, MetricId(1)));
        for (name, value) in &own {
            assert_eq!(own_found.get(name).copied().unwrap_or(0), *value, "{file}: {name}");
        }
        for (name, count) in &calls {
            assert_eq!(calls_found.get(name).copied().unwrap_or(0), *count, "{file}: {name}");
        }
        let primitive_found = self_values(&found, MetricId(2));
        for (name, count) in &primitive {
            let found = primitive_found.get(name).copied().unwrap_or(0);
            assert_eq!(found, *count, "{file}: primitive calls of {name}");
        }
        recursive += calls.iter().filter(|(name, count)| primitive[*name] < **count).count();
        assert!(found.origin.estimated_paths);
    }
    assert!(recursive > 10, "only {recursive} functions are recursive");
    check_real_files();
}

#[test]
fn cumulative_times_outside_of_recursion_are_near_those_of_pstats() {
    let mut compared = 0;
    for file in ["cprofile.prof", "no-builtins.prof"] {
        let found = sample(&format!("pstats/{file}"));
        let totals = total_values(&found, MetricId(0));
        let report: Value =
            serde_json::from_str(&text(&format!("pstats/reports/{file}.pstats.json"))).unwrap();
        for row in report["rows"].as_array().unwrap().iter().take(20) {
            let same = row["calls"] == row["primitive_calls"];
            let name = name(row["function"].as_str().unwrap());
            // Names that stand for several functions cannot be told apart here.
            let is_one = !name.starts_with('<')
                && found.functions.name.iter().filter(|&&id| found.text(id) == name).count() == 1;
            if same && is_one {
                let (own, theirs) = (totals[&name], nanoseconds(&row["cumulative"]));
                // Times are measured per arc: pstats' own sums differ by what the clock lost.
                assert!(
                    (own - theirs).abs() <= theirs / 10 + 2000,
                    "{file}: {name} has {own}, pstats {theirs}"
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 15, "only {compared} functions were compared");
}

#[test]
fn stored_totals_are_the_cumulative_times_of_pstats() {
    let mut compared = 0;
    for file in SAMPLES {
        let found = sample(&format!("pstats/{file}"));
        let report: Value =
            serde_json::from_str(&text(&format!("pstats/reports/{file}.pstats.json"))).unwrap();
        // By name, as several lines of a file may have functions of one name.
        let mut expected = BTreeMap::<String, Vec<i64>>::new();
        for row in report["rows"].as_array().unwrap() {
            let name = name(row["function"].as_str().unwrap());
            expected.entry(name).or_default().push(nanoseconds(&row["cumulative"]));
        }
        let mut totals = BTreeMap::<String, Vec<i64>>::new();
        for (function, _, value) in found.function_totals.of_metric(MetricId(0)) {
            let name = found.text(found.functions.name[function.index()]).to_owned();
            totals.entry(name).or_default().push(value);
        }
        expected.values_mut().chain(totals.values_mut()).for_each(|values| values.sort_unstable());
        assert_eq!(totals, expected, "{file}");
        compared += totals.len();
    }
    assert!(compared > 150, "only {compared} functions were compared");
    // As Python's pstats tells them of a real file, where `place` calls itself.
    let Some(bytes) = corpus("python/recurse.cprofile.prof") else { return };
    let totals = stored_totals(&profile(bytes), MetricId(0));
    let of =
        |wanted: &str| totals.iter().find(|((_, name), _)| name == wanted).map(|(_, &total)| total);
    assert_eq!(of("main"), Some(1_750_015_039));
    assert_eq!(of("place"), Some(1_318_021_931));
}

/// A marshalled profile of two functions, written as version 2 of marshal has it.
fn two_functions() -> Vec<u8> {
    let mut out = vec![b'{'];
    let text = |out: &mut Vec<u8>, text: &str| {
        out.push(b'u');
        out.extend((text.len() as i32).to_le_bytes());
        out.extend(text.as_bytes());
    };
    let int = |out: &mut Vec<u8>, value: i32| {
        out.push(b'i');
        out.extend(value.to_le_bytes());
    };
    let float = |out: &mut Vec<u8>, value: f64| {
        out.push(b'g');
        out.extend(value.to_le_bytes());
    };
    let tuple = |out: &mut Vec<u8>, len: i32| {
        out.push(b'(');
        out.extend(len.to_le_bytes());
    };
    let key = |out: &mut Vec<u8>, name: &str| {
        tuple(out, 3);
        text(out, "a.py");
        int(out, 7);
        text(out, name);
    };
    let figures = |out: &mut Vec<u8>, calls: i32, own: f64, all: f64| {
        int(out, calls);
        int(out, calls);
        float(out, own);
        float(out, all);
    };
    key(&mut out, "main");
    tuple(&mut out, 5);
    figures(&mut out, 1, 0.25, 1.0);
    out.extend(b"{0");
    key(&mut out, "work");
    tuple(&mut out, 5);
    figures(&mut out, 3, 0.75, 0.75);
    out.push(b'{');
    key(&mut out, "main");
    tuple(&mut out, 4);
    figures(&mut out, 3, 0.75, 0.75);
    out.extend(b"00");
    out
}

#[test]
fn a_file_of_python_2() {
    let found = profile(two_functions());
    assert_eq!(folded(&found, MetricId(0)), ["main 250000000", "main;work 750000000"]);
    assert_eq!(folded(&found, MetricId(1)), ["main 1", "main;work 3"]);
    assert_eq!(found.place_line(profile::FrameId(0)), 7);
}

#[test]
fn a_cut_file_keeps_what_is_whole() {
    let whole = two_functions();
    let cut = &whole[..whole.len() - 10];
    assert_eq!(folded(&profile(cut), MetricId(0)), ["main 250000000"]);
    assert!(warnings(cut).iter().any(|warning| warning.contains("cut short")));
    assert!(read(&whole[..20]).is_err());
}

#[test]
fn what_is_no_code_is_refused() {
    // Said to be a code object ('c') where a function's figures should be.
    let mut bytes = two_functions();
    let at = bytes.windows(5).position(|part| part == b"(\x05\0\0\0").unwrap();
    bytes[at] = b'c';
    let error = read(&bytes).unwrap_err().to_string();
    assert!(error.contains("code object") && error.contains("byte"), "{error}");
}

#[test]
fn references_and_nesting_of_hostile_files_end() {
    // Tuples in tuples, and a tuple that names itself.
    let deep = [b"{)\x03z\x01a".as_slice(), &b")\x01".repeat(100_000)].concat();
    assert!(read(deep).is_err());
    let itself = b"\xfb\xa9\x03z\x01ar\x01\0\0\0z\x01b";
    assert!(read(itself).is_err());
    let long = b"{)\x03z\x01al\xff\xff\xff\x7f";
    assert!(read(long).is_err());
}

/// The same of real files, where they are.
fn check_real_files() {
    for (path, least) in [
        ("python/recurse.cprofile.prof", 20),
        ("python/recurse.cprofile.py36.prof", 20),
        ("python/recurse.cprofile.py314.prof", 20),
        ("python/recurse.py315.tracing.prof", 20),
        ("python/recurse.yappi.pstat", 10),
        ("python/recurse.tachyon.pstats", 5),
        ("cprofile/cycle.pstats", 3),
    ] {
        let Some(bytes) = corpus(path) else { continue };
        let found = profile(bytes);
        assert!(found.functions.len() >= least, "{path}: {}", found.functions.len());
        assert!(found.metric_total(MetricId(0)).0 > 0, "{path}");
    }
}
