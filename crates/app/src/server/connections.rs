//! Connections, of which anybody on this machine can open as many as they like.
//!
//! A connection that sends no whole request in [`LONGEST_HEAD`] is closed, and so is one that is idle
//! afterwards. Where there are too many, the oldest goes: the page's own needs a moment only, and a
//! WebSocket, which wants the token, does not count here.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::Result;
use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, UnixListener};
use tokio::task::AbortHandle;

/// How long the head of a request may take.
const LONGEST_HEAD: Duration = Duration::from_secs(10);
/// Most connections at a time. A page opens six, and a process has 1,024 descriptors on most systems.
const MOST: usize = 256;
/// Nobody is let in for so long where no descriptor is left.
const PAUSE: Duration = Duration::from_millis(100);

/// Serves until the process ends.
pub(super) async fn serve(listener: Listener, app: Router) -> Result<()> {
    let open = Open::default();
    loop {
        let accepted = match &listener {
            Listener::Port(port) => {
                port.accept().await.map(|(stream, _)| open.add(stream, app.clone()))
            }
            Listener::Socket(socket) => {
                socket.accept().await.map(|(stream, _)| open.add(stream, app.clone()))
            }
        };
        // The other side is gone already, or this process has no descriptor left.
        if accepted.is_err() {
            tokio::time::sleep(PAUSE).await;
        }
    }
}

/// Where connections come from.
pub(super) enum Listener {
    /// Programs of this machine, browsers among them.
    Port(TcpListener),
    /// Programs of this user that know the file.
    Socket(UnixListener),
}

/// Connections that are open, the oldest first.
#[derive(Clone, Default)]
struct Open(Arc<Mutex<VecDeque<(u64, AbortHandle)>>>);

impl Open {
    fn add<S>(&self, stream: S, app: Router)
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let mut open = self.lock();
        while open.len() >= MOST {
            if let Some((_, oldest)) = open.pop_front() {
                oldest.abort();
            }
        }
        let number = open.back().map_or(0, |(last, _)| last + 1);
        let own = self.clone();
        // It cannot end before it is in the list, which is locked.
        let task = tokio::spawn(async move {
            let service = TowerToHyperService::new(app);
            let mut http = http1::Builder::new();
            http.timer(TokioTimer::new()).header_read_timeout(LONGEST_HEAD);
            // What a client does wrong is its own matter.
            let _ = http.serve_connection(TokioIo::new(stream), service).with_upgrades().await;
            own.lock().retain(|(other, _)| *other != number);
        });
        open.push_back((number, task.abort_handle()));
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<(u64, AbortHandle)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
