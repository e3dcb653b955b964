//! What the server's one thread waits for, and how other threads reach it.

use std::borrow::Cow;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Sender, SyncSender, channel};
use std::time::Duration;

use protocol::{ErrorCode, OpenSourceParams, Progress, ProtocolError};
use serde_json::Value;
use session::{Host, Input, PythonPart};

use super::comparison::Comparison;
use super::framing::Incoming;
use super::graphs::Graph;
use super::profiles::Profile;
use super::refusal::Refusal;
use crate::host::FileHost;

/// How long a page waits for the editor.
const PATIENCE: Duration = Duration::from_secs(10);

/// Something that the server has to look at.
pub(super) enum Event {
    /// The editor said something, or left.
    Incoming(Incoming),
    /// A profile is being read.
    Progress { document: u32, progress: Progress },
    /// A file was read, or cannot be.
    Loaded { document: u32, read: Result<Loaded, String> },
    /// Two profiles were compared; why nothing could be, if so.
    Compared { compared: Box<Comparison>, problem: Option<String> },
    /// What a request was answered beside the server.
    Answered { id: Value, answer: Result<String, Refusal> },
    /// A page wants a line shown.
    OpenSource { wanted: OpenSourceParams, answer: Sender<Result<(), ProtocolError>> },
}

/// What a file turned out to be.
pub(super) enum Loaded {
    Profile(Box<Profile>),
    Graph(Box<Graph>),
}

/// Files for the session, and the editor for its pages.
pub(super) struct EditorHost {
    files: FileHost,
    events: SyncSender<Event>,
}

impl EditorHost {
    pub(super) fn new(max_size: u64, events: SyncSender<Event>) -> Arc<EditorHost> {
        Arc::new(EditorHost { files: FileHost::new(&[], max_size), events })
    }

    /// Allows a file; gives the name that the session has for it.
    pub(super) fn allow(&self, path: &Path) -> String {
        self.files.allow(path)
    }
}

impl Host for EditorHost {
    fn open(&self, name: &str) -> io::Result<Input> {
        self.files.open(name)
    }

    fn seconds(&self) -> f64 {
        self.files.seconds()
    }

    fn opens_again(&self, name: &str) -> bool {
        self.files.opens_again(name)
    }

    fn viewer(&self, whole_engine: bool) -> Result<Cow<'static, [u8]>, ProtocolError> {
        self.files.viewer(whole_engine)
    }

    fn python_parts(&self) -> Result<Vec<PythonPart>, ProtocolError> {
        self.files.python_parts()
    }

    fn has_editor(&self) -> bool {
        true
    }

    fn open_source(&self, wanted: &OpenSourceParams) -> Result<(), ProtocolError> {
        let (answer, answered) = channel();
        let gone = |_| ProtocolError::new(ErrorCode::NoSource, "the editor does not answer");
        let event = Event::OpenSource { wanted: wanted.clone(), answer };
        self.events.try_send(event).map_err(|error| gone(error.to_string()))?;
        answered.recv_timeout(PATIENCE).map_err(|error| gone(error.to_string()))?
    }
}
