//! `hotframe mcp`: a Model Context Protocol server on standard input and output
//! (<https://modelcontextprotocol.io/specification>). Each tool is a command of this program with
//! `--format json`, run as a process of its own: answers have the command line's shapes, one that is
//! cancelled ends at once, and no file takes the server with it.
//!
//! ```text
//! asked --- words of the command line --- own: a process --- small: what fits --- answer
//! ```

mod asked;
mod consent;
#[cfg(target_os = "linux")]
mod ending;
mod own;
mod record;
mod roots;
mod small;
mod tools;

use anyhow::{Context as _, Result};
use rmcp::ServiceExt as _;

use crate::arguments::Mcp;
use roots::Roots;
use tools::Tools;

/// Serves until the client goes.
pub(crate) fn mcp(arguments: &Mcp) -> Result<()> {
    let roots = Roots::new(&arguments.root)?;
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
