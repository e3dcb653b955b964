//! Records, by their number in `enum perf_event_type` and, from 64 on, `enum perf_user_event_type`.

use crate::attr::Attr;
use crate::bytes::{Bytes, lossy};
use crate::sample::{CallChain, Mode, Read, Sample, SampleId, Thread};

/// Numbers of records.
pub(crate) mod number {
    pub(crate) const MMAP: u32 = 1;
    pub(crate) const LOST: u32 = 2;
    pub(crate) const COMM: u32 = 3;
    pub(crate) const EXIT: u32 = 4;
    pub(crate) const THROTTLE: u32 = 5;
    pub(crate) const UNTHROTTLE: u32 = 6;
    pub(crate) const FORK: u32 = 7;
    pub(crate) const READ: u32 = 8;
    pub(crate) const SAMPLE: u32 = 9;
    pub(crate) const MMAP2: u32 = 10;
    pub(crate) const LOST_SAMPLES: u32 = 13;
    pub(crate) const SWITCH: u32 = 14;
    pub(crate) const SWITCH_CPU_WIDE: u32 = 15;
    pub(crate) const KSYMBOL: u32 = 17;
    pub(crate) const CGROUP: u32 = 19;
    pub(crate) const CALLCHAIN_DEFERRED: u32 = 22;
    pub(crate) const HEADER_ATTR: u32 = 64;
    pub(crate) const HEADER_EVENT_TYPE: u32 = 65;
    pub(crate) const TRACING_DATA: u32 = 66;
    pub(crate) const BUILD_ID: u32 = 67;
    pub(crate) const FINISHED_ROUND: u32 = 68;
    pub(crate) const ID_INDEX: u32 = 69;
    pub(crate) const AUXTRACE: u32 = 71;
    pub(crate) const STAT: u32 = 76;
    pub(crate) const STAT_ROUND: u32 = 77;
    pub(crate) const EVENT_UPDATE: u32 = 78;
    pub(crate) const HEADER_FEATURE: u32 = 80;
    pub(crate) const COMPRESSED: u32 = 81;
    pub(crate) const FINISHED_INIT: u32 = 82;
    pub(crate) const COMPRESSED2: u32 = 83;
}

/// The name of a kind of records, as perf prints it without `PERF_RECORD_`.
pub fn record_name(number: u32) -> Option<&'static str> {
    let kernel = [
        "",
        "MMAP",
        "LOST",
        "COMM",
        "EXIT",
        "THROTTLE",
        "UNTHROTTLE",
        "FORK",
        "READ",
        "SAMPLE",
        "MMAP2",
        "AUX",
        "ITRACE_START",
        "LOST_SAMPLES",
        "SWITCH",
        "SWITCH_CPU_WIDE",
        "NAMESPACES",
        "KSYMBOL",
        "BPF_EVENT",
        "CGROUP",
        "TEXT_POKE",
        "AUX_OUTPUT_HW_ID",
        "CALLCHAIN_DEFERRED",
    ];
    let perf = [
        "ATTR",
        "EVENT_TYPE",
        "TRACING_DATA",
        "BUILD_ID",
        "FINISHED_ROUND",
        "ID_INDEX",
        "AUXTRACE_INFO",
        "AUXTRACE",
        "AUXTRACE_ERROR",
        "THREAD_MAP",
        "CPU_MAP",
        "STAT_CONFIG",
        "STAT",
        "STAT_ROUND",
        "EVENT_UPDATE",
        "TIME_CONV",
        "FEATURE",
        "COMPRESSED",
        "FINISHED_INIT",
        "COMPRESSED2",
        "BPF_METADATA",
        "SCHEDSTAT_CPU",
        "SCHEDSTAT_DOMAIN",
    ];
    let name = match number {
        0..64 => kernel.get(number as usize),
        _ => perf.get(number as usize - 64),
    };
    name.copied().filter(|name| !name.is_empty())
}

/// A record with whom it is of and when it was.
#[derive(Debug, Clone, Copy)]
pub struct Record<'a> {
    /// What it says.
    pub body: Body<'a>,
    /// Number in the list of events, see [`crate::Head::events`].
    pub event: usize,
    /// Whose code ran, or whose memory it is about.
    pub mode: Mode,
    /// Who and when; a sample has these among its fields.
    pub id: SampleId,
}

