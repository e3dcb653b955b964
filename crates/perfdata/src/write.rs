//! Recordings that are made: for what no machine at hand records, and for recorders of our own.

use crate::attr::{Attr, SampleFields, flag, read, sample};
use crate::bytes::ByteOrder;
use crate::feature::number as feature;
use crate::record::number;
use crate::sample::{Branch, SampleId, Thread};

/// Makes the bytes of a recording, record by record.
#[derive(Debug, Default)]
pub struct Writer {
    order: ByteOrder,
    events: Vec<(Attr, Vec<u64>)>,
    records: Vec<u8>,
    features: Vec<(u32, Vec<u8>)>,
}

/// What a sample holds. Which of it is written the fields of its event say; what they want and is
/// not here is 0 or empty.
#[derive(Debug, Clone, Default)]
pub struct NewSample {
    /// Who, when, which counter and where.
    pub id: SampleId,
    /// Where the processor was.
    pub ip: u64,
    /// Events since the sample before.
    pub period: u64,
    /// Values of the counters of a read, each with its id, and the times wanted and counted.
    pub read: (Vec<(u64, u64)>, [u64; 2]),
    /// Addresses and markers.
    pub callchain: Vec<u64>,
    /// Bytes of a tracepoint.
    pub raw: Vec<u8>,
    /// Branches, the latest first.
    pub branches: Vec<Branch>,
    /// What an access cost.
    pub weight: u64,
    /// Which level of memory served it.
    pub data_src: u64,
    /// Registers of user mode, in the order of their numbers, and the copy of the stack.
    pub stack: (Vec<u64>, Vec<u8>),
    /// Number of the control group.
    pub cgroup: u64,
}

/// Bytes of a record in the order of the recording.
#[derive(Debug)]
pub struct Body {
    order: ByteOrder,
    bytes: Vec<u8>,
}

impl Body {
    fn new(order: ByteOrder) -> Body {
        Body { order, bytes: vec![] }
    }

    /// 16 bits.
    pub fn u16(&mut self, value: u16) -> &mut Self {
        self.put(value.to_le_bytes())
    }

    /// 32 bits.
    pub fn u32(&mut self, value: u32) -> &mut Self {
        self.put(value.to_le_bytes())
    }

    /// 64 bits.
    pub fn u64(&mut self, value: u64) -> &mut Self {
        self.put(value.to_le_bytes())
    }

    /// Several of 64 bits.
    pub fn words(&mut self, words: &[u64]) -> &mut Self {
        for &word in words {
            self.u64(word);
        }
        self
    }

    /// Bytes as they are.
    pub fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.bytes.extend_from_slice(bytes);
        self
    }

    /// A text with a NUL, filled up to 8 bytes.
    pub fn text(&mut self, text: &str) -> &mut Self {
        self.bytes(text.as_bytes()).bytes(&[0]);
        let filled = self.bytes.len().next_multiple_of(8);
        self.bytes.resize(filled, 0);
        self
    }

    /// A text of the header: its length, and then itself.
    pub fn header_text(&mut self, text: &str) -> &mut Self {
        let length = (text.len() + 1).next_multiple_of(64);
        self.u32(length as u32).bytes(text.as_bytes());
        self.bytes.resize(self.bytes.len() + length - text.len(), 0);
        self
    }

    /// What was written.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    fn put<const N: usize>(&mut self, mut bytes: [u8; N]) -> &mut Self {
        if self.order == ByteOrder::Big {
            bytes.reverse();
        }
        self.bytes(&bytes)
    }

    /// Flags, the first declared as bit 0.
    fn flags(&mut self, flags: u64) -> &mut Self {
        let bytes = flags.to_le_bytes();
        let bytes = if self.order == ByteOrder::Big { bytes.map(u8::reverse_bits) } else { bytes };
        self.bytes(&bytes)
    }

    fn attr(&mut self, attr: &Attr) {
        self.u32(attr.kind).u32(ATTR as u32).u64(attr.config).u64(attr.period);
        self.u64(attr.sample.0).u64(attr.read_format).flags(attr.flags);
        self.u32(0).u32(0).u64(0).u64(0).u64(attr.branch_sample_type).u64(attr.regs_user);
        self.u32(attr.stack_user).u32(attr.clock_id.unwrap_or(0).cast_unsigned());
        self.u64(attr.regs_intr);
        self.bytes(&[0; 8]);
    }
}

/// Bytes of the attributes that are written: those of version 5.
const ATTR: usize = 112;
const HEADER: usize = 104;

impl Writer {
    /// Nothing yet.
    pub fn new(order: ByteOrder) -> Writer {
        Writer { order, ..Writer::default() }
    }

    /// An event with its counters; gives its number.
    pub fn event(&mut self, attr: Attr, ids: Vec<u64>) -> usize {
        self.events.push((attr, ids));
        self.events.len() - 1
    }

