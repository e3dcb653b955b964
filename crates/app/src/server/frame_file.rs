//! The frames of a session in a file that only its user can open.

use std::fs::{self, Permissions};
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use anyhow::{Context, Result};
use session::Session;
use tempfile::TempDir;
use tokio::net::UnixListener;

use super::bound::{Bound, Shared, runtime};
use super::connections::Listener;
use super::guard::Guard;
use super::token;

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
