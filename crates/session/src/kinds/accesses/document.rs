//! Loops of C as a document.

use std::io::Read;
use std::sync::Arc;

use protocol::{ErrorCode, ProtocolError};
use scop::{Limits, Scop};

use crate::Input;
use crate::kept::Kept;
use crate::kinds::{Kind, KindOf, OpenDocument};
use crate::opening::Opening;

/// Loops of C, as Polly exports them.
pub(crate) const KIND: Kind = Kind {
    name: "accesses",
    noun: "loop nest",
    recognises: |head, _| scop::is_scop(head),
    read: |input, opening| Ok(Arc::new(LoopsDocument::read(input, opening)?)),
};

/// Open loops.
#[derive(Debug)]
pub struct LoopsDocument {
    pub(super) title: String,
    pub(super) loops: Scop,
    pub(super) kept: Kept,
}

impl OpenDocument for LoopsDocument {
    fn kind(&self) -> &'static Kind {
        &KIND
    }

    fn title(&self) -> &str {
        &self.title
    }
}

impl KindOf for LoopsDocument {
    const KIND: Kind = KIND;
}

impl LoopsDocument {
    fn read(input: Input, opening: &Opening<'_>) -> Result<LoopsDocument, ProtocolError> {
        let title = opening.title().to_owned();
        let unreadable =
            |why: String| ProtocolError::new(ErrorCode::Unreadable, format!("{title}: {why}"));
        let Input::File(bytes, _) = input else {
            return Err(unreadable("it is a folder, and loops are a file".to_owned()));
        };
        let limits = Limits::default();
        let mut text = vec![];
        opening
            .watch()
            .watch(bytes)
            .take((limits.max_size as u64).saturating_add(1))
            .read_to_end(&mut text)
            .map_err(|error| unreadable(error.to_string()))?;
        let loops = scop::read(&text, &limits).map_err(|error| unreadable(error.to_string()))?;
        Ok(LoopsDocument { title, loops, kept: Kept::default() })
    }
}
