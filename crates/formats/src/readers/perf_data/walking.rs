//! Stacks that were copied, unwound by somebody who has the binaries.

use perfdata::{Map, Mode, Sample};

use super::spaces::KERNEL;
use crate::graph::stack_walker::{CopiedStack, StackEnd, StackMapping, StackWalker};

/// Who unwinds, and how that went.
pub(super) struct Walking {
    pub(super) walker: Box<dyn StackWalker>,
    registers: Vec<u64>,
    pub(super) addresses: Vec<u64>,
    /// Stacks that were copied in part, and those that were lost on the way.
    pub(super) too_short: u64,
    pub(super) lost: u64,
}

impl Walking {
    pub(super) fn new(walker: Box<dyn StackWalker>) -> Walking {
        Walking { walker, registers: vec![], addresses: vec![], too_short: 0, lost: 0 }
    }

    pub(super) fn map(&mut self, map: &Map<'_>, mode: Mode) {
        let is_kernel = matches!(mode, Mode::Kernel | Mode::GuestKernel);
        if mode == Mode::Kernel && map.path.starts_with(KERNEL) && !map.build_id.is_empty() {
            self.walker.kernel(map.build_id);
        }
        let Some(end) = map.start.checked_add(map.length).filter(|_| !is_kernel) else { return };
        let path = perfdata::text(map.path);
        let (start, file_offset, build_id) = (map.start, map.offset, map.build_id);
        let mapping = StackMapping { start, end, file_offset, path: &path, build_id };
        self.walker.map(map.thread.pid, &mapping);
    }

    /// The addresses of the program's part of a stack, leaf first, each less one but the first;
    /// none if it was not copied.
    pub(super) fn walk(&mut self, sample: &Sample<'_>) -> Option<&[u64]> {
        let registers = sample.regs_user.filter(|registers| registers.is_64_bit)?;
        let bytes = sample.stack_user?;
        self.registers.clear();
        self.registers.extend(registers.values());
        self.addresses.clear();
        let process = sample.thread.map_or(0, |thread| thread.pid);
        let mask = registers.mask();
        let stack = CopiedStack { process, mask, registers: &self.registers, bytes };
        match self.walker.walk(&stack, &mut self.addresses) {
            StackEnd::Whole => {}
            StackEnd::CopyTooShort => self.too_short += 1,
            StackEnd::Lost => self.lost += 1,
        }
        Some(&self.addresses).filter(|addresses| !addresses.is_empty()).map(Vec::as_slice)
    }
}
