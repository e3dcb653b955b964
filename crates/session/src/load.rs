//! Reading documents, once, however many requests wait for them.

use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use formats::{Folder, Format, ReadError, ReadOptions};
use profile::NamedFormula;
use protocol::{DocumentKind, DocumentState, ErrorCode, OpenSourceParams, Progress, ProtocolError};

use sdfg::report::Report;

use crate::collect::{Collector, ReadingAs, merged_title, short_names};
use crate::graph::GraphDocument;
use crate::{Call, CompareOptions, Compared, Document, failed, lock};

/// Where bytes come from.
pub trait Host: Send + Sync {
    /// What a document consists of.
    fn open(&self, name: &str) -> io::Result<Input>;
    /// Seconds that the host counts, for telling how long opening took.
    fn seconds(&self) -> f64;
    /// Whether there is an editor that shows source.
    fn has_editor(&self) -> bool {
        false
    }
    /// Shows a source line in the editor; the error says why it could not.
    fn open_source(&self, _: &OpenSourceParams) -> Result<(), ProtocolError> {
        let message = "no editor is connected";
        Err(ProtocolError::new(ErrorCode::NoSource, message)
            .with_hint("Open the profile from your editor: `hotframe lsp` serves it."))
    }
}

impl<H: Host> Host for Arc<H> {
    fn open(&self, name: &str) -> io::Result<Input> {
        (**self).open(name)
    }

    fn seconds(&self) -> f64 {
        (**self).seconds()
    }

    fn has_editor(&self) -> bool {
        (**self).has_editor()
    }

    fn open_source(&self, wanted: &OpenSourceParams) -> Result<(), ProtocolError> {
        (**self).open_source(wanted)
    }
}

/// What a document consists of.
pub enum Input {
    /// One file: its bytes and, if known, how many there are.
    File(Box<dyn Read + Send>, Option<u64>),
    /// Files that belong together.
    Folder(Box<dyn Folder + Send>),
}

impl Input {
    /// How many bytes there are, if known.
    pub fn size(&self) -> Option<u64> {
        match self {
            Input::File(_, size) => *size,
            Input::Folder(folder) => Some(folder.files().iter().map(|file| file.size).sum()),
        }
    }

    /// The same input, and whether it is a dataflow graph.
    pub(crate) fn peek(self, name: &str) -> (Input, bool) {
        let Input::File(mut bytes, size) = self else { return (self, false) };
        let mut head = vec![];
        // An error comes again when the rest is read.
        let _ = bytes.by_ref().take(HEAD).read_to_end(&mut head);
        let is_graph = sdfg::is_sdfg(&head, name);
        (Input::File(Box::new(io::Cursor::new(head).chain(bytes)), size), is_graph)
    }
}

/// Bytes in which files that are no profiles say what they are.
const HEAD: u64 = 4096;

/// What documents are read with.
#[derive(Clone, Copy)]
pub(crate) struct Reading<'a> {
    pub(crate) host: &'a dyn Host,
    pub(crate) options: &'a ReadOptions,
    /// Metrics for the documents whose own they are worked out from.
    pub(crate) formulas: &'a [NamedFormula],
    /// What is made of profiles.
    pub(crate) reading_as: &'a ReadingAs,
}

/// The bytes of a document.
#[derive(Debug, Clone)]
pub(crate) enum Bytes {
    /// The host has them under these names; several profiles become one.
    Host(Vec<String>),
    /// Uploaded.
    Held(Arc<Vec<u8>>),
    /// The host has base and new profile of a comparison, each as one or several.
    Compared {
        /// Base, new.
        sides: [Vec<String>; 2],
        /// How to compare them.
        how: CompareOptions,
    },
}

/// What a document turned out to be.
#[derive(Debug, Clone)]
pub(crate) enum Opened {
    /// What was measured.
    Profile(Arc<Document>),
    /// A dataflow graph.
    Graph(Arc<GraphDocument>),
}

