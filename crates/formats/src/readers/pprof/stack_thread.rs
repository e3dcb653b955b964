//! The thread that stacks go to. In WebAssembly there is none.

#[cfg(not(target_family = "wasm"))]
mod native {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc::{SyncSender, sync_channel};
    use std::thread::{Builder, JoinHandle};

    use crate::readers::pprof::stack_worker::{Batch, Contexts, OverlongId, Stopped};

    /// Batches that may wait for the thread; two more are being filled and being worked on.
    const WAITING: usize = 4;

    /// Takes batches of stacks in their order.
    #[derive(Debug)]
    pub(in crate::readers::pprof) struct StackThread {
        batches: SyncSender<Batch>,
        thread: JoinHandle<Result<Box<Contexts>, OverlongId>>,
        /// Bytes of the contexts so far, as far as it told.
        held: Arc<AtomicUsize>,
        /// Bytes of the largest batch.
        largest: usize,
    }

    impl StackThread {
        /// Starts it, with the stacks so far; gives them back where there is no thread to be had.
        pub(in crate::readers::pprof) fn start(
            contexts: Box<Contexts>,
        ) -> Result<Self, Box<Contexts>> {
            let (give, take) = sync_channel::<Box<Contexts>>(1);
            let (batches, waiting) = sync_channel::<Batch>(WAITING);
            let held = Arc::new(AtomicUsize::new(contexts.heap_bytes()));
            let told = Arc::clone(&held);
            let run = move || {
                let mut contexts = take.recv().unwrap_or_default();
                for batch in waiting {
                    contexts.add(&batch)?;
                    told.store(contexts.heap_bytes(), Ordering::Relaxed);
                }
                Ok(contexts)
            };
            match Builder::new().name("stacks".to_owned()).spawn(run) {
                Ok(thread) => match give.send(contexts) {
                    Ok(()) => Ok(StackThread { batches, thread, held, largest: 0 }),
                    Err(back) => Err(back.0),
                },
                Err(_) => Err(contexts),
            }
        }

        pub(in crate::readers::pprof) fn send(&mut self, batch: Batch) -> Result<(), Stopped> {
            self.largest = self.largest.max(batch.heap_bytes());
            self.batches.send(batch).map_err(|_| Stopped)
        }

        pub(in crate::readers::pprof) fn heap_bytes(&self) -> usize {
            self.held.load(Ordering::Relaxed) + self.waiting_bytes()
        }

        /// Bytes of batches at most. It never falls, so what is told at the end is the most that was told.
        pub(in crate::readers::pprof) fn waiting_bytes(&self) -> usize {
            (WAITING + 2) * self.largest
        }

        pub(in crate::readers::pprof) fn finish(self) -> Result<Box<Contexts>, OverlongId> {
            drop(self.batches);
            self.thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        }
    }
}

#[cfg(target_family = "wasm")]
mod none {
    use crate::readers::pprof::stack_worker::{Batch, Contexts, OverlongId, Stopped};

    /// Never there.
    #[derive(Debug)]
    pub(in crate::readers::pprof) enum StackThread {}

    impl StackThread {
        pub(in crate::readers::pprof) fn start(
            contexts: Box<Contexts>,
        ) -> Result<Self, Box<Contexts>> {
            Err(contexts)
        }

        pub(in crate::readers::pprof) fn send(&mut self, _: Batch) -> Result<(), Stopped> {
            match *self {}
        }

        pub(in crate::readers::pprof) fn waiting_bytes(&self) -> usize {
            match *self {}
        }

        pub(in crate::readers::pprof) fn heap_bytes(&self) -> usize {
            match *self {}
        }

        pub(in crate::readers::pprof) fn finish(self) -> Result<Box<Contexts>, OverlongId> {
            match self {}
        }
    }
}

#[cfg(not(target_family = "wasm"))]
pub(super) use native::StackThread;
#[cfg(target_family = "wasm")]
pub(super) use none::StackThread;
