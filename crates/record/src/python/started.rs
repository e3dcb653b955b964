//! Threads that have a state, and have not started yet.

use std::collections::HashSet;

use py_spy::StackTrace;

/// Of each thread one trace. Until a new thread gets a processor for the first time, its state has no frame, and
/// the number of the thread that creates it (up to Python 3.11) or none (later): its time would count for that
/// thread, too.
pub(super) fn started(mut traces: Vec<StackTrace>) -> Vec<StackTrace> {
    // The interpreter lists the newest first.
    let mut seen = HashSet::new();
    let mut is_kept = vec![false; traces.len()];
    for has_frames in [true, false] {
        for (at, trace) in traces.iter().enumerate().rev() {
            if trace.frames.is_empty() != has_frames && trace.thread_id != 0 {
                is_kept[at] |= seen.insert(trace.thread_id);
            }
        }
    }
    let mut is_kept = is_kept.into_iter();
    traces.retain(|_| is_kept.next() == Some(true));
    traces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trace(thread_id: u64, frames: &[&str], number: u64) -> StackTrace {
        let frame = |name: &&str| py_spy::Frame {
            name: (*name).to_owned(),
            filename: String::new(),
            module: None,
            short_filename: None,
            line: 1,
            locals: None,
            is_entry: false,
            is_shim_entry: false,
        };
        StackTrace {
            pid: 1,
            thread_id,
            thread_name: None,
            os_thread_id: Some(number),
            active: true,
            owns_gil: false,
            frames: frames.iter().map(frame).collect(),
            process_info: None,
        }
    }

    #[test]
    fn a_thread_that_has_not_started_is_not_the_one_that_creates_it() {
        let kept = |traces: Vec<StackTrace>| -> Vec<(u64, usize)> {
            started(traces).iter().map(|trace| (trace.thread_id, trace.frames.len())).collect()
        };
        let creator = || trace(7, &["start", "main"], 70);
        assert_eq!(kept(vec![trace(7, &[], 70), creator()]), [(7, 2)]);
        assert_eq!(kept(vec![trace(0, &[], 0), trace(8, &["f"], 80), creator()]), [(8, 1), (7, 2)]);
        // A thread of C that waits has no frame, and is the older one.
        assert_eq!(kept(vec![trace(7, &[], 71), trace(7, &[], 70)]), [(7, 0)]);
        assert_eq!(kept(vec![]), []);
    }
}