/// A document in any state.
pub(crate) struct Slot {
    title: String,
    bytes: Bytes,
    /// The format that the bytes are in; none to recognise it.
    from: Option<&'static Format>,
    /// The document that it is of with other members, and what these are made of.
    split_of: Option<(u32, String)>,
    state: Mutex<State>,
    changed: Condvar,
    done: AtomicU64,
    total: AtomicU64,
    cancelled: AtomicBool,
}

enum State {
    Waiting,
    Loading,
    Ready(Opened),
    Failed(ProtocolError),
    Closed,
}

impl Slot {
    pub(crate) fn new(title: String, bytes: Bytes) -> Slot {
        Slot {
            title,
            bytes,
            from: None,
            split_of: None,
            state: Mutex::new(State::Waiting),
            changed: Condvar::new(),
            done: AtomicU64::new(0),
            total: AtomicU64::new(0),
            cancelled: AtomicBool::new(false),
        }
    }

    /// A document that was made of others.
    pub(crate) fn ready(document: Arc<Document>) -> Slot {
        let slot = Slot::new(document.title().to_owned(), Bytes::Host(vec![]));
        *lock(&slot.state) = State::Ready(Opened::Profile(document));
        slot
    }

    /// The same, in a format that is told.
    pub(crate) fn read_from(self, from: Option<&'static Format>) -> Slot {
        Slot { from, ..self }
    }

    /// The bytes of this one once more, in another format.
    pub(crate) fn read_again(&self, from: &'static Format) -> Result<Slot, ProtocolError> {
        match &self.bytes {
            Bytes::Held(_) => {}
            Bytes::Host(names) if !names.is_empty() => {}
            _ => {
                let message = format!("{} was made of other documents", self.title);
                return Err(ProtocolError::new(ErrorCode::BadRequest, message)
                    .with_hint("Read those in another format."));
            }
        }
        Ok(Slot::new(self.title.clone(), self.bytes.clone()).read_from(Some(from)))
    }

    /// A document with other members than the one it is of.
    pub(crate) fn split(document: Arc<Document>, of: u32, by: String) -> Slot {
        Slot { split_of: Some((of, by)), ..Slot::ready(document) }
    }

    /// The document that it is of with other members, and what these are made of.
    pub(crate) fn split_of(&self) -> Option<(u32, &str)> {
        self.split_of.as_ref().map(|(of, by)| (*of, by.as_str()))
    }

    /// Bytes of the profile's tables; 0 unless it is a profile and ready.
    pub(crate) fn heap_bytes(&self) -> usize {
        match &*lock(&self.state) {
            State::Ready(Opened::Profile(document)) => document.profile().heap_bytes(),
            _ => 0,
        }
    }

    /// Whether it is ready, with a document for which `is_it` holds.
    pub(crate) fn holds(&self, is_it: &dyn Fn(&Arc<Document>) -> bool) -> bool {
        matches!(&*lock(&self.state), State::Ready(Opened::Profile(document)) if is_it(document))
    }

    pub(crate) fn title(&self) -> &str {
        &self.title
    }

    /// None once it is closed.
    pub(crate) fn state(&self) -> Option<DocumentState> {
        match &*lock(&self.state) {
            State::Waiting | State::Loading => Some(DocumentState::Loading {}),
            State::Ready(Opened::Profile(_)) => {
                Some(DocumentState::Ready { shows: DocumentKind::Profile })
            }
            State::Ready(Opened::Graph(_)) => {
                Some(DocumentState::Ready { shows: DocumentKind::Graph })
            }
            State::Failed(error) => Some(failed(error)),
            State::Closed => None,
        }
    }

    pub(crate) fn close(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
        *lock(&self.state) = State::Closed;
        self.changed.notify_all();
    }

