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
    by_thread: HashMap<String, Vec<Place>>,
    by_process: HashMap<String, Vec<Place>>,
    /// Labels that the same filters match.
    labels: HashSet<(&'static str, String)>,
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
        let mut only = Only {
            by_thread: HashMap::new(),
            by_process: HashMap::new(),
            labels: labels(profile),
            has_members,
        };
        for place in places {
            let name = profile.thread_name(place.thread);
            only.by_thread.entry(name).or_default().push(place);
            if let Some(process) = place.process {
                only.by_process.entry(profile.process_name(process)).or_default().push(place);
            }
        }
        only
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
        let Some(alike) = self.by_thread.get(&profile.thread_name(thread)) else { return vec![] };
        let is_meant =
            |place: &Place| place.thread == thread && (member.is_none() || place.member == member);
        let process = profile.threads[thread.index()].process;
        let mut facets = vec![Facet::Thread(thread)];
        let further = [process.map(Facet::Process), member.map(Facet::Member)];
        self.filters(profile, alike, is_meant, &mut facets, further)
    }

    /// The same of a process.
    pub(super) fn of_process(
        &self,
        profile: &Profile,
        process: ProcessId,
        member: Option<MemberId>,
    ) -> Vec<String> {
        let Some(alike) = self.by_process.get(&profile.process_name(process)) else {
            return vec![];
        };
        let is_meant = |place: &Place| {
            place.process == Some(process) && (member.is_none() || place.member == member)
        };
        let further = [member.map(Facet::Member), None];
        self.filters(profile, alike, is_meant, &mut vec![Facet::Process(process)], further)
    }

    /// Adds further facets until only what is meant is kept.
    fn filters(
        &self,
        profile: &Profile,
        alike: &[Place],
        is_meant: impl Fn(&Place) -> bool,
        facets: &mut Vec<Facet>,
        further: [Option<Facet>; 2],
    ) -> Vec<String> {
        let matches = |place: &Place, facet: &Facet| match *facet {
            Facet::Process(process) => place
                .process
                .is_some_and(|one| profile.process_name(one) == profile.process_name(process)),
            Facet::Member(member) => place.member.is_some_and(|one| {
                profile.members[one.index()].name == profile.members[member.index()].name
            }),
            // All that are alike have the name.
            _ => true,
        };
        let is_alone = |facets: &[Facet]| {
            let kept = |place: &&Place| facets.iter().all(|facet| matches(place, facet));
            alike.iter().filter(kept).all(&is_meant)
        };
        for facet in further.into_iter().flatten() {
            if !is_alone(facets) {
                facets.push(facet);
            }
        }
        let is_of_labels = |facet: &Facet| {
            let value = facet_value(profile, *facet);
            self.labels.iter().any(|(key, text)| *key == facet.key(profile) && *text == value)
        };
        if !is_alone(facets) || facets.iter().any(is_of_labels) {
            return vec![];
        }
        facets.iter().map(|facet| facet_pattern(profile, *facet)).collect()
    }
}

/// Labels that a filter of a thread, a process or a recording matches, too.
fn labels(profile: &Profile) -> HashSet<(&'static str, String)> {
    const KEYS: [&str; 3] = ["thread", "process", "member"];
    let text = |value: LabelValue| match value {
        LabelValue::Text(text) => profile.text(text).to_owned(),
        LabelValue::Number(number, _) => number.to_string(),
    };
    profile
        .label_sets
        .all_labels()
        .filter_map(|label| {
            let key = profile.text(label.key);
            let key = KEYS.into_iter().find(|known| *known == key)?;
            Some((key, text(label.value)))
        })
        .collect()
}
