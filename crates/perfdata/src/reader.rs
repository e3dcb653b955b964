//! A recording, record by record, in the order of time.

use std::io::Read;

use crate::arena::Arena;
use crate::bytes::{ByteOrder, Bytes};
use crate::error::Error;
use crate::head::Head;
use crate::queue::{Entry, Place, Queue};
use crate::record::{self, Record, number};
use crate::unpack::Unpacker;

/// A recording that is read. Records come in the order of time, as far as the recorder's rounds
/// tell it: all records between two marks `FINISHED_ROUND` are later than those two marks before.
pub struct Reader<R> {
    pub(crate) head: Head,
    pub(crate) source: R,
    pub(crate) file: Arena,
    pub(crate) unpacked: Arena,
    pub(crate) at: At,
    queue: Queue,
    unpacker: Option<Unpacker>,
    /// Places in the unpacked bytes at which rounds end.
    round_ends: std::collections::VecDeque<u64>,
}

/// Where the reader is.
#[derive(Debug, Default)]
pub(crate) struct At {
    /// In the file.
    pub(crate) file: u64,
    /// In what was compressed.
    pub(crate) unpacked: u64,
    /// Where the records end.
    pub(crate) end: u64,
    /// What the header has behind the records: bits of features.
    pub(crate) features: [u64; 4],
    /// Bytes of a pipe's tracing data that were announced by the record before.
    pub(crate) is_done: bool,
}

impl<R> std::fmt::Debug for Reader<R> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Reader").field("head", &self.head).field("at", &self.at).finish()
    }
}

/// Bytes of a record's own header: kind, flags, size.
pub(crate) const HEADER: usize = 8;

impl<R: Read> Reader<R> {
    pub(crate) fn new(head: Head, source: R, file: Arena, at: At) -> Self {
        Reader {
            head,
            source,
            file,
            unpacked: Arena::default(),
            at,
            queue: Queue::default(),
            unpacker: None,
            round_ends: std::collections::VecDeque::new(),
        }
    }

    /// What is known of the recording. Features of files are known after the last record.
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// Gives what is known of the recording.
    pub fn into_head(self) -> Head {
        self.head
    }

    /// How far the reader is in the file, in bytes.
    pub fn position(&self) -> u64 {
        self.at.file
    }

    /// Bytes of memory held until records that may be earlier have come.
    pub fn heap_bytes(&self) -> usize {
        self.file.held() + self.unpacked.held() + self.queue.heap_bytes()
    }

    /// The next record with what is known by then; none at the end.
    ///
    /// # Errors
    /// Where the input ends with one, or where what follows cannot be a record.
    #[expect(clippy::should_implement_trait, reason = "records borrow from the reader")]
    pub fn next(&mut self) -> Result<Option<(&Head, Record<'_>)>, Error> {
        loop {
            let Some(entry) = self.next_entry()? else { return Ok(None) };
            // Twice, for the borrow of a record that is returned lasts.
            if self.parse(entry).is_none() {
                self.head.counts.short += 1;
                continue;
            }
            if self.queue.is_late(entry.time) {
                self.head.counts.late += 1;
            }
            return Ok(self.parse(entry).map(|record| (&self.head, record)));
        }
    }

    /// Gives the next record to `take`, which takes less than [`Reader::next`], for that reads it twice.
    /// What is counted of it is counted behind that.
    ///
    /// # Errors
    /// As [`Reader::next`].
    pub fn next_to<T>(
        &mut self,
        take: impl FnOnce(&Head, Record<'_>) -> T,
    ) -> Result<Option<T>, Error> {
        loop {
            let Some(entry) = self.next_entry()? else { return Ok(None) };
            if let Some(record) = self.parse(entry) {
                let taken = take(&self.head, record);
                self.head.counts.late += u64::from(self.queue.is_late(entry.time));
                return Ok(Some(taken));
            }
            self.head.counts.short += 1;
        }
    }

    /// The time of the next record, 0 for one without; none at the end.
    pub(crate) fn peek_time(&mut self) -> Result<Option<u64>, Error> {
        while self.queue.peek().is_none() && !self.at.is_done {
            self.fill()?;
        }
        Ok(self.queue.peek().map(|entry| entry.time))
    }

    fn next_entry(&mut self) -> Result<Option<Entry>, Error> {
        self.peek_time()?;
        Ok(self.queue.pop())
    }

    fn parse(&self, entry: Entry) -> Option<Record<'_>> {
        let bytes = match entry.place {
            Place::File(at) => self.file.get(at, entry.size),
            Place::Unpacked(at) => self.unpacked.get(at, entry.size),
        };
        let mut bytes = Bytes::new(bytes, self.head.order);
        let (number, misc, _size) = (bytes.u32()?, bytes.u16()?, bytes.u16()?);
        let event = entry.event as usize;
        let event = if event < self.head.events.len() { event } else { 0 };
        match self.head.events.get(event) {
            Some(of) => record::parse(number, misc, bytes, event, &of.attr),
            None => record::parse(number, misc, bytes, 0, &crate::attr::Attr::default()),
        }
    }

