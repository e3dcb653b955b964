//! The profiles that came before pprof's own format: gperftools' processor, heap, growth and
//! contention profiles, dumps of threads, what Go's `runtime/pprof` writes as text, and their Java
//! cousins. Read as pprof reads them (`profile/legacy_profile.go`), and with the names that Go and
//! dumps of threads write beside addresses.

mod binary;
mod format;
mod mappings;
mod text;

pub(crate) use format::FORMAT;
