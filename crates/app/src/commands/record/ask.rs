//! From options to what is asked of a recorder.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use record::{CallGraph, Counting, Overhead, PerfOptions, RecordOptions, ThreadNames};

use crate::arguments::{CallGraphs, QuickRecording, RecordPerf, RunningProcess};

/// What a recording is called: the program without its folder, or the name of a process that runs already.
pub(super) fn name_of(command: &[String], process: Option<u32>) -> Result<String> {
    if let Some(pid) = process {
        return Ok(process_name(pid).unwrap_or_else(|| format!("process-{pid}")));
    }
    let Some(program) = command.first() else {
        bail!("there is no program to record: write it at the end, as in `hotframe record ls -l`")
    };
    let name = Path::new(program).file_name().map(|name| name.to_string_lossy().into_owned());
    let name = name.unwrap_or_default().trim_start_matches('.').to_owned();
    Ok(if name.is_empty() { "command".to_owned() } else { name })
}

/// As the kernel calls it.
#[allow(clippy::disallowed_methods, reason = "files of the kernel, below /proc")]
fn process_name(pid: u32) -> Option<String> {
    let name = std::fs::read_to_string(format!("/proc/{pid}/comm")).ok()?;
    let name: String = name.trim().replace(|c: char| c == '/' || c.is_control(), "_");
    let name = name.trim_start_matches('.');
    (!name.is_empty()).then(|| name.to_owned())
}

/// Where the time goes: cycles where they open, otherwise the clock.
pub(super) fn quick(arguments: &QuickRecording, name: String) -> RecordOptions {
    RecordOptions {
        perf: PerfOptions {
            frequency: arguments.frequency,
            events: vec!["cycles".to_owned()],
            or_time: true,
            call_graph: call_graph(arguments.call_graph),
            user_only: arguments.user_only,
            pid: arguments.process.pid,
            duration_ms: duration(&arguments.process),
            ..PerfOptions::default()
        },
        ..RecordOptions::new(name, arguments.command.clone())
    }
}

pub(super) fn perf(arguments: &RecordPerf) -> Result<RecordOptions> {
    let RecordPerf { series, events, counting, threads, overhead, process, .. } = arguments;
    let name = match (&series.name, &arguments.command[..]) {
        (Some(name), _) => name.clone(),
        (None, command) => name_of(command, process.pid)?,
    };
    let count = Counting { interval_ms: counting.count_interval, by_cpu: counting.by_cpu };
    Ok(RecordOptions {
        runs: series.runs,
        warm_up_ms: series.warm_up,
        threads: ThreadNames {
            log: threads.thread_names.is_some(),
            rules: threads.thread_name.clone(),
        },
        overhead: Overhead {
            runs: overhead.overhead,
            frequencies: overhead.overhead_frequencies.clone(),
        },
        perf: PerfOptions {
            frequency: events.frequency,
            period: events.period,
            events: event_lists(&events.events)?,
            or_time: false,
            call_graph: call_graph(events.call_graph),
            counters: events.counters,
            multiplex: events.multiplex,
            count: counting.count.then_some(count),
            user_only: events.user_only,
            pid: process.pid,
            duration_ms: duration(process),
            more: words(&arguments.perf)?,
        },
        ..RecordOptions::new(name, arguments.command.clone())
    })
}

fn duration(process: &RunningProcess) -> Option<u64> {
    process.duration.map(|length| length.as_millis() as u64)
}

/// Options as a shell has them apart.
fn words(options: &[String]) -> Result<Vec<String>> {
    let of_one = |text: &String| {
        shlex::split(text).with_context(|| format!("--perf '{text}': a quote is not closed"))
    };
    Ok(options.iter().map(of_one).collect::<Result<Vec<_>>>()?.concat())
}

/// Lists as they are, and those that stand in files.
pub(super) fn event_lists(lists: &[String]) -> Result<Vec<String>> {
    let list = |text: &String| {
        if !Path::new(text).is_file() {
            return Ok(text.clone());
        }
        std::fs::read_to_string(text).with_context(|| format!("cannot read {text}"))
    };
    lists.iter().map(list).collect()
}

fn call_graph(chosen: CallGraphs) -> CallGraph {
    match chosen {
        CallGraphs::Auto => CallGraph::Auto,
        CallGraphs::None => CallGraph::None,
        CallGraphs::Fp => CallGraph::Fp,
        CallGraphs::Dwarf => CallGraph::Dwarf,
        CallGraphs::Lbr => CallGraph::Lbr,
    }
}
