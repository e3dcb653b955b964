//! What the page is told of what cannot be done.

use protocol::{ErrorCode, ProtocolError};

/// What was asked for makes no sense, or is not allowed.
pub(super) fn refused(message: impl Into<String>, hint: &str) -> ProtocolError {
    ProtocolError::new(ErrorCode::BadRequest, message).with_hint(hint)
}

/// This machine's trouble.
pub(super) fn failed(error: &dyn std::fmt::Display) -> ProtocolError {
    let text = error.to_string();
    let (message, hint) = text.split_once('\n').unwrap_or((&text, ""));
    ProtocolError::new(ErrorCode::BadRequest, message).with_hint(hint)
}
