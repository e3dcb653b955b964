//! The fields of a sample.

use super::branches::Branches;
use super::chain::CallChain;
use super::read::Read;
use super::registers::Registers;
use crate::attr::{Attr, sample};
use crate::bytes::Bytes;

/// One sample; what was not recorded is `None` or empty.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sample<'a> {
    /// Where the processor was.
    pub ip: Option<u64>,
    /// Process and thread.
    pub thread: Option<Thread>,
    /// Nanoseconds of the recording's clock.
    pub time: Option<u64>,
    /// What the event is about, such as the address of an access.
    pub addr: Option<u64>,
    /// The counter that overflowed.
    pub id: Option<u64>,
    /// The instance of that counter: other than its id where threads inherited it.
    pub stream_id: Option<u64>,
    /// Processor.
    pub cpu: Option<u32>,
    /// Events since the sample before.
    pub period: Option<u64>,
    /// Counters, read when the sample was taken.
    pub read: Option<Read<'a>>,
    /// Addresses, leaf first, with markers of whose they are, see [`CallChain`].
    pub callchain: Option<CallChain<'a>>,
    /// What a tracepoint tells.
    pub raw: Option<&'a [u8]>,
    /// Branches, the latest first.
    pub branches: Option<Branches<'a>>,
    /// Registers of user mode.
    pub regs_user: Option<Registers<'a>>,
    /// The top of the user's stack, from the stack pointer up.
    pub stack_user: Option<&'a [u8]>,
    /// What the access cost, in cycles.
    pub weight: Option<u64>,
    /// From which level of memory it was served; bits as in `union perf_mem_data_src`.
    pub data_src: Option<u64>,
    /// What aborted a transaction.
    pub transaction: Option<u64>,
    /// Registers at the moment of the interrupt.
    pub regs_intr: Option<Registers<'a>>,
    /// Physical address of the access.
    pub phys_addr: Option<u64>,
    /// Number of the control group, see `CGROUP`.
    pub cgroup: Option<u64>,
    /// Size of the page of the data.
    pub data_page_size: Option<u64>,
    /// Size of the page of the code.
    pub code_page_size: Option<u64>,
    /// What a trace unit recorded, not decoded.
    pub aux: Option<&'a [u8]>,
}

/// A thread in its process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, PartialOrd, Ord)]
pub struct Thread {
    /// Process.
    pub pid: u32,
    /// Thread.
    pub tid: u32,
}

impl Thread {
    pub(crate) fn parse(bytes: &mut Bytes<'_>) -> Option<Thread> {
        Some(Thread { pid: bytes.u32()?, tid: bytes.u32()? })
    }
}

impl<'a> Sample<'a> {
    /// The sample in `bytes`, the body of a record; `None` if it holds less than `attr` says.
    pub(crate) fn parse(mut bytes: Bytes<'a>, attr: &Attr) -> Option<Sample<'a>> {
        let mut found = Sample::default();
        let bytes = &mut bytes;
        let word = |bit: u64, bytes: &mut Bytes<'a>| {
            if attr.has(bit) { bytes.u64().map(Some) } else { Some(None) }
        };
        found.id = word(sample::IDENTIFIER, bytes)?;
        found.ip = word(sample::IP, bytes)?;
        if attr.has(sample::TID) {
            found.thread = Some(Thread::parse(bytes)?);
        }
        found.time = word(sample::TIME, bytes)?;
        found.addr = word(sample::ADDR, bytes)?;
        found.id = word(sample::ID, bytes)?.or(found.id);
        found.stream_id = word(sample::STREAM_ID, bytes)?;
        if attr.has(sample::CPU) {
            found.cpu = Some(bytes.u32()?);
            let _reserved = bytes.u32()?;
        }
        found.period = word(sample::PERIOD, bytes)?;
        if attr.has(sample::READ) {
            found.read = Some(Read::parse(bytes, attr.read_format)?);
        }
        if attr.has(sample::CALLCHAIN) {
            let count = bytes.u64()?;
            let words = bytes.take_u64(count.checked_mul(8)?)?;
            found.callchain = Some(CallChain(Bytes::new(words, bytes.order())));
        }
        if attr.has(sample::RAW) {
            let size = bytes.u32()?;
            found.raw = Some(bytes.take(size as usize)?);
        }
        if attr.has(sample::BRANCH_STACK) {
            found.branches = Some(Branches::parse(bytes, attr.branch_sample_type)?);
        }
        if attr.has(sample::REGS_USER) {
            found.regs_user = Registers::parse(bytes, attr.regs_user)?;
        }
        if attr.has(sample::STACK_USER) {
            let size = bytes.u64()?;
            let dump = bytes.take_u64(size)?;
            if size != 0 {
                let used = usize::try_from(bytes.u64()?).unwrap_or(usize::MAX);
                found.stack_user = Some(&dump[..used.min(dump.len())]);
            }
        }
        if attr.has(sample::WEIGHT) {
            found.weight = Some(bytes.u64()?);
        } else if attr.has(sample::WEIGHT_STRUCT) {
            // The latency; the two 16-bit numbers behind it are other parts of it.
            found.weight = Some(bytes.u32()?.into());
            bytes.take(4)?;
        }
        found.data_src = word(sample::DATA_SRC, bytes)?;
        found.transaction = word(sample::TRANSACTION, bytes)?;
        if attr.has(sample::REGS_INTR) {
            found.regs_intr = Registers::parse(bytes, attr.regs_intr)?;
        }
        found.phys_addr = word(sample::PHYS_ADDR, bytes)?;
        found.cgroup = word(sample::CGROUP, bytes)?;
        found.data_page_size = word(sample::DATA_PAGE_SIZE, bytes)?;
        found.code_page_size = word(sample::CODE_PAGE_SIZE, bytes)?;
        if attr.has(sample::AUX) {
            let size = bytes.u64()?;
            found.aux = Some(bytes.take_u64(size)?);
        }
        Some(found)
    }
}
