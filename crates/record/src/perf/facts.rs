//! What a recording holds, as far as its use is judged by it.

#![allow(clippy::disallowed_methods, reason = "files of the kernel, below /proc and /sys")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufReader, Read as _};
use std::path::Path;

use perfdata::{Body, Head, Reader, Record};

use crate::manifest::Holds;
use crate::threads::Rules;
use crate::{Error, Finding};

/// Facts of one recording.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Facts {
    /// Samples by event and thread.
    pub(crate) samples: BTreeMap<(String, u32), u64>,
    /// Threads that began or got a name, by number.
    pub(crate) threads: BTreeMap<u32, Thread>,
    /// Records that were lost.
    pub(crate) lost: u64,
    /// How often the kernel held events back.
    pub(crate) throttled: u64,
    /// The time of the first sample, on the clock of the recording.
    pub(crate) first_ns: Option<u64>,
    /// That of the last one.
    pub(crate) last_ns: Option<u64>,
    /// Samples with a copy of the stack.
    pub(crate) stack_copies: u64,
    /// Of these, those whose copy is as long as was asked for, so that there may be more.
    pub(crate) full_copies: u64,
    /// Records that could not be read.
    pub(crate) damaged: u64,
}

/// A thread of the recording.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Thread {
    /// What it called itself last; may be empty.
    pub(crate) name: String,
    /// When it was heard of first and last.
    pub(crate) first_ns: u64,
    pub(crate) last_ns: u64,
}

/// More threads are not told apart.
const MOST_THREADS: usize = 1 << 20;

/// Samples by the number of their event and by thread: names stand at the end of files.
type Numbered = BTreeMap<(usize, u32), u64>;

/// Reads a recording.
///
/// # Errors
/// It is none, or it is damaged at its start.
pub(crate) fn facts_of(file: &Path) -> Result<Facts, Error> {
    read(file).map(|(facts, _)| facts)
}

/// The same with what the file tells as a whole.
pub(super) fn read(file: &Path) -> Result<(Facts, Head), Error> {
    let opened = File::open(file).map_err(Error::reading(file))?;
    let damaged = |error: perfdata::Error| Error::Document {
        file: file.to_owned(),
        place: String::new(),
        what: error.to_string(),
    };
    let mut reader = Reader::open(BufReader::with_capacity(1 << 18, opened)).map_err(damaged)?;
    let mut facts = Facts::default();
    let mut samples = Numbered::new();
    while let Some((head, record)) = reader.next().map_err(damaged)? {
        facts.take(head, &record, &mut samples);
    }
    let head = reader.into_head();
    // The last record is one that cannot be read where the file was cut.
    let cut = u64::from(head.counts.cut_bytes > 0);
    facts.damaged = head.counts.short + head.counts.damaged_pieces + cut;
    for ((event, thread), count) in samples {
        let name = head.events.get(event).map_or(String::new(), perfdata::Event::name);
        *facts.samples.entry((name, thread)).or_default() += count;
    }
    Ok((facts, head))
}

impl Facts {
    fn take(&mut self, head: &Head, record: &Record<'_>, samples: &mut Numbered) {
        let time = record.id.time;
        match record.body {
            Body::Sample(sample) => {
                let thread = sample.thread.map_or(0, |thread| thread.tid);
                if samples.len() < MOST_THREADS || samples.contains_key(&(record.event, thread)) {
                    *samples.entry((record.event, thread)).or_default() += 1;
                }
                if let Some(time) = time {
                    self.first_ns = Some(self.first_ns.map_or(time, |first| first.min(time)));
                    self.last_ns = Some(self.last_ns.map_or(time, |last| last.max(time)));
                }
                if let Some(stack) = sample.stack_user.filter(|stack| !stack.is_empty()) {
                    let asked = head.events.get(record.event).map_or(0, |e| e.attr.stack_user);
                    self.stack_copies += 1;
                    self.full_copies += u64::from(stack.len() as u64 >= u64::from(asked));
                }
            }
            Body::Comm { thread, name, is_exec } => {
                if let Some(known) = self.thread(thread.tid, time) {
                    known.name = perfdata::text(name);
                    // What was there before was the recorder, on its way to the command.
                    if is_exec && let Some(time) = time {
                        known.first_ns = time;
                    }
                }
            }
            Body::Fork { child, .. } => {
                self.thread(child.tid, time);
            }
            Body::Exit(thread) => {
                self.thread(thread.tid, time);
            }
            Body::Lost { count, .. } => self.lost = self.lost.saturating_add(count),
            Body::Throttled => self.throttled += 1,
            _ => {}
        }
    }

