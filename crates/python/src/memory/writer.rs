//! Writes down what changed, while the program runs.

use std::io;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use calltrace::memory::{Snapshot, pack};
use calltrace::{Function, Section};

use super::guarded::with_state;
use super::recording::switch_off;
use crate::writer::Sink;
use crate::{clock, endings};

/// How long what changes stays in memory alone, at first; later a share of the time that was recorded, so that long
/// recordings do not grow as they go on.
const INTERVAL: Duration = Duration::from_millis(50);
const SHARE: u32 = 1000;

/// How hard zstd tries.
const LEVEL: i32 = 3;

/// Steps and functions of a section.
const MOST: usize = 1 << 12;

pub(super) struct Writer {
    file: Sink,
    compressor: zstd::bulk::Compressor<'static>,
}

impl Writer {
    /// Begins, in a thread of its own; that gives the number of samples in the end.
    pub(super) fn start(file: Sink) -> io::Result<JoinHandle<io::Result<u64>>> {
        let compressor = zstd::bulk::Compressor::new(LEVEL)?;
        let mut writer = Writer { file, compressor };
        let run = move || {
            endings::block_signals();
            let result = writer.run();
            if result.is_err() {
                switch_off();
            }
            endings::written();
            result
        };
        std::thread::Builder::new().name("hotframe-writer".to_owned()).spawn(run)
    }

    fn run(&mut self) -> io::Result<u64> {
        let begun = Instant::now();
        loop {
            std::thread::park_timeout(INTERVAL.max(begun.elapsed() / SHARE));
            // Asked first, so that all that came before is taken.
            let asked = endings::why_to_end();
            let end = with_state(|state| state.as_ref().and_then(|state| state.end.clone()));
            let samples = self.snapshot()?;
            if let Some(reason) = end.or_else(|| asked.map(str::to_owned)) {
                self.put(&Section::Anchor(clock::anchor()))?;
                self.put(&Section::End { reason, events: samples, sites: 0 })?;
                return Ok(samples);
            }
        }
    }

    fn snapshot(&mut self) -> io::Result<u64> {
        let new = with_state(|state| {
            let state = state.as_mut()?;
            let functions = std::mem::take(&mut state.new_functions);
            let threads = std::mem::take(&mut state.new_threads);
            // The time of what is taken: what is allocated from now on comes in the next snapshot.
            let ticks = clock::ticks();
            Some((functions, threads, state.ledger.take(), ticks, state.ledger.samples()))
        });
        let Some((functions, threads, taken, ticks, samples)) = new else { return Ok(0) };
        self.functions(&functions)?;
        for (number, id, name) in threads {
            self.put(&Section::Thread { number, id, name })?;
        }
        for steps in taken.steps.chunks(MOST) {
            self.put(&Section::Steps(steps.to_vec()))?;
        }
        let bytes = pack(&taken.rows);
        let frame = self.compressor.compress(&bytes)?;
        self.put(&Section::Anchor(clock::anchor()))?;
        self.put(&Section::Most(taken.most))?;
        self.put(&Section::Snapshot(Snapshot {
            ticks,
            resident: resident(),
            peak_ticks: taken.peak_ticks,
            length: bytes.len() as u32,
            frame,
        }))?;
        Ok(samples)
    }

    fn functions(&mut self, functions: &[Function]) -> io::Result<()> {
        functions.chunks(MOST).try_for_each(|some| self.put(&Section::Functions(some.to_vec())))
    }

    fn put(&mut self, section: &Section) -> io::Result<()> {
        self.file.write_all(&section.bytes())
    }
}

/// Bytes of this process that are in memory.
fn resident() -> u64 {
    let told = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = told.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok());
    // SAFETY: asks how large a page is.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    pages.unwrap_or(0).saturating_mul(page.max(0) as u64)
}
