//! Callgrind's oddities, and its own report as the measure.

use std::collections::{BTreeMap, BTreeSet};

use crate::measured::{
    corpus, folded, metric, profile, sample, self_values, stored_totals, text, total_values,
    warnings,
};
use profile::{MetricId, StringId};

/// Rows of the first table of `callgrind_annotate` called with these options: values and function.
fn table(report: &str, inclusive: &str) -> Vec<(Vec<i64>, String)> {
    let without_file = |(values, _, function)| (values, function);
    files_and_functions(report, inclusive).into_iter().map(without_file).collect()
}

/// The same with the file before the function.
fn files_and_functions(report: &str, inclusive: &str) -> Vec<(Vec<i64>, String, String)> {
    let start = report.find(&format!("--inclusive={inclusive}")).unwrap();
    let table = report[start..].split("file:function\n").nth(1).unwrap();
    let rows = table.lines().skip(1).take_while(|line| !line.trim().is_empty());
    rows.map(|line| {
        let mut words = line.split_whitespace().peekable();
        let mut values = vec![];
        while let Some(word) = words.next_if(|word| is_number(word)) {
            values.push(word.replace(',', "").parse().unwrap_or(0));
        }
        let name = words.collect::<Vec<_>>().join(" ");
        let name = name.rsplit_once(" [").map_or(name.as_str(), |(name, _)| name).to_owned();
        // No file has a colon in its name here, and functions of C++ have many.
        let (file, function) = name.split_once(':').unwrap_or(("", &name));
        let function = if function == "???" { "" } else { function };
        (values, file.trim_start_matches("???").to_owned(), function.to_owned())
    })
    .filter(|(values, ..): &(Vec<i64>, String, String)| !values.is_empty())
    .collect()
}

fn is_number(word: &str) -> bool {
    word == "." || word.chars().all(|c| c.is_ascii_digit() || c == ',')
}

/// Samples of one part whose reports are whole.
const WHOLE: [&str; 12] = [
    "instr",
    "jumps",
    "instr-jumps",
    "threads-02",
    "threads-03",
    "caches",
    "system",
    "uncompressed",
    "cycles",
    "shelf",
    "shelf-cycles",
    "shelf-jumps",
];

#[test]
fn self_costs_are_those_of_callgrind_annotate() {
    for name in WHOLE {
        let profile = sample(&format!("callgrind/{name}.callgrind"));
        let report = text(&format!("callgrind/reports/{name}.callgrind.callgrind_annotate.txt"));
        let totals = report.lines().find(|line| line.ends_with("PROGRAM TOTALS")).unwrap();
        for (index, total) in
            totals.split_whitespace().take_while(|word| is_number(word)).enumerate()
        {
            let total: i64 = total.replace(',', "").parse().unwrap_or(0);
            if name == "system" && index > 1 {
                // The report takes the `summary:`, which counts system calls outside of the part.
                break;
            }
            assert_eq!(
                profile.metric_total(MetricId(index as u32)).0,
                total,
                "{name} metric {index}"
            );
        }
        // Code inlined from another file is a row of its own in the report.
        let mut expected = BTreeMap::<String, Vec<i64>>::new();
        for (values, function) in table(&report, "no") {
            let sums = expected.entry(function).or_insert_with(|| vec![0; values.len()]);
            sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
        }
        assert!(expected.len() > 5, "{name}");
        for (index, metric) in profile.metric_ids().enumerate().take(profile.metrics.len() - 1) {
            let own = self_values(&profile, metric);
            for (function, values) in &expected {
                let found = own.get(function).copied().unwrap_or(0);
                assert_eq!(found, values[index], "{name}: {function}, metric {index}");
            }
        }
    }
}

