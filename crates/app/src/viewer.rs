//! The page that needs no server, which the binary carries inside. `cargo build` alone leaves it out.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use protocol::{ErrorCode, ProtocolError};
use rust_embed::RustEmbed;

/// What the whole engine stands behind in the page; `vite.page.config.ts` writes it.
const ENGINE: &str = "id=\"hotframe-whole-engine\">";

#[derive(RustEmbed)]
#[folder = "../../web/ui/dist-page"]
#[include = "index.html"]
struct Built;

/// The page as one file; none where the binary was compiled without it.
pub(crate) fn page() -> Option<Cow<'static, [u8]>> {
    Some(Built::get("index.html")?.data)
}

/// The same for whoever wants to make a report.
pub(crate) fn wanted() -> Result<Cow<'static, [u8]>, ProtocolError> {
    page().ok_or_else(|| {
        let message = "this Hotframe was compiled without the page that reports have inside";
        ProtocolError::new(ErrorCode::BadRequest, message)
            .with_hint("`cargo xtask demo` builds both.")
    })
}

/// The whole engine that the page has inside, as gzip.
pub(crate) fn engine() -> Option<Vec<u8>> {
    let page = page()?;
    let text = std::str::from_utf8(&page).ok()?;
    let (_, behind) = text.split_once(ENGINE)?;
    let (engine, _) = behind.split_once('<')?;
    STANDARD.decode(engine.trim()).ok()
}
