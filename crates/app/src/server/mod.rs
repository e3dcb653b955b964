//! The loopback server: the page and one WebSocket.
//!
//! It binds 127.0.0.1 only. The page and the socket want the random token of the address that
//! was printed. Every request's `Host` must be this server's own (a page of another name that
//! resolves here is refused), and a socket's `Origin`, which browsers always send, must be too.
//! Scripts and styles are the same for everyone and need no token.

mod assets;
mod guard;
mod socket;

use std::io::Write as _;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use anyhow::{Context, Result};
use axum::Router;
use axum::middleware;
use axum::routing::get;
use session::Session;
use tokio::net::TcpListener;

use guard::Guard;

/// How to serve.
pub(crate) struct ServeOptions {
    /// Port; 0 takes a free one.
    pub(crate) port: u16,
    /// Whether to start a browser.
    pub(crate) browser: bool,
}

/// What requests share.
#[derive(Clone)]
struct Shared {
    session: Arc<Session>,
    guard: Arc<Guard>,
}

/// Serves `documents` of a session, which are told of as `told`, until the process is stopped.
pub(crate) fn serve(
    session: Session,
    documents: &[u32],
    told: &str,
    options: &ServeOptions,
) -> Result<()> {
    let session = Arc::new(session);
    for &document in documents {
        let session = session.clone();
        std::thread::spawn(move || session.load(document));
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_io().build()?;
    runtime.block_on(async {
        let wanted = SocketAddr::from((Ipv4Addr::LOCALHOST, options.port));
        let listener = TcpListener::bind(wanted).await.with_context(|| {
            format!("cannot serve on port {} (--port chooses another)", options.port)
        })?;
        let port = listener.local_addr()?.port();
        let guard = Arc::new(Guard::new(port)?);
        let address = format!("http://127.0.0.1:{port}/?token={}", guard.token());
        let mut out = std::io::stdout().lock();
        writeln!(out, "Hotframe shows {told} at")?;
        writeln!(out, "{address}")?;
        writeln!(out, "Ctrl+C ends it.")?;
        out.flush()?;
        drop(out);
        if options.browser && open::that_detached(&address).is_err() {
            writeln!(std::io::stderr(), "no browser could be started: open the address by hand")?;
        }
        let shared = Shared { session, guard };
        let app = Router::new()
            .route("/", get(assets::page))
            .route("/assets/{*path}", get(assets::asset))
            .route("/favicon.svg", get(assets::favicon))
            .route("/socket", get(socket::upgrade))
            .layer(middleware::from_fn_with_state(shared.clone(), guard::check_host))
            .with_state(shared);
        axum::serve(listener, app).await?;
        Ok(())
    })
}
