//! What the events of the kernel's tracepoints tell: instants with fields, and of
//! `sched:sched_switch` what ran on each processor.
//!
//! ```text
//! prev_comm=ping prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=pong next_pid=8 next_prio=120
//! ```
//! A switch tells what ran before it and what runs from then on. Recordings of single programs lack
//! the switches of others: what a switch began and the next one of its processor ended is a span, and
//! where one of both is missing, an instant that says so. `sched:sched_wakeup` tells which thread may
//! run from then on: an arrow goes to where it does.

use std::collections::HashMap;

use profile::{
    Flow, FlowEnd, Label, LabelSetId, LabelValue, LocationKind, Mark, Place, ProfileBuilder, Span,
    StringId, ThreadId, TrackId,
};

use super::reading::Record;
use crate::Warnings;
use crate::intervals::IntervalMetrics;
use crate::spans::SpanPoints;
use crate::thread_states::{self, BEGIN_ALONE, END_ALONE, RECORDED, THEN};
use crate::thread_tracks::ThreadTracks;

const SWITCH: &str = "sched:sched_switch";
const WAKEUPS: [&str; 2] = ["sched:sched_wakeup", "sched:sched_wakeup_new"];

/// More fields of one event are left as they are written.
const MOST_FIELDS: usize = 64;

/// A while that a thread ran on a processor.
pub(super) struct Run {
    cpu: u32,
    /// The producer's clock.
    begin: i64,
    length: i64,
    tid: StringId,
    comm: StringId,
    /// What became of it then; empty if that is not told.
    then: StringId,
    recorded: Recorded,
}

/// What the recording has of a run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Recorded {
    Both,
    /// It has no length then.
    BeginAlone,
    EndAlone,
}

/// What the scheduler's events tell, with times of the producer's clock.
#[derive(Default)]
pub(super) struct Schedule {
    pub(super) runs: Vec<Run>,
    /// By thread, when it came and went: the time, whether it came, the processor.
    moves: HashMap<StringId, Vec<(i64, bool, u32)>>,
    /// Time, processor, event and the thread that was woken.
    wakeups: Vec<(i64, u32, StringId, StringId)>,
}

impl Schedule {
    pub(super) fn of(
        records: &[Record],
        events: &[StringId],
        builder: &mut ProfileBuilder,
        warnings: &mut Warnings,
    ) -> Schedule {
        let mut schedule = Schedule::default();
        let named = |names: &[&str]| -> Vec<bool> {
            events.iter().map(|&event| names.contains(&builder.strings.get(event))).collect()
        };
        let (is_switch, is_wakeup) = (named(&[SWITCH]), named(&WAKEUPS));
        let mut switches: Vec<(i64, u32, StringId)> = vec![];
        for record in records {
            let (Some(event), Some(time), Some(cpu)) = (record.event, record.time, record.cpu)
            else {
                continue;
            };
            if is_switch[event as usize] {
                switches.push((time, cpu, record.trace));
            } else if is_wakeup[event as usize] {
                let text = builder.strings.get(record.trace).to_owned();
                if let Some((_, woken)) = fields(&text).find(|(key, _)| *key == "pid") {
                    let woken = builder.strings.intern(woken);
                    schedule.wakeups.push((time, cpu, events[event as usize], woken));
                }
            }
        }
        // Those of one time stay in the order of the file.
        switches.sort_by_key(|&(time, ..)| time);
        schedule.switches(&switches, builder, warnings);
        schedule
    }

