//! The page that needs no server, built into the binary, if it was built before that.

use std::borrow::Cow;

use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "../../web/ui/dist-page"]
struct Built;

/// The page as one file; none where the binary was built without.
pub(crate) fn page() -> Option<Cow<'static, [u8]>> {
    Some(Built::get("index.html")?.data)
}
