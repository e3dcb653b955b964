//! Features: what the header tells beside events and records. Their layouts are those of
//! `tools/perf/Documentation/perf.data-file-format.txt`.

mod features;
mod machine;

pub(crate) use features::number;
pub use features::{BuildId, Features, Group};
pub use machine::{Cache, ClockData, CpuPlace, CpuTopology, MemoryBlocks, NumaNode, Pmu};
