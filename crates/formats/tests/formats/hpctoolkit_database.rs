//! HPCToolkit's databases of version 4: `meta.db` and the files beside it.

use std::collections::BTreeMap;

use crate::folders::HeldFolder;
use crate::measured::{folded, metric, read, self_values, testdata, total_values};
use formats::{Opened, ReadError, ReadOptions};
use profile::{FrameId, LabelValue, LocationKind, MetricId, Profile};

fn sample() -> HeldFolder {
    HeldFolder::new(&testdata("hpctoolkit/database"))
}

fn try_open(folder: &HeldFolder) -> Result<Opened, ReadError> {
    let opened = formats::read_folder(folder, &ReadOptions::default())?;
    assert_eq!(opened.profile.check(), []);
    Ok(opened)
}

fn open(folder: &HeldFolder) -> Opened {
    try_open(folder).unwrap_or_else(|error| panic!("{error}"))
}

/// The sample without some of its files.
fn without(paths: &[&str]) -> HeldFolder {
    let mut folder = sample();
    folder.files.retain(|file| !paths.contains(&file.path.as_str()));
    folder
}

fn warnings(opened: &Opened) -> Vec<String> {
    opened.warnings.iter().map(|warning| warning.message.clone()).collect()
}

fn u64_at(bytes: &[u8], at: u64) -> u64 {
    u64::from_le_bytes(bytes[at as usize..][..8].try_into().unwrap())
}

fn put(folder: &mut HeldFolder, path: &str, at: u64, bytes: &[u8]) {
    folder.bytes.get_mut(path).unwrap()[at as usize..][..bytes.len()].copy_from_slice(bytes);
}

/// Where a section of a file starts.
fn section(folder: &HeldFolder, path: &str, number: u64) -> u64 {
    u64_at(&folder.bytes[path], 0x18 + 16 * number)
}

/// Where the context of that number stands in `meta.db`.
fn context(folder: &HeldFolder, number: u32) -> u64 {
    let bytes = &folder.bytes["meta.db"];
    let tree = section(folder, "meta.db", 3);
    let mut open: Vec<(u64, u64)> = (0..u64::from(bytes[tree as usize + 8]))
        .map(|entry| u64_at(bytes, tree) + 32 * entry)
        .map(|entry| (u64_at(bytes, entry + 8), u64_at(bytes, entry)))
        .collect();
    while let Some((mut at, size)) = open.pop() {
        let end = at + size;
        while at < end {
            if u64_at(bytes, at + 0x10) as u32 == number {
                return at;
            }
            open.push((u64_at(bytes, at + 8), u64_at(bytes, at)));
            at += 0x20 + 8 * u64::from(bytes[at as usize + 0x17]);
        }
    }
    panic!("no context {number}")
}

fn by_thread(profile: &Profile, metric: usize) -> BTreeMap<String, i64> {
    let mut sums = BTreeMap::new();
    for point in 0..profile.points.len() {
        let thread = profile.thread_name(profile.points.thread(point).unwrap());
        *sums.entry(thread).or_default() += profile.points.row(point)[metric];
    }
    sums
}

#[test]
fn own_values_come_from_whatever_scope_there_is() {
    let found = open(&sample()).profile;
    let metrics: Vec<_> =
        found.metrics.iter().map(|m| (m.name.as_str(), m.unit.as_str())).collect();
    assert_eq!(
        metrics,
        [
            ("CPUTIME", "seconds"),
            ("GPUOP", "seconds"),
            ("GMEM:DEV", "bytes"),
            ("trace time", "nanoseconds"),
            ("trace samples", "count"),
        ]
    );
    assert_eq!(found.origin.default_metric, MetricId(0));
    assert!(found.origin.comments.iter().any(|comment| comment.contains("GKER:COUNT")));
    let cpu: Vec<String> = folded(&found, MetricId(0))
        .into_iter()
        .map(|line| line.replace("main thread;main", "…"))
        .collect();
    assert_eq!(
        cpu,
        [
            "application thread;worker 2000",
            "… 900",
            "…;libfast.so+0x4f0;libfast.so+0x910 20",
            "…;loop at field+0x11b0 11",
            "…;loop at field.c:24 5200",
            "…;loop at field.c:24;sow<int> 1357",
            "…;loop at field.c:24;sow<int>;next 94",
            "…;next 300",
            "…;sqrt [libm.so.6] 900",
            "unknown entry;<unknown function> 3",
        ]
        .map(|line| line.to_owned())
        .as_slice()
    );
    assert_eq!(found.metrics[0].decimals, 3);
    let gpu = "main thread;main;loop at field.c:24;<gpu kernel>";
    assert_eq!(
        folded(&found, MetricId(1)),
        [format!("{gpu} 789"), format!("{gpu};grow(float*) 123456")]
    );
    assert_eq!(found.metrics[1].decimals, 9);
    assert_eq!(found.metric_total(MetricId(2)).0, 4096 + (1 << 40));
    check_a_real_database();
}

