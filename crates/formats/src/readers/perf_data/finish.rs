//! The profile, once all is known.

use std::collections::BTreeSet;

use perfdata::{Features, Head, attr};
use profile::{
    Label, LabelValue, Mark, MetricId, ModuleId, Point, Profile, ProfileBuilder, StringId,
};

use super::events::Columns;
use super::figures::Figures;
use super::reading::{PerfParser, placeheld};
use super::{FORMAT, machine, processors};
use crate::time::schedule::{Ends, Known, Schedule};
use crate::time::thread_tracks::ThreadTracks;
use crate::{ReadError, ReadOptions, Warnings};

impl PerfParser {
    pub(super) fn finish(
        mut self,
        head: &Head,
        options: &ReadOptions,
        warnings: &mut Warnings,
    ) -> Result<Profile, ReadError> {
        let mut columns = self.columns.take().unwrap_or_else(|| Columns::new(head));
        if self.builder.points.is_empty() {
            self.builder.points = profile::Points::new(columns.metrics.len());
            warnings.add(crate::warnings::NO_SAMPLES, || "the file holds no samples".to_owned());
        }
        self.warn(head, warnings);
        self.push_branches(&columns);
        let mut schedule = self.schedule(head, warnings);
        schedule.is_of_some_processors = processors::are_left_out(&head.features);
        let builder = &mut self.builder;
        name_events(head, &mut columns, &self.figures, builder);

        let instants = self.figures.instants.iter().map(|&(time, ..)| time).min();
        let firsts = [builder.points.first_time(), schedule.first(), instants];
        let first = firsts.into_iter().flatten().min().unwrap_or(0);
        // Intervals are told from the start on.
        let is_counted = self.stats.points > 0 && builder.points.len() == self.stats.points;
        let first = if is_counted { first.min(0) } else { first };
        builder.points.shift_times(first.saturating_neg());
        let mut tracks = ThreadTracks::make(builder);
        self.traces.push_marks(head, &mut tracks, builder, warnings);
        let last_run = schedule.last();
        options.check_memory(builder.heap_bytes() + schedule.heap_bytes(columns.metrics.len()))?;
        let known = schedule.push(columns.schedule, first, &mut tracks, builder, warnings);
        for &(time, cpu, what, count) in &self.figures.instants {
            let Some(track) = cpu.and_then(|cpu| tracks.of_processor(cpu)) else { continue };
            let (key, kind) =
                (builder.strings.intern("count"), builder.strings.intern(what.name()));
            let count = i64::try_from(count).unwrap_or(i64::MAX);
            let value = LabelValue::Number(count, StringId::EMPTY);
            let fields = builder.labels.add(&[Label { key, value }]);
            let time = time.saturating_sub(first);
            builder.timeline.mark(Mark { track, time, kind, fields });
        }
        options.check_memory(builder.heap_bytes())?;

        builder.origin.clock_ns = first;
        let lasts = [last_run, self.stats.last()].map(|last| Some(last?.saturating_sub(first)));
        let lasts = [builder.points.last_time(), lasts[0], lasts[1]];
        builder.origin.duration_ns = lasts.into_iter().flatten().max().unwrap_or(0).max(0);
        builder.origin.time_ns = wall_clock(&head.features, first);
        builder.origin.format = FORMAT.name.to_owned();
        builder.origin.producer = match &*head.features.version {
            "" => "perf".to_owned(),
            version => format!("perf {version}"),
        };
        builder.origin.comments = comments(&head.features);
        let machine = machine::of(&head.features).map(|mut machine| {
            processors::mark_left_out(&head.features, &mut machine);
            machine
        });
        builder.machines.extend(machine);
        name_modules(&head.features, builder, warnings);
        keep_used(head, columns, known, self.counters.times, builder);
        Ok(self.builder.finish())
    }

