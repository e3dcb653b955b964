//! Stacks become contexts beside the rest of the file: on a thread of its own, where there are threads and
//! stacks enough. What waits is bounded, and contexts have the numbers that they would have without it.

use profile::{ContextId, ContextTreeBuilder};

use super::stack_thread::StackThread;
use super::stacks::{Overlong, StackInterner};
use crate::Place;
use crate::wire::MessageWriter;

/// Bytes of ids that go to the thread together.
const BATCH_BYTES: usize = 32 << 10;

/// Takes the stacks of samples, one a sample.
#[derive(Debug)]
pub(super) struct StackWorker {
    state: State,
    batch: Batch,
}

#[derive(Debug)]
enum State {
    /// Everything is done by whoever reads.
    Here(Box<Contexts>),
    Beside(StackThread),
    Failed(OverlongId),
}

/// What became of the stacks.
#[derive(Debug, Default)]
pub(super) struct Contexts {
    pub(super) interner: StackInterner,
    pub(super) tree: ContextTreeBuilder,
    /// By sample.
    pub(super) of_samples: Vec<ContextId>,
    /// Most bytes of batches that waited at once.
    waited: usize,
}

/// A stack has a location id of more than ten bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct OverlongId {
    /// Where its sample is.
    pub(super) sample: Place,
}

/// Nothing more is taken: [`StackWorker::finish`] says why.
#[derive(Debug)]
pub(super) struct Stopped;

/// Packed ids of stacks, one behind the other.
#[derive(Debug, Default)]
pub(super) struct Batch {
    packed: MessageWriter,
    /// Where each stack ends in them, and where its sample is in the file.
    ends: Vec<(usize, Place)>,
}

impl Default for StackWorker {
    fn default() -> Self {
        StackWorker { state: State::Here(Box::default()), batch: Batch::default() }
    }
}

#[cfg(not(target_family = "wasm"))]
impl Batch {
    pub(super) fn heap_bytes(&self) -> usize {
        self.packed.bytes.capacity() + self.ends.capacity() * size_of::<(usize, Place)>()
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
            State::Beside(thread) => thread.heap_bytes(),
            State::Failed(_) => 0,
        }
    }

    fn send(&mut self) -> Result<(), Stopped> {
        let batch = std::mem::take(&mut self.batch);
        if let State::Here(contexts) = &mut self.state {
            let contexts = std::mem::take(contexts);
            self.state = match StackThread::start(contexts) {
                Ok(thread) => State::Beside(thread),
                Err(contexts) => State::Here(contexts),
            };
        }
        match &mut self.state {
            State::Here(contexts) => contexts.add(&batch).map_err(|fault| {
                self.state = State::Failed(fault);
                Stopped
            }),
            State::Beside(thread) => thread.send(batch),
            State::Failed(_) => Err(Stopped),
        }
    }

    /// All contexts, or the first stack of the file that is none.
    pub(super) fn finish(self) -> Result<Box<Contexts>, OverlongId> {
        let waiting = match &self.state {
            State::Beside(thread) => thread.waiting_bytes(),
            State::Here(_) | State::Failed(_) => 0,
        };
        let mut contexts = match self.state {
            State::Here(contexts) => contexts,
            State::Beside(thread) => thread.finish()?,
            State::Failed(fault) => return Err(fault),
        };
        contexts.add(&self.batch)?;
        contexts.waited = waiting;
        Ok(contexts)
    }
}

impl Contexts {
    pub(super) fn add(&mut self, batch: &Batch) -> Result<(), OverlongId> {
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

    fn settle(&mut self, batch: &Batch, first: usize) -> Result<(), OverlongId> {
        let Contexts { interner, tree, of_samples, .. } = self;
        interner
            .settle(&batch.packed.bytes, tree, of_samples)
            .map_err(|Overlong { point }| OverlongId { sample: batch.ends[point - first].1 })
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.interner.heap_bytes()
            + self.tree.heap_bytes()
            + self.tree.finished_bytes()
            + self.of_samples.capacity() * size_of::<ContextId>()
            + self.waited
    }
}
