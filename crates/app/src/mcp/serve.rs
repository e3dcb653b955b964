//! Serves on standard input and output until the client goes.

use anyhow::{Context as _, Result};
use rmcp::ServiceExt as _;

use super::roots::Roots;
use super::tools::Tools;
use crate::arguments::Mcp;
use crate::{access, reading};

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
