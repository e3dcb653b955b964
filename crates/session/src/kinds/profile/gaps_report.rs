//! The time between spans, and how much was open at once, as lists.

use analysis::{ConcurrencyOf, Lengths, concurrency, counted_time, span_gaps};
use profile::MemberId;
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
    /// When the longest began, in nanoseconds, and the name of its track.
    pub longest: (i64, String),
}

/// How many of something there were at once.
#[derive(Debug, Clone, PartialEq)]
pub struct ConcurrencyRow {
    /// Of what: `threads` of a process, `operations` of a lane, or `spans` or `asynchronous spans` of a
    /// name.
    pub of: &'static str,
    /// Which one.
    pub name: String,
    /// Source file of spans; may be empty.
    pub file: String,
    /// The most at once.
    pub most: u64,
    /// When there were so many first, in nanoseconds.
    pub most_at: i64,
    /// For how many nanoseconds in all.
    pub most_for: i64,
    /// Nanoseconds with one at least.
    pub busy: i64,
    /// The mean over the time that counts.
    pub mean: f64,
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
        let profile = self.profile();
        let rows = all.iter().take(limit).map(|one| GapRow {
            name: profile.text(one.name).to_owned(),
            file: profile.text(one.file).to_owned(),
            is_asynchronous: one.is_asynchronous,
            count: one.count,
            total: one.total,
            lengths: one.lengths,
            longest: (one.longest.0, self.track_name(one.longest.1)),
        });
        Ok((rows.collect(), all.len()))
    }

    /// How much was open at once: processes, lanes, then names; at most `limit`; also how many rows there
    /// are.
    pub fn concurrency_report(
        &self,
        options: &ViewOptions,
        limit: usize,
    ) -> Result<(Vec<ConcurrencyRow>, usize), ProtocolError> {
        let filtered = self.filtered_by(options).map_err(convert::filter_error)?;
        let all = concurrency(&filtered);
        let profile = self.profile();
        let member = |member: MemberId| match profile.members.get(member.index()) {
            Some(of) if profile.members.len() > 1 => format!(" of {}", of.name),
            _ => String::new(),
        };
        let rows = all.iter().take(limit).map(|one| {
            let (of, name, file) = match one.of {
                ConcurrencyOf::Process(process, of) => {
                    let name = match process {
                        Some(process) => profile.process_name(process),
                        None => "all threads".to_owned(),
                    };
                    ("threads", name + &member(of), String::new())
                }
                ConcurrencyOf::Lane(lane) => ("operations", self.track_name(lane), String::new()),
                ConcurrencyOf::Name(name, file, is_asynchronous, of) => {
                    let what = if is_asynchronous { "asynchronous spans" } else { "spans" };
                    let name = profile.text(name).to_owned() + &member(of);
                    (what, name, profile.text(file).to_owned())
                }
            };
            let analysis::Concurrency { most, most_at, most_for, busy, mean, .. } = *one;
            ConcurrencyRow { of, name, file, most, most_at, most_for, busy, mean }
        });
        Ok((rows.collect(), all.len()))
    }

    /// How many nanoseconds of the recording filters leave.
    pub fn counted_time(&self, options: &ViewOptions) -> Result<i64, ProtocolError> {
        let filtered = self.filtered_by(options).map_err(convert::filter_error)?;
        Ok(counted_time(&filtered))
    }
}
