//! Errors that reach a person.

use serde::{Deserialize, Serialize};

/// What kind of failure an answer reports; programs branch on it, people read the message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// The request could not be decoded or its parameters are out of range.
    BadRequest,
    /// No document of that number is open.
    UnknownDocument,
    /// The document could not be read; the message says what is wrong and where.
    Unreadable,
    /// A filter's or search's regular expression does not compile.
    BadPattern,
    /// A formula cannot be used; the message says what is wrong with it and where.
    BadFormula,
    /// The node numbers belong to a view that the engine has dropped: locate the nodes again by
    /// their paths.
    ViewExpired,
    /// The request was cancelled.
    Cancelled,
    /// A limit was reached; the message names it.
    Limit,
    /// The source is not shown; the message says why.
    NoSource,
    /// The document is of another kind than the method is for.
    WrongKind,
    /// The engine was not allowed to do that; the hint says how to allow it.
    NotAllowed,
    /// It takes what this engine leaves out: a page asks its whole engine.
    LeftOut,
}

/// A failed request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[error("{message}")]
pub struct ProtocolError {
    /// The kind of failure.
    pub code: ErrorCode,
    /// What went wrong and where, for people.
    pub message: String,
    /// What to do about it, for people; empty where nothing can be said.
    pub hint: String,
}

impl ProtocolError {
    /// An error without a hint.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        ProtocolError { code, message: message.into(), hint: String::new() }
    }

    /// The same error with advice.
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = hint.into();
        self
    }
}