#[test]
fn threads_are_spelled_as_their_identities() {
    let found = open(&sample()).profile;
    assert_eq!(
        by_thread(&found, 0),
        BTreeMap::from([
            ("RANK 0 GPUCONTEXT 0 GPUSTREAM 2".to_owned(), 0),
            ("RANK 0 THREAD 0".to_owned(), 4679),
            ("RANK 0 THREAD 1".to_owned(), 1203),
            ("RANK 1 THREAD 0".to_owned(), 4103),
            ("RANK 1 THREAD 1".to_owned(), 800),
        ])
    );
    let processes: Vec<_> = found.processes.iter().map(|p| found.text(p.id)).collect();
    assert_eq!(processes, ["RANK 0", "RANK 1"]);
    let labels = found.label_sets.get(found.points.labels(0)).map(|label| {
        let value = match label.value {
            LabelValue::Text(text) => found.text(text).to_owned(),
            LabelValue::Number(number, _) => number.to_string(),
        };
        format!("{} {value}", found.text(label.key))
    });
    assert_eq!(labels.collect::<Vec<_>>(), ["NODE 0xa8c00270", "RANK 1", "THREAD 0"]);
}

#[test]
fn inlined_functions_loops_lines_and_addresses_are_kept() {
    let found = open(&sample()).profile;
    let frames = || (0..found.frames.len() as u32).map(FrameId);
    let inlined: Vec<_> = frames()
        .filter(|&frame| found.is_inlined(frame) && found.frames.line[frame.0 as usize] > 0)
        .map(|frame| (found.frame_name(frame), found.frames.line[frame.0 as usize]))
        .collect();
    for (name, line) in [("sow<int>", 6), ("sow<int>", 8), ("next", 3)] {
        assert!(inlined.contains(&(name.into(), line)), "{name}:{line} among {inlined:?}");
    }
    let of = |address: u64| {
        let row = found.locations.address.iter().position(|&known| known == address).unwrap();
        let module = found.locations.module(profile::LocationId(row as u32)).unwrap();
        let module = found.text(found.modules[module.index()].name);
        (module, found.locations.kind[row])
    };
    assert_eq!(of(0x8010), ("/lib/libm.so.6", LocationKind::Code));
    assert_eq!(of(0x910), ("/opt/demo/libfast.so", LocationKind::Code));
    assert_eq!(of(0x1180), ("/opt/demo/field", LocationKind::Loop));
    let files: Vec<_> = frames()
        .filter(|&frame| found.frames.line[frame.0 as usize] == 7)
        .map(|frame| found.frame_file(frame))
        .collect();
    assert_eq!(files, ["/opt/demo/common.h"], "a line in another file than the loop around it");
}

#[test]
fn traces_are_points_in_time() {
    let found = open(&sample()).profile;
    let (time, samples) = (metric(&found, "trace time"), metric(&found, "trace samples"));
    assert_eq!(found.metric(time).timing, profile::Timing::Length);
    let timed = (0..found.points.len()).filter(|&row| found.points.time(row).is_some());
    let mut traced: Vec<_> = timed.filter_map(|row| found.points.thread(row)).collect();
    traced.sort();
    traced.dedup();
    let tracks = found.timeline.tracks.iter().filter_map(|track| track.thread);
    assert_eq!(tracks.collect::<Vec<_>>(), traced, "a track for each thread with a trace");
    assert_eq!(found.origin.time_ns, 1_700_000_000_000_000_000);
    assert_eq!(found.origin.duration_ns, 20_000_000);
    let points: Vec<_> = (0..found.points.len())
        .filter_map(|row| Some((found.points.time(row)?, row)))
        .map(|(at, row)| {
            let thread = found.thread_name(found.points.thread(row).unwrap());
            (thread, at, found.points.value(row, time), found.points.value(row, samples))
        })
        .collect();
    let point = |thread: &str, at, lasts| (thread.to_owned(), at, lasts, 1);
    let stream = "RANK 0 GPUCONTEXT 0 GPUSTREAM 2";
    assert_eq!(
        points,
        [
            point("RANK 0 THREAD 0", 0, 5_000_000),
            point("RANK 0 THREAD 0", 5_000_000, 5_000_000),
            point("RANK 0 THREAD 0", 10_000_000, 5_000_000),
            // Then it did nothing for a while.
            point("RANK 0 THREAD 0", 20_000_000, 0),
            point(stream, 2_000_000, 500_000),
            point(stream, 3_000_000, 125_000),
            point("RANK 0 THREAD 1", 1_000_000, 0),
        ]
    );
}

