//! The list of what is open.

use std::sync::Arc;

use protocol::DocumentInfo;

use crate::kinds::profile::{numbered, short_names};
use crate::slot::Slot;

/// What is open, in the order of opening: titles tell documents from one another, names from those
/// of any other time.
pub(crate) fn listed(slots: &[Arc<Slot>]) -> Vec<DocumentInfo> {
    let open: Vec<_> = (0..)
        .zip(slots)
        .filter(|(_, slot)| slot.split_of().is_none())
        .filter_map(|(index, slot)| Some((index, slot, slot.state()?)))
        .collect();
    let files: Vec<String> =
        open.iter().filter_map(|(_, slot, _)| Some(slot.file_name()?.to_owned())).collect();
    let mut short = short_names(&files).into_iter();
    let titles = numbered(
        open.iter()
            .map(|(_, slot, _)| match slot.file_name().and_then(|_| short.next()) {
                Some(short) => short.to_owned(),
                None => slot.title().to_owned(),
            })
            .collect(),
    );
    let told = open.into_iter().zip(titles).map(|((document, slot, state), title)| DocumentInfo {
        document,
        title,
        name: slot.name().to_owned(),
        state,
        made_by: slot.made_by().cloned(),
    });
    told.collect()
}
