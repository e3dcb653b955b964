//! The CSV that VisPerf makes of `perf script`: a row a sample, every field in quotes.
//!
//! ```text
//! "time","tid","event","counter","cpu","stack"
//! "13134.418867","32901","cache-misses","35","011","memcpy|copy|main"
//! ```
//! Times are seconds of perf's clock, a counter is what the sample stands for (its period), stacks
//! begin with the innermost function. The tool cuts them to three functions unless it is told
//! otherwise, and has no files, lines or processes.

use hashbrown::HashMap;
use profile::{
    ContextId, LocationId, Member, MemberId, Metric, MetricId, Place, Point, Points, Profile,
    ProfileBuilder, StringId, Thread, ThreadId,
};

use super::FORMAT;
use crate::input::stream::Stream;
use crate::numbers::decimal::Decimal;
use crate::text::lines::Lines;
use crate::text::separated::{Record, Records};
use crate::time::thread_tracks::ThreadTracks;
use crate::{ReadError, ReadOptions, Warnings};

const COLUMNS: [&str; 6] = ["time", "tid", "event", "counter", "cpu", "stack"];

/// Files with more events are none of perf's.
const MOST_EVENTS: usize = 256;

/// Whether bytes begin such a table.
pub(super) fn is_table(head: &[u8]) -> bool {
    let line = head.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let line = String::from_utf8_lossy(line);
    line.trim_end().split(',').map(|title| title.trim_matches('"')).eq(COLUMNS)
}

/// A row until all events are known, which decide how many values a point has.
struct Row {
    /// Nanoseconds of perf's clock.
    time: i64,
    count: i64,
    context: ContextId,
    thread: ThreadId,
    event: u32,
    cpu: u32,
    member: MemberId,
}

/// Samples of one run, or of several that are members.
#[derive(Default)]
pub(super) struct Samples {
    pub(super) builder: ProfileBuilder,
    events: Vec<String>,
    /// By number and name.
    threads: HashMap<(String, StringId), ThreadId>,
    functions: HashMap<String, LocationId>,
    rows: Vec<Row>,
    /// Names of the run's threads by their numbers.
    names: HashMap<String, String>,
    member: MemberId,
}

pub(super) fn read(
    stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let mut samples = Samples::default();
    samples.read(stream, options, warnings)?;
    Ok(samples.finish())
}

impl Samples {
    /// What comes is of another run.
    pub(super) fn begin(&mut self, member: Member, names: HashMap<String, String>) {
        self.builder.members.push(member);
        self.member = MemberId(self.builder.members.len() as u32 - 1);
        self.names = names;
    }

    pub(super) fn read(
        &mut self,
        stream: Stream,
        options: &ReadOptions,
        warnings: &mut Warnings,
    ) -> Result<(), ReadError> {
        let mut records = Records::new(Lines::new(stream, FORMAT.name)?, b',');
        records.next_record()?;
        while let Some(record) = records.next_record()? {
            let line = record.line;
            if let Err(reason) = self.push(&record, warnings) {
                warnings.add("row", || format!("line {line} is skipped: {reason}"));
            }
            if line.is_multiple_of(1024) {
                let rows = self.rows.capacity() * size_of::<Row>();
                options.check_memory(self.builder.heap_bytes() + rows)?;
            }
        }
        records.check_skipped(warnings, &["row"])
    }

