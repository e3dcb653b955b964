//! What was asked of the kernel for an event: `struct perf_event_attr`.

use crate::bytes::Bytes;

/// Which fields samples of an event have; bits as in `enum perf_event_sample_format`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SampleFields(pub u64);

/// Bits of [`SampleFields`].
#[allow(missing_docs)]
pub mod sample {
    pub const IP: u64 = 1 << 0;
    pub const TID: u64 = 1 << 1;
    pub const TIME: u64 = 1 << 2;
    pub const ADDR: u64 = 1 << 3;
    pub const READ: u64 = 1 << 4;
    pub const CALLCHAIN: u64 = 1 << 5;
    pub const ID: u64 = 1 << 6;
    pub const CPU: u64 = 1 << 7;
    pub const PERIOD: u64 = 1 << 8;
    pub const STREAM_ID: u64 = 1 << 9;
    pub const RAW: u64 = 1 << 10;
    pub const BRANCH_STACK: u64 = 1 << 11;
    pub const REGS_USER: u64 = 1 << 12;
    pub const STACK_USER: u64 = 1 << 13;
    pub const WEIGHT: u64 = 1 << 14;
    pub const DATA_SRC: u64 = 1 << 15;
    pub const IDENTIFIER: u64 = 1 << 16;
    pub const TRANSACTION: u64 = 1 << 17;
    pub const REGS_INTR: u64 = 1 << 18;
    pub const PHYS_ADDR: u64 = 1 << 19;
    pub const AUX: u64 = 1 << 20;
    pub const CGROUP: u64 = 1 << 21;
    pub const DATA_PAGE_SIZE: u64 = 1 << 22;
    pub const CODE_PAGE_SIZE: u64 = 1 << 23;
    pub const WEIGHT_STRUCT: u64 = 1 << 24;
    /// All that are known: a sample with others cannot be read beyond them.
    pub const KNOWN: u64 = (1 << 25) - 1;
}

/// Bits of [`Attr::read_format`].
#[allow(missing_docs)]
pub mod read {
    pub const TIME_ENABLED: u64 = 1 << 0;
    pub const TIME_RUNNING: u64 = 1 << 1;
    pub const ID: u64 = 1 << 2;
    pub const GROUP: u64 = 1 << 3;
    pub const LOST: u64 = 1 << 4;
}

/// Bits of [`Attr::flags`] that matter to who reads.
#[allow(missing_docs)]
pub mod flag {
    pub const INHERIT: u64 = 1 << 1;
    pub const EXCLUDE_USER: u64 = 1 << 4;
    pub const EXCLUDE_KERNEL: u64 = 1 << 5;
    pub const EXCLUDE_HV: u64 = 1 << 6;
    pub const FREQ: u64 = 1 << 10;
    pub const PRECISE_IP: u64 = 0b11 << 15;
    pub const SAMPLE_ID_ALL: u64 = 1 << 18;
    pub const CONTEXT_SWITCH: u64 = 1 << 26;
    /// Buffers are written from their end, and keep what came last.
    pub const WRITE_BACKWARD: u64 = 1 << 27;
}

/// Bits of [`Attr::branch_sample_type`] that change what a sample holds.
pub(crate) mod branch {
    pub(crate) const CALL_STACK: u64 = 1 << 11;
    pub(crate) const HW_INDEX: u64 = 1 << 17;
    pub(crate) const COUNTERS: u64 = 1 << 19;
}

/// Kinds of events: [`Attr::kind`].
#[allow(missing_docs)]
pub mod kind {
    pub const HARDWARE: u32 = 0;
    pub const SOFTWARE: u32 = 1;
    pub const TRACEPOINT: u32 = 2;
    pub const CACHE: u32 = 3;
    pub const RAW: u32 = 4;
}

/// What was asked of the kernel for an event. Fields that the recorder did not know are 0.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Attr {
    /// Whose event it is, see [`kind`]; higher numbers are those of `PMU_MAPPINGS`.
    pub kind: u32,
    /// Which event of these.
    pub config: u64,
    /// Events between two samples, or samples a second with [`flag::FREQ`].
    pub period: u64,
    /// The fields of its samples.
    pub sample: SampleFields,
    /// What reads of its counter hold, see [`read`].
    pub read_format: u64,
    /// See [`flag`].
    pub flags: u64,
    /// Which branches were recorded; bits as in `enum perf_branch_sample_type`.
    pub branch_sample_type: u64,
    /// Which registers of user mode samples hold, by the numbers of the architecture.
    pub regs_user: u64,
    /// Bytes of the stack that were asked for.
    pub stack_user: u32,
    /// Which clock times are of, `CLOCK_MONOTONIC` for example; none for perf's own.
    pub clock_id: Option<i32>,
    /// The same as `regs_user`, at the moment of the interrupt.
    pub regs_intr: u64,
}

