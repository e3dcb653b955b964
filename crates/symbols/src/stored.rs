//! Sections of which only small parts are needed: they stay in the file.

use std::sync::Arc;

use crate::elf::read;
use crate::files::FileBytes;

/// The longest text: names of templates are long.
const MAX_TEXT: u64 = 1 << 20;
/// How much is read for a text at first.
const FIRST: u64 = 256;

/// The bytes of a section, wherever they are.
#[derive(Clone)]
pub(crate) enum Stored {
    /// In the file, from `offset` on.
    InFile { file: Arc<dyn FileBytes>, offset: u64, size: u64 },
    /// In memory, since they were packed in the file.
    Unpacked(Arc<[u8]>),
}

impl Stored {
    /// How many there are.
    pub(crate) fn len(&self) -> u64 {
        match self {
            Self::InFile { size, .. } => *size,
            Self::Unpacked(bytes) => bytes.len() as u64,
        }
    }

    /// So many from `at` on; none if there are fewer.
    pub(crate) fn bytes(&self, at: u64, size: u64) -> Option<Arc<[u8]>> {
        let end = at.checked_add(size).filter(|end| *end <= self.len())?;
        match self {
            Self::InFile { file, offset, .. } => read(&**file, offset.checked_add(at)?, size),
            Self::Unpacked(bytes) => {
                bytes.get(usize::try_from(at).ok()?..usize::try_from(end).ok()?).map(Arc::from)
            }
        }
    }

    /// The text from `at` to the next NUL.
    pub(crate) fn text(&self, at: u64) -> Option<Vec<u8>> {
        let left = self.len().checked_sub(at)?;
        let mut size = FIRST;
        loop {
            let bytes = self.bytes(at, size.min(left))?;
            if let Some(end) = bytes.iter().position(|byte| *byte == 0) {
                return Some(bytes[..end].to_vec());
            }
            if size >= left.min(MAX_TEXT) {
                return None;
            }
            size *= 4;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_end_at_a_nul_and_nowhere_else() {
        let mut bytes = vec![b'a'; 700];
        bytes.extend(b"\0bc\0open");
        let in_file = Stored::InFile { file: Arc::new(bytes.clone()), offset: 0, size: 708 };
        let short = Stored::InFile { file: Arc::new(bytes.clone()), offset: 0, size: 600 };
        for stored in [in_file, Stored::Unpacked(bytes.into())] {
            assert_eq!(stored.text(0).map(|text| text.len()), Some(700));
            assert_eq!(stored.text(700), Some(vec![]));
            assert_eq!(stored.text(701), Some(b"bc".to_vec()));
            assert_eq!([704, 708, 709].map(|at| stored.text(at)), [None, None, None]);
        }
        assert_eq!(short.text(0), None);
    }
}