    /// Reads the document, unless it is read, being read or closed.
    pub(crate) fn load(&self, reading: &Reading<'_>, call: &dyn Call) {
        {
            let mut state = lock(&self.state);
            match *state {
                State::Waiting => *state = State::Loading,
                _ => return,
            }
        }
        self.cancelled.store(false, Ordering::Relaxed);
        self.done.store(0, Ordering::Relaxed);
        self.total.store(0, Ordering::Relaxed);
        let started = reading.host.seconds();
        let result = self.read(reading, call);
        let mut state = lock(&self.state);
        if matches!(*state, State::Closed) {
            return;
        }
        *state = match result {
            Ok(Fresh::Profile(mut document)) => {
                document.define_fitting(reading.formulas);
                document.set_opened_s(reading.host.seconds() - started);
                State::Ready(Opened::Profile(Arc::from(document)))
            }
            Ok(Fresh::Graph(mut graph)) => {
                graph.set_opened_s(reading.host.seconds() - started);
                State::Ready(Opened::Graph(Arc::from(graph)))
            }
            // Whoever asks next starts again.
            Err(_) if self.cancelled.load(Ordering::Relaxed) => State::Waiting,
            Err(error) => State::Failed(error),
        };
        drop(state);
        self.changed.notify_all();
    }

