//! Tracks of the threads and processors that samples were taken on.

use std::collections::BTreeMap;

use profile::{ProcessId, ProfileBuilder, ThreadId, Track, TrackId, TrackKind};

/// The tracks of threads, each under its process where that is known, and of processors.
#[derive(Debug, Default)]
pub(crate) struct ThreadTracks {
    /// By thread.
    threads: Vec<Option<TrackId>>,
    processors: BTreeMap<u32, TrackId>,
    processes: BTreeMap<ProcessId, TrackId>,
}

impl ThreadTracks {
    /// Makes a track for every thread and processor that has a point with a time, in their order.
    pub(crate) fn make(builder: &mut ProfileBuilder) -> ThreadTracks {
        let mut tracks = ThreadTracks::default();
        if !builder.points.has_times() {
            return tracks;
        }
        let mut is_timed = vec![false; builder.threads.len()];
        let points = &builder.points;
        for row in (0..points.len()).filter(|&row| points.time(row).is_some()) {
            if let Some(thread) = points.thread(row) {
                is_timed[thread.index()] = true;
            }
            if let Some(cpu) = points.cpu(row) {
                tracks.processors.entry(cpu).or_default();
            }
        }
        let timed = (0u32..).zip(is_timed).filter(|(_, is_timed)| *is_timed);
        for (thread, _) in timed {
            tracks.of(ThreadId(thread), builder);
        }
        for (&cpu, track) in &mut tracks.processors {
            let (kind, cpu) = (TrackKind::Processor, Some(cpu));
            *track = builder.timeline.track(Track { kind, cpu, ..Track::default() });
        }
        tracks
    }

    /// The track of a thread, which is made if there was none.
    pub(crate) fn of(&mut self, thread: ThreadId, builder: &mut ProfileBuilder) -> TrackId {
        self.threads.resize(self.threads.len().max(thread.index() + 1), None);
        if let Some(known) = self.threads[thread.index()] {
            return known;
        }
        let process = builder.threads[thread.index()].process;
        let timeline = &mut builder.timeline;
        let parent = process.map(|process| {
            *self.processes.entry(process).or_insert_with(|| {
                let (kind, process) = (TrackKind::Process, Some(process));
                timeline.track(Track { kind, process, ..Track::default() })
            })
        });
        let track =
            timeline.track(Track { parent, process, thread: Some(thread), ..Track::default() });
        self.threads[thread.index()] = Some(track);
        track
    }

    /// Makes tracks for processors that have none.
    pub(crate) fn make_processors(
        &mut self,
        cpus: impl IntoIterator<Item = u32>,
        builder: &mut ProfileBuilder,
    ) {
        for cpu in cpus {
            self.processors.entry(cpu).or_insert_with(|| {
                let (kind, cpu) = (TrackKind::Processor, Some(cpu));
                builder.timeline.track(Track { kind, cpu, ..Track::default() })
            });
        }
    }

    /// The track of a processor, if it has one.
    pub(crate) fn of_processor(&self, cpu: u32) -> Option<TrackId> {
        self.processors.get(&cpu).copied()
    }
}
