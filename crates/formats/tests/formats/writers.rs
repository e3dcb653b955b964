//! What our writers write, our readers read the same, as far as the format carries it.

use std::collections::BTreeMap;

use crate::measured::{folded, profile, sample, self_values, total_values};
use formats::{Feature, ReadOptions, Source, format_named};
use profile::{MetricId, Profile};

fn written(format: &str, profile: &Profile) -> Vec<u8> {
    let mut bytes = vec![];
    format_named(format).unwrap().write(profile, &mut bytes).unwrap();
    bytes
}

/// Values without a module, an address or an unnamed place, whose names formats show differently.
fn named(values: BTreeMap<String, i64>) -> BTreeMap<String, i64> {
    values.into_iter().filter(|(name, value)| *value != 0 && !name.contains("0x")).collect()
}

#[test]
fn cpuprofiles_keep_stacks_and_times() {
    for path in ["pprof/cpu.pb.gz", "pprof/labels.pb.gz", "otlp/mill.otlp"] {
        let first = sample(path);
        let metric = first.origin.default_metric;
        assert_eq!(first.metrics[metric.index()].unit, "nanoseconds", "{path}");
        let again = profile(written("cpuprofile", &first));
        assert_eq!(again.origin.format, "cpuprofile");
        assert_eq!(again.metrics[0].unit, "nanoseconds");
        assert_eq!(folded(&again, MetricId(0)), folded(&first, metric), "{path}");
    }
}

#[test]
fn cpuprofiles_keep_files_and_lines() {
    let first = sample("otlp/mill.otlp");
    let again = profile(written("cpuprofile", &first));
    let places = |profile: &Profile| -> Vec<(String, String, u32)> {
        let stacks = profile.points.context.iter().flat_map(|&context| {
            std::iter::successors(Some(context), |&inner| profile.contexts.parent(inner))
        });
        let frames = stacks.flat_map(|context| profile.frames_of(context)).map(profile::FrameId);
        let place = |frame| {
            let name = profile.frame_name(frame).into_owned();
            (name, profile.frame_file(frame).to_owned(), profile.place_line(frame))
        };
        let mut places: Vec<_> = frames.map(place).filter(|(name, ..)| name != "(root)").collect();
        places.sort();
        places.dedup();
        places.retain(|(_, file, _)| !file.is_empty());
        places
    };
    assert_eq!(places(&again), places(&first));
}

#[test]
fn callgrind_keeps_own_costs_and_those_of_what_is_called() {
    for path in ["pprof/cpu.pb.gz", "pprof/heap.pb.gz", "otlp/mill.otlp", "pstats/cprofile.prof"] {
        let first = sample(path);
        let again = profile(written("callgrind", &first));
        for (id, metric) in first.metric_ids().zip(&first.metrics) {
            assert_eq!(again.metric(id).unit, metric.unit, "{path}");
            assert_eq!(again.metric_total(id).0, first.metric_total(id).0, "{path}");
            let (own, expected) = (self_values(&again, id), self_values(&first, id));
            assert_eq!(named(own), named(expected), "{path} {}", metric.name);
        }
    }
    // Without recursion and shared callees the graph is the tree.
    let tree = profile("a;b;c 10\na;b 5\na;d 7\n");
    let again = profile(written("callgrind", &tree));
    assert_eq!(total_values(&again, MetricId(0)), total_values(&tree, MetricId(0)));
    assert_eq!(folded(&again, MetricId(0)), ["a;b 5", "a;b;c 10", "a;d 7"]);
}

#[test]
fn firefox_profiles_hold_every_sample() {
    for path in ["pprof/labels.pb.gz", "otlp/mill.otlp", "pprof/heap.pb.gz"] {
        let first = sample(path);
        let metric = first.origin.default_metric;
        let json: serde_json::Value = serde_json::from_slice(&written("firefox", &first)).unwrap();
        let threads = json["threads"].as_array().unwrap();
        assert_eq!(threads.len(), first.threads.len().max(1), "{path}");
        let mut sum = 0.0;
        for thread in threads {
            let samples = &thread["samples"];
            let count = samples["length"].as_u64().unwrap() as usize;
            let stacks = samples["stack"].as_array().unwrap();
            assert_eq!((stacks.len(), samples["time"].as_array().unwrap().len()), (count, count));
            let weights = samples["weight"].as_array().unwrap();
            sum += weights.iter().map(|weight| weight.as_f64().unwrap()).sum::<f64>();
            let table = &thread["stackTable"];
            let rows = table["length"].as_u64().unwrap();
            assert!(stacks.iter().all(|stack| stack.is_null() || stack.as_u64().unwrap() < rows));
            for (row, prefix) in table["prefix"].as_array().unwrap().iter().enumerate() {
                assert!(prefix.is_null() || prefix.as_u64().unwrap() < row as u64);
            }
        }
        let total = first.metric_total(metric).0 as f64;
        let scale = if first.metrics[metric.index()].unit == "nanoseconds" { 1e6 } else { 1.0 };
        assert!((sum * scale - total).abs() < 1.0, "{path}: {sum} of {total}");
    }
}