#[test]
fn total_costs_outside_of_recursion_are_those_of_callgrind_annotate() {
    let mut compared = 0;
    for name in WHOLE.into_iter().filter(|name| !name.contains("cycles")) {
        let profile = sample(&format!("callgrind/{name}.callgrind"));
        let report = text(&format!("callgrind/reports/{name}.callgrind.callgrind_annotate.txt"));
        let mut rows = BTreeMap::<String, Vec<i64>>::new();
        for (values, function) in table(&report, "yes") {
            rows.entry(function).or_default().push(values[0]);
        }
        let totals = total_values(&profile, MetricId(0));
        for (function, values) in rows {
            // Several rows are one function in several files, whose costs overlap.
            if let [value] = values[..]
                && !function.contains('\'')
            {
                let found = totals.get(&function).copied().unwrap_or(0);
                assert_eq!(found, value, "{name}: {function}");
                compared += 1;
            }
        }
    }
    assert!(compared > 100, "only {compared} functions were compared");
    check_real_files();
}

/// What a file has of functions, line by line.
#[derive(Default)]
struct Raw {
    /// File and function of blocks.
    owners: BTreeSet<(String, String)>,
    /// First event of the own costs and of the calls that stand in a file inside of a function.
    inside: BTreeMap<(String, String), i64>,
}

impl Raw {
    fn new(text: &str) -> Raw {
        let mut raw = Raw::default();
        let mut names = BTreeMap::<(String, String), String>::new();
        // A number that stands for a name, which is told where it comes first; `???` is unknown.
        let mut name = |kind: &str, text: &str| {
            let told = match text.split_once(')') {
                Some((number, rest)) if number.starts_with('(') => {
                    let key = (kind.to_owned(), number.to_owned());
                    let rest = rest.trim();
                    if !rest.is_empty() {
                        names.insert(key.clone(), rest.to_owned());
                    }
                    names[&key].clone()
                }
                _ => text.to_owned(),
            };
            if told == "???" { String::new() } else { told }
        };
        let (mut file, mut within, mut function) = (String::new(), String::new(), String::new());
        for line in text.lines() {
            match line.split_once('=') {
                Some(("fl", rest)) => {
                    file = name("file", rest);
                    within.clone_from(&file);
                }
                Some(("fi" | "fe", rest)) => within = name("file", rest),
                Some(("cfi" | "cfl" | "jfi", rest)) => drop(name("file", rest)),
                Some(("fn", rest)) => {
                    function = name("function", rest);
                    within.clone_from(&file);
                    raw.owners.insert((file.clone(), function.clone()));
                }
                Some(("cfn" | "jfn", rest)) => drop(name("function", rest)),
                _ if line.starts_with([
                    '+', '-', '*', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9',
                ]) =>
                {
                    // Where lines begin with an address, too, this is none; only owners count there.
                    let cost =
                        line.split(' ').nth(1).and_then(|cost| cost.parse().ok()).unwrap_or(0);
                    *raw.inside.entry((within.clone(), function.clone())).or_default() += cost;
                }
                _ => {}
            }
        }
        raw
    }
}

/// Code of another file inside of a function costs what its lines do and what is called from there. (The
/// tool counts what stands above in the function, too.)
#[test]
fn totals_of_what_was_inlined_are_those_of_its_lines() {
    let mut compared = 0;
    for name in ["shelf", "system", "threads-02", "cycles"] {
        let raw = Raw::new(&text(&format!("callgrind/{name}.callgrind")));
        let profile = sample(&format!("callgrind/{name}.callgrind"));
        for (key, total) in stored_totals(&profile, MetricId(0)) {
            // What is called at no cost may have no block.
            if total != 0 && !raw.owners.contains(&key) {
                assert_eq!(raw.inside.get(&key), Some(&total), "{name}: {key:?}");
                compared += 1;
            }
        }
    }
    assert!(compared > 10, "only {compared} functions were compared");
}

