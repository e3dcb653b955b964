//! One request a file. Those whose method begins with `hotframe/` are this server's own: what an
//! extension draws that editors have no request for.

mod code_lens;
mod diagnostic;
mod document_symbol;
mod function;
mod hover;
mod inlay_hint;
mod instructions;
mod lines;
mod profiles;
mod workspace_symbol;

pub(super) use code_lens::code_lens;
pub(super) use diagnostic::{diagnostic, hottest_lines};
pub(super) use document_symbol::document_symbol;
pub(super) use function::function;
pub(super) use hover::{MOST_METRICS, hover};
pub(super) use inlay_hint::inlay_hint;
pub(super) use instructions::instructions;
pub(super) use lines::lines;
pub(super) use profiles::profiles;
pub(super) use workspace_symbol::workspace_symbol;
