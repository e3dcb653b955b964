//! The tables of what values belong to: metrics, threads and members.

use std::borrow::Cow;

use profile::{Combine, Combining, Member, Metric, Process, ProcessId, Profile, Thread};

use super::cells::{Column, text, whole};

/// A row a metric: how exact its values are, and what several of them are together.
pub(super) fn metrics(profile: &Profile) -> Vec<Column<'_>> {
    let all = move || profile.metrics.iter();
    let combine = move |name: &str, part: fn(&Combining) -> Combine| {
        text(name, all().map(move |metric| Cow::Borrowed(part(&metric.combining).word())))
    };
    let texts = move |name: &str, part: fn(&Metric) -> &String| {
        text(name, all().map(move |metric| Cow::Borrowed(part(metric).as_str())))
    };
    vec![
        whole("metric_number", (0..profile.metrics.len()).map(|row| Some(row as i64))),
        texts("metric", |metric| &metric.name),
        texts("unit", |metric| &metric.unit),
        whole("decimals", all().map(|metric| Some(metric.decimals.into()))),
        combine("over_contexts", |combining| combining.contexts),
        combine("over_time", |combining| combining.time),
        combine("over_members", |combining| combining.members),
        text("timing", all().map(|metric| Cow::Borrowed(metric.timing.word()))),
        whole("is_counted", all().map(|metric| Some(metric.is_counted.into()))),
        whole("weight", all().map(|metric| metric.combining.weight.map(|weight| weight.0.into()))),
        whole(
            "is_default",
            profile.metric_ids().map(move |id| Some((id == profile.origin.default_metric).into())),
        ),
    ]
}

/// A row a thread, with its process; then a row for each process without threads.
pub(super) fn threads(profile: &Profile) -> Vec<Column<'_>> {
    let mut has_thread = vec![false; profile.processes.len()];
    for process in profile.threads.iter().filter_map(|thread| thread.process) {
        has_thread[process.index()] = true;
    }
    let processes = (0..profile.processes.len() as u32).map(ProcessId);
    let alone = processes.filter(|process| !has_thread[process.index()]);
    let of_threads = (0..profile.threads.len()).map(|row| {
        let thread = profile.threads[row];
        (Some((row, thread)), thread.process)
    });
    let rows: Vec<(Option<(usize, Thread)>, Option<ProcessId>)> =
        of_threads.chain(alone.map(|process| (None, Some(process)))).collect();
    let of_thread = |name: &str, part: fn(&Thread) -> profile::StringId| {
        let rows = rows.clone().into_iter();
        text(
            name,
            rows.map(move |(thread, _)| {
                Cow::Borrowed(thread.map_or("", |(_, thread)| profile.text(part(&thread))))
            }),
        )
    };
    let of_process = |name: &str, part: fn(&Process) -> profile::StringId| {
        let rows = rows.clone().into_iter();
        text(
            name,
            rows.map(move |(_, process)| {
                let process = process.map(|process| profile.processes[process.index()]);
                Cow::Borrowed(process.map_or("", |process| profile.text(part(&process))))
            }),
        )
    };
    vec![
        whole(
            "thread_number",
            rows.clone().into_iter().map(|(thread, _)| thread.map(|(row, _)| row as i64)),
        ),
        of_thread("thread_id", |thread| thread.id),
        of_thread("thread_name", |thread| thread.name),
        whole(
            "process_number",
            rows.clone().into_iter().map(|(_, process)| process.map(|process| process.0.into())),
        ),
        of_process("process_id", |process| process.id),
        of_process("process_name", |process| process.name),
    ]
}

/// A row a member.
pub(super) fn members(profile: &Profile) -> Vec<Column<'_>> {
    let all = move || profile.members.iter();
    let texts = move |name: &str, part: fn(&Member) -> &String| {
        text(name, all().map(move |member| Cow::Borrowed(part(member).as_str())))
    };
    vec![
        whole("member_number", (0..profile.members.len()).map(|row| Some(row as i64))),
        texts("member", |member| &member.name),
        texts("producer", |member| &member.producer),
        texts("host", |member| &member.host),
        whole("time_ns", all().map(|m| (m.time_ns != 0).then_some(m.time_ns))),
        whole("duration_ns", all().map(|m| (m.duration_ns != 0).then_some(m.duration_ns))),
    ]
}
