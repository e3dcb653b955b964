//! speedscope's JSON, as specified by `src/lib/file-format-spec.ts` of speedscope.

mod format;
mod read;
mod write;

pub(crate) use format::FORMAT;
