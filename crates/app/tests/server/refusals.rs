//! What cannot be answered, and that the connection lives on.

use protocol::*;
use tungstenite::Message;

use super::cpu;
use super::page::{filtered, flame, rows, view};
use super::rows::two_levels;

#[test]
fn what_cannot_be_answered_has_its_own_code() {
    let server = cpu();
    let mut page = server.page();
    let nobody = 99;
    let node = |spec: ViewSpec| NodeParams { view: spec, instance: None, node: 0 };
    for request in [
        ProfileRequest::Summary(DocumentParams { document: nobody }),
        ProfileRequest::Flame(flame(view(nobody))),
        ProfileRequest::Rows(rows(view(nobody))),
        ProfileRequest::Details(node(view(nobody))),
        ProfileRequest::Locate(LocateParams { view: view(nobody), path: vec![] }),
        ProfileRequest::Filters(ViewParams { view: view(nobody) }),
        ProfileRequest::ExportCsv(rows(view(nobody))),
    ] {
        assert_eq!(page.refused(request), ErrorCode::UnknownDocument);
    }
    let close = SessionRequest::Close(DocumentParams { document: nobody });
    assert_eq!(page.refused(close), ErrorCode::UnknownDocument);

    let bad = r"(\w{1000}){1000}";
    for request in [
        ProfileRequest::Search(SearchParams { view: view(0), pattern: bad.to_owned() }),
        ProfileRequest::Flame(FlameParams { search: bad.to_owned(), ..flame(view(0)) }),
        ProfileRequest::Rows(RowsParams { filter: bad.to_owned(), ..rows(view(0)) }),
        ProfileRequest::Filters(ViewParams { view: filtered(FilterKind::Focus, bad) }),
        ProfileRequest::Flame(flame(filtered(FilterKind::Hide, bad))),
        ProfileRequest::Flame(flame(filtered(FilterKind::LabelFocus, bad))),
    ] {
        let error = page.try_call::<serde_json::Value>(request, vec![]).err().unwrap();
        assert_eq!(error.code, ErrorCode::BadPattern);
        assert!(error.message.contains(bad), "{error}");
    }

    let metric = 1_000;
    let spec = ViewSpec { metric, ..view(0) };
    let sort = Sort { by: SortBy::SelfValue, metric, reverse: false };
    let flame_with = |from: f64, to: f64, width: f64| {
        ProfileRequest::Flame(FlameParams { from, to, width, ..flame(view(0)) })
    };
    for request in [
        ProfileRequest::Flame(flame(spec.clone())),
        ProfileRequest::Rows(rows(spec.clone())),
        ProfileRequest::Search(SearchParams { view: spec.clone(), pattern: "a".to_owned() }),
        ProfileRequest::Filters(ViewParams { view: spec.clone() }),
        ProfileRequest::Details(node(spec)),
        ProfileRequest::Rows(RowsParams { sort, ..rows(view(0)) }),
        ProfileRequest::Flame(flame(ViewSpec {
            shape: Shape::Callees { key: u32::MAX },
            ..view(0)
        })),
        ProfileRequest::Flame(flame(ViewSpec {
            shape: Shape::Callers { key: u32::MAX },
            ..view(0)
        })),
        flame_with(0.5, 0.5, 100.0),
        flame_with(1.0, 0.0, 100.0),
        flame_with(0.0, 1.0, 0.0),
    ] {
        assert_eq!(page.refused(request), ErrorCode::BadRequest);
    }
}

#[test]
fn a_view_that_was_dropped_is_said_to_have_expired() {
    let server = cpu();
    let mut page = server.page();
    let (instance, [outer, inner], _) = two_levels(&mut page);
    let details = |instance: Option<u32>, node: u32| {
        ProfileRequest::Details(NodeParams { view: view(0), instance, node })
    };
    page.call::<DetailsResult>(details(Some(instance), inner.node));
    for stale in [None, Some(instance + 1_000)] {
        assert_eq!(page.refused(details(stale, inner.node)), ErrorCode::ViewExpired);
        let params = RowsParams { expanded: vec![outer.node], instance: stale, ..rows(view(0)) };
        assert_eq!(page.refused(ProfileRequest::Rows(params)), ErrorCode::ViewExpired);
        let params = FlameParams { root: inner.node, instance: stale, ..flame(view(0)) };
        assert_eq!(page.refused(ProfileRequest::Flame(params)), ErrorCode::ViewExpired);
    }
    assert_eq!(page.refused(details(Some(instance), u32::MAX)), ErrorCode::BadRequest);

    // Many other views, until the engine has dropped this one.
    for index in 0..200 {
        let spec = filtered(FilterKind::Ignore, &format!("nothing{index}"));
        page.call::<RowsResult>(ProfileRequest::Rows(rows(spec)));
    }
    assert_eq!(page.refused(details(Some(instance), inner.node)), ErrorCode::ViewExpired);
    let path = vec![outer.key, inner.key];
    let params = LocateParams { view: view(0), path };
    let (found, _) = page.call::<LocateResult>(ProfileRequest::Locate(params));
    assert_ne!(found.instance, instance);
    let node = found.nodes.last().unwrap().node;
    let (again, _) = page.call::<DetailsResult>(details(Some(found.instance), node));
    assert_eq!(again.name, inner.name);
}

