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

    /// Whether another one is the same machine, whichever of its processors were recorded, and whatever
    /// kernel it ran then if it has a name.
    pub fn is_same(&self, other: &Machine) -> bool {
        let place = |cpu: &Cpu| (cpu.number, cpu.core, cpu.cache, cpu.socket, cpu.node);
        let is_alike =
            |(one, other): (&Cpu, &Cpu)| place(one) == place(other) && one.kind == other.kind;
        let is_named = !self.name.is_empty();
        self.name == other.name
            && self.architecture == other.architecture
            && self.processor == other.processor
            && (is_named || self.kernel == other.kernel && self.memory_bytes == other.memory_bytes)
            && self.cpus.len() == other.cpus.len()
            && self.cpus.iter().zip(&other.cpus).all(is_alike)
    }

    /// Whether nothing of what is at a place was recorded.
    pub fn leaves_out(&self, level: Shared, place: u32) -> bool {
        let mut there = self.cpus.iter().filter(|cpu| cpu.place(level) == Some(place)).peekable();
        there.peek().is_some() && there.all(|cpu| cpu.is_left_out)
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

    /// By machine, the first one that is the same.
    pub fn same_machines(&self) -> Vec<MachineId> {
        let first = |machine: &Machine| self.machines.iter().position(|one| one.is_same(machine));
        let numbered = self.machines.iter().enumerate();
        numbered.map(|(row, machine)| MachineId(first(machine).unwrap_or(row) as u32)).collect()
    }

    /// By machine, what tells it from others: its name, with a number where others have it, too.
    pub fn machine_names(&self) -> Vec<String> {
        let same = self.same_machines();
        let own = |first: &MachineId| match &*self.machine(*first).name {
            "" => format!("machine {}", first.0 + 1),
            name => name.to_owned(),
        };
        let names: Vec<String> = same.iter().map(own).collect();
        let numbered = same.iter().zip(&names).map(|(first, name)| {
            let mut alike: Vec<MachineId> = same
                .iter()
                .zip(&names)
                .filter(|(_, one)| *one == name)
                .map(|(id, _)| *id)
                .collect();
            alike.sort_unstable();
            alike.dedup();
            match alike.binary_search(first).unwrap_or(0) {
                0 => name.clone(),
                others => format!("{name} ({})", others + 1),
            }
        });
        numbered.collect()
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
    fn a_machine_is_the_same_whatever_was_recorded_of_it() {
        let whole = Machine { name: "one".to_owned(), kernel: "6.1".to_owned(), ..machine() };
        let mut part = Machine { kernel: "6.18".to_owned(), ..whole.clone() };
        part.cpus[..5].iter_mut().for_each(|cpu| cpu.is_left_out = true);
        let left_out = [(0, true), (1, false)].map(|(at, _)| part.leaves_out(Shared::Core, at));
        assert_eq!(left_out, [true, false], "of core 1 the second processor was recorded");
        assert!(part.leaves_out(Shared::Cpu, 4) && !part.leaves_out(Shared::Cpu, 9));
        let other = Machine { processor: "another".to_owned(), ..whole.clone() };
        let unnamed = Machine { name: String::new(), ..whole.clone() };
        let mut builder = crate::ProfileBuilder::new(vec![]);
        let (later, third) = (Machine { kernel: "7".into(), ..unnamed.clone() }, other.clone());
        builder.machines = vec![whole, part, other, unnamed, later, third];
        let profile = builder.finish();
        let same: Vec<u32> = profile.same_machines().iter().map(|id| id.0).collect();
        assert_eq!(same, [0, 0, 2, 3, 4, 2]);
        let names = ["one", "one", "one (2)", "machine 4", "machine 5", "one (2)"];
        assert_eq!(profile.machine_names(), names);
    }

    #[test]
    fn what_is_not_reported_is_passed_over() {
        let mut machine = machine();
        machine.cpus.iter_mut().for_each(|cpu| cpu.cache = None);
        assert_eq!(machine.nearest(0, 1), Some(Shared::Node));
        machine.cpus.iter_mut().for_each(|cpu| cpu.core = None);
        assert_eq!(machine.nearest(0, 1), None, "where they are is not known");
    }
}