/// `use_clockid`
const USE_CLOCK_ID: u64 = 1 << 25;

impl Attr {
    /// The attributes in `bytes`, which hold exactly one of them. Those of older or newer kernels
    /// are shorter or longer.
    pub(crate) fn parse(mut bytes: Bytes<'_>) -> Option<Attr> {
        let kind = bytes.u32()?;
        let _size = bytes.u32()?;
        let mut attr = Attr {
            kind,
            config: bytes.u64()?,
            period: bytes.u64()?,
            sample: SampleFields(bytes.u64()?),
            read_format: bytes.u64()?,
            flags: bytes.flags()?,
            ..Attr::default()
        };
        let _wakeup = bytes.u32()?;
        let _breakpoint_type = bytes.u32()?;
        let _config1 = bytes.u64()?;
        // Version 0 ends here, after 64 bytes.
        attr.parse_later(&mut bytes);
        Some(attr)
    }

    fn parse_later(&mut self, bytes: &mut Bytes<'_>) -> Option<()> {
        let _config2 = bytes.u64()?;
        self.branch_sample_type = bytes.u64()?;
        self.regs_user = bytes.u64()?;
        self.stack_user = bytes.u32()?;
        let clock_id = bytes.i32()?;
        self.clock_id = (self.flags & USE_CLOCK_ID != 0).then_some(clock_id);
        self.regs_intr = bytes.u64()?;
        Some(())
    }

    /// Whether samples have a field.
    #[inline]
    pub fn has(&self, field: u64) -> bool {
        self.sample.0 & field != 0
    }

    /// Whether a flag is set.
    pub fn is(&self, flag: u64) -> bool {
        self.flags & flag != 0
    }

    /// Whether a sample is taken of each event, and not of one of several.
    pub fn samples_each(&self) -> bool {
        self.period == 1 && !self.is(flag::FREQ)
    }

    /// Whether a read holds the values of the whole group.
    pub fn reads_group(&self) -> bool {
        self.read_format & read::GROUP != 0
    }

    /// Whether branches are those of the call stack, as the processor remembers it.
    pub fn is_call_stack(&self) -> bool {
        self.branch_sample_type & branch::CALL_STACK != 0
    }

    /// How the kernel calls the event, for files that do not name it.
    pub fn generic_name(&self) -> String {
        let hardware = [
            "cycles",
            "instructions",
            "cache-references",
            "cache-misses",
            "branches",
            "branch-misses",
            "bus-cycles",
            "stalled-cycles-frontend",
            "stalled-cycles-backend",
            "ref-cycles",
        ];
        let software = [
            "cpu-clock",
            "task-clock",
            "page-faults",
            "context-switches",
            "cpu-migrations",
            "minor-faults",
            "major-faults",
            "alignment-faults",
            "emulation-faults",
            "dummy",
            "bpf-output",
            "cgroup-switches",
        ];
        // The upper half says which of several processors' events it is.
        let number = (self.config & u64::from(u32::MAX)) as usize;
        let known = match self.kind {
            kind::HARDWARE => hardware.get(number).map(|name| (*name).to_owned()),
            kind::SOFTWARE => software.get(number).map(|name| (*name).to_owned()),
            kind::CACHE => cache_name(self.config),
            kind::TRACEPOINT => Some(format!("tracepoint {}", self.config)),
            kind::RAW => Some(format!("raw 0x{:x}", self.config)),
            _ => None,
        };
        known.unwrap_or_else(|| format!("event {}:0x{:x}", self.kind, self.config))
    }
}

/// The name of an event of the caches, such as `L1-dcache-load-misses`.
fn cache_name(config: u64) -> Option<String> {
    let caches = ["L1-dcache", "L1-icache", "LLC", "dTLB", "iTLB", "branch", "node"];
    let accesses = [["loads", "load"], ["stores", "store"], ["prefetches", "prefetch"]];
    let cache = caches.get((config & 0xff) as usize)?;
    let [all, one] = accesses.get((config >> 8 & 0xff) as usize)?;
    match config >> 16 & 0xff {
        0 => Some(format!("{cache}-{all}")),
        1 => Some(format!("{cache}-{one}-misses")),
        _ => None,
    }
}
