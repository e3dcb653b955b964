//! Recordings beside which stands what `perf script` and `perf report --stats` printed of them.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;

use perfdata::{Body, Head, Parts, Record, record_name};
use serde_json::Value;

/// What a recording says, as perf would count it.
#[derive(Default)]
struct Found {
    by_event: BTreeMap<String, u64>,
    by_cpu: BTreeMap<String, u64>,
    by_tid: BTreeMap<String, u64>,
    periods: BTreeMap<String, u64>,
    switches: BTreeMap<String, u64>,
    lost: u64,
    times: Vec<u64>,
    /// What each counter of a group showed last.
    counters: BTreeMap<(u64, u32), u64>,
    group_reads: u64,
}

impl Found {
    /// perf prints a line for each member of a group whose value has changed.
    fn sample(&mut self, head: &Head, record: &Record<'_>) {
        let Body::Sample(sample) = record.body else { return };
        let thread = sample.thread.unwrap_or_default();
        let mut line = |event: usize, period: u64| {
            let name = head.events[event].name();
            *self.by_event.entry(name.clone()).or_default() += 1;
            *self.periods.entry(name).or_default() += period;
            if let Some(cpu) = sample.cpu {
                *self.by_cpu.entry(cpu.to_string()).or_default() += 1;
            }
            *self.by_tid.entry(format!("{}/{}", thread.pid, thread.tid)).or_default() += 1;
            self.times.extend(sample.time);
        };
        match sample.read.filter(|_| head.events[record.event].attr.reads_group()) {
            Some(read) => {
                self.group_reads += 1;
                for counter in read.counters() {
                    let id = counter.id.unwrap();
                    let before = self.counters.insert((id, 0), counter.value).unwrap_or(0);
                    if counter.value != before {
                        line(head.event_of(id).unwrap(), counter.value - before);
                    }
                }
            }
            None => line(record.event, sample.period.unwrap_or(1)),
        }
    }

    fn other(&mut self, record: &Record<'_>) {
        match record.body {
            Body::Switch(switch) => {
                let kind = match (switch.is_out, switch.is_preempted) {
                    (false, _) => "IN",
                    (true, false) => "OUT",
                    (true, true) => "OUT preempt",
                };
                *self.switches.entry(kind.to_owned()).or_default() += 1;
            }
            Body::Lost { count, .. } => self.lost += count,
            _ => {}
        }
    }
}

fn open(path: &Path) -> Parts<File> {
    if path.is_dir() {
        let part = |number: usize| File::open(path.join(format!("data.{number}"))).ok();
        let others = (0..).map_while(part).collect();
        return Parts::open(File::open(path.join("data")).unwrap(), others).unwrap();
    }
    Parts::open(File::open(path).unwrap(), vec![]).unwrap()
}

/// Names are known at the end of a file only, so that it is read twice.
fn read(path: &Path) -> (Head, Found) {
    let mut first = open(path);
    while first.next().unwrap().is_some() {}
    let head = first.into_head();
    let mut found = Found::default();
    let mut parts = open(path);
    while let Some((_, record)) = parts.next().unwrap() {
        match record.body {
            Body::Sample(_) => found.sample(&head, &record),
            _ => found.other(&record),
        }
    }
    (head, found)
}

fn counts(value: &Value) -> BTreeMap<String, u64> {
    let entries = value.as_object().into_iter().flatten();
    entries.map(|(key, count)| (key.clone(), count.as_u64().unwrap())).collect()
}

fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(String::new, str::to_owned)
}

fn check(folder: &Path, truth: &Path) {
    let truth: Value = serde_json::from_slice(&std::fs::read(truth).unwrap()).unwrap();
    let name = truth["file"].as_str().unwrap();
    let (head, found) = read(&folder.join(name));

    let mut kinds = counts(&truth["record_kinds"]);
    // Of pipes with tracepoints perf counts the start only, but dumps all.
    if kinds.contains_key("TRACING_DATA") {
        kinds = counts(&truth["raw_dump_kinds"]);
    }
    kinds.remove("TOTAL");
    let known = head.counts.records.iter();
    let known = known.map(|(&number, &count)| (record_name(number).unwrap().to_owned(), count));
    let mut known: BTreeMap<String, u64> = known.collect();
    // perf leaves out what holds others, and what it reads as a feature.
    for kind in ["COMPRESSED", "COMPRESSED2", "ATTR", "FEATURE", "TRACING_DATA"] {
        known.remove(kind);
        kinds.remove(kind);
    }
    assert_eq!(known, kinds, "{name}: records");

    assert_eq!(found.by_event, counts(&truth["by_event"]), "{name}: events");
    assert_eq!(found.periods, counts(&truth["period_sum_by_event"]), "{name}: periods");
    assert_eq!(found.by_cpu, counts(&truth["by_cpu"]), "{name}: processors");
    let mut by_tid = BTreeMap::<String, u64>::new();
    for (thread, count) in counts(&truth["by_tid"]) {
        let ids = thread.split_once(' ').map_or(&*thread, |(ids, _)| ids);
        *by_tid.entry(ids.to_owned()).or_default() += count;
    }
    assert_eq!(found.by_tid, by_tid, "{name}: threads");
    assert!(found.times.is_sorted(), "{name}: in the order of time");
    let seconds = |time: u64| format!("{}.{:09}", time / 1_000_000_000, time % 1_000_000_000);
    for (time, key) in [(found.times.first(), "first_time"), (found.times.last(), "last_time")] {
        // "0" where there are no samples.
        let told = time.map_or_else(|| "0".to_owned(), |&time| seconds(time));
        assert_eq!(told, text_of(&truth[key]), "{name}: {key}");
    }
    assert_eq!(found.switches, counts(&truth["switch_kinds"]), "{name}: switches");
    if let Some(blocks) = truth["group_read_blocks"].as_u64() {
        assert_eq!(found.group_reads, blocks, "{name}: reads of groups");
    }

    let header = &truth["header"];
    let told = [
        ("hostname", head.features.host.clone()),
        ("os release", head.features.kernel.clone()),
        ("perf version", head.features.version.clone()),
        ("arch", head.features.arch.clone()),
        ("cpudesc", head.features.cpu_name.clone()),
        ("cpuid", head.features.cpu_id.clone()),
        ("nrcpus avail", head.features.cpus.map_or(String::new(), |(all, _)| all.to_string())),
        ("nrcpus online", head.features.cpus.map_or(String::new(), |(_, on)| on.to_string())),
    ];
    for (key, value) in told {
        if let Some(wanted) = header[key].as_str() {
            assert_eq!(value, wanted.trim(), "{name}: {key}");
        }
    }
    assert_eq!(head.features.damaged, [0; 0], "{name}: damaged features");
    let counts = &head.counts;
    assert_eq!((counts.short, counts.unknown_ids, counts.late), (0, 0, 0), "{name}");
    assert_eq!((counts.cut_bytes, counts.damaged_pieces), (0, 0), "{name}");
}

#[test]
fn records_are_those_that_perf_counts() {
    let Some(folder) = samples::corpus("perf") else { return };
    let mut checked = 0;
    for entry in std::fs::read_dir(folder.join("truth")).unwrap() {
        let path = entry.unwrap().path();
        if !path.to_string_lossy().ends_with(".expected.json") {
            check(&folder, &path);
            checked += 1;
        }
    }
    assert!(checked > 15, "{checked} recordings");
}
