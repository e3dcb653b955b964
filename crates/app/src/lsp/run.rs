//! Answering an editor.

use std::io::{self, BufReader};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use anyhow::Result;

use super::events::Event;
use super::framing::{self, Incoming};
use super::pending::Pending;
use super::server::{Server, Step};
use crate::arguments::Lsp;

/// Messages that wait; an editor that sends more waits with them.
const MOST_WAITING: usize = 1024;
/// How often the profiles' files are looked at while nothing else happens.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Answers an editor until it leaves.
pub(crate) fn lsp(arguments: &Lsp) -> Result<ExitCode> {
    let pending = Arc::new(Pending::default());
    let (sender, events) = sync_channel(MOST_WAITING);
    read_messages(pending.clone(), sender.clone());
    let mut server = Server::new(arguments, pending, sender)?;
    let mut out = io::stdout().lock();
    loop {
        let step = match events.recv_timeout(LOOK_EVERY) {
            Ok(event) => server.take_event(event),
            Err(RecvTimeoutError::Timeout) => server.take_silence(),
            Err(RecvTimeoutError::Disconnected) => Step::Exit(server.exit_code()),
        };
        for message in server.drain() {
            framing::write(&mut out, &message)?;
        }
        if let Step::Exit(code) = step {
            return Ok(code);
        }
    }
}

fn read_messages(pending: Arc<Pending>, sender: SyncSender<Event>) {
    thread::spawn(move || {
        let mut reader = framing::Reader::new(BufReader::new(io::stdin()));
        loop {
            // An input that cannot be read is at its end.
            let incoming = reader.next().unwrap_or(Incoming::End);
            if let Incoming::Message(message) = &incoming {
                pending.see(message);
            }
            let is_end = incoming == Incoming::End;
            if sender.send(Event::Incoming(incoming)).is_err() || is_end {
                break;
            }
        }
    });
}