    /// Waits until the document is read, reading it if nobody does.
    pub(crate) fn wait(
        &self,
        reading: &Reading<'_>,
        call: &dyn Call,
    ) -> Result<Opened, ProtocolError> {
        let mut state = lock(&self.state);
        let mut waited = false;
        loop {
            match &*state {
                State::Ready(opened) => return Ok(opened.clone()),
                State::Failed(error) => return Err(error.clone()),
                State::Closed => {
                    let message = format!("{} was closed", self.title);
                    return Err(ProtocolError::new(ErrorCode::UnknownDocument, message));
                }
                State::Waiting if waited => return Err(cancelled()),
                State::Waiting => {
                    drop(state);
                    self.load(reading, call);
                    waited = true;
                    state = lock(&self.state);
                }
                State::Loading => {
                    if call.is_cancelled() {
                        self.cancelled.store(true, Ordering::Relaxed);
                        return Err(cancelled());
                    }
                    call.progress(self.progress());
                    waited = true;
                    state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }

    /// What DaCe measured, if the document is a report of that.
    pub(crate) fn report(&self, reading: &Reading<'_>) -> Option<Report> {
        let mut bytes: Box<dyn Read> = match &self.bytes {
            Bytes::Host(names) => match &names[..] {
                [name] => match reading.host.open(name).ok()? {
                    Input::File(bytes, _) => bytes,
                    Input::Folder(_) => return None,
                },
                _ => return None,
            },
            Bytes::Held(bytes) => Box::new(io::Cursor::new(Shared(bytes.clone()))),
            Bytes::Compared { .. } => return None,
        };
        let mut head = vec![];
        bytes.by_ref().take(HEAD).read_to_end(&mut head).ok()?;
        if !sdfg::report::is_report(&head) {
            return None;
        }
        let limits = sdfg::Limits { max_size: reading.options.max_size };
        Report::read(io::Cursor::new(head).chain(bytes), &limits)
            .ok()
            .filter(Report::names_elements)
    }

    fn progress(&self) -> Progress {
        Progress {
            phase: "reading".to_owned(),
            done: self.done.load(Ordering::Relaxed) as f64,
            total: self.total.load(Ordering::Relaxed) as f64,
        }
    }

    fn read(&self, reading: &Reading<'_>, call: &dyn Call) -> Result<Fresh, ProtocolError> {
        let Reading { host, reading_as, .. } = *reading;
        let told;
        let options = match self.from {
            None => reading.options,
            Some(_) => {
                told = ReadOptions { from: self.from, ..reading.options.clone() };
                &told
            }
        };
        let collector = || Collector::new(options).reading_as(reading_as.clone());
        let watch = Progressing { slot: self, call };
        let add = |collector: &mut Collector<'_>, input: Input, name: &str| {
            self.total.fetch_add(input.size().unwrap_or(0), Ordering::Relaxed);
            collector.add(input, &watch, name)
        };
        let open = |name: &str, told: &str| {
            host.open(name).map_err(|error| {
                let message = format!("{told}: {}", ReadError::Io(error));
                ProtocolError::new(ErrorCode::Unreadable, message)
            })
        };
        let read = |names: &[String], title: &str| {
            let mut collector = collector();
            for (name, told) in names.iter().zip(short_names(names)) {
                add(&mut collector, open(name, told)?, told)?;
            }
            Ok(collector.finish(title))
        };
        let peek = |input: Input| match options.from {
            None => input.peek(&self.title),
            Some(_) => (input, false),
        };
        let read_one = |input: Input| match peek(input) {
            (input, true) => {
                self.total.fetch_add(input.size().unwrap_or(0), Ordering::Relaxed);
                GraphDocument::read(input, &watch, &self.title, options)
                    .map(|graph| Fresh::Graph(Box::new(graph)))
            }
            (input, false) => {
                let mut collector = collector();
                add(&mut collector, input, &self.title)?;
                Ok(Fresh::Profile(Box::new(collector.finish(&self.title))))
            }
        };
        match &self.bytes {
            Bytes::Host(names) => match &names[..] {
                [name] => read_one(open(name, &self.title)?),
                names => Ok(Fresh::Profile(Box::new(read(names, &self.title)?))),
            },
            Bytes::Held(bytes) => {
                let size = bytes.len() as u64;
                let shared = io::Cursor::new(Shared(bytes.clone()));
                read_one(Input::File(Box::new(shared), Some(size)))
            }
            Bytes::Compared { sides: [base, new], how } => {
                let (base, new) =
                    (read(base, &merged_title(base))?, read(new, &merged_title(new))?);
                Ok(Fresh::Profile(Box::new(Compared::new(&base, &new, how)?.document)))
            }
        }
    }
}

/// What was just read.
enum Fresh {
    Profile(Box<Document>),
    Graph(Box<GraphDocument>),
}

/// Sees bytes being read.
pub trait Watch: Sync {
    /// The bytes, wrapped so that reading them is seen.
    fn watch<'a>(&'a self, bytes: Box<dyn Read + Send + 'a>) -> Box<dyn Read + Send + 'a>;
}

fn cancelled() -> ProtocolError {
    ProtocolError::new(ErrorCode::Cancelled, "reading was cancelled")
}

struct Shared(Arc<Vec<u8>>);

impl AsRef<[u8]> for Shared {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

struct Progressing<'a> {
    slot: &'a Slot,
    call: &'a dyn Call,
}

impl Watch for Progressing<'_> {
    fn watch<'a>(&'a self, bytes: Box<dyn Read + Send + 'a>) -> Box<dyn Read + Send + 'a> {
        Box::new(Watched { bytes, slot: self.slot, call: self.call, reported: 0 })
    }
}

/// Counts bytes for those who wait, and stops when the one who started no longer does.
struct Watched<'a> {
    bytes: Box<dyn Read + Send + 'a>,
    slot: &'a Slot,
    call: &'a dyn Call,
    reported: u64,
}

/// Bytes between two reports.
const REPORT_EVERY: u64 = 1 << 20;

impl Read for Watched<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.bytes.read(out)?;
        let done = self.slot.done.fetch_add(count as u64, Ordering::Relaxed) + count as u64;
        if done >= self.reported + REPORT_EVERY || count == 0 {
            self.reported = done;
            self.slot.changed.notify_all();
            self.call.progress(self.slot.progress());
        }
        if self.call.is_cancelled() {
            self.slot.cancelled.store(true, Ordering::Relaxed);
        }
        if self.slot.cancelled.load(Ordering::Relaxed) {
            return Err(io::Error::new(io::ErrorKind::ConnectionAborted, "cancelled"));
        }
        Ok(count)
    }
}
