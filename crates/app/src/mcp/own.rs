//! This program as a process, which records.

use std::ffi::OsString;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::process::Command;

/// Most bytes of what went wrong that are told.
const MOST_TROUBLE: u64 = 4 << 10;

/// What a command said.
#[derive(Debug)]
pub(super) struct Said {
    /// Its standard error: warnings, or why it failed.
    pub(super) error: String,
    /// Its exit code; none where a signal ended it.
    pub(super) code: Option<i32>,
}

/// Runs a command of this program to its end. It is told to end where nobody waits any more, and after
/// `longest`: whatever it runs ends with it.
pub(super) async fn run(
    words: &[OsString],
    folder: &Path,
    longest: Duration,
) -> Result<Said, String> {
    let own = std::env::current_exe().map_err(|error| format!("this program is gone: {error}"))?;
    let mut child = Command::new(own)
        .args(words)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .kill_on_drop(cfg!(not(target_os = "linux")))
        .spawn()
        .map_err(|error| format!("cannot start: {error}"))?;
    #[cfg(target_os = "linux")]
    let _ending = super::ending::Ending::new(&child);
    let error = child.stderr.take();
    let ended = async {
        let error = beginning(error, MOST_TROUBLE).await;
        (child.wait().await, error)
    };
    let Ok((status, error)) = tokio::time::timeout(longest, ended).await else {
        return Err(format!("it took longer than {} s and was ended", longest.as_secs()));
    };
    let status = status.map_err(|error| format!("its end is not known: {error}"))?;
    Ok(Said { error: String::from_utf8_lossy(&error).into_owned(), code: status.code() })
}

/// The first bytes; the rest is read and forgotten, so that nobody waits to write it.
async fn beginning(pipe: Option<impl AsyncRead + Unpin>, most: u64) -> Vec<u8> {
    let mut kept = vec![];
    if let Some(mut pipe) = pipe {
        let _ = (&mut pipe).take(most).read_to_end(&mut kept).await;
        let _ = tokio::io::copy(&mut pipe, &mut tokio::io::sink()).await;
    }
    kept
}
