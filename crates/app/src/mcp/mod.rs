//! `hotframe mcp`: a Model Context Protocol server on standard input and output
//! (<https://modelcontextprotocol.io/specification>). Each tool is a command of this program with
//! `--format json`: answers have the command line's shapes. Profiles that were read are kept for the next
//! question. Commands that are recorded run in a process of their own.
//!
//! ```text
//! asked --- words of the command line --- question: a thread --- small: what fits --- answer
//! ```

mod consent;
#[cfg(target_os = "linux")]
mod ending;
mod own;
mod question;
mod record;
mod roots;
mod serve;
mod small;
mod tool_arguments;
mod tools;

pub(crate) use serve::mcp;
