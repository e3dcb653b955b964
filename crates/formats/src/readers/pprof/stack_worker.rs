//! Stacks become contexts beside the rest of the file: on a thread of its own, where there are threads and
//! stacks enough. What waits is bounded, and contexts have the numbers that they would have without it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::JoinHandle;

use profile::{ContextId, ContextTreeBuilder};

use super::stacks::{Overlong, StackInterner};
use crate::Place;
use crate::wire::MessageWriter;

/// Bytes of ids that go to the thread together.
const BATCH_BYTES: usize = 32 << 10;

/// Batches that may wait for the thread.
const WAITING: usize = 4;

/// Takes the stacks of samples, one a sample.
#[derive(Debug)]
pub(super) struct StackWorker {
    state: State,
    batch: Batch,
    /// Bytes that the thread holds.
    held: Arc<AtomicUsize>,
}

#[derive(Debug)]
enum State {
    /// Everything is done by whoever reads.
    Here(Box<Contexts>),
    Thread {
        batches: SyncSender<Batch>,
        thread: JoinHandle<Result<Box<Contexts>, Fault>>,
    },
    Failed(Fault),
}

/// What became of the stacks.
#[derive(Debug, Default)]
pub(super) struct Contexts {
    pub(super) interner: StackInterner,
    pub(super) tree: ContextTreeBuilder,
    /// By sample.
    pub(super) of_samples: Vec<ContextId>,
}

/// A stack has a location id of more than ten bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fault {
    /// Where its sample is.
    pub(super) sample: Place,
}

/// Nothing more is taken: [`StackWorker::finish`] says why.
#[derive(Debug)]
pub(super) struct Stopped;

/// Packed ids of stacks, one behind the other.
#[derive(Debug, Default)]
struct Batch {
    packed: MessageWriter,
    /// Where each stack ends in them, and where its sample is in the file.
    ends: Vec<(usize, Place)>,
}

impl Default for StackWorker {
    fn default() -> Self {
        StackWorker {
            state: State::Here(Box::default()),
            batch: Batch::default(),
            held: Arc::default(),
        }
    }
}

impl StackWorker {
    /// Takes the packed ids of a sample's stack, leaf first.
    #[inline]
    pub(super) fn packed(&mut self, packed: &[u8], sample: Place) -> Result<(), Stopped> {
        self.batch.packed.bytes.extend_from_slice(packed);
        self.end_stack(sample)
    }

    /// Takes ids that are not packed.
    pub(super) fn ids(&mut self, ids: &[u64], sample: Place) -> Result<(), Stopped> {
        ids.iter().for_each(|&id| self.batch.packed.put_varint(id));
        self.end_stack(sample)
    }

    #[inline]
    fn end_stack(&mut self, sample: Place) -> Result<(), Stopped> {
        let bytes = self.batch.packed.bytes.len();
        self.batch.ends.push((bytes, sample));
        // Empty stacks have an end, too.
        if bytes + self.batch.ends.len() < BATCH_BYTES { Ok(()) } else { self.send() }
    }

    /// Bytes held.
    pub(super) fn heap_bytes(&self) -> usize {
        match &self.state {
            State::Here(contexts) => contexts.heap_bytes(),
            State::Thread { .. } => self.held.load(Ordering::Relaxed) + (WAITING + 2) * BATCH_BYTES,
            State::Failed(_) => 0,
        }
    }

    fn send(&mut self) -> Result<(), Stopped> {
        let batch = std::mem::take(&mut self.batch);
        if let State::Here(contexts) = &mut self.state {
            let contexts = std::mem::take(contexts);
            self.state = beside(contexts, Arc::clone(&self.held));
        }
        match &mut self.state {
            State::Here(contexts) => contexts.add(&batch).map_err(|fault| {
                self.state = State::Failed(fault);
                Stopped
            }),
            State::Thread { batches, .. } => batches.send(batch).map_err(|_| Stopped),
            State::Failed(_) => Err(Stopped),
        }
    }

    /// All contexts, or the first stack of the file that is none.
    pub(super) fn finish(self) -> Result<Box<Contexts>, Fault> {
        let mut contexts = match self.state {
            State::Here(contexts) => contexts,
            State::Thread { batches, thread } => {
                drop(batches);
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?
            }
            State::Failed(fault) => return Err(fault),
        };
        contexts.add(&self.batch)?;
        Ok(contexts)
    }
}

/// Has a thread take all batches from now on; where there is none to be had, all stays here.
fn beside(contexts: Box<Contexts>, held: Arc<AtomicUsize>) -> State {
    if cfg!(target_family = "wasm") {
        return State::Here(contexts);
    }
    let (give, take) = sync_channel::<Box<Contexts>>(1);
    let (batches, waiting) = sync_channel::<Batch>(WAITING);
    let thread = std::thread::Builder::new().name("stacks".to_owned()).spawn(move || {
        let mut contexts = take.recv().unwrap_or_default();
        for batch in waiting {
            contexts.add(&batch)?;
            held.store(contexts.heap_bytes(), Ordering::Relaxed);
        }
        Ok(contexts)
    });
    match thread {
        Ok(thread) => match give.send(contexts) {
            Ok(()) => State::Thread { batches, thread },
            Err(back) => State::Here(back.0),
        },
        Err(_) => State::Here(contexts),
    }
}

impl Contexts {
    fn add(&mut self, batch: &Batch) -> Result<(), Fault> {
        let first = self.of_samples.len();
        let mut start = 0;
        for &(end, _) in &batch.ends {
            self.interner.arrives(&batch.packed.bytes, start..end, self.of_samples.len());
            self.of_samples.push(ContextId::ROOT);
            start = end;
            if self.interner.is_full() {
                self.settle(batch, first)?;
            }
        }
        self.settle(batch, first)
    }

    fn settle(&mut self, batch: &Batch, first: usize) -> Result<(), Fault> {
        let Contexts { interner, tree, of_samples } = self;
        interner
            .settle(&batch.packed.bytes, tree, of_samples)
            .map_err(|Overlong { point }| Fault { sample: batch.ends[point - first].1 })
    }

    fn heap_bytes(&self) -> usize {
        self.interner.heap_bytes()
            + self.tree.heap_bytes()
            + self.tree.finished_bytes()
            + self.of_samples.capacity() * size_of::<ContextId>()
    }
}
