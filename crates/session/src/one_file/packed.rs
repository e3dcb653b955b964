//! Bytes of documents in a report: packed, as base64 in elements of the page.

use std::io::{self, Read, Write};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use formats::{Format, format_named};
use profile::Profile;
use protocol::{ErrorCode, Progress, ProtocolError};

use crate::Call;

/// Bytes that are read at once.
const READ_AT_ONCE: usize = 1 << 20;
/// Bytes that are written at once: a multiple of 3, so that pieces of base64 join.
const WRITTEN_AT_ONCE: usize = 3 << 16;

/// A document as a report has it.
pub(super) struct Packed {
    /// What it is called.
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
    /// The format that it is in, where that is told and not recognised.
    pub(super) from: Option<&'static str>,
    /// Whether the page has to unpack them, for whoever reads them does not.
    pub(super) unpack: bool,
    /// Whether it takes the whole engine, and not that which a page begins with.
    pub(super) takes_whole: bool,
}

/// What of a file is known before it is packed.
pub(super) struct OfFile {
    pub(super) name: String,
    /// How many bytes it has, if that is known.
    pub(super) size: Option<u64>,
    /// Its format, where it is a profile.
    pub(super) format: Option<&'static Format>,
    /// Whether somebody told the format.
    pub(super) is_told: bool,
}

impl Packed {
    /// A file as it is.
    pub(super) fn file(
        mut file: impl Read,
        OfFile { name, size, format, is_told }: OfFile,
        call: &dyn Call,
    ) -> Result<Packed, ProtocolError> {
        let failed = |error: io::Error| {
            let message = format!("{name} cannot be read again: {error}");
            ProtocolError::new(ErrorCode::Unreadable, message)
        };
        let mut head = vec![];
        file.by_ref().take(4).read_to_end(&mut head).map_err(failed)?;
        let is_archive = head == b"PK\x03\x04";
        let is_packed =
            is_archive || matches!(head[..], [0x1f, 0x8b, ..] | [0x28, 0xb5, 0x2f, 0xfd]);
        // An archive may hold whatever there is.
        let takes_whole = is_archive || !format.is_some_and(Format::is_usual);
        let mut bytes = vec![];
        if is_packed {
            copy(&head, file, size, &mut bytes, call).map_err(failed)?;
        } else {
            let mut packer = GzEncoder::new(&mut bytes, Compression::best());
            copy(&head, file, size, &mut packer, call).map_err(failed)?;
            packer.finish().map_err(failed)?;
        }
        // Whoever reads a profile unpacks it.
        let unpack = !is_packed && format.is_none();
        let from = format.filter(|_| is_told).map(|format| format.name);
        Ok(Packed { name, bytes, from, unpack, takes_whole })
    }

    /// A profile in the exchange format.
    pub(super) fn profile(profile: &Profile, name: String) -> Result<Packed, ProtocolError> {
        let failed = |error: &dyn std::fmt::Display| {
            let message = format!("{name} cannot be written: {error}");
            ProtocolError::new(ErrorCode::BadRequest, message)
        };
        let format =
            format_named("hotframe").ok_or_else(|| failed(&"its format is not built in"))?;
        let mut packer = GzEncoder::new(vec![], Compression::best());
        for part in format.parts() {
            format.write_part(part, profile, &mut packer).map_err(|error| failed(&error))?;
        }
        let bytes = packer.finish().map_err(|error| failed(&error))?;
        Ok(Packed { name, bytes, from: None, unpack: false, takes_whole: false })
    }
}

/// Copies a file that begins with `head`; tells the call how far that is.
fn copy(
    head: &[u8],
    mut file: impl Read,
    size: Option<u64>,
    out: &mut dyn Write,
    call: &dyn Call,
) -> io::Result<()> {
    out.write_all(head)?;
    let mut done = head.len() as u64;
    let mut piece = vec![0; READ_AT_ONCE];
    loop {
        if call.is_cancelled() {
            return Err(io::Error::new(io::ErrorKind::ConnectionAborted, "cancelled"));
        }
        let count = match file.read(&mut piece) {
            Ok(0) => return Ok(()),
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        out.write_all(&piece[..count])?;
        done += count as u64;
        let (done, total) = (done as f64, size.unwrap_or(0) as f64);
        call.progress(Progress { phase: "packing".to_owned(), done, total });
    }
}

/// Writes bytes as an element of the page.
pub(super) fn write_element(id: &str, bytes: &[u8], out: &mut dyn Write) -> io::Result<()> {
    write!(out, "<script type=\"text/plain\" id=\"{id}\">")?;
    for piece in bytes.chunks(WRITTEN_AT_ONCE) {
        out.write_all(STANDARD.encode(piece).as_bytes())?;
    }
    writeln!(out, "</script>")
}
