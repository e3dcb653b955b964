//! The text of the source files that documents name.
//!
//! A document says which files it names; whether one of them may be read, and which file of the
//! machine it is, says the host.

use profile::visible;
use protocol::{ErrorCode, ProtocolError, SourceTextParams, SourceTextResult};

use crate::{Call, Session, SourceFile, WantedSource};

pub(crate) fn source_text(
    session: &Session,
    params: &SourceTextParams,
    call: &dyn Call,
) -> Result<SourceTextResult, ProtocolError> {
    let document = session.slot(params.document)?.wait(&session.reading(), call)?;
    let (file, named) = (params.file.as_str(), document.source_files());
    if !named.iter().any(|one| one == file) {
        let message = format!("{} names no source file {}", document.title(), visible(file));
        return Err(ProtocolError::new(ErrorCode::NoSource, message)
            .with_hint("Only files that a profile or graph names are read for it."));
    }
    let found = session.host.source(&WantedSource { file, named: &named })?;
    let made_s = document.made_s().or_else(|| written_s(session, params.document));
    text_of(found, made_s)
}

/// When the file was written that a document was read from.
fn written_s(session: &Session, mut document: u32) -> Option<f64> {
    loop {
        let slot = session.slot(document).ok()?;
        match slot.split_of() {
            Some((of, _)) => document = of,
            None => return session.host.written_s(slot.name()),
        }
    }
}

fn text_of(found: SourceFile, made_s: Option<f64>) -> Result<SourceTextResult, ProtocolError> {
    let SourceFile { path, bytes, written_s, doubt } = found;
    if bytes.contains(&0) {
        let message = format!("{} is not text: it has bytes that are 0", visible(&path));
        return Err(ProtocolError::new(ErrorCode::NoSource, message)
            .with_hint("Open it with a program for its format."));
    }
    let mut notes = vec![];
    if !doubt.is_empty() {
        notes.push(doubt);
    }
    if let (Some(written), Some(made)) = (written_s, made_s)
        && written > made
    {
        notes.push("The file changed after the recording: lines may be off.".to_owned());
    }
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            notes.push("Bytes that are not UTF-8 are shown as \u{fffd}.".to_owned());
            String::from_utf8_lossy(error.as_bytes()).into_owned()
        }
    };
    Ok(SourceTextResult { path, text, notes })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(bytes: &[u8]) -> SourceFile {
        SourceFile {
            path: "/w/a.c".into(),
            bytes: bytes.into(),
            written_s: Some(100.0),
            doubt: String::new(),
        }
    }

    #[test]
    fn a_file_that_is_newer_than_the_recording_says_so() {
        let notes = |made_s| text_of(file(b"x"), made_s).map(|told| told.notes.len());
        assert_eq!(notes(Some(99.0)), Ok(1));
        assert_eq!(notes(Some(100.0)), Ok(0));
        assert_eq!(notes(None), Ok(0));
    }

    #[test]
    fn binaries_are_no_text_and_other_encodings_are_reported() {
        let error = text_of(file(b"\x7fELF\0"), None).expect_err("a binary");
        assert_eq!(error.message, "/w/a.c is not text: it has bytes that are 0");
        let told = text_of(file(b"na\xefve"), None).expect("a text");
        assert_eq!((told.text.as_str(), told.notes.len()), ("na\u{fffd}ve", 1));
    }
}
