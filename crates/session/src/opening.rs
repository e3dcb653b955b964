//! Reading the bytes of a document.

use std::io::{self, Read};
use std::sync::Arc;

use formats::{ReadError, ReadOptions};
use protocol::{ErrorCode, ProtocolError};

use crate::kinds::accesses::KnownArrays;
use crate::kinds::profile::ProfileSettings;
use crate::kinds::{Kind, OpenDocument};
use crate::slot::Slot;
use crate::{Call, Host, Input, Watch};

/// What documents are read with.
#[derive(Clone, Copy)]
pub(crate) struct ReadContext<'a> {
    pub(crate) host: &'a dyn Host,
    pub(crate) options: &'a ReadOptions,
    /// In the order in which they are asked.
    pub(crate) kinds: &'a [Kind],
    pub(crate) profiles: &'a ProfileSettings,
    /// Those of recorded accesses.
    pub(crate) arrays: &'a KnownArrays,
}

/// A document being read.
pub struct Opening<'a> {
    pub(crate) reading: ReadContext<'a>,
    pub(crate) options: ReadOptions,
    pub(crate) slot: &'a Slot,
    pub(crate) call: &'a dyn Call,
}

/// The bytes of a document.
#[derive(Clone)]
pub(crate) enum Bytes {
    /// The host has them under this name.
    Host(String),
    /// Uploaded.
    Held(Arc<Vec<u8>>),
    /// Made of what the host has under several names.
    Made(Recipe),
}

/// Makes a document of what the host has.
pub(crate) type Recipe =
    Arc<dyn Fn(&Opening<'_>) -> Result<Arc<dyn OpenDocument>, ProtocolError> + Send + Sync>;

impl Bytes {
    /// The bytes as one input; none where they are not one.
    pub(crate) fn input(&self, host: &dyn Host) -> Option<io::Result<Input>> {
        match self {
            Bytes::Host(name) => Some(host.open(name)),
            Bytes::Held(bytes) => {
                let size = bytes.len() as u64;
                let shared = io::Cursor::new(Shared(bytes.clone()));
                Some(Ok(Input::File(Box::new(shared), Some(size))))
            }
            Bytes::Made(_) => None,
        }
    }
}

struct Shared(Arc<Vec<u8>>);

impl AsRef<[u8]> for Shared {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Opening<'_> {
    /// What the document will be called.
    pub fn title(&self) -> &str {
        self.slot.title()
    }

    /// Limits.
    pub fn options(&self) -> &ReadOptions {
        &self.options
    }

    /// Sees what is read.
    pub fn watch(&self) -> &dyn Watch {
        self
    }

    /// What the host has under a name, which errors call `told`.
    pub(crate) fn open(&self, name: &str, told: &str) -> Result<Input, ProtocolError> {
        self.unpacked(self.reading.host.open(name), told)
    }

    fn unpacked(&self, input: io::Result<Input>, told: &str) -> Result<Input, ProtocolError> {
        let input = input.map_err(|error| {
            let message = format!("{told}: {}", ReadError::Io(error));
            ProtocolError::new(ErrorCode::Unreadable, message)
        })?;
        self.slot.expect_bytes(input.size().unwrap_or(0));
        Ok(input)
    }

    /// Reads a document of whichever kind it is.
    pub(crate) fn read(&self, bytes: &Bytes) -> Result<Arc<dyn OpenDocument>, ProtocolError> {
        let input = match bytes {
            Bytes::Made(recipe) => return recipe(self),
            one => one.input(self.reading.host).expect("what is not made is one input"),
        };
        let (input, head) = self.unpacked(input, self.title())?.peek();
        let kind = match self.options.from {
            // Formats are those of profiles, which are what is nothing else.
            Some(_) => self.reading.kinds.last(),
            None => self.reading.kinds.iter().find(|kind| (kind.recognises)(&head, self.title())),
        };
        let Some(kind) = kind else {
            let message = format!("{} is of no known kind", self.title());
            return Err(ProtocolError::new(ErrorCode::Unreadable, message));
        };
        (kind.read)(input, self)
    }
}

impl Watch for Opening<'_> {
    fn watch<'a>(&'a self, bytes: Box<dyn Read + Send + 'a>) -> Box<dyn Read + Send + 'a> {
        Box::new(Watched { bytes, slot: self.slot, call: self.call, reported: 0 })
    }
}

/// Counts bytes for those who wait, and stops when the one who started no longer does.
struct Watched<'a> {
    bytes: Box<dyn Read + Send + 'a>,
    slot: &'a Slot,
    call: &'a dyn Call,
    reported: u64,
}

/// Bytes between two reports.
const REPORT_EVERY: u64 = 1 << 20;

impl Read for Watched<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.bytes.read(out)?;
        let done = self.slot.count_bytes(count as u64);
        if done >= self.reported + REPORT_EVERY || count == 0 {
            self.reported = done;
            self.slot.tell_progress(self.call);
        }
        if self.slot.is_cancelled(self.call) {
            return Err(io::Error::new(io::ErrorKind::ConnectionAborted, "cancelled"));
        }
        Ok(count)
    }
}
