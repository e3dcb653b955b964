//! Two profiles as one: what changed.

pub(super) mod matches;
pub(super) mod normalised;
pub(super) mod parts;
pub(super) mod report;
pub(super) mod tests_of_runs;
pub(super) mod time_changes;
