//! A profile: its tables, where it comes from, and what is asked of it often.

use crate::contexts::Contexts;
use crate::function_totals::FunctionTotals;
use crate::ids::{ContextId, MetricId, ProcessId, StringId, ThreadId};
use crate::labels::LabelSets;
use crate::locations::{Frames, Functions, Locations, Module};
use crate::machine::Machine;
use crate::metric::Metric;
use crate::notes::Note;
use crate::points::Points;
use crate::strings::Strings;
use crate::switched_off::SwitchedOff;
use crate::threads::{Member, Process, Thread};
use crate::timeline::Timeline;

/// A profile. Fields are open for reading; [`ProfileBuilder`] guarantees what [`Profile::check`]
/// states.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    /// Every text of the profile; entry 0 is empty.
    pub strings: Strings,
    /// Binaries and libraries.
    pub modules: Vec<Module>,
    /// Functions.
    pub functions: Functions,
    /// Code addresses, each with its frames.
    pub locations: Locations,
    /// Places in code, grouped by location, outermost first.
    pub frames: Frames,
    /// The calling context tree in preorder; context 0 is the whole program.
    pub contexts: Contexts,
    /// Label sets; set 0 is empty.
    pub label_sets: LabelSets,
    /// The metrics.
    pub metrics: Vec<Metric>,
    /// The measured records.
    pub points: Points,
    /// Totals of functions that the producer stored; empty for most formats.
    pub function_totals: FunctionTotals,
    /// Functions whose calls were measured up to some number, by function; empty for most formats.
    pub switched_off: Vec<SwitchedOff>,
    /// What whoever made it says of its places, by what it is about; empty for most formats.
    pub notes: Vec<Note>,
    /// Processes, or ranks.
    pub processes: Vec<Process>,
    /// Threads.
    pub threads: Vec<Thread>,
    /// The profiles that came as one; empty if it came alone.
    pub members: Vec<Member>,
    /// The machines that they were measured on; empty where files do not tell. Without members the
    /// first is that of all.
    pub machines: Vec<Machine>,
    /// Names of the roles that contexts have in points.
    pub roles: Vec<StringId>,
    /// What happened when; empty for most formats.
    pub timeline: Timeline,
    /// Where the profile came from and what its producer said of it.
    pub origin: Origin,
}

/// Where a profile came from and what its producer said of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Origin {
    /// Name of the format it was first read from, such as `pprof`.
    pub format: String,
    /// What wrote it, as far as the file tells.
    pub producer: String,
    /// The metric to show first.
    pub default_metric: MetricId,
    /// Whether the file itself names the default metric.
    pub default_metric_named: bool,
    /// Start of the measurement, nanoseconds since 1970; 0 if unknown.
    pub time_ns: i64,
    /// Length of the measurement in nanoseconds; 0 if unknown.
    pub duration_ns: i64,
    /// What the producer's own clock showed at time 0 of the points, in nanoseconds.
    pub clock_ns: i64,
    /// Whether call paths are estimated from a call graph, which knows callers and callees only:
    /// a callee's cost is divided among its callers' paths in proportion.
    pub estimated_paths: bool,
    /// Whether members are parts of one recording, as its threads are, and not recordings.
    pub members_are_parts: bool,
    /// Events between two samples; 0 if unknown. Informational: values are never multiplied by it.
    pub period: i64,
    /// Kind and unit of the period.
    pub period_type: Option<(String, String)>,
    /// Regular expression of functions that the producer wants cut off with all they call.
    pub drop_frames: String,
    /// Regular expression of exceptions from `drop_frames`.
    pub keep_frames: String,
    /// Free text.
    pub comments: Vec<String>,
    /// Where the producer explains the profile.
    pub doc_url: String,
    /// Metrics that are worked out from the profile's own.
    pub formulas: Vec<NamedFormula>,
    /// What was said when the files that it was read from were: for a file that keeps it.
    pub warnings: Vec<Warned>,
}

/// One kind of damage that a reader repaired, or of what it skipped.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Warned {
    /// Groups warnings: the same for the same kind of damage.
    pub kind: String,
    /// What happened, for people.
    pub message: String,
    /// How often it happened.
    pub count: u64,
}

/// A metric that is worked out from others. Its language is none of the model's business.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NamedFormula {
    /// What to call it; empty for the text of the formula.
    pub name: String,
    /// Such as `cycles / instructions`.
    pub formula: String,
}

impl Profile {
    /// The text of `id`.
    pub fn text(&self, id: StringId) -> &str {
        self.strings.get(id)
    }

    /// A metric.
    pub fn metric(&self, id: MetricId) -> &Metric {
        &self.metrics[id.index()]
    }

    /// All metrics.
    pub fn metric_ids(&self) -> impl Iterator<Item = MetricId> + use<> {
        (0..self.metrics.len() as u32).map(MetricId)
    }

    /// The frames of a context's location, outermost first.
    pub fn frames_of(&self, context: ContextId) -> std::ops::Range<u32> {
        match self.contexts.location(context) {
            Some(location) => self.locations.frames(location),
            None => 0..0,
        }
    }

    /// Sum of a metric over all points, held at the nearest number of 64 bits; and whether sums over some
    /// of the points may be more than 64 bits hold, as where values of both signs cancel each other.
    pub fn metric_total(&self, metric: MetricId) -> (i64, bool) {
        let (mut above, mut below) = (0i128, 0i128);
        for value in self.points.values(metric) {
            let part = if value < 0 { &mut below } else { &mut above };
            *part += i128::from(value);
        }
        let held = (above + below).clamp(i64::MIN.into(), i64::MAX.into());
        (held as i64, above > i64::MAX.into() || below <= i64::MIN.into())
    }

    /// How a thread is called: its name and identifier, as far as they are known.
    pub fn thread_name(&self, thread: ThreadId) -> String {
        let thread = &self.threads[thread.index()];
        named(self.text(thread.name), self.text(thread.id), "thread")
    }

    /// How a process is called: its name and identifier, as far as they are known.
    pub fn process_name(&self, process: ProcessId) -> String {
        let process = &self.processes[process.index()];
        named(self.text(process.name), self.text(process.id), "process")
    }

    /// Bytes that the tables hold.
    pub fn heap_bytes(&self) -> usize {
        self.strings.heap_bytes()
            + self.locations.heap_bytes()
            + self.contexts.heap_bytes()
            + self.label_sets.heap_bytes()
            + self.points.heap_bytes()
            + self.function_totals.heap_bytes()
            + self.timeline.heap_bytes()
    }
}

fn named(name: &str, id: &str, kind: &str) -> String {
    match (name, id) {
        ("", "") => format!("unnamed {kind}"),
        ("", id) => id.to_owned(),
        (name, "") => name.to_owned(),
        (name, id) if name == id => name.to_owned(),
        (name, id) => format!("{name} ({id})"),
    }
}
