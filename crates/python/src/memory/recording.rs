//! A recording: begun, paused, ended.

use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::thread::JoinHandle;

use calltrace::memory::Ledger;
use calltrace::{Facts, Section};

use super::guarded::{self, State, with_state};
use super::writer::Writer;
use super::{filter, hooks, stack};
use crate::writer::Sink;
use crate::{clock, endings};

/// Why a recording ends, where the interpreter ends with it.
const AT_EXIT: &str = "exit";

/// Whether samples are taken.
pub(super) static IS_ON: AtomicBool = AtomicBool::new(false);
/// Told one higher whenever a recording begins or ends.
pub(super) static GENERATION: AtomicU32 = AtomicU32::new(0);
/// Bytes between marks on average; 0 where every block is a sample.
pub(super) static MEAN: AtomicU64 = AtomicU64::new(0);
/// Who writes. The interpreter is held by who looks.
static WRITER: Mutex<Option<JoinHandle<io::Result<u64>>>> = Mutex::new(None);

/// Whether a recording runs, or pauses.
pub(crate) fn is_running() -> bool {
    WRITER.lock().unwrap_or_else(std::sync::PoisonError::into_inner).is_some()
}

/// Begins to record, with marks `mean` bytes apart; it pauses until [`pause`] lets it go on.
///
/// # Safety
/// The interpreter is held.
pub(crate) unsafe fn start(
    file: Sink,
    own_files: String,
    facts: Facts,
    mean: u64,
) -> io::Result<()> {
    endings::held(|| begin(file, own_files, facts, mean))
}

unsafe fn begin(mut file: Sink, own_files: String, facts: Facts, mean: u64) -> io::Result<()> {
    stack::prepare(own_files)?;
    let facts = Facts { clock: clock::name().to_owned(), ..facts };
    file.write_all(&Section::Holder { facts, mean }.bytes())?;
    file.write_all(&Section::Anchor(clock::anchor()).bytes())?;
    guarded::prepare();
    filter::clear();
    with_state(|state| *state = Some(State::new(Ledger::new(mean))));
    MEAN.store(mean, Ordering::Relaxed);
    hooks::put_in()?;
    let writer = Writer::start(file)?;
    endings::watch(writer.thread());
    *WRITER.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(writer);
    Ok(())
}

/// Takes no samples, or again; what is given back meanwhile is heard of.
pub(crate) fn pause(is_paused: bool) {
    IS_ON.store(!is_paused && is_running(), Ordering::Relaxed);
    GENERATION.fetch_add(1, Ordering::Relaxed);
}

/// Ends the recording and gives its writer, to be waited for without the interpreter.
///
/// # Safety
/// The interpreter is held.
pub(crate) unsafe fn stop(reason: &str) -> Option<JoinHandle<io::Result<u64>>> {
    let writer = WRITER.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take()?;
    switch_off();
    hooks::take_out();
    // Code objects may have things of the program with them that are gone when it ends.
    if reason != AT_EXIT {
        stack::release();
    }
    with_state(|state| {
        if let Some(state) = state {
            state.end = Some(reason.to_owned());
        }
    });
    writer.thread().unpark();
    Some(writer)
}

/// Names the thread of a number of the system.
pub(crate) fn name_thread(id: u64, name: String) {
    with_state(|state| {
        if let Some(state) = state {
            state.new_threads.push((u32::MAX, id, name));
        }
    });
}

/// Forgets a recording whose writer is in another process: this one was made by `fork`.
///
/// # Safety
/// The interpreter is held, and no other thread is there.
pub(crate) unsafe fn forget() {
    switch_off();
    let writer = WRITER.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
    if writer.is_some() {
        // Its thread is not here.
        std::mem::forget(writer);
        stack::release();
        with_state(|state| *state = None);
        endings::forked();
    }
}

/// Takes no samples from now on.
pub(super) fn switch_off() {
    IS_ON.store(false, Ordering::Relaxed);
    GENERATION.fetch_add(1, Ordering::Relaxed);
}