    fn warn(&self, head: &Head, warnings: &mut Warnings) {
        self.figures.warn(&head.counts, self.walking.as_ref(), warnings);
        self.stats.warn(warnings);
        let mut told = |count: u64, kind: &'static str, message: &str| {
            if count > 0 {
                warnings.add_many(kind, count, || message.to_owned());
            }
        };
        told(head.counts.unknown_fields, "fields", "samples have fields that are not known");
        told(
            self.stacks.cut,
            "cut stacks",
            "stacks have 127 frames, as many as the kernel records unless \
             kernel.perf_event_max_stack is raised: outer ones may be missing",
        );
        told(
            self.stacks.garbage,
            "garbage in stacks",
            "stacks go on with addresses at which there is no code, as they do where code has no frame pointers: \
             they end before that",
        );
        told(
            self.stacks.incomplete() as u64,
            "deferred",
            "stacks of samples whose program's part was never recorded",
        );
        told(
            self.counters.backwards,
            "counters",
            "counters showed less than before, which counts 0",
        );
        told(self.counters.unknown, "counter ids", "values of counters that belong to no event");
        let [enabled, counted] = self.counters.times;
        if counted < enabled {
            let share = counted as f64 / enabled as f64 * 100.0;
            warnings.add("multiplexed", || {
                format!(
                    "events shared the processor's counters and were counted {share:.1} % of the \
                     time; values are as counted and not scaled up"
                )
            });
        }
        let names = &self.builder.strings;
        for (thread, old) in &self.tasks.renamed {
            let thread = &self.builder.threads[thread.index()];
            let [tid, old, new] = [thread.id, *old, thread.name].map(|name| names.get(name));
            warnings.add("renamed", || {
                format!("thread {tid} is called {old} and then {new}, which is the name shown")
            });
        }
        if head.is_unfinished {
            warnings.add("unfinished", || {
                "perf did not finish the file: names of events, build ids and what the header \
                 says of the machine are missing"
                    .to_owned()
            });
        }
        for feature in &head.features.damaged {
            warnings.add("features", || {
                format!("a part of the header cannot be read: feature {feature}")
            });
        }
        let formats = head.features.tracing.as_ref().map_or(0, |tracing| tracing.damaged);
        let mut told = |count: u64| {
            warnings.add_many("formats", count, || {
                "formats of tracepoints cannot be understood".to_owned()
            });
        };
        if formats > 0 {
            told(formats);
        }
    }

    fn push_branches(&mut self, columns: &Columns) {
        let Some([all, wrong, cycles]) = columns.branches else { return };
        let builder = &mut self.builder;
        let roles = [builder.role("from"), builder.role("to")];
        let mut values = vec![0; columns.metrics.len()];
        let mut branches: Vec<_> = self.branches.drain().collect();
        branches.sort_unstable_by_key(|&(key, _)| key);
        for ((thread, from, to), counted) in branches {
            (values[all], values[wrong], values[cycles]) = (counted[0], counted[1], counted[2]);
            let links = [(roles[0], from), (roles[1], to)];
            let point = Point { context: from, thread, links: &links, ..Point::default() };
            builder.points.push_point(point, &values);
        }
    }

    /// What ran where. Records of switches tell when each thread of a program came and left, and
    /// tracepoints, if there are any, on which stack; without such records tracepoints tell both, which
    /// are those of other programs, too, where a thread came. Where some may be missing they tell neither:
    /// what is between two that are known may be many runs.
    fn schedule(&mut self, head: &Head, warnings: &mut Warnings) -> Schedule {
        let builder = &mut self.builder;
        let (events, sampled) = self.traces.schedule(head, builder);
        let records = std::mem::take(&mut self.switches);
        let is_any = !records.is_empty() || !events.is_empty() || !events.moved.is_empty();
        // A program that nothing interrupted has no record of it.
        let are_wanted = head.events.iter().any(|event| event.attr.is(attr::flag::CONTEXT_SWITCH));
        if !is_any && !are_wanted {
            sampled.warn(true, warnings);
            return Schedule::default();
        }
        if self.figures.has_lost() {
            warnings.add("lost switches", || {
                "records were lost, and switches may be among them: how long threads ran and were away is not shown; give perf larger buffers (-m)"
                    .to_owned()
            });
            return Schedule::default();
        }
        sampled.warn(records.is_empty(), warnings);
        let counts = &head.counts;
        let is_whole = !head.is_unfinished && counts.cut_bytes == 0 && counts.damaged_pieces == 0;
        // Of processors whose buffers kept what came last, each began at another time.
        let keeps_last = head.events.iter().any(|event| event.attr.is(attr::flag::WRITE_BACKWARD));
        let began = self.figures.first.filter(|_| is_whole && !keeps_last);
        let recording = self.figures.last.filter(|_| is_whole);
        let ends = Ends { began, exits: records.exits(builder), recording };
        if !records.is_empty() || !is_any {
            if records.without_cpus > 0 {
                warnings.add_many("switches without processors", records.without_cpus, || {
                    "records of switches say not on which processor: how long threads ran and were \
                     away is known; --sample-cpu would also say where"
                        .to_owned()
                });
            }
            return records.schedule(events, &ends, &mut self.tasks, builder);
        }
        match sampled.switches {
            0 => Schedule::of_switches(events, ends, builder, warnings),
            _ => Schedule::of_moves(events.moved),
        }
    }
}

