//! Profiles older than pprof's own format, and pprof as the measure.

use std::collections::BTreeMap;

use crate::measured::{corpus, folded, metric, profile, sample, stacks, testdata, text};
use profile::{LabelValue, LocationId, MetricId, Profile};

/// A stack, leaf first: addresses and their modules; and the size of blocks.
type Key = (Vec<(u64, String)>, Option<i64>);

/// What `pprof -raw` prints.
struct Raw {
    metrics: Vec<(String, String)>,
    samples: BTreeMap<Key, Vec<i64>>,
    names: BTreeMap<u64, String>,
    period: i64,
}

fn raw(text: &str) -> Raw {
    let (head, rest) = text.split_once("Samples:\n").unwrap();
    let (samples, rest) = rest.split_once("Locations\n").unwrap();
    let (locations, mappings) = rest.split_once("Mappings\n").unwrap_or((rest, ""));
    let modules: BTreeMap<&str, &str> = mappings
        .lines()
        .filter_map(|line| line.split_once(": "))
        .map(|(id, rest)| (id, rest.split(' ').nth(1).unwrap_or("")))
        .collect();
    let mut names = BTreeMap::new();
    let mut by_id = BTreeMap::new();
    for line in locations.lines() {
        let Some((id, rest)) = line.trim().split_once(": ") else { continue };
        let mut words = rest.split(' ');
        let address =
            u64::from_str_radix(words.next().unwrap().trim_start_matches("0x"), 16).unwrap();
        let mut rest: Vec<_> = words.collect();
        let module = rest.first().and_then(|word| word.strip_prefix("M="));
        if module.is_some() {
            rest.remove(0);
        }
        let module = module.map_or("", |id| modules[id]).to_owned();
        if let Some(name) = rest.first().filter(|name| !name.is_empty()) {
            names.insert(id.parse::<u64>().unwrap(), (*name).to_owned());
        }
        by_id.insert(id, (address, module));
    }
    let mut lines = samples.lines();
    let metrics = lines.next().unwrap().split_whitespace();
    let metrics = metrics.map(|word| {
        let (name, unit) = word.split_once('/').unwrap();
        (name.to_owned(), unit.trim_end_matches("[dflt]").to_owned())
    });
    let metrics: Vec<_> = metrics.collect();
    let mut found: Vec<(Key, Vec<i64>)> = vec![];
    for line in lines {
        if let Some(bytes) = line.trim().strip_prefix("bytes:[") {
            found.last_mut().unwrap().0.1 = bytes.trim_end_matches(']').parse().ok();
        } else {
            let (values, ids) = line.split_once(':').unwrap();
            let values = values.split_whitespace().map(|value| value.parse().unwrap()).collect();
            let stack = ids.split_whitespace().map(|id| by_id[id].clone()).collect();
            found.push(((stack, None), values));
        }
    }
    let mut samples = BTreeMap::<Key, Vec<i64>>::new();
    for (key, values) in found {
        let sums = samples.entry(key).or_insert_with(|| vec![0; values.len()]);
        sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
    }
    let period = head.lines().find_map(|line| line.strip_prefix("Period: "));
    Raw { metrics, samples, names, period: period.unwrap().parse().unwrap() }
}

fn ours(found: &Profile) -> BTreeMap<Key, Vec<i64>> {
    let mut samples = BTreeMap::<Key, Vec<i64>>::new();
    for (row, &context) in found.points.context.iter().enumerate() {
        let path = std::iter::successors(Some(context), |&at| found.contexts.parent(at));
        let stack = path.filter_map(|at| found.contexts.location(at)).map(|at: LocationId| {
            let module = found.locations.module(at);
            let module = module.map_or("", |module| found.text(found.modules[module.index()].name));
            (found.locations.address[at.index()], module.to_owned())
        });
        let bytes =
            found.label_sets.get(found.points.labels(row)).find_map(|label| match label.value {
                LabelValue::Number(bytes, _) if found.text(label.key) == "bytes" => Some(bytes),
                _ => None,
            });
        let values = found.points.row(row);
        let sums = samples.entry((stack.collect(), bytes)).or_insert_with(|| vec![0; values.len()]);
        sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
    }
    samples
}

fn compare(found: &Profile, expected: &Raw, name: &str) {
    let metrics: Vec<_> = found.metrics.iter().map(|m| (m.name.clone(), m.unit.clone())).collect();
    assert_eq!(metrics, expected.metrics, "{name}");
    assert_eq!(found.origin.period, expected.period, "{name}");
    let ours = ours(found);
    for (key, values) in &expected.samples {
        assert_eq!(ours.get(key), Some(values), "{name}: {key:x?}");
    }
    assert_eq!(ours.len(), expected.samples.len(), "{name}");
}

#[test]
fn every_sample_is_as_pprof_has_it() {
    for name in [
        "cpu.prof",
        "heap.heap",
        "growth.heap",
        "sampled.heap",
        "go-allocs.txt",
        "go-block.txt",
        "go-goroutine.txt",
        "go-heap.txt",
        "go-mutex.txt",
        "go-threadcreate.txt",
    ] {
        let report = raw(&text(&format!("gperftools/reports/{name}.pprof-raw.txt")));
        compare(&sample(&format!("gperftools/{name}")), &report, name);
    }
    check_real_files();
}