/// Every function of a file is compared, recursive ones too: the tool adds up what was charged to
/// a function's callers. A function that nobody calls has a row a file there and one here.
#[test]
fn stored_totals_are_those_of_callgrind_annotate() {
    let mut compared = 0;
    for name in WHOLE {
        let profile = sample(&format!("callgrind/{name}.callgrind"));
        let report = text(&format!("callgrind/reports/{name}.callgrind.callgrind_annotate.txt"));
        let totals = stored_totals(&profile, MetricId(0));
        let mut rows = BTreeMap::new();
        for (values, file, function) in files_and_functions(&report, "yes") {
            *rows.entry((file, function)).or_insert(0) += values[0];
        }
        let mut own = 0;
        let owners = Raw::new(&text(&format!("callgrind/{name}.callgrind"))).owners;
        for (key, total) in totals.iter().filter(|(key, _)| owners.contains(key)) {
            // The tool shortens names of files below the folder that it runs in, and leaves out
            // rows after the first.
            let Some(row) = rows.get(key) else { continue };
            assert_eq!(total, row, "{name}: {key:?}");
            own += 1;
        }
        assert!(own > 2, "{name}: {own} of {} functions were compared", totals.len());
        compared += own;
    }
    assert!(compared > 250, "only {compared} functions were compared");
    let shelf = sample("callgrind/shelf.callgrind");
    let main = ("/opt/demo/shelf.cpp".to_owned(), "main".to_owned());
    assert_eq!(stored_totals(&shelf, MetricId(0))[&main], 106_370);
    assert!(shelf.function_totals.metrics == [MetricId(0)], "calls have no total");
}

#[test]
fn a_call_without_a_file_leads_to_the_file_of_its_line() {
    let case = "# callgrind format\nevents: Ir\nfl=a.cpp\nfn=main\n1 10\nfi=lib.h\n3 5\n\
                cfn=sort\ncalls=1 5\n3 90\n\nfl=lib.h\nfn=sort\n5 90\n";
    let found = profile(case);
    assert_eq!(folded(&found, MetricId(0)), ["main 15", "main;sort 90"]);
    assert_eq!(stored_totals(&found, MetricId(0))[&("a.cpp".to_owned(), "main".to_owned())], 105);
    if let Some(bytes) = corpus("cases/cg-min1.callgrind") {
        assert_eq!(total_values(&profile(bytes), MetricId(0))["main"], 105);
    }
    // `fe=` leads back, and what a call names of itself holds for that call only.
    let found = profile(
        "events: Ir\nob=x\nfl=a.c\nfn=main\nfi=b.h\nfe=a.c\ncfn=f\ncalls=1 1\n1 7\n\
         cob=y\ncfi=c.c\ncfn=g\ncalls=1 1\n1 8\nfi=b.h\ncfn=h\ncalls=1 1\n2 9\n",
    );
    let files: Vec<_> = stored_totals(&found, MetricId(0)).into_keys().collect();
    let expected = [("a.c", "f"), ("a.c", "main"), ("b.h", "h"), ("b.h", "main"), ("c.c", "g")];
    assert_eq!(files, expected.map(|(file, name)| (file.to_owned(), name.to_owned())));
}

#[test]
fn jumps_may_name_files_and_functions_first() {
    let found = profile(
        "events: Ir\nfl=(1) a.c\nfn=(1) main\njfi=(2) b.h\njfn=(2) other\njump=1 +3\n1\n1 5\n\
         fl=(2)\nfn=(2)\n1 6\n",
    );
    assert_eq!(folded(&found, MetricId(0)), ["main 5", "other 6"]);
    let files: Vec<_> = found.functions.file.iter().map(|&file| found.text(file)).collect();
    assert_eq!(files, ["a.c", "b.h"]);
}

#[test]
fn names_that_no_cost_names_are_not_kept() {
    let found = profile(
        "events: Ir\nob=(1) tool\nfl=(1) a.c\nfn=(1) main\ncob=(2) unused.so\ncfi=(3) unused.c\n\
         cfn=(5) unused\njfi=(4) unused.h\njfn=(6) unused_jump\njump=1 2\n1\n1 5\n",
    );
    let strings: Vec<_> =
        (0..found.strings.len() as u32).map(|id| found.text(StringId(id))).collect();
    assert!(strings.contains(&"main") && strings.contains(&"tool"), "{strings:?}");
    assert!(!strings.iter().any(|text| text.contains("unused")), "{strings:?}");
}

