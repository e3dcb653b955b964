//! A kind of documents that only this test knows: what `CONTRIBUTING.md` tells to do, done.

use std::io::{self, Read};
use std::sync::Arc;

use protocol::{
    DocumentInfo, DocumentParams, DocumentState, DocumentsResult, ErrorCode, NoParams,
    ProfileRequest, ProtocolError, SessionRequest,
};
use session::{
    Host, Input, Kind, KindOf, OpenDocument, Opening, ProfileDocument, ReadOptions, Session, Silent,
};

/// A list of things, one a line after the line `LIST`.
struct List {
    title: String,
    things: Vec<String>,
}

const LIST: Kind = Kind {
    name: "list",
    noun: "list of things",
    recognises: |head, _| head.starts_with(b"LIST\n"),
    read,
};

fn read(input: Input, opening: &Opening<'_>) -> Result<Arc<dyn OpenDocument>, ProtocolError> {
    let unreadable = |error: io::Error| {
        ProtocolError::new(ErrorCode::Unreadable, format!("{}: {error}", opening.title()))
    };
    let Input::File(bytes, _) = input else { unreachable!("a folder has no first bytes") };
    let mut text = String::new();
    opening.watch().watch(bytes).read_to_string(&mut text).map_err(unreadable)?;
    let things = text.lines().skip(1).map(str::to_owned).collect();
    Ok(Arc::new(List { title: opening.title().to_owned(), things }))
}

impl OpenDocument for List {
    fn kind(&self) -> &'static Kind {
        &LIST
    }

    fn title(&self) -> &str {
        &self.title
    }
}

impl KindOf for List {
    const KIND: Kind = LIST;
}

/// A list, and stacks.
struct Two;

impl Host for Two {
    fn open(&self, name: &str) -> io::Result<Input> {
        let text: &[u8] = match name {
            "things.txt" => b"LIST\nbread\nmilk\n",
            "a.collapsed" => b"main;f 3\n",
            _ => return Err(io::ErrorKind::NotFound.into()),
        };
        Ok(Input::File(Box::new(text), Some(text.len() as u64)))
    }

    fn seconds(&self) -> f64 {
        0.0
    }
}

#[test]
fn a_kind_is_known_read_and_requested_beside_the_others() {
    let session = Session::new(Box::new(Two), ReadOptions::default()).with_kind(LIST);
    let [list, profile] = ["things.txt", "a.collapsed"].map(|name| session.add(name));
    let read = session.ready::<List>(list, &Silent).unwrap();
    assert_eq!(read.things, ["bread", "milk"]);
    assert_eq!(session.ready::<ProfileDocument>(profile, &Silent).unwrap().title(), "a.collapsed");

    let documents = SessionRequest::Documents(NoParams {});
    let told: DocumentsResult =
        session.answer(documents, vec![], &Silent).unwrap().into_result().unwrap();
    let ready = |kind: &str| DocumentState::Ready { shows: kind.to_owned() };
    let states: Vec<_> = told.documents.into_iter().map(|document| document.state).collect();
    assert_eq!(states, [ready("list"), ready("profile")]);

    let wait = SessionRequest::Wait(DocumentParams { document: list });
    let waited: DocumentInfo =
        session.answer(wait, vec![], &Silent).unwrap().into_result().unwrap();
    assert_eq!((waited.title.as_str(), waited.state), ("things.txt", ready("list")));
}

#[test]
fn a_method_of_another_kind_says_what_the_document_is() {
    let session = Session::new(Box::new(Two), ReadOptions::default()).with_kind(LIST);
    let list = session.add("things.txt");
    let summary = ProfileRequest::Summary(DocumentParams { document: list });
    let error = session.answer(summary, vec![], &Silent).unwrap_err();
    assert_eq!(error.code, ErrorCode::WrongKind);
    assert_eq!(error.message, "things.txt is a list of things and no profile");
}