    /// Reads on until there are records whose turn it is, or the end.
    fn fill(&mut self) -> Result<(), Error> {
        let (file, unpacked) = self.queue.needed();
        self.file.forget(file.unwrap_or(self.at.file));
        self.unpacked.forget(unpacked.unwrap_or(self.at.unpacked));
        while self.queue.peek().is_none() && !self.at.is_done {
            if self.read_record()? {
                self.unpack_records();
                if self.queue.is_full(self.file.held() + self.unpacked.held()) {
                    self.queue.release_half();
                }
                continue;
            }
            if let Some(mut unpacker) = self.unpacker.take() {
                unpacker.finish(&mut self.unpacked);
                self.unpack_records();
                let left = self.unpacked.end() - self.at.unpacked;
                self.head.counts.cut_bytes += left;
            }
            self.read_features()?;
            self.queue.release_all();
            self.at.is_done = true;
        }
        Ok(())
    }

    /// Takes a record of the file; false at their end.
    fn read_record(&mut self) -> Result<bool, Error> {
        let at = self.at.file;
        let left = self.at.end - at;
        if left < HEADER as u64 || !self.file.fill(at + HEADER as u64, &mut self.source)? {
            self.head.counts.cut_bytes += self.file.end().min(self.at.end).saturating_sub(at);
            return Ok(false);
        }
        let mut header = Bytes::new(self.file.get(at, HEADER), self.head.order);
        let (Some(number), Some(misc), Some(size)) = (header.u32(), header.u16(), header.u16())
        else {
            return Ok(false);
        };
        let size = usize::from(size);
        if size < HEADER {
            // Some recorders fill the end with zeros.
            if number == 0 && size == 0 {
                self.head.counts.cut_bytes += left.min(self.file.end() - at);
                return Ok(false);
            }
            let reason = format!("a record of {size} bytes, which is less than its header");
            return Err(Error::malformed(at, reason));
        }
        if size as u64 > left || !self.file.fill(at + size as u64, &mut self.source)? {
            self.head.counts.cut_bytes += self.file.end().min(self.at.end).saturating_sub(at);
            return Ok(false);
        }
        *self.head.counts.records.entry(number).or_default() += 1;
        self.at.file = at + size as u64;
        self.take(number, misc, at, size)?;
        Ok(true)
    }

    /// Acts on a record of the file.
    fn take(&mut self, number: u32, misc: u16, at: u64, size: usize) -> Result<(), Error> {
        let order = self.head.order;
        let body = Bytes::new(&self.file.get(at, size)[HEADER..], order);
        match number {
            number::FINISHED_ROUND => match &self.unpacker {
                None => self.queue.finish_round(),
                // Rounds whose end is not known yet are one with the next.
                Some(unpacker) => self.round_ends.extend(unpacker.position(&self.unpacked)),
            },
            number::COMPRESSED | number::COMPRESSED2 => {
                let mut body = body;
                let mut piece = body.rest();
                if number == number::COMPRESSED2 {
                    piece = body.u64().and_then(|size| body.take_u64(size)).unwrap_or_default();
                }
                let unpacker = self.unpacker.get_or_insert_with(Unpacker::new);
                if !unpacker.push(piece, &mut self.unpacked) {
                    self.head.counts.damaged_pieces += 1;
                }
            }
            number::AUXTRACE => {
                let mut body = body;
                let size = body.u64().unwrap_or_default();
                self.skip(size)?;
            }
            number::TRACING_DATA if self.head.is_pipe => {
                let mut body = body;
                let size = body.u32().unwrap_or_default();
                self.read_tracing_data(u64::from(size).next_multiple_of(8))?;
            }
            number::HEADER_ATTR
            | number::HEADER_EVENT_TYPE
            | number::HEADER_FEATURE
            | number::EVENT_UPDATE
            | number::ID_INDEX
            | number::BUILD_ID => {
                let bytes = Bytes::new(self.file.get(at, size), order);
                self.head.take(number, bytes);
            }
            number::FINISHED_INIT => {}
            number => {
                let bytes = self.file.get(at, size);
                let (event, time) = self.head.place(number, bytes);
                let entry = Entry { time, place: Place::File(at), size, event };
                self.queue.push(entry, time);
            }
        }
        let _ = misc;
        Ok(())
    }

