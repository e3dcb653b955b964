//! Stacks that a recording copied, for which somebody has to look into binaries.

use std::fmt;
use std::sync::Arc;

/// Unwinds copied stacks. Processes are told as the recording tells them, in the order of time.
pub trait StackWalker: Send {
    /// A file was mapped into a process.
    fn map(&mut self, process: u32, mapping: &StackMapping<'_>);
    /// The kernel was recorded, with this build id. What it maps into programs has none of its own, mostly.
    fn kernel(&mut self, _build_id: &[u8]) {}
    /// A process began as a copy of another.
    fn fork(&mut self, parent: u32, child: u32);
    /// A process became another program; its files are mapped after that.
    fn exec(&mut self, process: u32);
    /// Appends the stack, leaf first: the instruction, then the place of each call, which is one
    /// less than the address to which it returns. Says why it ends where it does.
    fn walk(&mut self, stack: &CopiedStack<'_>, addresses: &mut Vec<u64>) -> StackEnd;
}

/// A file in the memory of a process.
#[derive(Debug, Clone, Copy)]
pub struct StackMapping<'a> {
    /// First address.
    pub start: u64,
    /// First address after it.
    pub end: u64,
    /// The first byte's place in the file.
    pub file_offset: u64,
    /// Its path.
    pub path: &'a str,
    /// Its build id; empty if unknown.
    pub build_id: &'a [u8],
}

/// Registers and the top of a stack.
#[derive(Debug, Clone, Copy)]
pub struct CopiedStack<'a> {
    /// The process.
    pub process: u32,
    /// Which registers there are, by their numbers in `enum perf_event_*_regs` of the kernel.
    pub mask: u64,
    /// Their values, in the order of their numbers.
    pub registers: &'a [u64],
    /// The stack from its pointer up.
    pub bytes: &'a [u8],
}

/// Where an unwound stack ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StackEnd {
    /// With the function that nobody called.
    Whole,
    /// The copy is too short.
    CopyTooShort,
    /// Nothing says how to go on.
    Lost,
}

/// Makes walkers, one for each recording.
#[derive(Clone)]
pub struct StackWalkers(pub Arc<dyn Fn() -> Box<dyn StackWalker> + Send + Sync>);

impl fmt::Debug for StackWalkers {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("StackWalkers")
    }
}
