//! Answers that take long are seen, and end where they are stopped.

use std::fmt::Write as _;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use protocol::{ColumnData, ErrorCode, Progress, Request};
use serde_json::{Value, json};
use session::{Call, CompareOptions, Host, Input, ReadOptions, Session, Silent};
use work::Watch;

/// A call that stops at its n-th look.
#[derive(Clone)]
struct Stopping {
    at: usize,
    looks: Arc<AtomicUsize>,
    phases: Arc<Mutex<Vec<&'static str>>>,
}

impl Stopping {
    fn at(at: usize) -> Stopping {
        Stopping { at, looks: Arc::default(), phases: Arc::default() }
    }
}

impl Watch for Stopping {
    fn is_stopped(&self) -> bool {
        self.looks.fetch_add(1, Ordering::Relaxed) + 1 >= self.at
    }

    fn see(&self, progress: work::Progress) {
        assert!(progress.done <= progress.total, "{progress:?}");
        let mut phases = self.phases.lock().unwrap();
        if phases.last() != Some(&progress.phase) {
            phases.push(progress.phase);
        }
    }
}

impl Call for Stopping {
    fn progress(&self, _: Progress) {}

    fn is_cancelled(&self) -> bool {
        false
    }

    fn watch(&self) -> Option<Arc<dyn Watch>> {
        Some(Arc::new(self.clone()))
    }
}

/// Stacks that are all different, so that there is much to add up.
struct Stacks;

impl Host for Stacks {
    fn open(&self, name: &str) -> io::Result<Input> {
        let side = name.len();
        let mut text = String::new();
        for stack in 0..40_000 {
            writeln!(text, "main;f{};g{stack};h{side} {}", stack % 97, 1 + stack % 5).unwrap();
        }
        let size = text.len() as u64;
        Ok(Input::File(Box::new(io::Cursor::new(text)), Some(size)))
    }

    fn seconds(&self) -> f64 {
        0.0
    }
}

fn session() -> Session {
    Session::new(Box::new(Stacks), ReadOptions::default())
}

fn request(method: &str, document: u32, more: Value) -> Request {
    let mut params = json!({ "view": {
        "document": document, "metric": 0, "shape": { "kind": "top_down" },
        "granularity": "function", "filters": [], "order": "value", "collapse_recursion": "none",
    } });
    params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    serde_json::from_value(json!({ "method": method, "params": params })).unwrap()
}

fn flame(document: u32) -> Request {
    let window = json!({
        "instance": null, "root": 0, "from": 0.0, "to": 1.0, "width": 1000.0, "first_row": 0,
        "rows": 10, "search": "", "labels": "function",
    });
    request("flame", document, window)
}

/// What a flame graph says of the whole.
fn whole(session: &Session, document: u32) -> i64 {
    let answer = session.answer(flame(document), vec![], &Silent).unwrap();
    let scale = answer.columns.iter().find(|column| column.name == "scale").unwrap();
    match &scale.data {
        ColumnData::I64(values) => values[0],
        other => panic!("{other:?}"),
    }
}

/// The sum of `1 + stack % 5`.
const WHOLE: i64 = 3 * 40_000;

#[test]
fn an_answer_stops_at_any_look_and_comes_whole_after_that() {
    let requests = |document| {
        let filtered = json!({ "pattern": "g1" });
        [flame(document), request("search", document, filtered)]
    };
    for kind in 0..2 {
        let session = session();
        let document = session.add("one");
        session.load(document);
        let seen = Stopping::at(usize::MAX);
        session.answer(requests(document)[kind].clone(), vec![], &seen).unwrap();
        let looks = seen.looks.load(Ordering::Relaxed);
        assert!(looks >= 3, "{looks} looks, {:?}", seen.phases);
        assert!(seen.phases.lock().unwrap().len() >= 2, "{:?}", seen.phases);
        for at in 1..=looks {
            let session = self::session();
            let document = session.add("one");
            session.load(document);
            let call = Stopping::at(at);
            let stopped = session.answer(requests(document)[kind].clone(), vec![], &call);
            assert_eq!(stopped.unwrap_err().code, ErrorCode::Cancelled, "look {at}");
            assert_eq!(whole(&session, document), WHOLE, "after look {at}");
        }
    }
}

#[test]
fn a_document_whose_making_was_stopped_is_made_for_the_next() {
    let session = session();
    let names = ["one".to_owned(), "three".to_owned()];
    let merged = session.add_merged(&names);
    let stopped = session.answer(flame(merged), vec![], &Stopping::at(2));
    assert_eq!(stopped.unwrap_err().code, ErrorCode::Cancelled);
    assert_eq!(whole(&session, merged), 2 * WHOLE);
    let how = CompareOptions::default();
    let compared = session.add_compared(&names[..1], &names[1..], how);
    let stopped = session.answer(flame(compared), vec![], &Stopping::at(1));
    assert_eq!(stopped.unwrap_err().code, ErrorCode::Cancelled);
    assert!(session.answer(flame(compared), vec![], &Silent).is_ok());
}
