//! The queue of experiments: jobs that wait, who runs them, and how they ended.
//!
//! ```text
//! add --> waiting --claim--> running --finish--> ended: done, failed, cancelled
//!            ^  ^               |
//!            |  +--- back-off --+-- finish(Retry), at most MOST_ATTEMPTS times
//!            +------ again -----+-- lease ended: the next claim is the next attempt
//! ```
//!
//! Each job is run at least once and ends exactly once: a claim carries a fence, and who holds an
//! older one is refused. [`JobStore`] is the whole interface; behind it is a folder of this machine
//! (SQLite and files) or a NATS server, which many machines reach. A store knows nothing of what jobs
//! do: bodies, facts and blobs are bytes to it.

#![cfg(target_os = "linux")]

mod claim;
mod clock;
mod error;
mod hex;
mod job;
mod key;
#[cfg(feature = "nats")]
mod nats;
mod open;
mod sqlite;
mod state;
mod status;
mod store;

pub use claim::{Beat, Claim, Class, Outcome, Piece, Progress};
pub use clock::{Clock, Moment, SystemClock};
pub use error::Error;
pub use job::{ARCHITECTURE, INTERPRETER, Job, MACHINE, Needs, Offers, Worker};
pub use key::{Hash, Key};
#[cfg(feature = "nats")]
pub use nats::NatsStore;
pub use open::{Connect, Credentials, open};
pub use sqlite::FolderStore;
pub use status::{Counts, Cursor, End, Ended, JobStatus, LogPart, Phase, Which, WorkerStatus};
pub use store::{
    BACK_OFF, JobStore, MOST_ATTEMPTS, MOST_BODY, MOST_ENDED, MOST_FACTS, MOST_LOG, MOST_OUTPUT,
};
