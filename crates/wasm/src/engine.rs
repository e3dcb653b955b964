//! The session of a page.

use std::sync::Arc;

use protocol::{
    Column, DecodeError, ErrorCode, Frame, Header, ProtocolError, Request, SessionRequest,
    UploadParams, UploadResult,
};
use session::{ReadOptions, Session, format_named};

use crate::call::PageCall;
use crate::handed::PageHost;
use crate::{Handed, Page};

/// Most unpacked bytes of a file: it is a stream, so that memory is what limits, and this is for
/// files that unpack without an end.
const MOST_UNPACKED: u64 = 64 << 30;

/// Most bytes of tables: what a module can address, but for what is not a table. Where it cannot grow so
/// far the worker ends, and is told to have needed too much.
const MOST_MEMORY: u64 = (4 << 30) - (192 << 20);

/// What to do about what a page cannot hold.
const OUTSIDE: &str = "A page has 4 GB of memory at most: open it with `hotframe open FILE`, which can use all memory of this machine.";

/// A session that answers one frame after the other.
pub struct Engine<P> {
    session: Session,
    host: Arc<PageHost<P>>,
}

impl<P: Page + 'static> Engine<P> {
    /// An engine with nothing open; `id` tells it from that of any other page.
    pub fn new(page: P, id: String) -> Engine<P> {
        let host = Arc::new(PageHost::new(Arc::new(page)));
        let options = ReadOptions {
            max_size: MOST_UNPACKED,
            max_memory: MOST_MEMORY as usize,
            ..ReadOptions::default()
        };
        let session = Session::new(Box::new(host.clone()), options).with_id(id);
        Engine { session, host }
    }

    /// Takes files that an upload without bytes will open.
    pub fn hand(&self, handed: Handed) {
        self.host.keep(handed);
    }

    /// Answers a frame; progress and the answer go to the page.
    pub fn take(&self, bytes: &[u8]) {
        let answer = match protocol::decode(bytes) {
            Ok(frame) => self.answer(frame),
            Err(error) => {
                let id = if let DecodeError::Header { id: Some(id), .. } = error { id } else { 0 };
                let error = ProtocolError::new(ErrorCode::BadRequest, error.to_string());
                Frame { header: Header::Error { id, error }, columns: vec![] }
            }
        };
        self.host.page.send(&protocol::encode(&answer));
    }

    fn answer(&self, frame: Frame) -> Frame {
        let id = match &frame.header {
            Header::Request { id, request } => {
                let opened = self.open_handed(request, &frame.columns);
                if let Some(result) = opened {
                    let result = serde_json::to_value(result).unwrap_or_default();
                    return Frame { header: Header::Response { id: *id, result }, columns: vec![] };
                }
                *id
            }
            _ => 0,
        };
        let call = PageCall::new(self.host.page.clone(), id);
        let mut answer = self.session.answer_frame(frame, &call);
        if let Header::Error { error, .. } = &mut answer.header
            && error.code == ErrorCode::Limit
        {
            error.hint = OUTSIDE.to_owned();
        }
        answer
    }

    /// Opens what was handed over, if the request is an upload that brings no bytes. A folder that is no
    /// one profile becomes no document: the page opens its files one by one.
    fn open_handed(&self, request: &Request, columns: &[Column]) -> Option<UploadResult> {
        let Request::Session(SessionRequest::Upload(params)) = request else { return None };
        let UploadParams { upload, name, format, .. } = params;
        let received = self.host.size(*upload).filter(|_| columns.is_empty())? as f64;
        let from = match format {
            Some(format) => Some(format_named(format).filter(|format| format.reads())?),
            None => None,
        };
        if !self.host.is_one(*upload) {
            return Some(UploadResult { received, document: None });
        }
        let document = self.session.add_as(name, &PageHost::<P>::name(*upload), from);
        Some(UploadResult { received, document: Some(document) })
    }
}
