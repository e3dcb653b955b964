//! What happened when.
//!
//! ```text
//! track   process > thread, task, processor, lane ...
//!   span     |-- main ----------------------|       begin, end; the point that counts it
//!             |-- read --|   |-- read --|
//!   mark              ^                             an instant with a kind
//!   counter  __/--\_____/--\__                      a series with a unit
//!   flow        \----------->                       from one place and time to another
//! ```
//! All is told in nanoseconds after the start of the member, as the times of points are. Profiles
//! without time have none of it, and it takes no memory there.

mod begins;
mod builder;
mod clock;
mod counters;
mod flows;
mod lengths;
mod marks;
mod samples;
mod shift;
mod spans;
mod spans_builder;
mod tables;
mod tracks;

pub use builder::TimelineBuilder;
pub(crate) use builder::TimelineCheckpoint;
pub use clock::Clock;
pub use counters::Counter;
pub use flows::{Flow, FlowEnd, MIGRATION};
pub use marks::{Mark, Marks};
pub use spans::{Span, Spans};
pub use spans_builder::SpansBuilder;
pub use tables::Timeline;
pub use tracks::{Track, TrackKind};