#[test]
fn records_of_later_versions_are_stepped_over() {
    let wider = open(&HeldFolder::new(&testdata("hpctoolkit/wider-records")));
    assert!(wider.profile == open(&sample()).profile);
    let warnings = warnings(&wider);
    assert!(warnings.iter().any(|warning| warning.contains("version 4.1")), "{warnings:?}");
}

#[test]
fn files_may_be_missing() {
    let whole = open(&sample()).profile;
    let found = open(&without(&["trace.db", "metrics/default.yaml"])).profile;
    assert_eq!(found.metrics.len(), 3);
    assert!(!found.points.has_times());
    assert_eq!(found.metrics[found.origin.default_metric.index()].name, "CPUTIME");
    assert_eq!(self_values(&found, metric(&found, "CPUTIME")), self_values(&whole, MetricId(0)));

    let traced = open(&without(&["profile.db"]));
    assert_eq!(traced.profile.metrics[0].name, "trace time");
    assert_eq!(traced.profile.metric_total(MetricId(0)).0, 15_625_000);
    assert!(warnings(&traced).iter().any(|warning| warning.contains("profile.db is not here")));

    let error = try_open(&without(&["profile.db", "trace.db"])).unwrap_err().to_string();
    assert!(error.contains("folder"), "{error}");
}

#[test]
fn one_file_of_a_database_says_to_open_the_folder() {
    assert!(formats::is_folder_part("meta.db") && formats::is_folder_part("cct.db"));
    for bytes in sample().bytes.values().filter(|bytes| bytes.starts_with(b"HPCTOOLKIT")) {
        let error = read(bytes).unwrap_err().to_string();
        assert!(error.contains("open the folder"), "{error}");
    }
}

#[test]
fn other_versions_are_named() {
    let mut folder = sample();
    put(&mut folder, "meta.db", 14, &[5]);
    let error = try_open(&folder).unwrap_err();
    let ReadError::InFile { error, .. } = &error else { panic!("{error}") };
    assert!(matches!(**error, ReadError::Unsupported { .. }), "{error}");
    assert!(error.to_string().contains("version 5.0"), "{error}");
}

#[test]
fn a_tree_that_goes_in_circles_ends() {
    let mut folder = sample();
    let (outer, inner) = (context(&folder, 2), context(&folder, 11));
    let bytes = &folder.bytes["meta.db"];
    let children = [u64_at(bytes, outer), u64_at(bytes, outer + 8)];
    put(&mut folder, "meta.db", inner, &children.map(u64::to_le_bytes).concat());
    let warnings = warnings(&open(&folder));
    assert!(
        warnings.iter().any(|warning| warning.contains("stand in the tree already")),
        "{warnings:?}"
    );
}

#[test]
fn counts_that_cannot_be_take_no_memory() {
    // Section, field, bytes of the count.
    for (path, number, field, size) in [
        ("meta.db", 1, 8, 1),
        ("meta.db", 2, 8, 4),
        ("meta.db", 3, 8, 2),
        ("meta.db", 5, 8, 4),
        ("meta.db", 6, 8, 4),
        ("meta.db", 7, 8, 4),
        ("profile.db", 0, 8, 4),
        ("trace.db", 0, 8, 4),
    ] {
        let mut folder = sample();
        let at = section(&folder, path, number) + field;
        put(&mut folder, path, at, &[0xff; 8][..size]);
        let opened = open(&folder);
        let warnings = warnings(&opened);
        let is_told = warnings.iter().any(|warning| warning.contains("beyond"));
        assert!(is_told || number == 1, "{path} {number}: {warnings:?}");
        if path != "profile.db" {
            assert_eq!(opened.profile.metric_total(MetricId(0)).0, 10785, "{path} {number}");
        }
    }
    let mut folder = sample();
    let infos = u64_at(&folder.bytes["profile.db"], section(&folder, "profile.db", 0));
    put(&mut folder, "profile.db", infos + 48, &[0xff; 8]);
    let opened = open(&folder);
    assert!(warnings(&opened).iter().any(|warning| warning.contains("profile 1")));
    assert_eq!(opened.profile.metric_total(MetricId(0)).0, 10785 - 4103);
}

