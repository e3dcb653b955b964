//! EasyView's files: records that relate contexts, and a series of snapshots.

use crate::encode::Message;
use crate::measured::{corpus, names, profile, read, warnings};
use profile::MetricId;

/// A file with one record of allocation, use and reuse, written once for each as DrCCTProf does.
fn reuse() -> Vec<u8> {
    reuse_naming(14)
}

/// The same, with another id for the use in the record that names it.
fn reuse_naming(used: i64) -> Vec<u8> {
    let metric = |name: i64| Message::default().int(1, 1).int(2, 1).int(3, name);
    let value = |value: i64| Message::default().int(2, value);
    let sample = |context: i64, kind: i64, alloc: i64, used: i64| {
        let values = [kind, alloc, used, 7, 350];
        let start = Message::default().int(1, context);
        values.into_iter().fold(start, |message, v| message.message(2, value(v)))
    };
    let context = |id: i64, location: i64, parent: i64| {
        Message::default().int(1, id).int(2, location).int(3, parent)
    };
    let location = |id: i64, function: i64, line: i64| {
        let line = Message::default().int(1, function).int(2, line);
        Message::default().int(1, id).message(2, line)
    };
    let function = |id: i64, name: i64| {
        Message::default().int(1, id).int(2, name).int(3, name).int(4, 3).int(5, 10)
    };
    let mut file = Message::default();
    for name in [2, 3, 4, 5, 6] {
        file = file.message(1, metric(name));
    }
    file = file.message(2, sample(13, 1, 0, 0)).message(2, sample(14, 2, 13, 0));
    file = file.message(2, sample(15, 3, 13, used));
    for (id, location, parent) in
        [(1, 0, 0), (2, 1, 1), (12, 2, 2), (13, 3, 12), (14, 4, 12), (15, 5, 12)]
    {
        file = file.message(3, context(id, location, parent));
    }
    for id in 0..=5 {
        file = file.message(4, location(id, id, 20 + id));
    }
    for id in 0..=5 {
        file = file.message(5, function(id, 8 + id));
    }
    file = file.message(6, Message::default().int(1, 3).int(2, 7).int(3, 7));
    for text in [
        "",
        " ",
        "sample type",
        "alloc context",
        "use context",
        "counts",
        "total distance",
        "a.c",
        "PROCESS[42]_ROOT_CTXT",
        "THREAD[3]_ROOT_CTXT",
        "main",
        "malloc",
        "load",
        "store",
    ] {
        file = file.bytes(7, text.as_bytes());
    }
    file.0
}

#[test]
fn related_contexts_are_roles() {
    let found = profile(reuse());
    let metrics: Vec<_> = found.metrics.iter().map(|metric| metric.name.as_str()).collect();
    assert_eq!(metrics, ["counts", "total distance"]);
    assert_eq!(found.points.len(), 1, "three projections are one record");
    assert_eq!(found.points.row(0), [7, 350]);
    let roles: Vec<_> = (found.points.links(0).iter())
        .map(|&(role, at)| (found.text(found.roles[role.index()]), names(&found, at).join(";")))
        .collect();
    assert_eq!(
        roles,
        [
            ("allocation", "THREAD[3];main;malloc".to_owned()),
            ("use", "THREAD[3];main;load".to_owned()),
            ("reuse", "THREAD[3];main;store".to_owned()),
        ]
    );
    assert_eq!(names(&found, found.points.context[0]).join(";"), "THREAD[3];main;malloc");
    let thread = found.points.thread(0).unwrap();
    assert_eq!((found.thread_name(thread).as_str(), found.processes.len()), ("3", 1));
    assert!(warnings(reuse()).iter().any(|warning| warning.contains("counted once")));
    check_a_real_reuse_profile();
}

#[test]
fn an_old_id_of_a_merged_context_is_found_in_the_projection() {
    let bytes = reuse_naming(99);
    assert_eq!(profile(&bytes).points.links(0), profile(reuse()).points.links(0));
    let found = warnings(&bytes);
    assert!(found.iter().any(|warning| warning.contains("context 99 is not defined")), "{found:?}");
}

