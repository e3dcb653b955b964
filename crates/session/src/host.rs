//! What a session lives in.

use std::borrow::Cow;
use std::io::{self, Read};
use std::sync::Arc;

use formats::Folder;
use protocol::{ErrorCode, MachineResult, OpenSourceParams, ProtocolError};

use crate::runs::Runs;

/// A part of Python by name, as gzip.
pub type PythonPart = (String, Cow<'static, [u8]>);

/// Where bytes come from, and what else the machine gives.
pub trait Host: Send + Sync {
    /// What a document consists of.
    fn open(&self, name: &str) -> io::Result<Input>;
    /// Allows a file of this machine, of which only a path is known, and gives the name that it has; the error
    /// says why it may not be opened.
    fn allow(&self, _path: &str) -> Result<String, ProtocolError> {
        let message = "files are not opened by their paths here";
        Err(ProtocolError::new(ErrorCode::BadRequest, message))
    }
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
    /// A source file; the error says why it cannot be shown, and what to do.
    fn source(&self, _: &WantedSource<'_>) -> Result<SourceFile, ProtocolError> {
        Err(ProtocolError::new(ErrorCode::NoSource, "no folder with sources may be read"))
    }
    /// When what a document consists of was written, in seconds since 1970, if that is known.
    fn written_s(&self, _name: &str) -> Option<f64> {
        None
    }
    /// Who runs experiments for the page, where that is allowed.
    fn runs(&self) -> Option<&dyn Runs> {
        None
    }
    /// Whether what a document consists of can be opened once more: what comes through a pipe cannot.
    fn opens_again(&self, _name: &str) -> bool {
        true
    }
    /// The page that needs no server, which reports have inside: with the whole engine, or with the one that
    /// pages begin with. The error says how to have it.
    fn viewer(&self, _whole_engine: bool) -> Result<Cow<'static, [u8]>, ProtocolError> {
        let message = "the viewer that reports have inside is not there";
        Err(ProtocolError::new(ErrorCode::BadRequest, message)
            .with_hint("`hotframe export FILE -o report.html` writes a report."))
    }
    /// What the machine can do at most, as it is remembered or, where that is asked for, measured now:
    /// `goes_on` gets the part that is done (0 to 1) and says whether to go on.
    fn machine(
        &self,
        _measure: bool,
        _goes_on: &(dyn Fn(f64) -> bool + Sync),
    ) -> Result<MachineResult, ProtocolError> {
        let message = "this engine cannot measure the machine";
        Err(ProtocolError::new(ErrorCode::BadRequest, message)
            .with_hint("`hotframe sdfg machine` measures it."))
    }
    /// The parts of Python for scripts of a report.
    fn python_parts(&self) -> Result<Vec<PythonPart>, ProtocolError> {
        let message = "Python, which runs scripts in the page, is not there";
        Err(ProtocolError::new(ErrorCode::BadRequest, message).with_hint(
            "`hotframe export FILE --with-python -o report.html` writes a report with it.",
        ))
    }
}

/// A source file that a document names.
#[derive(Debug, Clone, Copy)]
pub struct WantedSource<'a> {
    /// The file as the document names it.
    pub file: &'a str,
    /// All files that the document names, by which it is known which file a path may mean.
    pub named: &'a [String],
}

/// A source file of the host.
#[derive(Debug, Clone, PartialEq)]
pub struct SourceFile {
    /// Where it is.
    pub path: String,
    /// What is in it.
    pub bytes: Vec<u8>,
    /// When it was written, in seconds since 1970, if that is known.
    pub written_s: Option<f64>,
    /// What makes it doubtful that it is the file, for people; empty where nothing does.
    pub doubt: String,
}

impl<H: Host> Host for Arc<H> {
    fn open(&self, name: &str) -> io::Result<Input> {
        (**self).open(name)
    }

    fn allow(&self, path: &str) -> Result<String, ProtocolError> {
        (**self).allow(path)
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

    fn source(&self, wanted: &WantedSource<'_>) -> Result<SourceFile, ProtocolError> {
        (**self).source(wanted)
    }

    fn written_s(&self, name: &str) -> Option<f64> {
        (**self).written_s(name)
    }

    fn runs(&self) -> Option<&dyn Runs> {
        (**self).runs()
    }

    fn opens_again(&self, name: &str) -> bool {
        (**self).opens_again(name)
    }

    fn viewer(&self, whole_engine: bool) -> Result<Cow<'static, [u8]>, ProtocolError> {
        (**self).viewer(whole_engine)
    }

    fn python_parts(&self) -> Result<Vec<PythonPart>, ProtocolError> {
        (**self).python_parts()
    }

    fn machine(
        &self,
        measure: bool,
        goes_on: &(dyn Fn(f64) -> bool + Sync),
    ) -> Result<MachineResult, ProtocolError> {
        (**self).machine(measure, goes_on)
    }
}

/// What a document consists of.
pub enum Input {
    /// One file: its bytes and, if known, how many there are.
    File(Box<dyn Read + Send>, Option<u64>),
    /// Files that belong together.
    Folder(Box<dyn Folder + Send>),
}

/// Bytes in which files say of what kind they are.
const HEAD: u64 = 4096;

impl Input {
    /// How many bytes there are, if known.
    pub fn size(&self) -> Option<u64> {
        match self {
            Input::File(_, size) => *size,
            Input::Folder(folder) => Some(folder.files().iter().map(|file| file.size).sum()),
        }
    }

    /// The same input, and the first bytes of it; those of a folder are none.
    pub(crate) fn peek(self) -> (Input, Vec<u8>) {
        let mut head = vec![];
        let Input::File(mut bytes, size) = self else { return (self, head) };
        // An error comes again when the rest is read.
        let _ = bytes.by_ref().take(HEAD).read_to_end(&mut head);
        let bytes = io::Cursor::new(head.clone()).chain(bytes);
        (Input::File(Box::new(bytes), size), head)
    }
}

/// Sees bytes being read.
pub trait Watch: Sync {
    /// The bytes, wrapped so that reading them is seen.
    fn watch<'a>(&'a self, bytes: Box<dyn Read + Send + 'a>) -> Box<dyn Read + Send + 'a>;
}
