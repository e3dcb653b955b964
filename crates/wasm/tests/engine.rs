//! The engine of a page, asked as a worker asks it.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

mod page;

use std::path::PathBuf;

use page::{engine, files_below, upload};
use protocol::ErrorCode;
use serde_json::{Value, json};

fn file(path: &str) -> Vec<(Option<String>, PathBuf)> {
    vec![(None, samples::testdata(path))]
}

fn title(result: &Value) -> &str {
    result["title"].as_str().unwrap()
}

#[test]
fn a_file_is_opened_where_it_is() {
    let page = engine();
    page.hand(9, &file("collapsed/perf.collapsed"), None);
    let opened = page.result("upload", upload(9, "perf.collapsed")).unwrap();
    assert_eq!(opened["document"], 0);
    let size = samples::testdata("collapsed/perf.collapsed").metadata().unwrap().len();
    assert_eq!(opened["received"].as_f64(), Some(size as f64));
    let waited = page.result("wait", json!({ "document": 0 })).unwrap();
    assert_eq!(title(&waited), "perf.collapsed");
    let told = page.told();
    let progress = told.iter().any(|frame| {
        matches!(&frame.header, protocol::Header::Progress { progress, .. }
            if progress.done == size as f64 && progress.total == size as f64)
    });
    assert!(progress || told.is_empty(), "{told:?}");
    let summary = page.result("summary", json!({ "document": 0 })).unwrap();
    assert_eq!(title(&summary), "perf.collapsed");
    // The next one of that name is another one.
    page.hand(10, &file("collapsed/comments.collapsed"), None);
    assert_eq!(page.result("upload", upload(10, "perf.collapsed")).unwrap()["document"], 1);
    let documents = page.result("documents", json!({})).unwrap();
    assert_eq!(documents["session"], "a page");
    assert_eq!(documents["documents"].as_array().unwrap().len(), 2);
}

#[test]
fn a_folder_is_one_document_where_it_is_one_profile() {
    let page = engine();
    let open = |number: u32, folder: &str| {
        page.hand(number, &files_below(&samples::testdata(folder)), None);
        page.result("upload", upload(number, folder)).unwrap()["document"].clone()
    };
    assert_eq!(open(1, "runs"), Value::Null);
    let document = open(2, "hpctoolkit/database");
    let waited = page.result("wait", json!({ "document": document })).unwrap();
    assert_eq!(waited["state"]["shows"], "profile");
}

#[test]
fn what_cannot_be_read_says_why() {
    let page = engine();
    page.hand(1, &file("collapsed/perf.collapsed"), Some("it needs too much"));
    page.result("upload", upload(1, "p.collapsed")).unwrap();
    let refused = page.result("wait", json!({ "document": 0 })).unwrap_err();
    assert!(refused.message.contains("it needs too much"), "{refused:?}");
    // The file is not there any more.
    page.hand(2, &file("collapsed/perf.collapsed"), None);
    page.result("upload", upload(2, "p.collapsed")).unwrap();
    page.page.0.files.lock().unwrap()[1] = PathBuf::from("nowhere");
    let gone = page.result("wait", json!({ "document": 1 })).unwrap_err();
    assert_eq!(gone.code, ErrorCode::Unreadable);
}

#[test]
fn uploads_of_nothing_and_bytes_that_are_no_frame_are_errors() {
    let page = engine();
    let nothing = page.result("upload", upload(3, "p.collapsed")).unwrap_err();
    assert_eq!(nothing.code, ErrorCode::BadRequest);
    let answer = protocol::decode(&page.ask(b"HOTFRAME")).unwrap();
    assert!(matches!(answer.header, protocol::Header::Error { id: 0, .. }));
}
