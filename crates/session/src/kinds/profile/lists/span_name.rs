//! The name of spans.

use protocol::{RowFinds, RowName};

/// The name of spans, as rows show it.
pub(super) fn span_name(name: &str, file: &str, is_asynchronous: bool, colours: u32) -> RowName {
    RowName {
        text: if name.is_empty() { "[no frame]".to_owned() } else { name.to_owned() },
        file: file.to_owned(),
        remark: if is_asynchronous { "asynchronous".to_owned() } else { String::new() },
        colours: Some(colours),
        finds: Some(RowFinds::Spans(name.to_owned())),
        ..RowName::default()
    }
}
