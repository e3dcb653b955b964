//! Python programs, every call of them or what they allocate: the package's tracer runs inside, in each process that
//! the command starts, and writes a file there; the files are put together. Where it switches functions off, samples
//! from outside ([`samples`], by [`crate::python`]'s sampler) see what they do then.

mod attach;
mod files;
mod package;
mod prepare;
mod recorder;
mod recording;
mod samples;
mod verify;

pub use package::has_tracer;
pub(crate) use recorder::PythonTrace;