/// The same of real files, where they are.
fn check_real_files() {
    for name in [
        "cppbench.contention",
        "cppbench.cpu",
        "cppbench.heap",
        "cppbench.thread.all",
        "go.crc32.cpu",
    ] {
        let (Some(bytes), Some(dump)) =
            (corpus(&format!("gperftools/{name}")), corpus(&format!("gperftools/{name}.string")))
        else {
            continue;
        };
        compare(&profile(bytes), &raw(&String::from_utf8(dump).unwrap()), name);
    }
    let (Some(bytes), Some(dump)) =
        (corpus("gperftools/java.cpu"), corpus("gperftools/java.cpu.string"))
    else {
        return;
    };
    let (found, dump) = (profile(bytes), String::from_utf8(dump).unwrap());
    let expected = raw(&dump);
    let leaves: Vec<_> = stacks(&found)
        .into_iter()
        .map(|(stack, values)| (stack.rsplit(';').next().unwrap().to_owned(), values))
        .collect();
    let (samples, _) = dump.split_once("Samples:\n").unwrap().1.split_once("Locations").unwrap();
    let wanted: Vec<_> = samples
        .lines()
        .skip(1)
        .map(|line| {
            let (values, ids) = line.split_once(": ").unwrap();
            let leaf: u64 = ids.split(' ').next().unwrap().parse().unwrap();
            let values =
                values.split_whitespace().map(|value| value.parse().unwrap()).collect::<Vec<i64>>();
            (expected.names[&leaf].clone(), values)
        })
        .collect();
    assert_eq!(leaves, wanted);
}

#[test]
fn go_heap_is_what_go_writes_for_pprof() {
    let text = sample("gperftools/go-heap.txt");
    let bytes = std::fs::read(testdata("gperftools/reports/go-heap.pb.gz")).unwrap();
    let binary = profile(bytes);
    for name in ["alloc_objects", "alloc_space", "inuse_objects", "inuse_space"] {
        let total = |profile: &Profile| {
            let index = metric(profile, name);
            (
                profile.metric_total(index).0,
                crate::measured::total_values(profile, index)["main.pack"],
            )
        };
        let ((text, packed), (binary, packed_too)) = (total(&text), total(&binary));
        // Go rounds each sample, pprof cuts it off.
        assert!((text - binary).abs() <= 64 && (packed - packed_too).abs() <= 64, "{name}");
    }
}

#[test]
fn names_of_addresses() {
    let found = sample("gperftools/go-mutex.txt");
    let found = folded(&found, MetricId(0));
    assert!(
        found
            .iter()
            .any(|row| row.contains("main.main.func1;main.(*deck).load;sync.(*Mutex).Unlock 179")),
        "{found:?}"
    );
    let found = sample("gperftools/cpu-symbols.prof");
    let totals = crate::measured::total_values(&found, MetricId(0));
    let plain = sample("gperftools/cpu.prof");
    assert_eq!(found.metric_total(MetricId(0)), plain.metric_total(MetricId(0)));
    let report = text("gperftools/reports/cpu.prof.google-pprof.txt");
    let mut compared = 0;
    for line in report.lines() {
        let words: Vec<_> = line.split_whitespace().collect();
        if let [_, _, _, total, _, name] = words[..]
            && name.starts_with("quarry::")
            && let Some(&ours) =
                totals.iter().find(|(key, _)| key.split('(').next() == Some(name)).map(|(_, v)| v)
        {
            assert_eq!(ours.to_string(), total, "{name}");
            compared += 1;
        }
    }
    assert!(compared > 3, "{report}");
}

#[test]
fn words_of_any_machine() {
    let words: [u64; 13] = [0, 3, 0, 10_000, 0, 2, 2, 0x1000, 0x2001, 0, 1, 0, 0];
    let body = |bytes: fn(u64) -> Vec<u8>| {
        words[..12].iter().flat_map(|&word| bytes(word)).collect::<Vec<u8>>()
    };
    for bytes in [
        body(|word| (word as u32).to_le_bytes().to_vec()),
        body(|word| (word as u32).to_be_bytes().to_vec()),
        body(|word| word.to_le_bytes().to_vec()),
        body(|word| word.to_be_bytes().to_vec()),
    ] {
        let maps =
            b"build=/opt/a b\n  1000-3000: $build (@10) abc\n2000-2fff rw-p 00000000 00:00 0 /x\n";
        let found = profile([&bytes[..], maps].concat());
        assert_eq!(
            (found.metric_total(MetricId(0)).0, found.metric_total(MetricId(1)).0),
            (2, 20_000_000)
        );
        assert_eq!(found.locations.address, [0x1000, 0x2000]);
        assert_eq!(found.text(found.modules[0].name), "/opt/a");
    }
}

#[test]
fn threads_have_names_and_goroutines_states() {
    let found = profile(
        "--- threadz 1 ---\n\n--- Thread 7f (name: main/25) stack: ---\n  PC:  0x00bc8f1c: helper(arg*)\n  \
         0x0040be31: main\n--- Thread 7e (name: io/26) stack: ---\n  [same as previous thread]\n\
         --- Memory map: ---\n  00400000-00fcb000: /bin/a\n",
    );
    assert_eq!(folded(&found, MetricId(0)), ["main;helper(arg*) 2"]);
    assert_eq!(found.thread_name(profile::ThreadId(1)), "io (26)");
    let found = sample("gperftools/go-goroutine-2.txt");
    assert_eq!(found.metric_total(MetricId(0)).0, 4);
    assert_eq!(folded(&found, MetricId(0))[0], "main.main;main.wait 3");
    let found = profile(
        "goroutine profile: total 2\n2 @ 0x11 0x21\n# labels: {\"a\":\"b\"}\n#\t0x10\tf+0x1\t/a.go:7\n\n",
    );
    assert_eq!(found.label_sets.all_labels().count(), 1);
    assert_eq!(stacks(&found)[0].0, "0x20;f");
}
