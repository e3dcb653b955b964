//! Adds calls up in place of writing them down.

use std::collections::HashMap;
use std::io;

use calltrace::counts::{Counts, Open};
use calltrace::pstats::Profile;
use calltrace::{Anchor, Function, Gap, Word};

use crate::blocks::New;
use crate::clock;
use crate::follower::Consumer;
use crate::writer::Sink;

/// Sums that become a file in the end.
pub(crate) struct Counting {
    file: Sink,
    begun: Anchor,
    functions: Vec<Function>,
    threads: HashMap<u32, Open>,
    counts: Counts,
    lost: u64,
}

impl Counting {
    pub(crate) fn new(file: Sink) -> Counting {
        Counting {
            file,
            begun: clock::anchor(),
            functions: vec![],
            threads: HashMap::new(),
            counts: Counts::default(),
            lost: 0,
        }
    }
}

impl Consumer for Counting {
    fn new_things(&mut self, new: New) -> io::Result<()> {
        self.functions.extend(new.functions);
        Ok(())
    }

    fn lost(&mut self, gap: Gap) -> io::Result<()> {
        self.lost += gap.events;
        // Which of the open calls ended meanwhile is not known.
        if let Some(mut open) = self.threads.remove(&gap.thread) {
            self.counts.finish(&mut open);
        }
        Ok(())
    }

    fn events(
        &mut self,
        thread: u32,
        start: Option<u64>,
        words: &mut dyn Iterator<Item = Word>,
    ) -> io::Result<u64> {
        let open = self.threads.entry(thread).or_default();
        if let Some(start) = start {
            open.go_to(start);
        }
        Ok(self.counts.follow(open, words))
    }

    fn rest(&mut self, _: u32) -> io::Result<()> {
        Ok(())
    }

    fn end(&mut self, _: String, _: u64, _: u64) -> io::Result<()> {
        let now = clock::anchor();
        for open in self.threads.values_mut() {
            // What still runs took time up to here.
            open.go_to(now.ticks);
            self.counts.finish(open);
        }
        let ticks = now.ticks.saturating_sub(self.begun.ticks).max(1) as f64;
        let nanoseconds = now.monotonic_ns.saturating_sub(self.begun.monotonic_ns) as f64;
        let profile = Profile::new(&self.counts, &self.functions, nanoseconds / ticks);
        self.file.write_all(&profile.bytes())?;
        if self.lost > 0 {
            let lost = self.lost;
            return Err(io::Error::other(format!("{lost} events were lost: counts are too low")));
        }
        Ok(())
    }
}
