//! How documents are made: read, built, merged, aligned, with names for addresses.

pub(super) mod aligned;
pub(super) mod built;
pub(super) mod collect;
pub(super) mod demangle;
pub(super) mod failed_runs;
pub(super) mod settings;
pub(super) mod shared_machine;
pub(super) mod split;
pub(super) mod symbolise;
