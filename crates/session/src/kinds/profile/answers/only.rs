//! Filters that keep one thread or one process alone.

use std::collections::{HashMap, HashSet};
use std::convert::Infallible;
use std::sync::Arc;

use analysis::Facet;
use profile::{LabelValue, MemberId, ProcessId, Profile, ThreadId, TrackId};

use super::details::{facet_pattern, facet_value};
use crate::ProfileDocument;
use crate::kept::Question;

/// Where something was measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Place {
    thread: ThreadId,
    process: Option<ProcessId>,
    /// None where recordings are not told apart.
    member: Option<MemberId>,
}

/// Which threads and processes of a profile filters can tell apart. Filters know names: where two threads
/// have the same, the process and the recording may tell them apart.
#[derive(Debug)]
pub(super) struct Only {
    /// By the keys and values of filters that are used together, what they keep.
    kept: HashMap<Vec<(&'static str, String)>, Vec<Place>>,
    /// Values of labels that the same filters match, by their keys.
    labels: HashMap<&'static str, HashSet<String>>,
    has_members: bool,
}

#[derive(PartialEq, Eq, Hash)]
struct OnlyQuestion;

impl Question for OnlyQuestion {
    type Answer = Only;
    const KEPT: usize = 1;
}

impl Only {
    /// Those of a document, kept for the next question.
    pub(super) fn of_document(document: &ProfileDocument) -> Arc<Only> {
        let is_comparison = document.comparison().is_some();
        let made = || Ok::<_, Infallible>(Only::new(document.profile(), is_comparison));
        let Ok(only) = document.kept().answer(OnlyQuestion, made);
        only
    }

    /// A filter of one side leaves nothing to compare with: sides of a comparison are not told apart.
    fn new(profile: &Profile, is_comparison: bool) -> Only {
        let has_members = profile.members.len() > 1 && !is_comparison;
        let place = |thread: ThreadId, member: MemberId| Place {
            thread,
            process: profile.threads[thread.index()].process,
            member: has_members.then_some(member),
        };
        let mut places = HashSet::new();
        if has_members {
            let mut last = None;
            for point in 0..profile.points.len() {
                let at = (profile.points.thread(point), profile.points.member(point));
                if let (Some(thread), member) = at
                    && last.replace(at) != Some(at)
                {
                    places.insert(place(thread, member));
                }
            }
            for track in &profile.timeline.tracks {
                places.extend(track.thread.map(|thread| place(thread, track.member)));
            }
        } else {
            let threads = (0..profile.threads.len() as u32).map(ThreadId);
            places.extend(threads.map(|thread| place(thread, MemberId(0))));
        }
        let mut kept: HashMap<_, Vec<Place>> = HashMap::new();
        for place in places {
            let thread = Some(Facet::Thread(place.thread));
            let process = place.process.map(Facet::Process);
            let member = place.member.map(Facet::Member);
            // As `alone` tries them.
            for facets in [
                [thread, None, None],
                [thread, process, None],
                [thread, member, None],
                [thread, process, member],
                [process, None, None],
                [process, member, None],
            ] {
                let facets: Vec<Facet> = facets.into_iter().flatten().collect();
                let places = kept.entry(names(profile, &facets)).or_default();
                if places.last() != Some(&place) {
                    places.push(place);
                }
            }
        }
        Only { kept, labels: labels(profile), has_members }
    }

    /// Label filters that together keep the thread of a track alone, or its process where it has no thread.
    /// Empty where it has neither, or where no filters do.
    pub(super) fn of_track(&self, profile: &Profile, track: TrackId) -> Vec<String> {
        let of = &profile.timeline.tracks[track.index()];
        let member = self.has_members.then_some(of.member);
        match (of.thread, of.process) {
            (Some(thread), _) => self.of_thread(profile, thread, member),
            (None, Some(process)) => self.of_process(profile, process, member),
            (None, None) => vec![],
        }
    }

    /// The same of a thread; of all recordings where `member` is none.
    pub(super) fn of_thread(
        &self,
        profile: &Profile,
        thread: ThreadId,
        member: Option<MemberId>,
    ) -> Vec<String> {
        let process = profile.threads[thread.index()].process;
        let further = [process.map(Facet::Process), member.map(Facet::Member)];
        self.alone(profile, Facet::Thread(thread), further, |place| {
            place.thread == thread && (member.is_none() || place.member == member)
        })
    }

    /// The same of a process.
    pub(super) fn of_process(
        &self,
        profile: &Profile,
        process: ProcessId,
        member: Option<MemberId>,
    ) -> Vec<String> {
        let further = [member.map(Facet::Member), None];
        self.alone(profile, Facet::Process(process), further, |place| {
            place.process == Some(process) && (member.is_none() || place.member == member)
        })
    }

    /// Filters of a facet and of as many further ones as keep only what is meant.
    fn alone(
        &self,
        profile: &Profile,
        first: Facet,
        further: [Option<Facet>; 2],
        is_meant: impl Fn(&Place) -> bool,
    ) -> Vec<String> {
        let is_alone = |facets: &[Facet]| {
            let places = self.kept.get(&names(profile, facets));
            places.is_some_and(|places| places.iter().all(&is_meant))
        };
        let mut facets = vec![first];
        for facet in further.into_iter().flatten() {
            if !is_alone(&facets) {
                facets.push(facet);
            }
        }
        let is_label = |(key, value): (&'static str, String)| {
            self.labels.get(key).is_some_and(|values| values.contains(&value))
        };
        if !is_alone(&facets) || names(profile, &facets).into_iter().any(is_label) {
            return vec![];
        }
        facets.iter().map(|facet| facet_pattern(profile, *facet)).collect()
    }
}

/// The keys that filters know threads, processes and recordings by.
const KEYS: [&str; 3] = ["thread", "process", "member"];

/// The keys and values of facets.
fn names(profile: &Profile, facets: &[Facet]) -> Vec<(&'static str, String)> {
    let name = |facet: &Facet| {
        let key = KEYS.into_iter().find(|key| *key == facet.key(profile))?;
        Some((key, facet_value(profile, *facet)))
    };
    facets.iter().filter_map(name).collect()
}

/// Values of labels that a filter of a thread, a process or a recording matches, too.
fn labels(profile: &Profile) -> HashMap<&'static str, HashSet<String>> {
    let mut labels: HashMap<_, HashSet<String>> = HashMap::new();
    for label in profile.label_sets.all_labels() {
        let key = profile.text(label.key);
        if let Some(key) = KEYS.into_iter().find(|known| *known == key) {
            labels.entry(key).or_default().insert(match label.value {
                LabelValue::Text(text) => profile.text(text).to_owned(),
                LabelValue::Number(number, _) => number.to_string(),
            });
        }
    }
    labels
}
