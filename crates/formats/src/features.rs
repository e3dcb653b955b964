//! What profiles can have that a written format may not hold.

use hashbrown::HashMap;
use profile::{
    ContextId, LocationId, LocationKind, Metric, Origin, Profile, StringId, UnitKind, unit_scale,
};

use crate::Warnings;
use crate::numbers::whole_unit::WholeUnit;

/// Something that a profile may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Feature {
    /// More than one metric.
    Metrics,
    /// Decimal fractions in values.
    Decimals,
    /// Decimal fractions in values that no finer unit makes whole.
    Fractions,
    /// Parts of a microsecond.
    Nanoseconds,
    /// Samples without a stack.
    Stackless,
    /// Samples whose value is negative.
    Negatives,
    /// Labels of points.
    Labels,
    /// Times of points.
    Times,
    /// Threads and processes.
    Threads,
    /// Processors.
    Processors,
    /// Machines and where their processors are.
    Machines,
    /// Several profiles in one.
    Members,
    /// What is known of members besides what was measured.
    Facts,
    /// Points with several contexts.
    Roles,
    /// Data objects, loops, blocks and regions as something else than functions.
    Kinds,
    /// Modules with their build ids and mappings.
    Modules,
    /// Addresses.
    Addresses,
    /// Source files.
    Files,
    /// Source lines.
    Lines,
    /// Source columns.
    Columns,
    /// Where functions start that share their name and file with others.
    Starts,
    /// The columns of such starts, on one line.
    StartColumns,
    /// Semicolons and line breaks in names.
    Separators,
    /// Which functions were inlined into which.
    Inlining,
    /// The linker's names beside those for people.
    LinkerNames,
    /// What the producer said: time, duration, period, comments, frames to drop.
    Origin,
    /// That call paths are estimates.
    Estimates,
    /// That values of a metric do not add up, and what they are together instead.
    Combining,
    /// Totals of functions as the profiler stored them, where call paths are estimates.
    FunctionTotals,
    /// Call paths longer than one call.
    CallPaths,
    /// The metric's name and unit.
    Units,
    /// Metrics that are worked out by formulas.
    Formulas,
    /// Tracks with spans, marks, counters and flows.
    Timeline,
    /// What instructions at addresses are.
    Instructions,
    /// What the producer said of places.
    Notes,
}

impl Feature {
    /// Every feature.
    pub const ALL: [Feature; 35] = [
        Feature::Metrics,
        Feature::Decimals,
        Feature::Fractions,
        Feature::Nanoseconds,
        Feature::Stackless,
        Feature::Negatives,
        Feature::Labels,
        Feature::Times,
        Feature::Threads,
        Feature::Processors,
        Feature::Machines,
        Feature::Members,
        Feature::Facts,
        Feature::Roles,
        Feature::Kinds,
        Feature::Modules,
        Feature::Addresses,
        Feature::Files,
        Feature::Lines,
        Feature::Columns,
        Feature::Starts,
        Feature::StartColumns,
        Feature::Separators,
        Feature::Inlining,
        Feature::LinkerNames,
        Feature::Origin,
        Feature::Estimates,
        Feature::Combining,
        Feature::FunctionTotals,
        Feature::CallPaths,
        Feature::Units,
        Feature::Formulas,
        Feature::Timeline,
        Feature::Instructions,
        Feature::Notes,
    ];

