//! What tracepoints tell: the formats of their fields, which the kernel prints as text and perf
//! copies into the file, and the values in a sample's raw bytes.

mod flags;
mod format;
mod tracing_data;
mod value;

pub use flags::Names;
pub use format::{Field, Format};
pub use tracing_data::TracingData;
pub use value::Value;
