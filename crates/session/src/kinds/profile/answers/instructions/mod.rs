//! [`protocol::ProfileRequest::Instructions`].
//!
//! ```text
//! frames of the node ─▶ places: module, address ─▶ sections: the linker's functions that hold them
//!                                                    │ disassembled, where the binary is at hand
//! values, each sample once ◀─ frames by instruction ◀┘
//! ```
//!
//! A place may be in the middle of an instruction, as recorders put callers into their calls, and
//! several places may be one instruction. So samples are summed by instruction, and not by place.

mod answer;
mod blocks;
mod code;

pub use answer::function_instructions;
pub(crate) use answer::instructions;
