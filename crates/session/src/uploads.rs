//! Files that arrive from the page in pieces.

use std::collections::HashMap;

use formats::ReadOptions;
use protocol::{Column, ColumnData, ErrorCode, ProtocolError, UploadParams, UploadResult};

/// Files that are not complete.
#[derive(Default)]
pub(crate) struct Uploads {
    open: HashMap<u32, Vec<u8>>,
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
    ) -> Result<(UploadResult, Option<(String, Vec<u8>)>), ProtocolError> {
        let bad = |message: &str| ProtocolError::new(ErrorCode::BadRequest, message);
        let piece = columns.into_iter().find(|column| column.name == "bytes");
        let Some(Column { data: ColumnData::U8(piece), .. }) = piece else {
            return Err(bad("an upload needs a column of bytes"));
        };
        if params.offset == 0.0 {
            if self.open.len() >= MOST_UPLOADS {
                self.open.clear();
            }
            self.open.insert(params.upload, vec![]);
        }
        let Some(held) = self.open.get_mut(&params.upload) else {
            return Err(bad("the upload did not start at its first byte"));
        };
        if held.len() as f64 != params.offset {
            self.open.remove(&params.upload);
            return Err(bad("a piece of the upload is missing"));
        }
        if (held.len() + piece.len()) as u64 > options.max_size {
            self.open.remove(&params.upload);
            let message = format!("{} is larger than the limit for uploads", params.name);
            return Err(ProtocolError::new(ErrorCode::Limit, message)
                .with_hint("Open it from the command line with a larger --max-size."));
        }
        held.extend_from_slice(&piece);
        let result = UploadResult { received: held.len() as f64, document: None };
        let complete = match params.last {
            true => self.open.remove(&params.upload).map(|bytes| (params.name, bytes)),
            false => None,
        };
        Ok((result, complete))
    }
}
