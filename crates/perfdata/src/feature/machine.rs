//! The machine that recorded: processors, caches, memory, units that count.

use super::{Features, number};
use crate::bytes::Bytes;

/// Processors in cores, dies and sockets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CpuTopology {
    /// Lists of the processors of each socket (or die), such as `0-3,8`.
    pub sockets: Vec<String>,
    /// Lists of the processors of each core.
    pub cores: Vec<String>,
    /// Lists of the processors of each die, where the machine has several in a socket.
    pub dies: Vec<String>,
    /// Where each processor is; empty if that is not told.
    pub cpus: Vec<CpuPlace>,
}

/// Where a processor is; numbers that nobody knows are -1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CpuPlace {
    /// Core, in its socket.
    pub core: i32,
    /// Socket.
    pub socket: i32,
    /// Die, where that is told.
    pub die: Option<i32>,
}

/// A node of memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumaNode {
    /// Its number.
    pub number: u32,
    /// Memory in kibibytes.
    pub total_kib: u64,
    /// What of it was free.
    pub free_kib: u64,
    /// Its processors, such as `0-3`.
    pub cpus: String,
}

/// A cache.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cache {
    /// 1 is nearest to the processor.
    pub level: u32,
    /// Bytes of a line.
    pub line_size: u32,
    /// Sets.
    pub sets: u32,
    /// Ways of each set.
    pub ways: u32,
    /// `Data`, `Instruction` or `Unified`.
    pub kind: String,
    /// Size as the kernel writes it, such as `32K`.
    pub size: String,
    /// The processors that share it.
    pub cpus: String,
}

/// Blocks of memory by node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryBlocks {
    /// Bytes of a block.
    pub block_size: u64,
    /// Number of each node and how many blocks it has.
    pub nodes: Vec<(u64, u64)>,
}

/// A unit that counts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pmu {
    /// Its name.
    pub name: String,
    /// Its number in the kind of an event, if told.
    pub kind: Option<u32>,
    /// Its processors, where only some have it (hybrid machines).
    pub cpus: String,
    /// What it can do, by name.
    pub capabilities: Vec<(String, String)>,
}

/// A clock, and the time of day at one of its times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockData {
    /// Number of the clock, as `clock_gettime` takes it.
    pub clock_id: i32,
    /// Nanoseconds since 1970.
    pub wall_clock_ns: u64,
    /// What the clock showed then.
    pub clock_ns: u64,
}

impl Features {
    pub(super) fn parse_machine(&mut self, number: u32, bytes: &mut Bytes<'_>) -> Option<()> {
        match number {
            number::CPU_TOPOLOGY => self.topology = self.topology_of(bytes)?,
            number::NUMA_TOPOLOGY => {
                self.numa = list(bytes, 24, |bytes| {
                    Some(NumaNode {
                        number: bytes.u32()?,
                        total_kib: bytes.u64()?,
                        free_kib: bytes.u64()?,
                        cpus: bytes.header_text()?,
                    })
                })?;
            }
            number::CACHE => {
                let _version = bytes.u32()?;
                self.caches = list(bytes, 28, |bytes| {
                    Some(Cache {
                        level: bytes.u32()?,
                        line_size: bytes.u32()?,
                        sets: bytes.u32()?,
                        ways: bytes.u32()?,
                        kind: bytes.header_text()?,
                        size: bytes.header_text()?,
                        cpus: bytes.header_text()?,
                    })
                })?;
            }
            number::MEM_TOPOLOGY => {
                let (_version, block_size, count) = (bytes.u64()?, bytes.u64()?, bytes.u64()?);
                let count = bytes.at_most(u32::try_from(count).ok()?, 16)?;
                let node = |_| {
                    let (node, bits) = (bytes.u64()?, bytes.u64()?);
                    let words = bytes.take_u64(bits.div_ceil(64).checked_mul(8)?)?;
                    let blocks: u64 = words.iter().map(|byte| u64::from(byte.count_ones())).sum();
                    Some((node, blocks))
                };
                let nodes = (0..count).map(node).collect::<Option<_>>()?;
                self.memory_blocks = Some(MemoryBlocks { block_size, nodes });
            }
            number::PMU_MAPPINGS => {
                let found = list(bytes, 8, |bytes| Some((bytes.u32()?, bytes.header_text()?)))?;
                for (kind, name) in found {
                    self.pmu(name).kind = Some(kind);
                }
            }
            number::HYBRID_TOPOLOGY => {
                let found = list(bytes, 8, |b| Some((b.header_text()?, b.header_text()?)))?;
                for (name, cpus) in found {
                    self.pmu(name).cpus = cpus;
                }
            }
            number::CPU_PMU_CAPS => {
                let capabilities = capabilities(bytes)?;
                self.pmu("cpu".to_owned()).capabilities = capabilities;
            }
            number::PMU_CAPS => {
                let found = list(bytes, 8, |b| Some((capabilities(b)?, b.header_text()?)))?;
                for (capabilities, name) in found {
                    self.pmu(name).capabilities = capabilities;
                }
            }
            number::CLOCK_DATA => {
                let (_version, clock_id) = (bytes.u32()?, bytes.i32()?);
                let (wall_clock_ns, clock_ns) = (bytes.u64()?, bytes.u64()?);
                self.clock = Some(ClockData { clock_id, wall_clock_ns, clock_ns });
            }
            number => self.skipped.push(number),
        }
        Some(())
    }

    fn pmu(&mut self, name: String) -> &mut Pmu {
        let known = self.pmus.iter().position(|pmu| pmu.name == name);
        let number = known.unwrap_or_else(|| {
            self.pmus.push(Pmu { name, ..Pmu::default() });
            self.pmus.len() - 1
        });
        &mut self.pmus[number]
    }

    fn topology_of(&self, bytes: &mut Bytes<'_>) -> Option<CpuTopology> {
        let (sockets, cores) = (bytes.header_texts()?, bytes.header_texts()?);
        let mut topology = CpuTopology { sockets, cores, ..CpuTopology::default() };
        // Later versions go on with the place of each processor, and with dies after that.
        let Some((available, _)) = self.cpus else { return Some(topology) };
        let Some(count) = bytes.at_most(available, 8) else { return Some(topology) };
        let place = |_| Some(CpuPlace { core: bytes.i32()?, socket: bytes.i32()?, die: None });
        topology.cpus = (0..count).map(place).collect::<Option<_>>()?;
        if bytes.rest().len() >= 4 {
            topology.dies = bytes.header_texts()?;
            for cpu in &mut topology.cpus {
                cpu.die = Some(bytes.i32()?);
            }
        }
        Some(topology)
    }
}

fn list<'a, T>(
    bytes: &mut Bytes<'a>,
    least: usize,
    mut entry: impl FnMut(&mut Bytes<'a>) -> Option<T>,
) -> Option<Vec<T>> {
    let count = bytes.u32()?;
    (0..bytes.at_most(count, least)?).map(|_| entry(bytes)).collect()
}

fn capabilities(bytes: &mut Bytes<'_>) -> Option<Vec<(String, String)>> {
    list(bytes, 8, |bytes| Some((bytes.header_text()?, bytes.header_text()?)))
}
