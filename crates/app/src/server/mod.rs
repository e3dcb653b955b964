//! The loopback server: the page and one WebSocket.
//!
//! An extension gets the WebSocket in a file that only its user can open, and no port: editors that run
//! on another machine than the engine forward every port that they see.
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

use std::fs::{self, Permissions};
use std::io::Write as _;
use std::net::{Ipv4Addr, SocketAddr};
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use anyhow::{Context, Result};
use axum::Router;
use axum::middleware;
use axum::routing::get;
use session::Session;
use tempfile::TempDir;
use tokio::net::{TcpListener, UnixListener};
use tokio::runtime::Runtime;

use connections::Listener;
use guard::Guard;

use crate::state_folder::state_folder;

/// How to serve.
pub(crate) struct ServeOptions {
    /// Port; 0 takes a free one.
    pub(crate) port: u16,
    /// Whether to start a browser.
    pub(crate) browser: bool,
    /// Whether the page asks how the documents relate: as one, compared, or one by one.
    pub(crate) asks: bool,
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

/// Serves the frames of a session in a file on a thread of its own, for as long as the process lives.
pub(crate) fn serve_in_file(session: Arc<Session>) -> Result<FrameFile> {
    let private = Permissions::from_mode(0o700);
    remove_leftovers(&std::env::temp_dir());
    let prefix = format!("{PREFIX}{}-", std::process::id());
    let folder = tempfile::Builder::new().prefix(&prefix).permissions(private).tempdir()?;
    let path = folder.path().join(FRAMES);
    let runtime = runtime()?;
    let listener = {
        let _inside = runtime.enter();
        UnixListener::bind(&path).with_context(|| format!("cannot serve in {}", path.display()))?
    };
    let guard = Arc::new(Guard::without_port(token::random()?));
    let token = guard.token().to_owned();
    let (listener, address) = (Listener::Socket(listener), String::new());
    let server = Bound { runtime, listener, shared: Shared { session, guard }, address };
    thread::spawn(move || server.run());
    Ok(FrameFile { folder, path, token })
}

/// How folders begin that have a socket: their process comes next.
const PREFIX: &str = "hotframe-frames-";
const FRAMES: &str = "frames";

/// Removes what processes of this user left that were killed.
fn remove_leftovers(folder: &Path) {
    // Where that is not there, nobody knows who runs.
    let Ok(own) = fs::metadata("/proc/self") else { return };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let process = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.split('-').next());
        let Some(process) = process.and_then(|process| process.parse::<u32>().ok()) else {
            continue;
        };
        if Path::new("/proc").join(process.to_string()).exists() {
            continue;
        }
        // Nobody else can put another folder in its place.
        let is_own = entry.metadata().is_ok_and(|it| it.is_dir() && it.uid() == own.uid());
        if !is_own {
            continue;
        }
        let socket = entry.path().join(FRAMES);
        let is_socket = fs::symlink_metadata(&socket).is_ok_and(|it| it.file_type().is_socket());
        if is_socket && fs::remove_file(&socket).is_ok() {
            // What else is in it stays, and so does it.
            let _ = fs::remove_dir(entry.path());
        }
    }
}

/// Where the frames of a session are served; the file is gone with this.
pub(crate) struct FrameFile {
    #[expect(dead_code, reason = "it removes the folder")]
    folder: TempDir,
    /// The socket.
    pub(crate) path: PathBuf,
    /// What its requests want.
    pub(crate) token: String,
}

fn runtime() -> Result<Runtime> {
    Ok(tokio::runtime::Builder::new_multi_thread().enable_all().build()?)
}

/// A server that is ready.
struct Bound {
    runtime: Runtime,
    listener: Listener,
    shared: Shared,
    address: String,
}

impl Bound {
    fn new(session: Arc<Session>, port: u16) -> Result<Bound> {
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
