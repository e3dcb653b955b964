//! A command of this program, asked inside of it.

use std::ffi::OsString;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use clap::Parser as _;
use tokio::sync::{Semaphore, oneshot};

use crate::arguments::Arguments;
use crate::{run, text};

/// Questions that are answered at once: each may take as much memory as its limits say.
const AT_ONCE: usize = 2;

static TURNS: Semaphore = Semaphore::const_new(AT_ONCE);

/// Bytes of stack, as the first thread of a process has.
const STACK: usize = 8 << 20;

/// Runs a command to its end on a thread of its own; gives what it wrote to standard output. It is stopped
/// when `cancelled` is, and after `longest`.
///
/// # Errors
/// Why there is no answer, in the words of the command line.
pub(super) async fn ask(
    words: Vec<OsString>,
    longest: Duration,
    cancelled: impl Future<Output = ()>,
) -> Result<Vec<u8>, String> {
    let stop = Arc::new(Stop::default());
    // Whoever waits no longer stops it, also by dropping this.
    let _guard = StopWhenDropped(stop.clone());
    let (send, done) = oneshot::channel();
    let command = move || {
        // Nobody listens where nobody waits any more.
        let _ = send.send(work::watched(stop, || answer(words)));
    };
    let answered = async {
        let Ok(_turn) = TURNS.acquire().await else { return Err("the server ends".to_owned()) };
        // A thread of its own: the server does not wait for it at its end.
        let thread = thread::Builder::new().name("question".to_owned()).stack_size(STACK);
        thread.spawn(command).map_err(|error| format!("cannot start a thread: {error}"))?;
        match done.await {
            Ok(Ok(answer)) => answer,
            Ok(Err(work::Stopped)) => Err("it was stopped".to_owned()),
            Err(_) => Err(format!(
                "Hotframe {} failed on this question; please report it",
                env!("CARGO_PKG_VERSION")
            )),
        }
    };
    tokio::select! {
        () = cancelled => Err("it was cancelled".to_owned()),
        () = tokio::time::sleep(longest) => {
            Err(format!("it took longer than {} s and was stopped", longest.as_secs()))
        }
        answer = answered => answer,
    }
}

fn answer(words: Vec<OsString>) -> Result<Vec<u8>, String> {
    let words = std::iter::once(OsString::from("hotframe")).chain(words);
    let arguments = Arguments::try_parse_from(words).map_err(|error| error.to_string())?;
    let (result, written) = text::captured(|| run::command(arguments.command));
    match result {
        Ok(_) => Ok(written.out),
        Err(error) => Err(run::error_text(&error)),
    }
}

/// Whether nobody wants the answer any more.
#[derive(Debug, Default)]
struct Stop(AtomicBool);

struct StopWhenDropped(Arc<Stop>);

impl Drop for StopWhenDropped {
    fn drop(&mut self) {
        self.0.0.store(true, Ordering::Relaxed);
    }
}

impl work::Watch for Stop {
    fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    fn see(&self, _: work::Progress) {}
}
