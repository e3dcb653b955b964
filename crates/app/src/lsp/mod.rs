//! `hotframe lsp`: what code costs, told to editors over the Language Server Protocol on standard
//! input and output. One request a file.
//!
//! One thread reads, so that a request can be cancelled while it waits; one answers, in order;
//! profiles are read on threads of their own, and pages are served beside.

mod abilities;
mod around;
mod base;
mod cells;
mod comparison;
mod copies;
mod events;
mod files;
mod fit;
mod framing;
mod git;
mod graphs;
mod headers;
mod line_diff;
mod line_map;
mod loading;
mod macros;
mod markdown;
mod methods;
mod outbox;
mod past;
mod paths;
mod pending;
mod profiles;
mod questions;
mod reader;
mod refusal;
mod remembered;
mod renames;
mod requests;
mod search;
mod server;
mod settings;
mod several;
mod source;
mod starts;
mod texts;
mod versions;
mod workspace;

use std::io::{self, BufReader};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use anyhow::Result;

use crate::arguments::Lsp;
use events::Event;
use framing::Incoming;
use pending::Pending;
use server::{Server, Step};

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
