//! The page that needs no server, which the binary carries in parts. `cargo build` alone leaves it out.

use std::borrow::Cow;
use std::io::Read as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::read::GzDecoder;
use protocol::{ErrorCode, ProtocolError};

use crate::embedded;

/// The elements of the page that hold its engines: the one that it begins with, and the whole one.
/// `vite.page.config.ts` names parts so.
const ENGINES: [&str; 2] = ["hotframe-engine", WHOLE];
const WHOLE: &str = "hotframe-whole-engine";

/// The page as one file; none where the binary was compiled without it.
fn page() -> Option<String> {
    let mut page = String::new();
    GzDecoder::new(&*embedded::parts().file("page.html.gz")?).read_to_string(&mut page).ok()?;
    for id in ENGINES {
        let engine = embedded::parts().file(&format!("{id}.gz"))?;
        let begin = format!("id=\"{id}\">");
        let at = page.find(&begin)? + begin.len();
        page.insert_str(at, &STANDARD.encode(engine));
    }
    Some(page)
}

/// The same for whoever wants to make a report.
pub(crate) fn wanted() -> Result<String, ProtocolError> {
    page().ok_or_else(|| {
        let message = "this Hotframe was compiled without the page that reports have inside";
        ProtocolError::new(ErrorCode::BadRequest, message)
            .with_hint("`cargo xtask demo` builds both.")
    })
}

/// The whole engine that the page has inside, as gzip.
pub(crate) fn engine() -> Option<Cow<'static, [u8]>> {
    embedded::parts().file(&format!("{WHOLE}.gz"))
}
