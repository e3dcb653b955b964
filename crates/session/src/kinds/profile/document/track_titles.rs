//! How tracks and recordings are called.

use profile::{FrameId, MemberId, TrackId, TrackKind};

use crate::kinds::profile::ProfileDocument;

/// How a track is called, and of which recording it is where there are several.
pub(crate) fn track_title(document: &ProfileDocument, track: TrackId) -> String {
    let timeline = &document.profile.timeline;
    let name = match timeline.beside(track) {
        Some(base) => format!("{}, {}", track_name(document, base), track_name(document, track)),
        None => track_name(document, track),
    };
    of_recording(document, name, timeline.tracks[track.index()].member)
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