    /// Bytes in the recording's order.
    pub fn body(&self) -> Body {
        Body::new(self.order)
    }

    /// A record of any kind.
    pub fn record(&mut self, number: u32, misc: u16, body: &Body) {
        let mut header = self.body();
        header.u32(number).u16(misc).u16((body.bytes.len() + 8) as u16);
        self.records.extend(header.bytes);
        self.records.extend_from_slice(&body.bytes);
    }

    /// A record of the kernel's with what stands at its end, by the fields of the first event.
    pub fn kernel_record(&mut self, number: u32, misc: u16, mut body: Body, id: SampleId) {
        let attr = self.events.first().map(|(attr, _)| attr.clone()).unwrap_or_default();
        if attr.is(flag::SAMPLE_ID_ALL) {
            put_id(&mut body, attr.sample, id);
        }
        self.record(number, misc, &body);
    }

    /// A thread got a name.
    pub fn comm(&mut self, thread: Thread, name: &str, id: SampleId) {
        let mut body = self.body();
        body.u32(thread.pid).u32(thread.tid).text(name);
        self.kernel_record(number::COMM, 0, body, id);
    }

    /// Code of a file was mapped into a process.
    pub fn map(&mut self, thread: Thread, start: u64, length: u64, offset: u64, path: &str) {
        let mut body = self.body();
        body.u32(thread.pid).u32(thread.tid).u64(start).u64(length).u64(offset).text(path);
        self.kernel_record(number::MMAP, 2, body, SampleId::default());
    }

    /// All that comes is later than what was written before the mark before.
    pub fn finish_round(&mut self) {
        let body = self.body();
        self.record(number::FINISHED_ROUND, 0, &body);
    }

    /// A sample of an event, in user mode.
    pub fn sample(&mut self, event: usize, new: &NewSample) {
        let attr = self.events[event].0.clone();
        let mut body = self.body();
        let out = &mut body;
        let id = new.id.id.unwrap_or_default();
        let thread = new.id.thread.unwrap_or_default();
        let word = |field: u64, value: u64, out: &mut Body| {
            if attr.has(field) {
                out.u64(value);
            }
        };
        word(sample::IDENTIFIER, id, out);
        word(sample::IP, new.ip, out);
        if attr.has(sample::TID) {
            out.u32(thread.pid).u32(thread.tid);
        }
        word(sample::TIME, new.id.time.unwrap_or_default(), out);
        word(sample::ADDR, 0, out);
        word(sample::ID, id, out);
        word(sample::STREAM_ID, id, out);
        if attr.has(sample::CPU) {
            out.u32(new.id.cpu.unwrap_or_default()).u32(0);
        }
        word(sample::PERIOD, new.period, out);
        if attr.has(sample::READ) {
            put_read(out, attr.read_format, &new.read);
        }
        if attr.has(sample::CALLCHAIN) {
            out.u64(new.callchain.len() as u64);
            out.words(&new.callchain);
        }
        if attr.has(sample::RAW) {
            let size = (new.raw.len() + 4).next_multiple_of(8) - 4;
            out.u32(size as u32).bytes(&new.raw);
            out.bytes.resize(out.bytes.len() + size - new.raw.len(), 0);
        }
        if attr.has(sample::BRANCH_STACK) {
            out.u64(new.branches.len() as u64);
            for branch in &new.branches {
                let wrong = match branch.mispredicted {
                    Some(true) => 0b01,
                    Some(false) => 0b10,
                    None => 0,
                };
                // Bit fields of such machines begin with their highest bit.
                let is_big = out.order == ByteOrder::Big;
                let cycles = if is_big { branch.cycles.reverse_bits() } else { branch.cycles };
                out.u64(branch.from).u64(branch.to).flags(wrong | u64::from(cycles) << 4);
            }
        }
        if attr.has(sample::REGS_USER) {
            const OF_64_BITS: u64 = 2;
            out.u64(if new.stack.0.is_empty() { 0 } else { OF_64_BITS });
            out.words(&new.stack.0);
        }
        if attr.has(sample::STACK_USER) {
            let size = new.stack.1.len().next_multiple_of(8);
            out.u64(size as u64).bytes(&new.stack.1);
            out.bytes.resize(out.bytes.len() + size - new.stack.1.len(), 0);
            if size != 0 {
                out.u64(new.stack.1.len() as u64);
            }
        }
        let mut word = |field: u64, value: u64| {
            if attr.has(field) {
                out.u64(value);
            }
        };
        word(sample::WEIGHT, new.weight);
        word(sample::DATA_SRC, new.data_src);
        word(sample::TRANSACTION, 0);
        word(sample::PHYS_ADDR, 0);
        word(sample::CGROUP, new.cgroup);
        word(sample::DATA_PAGE_SIZE, 0);
        word(sample::CODE_PAGE_SIZE, 0);
        const USER: u16 = 2;
        self.record(number::SAMPLE, USER, &body);
    }

