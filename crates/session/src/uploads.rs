//! Files that arrive from the page in pieces.

use std::collections::HashMap;

use formats::ReadOptions;
use protocol::{Column, ColumnData, ErrorCode, ProtocolError, UploadParams, UploadResult};

use crate::Call;

/// Files that are not complete.
#[derive(Default)]
pub(crate) struct Uploads {
    /// By page and its own number.
    open: HashMap<(u64, u32), Vec<u8>>,
}

/// Files that may be under way at once.
const MOST_UPLOADS: usize = 16;

impl Uploads {
    /// Takes a piece; the name and bytes of the file when it was the last.
    pub(crate) fn take(
        &mut self,
        params: UploadParams,
        columns: Vec<Column>,
        options: &ReadOptions,
        call: &dyn Call,
    ) -> Result<(UploadResult, Option<(String, Vec<u8>)>), ProtocolError> {
        let bad = |message: &str| ProtocolError::new(ErrorCode::BadRequest, message);
        let piece = columns.into_iter().find(|column| column.name == "bytes");
        let Some(Column { data: ColumnData::U8(piece), .. }) = piece else {
            return Err(bad("an upload needs a column of bytes"));
        };
        // The page may have gone while this piece waited: what it begins now nobody would end.
        if call.is_cancelled() {
            return Err(ProtocolError::new(ErrorCode::Cancelled, "the upload was cancelled"));
        }
        let key = (call.caller(), params.upload);
        if params.offset == 0.0 {
            if self.open.len() >= MOST_UPLOADS {
                return Err(ProtocolError::new(ErrorCode::Limit, "too many uploads are under way"));
            }
            self.open.insert(key, vec![]);
        }
        let held_by_all: usize = self.open.values().map(Vec::len).sum();
        let Some(held) = self.open.get_mut(&key) else {
            return Err(bad("the upload did not start at its first byte"));
        };
        if held.len() as f64 != params.offset {
            self.open.remove(&key);
            return Err(bad("a piece of the upload is missing"));
        }
        let is_larger = (held.len() + piece.len()) as u64 > options.max_size;
        if is_larger || held_by_all + piece.len() > options.max_memory {
            let held = held_by_all - held.len();
            self.open.remove(&key);
            let error = if is_larger {
                options.too_large("an upload")
            } else {
                ReadOptions { held, ..options.clone() }.out_of_memory("an upload")
            };
            return Err(ProtocolError::new(ErrorCode::Limit, format!("{}: {error}", params.name))
                .with_hint("Open it from the command line, where a larger limit can be given."));
        }
        held.extend_from_slice(&piece);
        let result = UploadResult { received: held.len() as f64, document: None };
        let complete = if params.last {
            self.open.remove(&key).map(|bytes| (params.name, bytes))
        } else {
            None
        };
        Ok((result, complete))
    }

    /// Frees the uploads of a page that is gone.
    pub(crate) fn forget(&mut self, caller: u64) {
        self.open.retain(|&(page, _), _| page != caller);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Page {
        number: u64,
        is_gone: bool,
    }

    impl Call for Page {
        fn progress(&self, _: protocol::Progress) {}

        fn is_cancelled(&self) -> bool {
            self.is_gone
        }

        fn caller(&self) -> u64 {
            self.number
        }
    }

    fn piece(
        uploads: &mut Uploads,
        offset: f64,
        last: bool,
        page: &Page,
    ) -> Result<bool, ErrorCode> {
        let params =
            UploadParams { upload: 1, name: "a.pb".to_owned(), offset, last, format: None };
        let bytes = Column { name: "bytes".to_owned(), data: ColumnData::U8(vec![7; 1000]) };
        let options = ReadOptions { max_memory: 2500, ..ReadOptions::default() };
        let taken = uploads.take(params, vec![bytes], &options, page);
        taken.map(|(_, complete)| complete.is_some()).map_err(|error| error.code)
    }

    #[test]
    fn what_a_page_does_not_end_is_freed_with_it() {
        let mut uploads = Uploads::default();
        let page = |number| Page { number, is_gone: false };
        assert_eq!(piece(&mut uploads, 0.0, false, &page(1)), Ok(false));
        assert_eq!(piece(&mut uploads, 0.0, false, &page(2)), Ok(false));
        uploads.forget(1);
        assert_eq!(uploads.open.len(), 1);
        // A piece that was waiting when its page went.
        let gone = Page { number: 1, is_gone: true };
        assert_eq!(piece(&mut uploads, 0.0, false, &gone), Err(ErrorCode::Cancelled));
        assert_eq!(uploads.open.len(), 1);
        assert_eq!(piece(&mut uploads, 1000.0, true, &page(2)), Ok(true));
        assert!(uploads.open.is_empty());
    }

    #[test]
    fn all_uploads_together_keep_the_limit() {
        let mut uploads = Uploads::default();
        let page = |number| Page { number, is_gone: false };
        assert_eq!(piece(&mut uploads, 0.0, false, &page(1)), Ok(false));
        assert_eq!(piece(&mut uploads, 0.0, false, &page(2)), Ok(false));
        assert_eq!(piece(&mut uploads, 1000.0, false, &page(1)), Err(ErrorCode::Limit));
    }
}
