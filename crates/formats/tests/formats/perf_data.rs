//! Recordings of perf, against what `perf script` prints of them.

use std::collections::BTreeMap;

use crate::folders::HeldFolder;
use crate::measured::text;
use formats::{Opened, ReadOptions, Source};
use profile::{LabelValue, LocationKind, Profile, TrackId};
use samples::testdata;

fn opened(name: &str) -> Opened {
    let path = testdata(format!("perf-data/{name}.perf.data"));
    if path.is_dir() {
        return formats::read_folder(&HeldFolder::new(&path), &ReadOptions::default()).unwrap();
    }
    let bytes = std::fs::File::open(path).unwrap();
    let source = Source { bytes: Box::new(bytes), file_name: "" };
    formats::read(source, &ReadOptions::default()).unwrap()
}

/// What perf script printed of it.
fn printed(name: &str) -> Profile {
    let text = text(&format!("perf-data/reports/{name}.perf-script"));
    let source = Source { bytes: Box::new(text.as_bytes()), file_name: "x.perf-script" };
    // One without stacks cannot be told from other texts.
    let from = formats::format_named("perf-script");
    formats::read(source, &ReadOptions { from, ..ReadOptions::default() }).unwrap().profile
}

/// Metrics that belong to no event.
const NOT_OF_SAMPLES: [&str; 7] = [
    "samples",
    "run time",
    "runs",
    "off-CPU time",
    "off-CPU intervals",
    "run-queue time",
    "migrations",
];

/// A line that perf script prints: event, thread, processor, time of the clock, value, frames.
type Line = (String, String, Option<u32>, i64, i64, usize);

fn lines(profile: &Profile) -> Vec<Line> {
    let points = &profile.points;
    let mut lines = vec![];
    for point in 0..points.len() {
        let thread = points.thread(point).map(|thread| &profile.threads[thread.index()]);
        let thread = thread.map_or(String::new(), |thread| {
            let process = &profile.processes[thread.process.map_or(0, |p| p.0 as usize)];
            let [pid, tid] = [process.id, thread.id].map(|id| profile.text(id).to_owned());
            format!("{pid}/{tid} {}", profile.text(thread.name))
        });
        let time = points.time(point).map(|time| time + profile.origin.clock_ns);
        let mut depth = 0;
        let mut context = points.context[point];
        while let Some(parent) = profile.contexts.parent(context) {
            let location = profile.contexts.location(context).unwrap();
            depth += usize::from(profile.locations.kind[location.index()] == LocationKind::Code);
            context = parent;
        }
        let row = points.row(point);
        for (metric, &value) in profile.metrics.iter().zip(row) {
            let is_event = !NOT_OF_SAMPLES.contains(&&*metric.name);
            if let Some(time) = time.filter(|_| is_event && value != 0) {
                let line = (metric.name.clone(), thread.clone(), points.cpu(point), time, value);
                lines.push((line.0, line.1, line.2, line.3, line.4, depth));
            }
        }
    }
    lines.sort();
    lines
}

#[test]
fn samples_are_those_that_perf_script_prints() {
    for (name, has_stacks) in [
        ("events", true),
        ("packed", true),
        ("pipe", true),
        ("group", false),
        // Printed without.
        ("sched", false),
        ("switches", true),
        ("folder", true),
        // Nobody unwinds here.
        ("dwarf", false),
    ] {
        let bare = |mut lines: Vec<Line>| {
            lines.iter_mut().filter(|_| !has_stacks).for_each(|line| line.5 = 0);
            lines
        };
        let opened = opened(name);
        let (mut found, wanted) = (bare(lines(&opened.profile)), bare(lines(&printed(name))));
        // What perf prints of chains through addresses without code is left out, and counted.
        let mut shorter = 0;
        for (found, wanted) in found.iter_mut().zip(&wanted).filter(|(one, other)| one.5 < other.5)
        {
            found.5 = wanted.5;
            shorter += 1;
        }
        let garbage =
            opened.warnings.list().into_iter().filter(|one| one.kind == "garbage in stacks");
        let garbage: u64 = garbage.map(|one| one.count).sum();
        assert!(shorter <= garbage, "{name}: {shorter} stacks are shorter, {garbage} are counted");
        assert!(wanted.len() > 1, "{name}: {} lines", wanted.len());
        // perf script leaves out the period of folders.
        let without = |mut lines: Vec<Line>| {
            lines.iter_mut().filter(|_| name == "folder").for_each(|line| line.4 = 0);
            lines
        };
        assert_eq!(without(found), without(wanted), "{name}");
    }
}

