//! Which trace runs: its begin and its end.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};
use std::thread::JoinHandle;

use calltrace::{Facts, Section};
use rustc_hash::FxHashMap;

use super::{HERE, Tracer};
use crate::blocks::Shared;
use crate::clock;
use crate::counting::Counting;
use crate::endings;
use crate::follower::Follower;
use crate::functions::Functions;
use crate::logging::Choice;
use crate::probe::Probe;
use crate::sites::Sites;
use crate::writer::{Sink, Writer};

static CURRENT: AtomicPtr<Tracer> = AtomicPtr::new(std::ptr::null_mut());
/// The trace that ended last. It stays until the next one ends: what a name is asked of may be written in
/// Python, and let another thread end the trace meanwhile.
static ENDED: AtomicPtr<Tracer> = AtomicPtr::new(std::ptr::null_mut());
/// Told one higher whenever a trace begins or ends.
pub(super) static GENERATION: AtomicU32 = AtomicU32::new(0);

/// By how many bits times are divided: ticks of a processor's counter are shorter than it takes to read them.
const TSC_SHIFT: u32 = 4;

/// The trace that runs.
///
/// # Safety
/// The interpreter is held, and the reference ends before it is let go.
#[inline]
pub(crate) unsafe fn current<'a>() -> Option<&'a mut Tracer> {
    CURRENT.load(Ordering::Acquire).as_mut()
}

/// What becomes of calls.
pub(crate) enum Output {
    /// Nothing is written: what tracing costs is measured.
    Measured,
    /// All events are.
    Traced(Sink),
    /// Sums are, in the end.
    Counted(Sink),
}

/// Begins a trace, which pauses until [`Tracer::pause`] lets it go on.
///
/// # Safety
/// The interpreter is held.
pub(crate) unsafe fn start(output: Output, own_files: String, facts: Facts) -> io::Result<()> {
    endings::held(|| begin(output, own_files, facts))
}

unsafe fn begin(output: Output, own_files: String, facts: Facts) -> io::Result<()> {
    let probe = matches!(output, Output::Measured).then(Probe::new);
    let shift = if clock::name() == "tsc" { TSC_SHIFT } else { 0 };
    let limit = u32::try_from(facts.limit).unwrap_or(u32::MAX);
    let choice = Choice::new(own_files, facts.clone());
    let facts = Facts { shift, clock: clock::name().to_owned(), ..facts };
    let shared = Arc::new(Shared::default());
    let traced = |mut file: Sink| {
        file.write_all(&Section::Process(facts).bytes())?;
        file.write_all(&Section::Anchor(clock::anchor()).bytes())?;
        Follower::start(Writer::new(file, shift)?, shared.clone())
    };
    let writer = match output {
        Output::Measured => traced(Box::new(io::sink())),
        Output::Traced(file) => traced(file),
        Output::Counted(file) => Follower::start(Counting::new(file), shared.clone()),
    }?;
    if probe.is_none() {
        endings::watch(writer.thread());
    }
    let tracer = Tracer {
        shared,
        writer: Some(writer),
        functions: Functions::new(),
        limit: if limit == 0 { u32::MAX } else { limit },
        sites: Sites::new(),
        threads: 0,
        activations: FxHashMap::default(),
        next_activation: 0,
        generators: FxHashMap::default(),
        is_paused: true,
        choice,
        probe,
    };
    GENERATION.fetch_add(1, Ordering::Relaxed);
    CURRENT.store(Box::into_raw(Box::new(tracer)), Ordering::Release);
    Ok(())
}

/// Ends the trace that runs and gives its writer, to be waited for without the interpreter.
///
/// # Safety
/// The interpreter is held.
pub(crate) unsafe fn stop(reason: &str) -> Option<JoinHandle<io::Result<u64>>> {
    let tracer = CURRENT.swap(std::ptr::null_mut(), Ordering::AcqRel);
    if tracer.is_null() {
        return None;
    }
    GENERATION.fetch_add(1, Ordering::Relaxed);
    let before = ENDED.swap(tracer, Ordering::AcqRel);
    if !before.is_null() {
        drop(Box::from_raw(before));
    }
    let tracer = &mut *tracer;
    // This thread's last events; other threads append nothing from now on.
    let _ = HERE.try_with(|here| (*here.get()).appender = None);
    tracer.shared.new_ones().end = Some(reason.to_owned());
    tracer.functions.release();
    tracer.is_paused = true;
    let writer = tracer.writer.take();
    if let Some(writer) = &writer {
        writer.thread().unpark();
    }
    writer
}

/// Forgets a trace whose writer is in another process: this one was made by `fork`.
///
/// # Safety
/// The interpreter is held, and no other thread is there.
pub(crate) unsafe fn forget() {
    CURRENT.store(std::ptr::null_mut(), Ordering::Release);
    GENERATION.fetch_add(1, Ordering::Relaxed);
    endings::forked();
    // Locks may be held by threads that are not here, so nothing is given back.
    let _ = HERE.try_with(|here| std::mem::forget((*here.get()).appender.take()));
}
