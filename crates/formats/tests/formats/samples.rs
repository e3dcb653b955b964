//! The one test that every sample of `testdata/` passes: a golden dump, detection by content,
//! survival of damage, and a round trip through the formats that we write.
//!
//! `UPDATE_GOLDEN=1` writes the dumps; read the difference before committing it.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::folders::HeldFolder;
use formats::{FORMATS, Opened, ReadError, ReadOptions, Source, format_named};
use profile::{
    Combine, Combining, Cpu, FactValue, Flow, FrameId, LabelSetId, LabelValue, LocationKind,
    Machine, Member, Metric, MetricId, Note, Profile, Timeline, TrackId,
};

/// A sample: a file, or a folder that is one profile.
pub(crate) struct Sample {
    pub(crate) path: PathBuf,
    /// Name of the format whose folder it is in.
    pub(crate) format: &'static str,
}

impl Sample {
    pub(crate) fn name(&self) -> &str {
        self.path.file_name().unwrap().to_str().unwrap()
    }

    fn is_folder(&self) -> bool {
        self.path.is_dir()
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        std::fs::read(&self.path).unwrap()
    }

    fn open(&self) -> Result<Opened, ReadError> {
        if self.is_folder() {
            formats::read_folder(&HeldFolder::new(&self.path), &ReadOptions::default())
        } else {
            read(&self.bytes(), self.name())
        }
    }

    fn profile(&self) -> Profile {
        self.open().unwrap_or_else(|error| panic!("{}: {error}", self.path.display())).profile
    }
}

/// Every sample: `testdata/<format>/*` but for golden dumps, explanations and how it was recorded.
fn samples() -> Vec<Sample> {
    let testdata = samples::testdata("");
    let mut samples = vec![];
    for format in FORMATS.iter().filter(|format| format.reads()) {
        let Ok(entries) = std::fs::read_dir(testdata.join(format.name)) else { continue };
        for entry in entries {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let is_other = name.starts_with('.')
                || name.ends_with(".golden")
                || ["README.md", "record", "reports"].contains(&name.as_str());
            if !is_other {
                samples.push(Sample { path, format: format.name });
            }
        }
    }
    samples.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(samples.len() > 15, "samples are missing");
    samples
}

pub(crate) fn files() -> Vec<Sample> {
    samples().into_iter().filter(|sample| !sample.is_folder()).collect()
}

/// The profiles of all samples, with their paths.
pub(crate) fn profiles() -> impl Iterator<Item = (PathBuf, Profile)> {
    samples().into_iter().map(|sample| (sample.path.clone(), sample.profile()))
}

fn read(bytes: &[u8], name: &str) -> Result<Opened, ReadError> {
    formats::read(Source { bytes: Box::new(bytes), file_name: name }, &ReadOptions::default())
}

/// How a metric combines, where values do not just add up.
pub(crate) fn combining(metric: &Metric) -> String {
    let Combining { contexts, time, members, weight } = metric.combining;
    if metric.combining.is_sum() {
        String::new()
    } else {
        let words = [contexts, time, members].map(Combine::word);
        let weight = weight.map(MetricId::index);
        format!(" combining {} weight {weight:?}", words.join(", "))
    }
}

fn dump_timeline(profile: &Profile, out: &mut String) {
    let Timeline { tracks, spans, marks, counters, flows, clocks } = &profile.timeline;
    assert_eq!(clocks.len(), 0, "nothing is aligned that is read");
    if profile.timeline.is_empty() {
        return;
    }
    let counts = [tracks.len(), spans.len(), marks.len(), counters.len(), flows.len()];
    let _ = writeln!(out, "tracks, spans, marks, counters, flows {counts:?}");
    for (row, track) in tracks.iter().enumerate().take(20) {
        let id = TrackId(row as u32);
        let rows = spans.of_track(id).map(|row| spans.get(row));
        let length = rows.fold(0i64, |sum, span| sum.saturating_add(span.length));
        let (name, kind) = (profile.text(track.name), track.kind.name());
        let parent = track.parent.map(|parent| parent.0);
        let own = (spans.of_track(id).len(), marks.of_track(id).len());
        let _ = writeln!(
            out,
            "track {row} {kind} {name:?} under {parent:?} at {}: {} spans of {length} ns, {} marks",
            track.order, own.0, own.1
        );
    }
    for row in 0..spans.len().min(20) {
        let span = spans.get(row);
        let context = profile.points.context[span.point.index()];
        let frame = profile.frames_of(context).next_back().map(FrameId);
        let function = frame.and_then(|frame| profile.frames.function(frame));
        let name =
            function.map_or("", |function| profile.text(profile.functions.name[function.index()]));
        let arguments = labels_text(profile, span.arguments);
        let _ = writeln!(out, "span {} +{} {name} {arguments:?}", span.begin, span.length);
    }
    for (row, _) in tracks.iter().enumerate() {
        let id = TrackId(row as u32);
        for mark in marks.of_track(id).take(5).map(|row| marks.get(id, row)) {
            let fields = labels_text(profile, mark.fields);
            let _ = writeln!(out, "mark {} {} {fields:?}", mark.time, profile.text(mark.kind));
        }
    }
    for counter in counters.iter().take(20) {
        let (name, unit) = (profile.text(counter.name), profile.text(counter.unit));
        let values = &counter.values;
        let _ = writeln!(
            out,
            "counter {name} {unit} {} values from {:?} to {:?}",
            values.len(),
            values.first(),
            values.last()
        );
    }
    for Flow { name, from, to } in flows.iter().take(20) {
        let name = profile.text(*name);
        let _ = writeln!(out, "flow {name} {from:?} {to:?}");
    }
}