    fn switches(
        &mut self,
        switches: &[(i64, u32, StringId)],
        builder: &mut ProfileBuilder,
        warnings: &mut Warnings,
    ) {
        let idle = builder.strings.intern("0");
        // By processor, what runs since when.
        let mut running: HashMap<u32, (i64, StringId, StringId)> = HashMap::new();
        for &(time, cpu, trace) in switches {
            let text = builder.strings.get(trace).to_owned();
            let of = |key: &str| fields(&text).find(|(known, _)| *known == key);
            let Some([(_, before), (_, next), (_, comm)]) = of("prev_pid")
                .zip(of("next_pid"))
                .zip(of("next_comm"))
                .map(|((a, b), c)| [a, b, c])
            else {
                warnings.add("switch", || "switches of threads that cannot be read".to_owned());
                continue;
            };
            let then = of("prev_state")
                .map_or("", |(_, state)| thread_states::of_letters(state).unwrap_or(state));
            let then = builder.strings.intern(then);
            let before = builder.strings.intern(before);
            self.moves.entry(before).or_default().push((time, false, cpu));
            let came = running.remove(&cpu);
            let is_same = came.is_some_and(|(_, tid, _)| tid == before);
            if let Some((begin, tid, comm)) = came {
                let (length, then, recorded) = if is_same {
                    (time.saturating_sub(begin), then, Recorded::Both)
                } else {
                    warnings.add("switches", || {
                        "threads ran on a processor whose switch away from it was not recorded"
                            .to_owned()
                    });
                    (0, StringId::EMPTY, Recorded::BeginAlone)
                };
                self.runs.push(Run { cpu, begin, length, tid, comm, then, recorded });
            }
            if !is_same && before != idle {
                let comm = of("prev_comm").map_or("", |(_, comm)| comm);
                let (tid, comm) = (before, builder.strings.intern(comm));
                let (length, recorded) = (0, Recorded::EndAlone);
                self.runs.push(Run { cpu, begin: time, length, tid, comm, then, recorded });
            }
            // Number 0 is what runs where nothing does.
            if next != "0" {
                let (next, comm) = (builder.strings.intern(next), builder.strings.intern(comm));
                self.moves.entry(next).or_default().push((time, true, cpu));
                running.insert(cpu, (time, next, comm));
            }
        }
        let mut running: Vec<_> = running.into_iter().collect();
        running.sort_unstable();
        for (cpu, (begin, tid, comm)) in running {
            let (then, recorded) = (StringId::EMPTY, Recorded::BeginAlone);
            self.runs.push(Run { cpu, begin, length: 0, tid, comm, then, recorded });
        }
    }

    /// Puts runs onto the tracks of their processors, and arrows from where threads were woken to
    /// where they ran next.
    pub(super) fn push(
        self,
        metrics: Option<IntervalMetrics>,
        clock: i64,
        tracks: &ThreadTracks,
        builder: &mut ProfileBuilder,
    ) {
        for (time, cpu, name, woken) in self.wakeups {
            let moves = self.moves.get(&woken).map_or(&[][..], Vec::as_slice);
            let next = moves.get(moves.partition_point(|&(at, ..)| at < time));
            // A thread that leaves a processor next was running already.
            let Some(&(at, true, to)) = next else { continue };
            let end = |cpu: u32, time: i64| {
                let track = tracks.of_processor(cpu)?;
                Some(FlowEnd { track, time: time.saturating_sub(clock) })
            };
            if let (Some(from), Some(to)) = (end(cpu, time), end(to, at)) {
                builder.timeline.flows.push(Flow { name, from, to });
            }
        }
        let Some(metrics) = metrics else { return };
        let known = (0u32..).zip(&builder.threads).map(|(row, thread)| (thread.id, ThreadId(row)));
        let mut threads: HashMap<StringId, ThreadId> = known.collect();
        let mut points = SpanPoints::default();
        let keys = [RECORDED, THEN].map(|key| builder.strings.intern(key));
        for Run { cpu, begin, length, tid, comm, then, recorded } in self.runs {
            let Some(track) = tracks.of_processor(cpu) else { continue };
            let thread = *threads.entry(tid).or_insert_with(|| {
                let id = builder.strings.get(tid).to_owned();
                let thread = builder.thread(None, &id);
                builder.threads[thread.index()].name = comm;
                thread
            });
            let function = builder.strings.get(comm).to_owned();
            let place =
                Place { kind: LocationKind::Region, function: &function, ..Place::default() };
            let location = builder.place(&place);
            let context = builder.contexts.child(profile::ContextId::ROOT, location);
            let point =
                points.of_processor((Some(thread), Some(cpu), context, LabelSetId(0)), builder);
            metrics.count(point, length, builder);
            let begin = begin.saturating_sub(clock);
            let one_end = match recorded {
                Recorded::Both => None,
                Recorded::BeginAlone => Some(BEGIN_ALONE),
                Recorded::EndAlone => Some(END_ALONE),
            };
            let one_end = one_end.map(|words| builder.strings.intern(words));
            let then = Some(then).filter(|&then| then != StringId::EMPTY);
            let label = |key, text| Label { key, value: LabelValue::Text(text) };
            let told =
                [one_end.map(|text| label(keys[0], text)), then.map(|text| label(keys[1], text))];
            let told: Vec<Label> = told.into_iter().flatten().collect();
            let arguments = builder.labels.add(&told);
            builder.timeline.spans.push(track, Span { begin, length, point, arguments });
        }
    }
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