/// What a record says.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::large_enum_variant, reason = "nearly all are samples, and none is kept")]
pub enum Body<'a> {
    /// A sample.
    Sample(Sample<'a>),
    /// A file was mapped into the memory of a process, or of the kernel.
    Map(Map<'a>),
    /// A thread got a name.
    Comm {
        /// Which.
        thread: Thread,
        /// Its name.
        name: &'a [u8],
        /// Because its process became another program.
        is_exec: bool,
    },
    /// A thread or process began.
    Fork {
        /// What began.
        child: Thread,
        /// Which did it.
        parent: Thread,
    },
    /// A thread or process ended.
    Exit(Thread),
    /// Records were lost, for the recorder came too late.
    Lost {
        /// How many.
        count: u64,
        /// Whether only samples are counted, and those by the kernel.
        is_samples: bool,
    },
    /// Samples of an event came too fast: there are none until [`Body::Unthrottled`].
    Throttled,
    /// There are samples again.
    Unthrottled,
    /// A thread came to a processor or left it.
    Switch(Switch),
    /// Counters at the end of a thread.
    Read {
        /// Whose.
        thread: Thread,
        /// Their values.
        read: Read<'a>,
    },
    /// The kernel got or lost code with a name, of BPF for example.
    KernelSymbol {
        /// First address.
        address: u64,
        /// Bytes.
        length: u32,
        /// Its name.
        name: &'a [u8],
        /// Whether it went away.
        is_removed: bool,
    },
    /// The number of a control group.
    ControlGroup {
        /// The number.
        id: u64,
        /// Its path.
        path: &'a [u8],
    },
    /// The user's part of a call chain whose kernel's part came before.
    DeferredChain {
        /// The number that stands in that chain.
        cookie: u64,
        /// The rest.
        chain: CallChain<'a>,
    },
    /// A counter without samples, of `perf stat record`.
    Stat(Stat),
    /// All counters were read.
    StatRound {
        /// Nanoseconds since the start.
        time: u64,
        /// Whether it is the last time.
        is_final: bool,
    },
    /// Of another kind.
    Other {
        /// Which.
        number: u32,
    },
}

/// A file that was mapped.
#[derive(Debug, Clone, Copy)]
pub struct Map<'a> {
    /// In which process.
    pub thread: Thread,
    /// First address.
    pub start: u64,
    /// Bytes.
    pub length: u64,
    /// The first one's place in the file; of a kernel, the address of its reference symbol.
    pub offset: u64,
    /// The file, or what else it is in brackets or behind `//`.
    pub path: &'a [u8],
    /// Build id, where the kernel told it; else empty.
    pub build_id: &'a [u8],
    /// Whether it is data and not code.
    pub is_data: bool,
}

/// A thread that came to a processor or left it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Switch {
    /// Whether it left.
    pub is_out: bool,
    /// Whether it would have gone on.
    pub is_preempted: bool,
    /// Where all of a processor is recorded: who came or went instead.
    pub other: Option<Thread>,
}

/// A value of a counter without samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stat {
    /// Which counter.
    pub id: u64,
    /// Processor.
    pub cpu: u32,
    /// Thread, by its place in the thread map.
    pub thread: u32,
    /// Events.
    pub value: u64,
    /// Nanoseconds for which it was wanted.
    pub enabled: u64,
    /// Nanoseconds for which it was counted.
    pub running: u64,
}

/// `PERF_RECORD_MISC_*` above the mode.
mod misc {
    pub(super) const MMAP_DATA: u16 = 1 << 13;
    pub(super) const COMM_EXEC: u16 = 1 << 13;
    pub(super) const SWITCH_OUT: u16 = 1 << 13;
    pub(super) const SWITCH_OUT_PREEMPT: u16 = 1 << 14;
    pub(super) const MMAP_BUILD_ID: u16 = 1 << 14;
}

/// Understands the body of a record; `None` if it is shorter than its kind.
pub(crate) fn parse<'a>(
    number: u32,
    misc: u16,
    bytes: Bytes<'a>,
    event: usize,
    attr: &Attr,
) -> Option<Record<'a>> {
    let mode = Mode::of_misc(misc);
    let record = |body, id| Some(Record { body, event, mode, id });
    if number == number::SAMPLE {
        let sample = Sample::parse(bytes, attr)?;
        let id =
            SampleId { thread: sample.thread, time: sample.time, id: sample.id, cpu: sample.cpu };
        return record(Body::Sample(sample), id);
    }
    // What perf itself writes has no such end; neither have some of the kernel's kinds that it makes.
    if number < 64
        && let Some((front, id)) = split_id(bytes, attr)
        && let Some(body) = body(number, misc, &mut { front }, attr)
    {
        return record(body, id);
    }
    record(body(number, misc, &mut { bytes }, attr)?, SampleId::default())
}

