//! Files that are read as the format that someone named, whatever they look like.

use crate::input::guard;
use crate::input::stream::Stream;
use {crate::Format, crate::Opened, crate::ReadError, crate::ReadOptions, crate::Sniff};

/// Reads a single file as `format`. A file that is not one is refused, and what it looks like is
/// told: an empty profile would be taken for a measurement of nothing.
pub(crate) fn read(
    mut stream: Stream,
    format: &'static Format,
    file_name: &str,
    options: &ReadOptions,
) -> Result<Opened, ReadError> {
    let what = "a single file";
    let refusal = ReadError::NotReadFrom { format: format.name, what };
    let reader = format.reader.ok_or(refusal)?;
    let head = stream.peek(crate::SNIFF_BYTES)?;
    let judgement = guard::sniffed(|| (reader.sniff)(head, file_name));
    let (looks_like, is_sure) = match judgement {
        Sniff::Yes => (None, false),
        _ => other(head, file_name),
    };
    let opened = guard::guarded(format.name, |warnings| (reader.read)(stream, options, warnings));
    match opened {
        Ok(opened) if judgement == Sniff::No && (is_sure || opened.profile.points.is_empty()) => {
            let missing = if opened.profile.points.is_empty() {
                "sample and no value that it could hold"
            } else {
                "sign of it, but what only another format has"
            };
            Err(as_named(ReadError::Lacks { format: format.name, missing }, format, looks_like))
        }
        Err(error) if judgement != Sniff::Yes => Err(as_named(error, format, looks_like)),
        opened => opened,
    }
}

/// The format that a file looks like, and whether it surely is of that format.
fn other(head: &[u8], file_name: &str) -> (Option<&'static str>, bool) {
    let claims = crate::claims(head, file_name);
    let is_sure = |name: &str| {
        let reader = crate::format_named(name).and_then(|format| format.reader);
        reader
            .is_some_and(|reader| guard::sniffed(|| (reader.sniff)(head, file_name)) == Sniff::Yes)
    };
    let first = claims.first().copied();
    (first, first.is_some_and(is_sure))
}

/// The error, with what it is due to if it is due to the format.
fn as_named(
    error: ReadError,
    format: &'static Format,
    looks_like: Option<&'static str>,
) -> ReadError {
    match error {
        ReadError::Malformed { .. }
        | ReadError::MostlySkipped { .. }
        | ReadError::Nothing { .. }
        | ReadError::Lacks { .. }
        | ReadError::Unsupported { .. } => {
            ReadError::AsNamed { format: format.name, error: Box::new(error), looks_like }
        }
        ReadError::Truncated { format: of, .. } if of == format.name => {
            ReadError::AsNamed { format: of, error: Box::new(error), looks_like }
        }
        error => error,
    }
}
