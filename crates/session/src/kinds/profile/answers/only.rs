//! Filters that keep one thread or one process alone.

use std::collections::HashMap;

use analysis::Facet;
use profile::{MemberId, ProcessId, Profile, ThreadId, TrackId};

use super::details::facet_pattern;

/// Per track, label filters that together keep its thread or its process alone. Filters know names: where
/// two threads have the same, the process and the recording may tell them apart. Empty where nothing does.
pub(super) fn only_filters(profile: &Profile) -> impl Fn(TrackId) -> Vec<String> {
    let thread_name = |thread: ThreadId| profile.thread_name(thread);
    let process_name = |process: ProcessId| profile.process_name(process);
    let mut threads: HashMap<String, Vec<ThreadId>> = HashMap::new();
    for row in 0..profile.threads.len() as u32 {
        threads.entry(thread_name(ThreadId(row))).or_default().push(ThreadId(row));
    }
    let mut processes: HashMap<String, Vec<ProcessId>> = HashMap::new();
    for row in 0..profile.processes.len() as u32 {
        processes.entry(process_name(ProcessId(row))).or_default().push(ProcessId(row));
    }
    let mut members: HashMap<ThreadId, MemberId> = HashMap::new();
    for track in &profile.timeline.tracks {
        members.extend(track.thread.map(|thread| (thread, track.member)));
    }
    move |track| {
        let of = &profile.timeline.tracks[track.index()];
        let process_of = |thread: ThreadId| profile.threads[thread.index()].process;
        let Some(thread) = of.thread else {
            return match of.process {
                Some(process) if processes[&process_name(process)].len() == 1 => {
                    vec![facet_pattern(profile, Facet::Process(process))]
                }
                _ => vec![],
            };
        };
        let mut alike: Vec<ThreadId> = threads[&thread_name(thread)].clone();
        let mut filters = vec![facet_pattern(profile, Facet::Thread(thread))];
        if alike.len() > 1
            && let Some(process) = process_of(thread)
        {
            filters.push(facet_pattern(profile, Facet::Process(process)));
            let name = process_name(process);
            alike.retain(|&other| process_of(other).is_some_and(|one| process_name(one) == name));
        }
        if alike.len() > 1 && profile.members.len() > 1 {
            filters.push(facet_pattern(profile, Facet::Member(of.member)));
            let member = |member: MemberId| &profile.members[member.index()].name;
            alike.retain(|other| {
                members.get(other).is_none_or(|&other| member(other) == member(of.member))
            });
        }
        if alike.len() == 1 { filters } else { vec![] }
    }
}
