//! Serves the page.

use std::io::Write as _;
use std::sync::Arc;
use std::thread;

use anyhow::Result;
use session::Session;

use super::bound::Bound;

/// How to serve.
pub(crate) struct ServeOptions {
    /// Port; 0 takes a free one.
    pub(crate) port: u16,
    /// Whether to start a browser.
    pub(crate) browser: bool,
    /// Whether the page asks how the documents relate: as one, compared, or one by one.
    pub(crate) asks: bool,
}

/// Serves `documents` of a session, which people know as `title`, until the process is stopped.
pub(crate) fn serve(
    session: Session,
    documents: &[u32],
    title: &str,
    options: &ServeOptions,
) -> Result<()> {
    let session = Arc::new(session);
    for &document in documents {
        let session = session.clone();
        thread::spawn(move || session.load(document));
    }
    let server = Bound::new(session, options.port)?;
    let fragment = if options.asks { "#together" } else { "" };
    let address = format!("{}{fragment}", server.address);
    let mut out = std::io::stdout().lock();
    writeln!(out, "Hotframe shows {title} at")?;
    writeln!(out, "{address}")?;
    writeln!(out, "Ctrl+C ends it.")?;
    out.flush()?;
    drop(out);
    if options.browser && open::that_detached(&address).is_err() {
        writeln!(std::io::stderr(), "no browser could be started: open the address by hand")?;
    }
    server.run()
}

/// Serves a session on a thread of its own for as long as the process lives; gives the address of
/// the page.
pub(crate) fn serve_beside(session: Arc<Session>) -> Result<String> {
    let server = Bound::new(session, 0)?;
    let address = server.address.clone();
    // A server that fails is gone for its pages, which say so.
    thread::spawn(move || server.run());
    Ok(address)
}
