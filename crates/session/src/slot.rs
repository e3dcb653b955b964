//! Documents in any state, each read once, however many requests wait for it.

use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use formats::{Format, ReadOptions};
use profile::base_name;
use protocol::{DocumentState, ErrorCode, MadeBy, Progress, ProtocolError};

use crate::kinds::OpenDocument;
use crate::opening::{Bytes, Opening, ReadContext};
use crate::{Call, Input, lock};

/// A document in any state.
pub(crate) struct Slot {
    title: String,
    /// The name of the file that it is read from, with its folders as far as they are known.
    file_name: Option<String>,
    bytes: Option<Bytes>,
    /// The format that the bytes are in; none to recognise it.
    from: Option<&'static Format>,
    /// The document that it shows with other members, and what these are made of.
    split_of: Option<(u32, String)>,
    /// The request that makes it of other open documents.
    made_by: Option<MadeBy>,
    state: Mutex<State>,
    changed: Condvar,
    done: AtomicU64,
    total: AtomicU64,
    cancelled: AtomicBool,
}

enum State {
    Waiting,
    Loading,
    Ready(Ready),
    Failed(ProtocolError),
    Closed,
}

/// A document that was read.
#[derive(Clone)]
struct Ready {
    document: Arc<dyn OpenDocument>,
    /// How long that took, in seconds; none if it was made of open ones.
    opened_s: Option<f64>,
}

impl Slot {
    /// A document that will be read from one file.
    pub(crate) fn file(name: String, bytes: Bytes) -> Slot {
        let title = base_name(&name).to_owned();
        Slot { file_name: Some(name), ..Slot::new(title, bytes) }
    }

    /// A document that will be read.
    pub(crate) fn new(title: String, bytes: Bytes) -> Slot {
        Slot::with(title, Some(bytes), State::Waiting)
    }

    /// A document that was made of others; `made_by` is the request that makes it again.
    pub(crate) fn ready(document: Arc<dyn OpenDocument>, made_by: Option<MadeBy>) -> Slot {
        let title = document.title().to_owned();
        let slot = Slot::with(title, None, State::Ready(Ready { document, opened_s: None }));
        Slot { made_by, ..slot }
    }

    fn with(title: String, bytes: Option<Bytes>, state: State) -> Slot {
        Slot {
            title,
            file_name: None,
            bytes,
            from: None,
            split_of: None,
            made_by: None,
            state: Mutex::new(state),
            changed: Condvar::new(),
            done: AtomicU64::new(0),
            total: AtomicU64::new(0),
            cancelled: AtomicBool::new(false),
        }
    }

    /// The same, in a format that is told.
    pub(crate) fn read_from(self, from: Option<&'static Format>) -> Slot {
        Slot { from, ..self }
    }

    /// The bytes of this one once more, in another format.
    pub(crate) fn read_again(&self, from: &'static Format) -> Result<Slot, ProtocolError> {
        match &self.bytes {
            Some(bytes @ (Bytes::Held(_) | Bytes::Host(_))) => {
                let again = Slot::new(self.title.clone(), bytes.clone());
                Ok(Slot { file_name: self.file_name.clone(), ..again }.read_from(Some(from)))
            }
            Some(Bytes::Made(_)) | None => {
                let message = format!("{} was made of other documents", self.title);
                Err(ProtocolError::new(ErrorCode::BadRequest, message)
                    .with_hint("Read those in another format."))
            }
        }
    }

    /// A document with other members than the one it is of.
    pub(crate) fn split(document: Arc<dyn OpenDocument>, of: u32, by: String) -> Slot {
        Slot { split_of: Some((of, by)), ..Slot::ready(document, None) }
    }

    /// The document that it shows with other members, and what these are made of.
    pub(crate) fn split_of(&self) -> Option<(u32, &str)> {
        self.split_of.as_ref().map(|(of, by)| (*of, by.as_str()))
    }

    pub(crate) fn title(&self) -> &str {
        &self.title
    }

    /// The name of the file that it is read from; none where it was made of others.
    pub(crate) fn file_name(&self) -> Option<&str> {
        self.file_name.as_deref()
    }

    /// The request that makes it of other open documents, if it was made so and can be again.
    pub(crate) fn made_by(&self) -> Option<&MadeBy> {
        self.made_by.as_ref()
    }

    /// What it was opened by, whatever else is open.
    pub(crate) fn name(&self) -> &str {
        self.file_name().unwrap_or(&self.title)
    }

    /// The document, if it is ready.
    pub(crate) fn document(&self) -> Option<Arc<dyn OpenDocument>> {
        match &*lock(&self.state) {
            State::Ready(ready) => Some(ready.document.clone()),
            _ => None,
        }
    }

