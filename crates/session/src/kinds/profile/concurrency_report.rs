//! How much was open at once, as a list.

use analysis::{Concurrency, ConcurrencyOf, concurrency, counted_time};
use protocol::ProtocolError;

use super::{ProfileDocument, ViewOptions, convert};

/// How many of something there were at once.
#[derive(Debug, Clone, PartialEq)]
pub struct ConcurrencyRow {
    /// Of what: `threads` of a process, `operations` of a lane, or `spans` or `asynchronous spans` of a
    /// name.
    pub of: &'static str,
    /// Which one, with the recording where there are several.
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
    /// How much was open at once: processes, lanes, then names; at most `limit`; also how many rows there
    /// are.
    pub fn concurrency_report(
        &self,
        options: &ViewOptions,
        limit: usize,
    ) -> Result<(Vec<ConcurrencyRow>, usize), ProtocolError> {
        let filtered = self.filtered_by(options).map_err(convert::filter_error)?;
        let all = concurrency(&filtered);
        Ok((all.iter().take(limit).map(|one| self.concurrency_row(one)).collect(), all.len()))
    }

    pub(super) fn concurrency_row(&self, one: &Concurrency) -> ConcurrencyRow {
        let profile = self.profile();
        let (of, name, file) = match one.of {
            ConcurrencyOf::Process(process, of) => {
                let name = match process {
                    Some(process) => profile.process_name(process),
                    None => "all threads".to_owned(),
                };
                ("threads", self.of_recording(name, of), String::new())
            }
            ConcurrencyOf::Lane(lane) => ("operations", self.track_title(lane), String::new()),
            ConcurrencyOf::Name(name, file, is_asynchronous, of) => {
                let what = if is_asynchronous { "asynchronous spans" } else { "spans" };
                let name = self.of_recording(profile.text(name).to_owned(), of);
                (what, name, profile.text(file).to_owned())
            }
        };
        let Concurrency { most, most_for, busy, mean, .. } = *one;
        let member = one.of.member(self.profile());
        let most_at = self.profile().timeline.on_axis(member, one.most_at);
        ConcurrencyRow { of, name, file, most, most_at, most_for, busy, mean }
    }

    /// How many nanoseconds of the recording filters leave.
    pub fn counted_time(&self, options: &ViewOptions) -> Result<i64, ProtocolError> {
        let filtered = self.filtered_by(options).map_err(convert::filter_error)?;
        Ok(counted_time(&filtered))
    }
}
