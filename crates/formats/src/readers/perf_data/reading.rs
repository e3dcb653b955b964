//! What each record does to the profile.

use hashbrown::HashMap;
use perfdata::{Body, Head, Record, Sample, SampleId, Stat, attr};
use profile::{ContextId, Point, Points, ProfileBuilder, ThreadId};

use super::events::{Columns, Counters};
use super::figures::Figures;
use super::labels::Labels;
use super::spaces::Spaces;
use super::stacks::{Stacks, UserPart};
use super::stats::Stats;
use super::switches::Switches;
use super::tasks::Tasks;
use super::traces::Traces;
use super::walking::Walking;
use crate::{ReadError, ReadOptions};

/// A profile in the making. Times are those of the recording's clock until the end.
#[derive(Default)]
pub(super) struct PerfParser {
    pub(super) builder: ProfileBuilder,
    pub(super) columns: Option<Columns>,
    pub(super) tasks: Tasks,
    pub(super) spaces: Spaces,
    pub(super) stacks: Stacks,
    pub(super) counters: Counters,
    pub(super) labels: Labels,
    pub(super) traces: Traces,
    pub(super) switches: Switches,
    pub(super) branches: Branches,
    pub(super) figures: Figures,
    pub(super) stats: Stats,
    /// Who unwinds copied stacks.
    pub(super) walking: Option<Walking>,
}

/// Branches by thread, from where they came and where they went: how many, how many mispredicted,
/// their cycles.
pub(super) type Branches = HashMap<(Option<ThreadId>, ContextId, ContextId), [i64; 3]>;

impl PerfParser {
    pub(super) fn new(options: &ReadOptions) -> PerfParser {
        let walking = options.walkers.as_ref().map(|walkers| Walking::new((walkers.0)()));
        PerfParser { walking, ..PerfParser::default() }
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.builder.heap_bytes()
            + self.tasks.heap_bytes()
            + self.spaces.heap_bytes()
            + self.stacks.heap_bytes()
            + self.counters.heap_bytes()
            + self.traces.heap_bytes()
            + self.switches.heap_bytes()
            + self.branches.len() * 64
    }

    pub(super) fn record(&mut self, head: &Head, record: &Record<'_>) -> Result<(), ReadError> {
        let builder = &mut self.builder;
        self.figures.record(record.id);
        match record.body {
            Body::Sample(sample) => self.sample(head, record, &sample),
            Body::Map(map) => {
                if let Some(walking) = &mut self.walking {
                    walking.map(&map, record.mode);
                }
                self.spaces.map(&map, record.mode, builder);
            }
            Body::Comm { thread, name, is_exec } => {
                if is_exec {
                    self.spaces.exec(thread.pid);
                    if let Some(walking) = &mut self.walking {
                        walking.walker.exec(thread.pid);
                    }
                }
                self.tasks.rename(thread, name, is_exec, builder);
            }
            Body::Fork { child, parent } => {
                self.spaces.fork(parent.pid, child.pid);
                if let Some(walking) = self.walking.as_mut().filter(|_| parent.pid != child.pid) {
                    walking.walker.fork(parent.pid, child.pid);
                }
                self.tasks.fork(child, parent);
                self.switches.begin(child, record.id);
            }
            Body::Switch(switch) => self.switches.push(switch, record.id, &self.tasks, builder),
            Body::KernelSymbol { address, length, name, is_removed } => {
                let named = &mut self.stacks.named;
                if is_removed {
                    named.remove(&address);
                } else {
                    let end = address.saturating_add(length.into());
                    named.insert(address, (end, perfdata::text(name)));
                }
            }
            Body::ControlGroup { id, path } => {
                let path = builder.strings.intern(&perfdata::text(path));
                self.labels.groups.insert(id, path);
            }
            Body::DeferredChain { cookie, chain } => {
                let Some(thread) = record.id.thread else { return Ok(()) };
                let links = chain.links();
                self.stacks.complete(thread, cookie, links, &mut self.spaces, builder);
            }
            Body::Lost { count, is_samples } => self.figures.lost(record, count, is_samples),
            Body::Throttled => self.figures.throttled(record),
            Body::Stat(stat) => self.stat(head, stat),
            Body::StatRound { time, .. } => {
                let interval = self.columns.as_ref().and_then(|columns| columns.interval);
                self.stats.round(time, interval, &mut self.builder);
            }
            Body::Exit(thread) => self.switches.end(thread, record.id),
            Body::Unthrottled | Body::Read { .. } | Body::Other { .. } => {}
        }
        Ok(())
    }

