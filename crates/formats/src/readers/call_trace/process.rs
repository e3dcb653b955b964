//! What a file holds of a process.

use calltrace::memory::{Most, Snapshot, Step};
use calltrace::{Anchor, Demotion, Facts, Function, Gap, Logged};
use hashbrown::HashMap;
use profile::{ProcessId, ProfileBuilder, ThreadId, Track, TrackId, TrackKind};

use super::samples::Samples;

/// A process, with its events still packed.
#[derive(Debug, Default)]
pub(super) struct Process {
    pub(super) facts: Facts,
    pub(super) functions: HashMap<u32, Function>,
    /// By number.
    pub(super) threads: Vec<Thread>,
    pub(super) anchors: Vec<Anchor>,
    pub(super) demotions: Vec<Demotion>,
    /// Names of tasks by the number of the call of a coroutine that they began with.
    pub(super) tasks: HashMap<u32, String>,
    /// Values that were asked for, and how many were lost.
    pub(super) logged: (Vec<Logged>, u64),
    pub(super) end: Option<End>,
    /// What it holds, where that was recorded.
    pub(super) memory: Option<Memory>,
    /// What was seen of it from outside.
    pub(super) samples: Samples,
    /// Bytes held, about.
    pub(super) held: usize,
}

/// What a process holds.
#[derive(Debug, Default)]
pub(super) struct Memory {
    /// Bytes between samples; 0 where every block is one.
    pub(super) mean: u64,
    pub(super) steps: Vec<Step>,
    pub(super) snapshots: Vec<Snapshot>,
    /// By the number of the snapshot behind it.
    pub(super) most: Vec<(usize, Most)>,
}

impl Memory {
    pub(super) fn heap_bytes(&self) -> usize {
        let frames: usize = self.snapshots.iter().map(|snapshot| snapshot.frame.len()).sum();
        frames
            + self.snapshots.len() * size_of::<Snapshot>()
            + self.most.len() * size_of::<(usize, Most)>()
            + self.steps.len() * (size_of::<Step>() + 32)
    }
}

/// How a trace ended.
#[derive(Debug)]
pub(super) struct End {
    /// Whether the thread that began the trace was left to another profiler.
    pub(super) is_replaced: bool,
    pub(super) events: u64,
    pub(super) sites: u64,
}

/// A thread.
#[derive(Debug, Default)]
pub(super) struct Thread {
    /// The system's number.
    pub(super) id: u64,
    pub(super) name: String,
    pub(super) parts: Vec<Part>,
}

impl Thread {
    /// Adds it to the profile, on a track of its process.
    pub(super) fn tell(
        &self,
        process: ProcessId,
        around: TrackId,
        builder: &mut ProfileBuilder,
    ) -> (ThreadId, TrackId) {
        let id = builder.thread(Some(process), &self.id.to_string());
        builder.threads[id.index()].name = builder.strings.intern(&self.name);
        let track = builder.timeline.track(Track {
            kind: TrackKind::Thread,
            parent: Some(around),
            process: Some(process),
            thread: Some(id),
            ..Track::default()
        });
        (id, track)
    }
}

/// Events of a thread, or that some are missing.
#[derive(Debug)]
pub(super) enum Part {
    Events { start: u64, events: u64, length: u32, frame: Vec<u8> },
    Gap(Gap),
}

/// Threads are numbered one after the other as they come.
const MOST_THREADS: u32 = 1 << 20;

impl Process {
    /// Whether its functions have no qualified names.
    pub(super) fn has_plain_names(&self) -> bool {
        ["3.8.", "3.9.", "3.10."].iter().any(|old| self.facts.interpreter.starts_with(old))
    }

    /// The process and its track, which the profile is told of.
    pub(super) fn tell(&self, builder: &mut ProfileBuilder) -> (ProcessId, TrackId) {
        let facts = &self.facts;
        builder.origin.comments.push(format!("command: {}", facts.arguments.join(" ")));
        builder.origin.comments.push(format!("Python {} ({})", facts.interpreter, facts.hook));
        let pid = builder.process(&facts.pid.to_string());
        let program =
            facts.arguments.first().map_or("", |one| one.rsplit('/').next().unwrap_or(""));
        builder.processes[pid.index()].name = builder.strings.intern(program);
        let track = builder.timeline.track(Track {
            kind: TrackKind::Process,
            process: Some(pid),
            ..Track::default()
        });
        (pid, track)
    }

    /// The thread of a number in events; none where it cannot be one.
    pub(super) fn thread(&mut self, number: u32) -> Option<&mut Thread> {
        if number >= MOST_THREADS {
            return None;
        }
        let place = number as usize;
        if self.threads.len() <= place {
            self.held += (place + 1 - self.threads.len()) * size_of::<Thread>();
            self.threads.resize_with(place + 1, Thread::default);
        }
        Some(&mut self.threads[place])
    }

    /// Names the thread of a number of the system.
    pub(super) fn name(&mut self, id: u64, name: String) {
        // The number of a thread that is over may be used again: the last one is meant.
        if let Some(thread) = self.threads.iter_mut().rev().find(|thread| thread.id == id) {
            thread.name = name;
        }
    }

    pub(super) fn push(&mut self, thread: u32, part: Part) -> bool {
        let held = match &part {
            Part::Events { frame, .. } => frame.len(),
            Part::Gap(_) => 0,
        };
        self.held += held + size_of::<Part>();
        let Some(thread) = self.thread(thread) else { return false };
        thread.parts.push(part);
        true
    }
}