    fn thread(&mut self, thread: u32, time: Option<u64>) -> Option<&mut Thread> {
        if self.threads.len() >= MOST_THREADS && !self.threads.contains_key(&thread) {
            return None;
        }
        let known = self.threads.entry(thread).or_default();
        if let Some(time) = time.filter(|time| *time > 0) {
            known.first_ns = if known.first_ns == 0 { time } else { known.first_ns.min(time) };
            known.last_ns = known.last_ns.max(time);
        }
        Some(known)
    }

    /// Threads that rules name.
    pub(super) fn named_by(&self, rules: &Rules) -> Vec<(u32, String)> {
        let named = self.threads.iter().filter(|(_, thread)| !thread.name.is_empty());
        let names = named.map(|(id, thread)| Some((*id, rules.name(&thread.name)?.to_owned())));
        names.flatten().collect()
    }

    pub(super) fn holds(&self) -> Holds {
        let mut samples: BTreeMap<String, u64> = BTreeMap::new();
        let mut threads: BTreeSet<u32> = self.threads.keys().copied().collect();
        for ((event, thread), count) in &self.samples {
            *samples.entry(event.clone()).or_default() += count;
            threads.insert(*thread);
        }
        // Number 0 is each processor's own, when it has nothing to do.
        threads.remove(&0);
        Holds {
            samples,
            threads: threads.len() as u64,
            lost: self.lost,
            throttled: self.throttled,
            first_ns: self.first_ns,
            last_ns: self.last_ns,
        }
    }

    /// What could not be read.
    pub(super) fn damage(&self) -> Option<Finding> {
        let what = || format!("{} of its records cannot be read", self.damaged);
        (self.damaged > 0).then(|| Finding::warning(what(), "is the disk full?"))
    }
}

/// Whether perf ended a file as it should: it writes the size of the data last.
pub(super) fn is_whole(file: &Path) -> bool {
    /// `struct perf_file_header`: magic, two sizes, then pairs of offset and size.
    const DATA_SIZE: std::ops::Range<usize> = 48..56;
    let mut header = [0; DATA_SIZE.end];
    let read = File::open(file).and_then(|mut file| file.read_exact(&mut header));
    read.is_ok()
        && perfdata::is_recording(&header)
        && header[DATA_SIZE].iter().any(|byte| *byte != 0)
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    /// The facts of a recording of the corpus, and what perf says of it.
    fn known(name: &str) -> Option<(Facts, Value)> {
        let file = samples::corpus(&format!("perf/{name}.data"))?;
        let truth = samples::corpus_bytes(&format!("perf/truth/{name}.json"))?;
        Some((facts_of(&file).unwrap(), serde_json::from_slice(&truth).unwrap()))
    }

    #[test]
    fn samples_are_those_that_perf_counts() {
        for name in ["forkexec", "lost", "multi-event", "switch-events", "zstd", "visperf-flags"] {
            let Some((facts, truth)) = known(name) else { continue };
            let holds = facts.holds();
            let told = truth["event_stats"].as_object().unwrap();
            let samples = told.iter().filter_map(|(event, kinds)| {
                Some((event.clone(), kinds["SAMPLE"].as_u64().filter(|count| *count > 0)?))
            });
            assert_eq!(holds.samples, samples.collect::<BTreeMap<_, _>>(), "{name}");
            // perf tells microseconds of its clock.
            let seconds =
                |key: &str| truth["header"][key].as_str().unwrap().parse::<f64>().unwrap();
            for (ours, perf) in [
                (holds.first_ns, seconds("time of first sample")),
                (holds.last_ns, seconds("time of last sample")),
            ] {
                let ours = ours.unwrap() as f64 / 1e9;
                // It does not know them of what is compressed.
                assert!(perf == 0.0 || (ours - perf).abs() < 2e-6, "{name}: {ours} and {perf}");
            }
        }
    }

    #[test]
    fn lost_records_and_threads_are_counted() {
        if let Some((facts, truth)) = known("lost") {
            // LOST tells how many in each record, LOST_SAMPLES how many of the kernel's.
            let records =
                ["LOST", "LOST_SAMPLES"].map(|k| truth["record_kinds"][k].as_u64().unwrap());
            assert!(facts.lost > records.iter().sum::<u64>(), "{}", facts.lost);
        }
        if let Some((facts, truth)) = known("forkexec") {
            // Each fork began one, and the first was there.
            assert_eq!(facts.holds().threads, truth["record_kinds"]["FORK"].as_u64().unwrap() + 1);
            assert!(facts.threads.values().all(|thread| thread.last_ns >= thread.first_ns));
        }
        if let Some((facts, _)) = known("visperf-flags") {
            assert!(facts.stack_copies > 0 && facts.full_copies <= facts.stack_copies);
        }
    }

    #[test]
    fn what_is_no_recording_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("x");
        for bytes in [&b""[..], b"PERFILE2", b"something else that is long enough to be a header"] {
            std::fs::write(&file, bytes).unwrap();
            assert!(!is_whole(&file));
            assert!(facts_of(&file).is_err());
        }
    }
}
