//! Python for scripts of the page, which the binary carries inside. `cargo build` alone leaves it out.

use std::borrow::Cow;
use std::panic::resume_unwind;
use std::thread;

use anyhow::{Context as _, Result, bail};
use protocol::{ErrorCode, ProtocolError};
use session::PythonPart;

use crate::{archives, embedded, viewer};

/// The engine of the worker of scripts, which is that of the page without a server.
const ENGINE: &str = "engine.wasm";

/// How to have it.
const HOW: &str = "`cargo xtask demo` builds both";

/// What files of the build end with.
const PACKED: &str = ".gz";

/// What is large, and the archive that has it.
const ARCHIVE: &str = "python";
const LARGE: [&str; 2] = ["interpreter.wasm", "library.zip"];

/// A part, as it is in the binary.
pub(crate) struct Part {
    pub(crate) bytes: Cow<'static, [u8]>,
    pub(crate) is_gzip: bool,
}

/// The part of that name. What is large takes some tenths of a second.
pub(crate) fn part(name: &str) -> Result<Part> {
    if name == ENGINE {
        let engine = viewer::engine().with_context(|| {
            format!("this Hotframe was compiled without the engine for scripts: {HOW}")
        })?;
        return Ok(Part { bytes: engine.into(), is_gzip: false });
    }
    if (embedded::python().files)().is_empty() {
        bail!("this Hotframe was compiled without Python: {HOW}");
    }
    let packed = embedded::python().file(&format!("{name}{PACKED}"));
    if let Some(bytes) = packed {
        return Ok(Part { bytes, is_gzip: true });
    }
    let large = LARGE.contains(&name).then(|| archives::files(ARCHIVE, [name])).flatten();
    let [bytes] = large.with_context(|| format!("Python has no part {name}"))?;
    Ok(Part { bytes: bytes.into(), is_gzip: false })
}

/// All parts but the engine by name, as gzip; the page that they are put into has an engine.
fn all() -> Result<Vec<PythonPart>> {
    let missing = || format!("this Hotframe was compiled without Python: {HOW}");
    let large = archives::files(ARCHIVE, LARGE).with_context(missing)?;
    let mut parts: Vec<PythonPart> = thread::scope(|scope| {
        let packing = large.each_ref().map(|bytes| scope.spawn(|| archives::gzip(bytes)));
        let packed = LARGE.iter().zip(packing).map(|(name, packed)| {
            let packed = packed.join().unwrap_or_else(|panic| resume_unwind(panic));
            ((*name).to_owned(), Cow::Owned(packed))
        });
        packed.collect()
    });
    for file in (embedded::python().files)() {
        let Some(name) = file.strip_suffix(PACKED) else { continue };
        let bytes = embedded::python().file(&file).with_context(missing)?;
        parts.push((name.to_owned(), bytes));
    }
    parts.sort();
    Ok(parts)
}

/// The same for whoever makes a report.
pub(crate) fn wanted() -> Result<Vec<PythonPart>, ProtocolError> {
    all().map_err(|error| ProtocolError::new(ErrorCode::BadRequest, format!("{error:#}")))
}
