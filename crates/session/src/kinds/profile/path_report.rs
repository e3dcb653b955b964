//! The critical path of a span, as a list.

use analysis::{PathPart, critical_path};
use profile::{FrameId, TrackId};
use protocol::ProtocolError;

use super::{ProfileDocument, ViewOptions, convert};

/// The critical path of a span.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathReport {
    /// The span.
    pub span: String,
    /// Its track.
    pub track: String,
    /// When it begins and ends, in nanoseconds.
    pub extent: [i64; 2],
    /// The pieces by time, at most as many as asked for.
    pub pieces: Vec<PathRow>,
    /// How many there are.
    pub all: usize,
}

/// A piece of a critical path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathRow {
    /// The track; of a flow the one where it arrives.
    pub track: String,
    /// Begin and end, in nanoseconds.
    pub extent: [i64; 2],
    /// `span`, `waiting` where nothing ran, or `flow`.
    pub kind: &'static str,
    /// Name of the span or flow; may be empty.
    pub name: String,
}

impl ProfileDocument {
    /// The critical path of the longest span that filters keep, or of those that `During` names; none if
    /// there is no such span.
    pub fn path_report(
        &self,
        options: &ViewOptions,
        limit: usize,
    ) -> Result<Option<PathReport>, ProtocolError> {
        let filtered = self.filtered_by(options).map_err(convert::filter_error)?;
        let path = critical_path(&filtered, &options.filters).map_err(convert::filter_error)?;
        let Some(path) = path else { return Ok(None) };
        let profile = self.profile();
        let name = |row: usize| {
            let point = profile.timeline.spans.point(row).index();
            let frame = profile.frames_of(profile.points.context[point]).next_back();
            frame.map_or(String::new(), |frame| profile.frame_name(FrameId(frame)).into_owned())
        };
        let rows = path.pieces.iter().take(limit).map(|piece| {
            let (kind, name) = match piece.part {
                PathPart::Span(row) => ("span", name(row)),
                PathPart::Waiting => ("waiting", String::new()),
                PathPart::Flow(name) => ("flow", profile.text(name).to_owned()),
            };
            let extent = [piece.begin, piece.end];
            PathRow { track: self.track_name(piece.track), extent, kind, name }
        });
        let span = profile.timeline.spans.get(path.span);
        let track = (0..profile.timeline.tracks.len() as u32).map(TrackId);
        let track = track
            .filter(|&track| profile.timeline.spans.of_track(track).contains(&path.span))
            .map(|track| self.track_name(track))
            .next();
        Ok(Some(PathReport {
            span: name(path.span),
            track: track.unwrap_or_default(),
            extent: [span.begin, span.end()],
            pieces: rows.collect(),
            all: path.pieces.len(),
        }))
    }
}