/// All of a profile that people would miss, as text: a hash where it is long.
fn dump(opened: &Opened) -> String {
    let profile = &opened.profile;
    let origin = &profile.origin;
    let mut out = String::new();
    let _ = writeln!(
        out,
        "format {} time {} duration {}",
        origin.format, origin.time_ns, origin.duration_ns
    );
    let _ = writeln!(out, "period {} {:?}", origin.period, origin.period_type);
    for (id, metric) in profile.metric_ids().zip(&profile.metrics) {
        let total = profile.metric_total(id).0;
        let default = if id == origin.default_metric { " default" } else { "" };
        let _ = writeln!(
            out,
            "metric {} {} e-{} total {total}{default}{}",
            metric.name,
            metric.unit,
            metric.decimals,
            combining(metric)
        );
    }
    let _ = writeln!(
        out,
        "contexts {} locations {} frames {} functions {} label sets {} points {}",
        profile.contexts.len(),
        profile.locations.len(),
        profile.frames.len(),
        profile.functions.len(),
        profile.label_sets.len(),
        profile.points.len(),
    );
    for module in &profile.modules {
        let _ =
            writeln!(out, "module {} {}", profile.text(module.name), profile.text(module.build_id));
    }
    if origin.estimated_paths {
        out.push_str("estimated paths\n");
    }
    if !profile.function_totals.is_empty() {
        let _ = writeln!(out, "totals of functions {}", profile.function_totals.len());
    }
    for one in profile.switched_off.iter().take(20) {
        let name = profile.text(profile.functions.name[one.function.index()]);
        let _ = writeln!(out, "switched off {name} {} {:?}", one.exact_calls, one.estimate);
    }
    for note in profile.notes.iter().take(20) {
        let Note { about, title, text, link } = note;
        let [title, text, link] = [title, text, link].map(|&id| profile.text(id));
        let _ = writeln!(out, "note {about:?} {title}: {text} {link}");
    }
    for (row, process) in profile.processes.iter().enumerate().take(20) {
        let (id, name) = (profile.text(process.id), profile.text(process.name));
        let _ = writeln!(out, "process {row} {id} {name}");
    }
    for thread in profile.threads.iter().take(20) {
        let (id, name) = (profile.text(thread.id), profile.text(thread.name));
        let process = thread.process.map(|process| process.0);
        let _ = writeln!(out, "thread {id} {name} of process {process:?}");
    }
    dump_timeline(profile, &mut out);
    for member in profile.members.iter().take(20) {
        let Member { name, producer, host, machine, time_ns, duration_ns, moved_ns, facts } =
            member;
        assert_eq!(*moved_ns, 0, "nothing is aligned that is read");
        let _ = write!(out, "member {name} {producer} {host} {time_ns} {duration_ns}");
        let _ = match machine {
            Some(machine) => writeln!(out, " on machine {}", machine.0),
            None => writeln!(out),
        };
        for fact in facts {
            let _ = match fact.value {
                FactValue::Text(text) => writeln!(
                    out,
                    "{} {} {}",
                    fact.kind.name(),
                    profile.text(fact.name),
                    profile.text(text)
                ),
                FactValue::Number(number, unit) => writeln!(
                    out,
                    "{} {} {number} {}",
                    fact.kind.name(),
                    profile.text(fact.name),
                    profile.text(unit)
                ),
            };
        }
    }
    for (row, machine) in profile.machines.iter().enumerate() {
        let Machine { name, kernel, architecture, processor, memory_bytes, cpus } = machine;
        let _ = write!(out, "machine {row} {name} {kernel} {architecture} {processor}");
        let _ = writeln!(out, " {memory_bytes}");
        for Cpu { number, core, cache, socket, node, kind, is_left_out } in cpus.iter().take(20) {
            let places = [core, cache, socket, node].map(|place| place.map_or(-1, i64::from));
            let left_out = if *is_left_out { " left out" } else { "" };
            let _ = writeln!(out, "cpu {number} {places:?} {kind}{left_out}");
        }
    }
    for warning in opened.warnings.iter() {
        let _ = writeln!(out, "warning {} x{}", warning.message, warning.count);
    }
    for point in points(profile).into_iter().take(12) {
        let _ = writeln!(out, "{point}");
    }
    out
}

