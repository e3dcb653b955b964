//! Accesses: of loops that are open, of parts of dataflow graphs, and of recordings; one answer a method on
//! them.

mod elements;
mod loops;
mod methods;
mod part;
mod recorded;
mod run;
mod search;
mod sizes;

use std::io::Read;
use std::sync::Arc;

use protocol::{ErrorCode, ProtocolError};
use scop::{Limits, Scop};

pub use loops::{Accesses, Loops, LoopsError, Origin, Setting};
pub(crate) use methods::AccessesCall;
pub(crate) use recorded::KIND as RECORDED;
pub use recorded::{KnownArrays, KnownEntry, RecordedDocument, recorded_accesses, seen_notes};
pub(crate) use run::caches as caches_of;

use super::{Kind, KindOf, OpenDocument};
use crate::Input;
use crate::kept::Kept;
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
    title: String,
    loops: Scop,
    kept: Kept,
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