#[test]
fn reports_pointers_that_lead_nowhere() {
    let mut folder = sample();
    let function = context(&folder, 29) + 0x20;
    put(&mut folder, "meta.db", function, &7u64.to_le_bytes());
    let opened = open(&folder);
    let warnings = warnings(&opened);
    assert!(warnings.iter().any(|warning| warning.contains("points to byte 7")), "{warnings:?}");
    assert_eq!(self_values(&opened.profile, MetricId(0))["<unknown function>"], 2003);
}

#[test]
fn kinds_of_later_versions_are_shown_by_what_they_name() {
    let mut folder = sample();
    let function = context(&folder, 29);
    put(&mut folder, "meta.db", function + 0x16, &[9]);
    let opened = open(&folder);
    let warnings = warnings(&opened);
    assert!(warnings.iter().any(|warning| warning.contains("lexical type 9")), "{warnings:?}");
    assert_eq!(self_values(&opened.profile, MetricId(0))["worker"], 2000);
}

#[test]
fn values_may_stand_in_any_order() {
    let mut folder = sample();
    let bytes = &folder.bytes["profile.db"];
    let info = u64_at(bytes, section(&folder, "profile.db", 0)) + 48 * 2;
    let first_of = |index: u64| u64_at(bytes, u64_at(bytes, info + 0x18) + 12 * index + 4);
    // Those of the first context that has several, backwards.
    let index = (0..20).find(|&index| first_of(index + 1) - first_of(index) > 1).unwrap();
    let values = (u64_at(bytes, info + 8) + 10 * first_of(index)) as usize;
    let count = (first_of(index + 1) - first_of(index)) as usize;
    let turned: Vec<u8> =
        bytes[values..values + 10 * count].chunks(10).rev().flatten().copied().collect();
    put(&mut folder, "profile.db", values as u64, &turned);
    assert!(open(&folder).profile == open(&sample()).profile);
}

#[test]
fn whatever_is_cut_off_nothing_is_made_up() {
    let whole = open(&sample()).profile;
    for path in ["meta.db", "profile.db", "trace.db"] {
        let bytes = sample().bytes[path].clone();
        for len in (0..bytes.len()).step_by(7) {
            let mut folder = sample();
            folder.bytes.insert(path.to_owned(), bytes[..len].to_vec());
            let Ok(opened) = try_open(&folder) else { continue };
            let is_told = opened.warnings.iter().any(|w| !w.message.contains("statistics"));
            let found = &opened.profile;
            let cpu = found.metric_ids().find(|&id| found.metric(id).name == "CPUTIME");
            let total = cpu.map_or(0, |metric| found.metric_total(metric).0);
            let decimals = cpu.map_or(3, |metric| found.metric(metric).decimals);
            // The summary and the mark at the end are not needed.
            assert!(is_told || *found == whole, "{path} cut at {len}");
            assert!(
                total * 10i64.pow((3 - decimals).into()) <= whole.metric_total(MetricId(0)).0,
                "{path} cut at {len}: {total}"
            );
        }
    }
}

/// The same of real files, where they are.
fn check_a_real_database() {
    let Some(folder) = ::samples::corpus("hpctoolkit-db/issue-328") else { return };
    let found = open(&HeldFolder::new(&folder)).profile;
    let threads: Vec<_> = (0..found.threads.len() as u32)
        .map(|thread| found.thread_name(profile::ThreadId(thread)))
        .collect();
    assert_eq!(threads, ["THREAD 0", "THREAD 1", "GPUCONTEXT 2 GPUSTREAM 0"]);
    // Sums of the values of context 0, and numbers of samples in a context, read with Python.
    for (name, value) in [
        ("REALTIME", 1.534_048),
        ("GPUOP", 0.378_959_336_259_868),
        ("GXCOPY", 0.375_776_775_181_293_5),
        ("GKER", 0.002_360_962_098_464_369_8),
        ("GMSET", 0.000_821_598_979_110_138_7),
        ("GXCOPY:COUNT", 3.0),
        ("GMSET:COUNT", 1.0),
    ] {
        let metric = metric(&found, name);
        let scale = 10f64.powi(found.metrics[metric.index()].decimals.into());
        let total = found.metric_total(metric).0 as f64 / scale;
        assert!((total - value).abs() < 1e-8, "{name}: {total}");
    }
    let real = metric(&found, "REALTIME");
    assert_eq!(found.metrics[real.index()].decimals, 6);
    assert_eq!(total_values(&found, real)["main"], 1_534_048);
    // As Hatchet's `from_hpctoolkit_latest` gives them, with the lines inside.
    let own = self_values(&found, real);
    assert_eq!(own["loop at dadd.hip.cpp:80"], 465_734);
    assert_eq!(own["loop at dadd.hip.cpp:134"], 100_179);
}
