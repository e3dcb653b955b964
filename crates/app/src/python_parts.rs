//! Python for scripts of the page, built into the binary, if it was built before that.

use std::borrow::Cow;

use anyhow::{Context as _, Result, bail};
use rust_embed::RustEmbed;

use crate::viewer;

#[derive(RustEmbed)]
#[folder = "../../web/ui/dist-python"]
struct Built;

/// The engine of the worker of scripts, which is that of the page without a server.
const ENGINE: &str = "engine.wasm";

/// What files of the build end with.
const PACKED: &str = ".gz";

/// A part of that name, as gzip.
pub(crate) fn packed(name: &str) -> Result<Cow<'static, [u8]>> {
    let how = "build it with `cargo xtask page` and then again";
    if name == ENGINE {
        let engine = viewer::engine().with_context(|| {
            format!("this Hotframe was built without the engine that scripts work with: {how}")
        })?;
        return Ok(engine.into());
    }
    if Built::iter().next().is_none() {
        bail!("this Hotframe was built without Python: {how}");
    }
    let file = Built::get(&format!("{name}{PACKED}"))
        .with_context(|| format!("Python has no part {name}"))?;
    Ok(file.data)
}

/// The names of all parts but the engine, in order; none where the binary was built without.
pub(crate) fn names() -> Vec<String> {
    let mut names: Vec<String> =
        Built::iter().filter_map(|file| Some(file.strip_suffix(PACKED)?.to_owned())).collect();
    names.sort();
    names
}
