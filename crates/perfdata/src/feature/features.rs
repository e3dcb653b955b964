//! What is told besides events and records.

use super::machine::{Cache, ClockData, CpuTopology, MemoryBlocks, NumaNode, Pmu};
use crate::attr::Attr;
use crate::bytes::{Bytes, lossy};
use crate::head::Event;
use crate::tracepoint::TracingData;

/// Numbers of features, by their bit in the header.
pub(crate) mod number {
    pub(crate) const TRACING_DATA: u32 = 1;
    pub(crate) const BUILD_ID: u32 = 2;
    pub(crate) const HOSTNAME: u32 = 3;
    pub(crate) const OS_RELEASE: u32 = 4;
    pub(crate) const VERSION: u32 = 5;
    pub(crate) const ARCH: u32 = 6;
    pub(crate) const NR_CPUS: u32 = 7;
    pub(crate) const CPU_DESC: u32 = 8;
    pub(crate) const CPU_ID: u32 = 9;
    pub(crate) const TOTAL_MEM: u32 = 10;
    pub(crate) const CMDLINE: u32 = 11;
    pub(crate) const EVENT_DESC: u32 = 12;
    pub(crate) const CPU_TOPOLOGY: u32 = 13;
    pub(crate) const NUMA_TOPOLOGY: u32 = 14;
    pub(crate) const PMU_MAPPINGS: u32 = 16;
    pub(crate) const GROUP_DESC: u32 = 17;
    pub(crate) const CACHE: u32 = 20;
    pub(crate) const SAMPLE_TIME: u32 = 21;
    pub(crate) const MEM_TOPOLOGY: u32 = 22;
    pub(crate) const CLOCK_ID: u32 = 23;
    pub(crate) const DIR_FORMAT: u32 = 24;
    pub(crate) const COMPRESSED: u32 = 27;
    pub(crate) const CPU_PMU_CAPS: u32 = 28;
    pub(crate) const CLOCK_DATA: u32 = 29;
    pub(crate) const HYBRID_TOPOLOGY: u32 = 30;
    pub(crate) const PMU_CAPS: u32 = 31;
}

/// What the header tells beside events and records; what it does not is empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Features {
    /// Name of the machine.
    pub host: String,
    /// Release of its kernel.
    pub kernel: String,
    /// Version of perf.
    pub version: String,
    /// Architecture, as `uname -m` tells.
    pub arch: String,
    /// Processors that the machine has and those that are online.
    pub cpus: Option<(u32, u32)>,
    /// What the processor is called.
    pub cpu_name: String,
    /// What it calls itself: vendor, family, model, stepping.
    pub cpu_id: String,
    /// Memory in kibibytes.
    pub memory_kib: Option<u64>,
    /// The recorder's command.
    pub command: Vec<String>,
    /// Processors in cores, dies and sockets.
    pub topology: CpuTopology,
    /// Nodes of memory.
    pub numa: Vec<NumaNode>,
    /// Caches and who shares them.
    pub caches: Vec<Cache>,
    /// Blocks of memory by node.
    pub memory_blocks: Option<MemoryBlocks>,
    /// Units that count, with their numbers, capabilities and processors.
    pub pmus: Vec<Pmu>,
    /// Groups of events: name, number of the leader, how many there are.
    pub groups: Vec<Group>,
    /// Times of the first and last sample.
    pub sample_time: Option<(u64, u64)>,
    /// Resolution of the clock in nanoseconds.
    pub clock_resolution: Option<u64>,
    /// The clock, and the time of day at one of its times.
    pub clock: Option<ClockData>,
    /// Build ids of files.
    pub build_ids: Vec<BuildId>,
    /// Formats of tracepoints, and names of the kernel.
    pub tracing: Option<TracingData>,
    /// Whether the records are spread over a folder.
    pub is_directory: bool,
    /// Features that are shorter than they say or make no sense.
    pub damaged: Vec<u32>,
    /// Features that are kept by nobody: their numbers.
    pub skipped: Vec<u32>,
    /// Events with their names and counters.
    pub(crate) events: Vec<Event>,
}