#[test]
fn names_positions_and_missing_costs() {
    let found = profile(
        "events: Ir Dr\n\nob=(1) /bin/prog\nfl=(1) a.c\nfn=(1) main\n10 5 2\n+2 7\n* 1 1\n\
         cob=(2) /lib/x.so\ncfi=(2) b.c\ncfn=(2) work\ncalls=3 20\n+1 30 4\n\n\
         ob=(2)\nfl=(2)\nfn=(2)\n0x14 30 4\n",
    );
    assert_eq!(folded(&found, MetricId(0)), ["main 13", "main;work 30"]);
    assert_eq!(folded(&found, MetricId(1)), ["main 3", "main;work 4"]);
    assert_eq!(folded(&found, metric(&found, "calls")), ["main;work 3"]);
    let lines = &found.frames.line;
    for line in [10, 12, 13, 20] {
        assert!(lines.contains(&line), "{line} is not in {lines:?}");
    }
    let modules: Vec<_> = found.modules.iter().map(|module| found.text(module.name)).collect();
    assert_eq!(modules, ["/bin/prog", "/lib/x.so"]);
    assert!(found.origin.estimated_paths);
}

#[test]
fn inlined_lines_belong_to_the_function_around_them() {
    let found = profile(
        "# callgrind format\nevents: Ir\nfl=a.c\nfn=main\n1 10\nfi=util.h\n7 20\nfe=a.c\n2 5\n\
         fn=other\n3 1\n",
    );
    assert_eq!(folded(&found, MetricId(0)), ["main 35", "other 1"]);
    let files: std::collections::BTreeSet<_> = (0..found.frames.len() as u32)
        .map(|frame| (found.frames.line[frame as usize], found.frame_file(profile::FrameId(frame))))
        .collect();
    assert!(files.contains(&(7, "util.h")) && files.contains(&(3, "a.c")), "{files:?}");
}

#[test]
fn parts_are_members_and_threads_are_threads() {
    let found = profile(
        "version: 1\ncreator: x\nevents: Ir\npart: 1\nthread: 1\nfn=(1) a\n1 2\ntotals: 2\n\
         part: 1\nthread: 2\nfn=(1)\n1 3\npart: 2\nthread: 1\nfn=(1)\n1 4\n",
    );
    assert_eq!(found.threads.len(), 2);
    let names: Vec<_> = found.members.iter().map(|member| member.name.as_str()).collect();
    assert_eq!(names, ["part 1", "part 2"]);
    let by_member: Vec<_> = (0..found.points.len()).map(|row| found.points.member(row).0).collect();
    assert_eq!(by_member, [0, 0, 1]);
    // Totals of threads add up; a file put together of several has a member each.
    let found = profile(
        "version: 1\ncreator: x\nevents: Ir\npart: 1\nthread: 1\nfn=(1) a\n1 2\ncfn=(2) b\ncalls=1 1\n1 9\n\
         part: 1\nthread: 2\nfn=(1)\n1 3\npart: 2\nthread: 1\nfn=(1)\n1 4\n",
    );
    let totals: Vec<_> =
        (found.function_totals.of_metric(MetricId(0)).map(|(_, m, value)| (m.0, value))).collect();
    assert_eq!(totals, [(0, 14), (0, 9), (1, 4)]);
    let twice = "events: Ir\npart: 1\nfn=a\n1 2\nversion: 1\nevents: Ir\npart: 1\nfn=a\n1 3\n";
    assert_eq!(profile(twice).members.len(), 2);
}

