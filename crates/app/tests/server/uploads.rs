//! Files that a page sends.

use protocol::*;

use super::page::{flame, view};
use super::{Server, cpu, sample};

#[test]
fn an_upload_in_pieces_opens_like_the_file() {
    let path = sample("pprof/labels.pb.gz");
    let server = Server::start(&[path.clone(), sample("pprof/cpu.pb.gz")]);
    let mut page = server.page();
    let bytes = std::fs::read(path).unwrap();
    let (first, second) = bytes.split_at(bytes.len() / 3);
    let document = page.upload(5, "dropped.pb.gz", &[first, second]);
    assert_eq!(document, 2);
    let (dropped, totals) = page.summary(document);
    let (opened, known) = page.summary(0);
    assert_eq!(dropped.title, "dropped.pb.gz");
    let same = SummaryResult { title: opened.title.clone(), opened_s: opened.opened_s, ..dropped };
    assert_eq!(same, opened);
    assert_eq!(totals.i64("total"), known.i64("total"));
    let (_, boxes) = page.call::<FlameResult>(ProfileRequest::Flame(flame(view(document))));
    let (_, others) = page.call::<FlameResult>(ProfileRequest::Flame(flame(view(0))));
    assert_eq!(boxes.f64("x"), others.f64("x"));
    assert!(page.documents().iter().any(|d| d.document == document && d.title == "dropped.pb.gz"));

    // A hole, an upload without a start, and one without bytes.
    let piece = |name: &str| Column { name: name.to_owned(), data: ColumnData::U8(vec![1, 2, 3]) };
    let mut refused = |upload: u32, offset: f64, columns: Vec<Column>| {
        let params =
            UploadParams { upload, name: "x".to_owned(), offset, last: true, format: None };
        let answer = page.try_call::<UploadResult>(SessionRequest::Upload(params), columns);
        assert_eq!(answer.err().unwrap().code, ErrorCode::BadRequest, "{upload} at {offset}");
    };
    refused(6, 3.0, vec![piece("bytes")]);
    refused(7, 0.0, vec![piece("other")]);
    refused(8, 0.0, vec![]);
    refused(9, f64::MAX, vec![piece("bytes")]);
    let params =
        UploadParams { upload: 10, name: "x".to_owned(), offset: 0.0, last: false, format: None };
    page.try_call::<UploadResult>(SessionRequest::Upload(params.clone()), vec![piece("bytes")])
        .unwrap();
    let hole = UploadParams { offset: 4.0, ..params };
    let answer = page.try_call::<UploadResult>(SessionRequest::Upload(hole), vec![piece("bytes")]);
    assert_eq!(answer.err().unwrap().code, ErrorCode::BadRequest);
    assert_eq!(page.documents().len(), 3, "a broken upload opened something");
}

#[test]
fn an_upload_of_garbage_fails_with_advice() {
    let server = cpu();
    let mut page = server.page();
    let document = page.upload(1, "photo.png", &[b"\x8aPNG\r\n\x1a\n\0\0\0\rIHDR", &[0xff; 900]]);
    let summary = ProfileRequest::Summary(DocumentParams { document });
    let error = page.try_call::<SummaryResult>(summary, vec![]).err().unwrap();
    assert_eq!(error.code, ErrorCode::Unreadable);
    assert!(error.message.contains("photo.png"), "{error}");
    assert!(error.hint.contains("hotframe formats"), "{}", error.hint);
    let listed = page.documents().into_iter().find(|d| d.document == document).unwrap();
    assert_eq!(listed.state, DocumentState::Failed { error });
    assert_eq!(page.refused(ProfileRequest::Flame(flame(view(document)))), ErrorCode::Unreadable);
    // The others are as they were.
    page.summary(0);
}