    /// A feature by its bit in the header.
    pub fn feature(&mut self, number: u32, body: Body) {
        self.features.push((number, body.bytes));
    }

    /// Names of the events, in their order.
    pub fn event_names(&mut self, names: &[&str]) {
        let mut body = self.body();
        body.u32(names.len() as u32).u32(ATTR as u32);
        for ((attr, ids), name) in self.events.iter().zip(names) {
            body.attr(attr);
            body.u32(ids.len() as u32).header_text(name);
            body.words(ids);
        }
        self.feature(feature::EVENT_DESC, body);
    }

    /// The bytes of a file.
    pub fn finish(mut self) -> Vec<u8> {
        self.features.sort_by_key(|(number, _)| *number);
        let mut ids = self.body();
        let mut attrs = self.body();
        for (attr, counters) in &self.events {
            let at = HEADER + ids.bytes.len();
            ids.words(counters);
            attrs.attr(attr);
            attrs.u64(at as u64).u64(counters.len() as u64 * 8);
        }
        let attrs_at = HEADER + ids.bytes.len();
        let data_at = attrs_at + attrs.bytes.len();
        let mut bits = [0u64; 4];
        for (number, _) in &self.features {
            bits[*number as usize / 64] |= 1 << (number % 64);
        }
        let mut file = self.body();
        let magic = if self.order == ByteOrder::Little { b"PERFILE2" } else { b"2ELIFREP" };
        file.bytes(magic).u64(HEADER as u64).u64((ATTR + 16) as u64);
        file.u64(attrs_at as u64).u64(attrs.bytes.len() as u64);
        file.u64(data_at as u64).u64(self.records.len() as u64).u64(0).u64(0);
        file.words(&bits);
        file.bytes(&ids.bytes).bytes(&attrs.bytes).bytes(&self.records);
        let mut at = file.bytes.len() + self.features.len() * 16;
        for (_, bytes) in &self.features {
            file.u64(at as u64).u64(bytes.len() as u64);
            at += bytes.len();
        }
        for (_, bytes) in &self.features {
            file.bytes(bytes);
        }
        file.bytes
    }

    /// The same as what comes out of a pipe.
    pub fn finish_pipe(self) -> Vec<u8> {
        let mut whole = Writer::new(self.order);
        for (attr, ids) in &self.events {
            let mut body = whole.body();
            body.attr(attr);
            body.words(ids);
            whole.record(number::HEADER_ATTR, 0, &body);
        }
        for (number, bytes) in &self.features {
            let mut body = whole.body();
            body.u64((*number).into()).bytes(bytes);
            whole.record(number::HEADER_FEATURE, 0, &body);
        }
        let mut pipe = self.body();
        let magic = if self.order == ByteOrder::Little { b"PERFILE2" } else { b"2ELIFREP" };
        pipe.bytes(magic).u64(16).bytes(&whole.records).bytes(&self.records);
        pipe.bytes
    }
}

fn put_read(out: &mut Body, format: u64, told: &(Vec<(u64, u64)>, [u64; 2])) {
    let (counters, times) = told;
    let has = |bit: u64| format & bit != 0;
    let put_times = |out: &mut Body| {
        let bits = [read::TIME_ENABLED, read::TIME_RUNNING];
        for (_, &time) in bits.iter().zip(times).filter(|(bit, _)| has(**bit)) {
            out.u64(time);
        }
    };
    let rest = |out: &mut Body, id: u64| {
        for (_, value) in [(read::ID, id), (read::LOST, 0)].iter().filter(|(bit, _)| has(*bit)) {
            out.u64(*value);
        }
    };
    if has(read::GROUP) {
        out.u64(counters.len() as u64);
        put_times(out);
        for &(id, value) in counters {
            out.u64(value);
            rest(out, id);
        }
    } else {
        let (id, value) = counters.first().copied().unwrap_or_default();
        out.u64(value);
        put_times(out);
        rest(out, id);
    }
}

fn put_id(out: &mut Body, fields: SampleFields, id: SampleId) {
    let has = |field: u64| fields.0 & field != 0;
    let thread = id.thread.unwrap_or_default();
    if has(sample::TID) {
        out.u32(thread.pid).u32(thread.tid);
    }
    let mut word = |field: u64, value: u64| {
        if has(field) {
            out.u64(value);
        }
    };
    word(sample::TIME, id.time.unwrap_or_default());
    word(sample::ID, id.id.unwrap_or_default());
    word(sample::STREAM_ID, id.id.unwrap_or_default());
    if has(sample::CPU) {
        out.u32(id.cpu.unwrap_or_default()).u32(0);
    }
    if has(sample::IDENTIFIER) {
        out.u64(id.id.unwrap_or_default());
    }
}
