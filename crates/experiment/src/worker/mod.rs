//! Who runs jobs, one at a time.

mod apart;
mod execute;
mod heart;
mod isolated;
mod place;
mod serve;
mod turn;
mod watch;

pub use apart::{ReadRecording, Task};
pub(crate) use serve::BATCH;
pub use serve::{Host, Worker, WorkerOptions};
