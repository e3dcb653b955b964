//! A server that is ready.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use anyhow::{Context, Result};
use axum::routing::get;
use axum::{Router, middleware};
use session::Session;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

use super::connections::{self, Listener};
use super::guard::{self, Guard};
use super::{assets, python, socket, token};
use crate::state_folder::state_folder;

/// What requests share.
#[derive(Clone)]
pub(super) struct Shared {
    pub(super) session: Arc<Session>,
    pub(super) guard: Arc<Guard>,
}

pub(super) fn runtime() -> Result<Runtime> {
    Ok(tokio::runtime::Builder::new_multi_thread().enable_all().build()?)
}

/// A server that is ready.
pub(super) struct Bound {
    pub(super) runtime: Runtime,
    pub(super) listener: Listener,
    pub(super) shared: Shared,
    pub(super) address: String,
}

impl Bound {
    pub(super) fn new(session: Arc<Session>, port: u16) -> Result<Bound> {
        let runtime = runtime()?;
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
        let listener = Listener::Port(listener);
        Ok(Bound { runtime, listener, shared: Shared { session, guard }, address })
    }

    pub(super) fn run(self) -> Result<()> {
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
