//! The formats of all tracepoints of a recording.

use std::collections::BTreeMap;

use super::format::Format;
use crate::bytes::{ByteOrder, Bytes, lossy};

/// Formats of tracepoints, and names of the kernel, as `trace-cmd` lays them out.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TracingData {
    /// Byte order of raw bytes.
    pub order: ByteOrder,
    /// Formats by the number of the tracepoint.
    pub formats: BTreeMap<u64, Format>,
    /// Formats that could not be understood.
    pub damaged: u64,
    /// The kernel's symbols: `/proc/kallsyms`, as much as was stored.
    pub kernel_symbols: String,
}

const MAGIC: &[u8] = b"\x17\x08\x44tracing";

impl TracingData {
    /// The data in `bytes`; none if they do not start as such data do. What is cut short ends it.
    pub fn parse(bytes: &[u8]) -> Option<TracingData> {
        let rest = bytes.strip_prefix(MAGIC)?;
        let mut bytes = Bytes::new(rest, ByteOrder::Little);
        let _version = bytes.text();
        let order = match bytes.u8()? {
            0 => ByteOrder::Little,
            _ => ByteOrder::Big,
        };
        let mut bytes = Bytes::new(bytes.rest(), order);
        let (_long_size, _page_size) = (bytes.u8()?, bytes.u32()?);
        let mut data = TracingData { order, ..TracingData::default() };
        data.parse_parts(&mut bytes);
        Some(data)
    }

    fn parse_parts(&mut self, bytes: &mut Bytes<'_>) -> Option<()> {
        for _ in ["header_page", "header_event"] {
            let _name = bytes.text();
            let size = bytes.u64()?;
            bytes.take_u64(size)?;
        }
        for _ in 0..bytes.u32()? {
            self.format("ftrace", bytes)?;
        }
        for _ in 0..bytes.u32()? {
            let system = lossy(bytes.text());
            for _ in 0..bytes.u32()? {
                self.format(&system, bytes)?;
            }
        }
        let size = bytes.u32()?;
        self.kernel_symbols = lossy(bytes.take(size as usize)?);
        Some(())
    }

    fn format(&mut self, system: &str, bytes: &mut Bytes<'_>) -> Option<()> {
        let size = bytes.u64()?;
        let text = lossy(bytes.take_u64(size)?);
        match Format::parse(system, &text) {
            Some(format) => drop(self.formats.insert(format.id, format)),
            None => self.damaged += 1,
        }
        Some(())
    }
}
