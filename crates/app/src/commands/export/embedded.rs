//! What of a document stands in a report: its bytes, or the profile that this machine made of them.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context as _, Result};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use session::{Input, Profile, ProfileDocument, format_named};

use crate::host;

/// Formats whose reading needs more than a page has: files of this machine, or libraries.
const READ_HERE: [&str; 3] = ["perf-data", "parquet", "memray"];

/// Bytes of a document, packed.
pub(super) struct Embedded {
    /// What the document is called.
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
    /// Whether the page has to unpack them, for whoever reads them does not.
    pub(super) unpack: bool,
    /// Whether it takes the whole engine, and not that which a page begins with.
    pub(super) takes_whole: bool,
}

impl Embedded {
    /// A file as it is; `format` is that of a profile.
    pub(super) fn file(
        path: &Path,
        name: &str,
        unpack: bool,
        format: Option<&str>,
    ) -> Result<Embedded> {
        let cannot = || format!("cannot read {}", path.display());
        let bytes = fs::read(path).with_context(cannot)?;
        let is_archive = bytes.starts_with(b"PK\x03\x04");
        let is_packed =
            is_archive || matches!(bytes[..], [0x1f, 0x8b, ..] | [0x28, 0xb5, 0x2f, 0xfd, ..]);
        let name = name.to_owned();
        // An archive may hold whatever there is.
        let is_usual = format.and_then(format_named).is_some_and(|format| format.is_usual());
        let takes_whole = is_archive || !is_usual;
        if is_packed {
            return Ok(Embedded { name, bytes, unpack: false, takes_whole });
        }
        let mut packer = GzEncoder::new(vec![], Compression::best());
        packer.write_all(&bytes)?;
        Ok(Embedded { name, bytes: packer.finish()?, unpack, takes_whole })
    }

    /// A profile in the exchange format.
    pub(super) fn profile(profile: &Profile, name: &str) -> Result<Embedded> {
        let format = format_named("hotframe").context("the exchange format is not there")?;
        let mut packer = GzEncoder::new(vec![], Compression::best());
        for part in format.parts() {
            format.write_part(part, profile, &mut packer)?;
        }
        let name = name.to_owned();
        Ok(Embedded { name, bytes: packer.finish()?, unpack: false, takes_whole: false })
    }

    /// Writes them as an element of the page.
    pub(super) fn write(&self, id: &str, out: &mut dyn Write) -> Result<()> {
        write_part(id, &self.bytes, out)
    }
}

/// Writes bytes as an element of the page.
pub(super) fn write_part(id: &str, bytes: &[u8], out: &mut dyn Write) -> Result<()> {
    /// A multiple of 3, so that pieces join.
    const PIECE: usize = 3 << 16;
    write!(out, "<script type=\"text/plain\" id=\"{id}\">")?;
    for piece in bytes.chunks(PIECE) {
        out.write_all(STANDARD.encode(piece).as_bytes())?;
    }
    Ok(writeln!(out, "</script>")?)
}

/// Whether a page reads a profile from the bytes of its file as this machine does.
pub(super) fn is_read_anywhere(path: &Path, document: &ProfileDocument) -> bool {
    let is_stream = path.as_os_str() == "-";
    let is_file = !is_stream && matches!(host::open(path, u64::MAX), Ok(Input::File(..)));
    is_file && !READ_HERE.contains(&document.profile().origin.format.as_str())
}