#[test]
fn xdebug_writes_units_into_names() {
    let small = profile(
        "version: 1\ncreator: xdebug 3.0.2 (PHP 7.4.14)\ncmd: a.php\npart: 1\npositions: line\n\n\
         events: Time_(10ns) Memory_(bytes)\n\nfl=(1) php:internal\nfn=(1) php::strlen\n3 2 16\n\n\
         fl=(2) a.php\nfn=(2) {main}\n1 70 500\ncfl=(1)\ncfn=(1)\ncalls=1 0 0\n3 2 16\n",
    );
    let metrics: Vec<_> =
        small.metrics.iter().map(|m| (m.name.as_str(), m.unit.as_str())).collect();
    assert_eq!(metrics, [("Time", "nanoseconds"), ("Memory", "bytes"), ("calls", "count")]);
    assert_eq!([0, 1].map(|metric| small.metric_total(MetricId(metric)).0), [720, 516]);
    let Some(bytes) = corpus("callgrind/callgrind.multiple-event-types.log") else { return };
    let found = profile(bytes);
    let metrics: Vec<_> =
        found.metrics.iter().map(|m| (m.name.as_str(), m.unit.as_str())).collect();
    assert_eq!(metrics, [("Time", "nanoseconds"), ("Memory", "bytes"), ("calls", "count")]);
    assert_eq!(found.metric_total(MetricId(0)).0, (20 + 100 + 700) * 10);
    assert_eq!(found.origin.producer, "xdebug 3.0.2 (PHP 7.4.14)");
}

/// Memory that was freed is below 0, as some versions of xdebug write it, or a number without a sign that begins
/// anew there. Its line has its time and its calls all the same.
#[test]
fn memory_that_was_freed_is_below_0() {
    for freed in ["-4096", "18446744073709547520"] {
        let text = format!(
            "version: 1\ncreator: xdebug 2.9.0\npart: 1\npositions: line\n\n\
             events: Time_(µs) Memory_(bytes)\n\nfl=(1) php:internal\nfn=(1) php::gc\n0 30 {freed}\n\n\
             fl=(2) a.php\nfn=(2) load\n7 400 8192\ncfl=(1)\ncfn=(1)\ncalls=2 0 0\n9 30 {freed}\n\n\
             fl=(2)\nfn=(3) {{main}}\n1 100 512\ncfl=(2)\ncfn=(2)\ncalls=1 0 0\n3 430 4096\n\n\
             summary: 530 4608\n"
        );
        let found = profile(&text);
        let wanted = |rows: &[(&str, i64)]| {
            rows.iter().map(|&(name, value)| (name.to_owned(), value)).collect::<BTreeMap<_, _>>()
        };
        let own = [("load", 400), ("php::gc", 30), ("{main}", 100)];
        assert_eq!(self_values(&found, MetricId(0)), wanted(&own), "{freed}");
        let own = [("load", 8192), ("php::gc", -4096), ("{main}", 512)];
        assert_eq!(self_values(&found, MetricId(1)), wanted(&own), "{freed}");
        let stored = stored_totals(&found, MetricId(1)).into_iter();
        let stored: BTreeMap<_, _> = stored.map(|((_, name), value)| (name, value)).collect();
        let totals = [("load", 4096), ("php::gc", -4096), ("{main}", 4608)];
        assert_eq!(stored, wanted(&totals), "{freed}");
        assert_eq!(self_values(&found, MetricId(2))["php::gc"], 2);
        let is_told = warnings(&text).iter().any(|told| told.contains("is taken for -4096"));
        assert_eq!(is_told, freed != "-4096");
    }
    // One bad cost takes no other with it.
    let text = "events: Ir Dr Dw\nfn=a\n1 2 x 4\n2 1.5 7 1\n";
    let found = profile(text);
    let totals = [0, 1, 2].map(|metric| found.metric_total(MetricId(metric)).0);
    assert_eq!((found.metrics[0].decimals, totals), (1, [35, 7, 5]));
    let told = warnings(text);
    assert!(
        told.iter().any(|told| told.contains("line 3: a cost that is not a number is left out: x")),
        "{told:?}"
    );
}