/// A group of events that were counted together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Its name; may be empty.
    pub name: String,
    /// Number of the first event.
    pub leader: u32,
    /// How many events there are.
    pub members: u32,
}

/// The build id of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildId {
    /// The file.
    pub path: String,
    /// Its build id.
    pub id: Vec<u8>,
}

impl Features {
    /// Takes a feature from its bytes; what cannot be read is counted.
    pub(crate) fn take(&mut self, number: u32, bytes: Bytes<'_>) {
        if self.parse(number, bytes).is_none() {
            self.damaged.push(number);
        }
    }

    fn parse(&mut self, number: u32, mut bytes: Bytes<'_>) -> Option<()> {
        let bytes = &mut bytes;
        match number {
            number::TRACING_DATA => self.tracing = Some(TracingData::parse(bytes.rest())?),
            number::BUILD_ID => {
                while !bytes.rest().is_empty() {
                    let header = *bytes;
                    let (_kind, _misc, size) = (bytes.u32()?, bytes.u16()?, bytes.u16()?);
                    *bytes = header;
                    let record = bytes.take(size.into()).filter(|record| record.len() > 8)?;
                    self.build_ids.extend(BuildId::parse(Bytes::new(record, bytes.order())));
                }
            }
            number::HOSTNAME => self.host = bytes.header_text()?,
            number::OS_RELEASE => self.kernel = bytes.header_text()?,
            number::VERSION => self.version = bytes.header_text()?,
            number::ARCH => self.arch = bytes.header_text()?,
            number::NR_CPUS => self.cpus = Some((bytes.u32()?, bytes.u32()?)),
            number::CPU_DESC => self.cpu_name = bytes.header_text()?,
            number::CPU_ID => self.cpu_id = bytes.header_text()?,
            number::TOTAL_MEM => self.memory_kib = Some(bytes.u64()?),
            number::CMDLINE => self.command = bytes.header_texts()?,
            number::EVENT_DESC => self.events = event_descriptions(bytes)?,
            number::GROUP_DESC => {
                let count = bytes.u32()?;
                self.groups = (0..bytes.at_most(count, 12)?)
                    .map(|_| {
                        let name = bytes.header_text()?;
                        Some(Group { name, leader: bytes.u32()?, members: bytes.u32()? })
                    })
                    .collect::<Option<_>>()?;
            }
            number::SAMPLE_TIME => self.sample_time = Some((bytes.u64()?, bytes.u64()?)),
            number::CLOCK_ID => self.clock_resolution = Some(bytes.u64()?),
            number::DIR_FORMAT => self.is_directory = true,
            number::COMPRESSED => {}
            number => return self.parse_machine(number, bytes),
        }
        Some(())
    }
}

impl BuildId {
    /// What a record of a build id says, its header included.
    pub(crate) fn parse(mut bytes: Bytes<'_>) -> Option<BuildId> {
        /// The size of the id is told.
        const HAS_SIZE: u16 = 1 << 15;
        let (_kind, misc, _size) = (bytes.u32()?, bytes.u16()?, bytes.u16()?);
        let _pid = bytes.u32()?;
        let id = bytes.take(24)?;
        let size = if misc & HAS_SIZE != 0 { usize::from(id[20]).min(20) } else { 20 };
        Some(BuildId { id: id[..size].to_vec(), path: lossy(bytes.text()) })
    }
}

fn event_descriptions(bytes: &mut Bytes<'_>) -> Option<Vec<Event>> {
    let (count, attr_size) = (bytes.u32()?, bytes.u32()?);
    let size = (attr_size as usize).checked_add(8)?;
    (0..bytes.at_most(count, size)?)
        .map(|_| {
            let attr = Attr::parse(Bytes::new(bytes.take(attr_size as usize)?, bytes.order()))?;
            let count = bytes.u32()?;
            let name = bytes.header_text()?;
            let ids = (0..bytes.at_most(count, 8)?).map(|_| bytes.u64()).collect::<Option<_>>()?;
            Some(Event { attr, name, ids })
        })
        .collect()
}