/// Labels as `key=value`, numbers with their unit.
fn labels_text(profile: &Profile, set: LabelSetId) -> Vec<String> {
    let labels = profile.label_sets.get(set).map(|label| match label.value {
        LabelValue::Text(text) => {
            format!("{}={}", profile.text(label.key), profile.text(text))
        }
        LabelValue::Number(n, unit) => {
            format!("{}={n} {}", profile.text(label.key), profile.text(unit))
        }
    });
    labels.collect()
}

/// Points as text: when and where they were measured, labels, stack from the root, values.
pub(crate) fn points(profile: &Profile) -> Vec<String> {
    let frame = |frame: FrameId| {
        let mark = if profile.is_inlined(frame) { " (inlined)" } else { "" };
        let mark = match profile.locations.kind[profile.frames.location[frame.index()].index()] {
            LocationKind::Code => mark.to_owned(),
            kind => format!("{mark} ({kind:?})"),
        };
        let (file, line) = (profile.frame_file(frame), profile.frames.line[frame.index()]);
        format!("{} {file}:{line}{mark}", profile.frame_name(frame))
    };
    let point = |row: usize| {
        let labels = labels_text(profile, profile.points.labels(row));
        let point = profile.points.get(row);
        let stack_of = |context| {
            let mut path: Vec<_> =
                std::iter::successors(Some(context), |&c| profile.contexts.parent(c)).collect();
            path.reverse();
            let frames = path.into_iter().flat_map(|c| profile.frames_of(c));
            frames.map(|f| frame(FrameId(f))).collect::<Vec<_>>().join("\n  ")
        };
        let mut text = format!("{:?} {labels:?}", profile.points.row(row));
        if let Some(time) = point.time {
            let _ = write!(text, " at {time} ns");
        }
        if let Some(thread) = point.thread {
            let _ = write!(text, " thread {}", profile.thread_name(thread));
        }
        if let Some(cpu) = point.cpu {
            let _ = write!(text, " cpu {cpu}");
        }
        if let Some(member) = profile.members.get(point.member.index()) {
            let _ = write!(text, " member {}", member.name);
        }
        let _ = write!(text, "\n  {}", stack_of(point.context));
        for &(role, context) in point.links {
            let role = profile.text(profile.roles[role.index()]);
            let _ = write!(text, "\n {role}:\n  {}", stack_of(context));
        }
        text
    };
    (0..profile.points.len()).map(point).collect()
}

#[test]
fn every_sample_reads_as_its_golden_dump_says() {
    let mut different = vec![];
    for sample in samples() {
        let name = sample.name();
        let opened = sample.open().unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(opened.profile.check(), [], "{name}");
        assert_eq!(opened.profile.origin.format, sample.format, "{name}");
        if !sample.is_folder() {
            let anonymous = read(&sample.bytes(), "");
            let anonymous = anonymous.unwrap_or_else(|error| panic!("{name} unnamed: {error}"));
            assert!(anonymous.profile == opened.profile, "{name} differs without its name");
        }
        let golden = sample.path.with_file_name(format!("{name}.golden"));
        let fresh = dump(&opened);
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(&golden, &fresh).unwrap();
        }
        if std::fs::read_to_string(&golden).unwrap_or_default() != fresh {
            different.push(format!("{name} reads as:\n{fresh}"));
        }
    }
    assert!(different.is_empty(), "UPDATE_GOLDEN=1 accepts this:\n{}", different.join("\n"));
}