    /// Takes the records that were unpacked.
    fn unpack_records(&mut self) {
        loop {
            if self.round_ends.front().is_some_and(|&end| end <= self.at.unpacked) {
                self.round_ends.pop_front();
                self.queue.finish_round();
                continue;
            }
            let bytes = self.unpacked.from(self.at.unpacked);
            let mut header = Bytes::new(bytes, self.head.order);
            let Some((number, _misc, size)) =
                header.u32().zip(header.u16()).zip(header.u16()).map(|((a, b), c)| (a, b, c))
            else {
                return;
            };
            let size = usize::from(size);
            let Some(bytes) = bytes.get(..size).filter(|_| size >= HEADER) else {
                if size < HEADER {
                    // Nothing after it can be found.
                    self.head.counts.cut_bytes += bytes.len() as u64;
                    self.at.unpacked = self.unpacked.end();
                }
                return;
            };
            *self.head.counts.records.entry(number).or_default() += 1;
            let (event, time) = self.head.place(number, bytes);
            let place = Place::Unpacked(self.at.unpacked);
            self.queue.push(Entry { time, place, size, event }, time);
            self.at.unpacked += size as u64;
        }
    }

    /// Moves on in the file without keeping what is skipped.
    fn skip(&mut self, count: u64) -> Result<(), Error> {
        let until = self.at.file.saturating_add(count).min(self.at.end);
        while self.at.file < until {
            let next = (self.at.file + (64 << 10)).min(until);
            let is_there = self.file.fill(next, &mut self.source)?;
            self.at.file = next.min(self.file.end());
            if self.queue.needed().0.is_none() {
                self.file.forget(self.at.file);
            }
            if !is_there {
                break;
            }
        }
        Ok(())
    }

    fn read_tracing_data(&mut self, size: u64) -> Result<(), Error> {
        if size > MOST_FEATURES {
            return Err(Error::malformed(self.at.file, "more than 64 MiB of tracing data"));
        }
        let is_there = self.file.fill(self.at.file + size, &mut self.source)?;
        let end = (self.at.file + size).min(self.file.end());
        let bytes = self.file.get(self.at.file, (end - self.at.file) as usize);
        let order = self.head.order;
        self.head.features.take(crate::feature::number::TRACING_DATA, Bytes::new(bytes, order));
        self.at.file = end;
        if !is_there {
            self.head.is_unfinished = true;
        }
        Ok(())
    }

    /// Reads what a file has behind its records.
    fn read_features(&mut self) -> Result<(), Error> {
        if !self.head.is_pipe && !self.head.is_unfinished {
            // What follows the records is needed as a whole.
            let table = self.at.end;
            self.skip(table.saturating_sub(self.at.file))?;
            let mut behind = vec![];
            if self.at.file == table {
                let rest = self.file.from(table).to_vec();
                behind = rest;
                let most = MOST_FEATURES.saturating_sub(behind.len() as u64);
                let read = self.source.by_ref().take(most).read_to_end(&mut behind)?;
                if read as u64 == most {
                    return Err(Error::malformed(table, "more than 64 MiB of features"));
                }
            }
            self.head.take_features(self.at.features, table, &behind);
        }
        self.head.finish();
        Ok(())
    }
}

/// Bytes of features.
const MOST_FEATURES: u64 = 64 << 20;

/// The byte order of which a number that is known at the start of files tells.
pub(crate) fn byte_order(magic: &[u8; 8]) -> Option<ByteOrder> {
    match magic {
        b"PERFILE2" => Some(ByteOrder::Little),
        b"2ELIFREP" => Some(ByteOrder::Big),
        _ => None,
    }
}