/// A record without its end, and what that says.
fn split_id<'a>(bytes: Bytes<'a>, attr: &Attr) -> Option<(Bytes<'a>, SampleId)> {
    let rest = bytes.rest();
    let (front, end) = rest.split_at_checked(rest.len().checked_sub(SampleId::size(attr))?)?;
    let id = SampleId::parse(Bytes::new(end, bytes.order()), attr.sample)?;
    Some((Bytes::new(front, bytes.order()), id))
}

fn body<'a>(number: u32, misc: u16, bytes: &mut Bytes<'a>, attr: &Attr) -> Option<Body<'a>> {
    Some(match number {
        number::MMAP => Body::Map(Map {
            thread: Thread::parse(bytes)?,
            start: bytes.u64()?,
            length: bytes.u64()?,
            offset: bytes.u64()?,
            path: bytes.text(),
            build_id: &[],
            is_data: misc & misc::MMAP_DATA != 0,
        }),
        number::MMAP2 => Body::Map(mmap2(misc, bytes)?),
        number::COMM => Body::Comm {
            thread: Thread::parse(bytes)?,
            name: bytes.text(),
            is_exec: misc & misc::COMM_EXEC != 0,
        },
        number::FORK | number::EXIT => {
            let (pid, parent_pid) = (bytes.u32()?, bytes.u32()?);
            let (tid, parent_tid) = (bytes.u32()?, bytes.u32()?);
            let (child, parent) =
                (Thread { pid, tid }, Thread { pid: parent_pid, tid: parent_tid });
            match number {
                number::FORK => Body::Fork { child, parent },
                _ => Body::Exit(child),
            }
        }
        number::LOST => {
            let _id = bytes.u64()?;
            Body::Lost { count: bytes.u64()?, is_samples: false }
        }
        number::LOST_SAMPLES => Body::Lost { count: bytes.u64()?, is_samples: true },
        number::THROTTLE => Body::Throttled,
        number::UNTHROTTLE => Body::Unthrottled,
        number::SWITCH | number::SWITCH_CPU_WIDE => Body::Switch(Switch {
            is_out: misc & misc::SWITCH_OUT != 0,
            is_preempted: misc & misc::SWITCH_OUT_PREEMPT != 0,
            other: match number {
                number::SWITCH => None,
                _ => Some(Thread::parse(bytes)?),
            },
        }),
        number::READ => Body::Read {
            thread: Thread::parse(bytes)?,
            read: Read::parse(bytes, attr.read_format)?,
        },
        number::KSYMBOL => {
            let (address, length) = (bytes.u64()?, bytes.u32()?);
            let (_kind, flags) = (bytes.u16()?, bytes.u16()?);
            Body::KernelSymbol { address, length, name: bytes.text(), is_removed: flags & 1 != 0 }
        }
        number::CGROUP => Body::ControlGroup { id: bytes.u64()?, path: bytes.text() },
        number::CALLCHAIN_DEFERRED => {
            let (cookie, count) = (bytes.u64()?, bytes.u64()?);
            let words = bytes.take_u64(count.checked_mul(8)?)?;
            Body::DeferredChain { cookie, chain: CallChain(Bytes::new(words, bytes.order())) }
        }
        number::STAT => {
            let (id, cpu, thread) = (bytes.u64()?, bytes.u32()?, bytes.u32()?);
            let (value, enabled, running) = (bytes.u64()?, bytes.u64()?, bytes.u64()?);
            Body::Stat(Stat { id, cpu, thread, value, enabled, running })
        }
        number::STAT_ROUND => {
            let (kind, time) = (bytes.u64()?, bytes.u64()?);
            Body::StatRound { time, is_final: kind == 1 }
        }
        number => Body::Other { number },
    })
}

fn mmap2<'a>(misc: u16, bytes: &mut Bytes<'a>) -> Option<Map<'a>> {
    let thread = Thread::parse(bytes)?;
    let (start, length, offset) = (bytes.u64()?, bytes.u64()?, bytes.u64()?);
    // Either device, inode and generation, or the build id with its length before it.
    let identity = bytes.take(24)?;
    let build_id = if misc & misc::MMAP_BUILD_ID != 0 {
        identity.get(4..4 + usize::from(identity[0]).min(20))?
    } else {
        &[]
    };
    let (protection, _flags) = (bytes.u32()?, bytes.u32()?);
    let path = bytes.text();
    const EXECUTABLE: u32 = 4;
    let is_data = misc & misc::MMAP_DATA != 0 || protection & EXECUTABLE == 0 && protection != 0;
    Some(Map { thread, start, length, offset, path, build_id, is_data })
}

/// Text of a record, repaired where it is not UTF-8.
pub fn text(bytes: &[u8]) -> String {
    lossy(bytes)
}
