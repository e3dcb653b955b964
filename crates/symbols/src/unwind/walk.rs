//! From the leaf to whoever called first.

use super::module::{Learnt, Module, ModuleId};
use super::registers::{Architecture, Registers};
use super::rule::{Dump, Stop};
use super::unwinder::Unwinder;
use crate::maps::Maps;

/// A copy of a stack has at most 64 KiB, and every frame has at least a return address in it.
const MAX_FRAMES: usize = 8192;
/// Addresses that are learnt before all are forgotten: about 20 MB.
const MAX_LEARNT: usize = 1 << 19;
/// Addresses of processes have no more bits; what is above is a signature.
const ADDRESS_BITS: u64 = (1 << 48) - 1;

/// How a walk went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Walked {
    /// Where it ended.
    pub end: End,
    /// How many callers were found by the frame pointer, because nothing said how to unwind.
    pub by_frame_pointer: u32,
}

/// Where a walk ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// At the function that nobody called.
    Whole,
    /// The copy of the stack ends before the stack does.
    StackTooShort,
    /// Nothing says how to unwind there, and no frame pointer leads upwards in the copy.
    NoUnwindInfo {
        /// Where; none outside of everything that was mapped.
        module: Option<ModuleId>,
    },
    /// What unwind information says, or what the stack holds, makes no sense: frames that lead
    /// downwards, return addresses that are not code.
    Misread {
        /// Where.
        module: Option<ModuleId>,
    },
    /// More frames than a copy can hold.
    TooManyFrames,
}

impl Walked {
    /// True if there are callers that are not told.
    pub fn is_truncated(&self) -> bool {
        self.end != End::Whole
    }
}

impl Unwinder {
    /// Appends the stack of a sample to `out`, leaf first: its instruction, then for each caller the
    /// address of the call, which is the return address less one. `stack` are the bytes from the stack
    /// pointer up.
    pub fn walk(
        &mut self,
        process: u32,
        registers: &Registers,
        stack: &[u8],
        out: &mut Vec<u64>,
    ) -> Walked {
        let Self { files, architecture, processes, modules, learnt, .. } = self;
        if learnt.addresses > MAX_LEARNT {
            modules.iter_mut().for_each(Module::forget);
            *learnt = Learnt::default();
        }
        let architecture = *architecture;
        let empty = Maps::default();
        let maps = processes.get(&process).map_or(&empty, |maps| &**maps);
        let mut registers = *registers;
        let mut walked = Walked { end: End::TooManyFrames, by_frame_pointer: 0 };
        let begin = registers.get(architecture.sp()).unwrap_or_default();
        let dump = Dump { begin, bytes: stack };
        let mut address = registers.pc;
        for depth in 0..MAX_FRAMES {
            let mapped = maps.find(address);
            if depth > 0 && mapped.is_none() {
                walked.end = End::Misread { module: None };
                return walked;
            }
            out.push(address);
            let module = mapped.map(|mapped| ModuleId(mapped.module));
            let rule = mapped.and_then(|mapped| {
                let offset = mapped.file_offset.wrapping_add(address - mapped.start);
                let module = modules.get_mut(mapped.module as usize)?;
                module.rule_at(offset, architecture, &**files, learnt)
            });
            let (result, is_signal) = match rule {
                Some(rule) => {
                    let result = rule.apply(architecture, &mut registers, &dump, depth == 0);
                    (result, rule.is_signal)
                }
                None => {
                    let Some(result) = by_frame_pointer(architecture, &mut registers, &dump, maps)
                    else {
                        walked.end = End::NoUnwindInfo { module };
                        return walked;
                    };
                    walked.by_frame_pointer += u32::from(result.is_ok());
                    (result, false)
                }
            };
            if let Err(stop) = result {
                walked.end = match stop {
                    Stop::Outermost => End::Whole,
                    Stop::BeyondDump => End::StackTooShort,
                    Stop::Misread => End::Misread { module },
                };
                return walked;
            }
            if architecture == Architecture::Aarch64 {
                registers.pc &= ADDRESS_BITS;
            }
            address = if is_signal { registers.pc } else { registers.pc.wrapping_sub(1) };
        }
        walked
    }
}

/// Follows the frame pointer, if it points into the copy and at something that looks like a frame:
/// where the caller's stands, with the return address into code behind it. None if it does not.
fn by_frame_pointer(
    architecture: Architecture,
    registers: &mut Registers,
    stack: &Dump<'_>,
    maps: &Maps,
) -> Option<Result<(), Stop>> {
    let sp = registers.get(architecture.sp())?;
    let fp = registers.get(architecture.fp())?;
    if fp < sp || !fp.is_multiple_of(8) {
        return None;
    }
    let outer_fp = stack.read(fp).ok()?;
    let return_address = stack.read(fp.checked_add(8)?).ok()?;
    if return_address == 0 {
        return Some(Err(Stop::Outermost));
    }
    let code = match architecture {
        Architecture::X86_64 => return_address,
        Architecture::Aarch64 => return_address & ADDRESS_BITS,
    };
    maps.find(code.wrapping_sub(1))?;
    let outer_sp = fp.checked_add(16)?;
    registers.keep_callee_saved(architecture);
    registers.set(architecture.sp(), outer_sp);
    registers.set(architecture.fp(), outer_fp);
    registers.pc = code;
    Some(Ok(()))
}