/// Gives metrics the names and units of their events.
fn name_events(
    head: &Head,
    columns: &mut Columns,
    figures: &Figures,
    builder: &mut ProfileBuilder,
) {
    for (number, event) in head.events.iter().enumerate() {
        let Some(&column) = columns.of_event.get(number) else { continue };
        let metric = &mut columns.metrics[column];
        metric.name = event.name();
        metric.is_counted = figures.has_all(number, &event.attr);
        let is_clock = event.attr.kind == attr::kind::SOFTWARE && event.attr.config < 2;
        if is_clock {
            metric.unit = "nanoseconds".to_owned();
        }
    }
    if let Some(shared) = columns.shared {
        let metric = &mut columns.metrics[shared];
        metric.name = "tracepoints".to_owned();
        let is_shared = |number: &usize| columns.of_event[*number] == shared;
        let mut all = (0..columns.of_event.len()).filter(is_shared);
        metric.is_counted = all.all(|number| figures.has_all(number, &head.events[number].attr));
        let strings = &mut builder.strings;
        let names: Vec<_> = head.events.iter().map(|event| strings.intern(&event.name())).collect();
        builder.labels.map_strings(|text| {
            placeheld(builder.strings.get(text))
                .and_then(|event| names.get(event))
                .map_or(text, |&name| name)
        });
    }
}

/// Leaves out the metrics that say nothing: of events that are there for other records' sake, and
/// of what no sample had.
fn keep_used(
    head: &Head,
    columns: Columns,
    known: Known,
    times: [u64; 2],
    builder: &mut ProfileBuilder,
) {
    let mut keep = vec![true; columns.metrics.len()];
    for (event, &column) in head.events.iter().zip(&columns.of_event) {
        let is_dummy = event.attr.kind == attr::kind::SOFTWARE && event.attr.config == 9;
        keep[column] = !is_dummy || columns.shared == Some(column);
    }
    // Equal times say that nothing was shared.
    for column in columns.times.into_iter().flatten() {
        keep[column] = times[0] != times[1];
    }
    if let Some(interval) = columns.interval {
        keep[interval] = builder.points.values(MetricId(interval as u32)).any(|value| value != 0);
    }
    if let Some(schedule) = columns.schedule {
        schedule.leave_out(known, &mut keep);
    }
    let points = &builder.points;
    let most = |&column: &usize| {
        let metric = MetricId(column as u32);
        points.values(metric).filter(|&value| value != 0).count()
    };
    let events: BTreeSet<usize> = columns.of_event.iter().copied().filter(|&c| keep[c]).collect();
    // Of several with as many samples the first.
    let leading = events.iter().rev().max_by_key(|column| most(column)).copied().unwrap_or(0);
    builder.points.keep_metrics(&keep);
    let before = |column: usize| keep[..column].iter().filter(|&&kept| kept).count() as u32;
    builder.origin.default_metric = MetricId(before(leading));
    let kept = columns.metrics.into_iter().zip(&keep).filter(|(_, kept)| **kept);
    builder.metrics = kept.map(|(metric, _)| metric).collect();
}

/// Gives modules the build ids that stand in the header.
fn name_modules(features: &Features, builder: &mut ProfileBuilder, warnings: &mut Warnings) {
    for told in &features.build_ids {
        let hex: String = told.id.iter().map(|byte| format!("{byte:02x}")).collect();
        let build_id = builder.strings.intern(&hex);
        let name = builder.strings.intern(&told.path);
        let named = (0..builder.modules.len()).filter(|&at| builder.modules[at].name == name);
        let named: Vec<ModuleId> = named.map(|at| ModuleId(at as u32)).collect();
        // Several of one path have their own, or it is not known which this is.
        match named[..] {
            [one] => {
                let module = &mut builder.modules[one.index()];
                if module.build_id == StringId::EMPTY {
                    module.build_id = build_id;
                }
            }
            [] => {}
            _ => warnings.add("build ids", || format!("{} is there in several builds", told.path)),
        }
    }
}

/// When the recording began, in nanoseconds since 1970; 0 if unknown.
fn wall_clock(features: &Features, first: i64) -> i64 {
    let Some(clock) = features.clock.filter(|clock| clock.wall_clock_ns != 0) else { return 0 };
    let [wall, then] = [clock.wall_clock_ns, clock.clock_ns].map(u64::cast_signed);
    wall.saturating_add(first.saturating_sub(then))
}

/// What the header tells, in words.
fn comments(features: &Features) -> Vec<String> {
    let memory = features.memory_kib.map_or(String::new(), |kib| format!("{kib} kB"));
    let cpus = features.cpus.map_or(String::new(), |(all, online)| format!("{online} of {all}"));
    let told = [
        ("hostname", features.host.clone()),
        ("os release", features.kernel.clone()),
        ("arch", features.arch.clone()),
        ("processors online", cpus),
        ("cpudesc", features.cpu_name.clone()),
        ("total memory", memory),
        ("cmdline", features.command.join(" ")),
    ];
    let told = told.into_iter().filter(|(_, value)| !value.is_empty());
    told.map(|(key, value)| format!("{key}: {value}")).collect()
}
