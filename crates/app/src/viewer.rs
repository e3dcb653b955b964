//! The page that needs no server, which the binary carries in parts. `cargo build` alone leaves it out.

use std::io::Read as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::read::GzDecoder;
use protocol::{ErrorCode, ProtocolError};

use crate::{archives, embedded};

const PAGE: &str = "page.html.gz";

/// The archive of the engines, and what it and elements of the page call them (`vite.page.config.ts`): the one
/// that pages begin with, and the whole one.
const ARCHIVE: &str = "engines";
const FIRST: &str = "hotframe-engine";
const WHOLE: &str = "hotframe-whole-engine";

/// The page as one file with one of the engines; none where the binary was compiled without it.
fn page(whole_engine: bool) -> Option<String> {
    let mut page = String::new();
    GzDecoder::new(&*embedded::parts().file(PAGE)?).read_to_string(&mut page).ok()?;
    let id = if whole_engine { WHOLE } else { FIRST };
    let [engine] = archives::files(ARCHIVE, [id])?;
    let begin = format!("id=\"{id}\">");
    let at = page.find(&begin)? + begin.len();
    page.insert_str(at, &STANDARD.encode(archives::gzip(&engine)));
    Some(page)
}

/// The same for whoever wants to make a report.
pub(crate) fn wanted(whole_engine: bool) -> Result<String, ProtocolError> {
    page(whole_engine).ok_or_else(is_missing)
}

/// Fails where the binary was compiled without the page.
pub(crate) fn expect() -> Result<(), ProtocolError> {
    embedded::parts().file(PAGE).map(drop).ok_or_else(is_missing)
}

fn is_missing() -> ProtocolError {
    let message = "this Hotframe was compiled without the page that reports have inside";
    ProtocolError::new(ErrorCode::BadRequest, message).with_hint("`cargo xtask demo` builds both.")
}

/// The whole engine that the page has inside.
pub(crate) fn engine() -> Option<Vec<u8>> {
    archives::files(ARCHIVE, [WHOLE]).map(|[engine]| engine)
}
