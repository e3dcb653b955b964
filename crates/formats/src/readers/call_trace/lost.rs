//! What a trace does not tell.

use crate::Warnings;

/// What could not be told as it was.
#[derive(Debug, Default)]
pub(super) struct Lost {
    /// Events that were not written.
    pub(super) events: u64,
    /// Calls that began before the trace did.
    pub(super) not_begun: u64,
    /// Calls whose end was not seen, of functions that were switched off, and of others.
    pub(super) not_ended: u64,
    pub(super) not_ended_demoted: u64,
    /// Calls that ran when their function was switched off, of those that samples tell of.
    pub(super) estimated: u64,
    /// Calls that ran when the trace ended.
    pub(super) open: u64,
    /// Contexts whose time is less than what tracing their calls takes, and how much that is in all,
    /// in nanoseconds.
    pub(super) held_at_0: u64,
    pub(super) beyond_0_ns: u64,
}

impl Lost {
    pub(super) fn tell(&self, warnings: &mut Warnings) {
        let mut tell = |kind, count: u64, message: &str| {
            if count > 0 {
                warnings.add_many(kind, count, || message.to_owned());
            }
        };
        tell(
            "gap",
            self.events,
            "events that were lost because the disk did not keep up: calls that were open end where the gap begins",
        );
        tell(
            "not begun",
            self.not_begun,
            "calls that began before the trace did are not counted; what they called is",
        );
        tell(
            "not ended",
            self.not_ended,
            "calls whose end was not seen end with the call around them",
        );
        tell(
            "not ended, switched off",
            self.not_ended_demoted,
            "calls that ran when their function was switched off end with the call around them: they lasted at \
             most so long",
        );
        tell(
            "estimated from there",
            self.estimated,
            "calls that ran when their function was switched off end there: what they did then is estimated",
        );
        tell(
            "open",
            self.open,
            "calls that ran when the trace ended: they lasted at least so long",
        );
    }

    /// What the correction could not take away.
    pub(super) fn correction(&self) -> Option<String> {
        (self.held_at_0 > 0).then(|| {
            format!(
                "corrected time: {} contexts would be below 0 and are held there, {} ns in all",
                self.held_at_0, self.beyond_0_ns
            )
        })
    }
}
