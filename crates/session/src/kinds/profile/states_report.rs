//! What threads did when, as a list.

use analysis::{ThreadState, ThreadStateTime, thread_states};
use protocol::ProtocolError;

use super::{ProfileDocument, ViewOptions, convert};

/// How long a thread was in a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateRow {
    /// The thread, with the recording where there are several.
    pub thread: String,
    /// The state: `running`, `runnable`, what the scheduler calls it, `blocked`, `off processor` or
    /// `not measured`.
    pub state: String,
    /// The event that is a wait; empty for other states.
    pub event: String,
    /// The class of what it waits for; may be empty.
    pub by: String,
    /// Nanoseconds.
    pub time: i64,
    /// Of how many nanoseconds of the thread, all of its states together, where they were added up.
    pub counted: i64,
    /// In how many stretches.
    pub count: u64,
    /// The longest of them: its length and its begin.
    pub longest: [i64; 2],
}

impl ProfileDocument {
    /// The states of threads, at most `limit` rows; also how many there are.
    pub fn states_report(
        &self,
        options: &ViewOptions,
        limit: usize,
    ) -> Result<(Vec<StateRow>, usize), ProtocolError> {
        let all = self.thread_states(options)?;
        // All states of a thread add up to the time that counts there.
        let mut whole = std::collections::HashMap::<_, i64>::new();
        for one in &all {
            let sum = whole.entry((one.member, one.thread)).or_default();
            *sum = sum.saturating_add(one.time);
        }
        let row = |one: &ThreadStateTime| StateRow {
            counted: whole[&(one.member, one.thread)],
            ..self.state_row(one)
        };
        Ok((all.iter().take(limit).map(row).collect(), all.len()))
    }

    pub(super) fn thread_states(
        &self,
        options: &ViewOptions,
    ) -> Result<Vec<ThreadStateTime>, ProtocolError> {
        let chosen = self.filtered_by(options).map_err(convert::filter_error)?;
        let mut timeless = options.clone();
        timeless.filters.retain(|filter| !filter.kind.is_of_time());
        let filtered = self.filtered_by(&timeless).map_err(convert::filter_error)?;
        Ok(thread_states(&filtered, chosen.window()))
    }

    pub(super) fn state_row(&self, one: &ThreadStateTime) -> StateRow {
        let profile = self.profile();
        let (state, event, by) = match one.state {
            ThreadState::Running => ("running", "", ""),
            ThreadState::Runnable => ("runnable", "", ""),
            ThreadState::Waiting(text) => (profile.text(text), "", ""),
            ThreadState::Blocked(event, by) => ("blocked", profile.text(event), profile.text(by)),
            ThreadState::OffProcessor => ("off processor", "", ""),
            ThreadState::NotMeasured => ("not measured", "", ""),
        };
        StateRow {
            thread: self.of_recording(profile.thread_name(one.thread), one.member),
            state: state.to_owned(),
            event: event.to_owned(),
            by: by.to_owned(),
            time: one.time,
            counted: 0,
            count: one.count,
            longest: [one.longest[0], self.profile().timeline.on_axis(one.member, one.longest[1])],
        }
    }
}