    fn sample(&mut self, head: &Head, record: &Record<'_>, sample: &Sample<'_>) {
        self.prepare(head);
        let (builder, Some(columns)) = (&mut self.builder, &self.columns) else { return };
        let Some(&column) = columns.of_event.get(record.event) else {
            self.figures.late_events += 1;
            return;
        };
        let attr = &head.events[record.event].attr;
        let point = builder.points.len();
        let walked = self.walking.as_mut().and_then(|walking| walking.walk(sample));
        let user = match walked {
            Some(addresses) => UserPart::Walked(addresses),
            None if attr.is_call_stack() => UserPart::Branches,
            None => UserPart::Recorded,
        };
        let context = self.stacks.context(record, sample, user, point, &mut self.spaces, builder);
        self.figures.sample(sample, attr);
        let thread = sample.thread.map(|thread| self.tasks.of(thread, builder));
        self.counters.values.fill(0);
        self.counters.values[columns.samples] = 1;
        // Without periods only a fixed one is known; else samples are all that can be counted.
        let fixed = if attr.is(attr::flag::FREQ) { 1 } else { attr.period.max(1) };
        let period = sample.period.unwrap_or(fixed);
        if sample.read.is_some() {
            self.counters.read(head, record.event, sample, columns);
        }
        if !(sample.read.is_some() && attr.reads_group()) {
            self.counters.values[column] = i64::try_from(period).unwrap_or(i64::MAX);
        }
        if let (Some(column), Some(weight)) = (columns.weight, sample.weight) {
            self.counters.values[column] = i64::try_from(weight).unwrap_or(i64::MAX);
        }
        let event = (columns.shared == Some(column))
            .then(|| builder.strings.intern(&placeholder(record.event)));
        let labels = self.labels.of(sample, event, builder);
        let time = time_of(record.id);
        let point = Point { context, labels, time, thread, cpu: sample.cpu, ..Point::default() };
        let point = builder.points.push_point(point, &self.counters.values);
        if let Some(raw) = sample.raw.filter(|_| attr.kind == attr::kind::TRACEPOINT) {
            self.traces.push(point.index(), record.event, raw);
        }
        if columns.branches.is_some() && !attr.is_call_stack() {
            self.branches_of(thread, record, sample);
        }
    }

    fn branches_of(&mut self, thread: Option<ThreadId>, record: &Record<'_>, sample: &Sample<'_>) {
        let process = sample.thread.map_or(0, |thread| thread.pid);
        for branch in sample.branches.into_iter().flat_map(|branches| branches.iter()) {
            let mut context = |address: u64| {
                // Addresses of the kernel are the upper half.
                let is_kernel = address >> 63 != 0;
                let mode = if is_kernel { perfdata::Mode::Kernel } else { record.mode };
                let mode = if is_kernel { mode } else { perfdata::Mode::User };
                let (spaces, builder) = (&mut self.spaces, &mut self.builder);
                let location = self.stacks.location(process, mode, address, spaces, builder);
                builder.contexts.child(ContextId::ROOT, location)
            };
            let key = (thread, context(branch.from), context(branch.to));
            let [count, wrong, cycles] = self.branches.entry(key).or_default();
            *count += 1;
            *wrong += i64::from(branch.mispredicted == Some(true));
            *cycles += i64::from(branch.cycles);
        }
    }

    /// A value of a counter without samples; it counts from when it was read before.
    fn stat(&mut self, head: &Head, stat: Stat) {
        self.prepare(head);
        let Some(event) = head.event_of(stat.id) else {
            self.counters.unknown += 1;
            return;
        };
        let Some(columns) = &self.columns else { return };
        let Some(&column) = columns.of_event.get(event) else { return };
        let Some((counted, times)) = self.stats.count(&stat) else { return };
        for (sum, time) in self.counters.times.iter_mut().zip(times) {
            *sum = sum.saturating_add(time);
        }
        let point = self.stats.point(&stat, &mut self.builder);
        let value = &mut self.builder.points.row_mut(point)[column];
        *value = value.saturating_add(counted);
    }

    /// What is needed before the first point.
    fn prepare(&mut self, head: &Head) {
        if self.columns.is_none() {
            let columns = Columns::new(head);
            self.builder.points = Points::new(columns.metrics.len());
            self.counters.values = vec![0; columns.metrics.len()];
            self.columns = Some(columns);
        }
    }
}

/// When a record was. What perf makes itself, at the end say, has 0, which is not a time.
pub(super) fn time_of(id: SampleId) -> Option<i64> {
    let time = id.time.filter(|&time| time != 0)?;
    Some(i64::try_from(time).unwrap_or(i64::MAX))
}

/// Stands for the name of an event until that is known.
pub(super) fn placeholder(event: usize) -> String {
    format!("\0event {event}")
}

/// The event that a placeholder stands for.
pub(super) fn placeheld(text: &str) -> Option<usize> {
    text.strip_prefix("\0event ")?.parse().ok()
}
