//! Threads and their processes, with the names that they had.

use hashbrown::HashMap;
use perfdata::Thread;
use profile::{Process, ProcessId, ProfileBuilder, StringId, ThreadId};

/// Threads and processes by their numbers. A process that became another program is another one
/// from then on, if it was sampled before.
#[derive(Default)]
pub(super) struct Tasks {
    threads: HashMap<Thread, Task>,
    processes: HashMap<u32, ProcessId>,
    /// Names that threads got before they were sampled.
    names: HashMap<u32, StringId>,
    /// Threads that had another name while they were sampled, with that name.
    pub(super) renamed: Vec<(ThreadId, StringId)>,
}

/// One on each processor, all of one number.
const IDLE: Thread = Thread { pid: 0, tid: 0 };

struct Task {
    id: ThreadId,
    name: StringId,
}

impl Tasks {
    pub(super) fn heap_bytes(&self) -> usize {
        (self.threads.len() + self.processes.len() + self.names.len()) * 48
    }

    /// A thread of the profile; it appears with its first sample.
    pub(super) fn of(&mut self, thread: Thread, builder: &mut ProfileBuilder) -> ThreadId {
        if let Some(task) = self.threads.get(&thread) {
            return task.id;
        }
        self.name_idle(thread, builder);
        let name = self.name(thread);
        let process = self.process(thread, name, builder);
        let id = builder.strings.intern(&thread.tid.to_string());
        builder.threads.push(profile::Thread { process: Some(process), id, name });
        let id = ThreadId(builder.threads.len() as u32 - 1);
        self.threads.insert(thread, Task { id, name });
        id
    }

    /// Threads that were sampled since their process is the program that it is.
    pub(super) fn sampled(&self) -> impl Iterator<Item = (Thread, ThreadId)> + '_ {
        self.threads.iter().map(|(thread, task)| (*thread, task.id))
    }

    /// The name of a thread as it is known now; one that never got a name has its process's.
    pub(super) fn name(&self, thread: Thread) -> StringId {
        let known = self.names.get(&thread.tid).or_else(|| self.names.get(&thread.pid));
        known.copied().unwrap_or_default()
    }

    /// What runs where nothing does is called as perf does: it says its name nowhere.
    fn name_idle(&mut self, thread: Thread, builder: &mut ProfileBuilder) {
        if thread == IDLE {
            let strings = &mut builder.strings;
            self.names.entry(IDLE.tid).or_insert_with(|| strings.intern("swapper"));
        }
    }

    fn process(
        &mut self,
        thread: Thread,
        name: StringId,
        builder: &mut ProfileBuilder,
    ) -> ProcessId {
        let main = self.names.get(&thread.pid).copied().unwrap_or(name);
        *self.processes.entry(thread.pid).or_insert_with(|| {
            let id = builder.strings.intern(&thread.pid.to_string());
            builder.processes.push(Process { id, name: main });
            ProcessId(builder.processes.len() as u32 - 1)
        })
    }

    /// A thread got a name, perhaps because its process became another program.
    pub(super) fn rename(
        &mut self,
        thread: Thread,
        name: &[u8],
        is_exec: bool,
        builder: &mut ProfileBuilder,
    ) {
        let name = builder.strings.intern(&perfdata::text(name));
        self.names.insert(thread.tid, name);
        if is_exec {
            self.threads.retain(|known, _| known.pid != thread.pid);
            self.processes.remove(&thread.pid);
            return;
        }
        let Some(task) = self.threads.get_mut(&thread) else { return };
        if task.name != name {
            self.renamed.push((task.id, task.name));
            task.name = name;
            builder.threads[task.id.index()].name = name;
            if thread.pid == thread.tid
                && let Some(process) = self.processes.get(&thread.pid)
            {
                builder.processes[process.0 as usize].name = name;
            }
        }
    }

    /// A thread began; it has its parent's name until it gets its own.
    pub(super) fn fork(&mut self, child: Thread, parent: Thread) {
        // The number may have been another thread's.
        self.threads.remove(&child);
        if child.pid == child.tid {
            self.processes.remove(&child.pid);
        }
        if let Some(&name) = self.names.get(&parent.tid).or_else(|| self.names.get(&parent.pid)) {
            self.names.insert(child.tid, name);
        }
    }
}
