//! The machines that something was measured on.

use crate::{MachineId, MemberId, Profile};

/// A machine, as far as the file tells.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Machine {
    /// Its name.
    pub name: String,
    /// Release of its kernel.
    pub kernel: String,
    /// Architecture, as `uname -m` tells.
    pub architecture: String,
    /// What the processor is called.
    pub processor: String,
    /// Bytes of main memory; 0 if unknown.
    pub memory_bytes: u64,
    /// Its processors, by number.
    pub cpus: Vec<Cpu>,
}

/// A processor: what runs one thread at a time. What it shares with others has numbers that are
/// unique in the machine; none where the file does not tell.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Cpu {
    /// Its number.
    pub number: u32,
    /// Its core, which the processors of simultaneous multithreading share.
    pub core: Option<u32>,
    /// Its last-level cache.
    pub cache: Option<u32>,
    /// Its socket.
    pub socket: Option<u32>,
    /// Its node of memory (NUMA).
    pub node: Option<u32>,
    /// What kind it is of, where a machine has several, such as `cpu_atom`; may be empty.
    pub kind: String,
    /// What runs on it was not recorded.
    pub is_left_out: bool,
}

/// What processors share, from the nearest to the farthest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Shared {
    /// It is the same processor.
    Cpu,
    /// A core.
    Core,
    /// The last-level cache.
    Cache,
    /// A node of memory.
    Node,
    /// A socket.
    Socket,
    /// The machine only.
    Machine,
}

impl Shared {
    /// All, from the nearest to the farthest.
    pub const ALL: [Shared; 6] =
        [Shared::Cpu, Shared::Core, Shared::Cache, Shared::Node, Shared::Socket, Shared::Machine];
}

impl Cpu {
    /// The number of what it shares at a level; its own for [`Shared::Cpu`].
    pub fn place(&self, level: Shared) -> Option<u32> {
        match level {
            Shared::Cpu => Some(self.number),
            Shared::Core => self.core,
            Shared::Cache => self.cache,
            Shared::Node => self.node,
            Shared::Socket => self.socket,
            Shared::Machine => Some(0),
        }
    }
}

impl Machine {
    /// A processor by its number.
    pub fn cpu(&self, number: u32) -> Option<&Cpu> {
        let row = self.cpus.binary_search_by_key(&number, |cpu| cpu.number).ok()?;
        Some(&self.cpus[row])
    }

    /// The nearest that two processors share; none if the machine does not tell where one of them
    /// is. Levels that are not told are passed over.
    pub fn nearest(&self, one: u32, other: u32) -> Option<Shared> {
        if one == other {
            return Some(Shared::Cpu);
        }
        let (one, other) = (self.cpu(one)?, self.cpu(other)?);
        one.core.zip(other.core)?;
        let is_shared = |level: &&Shared| {
            one.place(**level).zip(other.place(**level)).is_some_and(|(a, b)| a == b)
        };
        Shared::ALL[1..].iter().find(is_shared).copied()
    }

    /// Whether some of its processors are told apart by a level.
    pub fn tells(&self, level: Shared) -> bool {
        self.cpus.iter().any(|cpu| cpu.place(level).is_some())
    }
}

impl Profile {
    /// The machine that a member was measured on, as far as it is known.
    pub fn machine_of(&self, member: MemberId) -> Option<MachineId> {
        match self.members.get(member.index()) {
            Some(member) => member.machine,
            None => (!self.machines.is_empty()).then_some(MachineId(0)),
        }
    }

    /// A machine.
    pub fn machine(&self, id: MachineId) -> &Machine {
        &self.machines[id.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two sockets of two cores of two processors, as Linux numbers them: the second processors of
    /// cores come last.
    fn machine() -> Machine {
        let cpu = |number: u32| {
            let core = number % 4;
            let of = Some(core / 2);
            let core = Some(core);
            Cpu { number, core, cache: of, socket: of, node: of, ..Cpu::default() }
        };
        Machine { cpus: (0..8).map(cpu).collect(), ..Machine::default() }
    }

    #[test]
    fn the_nearest_is_what_two_processors_share() {
        let machine = machine();
        assert_eq!(machine.nearest(3, 3), Some(Shared::Cpu));
        assert_eq!(machine.nearest(1, 5), Some(Shared::Core));
        assert_eq!(machine.nearest(0, 1), Some(Shared::Cache));
        assert_eq!(machine.nearest(1, 2), Some(Shared::Machine));
        assert_eq!(machine.nearest(1, 8), None, "it has no processor 8");
    }

    #[test]
    fn what_is_not_told_is_passed_over() {
        let mut machine = machine();
        machine.cpus.iter_mut().for_each(|cpu| cpu.cache = None);
        assert_eq!(machine.nearest(0, 1), Some(Shared::Node));
        machine.cpus.iter_mut().for_each(|cpu| cpu.core = None);
        assert_eq!(machine.nearest(0, 1), None, "where they are is not known");
    }
}