#[test]
fn a_context_that_is_its_own_ancestor_ends() {
    let mut bytes = reuse();
    bytes.extend(
        Message::default().message(3, Message::default().int(1, 12).int(2, 2).int(3, 13)).0,
    );
    let found = warnings(&bytes);
    assert!(found.iter().any(|warning| warning.contains("its own ancestor")), "{found:?}");
}

#[test]
fn cut_files_say_where() {
    let bytes = reuse();
    let error = read(&bytes[..bytes.len() - 3]).unwrap_err().to_string();
    assert!(error.contains("cut short") && error.contains("byte"), "{error}");
}

/// The same of real files, where they are.
fn check_a_real_reuse_profile() {
    let Some(bytes) = corpus("ezview/fig7_lulesh_reuse_distance.ezview") else { return };
    let found = profile(bytes);
    // Figures of an independent reading of the file.
    assert_eq!(found.points.len(), 3227);
    assert_eq!(
        (found.metric_total(MetricId(0)).0, found.metric_total(MetricId(1)).0),
        (6_007_529, 4_930_076_905)
    );
    assert_eq!(found.roles.len(), 3);
    let first: Vec<_> =
        (found.points.links(0).iter()).map(|&(_, at)| names(&found, at).pop().unwrap()).collect();
    let expected =
        ["__GI___libc_malloc", "IntegrateStressForElems", "CalcFBHourglassForceForElems"];
    assert_eq!(first, expected);
    let unknown = (0..found.points.len())
        .flat_map(|point| found.points.links(point))
        .filter(|(_, context)| *context == profile::ContextId::ROOT);
    assert_eq!(unknown.count(), 0, "what records name by an old id is found");
}

/// The same of real files, where they are.
fn check_a_real_series_of_snapshots() {
    let Some(bytes) = corpus("ezview/fig4_memory_flow.ezview") else { return };
    let found = profile(bytes);
    assert_eq!(found.members.len(), 245);
    let metrics: Vec<_> =
        found.metrics.iter().map(|metric| (&*metric.name, &*metric.unit)).collect();
    assert_eq!(metrics, [("alloc_space", "bytes")]);
    let of_member = |member: u32| -> i64 {
        let rows = (0..found.points.len()).filter(|&p| found.points.member(p).0 == member);
        rows.map(|point| found.points.row(point)[0]).sum()
    };
    assert_eq!((of_member(0), of_member(2)), (1_729_622_395, 2_876_814_215));
}

/// Both layouts are told by what is in them, whatever the number of metrics.
#[test]
fn files_with_any_number_of_metrics_open() {
    let metric = |name: i64| Message::default().int(1, 1).int(2, 1).int(3, name);
    for (count, named) in [(1, 1), (2, 2), (3, 1), (5, 5)] {
        let mut file = Message::default();
        for _ in 0..named {
            file = file.message(1, metric(2));
        }
        for number in 0..4 {
            let start = Message::default().int(1, 3);
            let value =
                |message: Message, m| message.message(2, Message::default().int(1, number + m));
            file = file.message(2, (0..count).fold(start, value));
        }
        for (id, location, parent) in [(1, 0, 0), (3, 1, 1)] {
            file = file.message(3, Message::default().int(1, id).int(2, location).int(3, parent));
        }
        let line = Message::default().int(1, 1).int(2, 7);
        file = file.message(4, Message::default().int(1, 1).message(2, line));
        file = file.message(5, Message::default().int(1, 1).int(2, 3).int(3, 3));
        for text in ["", "count", "misses", "main"] {
            file = file.bytes(7, text.as_bytes());
        }
        let found = profile(&file.0);
        assert_eq!((found.origin.format.as_str(), found.metrics.len()), ("ezview", count as usize));
        let total: i64 = found.metric_ids().map(|metric| found.metric_total(metric).0).sum();
        let expected: i64 = (0..4).map(|number| (0..count).map(|m| number + m).sum::<i64>()).sum();
        assert_eq!(total, expected, "{count} metrics");
    }
    check_a_real_series_of_snapshots();
}