#[test]
fn garbage_is_answered_and_the_connection_lives_on() {
    let server = cpu();
    let mut page = server.page();
    let good = encode(&Frame {
        header: Header::Request { id: 1, request: SessionRequest::Documents(NoParams {}).into() },
        columns: vec![],
    });
    let header = |text: &str| {
        let mut bytes = b"HOTF".to_vec();
        bytes.extend_from_slice(&(text.len() as u32).to_le_bytes());
        bytes.extend_from_slice(text.as_bytes());
        bytes
    };
    let column = r#"{"kind":"request","id":1,"request":{"method":"documents","params":{}},
        "columns":[{"name":"bytes","kind":"i64","offset":4294967295,"count":4294967295}]}"#;
    let answer = Frame {
        header: Header::Response { id: 1, result: serde_json::Value::Null },
        columns: vec![],
    };
    let garbage: Vec<Vec<u8>> = vec![
        vec![],
        b"garbage".to_vec(),
        vec![0xff; 5_000],
        good[..good.len() / 2].to_vec(),
        b"HOTF\xff\xff\xff\xff".to_vec(),
        header("{}"),
        header("not JSON"),
        header(r#"{"kind":"request","id":1,"request":{"method":"nonsense","params":{}}}"#),
        header(column),
        header(&"[".repeat(100_000)),
        encode(&answer),
    ];
    for bytes in garbage {
        let what = String::from_utf8_lossy(&bytes[..bytes.len().min(70)]).into_owned();
        page.socket.send(Message::binary(bytes)).unwrap();
        let (id, answer) = page.answer();
        let error = answer.err().unwrap_or_else(|| panic!("{what:?} was answered"));
        // Where a number can be read, whoever waits for its answer gets it.
        let asked = u32::from(what.contains("nonsense"));
        assert_eq!((id, error.code), (asked, ErrorCode::BadRequest), "{what:?}");
        assert_eq!(page.documents().len(), 1, "after {what:?}");
    }
    // Text is not a frame; it is passed over.
    page.socket.send(Message::text("hello")).unwrap();
    assert_eq!(page.documents().len(), 1);
    // A page that ends in the middle of things does not end the server.
    page.ask(ProfileRequest::Flame(flame(view(0))), vec![]);
    drop(page);
    assert_eq!(server.page().documents().len(), 1);
}

#[test]
fn a_cancelled_request_is_still_answered_once() {
    let server = cpu();
    let mut page = server.page();
    page.summary(0);
    // Cancelling what was never asked changes nothing.
    page.send(Header::Cancel { id: 77_777 }, vec![]);
    let mut open = vec![];
    for index in 0..24 {
        let spec = filtered(FilterKind::Ignore, &format!("nothing{index}"));
        open.push(page.ask(ProfileRequest::Flame(flame(spec)), vec![]));
    }
    // Every other one is cancelled.
    let cancelled: Vec<u32> = open.iter().copied().step_by(2).collect();
    for &id in &cancelled {
        page.send(Header::Cancel { id }, vec![]);
    }
    while !open.is_empty() {
        let (id, answer) = page.answer();
        let at = open.iter().position(|&asked| asked == id);
        open.remove(at.unwrap_or_else(|| panic!("{id} was answered twice, or never asked")));
        match answer {
            Ok((result, _)) => assert!(result["total_rows"].as_u64().unwrap() > 1, "{result}"),
            Err(error) => {
                assert_eq!(error.code, ErrorCode::Cancelled, "{error}");
                assert!(cancelled.contains(&id), "{id} was not cancelled");
            }
        }
    }
    // Cancelling after the answer changes nothing either.
    page.send(Header::Cancel { id: cancelled[0] }, vec![]);
    assert_eq!(page.documents().len(), 1);
}