    /// What it is called in lists.
    pub fn name(self) -> &'static str {
        match self {
            Feature::Metrics => "metrics besides the default one:",
            Feature::Decimals | Feature::Fractions => "decimal fractions of values",
            Feature::Nanoseconds => "parts of a microsecond, to which times are rounded",
            Feature::Stackless => "samples without a stack",
            Feature::Negatives => "samples with negative values",
            Feature::Labels => "labels",
            Feature::Times => "times of samples",
            Feature::Threads => "threads and processes",
            Feature::Processors => "processors",
            Feature::Machines => "machines, and what their processors share",
            Feature::Members => "which of several profiles a sample belongs to",
            Feature::Facts => "the conditions and figures of members",
            Feature::Roles => "linked contexts with their roles",
            Feature::Kinds => "what is a loop, a block, a data object or a region",
            Feature::Modules => "modules with build ids",
            Feature::Addresses => "addresses",
            Feature::Files => "source files",
            Feature::Lines => "source lines",
            Feature::Columns => "source columns",
            Feature::Starts => {
                "which of the functions that share a name and a file, by their start"
            }
            Feature::StartColumns => {
                "which of the functions that share a name and a line, by their column"
            }
            Feature::Separators => "semicolons and line breaks in names",
            Feature::Inlining => "which functions are inlined",
            Feature::LinkerNames => "the linker's names of functions",
            Feature::Origin => {
                "time, duration, period, comments and other facts of the measurement"
            }
            Feature::Estimates => "that call paths, or functions after some call, are estimates",
            Feature::Combining => "that values of a metric do not add up (maxima, means)",
            Feature::FunctionTotals => "the profiler's own totals of functions",
            Feature::CallPaths => "call paths, but for who calls whom",
            Feature::Units => "the names and units of metrics",
            Feature::Formulas => "metrics by formula",
            Feature::Timeline => "spans, marks, counters and flows in time",
            Feature::Instructions => "texts of instructions",
            Feature::Notes => "notes on places in code",
        }
    }

    /// How many things of the profile it concerns; 0 if the profile has none of it.
    pub fn count(self, profile: &Profile) -> u64 {
        let points = &profile.points;
        let of_points = |has: &dyn Fn(usize) -> bool| (0..points.len()).filter(|&p| has(p)).count();
        let nonzero = |column: &[u32]| column.iter().filter(|&&entry| entry != 0).count();
        let count = match self {
            Feature::Metrics => profile.metrics.len().saturating_sub(1),
            Feature::Decimals => {
                let fractions = profile.metric_ids().filter(|&metric| {
                    let unit = 10i64.pow(profile.metric(metric).decimals.into());
                    points.values(metric).any(|value| value % unit != 0)
                });
                fractions.count()
            }
            Feature::Fractions => {
                let broken = profile.metric_ids().filter(|&metric| {
                    let (_, scale) = WholeUnit::new(profile.metric(metric), points.values(metric));
                    points.values(metric).any(|value| scale.is_rounded(value))
                });
                broken.count()
            }
            Feature::Nanoseconds => of_points(&|p| has_nanoseconds(profile, p)),
            Feature::Stackless => of_points(&|p| is_stackless(profile, p)),
            Feature::Negatives => of_points(&|p| is_negative(profile, p)),
            Feature::Labels => of_points(&|p| points.labels(p).0 != 0),
            Feature::Times if !points.has_times() => 0,
            Feature::Times => of_points(&|p| points.time(p).is_some()),
            Feature::Threads if !points.has_threads() => 0,
            Feature::Threads => of_points(&|p| points.thread(p).is_some()),
            Feature::Processors if !points.has_cpus() => 0,
            Feature::Processors => of_points(&|p| points.cpu(p).is_some()),
            Feature::Machines => profile.machines.len(),
            Feature::Members => profile.members.len(),
            Feature::Facts => {
                profile.members.iter().filter(|member| !member.facts.is_empty()).count()
            }
            Feature::Roles if !points.has_links() => 0,
            Feature::Roles => of_points(&|p| !points.links(p).is_empty()),
            Feature::Kinds => {
                profile.locations.kind.iter().filter(|&&kind| kind != LocationKind::Code).count()
            }
            Feature::Modules => profile.modules.len(),
            Feature::Addresses => {
                profile.locations.address.iter().filter(|&&address| address != 0).count()
            }
            Feature::Files => {
                let files = profile.functions.file.iter();
                files.filter(|&&file| !profile.text(file).is_empty()).count()
            }
            Feature::Lines => nonzero(&profile.frames.line),
            Feature::Columns => nonzero(&profile.frames.column),
            Feature::Starts => shared_starts(profile, false),
            Feature::StartColumns => shared_starts(profile, true),
            Feature::Separators => {
                let names = profile.functions.name.iter().map(|&name| profile.text(name));
                names.filter(|name| !crate::text::stack_line::is_one_frame(name)).count()
            }
            Feature::Inlining => profile.frames.len() - profile.locations.len(),
            Feature::LinkerNames => linker_names(profile),
            Feature::Origin => origin_facts(&profile.origin),
            Feature::Estimates => {
                usize::from(profile.origin.estimated_paths) + profile.switched_off.len()
            }
            Feature::Combining => not_sums(profile).count(),
            Feature::FunctionTotals => profile.function_totals.function.len(),
            Feature::Formulas => profile.origin.formulas.len(),
            Feature::Timeline => {
                let timeline = &profile.timeline;
                let happened = timeline.spans.len() + timeline.marks.len() + timeline.flows.len();
                happened + timeline.counters.len()
            }
            Feature::Instructions => instructions(profile),
            Feature::Notes => profile.notes.len(),
            Feature::CallPaths if profile.origin.estimated_paths => 0,
            Feature::CallPaths => profile.contexts.len() - 1,
            Feature::Units => {
                profile.metrics.iter().filter(|one| !matches!(&*one.unit, "" | "count")).count()
            }
        };
        count as u64
    }
}

fn linker_names(profile: &Profile) -> usize {
    let functions = &profile.functions;
    let names = functions.name.iter().zip(&functions.system_name);
    names.filter(|(name, system)| system.0 != 0 && system != name).count()
}

fn instructions(profile: &Profile) -> usize {
    let locations = (0..profile.locations.len() as u32).map(LocationId);
    let known = locations.map(|id| profile.locations.instruction(id));
    known.filter(|&text| text != StringId::EMPTY).count()
}

