//! This program as a process.

use std::ffi::OsString;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::process::Command;

/// Most bytes of an answer that are read: an answer is cut to far fewer.
const MOST_BYTES: u64 = 64 << 20;
/// Most bytes of what went wrong that are told.
const MOST_TROUBLE: u64 = 4 << 10;

/// What a command said.
#[derive(Debug)]
pub(super) struct Said {
    /// Its standard output.
    pub(super) out: Vec<u8>,
    /// Its standard error: warnings, or why it failed.
    pub(super) error: String,
    /// Its exit code; none where a signal ended it.
    pub(super) code: Option<i32>,
}

/// Runs a command of this program to its end, with a variable. It is told to end where nobody waits any more, and after
/// `longest`: whatever it runs ends with it.
pub(super) async fn run(
    words: &[OsString],
    folder: &Path,
    longest: Duration,
    variable: Option<(&str, OsString)>,
) -> Result<Said, String> {
    let own = std::env::current_exe().map_err(|error| format!("this program is gone: {error}"))?;
    let mut child = Command::new(own)
        .args(words)
        .current_dir(folder)
        .envs(variable)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(cfg!(not(target_os = "linux")))
        .spawn()
        .map_err(|error| format!("cannot start: {error}"))?;
    #[cfg(target_os = "linux")]
    let _ending = super::ending::Ending::of(&child);
    let (out, error) = (child.stdout.take(), child.stderr.take());
    let ended = async {
        let read = tokio::join!(beginning(out, MOST_BYTES), beginning(error, MOST_TROUBLE));
        (child.wait().await, read)
    };
    let Ok((status, (out, error))) = tokio::time::timeout(longest, ended).await else {
        return Err(format!("it took longer than {} s and was ended", longest.as_secs()));
    };
    let status = status.map_err(|error| format!("its end is not known: {error}"))?;
    if out.len() as u64 >= MOST_BYTES {
        return Err("the answer is too large: ask for fewer rows".to_owned());
    }
    Ok(Said { out, error: String::from_utf8_lossy(&error).into_owned(), code: status.code() })
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
