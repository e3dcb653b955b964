//! What the events of the kernel's tracepoints tell: instants with fields, and of
//! `sched:sched_switch` what ran on each processor.
//!
//! ```text
//! prev_comm=ping prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=pong next_pid=8 next_prio=120
//! ```
//! Where perf finds the plugins of libtraceevent, it writes switches and wakeups as these do:
//! ```text
//! ping:7 [120] S ==> pong:8 [120]
//! pong:8 [120] CPU:001
//! ```

use profile::{ContextId, Label, LabelValue, Mark, ProfileBuilder, StringId, TrackId};

use super::reading::Record;
use crate::Warnings;
use crate::time::schedule::{Ends, Events, Moved, Schedule, Switch, Task, WakeKind, Wakeup};
use crate::time::thread_states;

const SWITCH: &str = "sched:sched_switch";
const MIGRATE: &str = "sched:sched_migrate_task";

/// More fields of one event are left as they are written.
const MOST_FIELDS: usize = 64;

/// What the scheduler's events among the records tell.
pub(super) fn schedule(
    records: &[Record],
    events: &[StringId],
    builder: &mut ProfileBuilder,
    warnings: &mut Warnings,
) -> Schedule {
    let name = |&event: &StringId| builder.strings.get(event);
    let of_name = |wanted: &'static str| -> Vec<bool> {
        events.iter().map(|event| name(event) == wanted).collect()
    };
    let (is_switch, is_migration) = (of_name(SWITCH), of_name(MIGRATE));
    let wakes: Vec<_> = events.iter().map(|event| WakeKind::new(name(event))).collect();
    let mut told = Events::default();
    for record in records {
        let (Some(event), Some(time), Some(cpu)) = (record.event, record.time, record.cpu) else {
            continue;
        };
        let context = record.context;
        let stack = Some(context).filter(|&context| context != ContextId::ROOT);
        if is_switch[event as usize] {
            match switch(record.trace, time, cpu, builder) {
                Some(mut switch) => {
                    (switch.context, switch.has_stack) = (context, stack.is_some());
                    switch.thread = record
                        .thread
                        .filter(|thread| builder.threads[thread.index()].id == switch.before.tid);
                    told.switches.push(switch);
                }
                None => {
                    warnings.add("switch", || "switches of threads that cannot be read".to_owned());
                }
            }
            continue;
        }
        let kind = wakes[event as usize];
        if kind.is_none() && !is_migration[event as usize] {
            continue;
        }
        let text = builder.strings.get(record.trace).to_owned();
        let of = |wanted: &str| {
            let found = fields(&text).find(|(key, _)| *key == wanted);
            found.map(|(_, value)| value)
        };
        let plugin = || plugin_task(&text).map(|(task, _)| task.pid);
        let Some(pid) = of("pid").or_else(plugin) else { continue };
        let tid = builder.strings.intern(pid);
        if let Some(kind) = kind {
            let (name, woken) = (events[event as usize], tid);
            told.wakeups.push(Wakeup { time, cpu, name, kind, woken, stack });
        } else if let Some(Ok(from)) = of("orig_cpu").map(str::parse) {
            let comm = builder.strings.intern(of("comm").unwrap_or_default());
            told.moved.push(Moved { time, from, tid, comm, context });
        }
    }
    Schedule::of_switches(told, Ends::default(), builder, warnings)
}

fn switch(trace: StringId, time: i64, cpu: u32, builder: &mut ProfileBuilder) -> Option<Switch> {
    let text = builder.strings.get(trace).to_owned();
    let of = |key: &str| {
        let found = fields(&text).find(|(known, _)| *known == key);
        found.map(|(_, value)| value)
    };
    let state = |letters| thread_states::of_letters(letters).unwrap_or(letters);
    if let Some((before, letters, next)) = plugin_switch(&text) {
        let then = builder.strings.intern(state(letters));
        let [before, next] = [before, next].map(|task| Task {
            tid: builder.strings.intern(task.pid),
            comm: builder.strings.intern(task.comm),
        });
        let (context, has_stack, thread) = (ContextId::ROOT, false, None);
        return Some(Switch { time, cpu, before, then, next, context, has_stack, thread });
    }
    let then = of("prev_state").map_or("", state);
    let mut task = |tid: &str, comm: Option<&str>| {
        let comm = builder.strings.intern(comm.unwrap_or_default());
        Task { tid: builder.strings.intern(tid), comm }
    };
    let before = task(of("prev_pid")?, of("prev_comm"));
    let next = task(of("next_pid")?, Some(of("next_comm")?));
    let then = builder.strings.intern(then);
    let (context, has_stack, thread) = (ContextId::ROOT, false, None);
    Some(Switch { time, cpu, before, then, next, context, has_stack, thread })
}