    /// How long opening took, in seconds, if it was read.
    pub(crate) fn opened_s(&self) -> Option<f64> {
        match &*lock(&self.state) {
            State::Ready(ready) => ready.opened_s,
            _ => None,
        }
    }

    /// The bytes anew; none where they are not one input, or cannot be had.
    pub(crate) fn input(&self, reading: &ReadContext<'_>) -> Option<Input> {
        self.bytes.as_ref()?.input(reading.host)?.ok()
    }

    /// The same, unless they came through something that can be read once.
    pub(crate) fn opened_again(&self, reading: &ReadContext<'_>) -> Option<Input> {
        match &self.bytes {
            Some(Bytes::Host(name)) if !reading.host.opens_again(name) => None,
            _ => self.input(reading),
        }
    }

    /// The format that its bytes were told to be in.
    pub(crate) fn chosen_format(&self) -> Option<&'static Format> {
        self.from
    }

    /// None once it is closed.
    pub(crate) fn state(&self) -> Option<DocumentState> {
        match &*lock(&self.state) {
            State::Waiting | State::Loading => Some(DocumentState::Loading {}),
            State::Ready(ready) => {
                Some(DocumentState::Ready { shows: ready.document.kind().name.to_owned() })
            }
            State::Failed(error) => Some(DocumentState::Failed { error: error.clone() }),
            State::Closed => None,
        }
    }

    pub(crate) fn close(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
        *lock(&self.state) = State::Closed;
        self.changed.notify_all();
    }

    /// Reads the document, unless it is read, being read or closed.
    pub(crate) fn load(&self, reading: &ReadContext<'_>, call: &dyn Call) {
        let Some(bytes) = &self.bytes else { return };
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
        let own = reading.options.clone();
        let options = ReadOptions { from: self.from.or(own.from), ..own };
        let opening = Opening { reading: *reading, options, slot: self, call };
        // Whoever else waits must learn of an end that is none.
        let result = panic::catch_unwind(AssertUnwindSafe(|| opening.read(bytes)));
        let (result, ending) = match result {
            Ok(result) => (result, None),
            Err(payload) if payload.is::<work::Stopped>() => {
                self.cancelled.store(true, Ordering::Relaxed);
                (Err(cancelled()), Some(payload))
            }
            Err(payload) => {
                let message = format!("the engine failed on {}", self.title);
                let error = ProtocolError::new(ErrorCode::Unreadable, message);
                (
                    Err(error.with_hint("This is a fault of Hotframe, please report it.")),
                    Some(payload),
                )
            }
        };
        let mut state = lock(&self.state);
        if matches!(*state, State::Closed) {
            return;
        }
        *state = match result {
            Ok(document) => {
                let opened_s = Some(reading.host.seconds() - started);
                State::Ready(Ready { document, opened_s })
            }
            // Whoever asks next starts again.
            Err(_) if self.cancelled.load(Ordering::Relaxed) => State::Waiting,
            Err(error) => State::Failed(error),
        };
        drop(state);
        self.changed.notify_all();
        if let Some(payload) = ending {
            panic::resume_unwind(payload);
        }
    }

    /// Waits until the document is read, reading it if nobody does.
    pub(crate) fn wait(
        &self,
        reading: &ReadContext<'_>,
        call: &dyn Call,
    ) -> Result<Arc<dyn OpenDocument>, ProtocolError> {
        let mut state = lock(&self.state);
        let mut waited = false;
        loop {
            match &*state {
                State::Ready(ready) => return Ok(ready.document.clone()),
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

    /// So many bytes more will be read.
    pub(crate) fn expect_bytes(&self, count: u64) {
        self.total.fetch_add(count, Ordering::Relaxed);
    }

    /// So many bytes more were read; gives all that were.
    pub(crate) fn count_bytes(&self, count: u64) -> u64 {
        self.done.fetch_add(count, Ordering::Relaxed) + count
    }

    /// Tells all who wait, and a call, how far reading is.
    pub(crate) fn tell_progress(&self, call: &dyn Call) {
        self.changed.notify_all();
        call.progress(self.progress());
    }

    /// Whether reading is to stop: because of the call that reads, or of one that waits.
    pub(crate) fn is_cancelled(&self, call: &dyn Call) -> bool {
        if call.is_cancelled() {
            self.cancelled.store(true, Ordering::Relaxed);
        }
        self.cancelled.load(Ordering::Relaxed)
    }

    fn progress(&self) -> Progress {
        Progress {
            phase: "reading".to_owned(),
            done: self.done.load(Ordering::Relaxed) as f64,
            total: self.total.load(Ordering::Relaxed) as f64,
        }
    }
}

fn cancelled() -> ProtocolError {
    ProtocolError::new(ErrorCode::Cancelled, "reading was cancelled")
}
