//! One request a file.

mod code_lens;
mod execute_command;
mod hover;
mod inlay_hint;
mod workspace_symbol;

pub(super) use code_lens::code_lens;
pub(super) use execute_command::{COMMANDS, execute_command};
pub(super) use hover::hover;
pub(super) use inlay_hint::inlay_hint;
pub(super) use workspace_symbol::workspace_symbol;
