//! How tracks and recordings are called.

use std::collections::{HashMap, HashSet};
use std::convert::Infallible;

use profile::{FrameId, MemberId, ProcessId, TrackId, TrackKind};

use crate::kept::Question;
use crate::kinds::profile::ProfileDocument;

/// The tracks whose names do not say of which process they are, though tracks of other processes have the
/// same name.
#[derive(PartialEq, Eq, Hash)]
struct AlikeTracks;

impl Question for AlikeTracks {
    type Answer = HashSet<TrackId>;
    const KEPT: usize = 1;
}

/// The process that a track is of, if it is not one itself.
pub(in crate::kinds::profile) fn process_of(
    document: &ProfileDocument,
    track: TrackId,
) -> Option<ProcessId> {
    let profile = document.profile();
    let of = &profile.timeline.tracks[track.index()];
    let of_thread = of.thread.and_then(|thread| profile.threads[thread.index()].process);
    of_thread.or(of.process).filter(|_| of.kind != TrackKind::Process)
}

fn alike_tracks(document: &ProfileDocument) -> HashSet<TrackId> {
    let tracks = &document.profile().timeline.tracks;
    let mut by_name: HashMap<(MemberId, String), Vec<(ProcessId, TrackId)>> = HashMap::new();
    for track in (0..tracks.len() as u32).map(TrackId) {
        if let Some(process) = process_of(document, track) {
            let name = (tracks[track.index()].member, track_name(document, track));
            by_name.entry(name).or_default().push((process, track));
        }
    }
    let of_several =
        by_name.into_values().filter(|all| all.iter().any(|(process, _)| *process != all[0].0));
    of_several.flatten().map(|(_, track)| track).collect()
}

/// How a track is called: with its process where other processes have a track of this name, and with its
/// recording where there are several.
pub(crate) fn track_title(document: &ProfileDocument, track: TrackId) -> String {
    let profile = document.profile();
    let mut name = name_beside(document, track);
    let Ok(alike) =
        document.kept().answer(AlikeTracks, || Ok::<_, Infallible>(alike_tracks(document)));
    if let Some(process) = process_of(document, track).filter(|_| alike.contains(&track)) {
        name = format!("{name} of {}", profile.process_name(process));
    }
    of_recording(document, name, profile.timeline.tracks[track.index()].member)
}

/// How a track is called below its process: with its recording where there are several.
pub(in crate::kinds::profile) fn title_below_process(
    document: &ProfileDocument,
    track: TrackId,
) -> String {
    let member = document.profile.timeline.tracks[track.index()].member;
    of_recording(document, name_beside(document, track), member)
}

/// The name of a track, behind that of the track that it stands beside.
fn name_beside(document: &ProfileDocument, track: TrackId) -> String {
    match document.profile.timeline.beside(track) {
        Some(base) => format!("{}, {}", track_name(document, base), track_name(document, track)),
        None => track_name(document, track),
    }
}

/// What is called so in a recording; the recording is named where there are several.
pub(in crate::kinds::profile) fn of_recording(
    document: &ProfileDocument,
    name: String,
    member: MemberId,
) -> String {
    match recording(document, member) {
        Some(of) => format!("{name} of {of}"),
        None => name,
    }
}

/// The name of a recording where there are several.
pub(in crate::kinds::profile) fn recording(
    document: &ProfileDocument,
    member: MemberId,
) -> Option<&str> {
    let of = document.profile.members.get(member.index());
    of.filter(|_| document.profile.members.len() > 1).map(|of| of.name.as_str())
}

/// How a track is called: by its own name, or that of its thread, processor or process.
pub fn track_name(document: &ProfileDocument, track: TrackId) -> String {
    let profile = document.profile();
    let track = &profile.timeline.tracks[track.index()];
    match (profile.text(track.name), track.thread, track.cpu, track.process) {
        ("", Some(thread), ..) => profile.thread_name(thread),
        ("", None, Some(cpu), _) => format!("processor {cpu}"),
        ("", None, None, Some(process)) => profile.process_name(process),
        ("", None, None, None) if track.kind == TrackKind::Thread => "all samples".to_owned(),
        ("", None, None, None) => format!("unnamed {}", track.kind.name()),
        (name, ..) => name.to_owned(),
    }
}

/// The name of the innermost frame of a span.
pub(in crate::kinds::profile) fn span_name(document: &ProfileDocument, row: usize) -> String {
    let profile = document.profile();
    let point = profile.timeline.spans.point(row).index();
    let frame = profile.frames_of(profile.points.context[point]).next_back();
    frame.map_or(String::new(), |frame| profile.frame_name(FrameId(frame)).into_owned())
}

/// The track that a span is on.
pub(in crate::kinds::profile) fn track_of_span(
    document: &ProfileDocument,
    row: usize,
) -> Option<TrackId> {
    let timeline = &document.profile().timeline;
    let mut tracks = (0..timeline.tracks.len() as u32).map(TrackId);
    tracks.find(|&track| timeline.spans.of_track(track).contains(&row))
}
