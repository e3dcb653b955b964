//! Names of profiles that hold a thread or a metric.

/// A thread as py-spy names it.
pub(super) struct InName<'a> {
    pub(super) process: Option<&'a str>,
    pub(super) thread: &'a str,
    pub(super) name: &'a str,
}

/// The parts of `Process 12 Thread 34 "name"`, as py-spy writes it.
pub(super) fn thread_in(text: &str) -> Option<InName<'_>> {
    let (process, rest) = match text.strip_prefix("Process ") {
        Some(rest) => rest.split_once(' ').map(|(id, rest)| (Some(id), rest))?,
        None => (None, text),
    };
    let (thread, name) = rest.strip_prefix("Thread ")?.split_once(' ')?;
    let name = name.strip_prefix('"')?.strip_suffix('"')?;
    Some(InName { process, thread, name })
}

/// The metric and the thread of `CPU time profile for 12:0:34`, as austin names profiles.
pub(super) fn split_metric(name: &str) -> Option<(&str, &str)> {
    name.split_once(" profile for ").filter(|(metric, _)| {
        ["CPU time", "Wall time", "Memory allocation", "Memory deallocation"].contains(metric)
    })
}
