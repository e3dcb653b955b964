//! What a thread and its process are called.

use profile::{ProcessId, ProfileBuilder, ThreadId};

#[derive(Default)]
pub(super) struct ThreadNames {
    pub(super) name: String,
    pub(super) process: String,
    pub(super) process_type: String,
    pub(super) pid: String,
    pub(super) tid: String,
}

impl ThreadNames {
    /// Adds both to a profile. Identifiers that the file does not tell are `process` and the number of
    /// the thread.
    pub(super) fn tell(
        &self,
        process: &str,
        thread: usize,
        builder: &mut ProfileBuilder,
    ) -> (ProcessId, ThreadId) {
        let of = builder.process(if self.pid.is_empty() { process } else { &self.pid });
        let name = if self.process.is_empty() { &self.process_type } else { &self.process };
        builder.processes[of.index()].name = builder.strings.intern(name);
        let tid = if self.tid.is_empty() { thread.to_string() } else { self.tid.clone() };
        let id = builder.thread(Some(of), &tid);
        builder.threads[id.index()].name = builder.strings.intern(&self.name);
        (of, id)
    }
}
