//! What is not sure of estimates.

use crate::Warnings;

/// What could not be estimated.
#[derive(Debug, Default)]
pub(super) struct Doubts {
    /// Samples of switched-off functions whose callers are not those of the trace then.
    pub(super) unfitting: u64,
    /// Samples in which a function is called by one that never called it while that was traced.
    pub(super) torn: u64,
    /// Samples of them while a function of C ran that they called.
    pub(super) in_c: u64,
    /// Time that found no place, nanoseconds.
    pub(super) unpaid: i64,
}

impl Doubts {
    pub(super) fn tell(&self, warnings: &mut Warnings) {
        let mut tell = |kind, count: u64, message: &str| {
            if count > 0 {
                warnings.add_many(kind, count, || message.to_owned());
            }
        };
        tell(
            "samples that do not fit",
            self.unfitting,
            "samples of switched-off functions whose callers are not those of the trace at that time: what they \
             stand for stays with the callers",
        );
        tell(
            "torn samples",
            self.torn,
            "samples in which a switched-off function is called by one that never called it while it was traced: \
             stacks change while they are read, and what these stand for stays with the callers",
        );
        tell(
            "samples in C",
            self.in_c,
            "samples of switched-off functions that called a function of C which was traced: its time is its own, \
             and its caller in the tree is theirs",
        );
        if self.unpaid > 0 {
            let time = self.unpaid;
            warnings.add("unpaid", || {
                format!(
                    "{time} ns of switched-off functions found no place below their callers, whose time in all is \
                     less than the samples stand for"
                )
            });
        }
    }
}
