//! Which recorders there are.

use crate::Error;
use crate::left::{LeftFile, Time};
use crate::perf::Perf;
use crate::python::Python;
use crate::python_trace::PythonTrace;
use crate::recorder::Recorder;

/// All recorders.
pub const RECORDERS: &[&dyn Recorder] = &[&Perf, &Python, &PythonTrace, &LeftFile, &Time];

/// The recorder of a name.
///
/// # Errors
/// There is none.
pub fn recorder(name: &str) -> Result<&'static dyn Recorder, Error> {
    let found = RECORDERS.iter().find(|recorder| recorder.name() == name);
    found.copied().ok_or_else(|| {
        let known: Vec<_> = RECORDERS.iter().map(|recorder| recorder.name()).collect();
        Error::BadOptions(format!("there is no recorder '{name}', there are: {}", known.join(", ")))
    })
}
