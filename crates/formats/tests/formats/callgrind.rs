//! Callgrind's oddities, and its own report as the measure.

use std::collections::BTreeMap;

use crate::measured::{
    corpus, folded, metric, profile, sample, self_values, text, total_values, warnings,
};

/// Rows of the first table of `callgrind_annotate` called with these options: values and function.
fn table(report: &str, inclusive: &str) -> Vec<(Vec<i64>, String)> {
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
        let function = name.rsplit_once(':').map_or(name.as_str(), |(_, function)| function);
        (values, function.to_owned())
    })
    .filter(|(values, _): &(Vec<i64>, String)| !values.is_empty())
    .collect()
}

fn is_number(word: &str) -> bool {
    word == "." || word.chars().all(|c| c.is_ascii_digit() || c == ',')
}

/// Samples of one part whose reports are whole.
const WHOLE: [&str; 9] = [
    "instr",
    "jumps",
    "instr-jumps",
    "threads-02",
    "threads-03",
    "caches",
    "system",
    "uncompressed",
    "cycles",
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
            assert_eq!(profile.metric_total(index).0, total, "{name} metric {index}");
        }
        // Code inlined from another file is a row of its own in the report.
        let mut expected = BTreeMap::<String, Vec<i64>>::new();
        for (values, function) in table(&report, "no") {
            let sums = expected.entry(function).or_insert_with(|| vec![0; values.len()]);
            sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
        }
        assert!(expected.len() > 5, "{name}");
        for index in 0..profile.metrics.len() - 1 {
            let own = self_values(&profile, index);
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
    for name in WHOLE.into_iter().filter(|&name| name != "cycles") {
        let profile = sample(&format!("callgrind/{name}.callgrind"));
        let report = text(&format!("callgrind/reports/{name}.callgrind.callgrind_annotate.txt"));
        let mut rows = BTreeMap::<String, Vec<i64>>::new();
        for (values, function) in table(&report, "yes") {
            rows.entry(function).or_default().push(values[0]);
        }
        let totals = total_values(&profile, 0);
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
}

#[test]
fn names_positions_and_missing_costs() {
    let found = profile(
        "events: Ir Dr\n\nob=(1) /bin/prog\nfl=(1) a.c\nfn=(1) main\n10 5 2\n+2 7\n* 1 1\n\
         cob=(2) /lib/x.so\ncfi=(2) b.c\ncfn=(2) work\ncalls=3 20\n+1 30 4\n\n\
         ob=(2)\nfl=(2)\nfn=(2)\n0x14 30 4\n",
    );
    assert_eq!(folded(&found, 0), ["main 13", "main;work 30"]);
    assert_eq!(folded(&found, 1), ["main 3", "main;work 4"]);
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
    assert_eq!(folded(&found, 0), ["main 35", "other 1"]);
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
    assert_eq!(names, ["part 1", "part 1", "part 2"]);
    let by_member: Vec<_> = (0..found.points.len()).map(|row| found.points.member(row).0).collect();
    assert_eq!(by_member, [0, 1, 2]);
}

#[test]
fn xdebug_writes_units_into_names() {
    let Some(bytes) = corpus("callgrind/callgrind.multiple-event-types.log") else { return };
    let found = profile(bytes);
    let metrics: Vec<_> =
        found.metrics.iter().map(|m| (m.name.as_str(), m.unit.as_str())).collect();
    assert_eq!(metrics, [("Time", "nanoseconds"), ("Memory", "bytes"), ("calls", "count")]);
    assert_eq!(found.metric_total(0).0, (20 + 100 + 700) * 10);
    assert_eq!(found.origin.producer, "xdebug 3.0.2 (PHP 7.4.14)");
}

#[test]
fn real_files_open() {
    for (path, total) in [
        ("callgrind/callgrind.example.log", 820),
        ("callgrind/callgrind.name-compression.log", 820),
    ] {
        let Some(bytes) = corpus(path) else { continue };
        let found = profile(bytes);
        assert_eq!(found.metric_total(0).0, total);
        let totals = total_values(&found, 0);
        assert_eq!((totals["main"], totals["func1"], totals["func2"]), (820, 400, 700));
    }
    let Some(bytes) = corpus("python/recurse.yappi.callgrind") else { return };
    let found = profile(bytes);
    assert_eq!(found.origin.producer, "yappi");
    assert!(found.metric_total(0).0 > 0);
}

#[test]
fn what_is_odd_is_told() {
    let text = "# callgrind format\nevents: Ir\nfn=a\n1 2\nnonsense\n5 x\n-9 1\njump=3 7\n*\n2 1\n";
    let found = warnings(text);
    assert!(found.iter().any(|w| w.contains("line 5 is skipped")), "{found:?}");
    assert!(found.iter().any(|w| w.contains("jumps")), "{found:?}");
    assert_eq!(profile(text).metric_total(0).0, 3);
}
