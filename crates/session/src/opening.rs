//! Documents that are opened of others: in another format, with other members.

use std::sync::Arc;

use analysis::MembersBy;
use formats::{FORMATS, Format, format_named};
use protocol::{
    ErrorCode, FormatInfo, FormatsResult, OpenedResult, ProtocolError, ReadAsParams,
    SplitMembersParams,
};

use crate::load::Slot;
use crate::{Answer, Call, Session, lock};

/// The formats that open.
pub(crate) fn formats() -> FormatsResult {
    let formats = FORMATS.iter().map(|format| FormatInfo {
        name: format.name.to_owned(),
        title: format.title.to_owned(),
        extensions: format.extensions.iter().map(|&e| e.to_owned()).collect(),
        reads: format.reads(),
        writes: format.writes(),
    });
    FormatsResult { formats: formats.collect() }
}

/// The format of a name, if it is read.
pub(crate) fn read_format(name: &str) -> Result<&'static Format, ProtocolError> {
    format_named(name).filter(|format| format.reads()).ok_or_else(|| {
        let message = format!("no format that is read is called {}", profile::visible(name));
        ProtocolError::new(ErrorCode::BadRequest, message)
            .with_hint("`hotframe formats` lists them.")
    })
}

impl Session {
    pub(crate) fn read_as(&self, params: &ReadAsParams) -> Result<Answer, ProtocolError> {
        let from = read_format(&params.format)?;
        let again = self.slot(params.document)?.read_again(from)?;
        Ok(Answer::new(OpenedResult { document: self.add_slot(again) }))
    }

    pub(crate) fn split_members(
        &self,
        params: &SplitMembersParams,
        call: &dyn Call,
    ) -> Result<Answer, ProtocolError> {
        let of = params.document;
        let by: MembersBy = params.by.parse().unwrap_or_else(|never| match never {});
        let whole = self.ready(of, call)?;
        let argument = by.argument();
        if let Some(document) = self.known_split(of, &argument) {
            return Ok(Answer::new(OpenedResult { document }));
        }
        let split = whole.split_members(&by)?;
        let held: usize = {
            let slots = lock(&self.slots);
            slots
                .iter()
                .filter(|slot| slot.split_of().is_some())
                .map(|slot| slot.heap_bytes())
                .sum()
        };
        if held + split.profile().heap_bytes() > self.options.max_memory {
            let message = "profiles with other members take more memory than they may";
            return Err(ProtocolError::new(ErrorCode::Limit, message).with_hint(
                "Close documents that are not needed, or start with a larger --max-memory.",
            ));
        }
        let document = self.add_slot(Slot::split(Arc::new(split), of, argument));
        Ok(Answer::new(OpenedResult { document }))
    }

    /// The open document with the wanted members.
    fn known_split(&self, of: u32, by: &str) -> Option<u32> {
        let slots = lock(&self.slots);
        let known = slots
            .iter()
            .position(|slot| slot.split_of() == Some((of, by)) && slot.state().is_some());
        known.map(|document| document as u32)
    }

    /// Closes what was made of a document by giving it other members.
    pub(crate) fn close_splits(&self, of: u32) {
        for slot in lock(&self.slots).iter() {
            if slot.split_of().is_some_and(|(whole, _)| whole == of) {
                slot.close();
            }
        }
    }
}
