//! The same bytes raw and compressed.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::protobuf::Message;

/// Writes the same bytes raw and compressed, at gzip's usual level.
pub(super) struct Both {
    raw: BufWriter<File>,
    zipped: BufWriter<GzEncoder<File>>,
}

impl Both {
    pub(super) fn create(raw: &Path, zipped: &Path) -> io::Result<Self> {
        const BUFFER: usize = 256 * 1024;
        let encoder = GzEncoder::new(File::create(zipped)?, Compression::new(6));
        Ok(Self {
            raw: BufWriter::with_capacity(BUFFER, File::create(raw)?),
            zipped: BufWriter::with_capacity(BUFFER, encoder),
        })
    }

    pub(super) fn write(&mut self, message: &Message) -> io::Result<()> {
        self.raw.write_all(message.bytes())?;
        self.zipped.write_all(message.bytes())
    }

    pub(super) fn finish(self) -> io::Result<()> {
        self.raw.into_inner()?;
        self.zipped.into_inner()?.finish()?;
        Ok(())
    }
}