#[test]
fn firefox_profiles_read_the_same() {
    for path in ["pprof/labels.pb.gz", "otlp/mill.otlp", "perf-script/inlined.perf-script"] {
        let first = sample(path);
        let metric = first.origin.default_metric;
        let again = profile(written("firefox", &first));
        assert_eq!(again.origin.format, "firefox", "{path}");
        assert_eq!(again.threads.len(), first.threads.len().max(1), "{path}");
        let lines = |profile: &Profile, metric: MetricId| -> BTreeMap<String, f64> {
            let decimals = profile.metric(metric).decimals;
            let scale = match &*profile.metric(metric).unit {
                "milliseconds" => 1e6,
                _ => 1.0,
            };
            let rows = folded(profile, metric).into_iter().map(|line| {
                let (stack, value) = line.rsplit_once(' ').unwrap();
                let value = value.parse::<f64>().unwrap() / 10f64.powi(decimals.into()) * scale;
                (stack.to_owned(), value)
            });
            rows.filter(|(stack, _)| !stack.contains("+0x")).collect()
        };
        let (found, expected) = (lines(&again, again.origin.default_metric), lines(&first, metric));
        assert_eq!(found.len(), expected.len(), "{path}");
        for (stack, value) in expected {
            assert!(
                (found[&stack] - value).abs() < 2.0,
                "{path}: {stack} {} {value}",
                found[&stack]
            );
        }
    }
}

#[test]
fn losses_are_what_the_formats_cannot_hold() {
    let first = sample("otlp/mill.otlp");
    let lost = |name: &str| -> Vec<String> {
        let losses = format_named(name).unwrap().losses(&first);
        losses.iter().map(|loss| loss.message.clone()).collect()
    };
    assert!(lost("hotframe").is_empty());
    let has = |name: &str, feature: Feature| {
        lost(name).iter().any(|message| message.starts_with(feature.name()))
    };
    assert!(has("collapsed", Feature::Times) && has("collapsed", Feature::Labels));
    assert!(has("pprof", Feature::Times) && !has("pprof", Feature::Labels));
    assert!(lost("pprof").contains(&"threads and processes become labels".to_owned()));
    assert!(has("callgrind", Feature::CallPaths) && !has("callgrind", Feature::Lines));
    assert!(!has("firefox", Feature::Times) && has("firefox", Feature::Labels));
}

/// Everything that a sample may be: without a stack, negative, a fraction of its unit.
fn odd(unit: &str, decimals: u8) -> Profile {
    let metric = profile::Metric { decimals, ..profile::Metric::new("time", unit) };
    let mut builder = profile::ProfileBuilder::new(vec![metric]);
    let place = |function| profile::Place { function, ..profile::Place::default() };
    let main = builder.place(&place("main"));
    let context = builder.stack([main]);
    for (context, value) in [(profile::ContextId::ROOT, 25), (context, 672), (context, -50)] {
        builder.points.push(context, profile::LabelSetId(0), &[value]);
    }
    builder.finish()
}

#[test]
fn what_a_format_drops_is_listed_with_its_share() {
    for format in formats::FORMATS.iter().filter(|format| format.writes()) {
        if format.parts().count() > 1 || format.name == "parquet" {
            continue;
        }
        for decimals in [0, 2] {
            let first = odd("seconds", decimals);
            let losses = format.losses(&first);
            let losses: Vec<_> = losses.iter().map(|loss| loss.message.clone()).collect();
            let options = ReadOptions { from: Some(format), ..ReadOptions::default() };
            let bytes = written(format.name, &first);
            let source = Source { bytes: Box::new(&bytes[..]), file_name: "" };
            let again = formats::read(source, &options).unwrap().profile;
            // In nanoseconds, or in what is left of the unit.
            let total = |profile: &Profile| {
                let metric = &profile.metrics[0];
                let unit = match &*metric.unit {
                    "seconds" | "none" | "count" | "" => 1e9,
                    "milliseconds" => 1e6,
                    "microseconds" => 1e3,
                    "nanoseconds" => 1.0,
                    unit => panic!("{} {unit}", format.name),
                };
                profile.metric_total(MetricId(0)).0 as f64 * unit
                    / 10f64.powi(metric.decimals.into())
            };
            let lost = total(&first) - total(&again);
            let told = losses.iter().any(|loss| {
                loss.contains("without a stack")
                    || loss.contains("without a time")
                    || loss.contains("negative")
                    || loss.contains("fractions")
            });
            assert_eq!(lost.abs() > 1e-3, told, "{} {decimals} {lost} {losses:?}", format.name);
        }
    }
    let callgrind = format_named("callgrind").unwrap().losses(&odd("seconds", 0));
    let told: Vec<_> = callgrind.iter().map(|loss| (loss.message.clone(), loss.count)).collect();
    assert!(
        told.contains(&("samples with negative values, 6.7 % of time".to_owned(), 1)),
        "{told:?}"
    );
    assert!(told.contains(&("samples without a stack, 3.3 % of time".to_owned(), 1)), "{told:?}");
}

#[test]
fn pprof_and_otlp_write_fractions_in_a_finer_unit() {
    for format in ["pprof", "otlp"] {
        let again = profile(written(format, &odd("seconds", 2)));
        let metric = &again.metrics[0];
        assert_eq!((&*metric.unit, metric.decimals), ("milliseconds", 0), "{format}");
        assert_eq!(again.metric_total(MetricId(0)).0, 6470, "{format}");
    }
}
