//! Python for scripts of the page, which the binary carries inside. `cargo build` alone leaves it out.

use std::borrow::Cow;

use anyhow::{Context as _, Result, bail};
use protocol::{ErrorCode, ProtocolError};
use session::PythonPart;

use crate::{embedded, viewer};

/// The engine of the worker of scripts, which is that of the page without a server.
const ENGINE: &str = "engine.wasm";

/// How to have it.
const HOW: &str = "`cargo xtask demo` builds both";

/// What files of the build end with.
const PACKED: &str = ".gz";

/// A part of that name, as gzip.
pub(crate) fn packed(name: &str) -> Result<Cow<'static, [u8]>> {
    if name == ENGINE {
        return viewer::engine().with_context(|| {
            format!("this Hotframe was compiled without the engine for scripts: {HOW}")
        });
    }
    if (embedded::python().files)().is_empty() {
        bail!("this Hotframe was compiled without Python: {HOW}");
    }
    let file = embedded::python().file(&format!("{name}{PACKED}"));
    file.with_context(|| format!("Python has no part {name}"))
}

/// All parts but the engine by name, as gzip; the page that they are put into has an engine.
fn all() -> Result<Vec<PythonPart>> {
    let mut parts = vec![];
    for file in (embedded::python().files)() {
        let Some(name) = file.strip_suffix(PACKED) else { continue };
        parts.push((name.to_owned(), packed(name)?));
    }
    parts.sort();
    if parts.is_empty() {
        bail!("this Hotframe was compiled without Python: {HOW}");
    }
    Ok(parts)
}

/// The same for whoever makes a report.
pub(crate) fn wanted() -> Result<Vec<PythonPart>, ProtocolError> {
    all().map_err(|error| ProtocolError::new(ErrorCode::BadRequest, format!("{error:#}")))
}