fn origin_facts(origin: &Origin) -> usize {
    let known = [
        origin.time_ns != 0,
        origin.duration_ns != 0,
        origin.period != 0,
        !origin.producer.is_empty(),
        !origin.drop_frames.is_empty(),
        !origin.doc_url.is_empty(),
    ];
    known.into_iter().filter(|&known| known).count() + origin.comments.len()
}

/// What a writer does with features; those in neither list are lost.
#[derive(Debug, Clone, Copy)]
pub struct Carries {
    /// Kept as they are.
    pub kept: &'static [Feature],
    /// Kept, but as labels.
    pub as_labels: &'static [Feature],
    /// Tells what else is lost of a profile: of features that are kept in part.
    pub(crate) besides: fn(&Profile, &mut Warnings),
}

impl Carries {
    /// Everything is kept.
    pub(crate) const ALL: Carries =
        Carries { kept: &Feature::ALL, as_labels: &[], besides: Carries::nothing };

    /// Nothing is kept in part.
    pub(crate) fn nothing(_: &Profile, _: &mut Warnings) {}

    /// What is lost or changed of `profile`, counted by feature.
    pub(crate) fn losses(&self, profile: &Profile) -> Warnings {
        let mut losses = Warnings::default();
        for feature in Feature::ALL.into_iter().filter(|feature| !self.kept.contains(feature)) {
            let count = feature.count(profile);
            if count > 0 {
                let change = if self.as_labels.contains(&feature) { " become labels" } else { "" };
                let message = || match feature {
                    Feature::Metrics => format!("{} {}", feature.name(), other_metrics(profile)),
                    Feature::Stackless => with_share(feature, profile, is_stackless),
                    Feature::Negatives => with_share(feature, profile, is_negative),
                    Feature::Combining => {
                        format!("that values do not add up, of {}", names(not_sums(profile)))
                    }
                    _ => format!("{}{change}", feature.name()),
                };
                losses.add_many(feature.name(), count, message);
            }
        }
        let stretched = profile.timeline.clocks.iter().filter(|clock| !clock.is_even()).count();
        if stretched > 0 {
            // Files tell what was measured.
            losses.add_many("clocks", stretched as u64, || {
                "how recordings are stretched onto another one's progress".to_owned()
            });
        }
        (self.besides)(profile, &mut losses);
        losses
    }
}

/// Whether the default metric is a time, and a point's is not a whole number of microseconds.
fn has_nanoseconds(profile: &Profile, point: usize) -> bool {
    let id = profile.origin.default_metric;
    let Some(metric) = profile.metrics.get(id.index()) else { return false };
    let (scale, UnitKind::Time) = unit_scale(&metric.unit) else { return false };
    let value = i128::from(profile.points.value(point, id)) * i128::from(scale);
    value % (1000 * 10i128.pow(metric.decimals.into())) != 0
}

fn is_stackless(profile: &Profile, point: usize) -> bool {
    profile.points.context[point] == ContextId::ROOT
        && profile.points.row(point).iter().any(|&value| value != 0)
}

fn is_negative(profile: &Profile, point: usize) -> bool {
    profile.points.row(point).iter().any(|&value| value < 0)
}

/// The feature with the share that its points have of the default metric's magnitude.
fn with_share(feature: Feature, profile: &Profile, is_of: fn(&Profile, usize) -> bool) -> String {
    let metric = profile.origin.default_metric;
    let (mut own, mut all) = (0f64, 0f64);
    for (point, value) in profile.points.values(metric).enumerate() {
        all += value.unsigned_abs() as f64;
        own += if is_of(profile, point) { value.unsigned_abs() as f64 } else { 0.0 };
    }
    let share = if all == 0.0 { 0.0 } else { own / all * 100.0 };
    format!("{}, {share:.1} % of {}", feature.name(), profile.metric(metric).name)
}

/// The names of all metrics but the default one.
fn other_metrics(profile: &Profile) -> String {
    let others = profile.metric_ids().filter(|&metric| metric != profile.origin.default_metric);
    names(others.map(|metric| profile.metric(metric)))
}

/// How many functions start elsewhere than another of their name and file: on another line, or in
/// another column of one line.
fn shared_starts(profile: &Profile, by_column: bool) -> usize {
    let table = &profile.functions;
    let key = |row: usize| {
        let line = if by_column { table.start_line[row] } else { 0 };
        (table.name[row], table.file[row], line)
    };
    let start =
        |row: usize| if by_column { table.start_column[row] } else { table.start_line[row] };
    let mut first = HashMap::new();
    (0..table.len())
        .filter(|&row| *first.entry(key(row)).or_insert(start(row)) != start(row))
        .count()
}

/// The metrics whose values do not add up.
fn not_sums(profile: &Profile) -> impl Iterator<Item = &Metric> {
    profile.metrics.iter().filter(|metric| !metric.combining.is_sum())
}

fn names<'a>(metrics: impl Iterator<Item = &'a Metric>) -> String {
    metrics.map(|metric| metric.name.as_str()).collect::<Vec<_>>().join(", ")
}
