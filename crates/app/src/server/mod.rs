//! The loopback server: the page and one WebSocket.
//!
//! It binds 127.0.0.1 only. The page and the socket want the random token of the address that
//! was printed; a port that was chosen keeps its token, so that pages find a new process there. Every request's `Host` must be this server's own (a page of another name that
//! resolves here is refused), and a socket's `Origin`, which browsers always send, must be too.
//! Scripts and styles are the same for everyone and need no token.

mod assets;
mod connections;
mod guard;
mod python;
mod socket;
mod token;

pub(crate) use assets::notebook;

use std::io::Write as _;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::thread;

use anyhow::{Context, Result};
use axum::Router;
use axum::middleware;
use axum::routing::get;
use session::Session;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

use guard::Guard;

use crate::state_folder::state_folder;

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
    let mut out = std::io::stdout().lock();
    writeln!(out, "Hotframe shows {title} at")?;
    writeln!(out, "{}", server.address)?;
    writeln!(out, "Ctrl+C ends it.")?;
    out.flush()?;
    drop(out);
    if options.browser && open::that_detached(&server.address).is_err() {
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

/// A server with its port.
struct Bound {
    runtime: Runtime,
    listener: TcpListener,
    shared: Shared,
    address: String,
}

impl Bound {
    fn new(session: Arc<Session>, port: u16) -> Result<Bound> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let wanted = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let listener = runtime
            .block_on(TcpListener::bind(wanted))
            .with_context(|| format!("cannot serve on port {port} (--port chooses another)"))?;
        let token = match port {
            0 => token::random()?,
            chosen => {
                let folder = state_folder(|name| std::env::var_os(name));
                token::of_port(folder.as_deref(), chosen)?
            }
        };
        let port = listener.local_addr()?.port();
        let guard = Arc::new(Guard::new(port, token));
        let address = format!("http://127.0.0.1:{port}/?token={}", guard.token());
        Ok(Bound { runtime, listener, shared: Shared { session, guard }, address })
    }

    fn run(self) -> Result<()> {
        let Bound { runtime, listener, shared, .. } = self;
        let app = Router::new()
            .route("/", get(assets::page))
            .route("/assets/{*path}", get(assets::asset))
            .route("/python/{name}", get(python::part))
            .route("/favicon.svg", get(assets::favicon))
            .route("/socket", get(socket::upgrade))
            .layer(middleware::from_fn_with_state(shared.clone(), guard::check_host))
            .with_state(shared);
        runtime.block_on(connections::serve(listener, app))
    }
}
