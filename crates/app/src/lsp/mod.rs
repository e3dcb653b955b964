//! `hotframe lsp`: what code costs, told to editors over the Language Server Protocol on standard
//! input and output. One request a file.
//!
//! One thread reads, so that a request can be cancelled while it waits; one answers, in order.

mod base;
mod framing;
mod git;
mod line_map;
mod markdown;
mod paths;
mod pending;
mod profiles;
mod questions;
mod remembered;
mod requests;
mod server;
mod settings;
mod source;
mod texts;
mod versions;

use std::io::{self, BufReader};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use anyhow::Result;

use crate::arguments::Lsp;
use framing::{Incoming, Reader};
use pending::Pending;
use server::{Server, Step};

/// Messages that wait; an editor that sends more waits with them.
const MOST_WAITING: usize = 1024;

/// Answers an editor until it leaves.
pub(crate) fn lsp(arguments: &Lsp) -> Result<ExitCode> {
    let pending = Arc::new(Pending::default());
    let messages = read_messages(pending.clone());
    let mut server = Server::new(arguments, pending);
    let mut out = io::stdout().lock();
    for incoming in messages {
        let step = match incoming {
            Incoming::Message(message) => server.take(message),
            Incoming::Malformed(why) => server.take_malformed(&why),
            Incoming::End => break,
        };
        for message in server.drain() {
            framing::write(&mut out, &message)?;
        }
        if let Step::Exit(code) = step {
            return Ok(code);
        }
    }
    Ok(server.exit_code())
}

fn read_messages(pending: Arc<Pending>) -> Receiver<Incoming> {
    let (sender, receiver) = sync_channel(MOST_WAITING);
    thread::spawn(move || {
        let mut reader = Reader::new(BufReader::new(io::stdin()));
        loop {
            // An input that cannot be read is at its end.
            let incoming = reader.next().unwrap_or(Incoming::End);
            if let Incoming::Message(message) = &incoming {
                pending.see(message);
            }
            let is_end = incoming == Incoming::End;
            if sender.send(incoming).is_err() || is_end {
                break;
            }
        }
    });
    receiver
}