#[test]
fn exactly_one_reader_claims_each_sample() {
    for sample in files() {
        let plain = unpacked(&sample.bytes());
        let head = &plain[..plain.len().min(formats::SNIFF_BYTES)];
        for name in ["", sample.name()] {
            let claims = formats::claims(head, name);
            assert_eq!(claims, [sample.format], "{} as {name:?}", sample.path.display());
        }
    }
}

#[test]
fn exchange_round_trip_is_equal() {
    for sample in samples() {
        let (path, profile) = (&sample.path, sample.profile());
        let mut bytes = vec![];
        let format = format_named("hotframe").unwrap();
        assert!(format.losses(&profile).is_empty());
        format.write(&profile, &mut bytes).unwrap();
        let again = read(&bytes, "").unwrap();
        assert_eq!(again.warnings.iter().next(), None, "{}", path.display());
        assert!(again.profile == profile, "{} differs", path.display());

        // Where pprof holds as much, it does not do so in less.
        if !format_named("pprof").unwrap().losses(&profile).is_empty() {
            continue;
        }
        let mut pprof = vec![];
        format_named("pprof").unwrap().write(&profile, &mut pprof).unwrap();
        let (own, other) = (gzipped(&bytes).len(), gzipped(&pprof).len());
        assert!(own <= other + 64, "{}: {own} bytes, pprof has {other}", path.display());
    }
}

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write as _;
    let mut packer = flate2::write::GzEncoder::new(vec![], flate2::Compression::default());
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

#[test]
fn pprof_round_trip_is_equal() {
    for sample in samples() {
        let (path, profile) = (&sample.path, sample.profile());
        let format = format_named("pprof").unwrap();
        if !format.losses(&profile).is_empty() {
            continue;
        }
        let mut bytes = vec![];
        format.write(&profile, &mut bytes).unwrap();
        let again = read(&bytes, "").unwrap().profile;
        assert_eq!(points(&again), points(&profile), "{}", path.display());
        assert_eq!(again.modules.len(), profile.modules.len());
        // pprof has no word for how values combine.
        let written: Vec<_> = (profile.metrics.iter().cloned())
            .map(|metric| Metric { combining: Combining::default(), ..metric })
            .collect();
        assert_eq!(again.metrics, written);
        assert_eq!(again.origin.default_metric, profile.origin.default_metric);
        // The producer is one more comment.
        assert!(again.origin.comments.starts_with(&profile.origin.comments));
        assert_eq!(again.origin.period_type, profile.origin.period_type);
    }
}

#[test]
fn collapsed_round_trip_keeps_stacks_and_values() {
    for sample in samples() {
        let (path, profile) = (&sample.path, sample.profile());
        let write = |profile: &Profile| {
            let mut bytes = vec![];
            format_named("collapsed").unwrap().write(profile, &mut bytes).unwrap();
            bytes
        };
        // Contexts that differ in lines or addresses only write equal stacks.
        let distinct = |bytes: &[u8]| -> BTreeSet<String> {
            let stack = |line: &str| line.rsplit_once(' ').unwrap().0.to_owned();
            String::from_utf8_lossy(bytes).lines().map(stack).collect()
        };
        let bytes = write(&profile);
        if bytes.is_empty() {
            continue;
        }
        let again = read(&bytes, "a.collapsed").unwrap().profile;
        assert_eq!(distinct(&write(&again)), distinct(&bytes));
        let metric = profile.origin.default_metric;
        let scale = |p: &Profile, m: usize| 10i128.pow((9 - p.metrics[m].decimals).into());
        assert_eq!(
            i128::from(again.metric_total(MetricId(0)).0) * scale(&again, 0),
            i128::from(profile.metric_total(metric).0) * scale(&profile, metric.index()),
            "{}",
            path.display()
        );
    }
}

#[test]
fn speedscope_files_hold_every_sample() {
    for sample in samples() {
        let profile = sample.profile();
        let mut bytes = vec![];
        format_named("speedscope").unwrap().write(&profile, &mut bytes).unwrap();
        let json: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
        let frames = json["shared"]["frames"].as_array().unwrap().len() as u64;
        let profiles = json["profiles"].as_array().unwrap();
        assert_eq!(profiles.len(), profile.metrics.len());
        for written in profiles {
            let samples = written["samples"].as_array().unwrap();
            assert_eq!(samples.len(), profile.points.len());
            assert_eq!(written["weights"].as_array().unwrap().len(), samples.len());
            let indices = samples.iter().flat_map(|s| s.as_array().unwrap());
            assert!(indices.into_iter().all(|index| index.as_u64().unwrap() < frames));
        }
    }
}

