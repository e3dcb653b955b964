//! How values spread over facets and over lines.

use hashbrown::{HashMap, HashSet};
use profile::{ContextId, LabelValue, MemberId, MetricId, ProcessId, Profile, StringId, ThreadId};

use crate::Filtered;

/// What tells points apart besides their contexts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Facet {
    /// The process of the point's thread.
    Process(ProcessId),
    /// The thread.
    Thread(ThreadId),
    /// The processor.
    Cpu(u32),
    /// The member.
    Member(MemberId),
    /// A label.
    Label(StringId, LabelValue),
}

impl Facet {
    /// Its key: that of the label, or what the facet is.
    pub fn key(self, profile: &Profile) -> &str {
        match self {
            Facet::Process(_) => "process",
            Facet::Thread(_) => "thread",
            Facet::Cpu(_) => "cpu",
            Facet::Member(_) => "member",
            Facet::Label(key, _) => profile.text(key),
        }
    }
}

/// The value of the points with a facet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FacetShare {
    /// The facet.
    pub facet: Facet,
    /// Value of the kept points that have it.
    pub value: i64,
}

/// How the kept points of `contexts` spread over processes, threads, processors, members and
/// labels: largest first within a key.
pub fn facet_shares(
    filtered: &Filtered,
    metric: MetricId,
    contexts: impl Fn(ContextId) -> bool,
) -> Vec<FacetShare> {
    let profile = filtered.profile();
    let points = &profile.points;
    if profile.label_sets.len() == 1
        && profile.members.is_empty()
        && !points.has_threads()
        && !points.has_cpus()
    {
        return vec![];
    }
    let mut by_set = HashMap::<_, i64>::new();
    let mut last = None;
    for (point, &context) in filtered.point_contexts().iter().enumerate() {
        if filtered.keeps_point(point) && contexts(context) {
            let set = (
                points.labels(point),
                points.thread(point),
                points.cpu(point),
                (!profile.members.is_empty()).then(|| points.member(point)),
            );
            let value = filtered.row(point)[metric.index()];
            // Points of a thread or request come in runs.
            match &mut last {
                Some((known, sum)) if *known == set => *sum = value.saturating_add(*sum),
                _ => {
                    if let Some((set, value)) = last.replace((set, value)) {
                        let sum = by_set.entry(set).or_default();
                        *sum = sum.saturating_add(value);
                    }
                }
            }
        }
    }
    if let Some((set, value)) = last {
        let sum = by_set.entry(set).or_default();
        *sum = sum.saturating_add(value);
    }
    let mut by_facet = HashMap::<Facet, i64>::new();
    for ((labels, thread, cpu, member), value) in by_set {
        let mut add = |facet: Facet| {
            let sum = by_facet.entry(facet).or_default();
            *sum = sum.saturating_add(value);
        };
        let mut seen = HashSet::new();
        for label in profile.label_sets.get(labels).filter(|label| seen.insert(*label)) {
            add(Facet::Label(label.key, label.value));
        }
        if let Some(process) = thread.and_then(|thread| profile.threads[thread.index()].process) {
            add(Facet::Process(process));
        }
        thread.map(Facet::Thread).into_iter().for_each(&mut add);
        cpu.map(Facet::Cpu).into_iter().for_each(&mut add);
        member.map(Facet::Member).into_iter().for_each(&mut add);
    }
    let mut shares: Vec<_> =
        by_facet.into_iter().map(|(facet, value)| FacetShare { facet, value }).collect();
    let kind = |facet: Facet| match facet {
        Facet::Process(_) => (0, StringId::EMPTY),
        Facet::Thread(_) => (1, StringId::EMPTY),
        Facet::Cpu(_) => (2, StringId::EMPTY),
        Facet::Member(_) => (3, StringId::EMPTY),
        Facet::Label(key, _) => (4, key),
    };
    shares.sort_by(|a, b| {
        (kind(a.facet).cmp(&kind(b.facet)))
            .then(b.value.saturating_abs().cmp(&a.value.saturating_abs()))
            .then(a.facet.cmp(&b.facet))
    });
    shares
}

/// How the values of samples whose innermost shown frame is one of `frames` spread over frames:
/// largest first.
pub fn line_shares(
    filtered: &Filtered,
    metric: MetricId,
    contexts: impl Fn(ContextId) -> bool,
    frames: impl Fn(u32) -> bool,
) -> Vec<(u32, i64)> {
    let mut by_frame = HashMap::<u32, i64>::new();
    for (context, row) in filtered.self_values().iter() {
        if !contexts(context) {
            continue;
        }
        if let Some((_, frame)) = filtered.innermost_shown(context, None)
            && frames(frame)
        {
            let sum = by_frame.entry(frame).or_default();
            *sum = sum.saturating_add(row[metric.index()]);
        }
    }
    let mut shares: Vec<_> = by_frame.into_iter().collect();
    shares.sort_by_key(|&(frame, value)| (std::cmp::Reverse(value.saturating_abs()), frame));
    shares
}
