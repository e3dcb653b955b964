//! What a page does: requests, answers and their columns.

use std::collections::HashMap;
use std::net::TcpStream;

use protocol::*;
use serde::de::DeserializeOwned;
use tungstenite::{Message, WebSocket};

/// What a page does.
pub(super) struct Page {
    pub(super) socket: WebSocket<TcpStream>,
    pub(super) last_id: u32,
}

/// The columns of an answer.
pub(super) struct Numbers(HashMap<String, ColumnData>);

impl Numbers {
    pub(super) fn u32(&self, name: &str) -> &[u32] {
        match &self.0[name] {
            ColumnData::U32(values) => values,
            other => panic!("{name} is {other:?}"),
        }
    }

    pub(super) fn i64(&self, name: &str) -> &[i64] {
        match &self.0[name] {
            ColumnData::I64(values) => values,
            other => panic!("{name} is {other:?}"),
        }
    }

    pub(super) fn f64(&self, name: &str) -> &[f64] {
        match &self.0[name] {
            ColumnData::F64(values) => values,
            other => panic!("{name} is {other:?}"),
        }
    }
}

impl Page {
    pub(super) fn send(&mut self, header: Header, columns: Vec<Column>) {
        let bytes = encode(&Frame { header, columns });
        self.socket.send(Message::binary(bytes)).unwrap();
    }

    fn receive(&mut self) -> Frame {
        loop {
            match self.socket.read().unwrap() {
                Message::Binary(bytes) => return decode(&bytes).unwrap(),
                Message::Ping(_) | Message::Pong(_) => {}
                other => panic!("{other:?} is not a frame"),
            }
        }
    }

    pub(super) fn ask(&mut self, request: impl Into<Request>, columns: Vec<Column>) -> u32 {
        let request = request.into();
        self.last_id += 1;
        self.send(Header::Request { id: self.last_id, request }, columns);
        self.last_id
    }

    /// The next frame that is not progress, with its request's number.
    pub(super) fn answer(&mut self) -> (u32, Result<(serde_json::Value, Numbers), ProtocolError>) {
        loop {
            let frame = self.receive();
            match frame.header {
                Header::Progress { .. } => {}
                Header::Error { id, error } => return (id, Err(error)),
                Header::Response { id, result } => {
                    let columns = frame.columns.into_iter();
                    let numbers = Numbers(columns.map(|c| (c.name, c.data)).collect());
                    return (id, Ok((result, numbers)));
                }
                other => panic!("{other:?} is not an answer"),
            }
        }
    }

    pub(super) fn try_call<T: DeserializeOwned>(
        &mut self,
        request: impl Into<Request>,
        columns: Vec<Column>,
    ) -> Result<(T, Numbers), ProtocolError> {
        let asked = self.ask(request, columns);
        let (id, answer) = self.answer();
        assert_eq!(id, asked, "an answer to another request");
        answer.map(|(result, numbers)| (serde_json::from_value(result).unwrap(), numbers))
    }

    pub(super) fn call<T: DeserializeOwned>(
        &mut self,
        request: impl Into<Request>,
    ) -> (T, Numbers) {
        self.try_call(request, vec![]).unwrap()
    }

    /// The error code of a request that must fail.
    pub(super) fn refused(&mut self, request: impl Into<Request>) -> ErrorCode {
        let request = request.into();
        let answer = self.try_call::<serde_json::Value>(request.clone(), vec![]);
        match answer {
            Ok((result, _)) => panic!("{request:?} was answered: {result}"),
            Err(error) => {
                assert!(!error.message.is_empty());
                error.code
            }
        }
    }

    pub(super) fn documents(&mut self) -> Vec<DocumentInfo> {
        self.call::<DocumentsResult>(SessionRequest::Documents(NoParams {})).0.documents
    }

    pub(super) fn summary(&mut self, document: u32) -> (SummaryResult, Numbers) {
        self.call(ProfileRequest::Summary(DocumentParams { document }))
    }

    pub(super) fn upload(&mut self, upload: u32, name: &str, pieces: &[&[u8]]) -> u32 {
        let mut offset = 0;
        for (index, piece) in pieces.iter().enumerate() {
            let last = index + 1 == pieces.len();
            let params = UploadParams {
                upload,
                name: name.to_owned(),
                offset: offset as f64,
                last,
                format: None,
            };
            let data = ColumnData::U8(piece.to_vec());
            let columns = vec![Column { name: "bytes".to_owned(), data }];
            let (result, _) =
                self.try_call::<UploadResult>(SessionRequest::Upload(params), columns).unwrap();
            offset += piece.len();
            assert_eq!(result.received, offset as f64);
            assert_eq!(result.document.is_some(), last);
            if let Some(document) = result.document {
                return document;
            }
        }
        panic!("an upload without pieces");
    }
}

pub(super) fn view(document: u32) -> ViewSpec {
    ViewSpec {
        document,
        metric: 0,
        shape: Shape::TopDown {},
        granularity: Granularity::Function,
        filters: vec![],
        order: Order::Value,
        collapse_recursion: protocol::Collapse::None,
        role: None,
    }
}

pub(super) fn filtered(kind: FilterKind, pattern: &str) -> ViewSpec {
    ViewSpec { filters: vec![Filter { kind, pattern: pattern.to_owned() }], ..view(0) }
}

pub(super) fn flame(view: ViewSpec) -> FlameParams {
    FlameParams {
        view,
        instance: None,
        root: 0,
        from: 0.0,
        to: 1.0,
        width: 1_000.0,
        first_row: 0,
        rows: 1_000,
        search: String::new(),
        labels: LabelBy::Function,
    }
}

pub(super) fn rows(view: ViewSpec) -> RowsParams {
    RowsParams {
        view,
        instance: None,
        root: 0,
        expanded: vec![],
        sort: Sort { by: SortBy::TotalValue, metric: 0, reverse: false },
        filter: String::new(),
        first: 0,
        count: 10_000,
    }
}