#[test]
fn damage_never_panics_and_never_lies() {
    for sample in samples().iter().filter(|sample| sample.is_folder()) {
        damage_folder(&sample.path);
    }
    let files = files();
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for worker in 0..workers {
            let own = files.iter().skip(worker).step_by(workers);
            scope.spawn(move || own.for_each(damage_file));
        }
    });
}

/// Cuts a file, and flips bits in it; the larger it is, the fewer.
fn damage_file(sample: &Sample) {
    let (path, bytes) = (&sample.path, sample.bytes());
    let plain = unpacked(&bytes);
    let tries = tries(plain.len());
    for len in (0..bytes.len()).step_by((bytes.len() / tries).max(1)) {
        drop(read(&bytes[..len], "x"));
    }
    // Inside the container too, where a checksum would catch everything.
    for at in (0..plain.len()).step_by((plain.len() / tries).max(1)) {
        let mut flipped = plain.clone();
        flipped[at] ^= 1 << (at % 8);
        if let Ok(opened) = read(&flipped, "x") {
            assert_eq!(opened.profile.check(), [], "{} byte {at}", path.display());
        }
        drop(read(&plain[..at], "x"));
    }
}

/// How often a file of that length is damaged: as much work for a large one as for a small one.
fn tries(len: usize) -> usize {
    const BYTES: usize = 1 << 20;
    (BYTES / len.max(1)).clamp(10, 50)
}

#[test]
fn a_truncated_gzip_says_so() {
    let path = samples::testdata("pprof/cpu.pb.gz");
    let bytes = std::fs::read(path).unwrap();
    for len in (64..bytes.len()).step_by(64) {
        let error = read(&bytes[..len], "cpu.pb.gz").unwrap_err();
        assert!(matches!(error, ReadError::Truncated { .. }), "{len}: {error}");
        assert!(
            error.to_string().contains("gzip")
                && error.to_string().contains("of the unpacked content"),
            "{error}"
        );
    }
}

/// Flips bits in, and cuts, each file of a folder.
fn damage_folder(root: &Path) {
    let sound = HeldFolder::new(root);
    for file in &sound.files {
        let bytes = &sound.bytes[&file.path];
        let step = (bytes.len() / 50).max(1);
        for at in (0..bytes.len()).step_by(step) {
            let mut folder = HeldFolder::new(root);
            let damaged = folder.bytes.get_mut(&file.path).unwrap();
            damaged[at] ^= 1 << (at % 8);
            if let Ok(opened) = formats::read_folder(&folder, &ReadOptions::default()) {
                assert_eq!(opened.profile.check(), [], "{} byte {at}", file.path);
            }
            let cut = bytes[..at].to_vec();
            folder.bytes.insert(file.path.clone(), cut);
            drop(formats::read_folder(&folder, &ReadOptions::default()));
        }
    }
}

pub(crate) fn unpacked(bytes: &[u8]) -> Vec<u8> {
    use std::io::Read as _;
    if bytes.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        let mut plain = vec![];
        let mut decoder = ruzstd::decoding::StreamingDecoder::new(bytes).unwrap();
        decoder.read_to_end(&mut plain).unwrap();
        return plain;
    }
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return bytes.to_vec();
    }
    let mut plain = vec![];
    flate2::read::MultiGzDecoder::new(bytes).read_to_end(&mut plain).unwrap();
    plain
}

#[test]
fn what_is_no_profile_is_named() {
    for (bytes, expected) in [
        (&b""[..], "empty"),
        (b"\x8aPNG\r\n\x1a\n\0\0\0\rIHDR", "\\x8aPNG"),
        (b"{\"hello\": [1, 2, 3]}", "{"),
        (format!("{{\"names\": [\"a;b\"{}]}}", ", 7".repeat(9000)).as_bytes(), "names"),
        (b"just a text file\nwithout any numbers at the end\n", "just a text file"),
        (b"\x1f\x8b\x08\0\0\0\0\0\0\x03\x03\0\0\0\0\0\0\0\0\0", "empty inside its gzip"),
        (b"{\"timemory\": {\"wall_clock\": {\"ranks\": []}}}", "timemory"),
        (b"\x1f\x8b garbage", "gzip"),
        (b"\x28\xb5\x2f\xfdgarbage", "zstd"),
    ] {
        let error = read(bytes, "unknown").unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
}
