//! The engine of a report: of the two that the page has, the one that is needed.

use protocol::{ErrorCode, ProtocolError};

const FIRST: &[u8] = b"<script type=\"text/plain\" id=\"hotframe-engine\">";
const WHOLE: &[u8] = b"<script type=\"text/plain\" id=\"hotframe-whole-engine\">";
const END: &[u8] = b"</script>";
/// The page's script, which does not wait for what stands behind it.
const SCRIPT: &[u8] = b"<script async type=\"module\">";
/// The same, which waits: documents stand behind it.
const WAITING: &[u8] = b"<script type=\"module\">";

/// The page with one engine, as parts one after the other.
pub(super) fn chosen(page: &[u8], takes_whole: bool) -> Result<[&[u8]; 8], ProtocolError> {
    let (before, first, rest) = element(page, FIRST)?;
    let (rest, whole, after) = element(rest, WHOLE)?;
    let (between, script) = split(rest, SCRIPT)?;
    let engine = if takes_whole { whole } else { first };
    Ok([before, FIRST, engine, END, between, WAITING, script, after])
}

/// What stands before an element, in it and behind it.
fn element<'a>(
    page: &'a [u8],
    begin: &[u8],
) -> Result<(&'a [u8], &'a [u8], &'a [u8]), ProtocolError> {
    let (before, rest) = split(page, begin)?;
    let (inside, after) = split(rest, END)?;
    Ok((before, inside, after))
}

/// What stands before and behind a text.
fn split<'a>(page: &'a [u8], text: &[u8]) -> Result<(&'a [u8], &'a [u8]), ProtocolError> {
    let at = memchr::memmem::find(page, text).ok_or_else(|| {
        let what = String::from_utf8_lossy(text);
        let message = format!("the page that reports have inside has no {what}");
        ProtocolError::new(ErrorCode::BadRequest, message)
            .with_hint("It is of another version of Hotframe: `cargo xtask demo` builds both.")
    })?;
    Ok((&page[..at], &page[at + text.len()..]))
}

#[cfg(test)]
mod tests {
    use super::chosen;

    const PAGE: &str = "<p></p><script type=\"text/plain\" id=\"hotframe-engine\">small</script>\n\
        <script async type=\"module\">run()</script>\n\
        <script type=\"text/plain\" id=\"hotframe-whole-engine\">large</script>\n</body>";

    #[test]
    fn a_report_has_the_engine_that_it_needs() {
        let with = |takes_whole| {
            String::from_utf8(chosen(PAGE.as_bytes(), takes_whole).unwrap().concat()).unwrap()
        };
        assert_eq!(
            with(true),
            "<p></p><script type=\"text/plain\" id=\"hotframe-engine\">large</script>\n\
             <script type=\"module\">run()</script>\n\n</body>"
        );
        assert_eq!(with(false), with(true).replace("large", "small"));
    }

    #[test]
    fn reports_a_page_without_them() {
        let error = chosen(b"<html></html>", false).unwrap_err();
        assert!(error.hint.contains("cargo xtask demo"), "{error:?}");
    }
}