/// A task as the plugins of libtraceevent write it: `comm:pid [prio]`.
struct PluginTask<'a> {
    comm: &'a str,
    pid: &'a str,
}

/// The task that a text begins with, and what follows it. Names may hold anything.
fn plugin_task(text: &str) -> Option<(PluginTask<'_>, &str)> {
    let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    text.match_indices(" [").find_map(|(at, _)| {
        let (comm, pid) = text[..at].rsplit_once(':')?;
        let (priority, rest) = text[at + 2..].split_once(']')?;
        let is_one = are_digits(pid) && are_digits(priority.strip_prefix('-').unwrap_or(priority));
        is_one.then_some((PluginTask { comm, pid }, rest))
    })
}

/// The tasks of a switch, and the state that the first is left in.
fn plugin_switch(text: &str) -> Option<(PluginTask<'_>, &str, PluginTask<'_>)> {
    let (before, rest) = plugin_task(text)?;
    let (state, next) = rest.strip_prefix(' ')?.split_once(" ==> ")?;
    Some((before, state, plugin_task(next)?.0))
}

/// Puts an event of a tracepoint onto its track.
pub(super) fn push_mark(
    record: &Record,
    events: &[StringId],
    track: TrackId,
    clock: i64,
    builder: &mut ProfileBuilder,
) {
    let (Some(time), Some(event)) = (record.time, record.event) else { return };
    let text = builder.strings.get(record.trace).to_owned();
    let mut labels: Vec<Label> = vec![];
    for (key, value) in fields(&text).take(MOST_FIELDS) {
        let key = builder.strings.intern(key);
        // What has zeros in front may be hexadecimal.
        let number = value.parse::<i64>().ok().filter(|number| number.to_string() == value);
        let value = match number {
            Some(number) => LabelValue::Number(number, StringId::EMPTY),
            None => LabelValue::Text(builder.strings.intern(value)),
        };
        labels.push(Label { key, value });
    }
    if labels.is_empty() {
        let key = builder.strings.intern("trace");
        labels.push(Label { key, value: LabelValue::Text(record.trace) });
    }
    let fields = builder.labels.add(&labels);
    let (time, kind) = (time.saturating_sub(clock), events[event as usize]);
    builder.timeline.mark(Mark { track, time, kind, fields });
}

/// The parts of `key=value key=value with spaces ==> key=value`.
fn fields(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let is_key = |word: &str| {
        !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    // Where keys start, and where their values do.
    let mut at = 0;
    let mut starts = text.split(' ').filter_map(move |word| {
        let start = at;
        at += word.len() + 1;
        let (key, _) = word.split_once('=')?;
        is_key(key).then_some((start, start + key.len()))
    });
    let mut next = starts.next();
    std::iter::from_fn(move || {
        let (start, at) = next?;
        next = starts.next();
        let end = next.map_or(text.len(), |(start, _)| start);
        let value = text[at + 1..end].trim_end();
        Some((&text[start..at], value.strip_suffix("==>").unwrap_or(value).trim_end()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plugins_write_switches_in_their_way() {
        let told = |text| {
            let (before, state, next) = plugin_switch(text)?;
            Some([before.comm, before.pid, state, next.comm, next.pid])
        };
        assert_eq!(
            told("swapper/0:0 [120] R ==> my [2] task:77 [98]"),
            Some(["swapper/0", "0", "R", "my [2] task", "77"])
        );
        assert_eq!(told("a:b:7 [-1] D|K ==> c:8 [120]"), Some(["a:b", "7", "D|K", "c", "8"]));
        for wrong in ["", "a:7 [120]", "a:7 [120] S ==> c", "a [120] S ==> c:8 [120]", "é:é [é"]
        {
            assert_eq!(told(wrong), None, "{wrong}");
        }
        let woken = plugin_task("my task:77 [98] CPU:001").map(|(task, rest)| (task.pid, rest));
        assert_eq!(woken, Some(("77", " CPU:001")));
    }

    #[test]
    fn fields_may_have_spaces() {
        let text = "prev_comm=apple picker prev_pid=7 prev_state=R+ ==> next_comm=a=b c next_pid=8";
        let found: Vec<_> = fields(text).collect();
        assert_eq!(
            found,
            [
                ("prev_comm", "apple picker"),
                ("prev_pid", "7"),
                ("prev_state", "R+"),
                ("next_comm", "a=b c"),
                ("next_pid", "8")
            ]
        );
        assert_eq!(fields("fd: 1, buf: 2").count(), 0);
        assert_eq!(fields("=x é=1 a=").collect::<Vec<_>>(), [("a", "")]);
    }
}
