//! The engine of a page, asked as a worker asks it.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

mod page;

use std::path::PathBuf;

use page::{Opened, engine, files_below, request, upload};
use protocol::{ErrorCode, Frame, Header, ProtocolError};
use serde_json::{Value, json};

fn file(path: &str) -> Vec<(Option<String>, PathBuf)> {
    vec![(None, samples::testdata(path))]
}

/// The result of a method.
fn result(page: &Opened, method: &str, params: Value) -> Result<Value, ProtocolError> {
    let answer = protocol::decode(&page.ask(&request(7, method, params))).unwrap();
    match answer.header {
        Header::Response { id: 7, result } => Ok(result),
        Header::Error { id: 7, error } => Err(error),
        other => panic!("{other:?}"),
    }
}

/// What was told on the way to the last answer.
fn progress_frames(page: &Opened) -> Vec<Frame> {
    let frames = page.page.0.frames.lock().unwrap();
    frames.iter().map(|frame| protocol::decode(frame).unwrap()).collect()
}

fn title(result: &Value) -> &str {
    result["title"].as_str().unwrap()
}

#[test]
fn a_file_is_opened_where_it_is() {
    let page = engine();
    page.hand(9, &file("collapsed/perf.collapsed"), None);
    let opened = result(&page, "upload", upload(9, "perf.collapsed")).unwrap();
    assert_eq!(opened["document"], 0);
    let size = samples::testdata("collapsed/perf.collapsed").metadata().unwrap().len();
    assert_eq!(opened["received"].as_f64(), Some(size as f64));
    let waited = result(&page, "wait", json!({ "document": 0 })).unwrap();
    assert_eq!(title(&waited), "perf.collapsed");
    let progress_frames = progress_frames(&page);
    let is_whole = |frame: &Frame| {
        matches!(&frame.header, Header::Progress { progress, .. }
            if progress.done == size as f64 && progress.total == size as f64)
    };
    assert!(progress_frames.iter().any(is_whole), "{progress_frames:?}");
    let summary = result(&page, "summary", json!({ "document": 0 })).unwrap();
    assert_eq!(title(&summary), "perf.collapsed");
    // The next one of that name is another one.
    page.hand(10, &file("collapsed/comments.collapsed"), None);
    assert_eq!(result(&page, "upload", upload(10, "perf.collapsed")).unwrap()["document"], 1);
    let documents = result(&page, "documents", json!({})).unwrap();
    assert_eq!(documents["session"], "a page");
    assert_eq!(documents["documents"].as_array().unwrap().len(), 2);
}

#[test]
fn a_folder_is_one_document_where_it_is_one_profile() {
    let page = engine();
    let open = |number: u32, folder: &str| {
        page.hand(number, &files_below(&samples::testdata(folder)), None);
        result(&page, "upload", upload(number, folder)).unwrap()["document"].clone()
    };
    assert_eq!(open(1, "runs"), Value::Null);
    let document = open(2, "hpctoolkit/database");
    let waited = result(&page, "wait", json!({ "document": document })).unwrap();
    assert_eq!(waited["state"]["shows"], "profile");
}

#[test]
fn what_cannot_be_read_says_why() {
    let page = engine();
    page.hand(1, &file("collapsed/perf.collapsed"), Some("it needs too much"));
    result(&page, "upload", upload(1, "p.collapsed")).unwrap();
    let refused = result(&page, "wait", json!({ "document": 0 })).unwrap_err();
    assert!(refused.message.contains("it needs too much"), "{refused:?}");
    // The file is not there any more.
    page.hand(2, &file("collapsed/perf.collapsed"), None);
    result(&page, "upload", upload(2, "p.collapsed")).unwrap();
    page.page.0.files.lock().unwrap()[1] = PathBuf::from("nowhere");
    let gone = result(&page, "wait", json!({ "document": 1 })).unwrap_err();
    assert_eq!(gone.code, ErrorCode::Unreadable);
}

#[test]
fn uploads_of_nothing_and_bytes_that_are_no_frame_are_errors() {
    let page = engine();
    let nothing = result(&page, "upload", upload(3, "p.collapsed")).unwrap_err();
    assert_eq!(nothing.code, ErrorCode::BadRequest);
    let answer = protocol::decode(&page.ask(b"HOTFRAME")).unwrap();
    assert!(matches!(answer.header, Header::Error { id: 0, .. }));
}
