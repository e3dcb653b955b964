//! What a kind of documents is.

use std::any::Any;
use std::sync::Arc;

use analysis::PatternError;
use protocol::{ErrorCode, ProtocolError};

use crate::Input;
use crate::opening::Opening;

/// Who is asked for graphs or accesses without having them.
pub(crate) fn left_out(what: &str) -> ProtocolError {
    let message = format!("{what} takes the whole Hotframe, and this is a part of it");
    ProtocolError::new(ErrorCode::LeftOut, message).with_hint("`hotframe open FILE` shows it.")
}

/// A kind of documents.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// What the protocol calls it, and by which pages know what to show.
    pub name: &'static str,
    /// What people call one.
    pub noun: &'static str,
    /// Whether a file that begins with these bytes, and has this name, is of the kind.
    pub recognises: fn(head: &[u8], name: &str) -> bool,
    /// Reads a document.
    pub read: fn(Input, &Opening<'_>) -> Result<Arc<dyn OpenDocument>, ProtocolError>,
}

/// A document that was read.
pub trait OpenDocument: Any + Send + Sync {
    /// Its kind.
    fn kind(&self) -> &'static Kind;
    /// File name without folders.
    fn title(&self) -> &str;
    /// The source files that it names, and that may be read for it.
    fn source_files(&self) -> Vec<String> {
        vec![]
    }
    /// When it was measured or made, in seconds since 1970, if it tells.
    fn made_s(&self) -> Option<f64> {
        None
    }
}

/// A type of documents that is a kind of its own.
pub trait KindOf: OpenDocument {
    /// The kind.
    const KIND: Kind;
}

/// The document as one of a kind.
pub(crate) fn expect<D: KindOf>(document: Arc<dyn OpenDocument>) -> Result<Arc<D>, ProtocolError> {
    let (title, kind) = (document.title().to_owned(), document.kind());
    downcast(document).ok_or_else(|| {
        let message = format!("{title} is a {} and no {}", kind.noun, D::KIND.noun);
        ProtocolError::new(ErrorCode::WrongKind, message)
            .with_hint(format!("The methods on a {} answer for it.", kind.noun))
    })
}

/// The document as one of a type, if it is.
pub(crate) fn downcast<D: OpenDocument>(document: Arc<dyn OpenDocument>) -> Option<Arc<D>> {
    let document: Arc<dyn Any + Send + Sync> = document;
    document.downcast().ok()
}

/// A pattern that cannot be searched for.
pub(crate) fn pattern_error(error: PatternError) -> ProtocolError {
    ProtocolError::new(ErrorCode::BadPattern, error.to_string())
        .with_hint("Put a backslash before ( ) [ ] { } . * + ? | ^ $ to mean the sign itself.")
}
