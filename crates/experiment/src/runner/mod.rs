//! Who plans the runs of an experiment, has them run, and puts together what they measured.
#![allow(
    clippy::disallowed_methods,
    reason = "folders of the user and of this worker; untrusted programs do not write there"
)]

mod jobs_of;
mod recorded;
mod run;
mod workers;

pub use jobs_of::Planned;
pub use recorded::{failure_facts, host_facts};
pub use run::{Progress, ReportedFact, Runner, batch_of, body_of};
pub use workers::LocalWorkers;