/// What stands on the tracks of threads and processors.
fn happenings(profile: &Profile) -> Vec<String> {
    let timeline = &profile.timeline;
    let clock = profile.origin.clock_ns;
    let mut all = vec![];
    let labels = |set| -> BTreeMap<String, String> {
        let labels = profile.label_sets.get(set);
        let text = |value| match value {
            LabelValue::Number(number, _) => number.to_string(),
            LabelValue::Text(text) => profile.text(text).to_owned(),
        };
        labels.map(|label| (profile.text(label.key).to_owned(), text(label.value))).collect()
    };
    for row in 0..timeline.tracks.len() {
        let track = TrackId(row as u32);
        let of = &timeline.tracks[row];
        let name = match (of.thread, of.cpu) {
            (Some(thread), _) => profile.text(profile.threads[thread.index()].id).to_owned(),
            (None, Some(cpu)) => format!("processor {cpu}"),
            (None, None) => continue,
        };
        for span in timeline.spans.of_track(track).map(|row| timeline.spans.get(row)) {
            let point = span.point.index();
            let thread = profile.points.thread(point).unwrap();
            let thread = profile.text(profile.threads[thread.index()].id);
            let (begin, length) = (span.begin + clock, span.length);
            let told = labels(span.arguments);
            all.push(format!("{name}: {thread} from {begin} for {length}: {told:?}"));
        }
        for at in timeline.marks.of_track(track) {
            let mark = timeline.marks.get(track, at);
            let mut told = labels(mark.fields);
            // Both say what became of it, one in letters, one by number.
            told.remove("prev_state");
            // In the text a name of another kind follows the number of the processor.
            for value in told.values_mut() {
                *value = value.trim_start_matches('0').to_owned();
            }
            let (kind, time) = (profile.text(mark.kind), mark.time + clock);
            all.push(format!("{name}: {kind} at {time}: {told:?}"));
        }
    }
    for flow in &timeline.flows {
        let [from, to] = [flow.from.time, flow.to.time].map(|time| time + clock);
        all.push(format!("{} from {from} to {to}", profile.text(flow.name)));
    }
    all.sort();
    all
}

#[test]
fn reports_the_scheduler_as_perf_script_prints_it() {
    let (found, wanted) = (opened("sched").profile, printed("sched"));
    let (found, wanted) = (happenings(&found), happenings(&wanted));
    assert!(wanted.len() > 100, "{} happenings", wanted.len());
    // perf script prints no ends of threads, which end a run here.
    let only = |one: &[String], other: &[String]| -> Vec<String> {
        one.iter().filter(|told| !other.contains(told)).cloned().collect()
    };
    let run = "processor 0: 8842 from 89632841002588 for";
    assert_eq!(only(&found, &wanted), [format!("{run} 37426: {{\"then\": \"ended\"}}")]);
    assert_eq!(only(&wanted, &found), [format!("{run} 0: {{\"recorded\": \"begin alone\"}}")]);
    assert_eq!(found.len(), wanted.len());
}

#[test]
fn counters_without_samples_count_what_perf_stat_printed() {
    let found = opened("stat").profile;
    let mut wanted = BTreeMap::<(i64, String), f64>::new();
    for line in text("perf-data/reports/stat.txt").lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (time, value) = match words[..] {
            [time, value, ..] if !line.starts_with('#') => (time, value.replace(',', "")),
            _ => continue,
        };
        let event = if words[2] == "msec" { words[3] } else { words[2] };
        let time = (time.parse::<f64>().unwrap() * 1e9).round() as i64;
        let value: f64 = value.parse().unwrap();
        let value = if words[2] == "msec" { (value * 1e6).round() } else { value };
        *wanted.entry((time, event.to_owned())).or_default() += value;
    }
    assert!(wanted.len() > 6, "{wanted:?}");
    let clock = found.origin.clock_ns;
    let mut sums = BTreeMap::<(i64, String), f64>::new();
    for point in 0..found.points.len() {
        // perf prints when a reading was, and counts are of the time since the one before.
        let interval = found.points.value(point, crate::measured::metric(&found, "interval"));
        let time = found.points.time(point).unwrap() + clock + interval;
        for (metric, &value) in found.metrics.iter().zip(found.points.row(point)) {
            if !["samples", "interval"].contains(&&*metric.name) {
                *sums.entry((time, metric.name.clone())).or_default() += value as f64;
            }
        }
    }
    assert!(sums.keys().all(|key| wanted.contains_key(key)), "{sums:?}");
    for (key, wanted) in wanted {
        // perf stat prints hundredths of milliseconds.
        let rounding = if key.1 == "cpu-clock" { 5_000.0 } else { 0.0 };
        let found = sums.get(&key).copied().unwrap_or(0.0);
        let off = (found - wanted).abs();
        assert!(off <= rounding, "{key:?}: {found} and not {wanted}");
    }
}

fn messages(opened: &Opened) -> Vec<String> {
    opened.warnings.iter().map(|warning| warning.message.clone()).collect()
}

#[test]
fn reports_what_was_not_recorded() {
    let dwarf = opened("dwarf");
    let told = messages(&dwarf);
    assert!(told.iter().any(|text| text.contains("are not unwound")), "{told:?}");
    let path = testdata("perf-data/folder.perf.data/data");
    let bytes = std::fs::File::open(path).unwrap();
    let source = Source { bytes: Box::new(bytes), file_name: "data" };
    let alone = formats::read(source, &ReadOptions::default()).unwrap();
    let told = messages(&alone);
    assert!(told.iter().any(|text| text.contains("open the folder")), "{told:?}");
}

/// Up to Linux 3.5 files began otherwise, in either byte order the same, and were the same behind it.
#[test]
fn the_first_version_is_read_as_the_second() {
    let bytes = std::fs::read(testdata("perf-data/events.perf.data")).unwrap();
    let read = |bytes: &[u8]| {
        let source =
            Source { bytes: Box::new(std::io::Cursor::new(bytes.to_vec())), file_name: "" };
        formats::read(source, &ReadOptions::default())
    };
    let mut first = bytes.clone();
    first[..8].copy_from_slice(b"PERFFILE");
    let (first, second) = (read(&first).unwrap(), read(&bytes).unwrap());
    assert!(second.profile.points.len() > 10);
    assert_eq!(first.profile, second.profile);
    // A size that no header has tells no byte order.
    let mut other = bytes;
    other[..16].copy_from_slice(b"PERFFILE\x07\0\0\0\0\0\0\0");
    assert!(read(&other).is_err());
}