/// Costs may have fractions, as pprofile writes them, from any line on; what is one thing for each of another is no
/// sum.
#[test]
fn costs_may_have_fractions_and_ratios_are_left_out() {
    let text = "events: hits us us/hit\nfl=a.py\nfn=f\n3 4 12 3.125\ncfn=g\ncalls=2 9\n4 2 1.25 0.625\n\
                fn=g\n9 2 1.25 0.625\n";
    let found = profile(text);
    let names: Vec<_> = found.metrics.iter().map(|one| (&*one.name, one.decimals)).collect();
    assert_eq!(names, [("hits", 0), ("us", 2), ("calls", 0)]);
    assert_eq!(found.metric_total(MetricId(0)).0, 6);
    assert_eq!(found.metric_total(MetricId(1)).0, 1325);
    let told = warnings(text);
    assert!(told.iter().any(|told| told.contains("us/hit is left out")), "{told:?}");
}

/// The same of real files, where they are.
fn check_real_files() {
    for (path, total) in [
        ("callgrind/callgrind.example.log", 820),
        ("callgrind/callgrind.name-compression.log", 820),
    ] {
        let Some(bytes) = corpus(path) else { continue };
        let found = profile(bytes);
        assert_eq!(found.metric_total(MetricId(0)).0, total);
        let totals = total_values(&found, MetricId(0));
        assert_eq!((totals["main"], totals["func1"], totals["func2"]), (820, 400, 700));
    }
    let Some(bytes) = corpus("python/recurse.yappi.callgrind") else { return };
    let found = profile(bytes);
    assert_eq!(found.origin.producer, "yappi");
    assert!(found.metric_total(MetricId(0)).0 > 0);
}

#[test]
fn reports_what_is_odd() {
    let text = "# callgrind format\nevents: Ir\nfn=a\n1 2\nnonsense\n5 x\n-9 1\njump=3 7\n*\n2 1\n";
    let found = warnings(text);
    assert!(found.iter().any(|w| w.contains("line 5 is skipped")), "{found:?}");
    assert!(found.iter().any(|w| w.contains("jumps")), "{found:?}");
    assert_eq!(profile(text).metric_total(MetricId(0)).0, 3);
}

#[test]
fn cachegrind_costs_are_those_of_cg_annotate() {
    let found = sample("callgrind/shelf.cachegrind");
    assert!(!found.origin.estimated_paths && found.function_totals.is_empty());
    let events: Vec<_> = found.metrics.iter().map(|metric| metric.name.as_str()).collect();
    assert_eq!(events, ["Ir", "I1mr", "ILmr", "Dr", "D1mr", "DLmr", "Dw", "D1mw", "DLmw"]);
    let mut own = BTreeMap::<(String, String), Vec<i64>>::new();
    for (row, &context) in found.points.context.iter().enumerate() {
        let frame = profile::FrameId(found.frames_of(context).next_back().unwrap());
        let name = found.functions.name[found.frames.function(frame).unwrap().index()];
        let key = (found.frame_file(frame).to_owned(), found.text(name).to_owned());
        let sums = own.entry(key).or_insert_with(|| vec![0; events.len()]);
        sums.iter_mut().zip(found.points.row(row)).for_each(|(sum, value)| *sum += value);
    }
    let report = text("callgrind/reports/shelf.cachegrind.cg_annotate.txt");
    let mut compared = 0;
    for line in report.lines().skip(2).take_while(|line| !line.trim().is_empty()) {
        let mut words = line.split_whitespace().peekable();
        let mut values = vec![];
        while let Some(word) = words.next_if(|word| is_number(word)) {
            values.push(word.replace(',', "").parse().unwrap_or(0));
        }
        let name = words.collect::<Vec<_>>().join(" ");
        let (file, function) = name.split_once(':').unwrap();
        let known = |text: &str| if text == "???" { String::new() } else { text.to_owned() };
        assert_eq!(own.get(&(known(file), known(function))), Some(&values), "{name}");
        compared += 1;
    }
    assert!(compared > 300, "only {compared} functions were compared");
}

/// Converters begin with what an event is called.
#[test]
fn a_file_that_begins_with_the_name_of_an_event_is_known() {
    let found = profile(b"event: ns : Nanoseconds\nevents: ns\nfl=a.py\nfn=main\n1 70\n");
    assert_eq!(self_values(&found, MetricId(0))["main"], 70);
}