    /// Keeps a row; or tells what is wrong with it.
    fn push(&mut self, record: &Record<'_>, warnings: &mut Warnings) -> Result<(), &'static str> {
        if record.len() != COLUMNS.len() || !record.is_whole {
            return Err("it has not six fields");
        }
        let [time, tid, event, count, cpu, stack] = [0, 1, 2, 3, 4, 5].map(|at| record.get(at));
        let number = |text: &str| Decimal::parse(text.as_bytes());
        let time = number(time).and_then(|time| time.to_scaled(9));
        let time = time.ok_or("its time is not a number of seconds")?;
        let count = number(count).and_then(Decimal::to_whole);
        let count = count.ok_or("its counter is not a whole number")?;
        let cpu = cpu.parse().map_err(|_| "its processor is not a number")?;
        let event = match self.events.iter().position(|known| known == event) {
            Some(known) => known,
            None if self.events.len() == MOST_EVENTS => return Err("there are too many events"),
            None => {
                self.events.push(event.to_owned());
                self.events.len() - 1
            }
        };
        let thread = self.thread(tid);
        let builder = &mut self.builder;
        let mut context = ContextId::ROOT;
        for function in functions(stack).iter().rev() {
            let location = match self.functions.get(function) {
                Some(&known) => known,
                None => {
                    let place = Place { function, ..Place::default() };
                    let location = builder.place(&place);
                    self.functions.insert(function.clone(), location);
                    location
                }
            };
            context = builder.contexts.child(context, location);
        }
        if context == ContextId::ROOT {
            warnings.add("stack", || "samples have no stack".to_owned());
        }
        let (event, member) = (event as u32, self.member);
        self.rows.push(Row { time, count, context, thread, event, cpu, member });
        Ok(())
    }

    fn thread(&mut self, tid: &str) -> ThreadId {
        let strings = &mut self.builder.strings;
        let name = self.names.get(tid).map_or(StringId::EMPTY, |name| strings.intern(name));
        *self.threads.entry((tid.to_owned(), name)).or_insert_with(|| {
            let id = strings.intern(tid);
            self.builder.threads.push(Thread { process: None, id, name });
            ThreadId(self.builder.threads.len() as u32 - 1)
        })
    }

    pub(super) fn finish(self) -> Profile {
        let Samples { mut builder, events, rows, .. } = self;
        // By member, when it began and ended.
        let mut extents: Vec<Option<[i64; 2]>> = vec![None; builder.members.len().max(1)];
        for Row { time, member, .. } in &rows {
            let extent = &mut extents[member.index()];
            let [first, last] = extent.unwrap_or([*time; 2]);
            *extent = Some([first.min(*time), last.max(*time)]);
        }
        let length =
            |extent: Option<[i64; 2]>| extent.map_or(0, |[first, last]| last.saturating_sub(first));
        let first = |member: MemberId| extents[member.index()].map_or(0, |[first, _]| first);
        let is_clock = |event: &str| matches!(event, "cpu-clock" | "task-clock");
        let metric = |event: &String| {
            Metric::new(event, if is_clock(event) { "nanoseconds" } else { "count" })
        };
        builder.metrics = events.iter().map(metric).collect();
        builder.metrics.push(Metric::new("samples", "count"));
        builder.points = Points::new(builder.metrics.len());
        let mut values = vec![0; builder.metrics.len()];
        let mut samples = vec![0u64; events.len()];
        for row in rows {
            values.fill(0);
            values[row.event as usize] = row.count;
            values[events.len()] = 1;
            samples[row.event as usize] += 1;
            let Row { time, context, thread, cpu, member, .. } = row;
            let time = Some(time.saturating_sub(first(member)));
            let (thread, cpu) = (Some(thread), Some(cpu));
            let point = Point { context, time, thread, cpu, member, ..Point::default() };
            builder.points.push_point(point, &values);
        }
        let most = (0..events.len()).rev().max_by_key(|&event| samples[event]).unwrap_or(0);
        builder.origin.default_metric = MetricId(most as u32);
        // Each run has a clock of its own.
        if builder.members.len() < 2 {
            builder.origin.clock_ns = first(MemberId(0));
        }
        for (member, &extent) in builder.members.iter_mut().zip(&extents) {
            (member.duration_ns, member.producer) = (length(extent), "VisPerf".to_owned());
        }
        builder.origin.duration_ns =
            extents.iter().map(|&extent| length(extent)).max().unwrap_or(0);
        builder.origin.format = FORMAT.name.to_owned();
        builder.origin.producer = "VisPerf".to_owned();
        // Tracks are of one member; those of several are made as points have them.
        if builder.members.is_empty() {
            ThreadTracks::make(&mut builder);
        }
        builder.finish()
    }
}

/// The functions of a stack, innermost first. Names may hold the separator themselves: in C++
/// `operator|` and `operator||` leave nothing between two of them.
fn functions(stack: &str) -> Vec<String> {
    let mut functions: Vec<String> = vec![];
    for part in stack.split('|') {
        match functions.last_mut() {
            Some(before) if part.is_empty() && before.ends_with("operator") => before.push('|'),
            Some(before)
                if part.starts_with(['=', '('])
                    && (before.ends_with("operator") || before.ends_with("operator|")) =>
            {
                before.push('|');
                before.push_str(part);
            }
            _ if part.is_empty() => {}
            _ => functions.push(part.to_owned()),
        }
    }
    functions
}

#[cfg(test)]
mod tests {
    use super::functions;

    #[test]
    fn names_may_hold_the_separator() {
        assert_eq!(functions("memcpy|copy|main"), ["memcpy", "copy", "main"]);
        assert_eq!(functions("a::operator|(b, c)|main"), ["a::operator|(b, c)", "main"]);
        assert_eq!(functions("operator|=(b)|main"), ["operator|=(b)", "main"]);
        assert_eq!(functions("operator||(b)|main"), ["operator||(b)", "main"]);
        assert_eq!(functions("leaf||main|"), ["leaf", "main"]);
        assert_eq!(functions("[unknown]"), ["[unknown]"]);
        assert!(functions("").is_empty());
    }
}
