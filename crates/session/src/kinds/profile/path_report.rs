//! The critical path of a span, as a list.

use analysis::{CriticalPath, PathPart, PathPiece, critical_path};
use profile::{FrameId, TrackId};
use protocol::ProtocolError;

use super::{ProfileDocument, ViewOptions, convert};

/// The critical path of a span.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathReport {
    /// The span.
    pub span: String,
    /// Its track, with the recording where there are several.
    pub track: String,
    /// When it begins and ends, in nanoseconds.
    pub extent: [i64; 2],
    /// The pieces by time, at most as many as asked for.
    pub pieces: Vec<PathRow>,
    /// How many there are.
    pub all: usize,
    /// What is to be told of the path.
    pub notes: Vec<String>,
}

/// A piece of a critical path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathRow {
    /// The track, with the recording where there are several; of a flow the one where it arrives.
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
        let span = self.profile().timeline.spans.get(path.span);
        let mut notes = self.path_notes(&path, options);
        if !self.profile().timeline.clocks.is_empty() {
            notes.push("times on the path are the recording's own, not those of the axis".into());
        }
        Ok(Some(PathReport {
            span: self.span_name(path.span),
            track: self.track_of_span(path.span).map_or(String::new(), |at| self.track_title(at)),
            extent: [span.begin, span.end()],
            pieces: path.pieces.iter().take(limit).map(|piece| self.path_row(piece)).collect(),
            all: path.pieces.len(),
            notes,
        }))
    }

    pub(super) fn path_row(&self, piece: &PathPiece) -> PathRow {
        let (kind, name) = match piece.part {
            PathPart::Span(row) => ("span", self.span_name(row)),
            PathPart::Waiting => ("waiting", String::new()),
            PathPart::Flow(name) => ("flow", self.profile().text(name).to_owned()),
        };
        let extent = [piece.begin, piece.end];
        PathRow { track: self.track_title(piece.track), extent, kind, name }
    }

    /// What is to be told of a path.
    pub(super) fn path_notes(&self, path: &CriticalPath, options: &ViewOptions) -> Vec<String> {
        let mut notes = vec![];
        if options.filters.iter().any(|filter| filter.kind.is_of_time()) {
            notes.push(
                "filters of time choose the span and do not cut it: the path is of all of it"
                    .into(),
            );
        }
        if path.left_out > 0 {
            let (are, them) = match path.left_out {
                1 => ("1 asynchronous span was".to_owned(), "it"),
                many => (format!("{many} asynchronous spans were"), "one of them"),
            };
            notes.push(format!(
                "{are} not looked at for the longest span, and stand on the path only where a flow \
                 leads to {them}: keep the time during {them} for a path of its own"
            ));
        }
        if self.profile().timeline.flows.is_empty() {
            notes.push(
                "the recording tells of no flows between tracks: the path stays on one track"
                    .into(),
            );
        }
        notes
    }

    /// The name of the innermost frame of a span.
    pub(super) fn span_name(&self, row: usize) -> String {
        let profile = self.profile();
        let point = profile.timeline.spans.point(row).index();
        let frame = profile.frames_of(profile.points.context[point]).next_back();
        frame.map_or(String::new(), |frame| profile.frame_name(FrameId(frame)).into_owned())
    }

    /// The track that a span is on.
    pub(super) fn track_of_span(&self, row: usize) -> Option<TrackId> {
        let timeline = &self.profile().timeline;
        let mut tracks = (0..timeline.tracks.len() as u32).map(TrackId);
        tracks.find(|&track| timeline.spans.of_track(track).contains(&row))
    }
}
