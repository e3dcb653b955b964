//! Records until their turn comes.

/// A record that waits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    /// Nanoseconds; 0 for records without a time.
    pub(crate) time: u64,
    pub(crate) place: Place,
    pub(crate) size: usize,
    /// Number of its event.
    pub(crate) event: u32,
}

/// Where its bytes are.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Place {
    File(u64),
    Unpacked(u64),
}

/// Records by time, of which the first may be taken.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    entries: Vec<Entry>,
    /// The next one, and where those end whose turn it is.
    next: usize,
    ready: usize,
    /// The latest time, and that at the end of the round before.
    latest: u64,
    latest_before: u64,
    given: u64,
}

/// Bytes that may wait; after that the earlier half goes on.
const MOST: usize = 40 << 20;

impl Queue {
    #[inline]
    pub(crate) fn push(&mut self, entry: Entry, time: u64) {
        self.latest = self.latest.max(time);
        self.entries.push(entry);
    }

    pub(crate) fn peek(&self) -> Option<&Entry> {
        self.entries[..self.ready].get(self.next)
    }

    pub(crate) fn pop(&mut self) -> Option<Entry> {
        let entry = *self.peek()?;
        self.next += 1;
        if self.next == self.ready {
            self.entries.drain(..self.ready);
            (self.next, self.ready) = (0, 0);
        }
        Some(entry)
    }

    /// Whether a record is earlier than one that was given, which is then noted.
    pub(crate) fn is_late(&mut self, time: u64) -> bool {
        let is_late = time != 0 && time < self.given;
        self.given = self.given.max(time);
        is_late
    }

    /// A round has ended: nothing that comes is earlier than the end of the round before.
    pub(crate) fn finish_round(&mut self) {
        let until = std::mem::replace(&mut self.latest_before, self.latest);
        self.release(|entries| entries.partition_point(|entry| entry.time <= until));
    }

    pub(crate) fn release_all(&mut self) {
        self.release(<[Entry]>::len);
    }

    pub(crate) fn release_half(&mut self) {
        self.release(|entries| entries.len().div_ceil(2));
    }

    fn release(&mut self, count: impl FnOnce(&[Entry]) -> usize) {
        // Stable: what has one time stays in the order of the file.
        self.entries[self.next..].sort_by_key(|entry| entry.time);
        self.ready = self.next + count(&self.entries[self.next..]);
    }

    pub(crate) fn is_full(&self, bytes: usize) -> bool {
        bytes + self.heap_bytes() > MOST && self.entries.len() > 1
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        self.entries.len() * size_of::<Entry>()
    }

    /// The first bytes that are needed still, of the file and of what was unpacked.
    pub(crate) fn needed(&self) -> (Option<u64>, Option<u64>) {
        let (mut file, mut unpacked) = (None::<u64>, None::<u64>);
        for entry in &self.entries[self.next..] {
            let (least, at) = match entry.place {
                Place::File(at) => (&mut file, at),
                Place::Unpacked(at) => (&mut unpacked, at),
            };
            *least = Some(least.map_or(at, |known| known.min(at)));
        }
        (file, unpacked)
    }
}
