//! The time between spans, as a list.

use analysis::{Lengths, SpanGaps, span_gaps};
use protocol::ProtocolError;

use super::{ProfileDocument, ViewOptions, convert};

/// Gaps between spans of one name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GapRow {
    /// Name of the spans.
    pub name: String,
    /// Source file; may be empty.
    pub file: String,
    /// On lanes, where they may overlap.
    pub is_asynchronous: bool,
    /// How many gaps there are.
    pub count: u64,
    /// The sum of their lengths in nanoseconds.
    pub total: i64,
    /// Quantiles of their lengths.
    pub lengths: Lengths,
    /// When the longest began, in nanoseconds, and the name of its track, with the recording where there
    /// are several.
    pub longest: (i64, String),
}

impl ProfileDocument {
    /// Gaps between spans by name, those of the largest sum first, at most `limit`; also how many names
    /// have some.
    pub fn gaps_report(
        &self,
        options: &ViewOptions,
        limit: usize,
    ) -> Result<(Vec<GapRow>, usize), ProtocolError> {
        let filtered = self.filtered_by(options).map_err(convert::filter_error)?;
        let all = span_gaps(&filtered);
        Ok((all.iter().take(limit).map(|one| self.gap_row(one)).collect(), all.len()))
    }

    fn gap_row(&self, one: &SpanGaps) -> GapRow {
        let profile = self.profile();
        GapRow {
            name: profile.text(one.name).to_owned(),
            file: profile.text(one.file).to_owned(),
            is_asynchronous: one.is_asynchronous,
            count: one.count,
            total: one.total,
            lengths: one.lengths,
            longest: (
                profile.timeline.track_on_axis(one.longest.1, one.longest.0),
                self.track_title(one.longest.1),
            ),
        }
    }
}
