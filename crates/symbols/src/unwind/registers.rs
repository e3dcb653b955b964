//! What a sample holds of the processor, in DWARF's numbers.

/// A processor whose stacks are unwound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Architecture {
    /// 64 bits of x86.
    X86_64,
    /// 64 bits of ARM.
    Aarch64,
}

/// Registers of a sample or of one of its callers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Registers {
    /// The instruction.
    pub(super) pc: u64,
    values: [u64; 32],
    /// A bit for each register whose value is known.
    known: u32,
}

/// Where perf's registers stand in DWARF's numbers, by perf's numbers; 255 for those that no unwind
/// information asks for.
const X86_64_OF_PERF: [u8; 24] =
    [0, 3, 2, 1, 4, 5, 6, 7, 254, 255, 255, 255, 255, 255, 255, 255, 8, 9, 10, 11, 12, 13, 14, 15];
/// The instruction pointer in that table.
const PC: u8 = 254;

impl Architecture {
    /// The stack pointer.
    pub(super) fn sp(self) -> u8 {
        match self {
            Self::X86_64 => 7,
            Self::Aarch64 => 31,
        }
    }

    /// The frame pointer, where code keeps one.
    pub(super) fn fp(self) -> u8 {
        match self {
            Self::X86_64 => 6,
            Self::Aarch64 => 29,
        }
    }

    /// The return address.
    pub(super) fn ra(self) -> u8 {
        match self {
            Self::X86_64 => 16,
            Self::Aarch64 => 30,
        }
    }

    /// The registers that a function hands back as it got them, a bit each.
    fn callee_saved(self) -> u32 {
        match self {
            Self::X86_64 => 1 << 3 | 1 << 6 | 0xf << 12,
            Self::Aarch64 => 0x7ff << 19,
        }
    }

    /// True for machines whose ELF files have this number.
    pub(super) fn is_machine(self, machine: u16) -> bool {
        match self {
            Self::X86_64 => machine == 62,
            Self::Aarch64 => machine == 183,
        }
    }
}

impl Registers {
    /// The three that most callers know.
    pub fn new(architecture: Architecture, pc: u64, sp: u64, fp: u64) -> Self {
        let mut registers = Self { pc, values: [0; 32], known: 0 };
        registers.set(architecture.sp(), sp);
        registers.set(architecture.fp(), fp);
        registers
    }

    /// The registers of a perf sample: `mask` says which, in the kernel's numbers for the architecture,
    /// `values` are theirs in order. None without instruction and stack pointer.
    pub fn from_perf(architecture: Architecture, mask: u64, values: &[u64]) -> Option<Self> {
        let mut registers = Self { pc: 0, values: [0; 32], known: 0 };
        let mut has_pc = false;
        let numbers = (0..64_u8).filter(|number| mask & (1 << number) != 0);
        for (number, value) in numbers.zip(values) {
            let register = match architecture {
                Architecture::X86_64 => {
                    X86_64_OF_PERF.get(usize::from(number)).copied().unwrap_or(u8::MAX)
                }
                Architecture::Aarch64 if number == 32 => PC,
                Architecture::Aarch64 => number,
            };
            match register {
                PC => (registers.pc, has_pc) = (*value, true),
                register => registers.set(register, *value),
            }
        }
        (has_pc && registers.get(architecture.sp()).is_some()).then_some(registers)
    }

    /// The instruction.
    pub fn pc(&self) -> u64 {
        self.pc
    }

    /// A register by DWARF's number, if its value is known.
    pub fn get(&self, register: u8) -> Option<u64> {
        let is_known = register < 32 && self.known & (1 << register) != 0;
        is_known.then(|| self.values[usize::from(register)])
    }

    /// Sets a register by DWARF's number; others are not kept.
    pub fn set(&mut self, register: u8, value: u64) {
        if register < 32 {
            self.values[usize::from(register)] = value;
            self.known |= 1 << register;
        }
    }

    /// Forgets what a call may have overwritten.
    pub(super) fn keep_callee_saved(&mut self, architecture: Architecture) {
        self.known &= architecture.callee_saved();
    }

    /// Forgets one.
    pub(super) fn forget(&mut self, register: u8) {
        if register < 32 {
            self.known &= !(1 << register);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn perf_numbers_registers_its_own_way() {
        // AX to IP, R8 and R15.
        let mask = 0x1ff | 1 << 16 | 1 << 23;
        let values = [10, 11, 12, 13, 14, 15, 16, 17, 18, 20, 21];
        let registers = Registers::from_perf(Architecture::X86_64, mask, &values).unwrap();
        assert_eq!(registers.pc(), 18);
        let by_dwarf: Vec<_> = (0..17).map(|register| registers.get(register)).collect();
        let x = |value| Some(value);
        let expected = [x(10), x(13), x(12), x(11), x(14), x(15), x(16), x(17), x(20)];
        assert_eq!(by_dwarf[..9], expected);
        assert_eq!(by_dwarf[9..], [None, None, None, None, None, None, x(21), None]);

        let values: Vec<u64> = (100..133).collect();
        let registers =
            Registers::from_perf(Architecture::Aarch64, (1 << 33) - 1, &values).unwrap();
        assert_eq!((registers.pc(), registers.get(31), registers.get(30)), (132, x(131), x(130)));
        assert_eq!(Registers::from_perf(Architecture::X86_64, 0x7f, &values), None);
    }
}
