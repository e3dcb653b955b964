//! Logs of V8's sampling profiler (`node --prof`, `d8 --prof`).

mod format;
mod names;
mod preprocessed;
mod text;

pub(crate) use format::FORMAT;
