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
mod small;
mod tool_arguments;
mod tools;

use anyhow::{Context as _, Result};
use rmcp::ServiceExt as _;

use crate::arguments::Mcp;
use crate::{access, reading};
use roots::Roots;
use tools::Tools;

/// Most bytes of tables of profiles that are kept.
const MOST_KEPT: usize = 2 << 30;

/// Serves until the client goes.
pub(crate) fn mcp(arguments: &Mcp) -> Result<()> {
    let roots = Roots::new(&arguments.root)?;
    // Commands read what is below the roots and nothing else, whatever their files name.
    access::restrict(roots.again()?)?;
    std::env::set_current_dir(roots.first()).context("--root")?;
    reading::kept::keep(MOST_KEPT);
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.context("cannot start")?.block_on(async {
        let tools = Tools::new(roots, arguments.allow_record, arguments.max_answer);
        let served = tools.serve(rmcp::transport::stdio()).await;
        // Who goes without a word has had enough.
        let Ok(service) = served else { return Ok(()) };
        service.waiting().await.context("the connection failed")?;
        Ok(())
    })
}
