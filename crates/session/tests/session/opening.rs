//! Documents in a told format and with other members, and names with their places, asked for as a
//! page asks for them.

use std::io;
use std::path::Path;

use protocol::{
    AlignParams, Column, ColumnData, DetailsResult, DistributionResult, DocumentParams,
    DocumentState, DocumentsResult, ErrorCode, FindSpanParams, FindSpanResult, FlameParams,
    FlameResult, Granularity, MergeParams, NoParams, NodeParams, OpenedResult, Order,
    ProfileRequest, ReadAsParams, Request, RowsParams, RowsResult, SessionRequest, Shape, Sort,
    SortBy, SplitMembersParams, SummaryResult, TracksResult, UploadParams, UploadResult, ViewSpec,
};
use serde::de::DeserializeOwned;
use session::{CompareOptions, Host, Input, ReadOptions, Session, Silent};

/// The samples of the repository.
struct Samples;

impl Host for Samples {
    fn open(&self, name: &str) -> io::Result<Input> {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata");
        let file = std::fs::File::open(Path::new(folder).join(name))?;
        Ok(Input::File(Box::new(file), None))
    }

    fn seconds(&self) -> f64 {
        0.0
    }
}

fn session() -> Session {
    Session::new(Box::new(Samples), ReadOptions::default())
}

fn get<R: DeserializeOwned>(session: &Session, request: impl Into<Request>) -> R {
    session.answer(request, vec![], &Silent).unwrap().into_result().unwrap()
}

fn refused(session: &Session, request: impl Into<Request>) -> ErrorCode {
    session.answer(request, vec![], &Silent).unwrap_err().code
}

fn upload(
    session: &Session,
    name: &str,
    bytes: &[u8],
    format: Option<&str>,
) -> Result<u32, ErrorCode> {
    let format = format.map(str::to_owned);
    let params = UploadParams { upload: 1, name: name.to_owned(), offset: 0.0, last: true, format };
    let bytes = Column { name: "bytes".to_owned(), data: ColumnData::U8(bytes.to_vec()) };
    let answer = session.answer(SessionRequest::Upload(params), vec![bytes], &Silent);
    let result: UploadResult = answer.map_err(|error| error.code)?.into_result().unwrap();
    Ok(result.document.unwrap())
}

fn summary(session: &Session, document: u32) -> Result<SummaryResult, ErrorCode> {
    let answer =
        session.answer(ProfileRequest::Summary(DocumentParams { document }), vec![], &Silent);
    Ok(answer.map_err(|error| error.code)?.into_result().unwrap())
}

fn view(document: u32) -> ViewSpec {
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

#[test]
fn reports_a_file_is_read_in_the_format_that() {
    let session = session();
    let stacks = b"main;work 3\nmain;rest 4\n";
    let recognised = upload(&session, "a.txt", stacks, None).unwrap();
    assert_eq!(summary(&session, recognised).unwrap().format, "collapsed");
    assert_eq!(upload(&session, "a.txt", stacks, Some("nothing")), Err(ErrorCode::BadRequest));

    let told = upload(&session, "a.txt", stacks, Some("pprof")).unwrap();
    assert_eq!(summary(&session, told), Err(ErrorCode::Unreadable));
    let again = ReadAsParams { document: told, format: "collapsed".to_owned() };
    let OpenedResult { document } = get(&session, SessionRequest::ReadAs(again));
    assert_eq!(summary(&session, document).unwrap().points, 2.0);
    let unknown = ReadAsParams { document: told, format: "nothing".to_owned() };
    assert_eq!(refused(&session, SessionRequest::ReadAs(unknown)), ErrorCode::BadRequest);
    let open: DocumentsResult = get(&session, SessionRequest::Documents(NoParams {}));
    assert!(matches!(open.documents[told as usize].state, DocumentState::Failed { .. }));
}

#[test]
fn a_document_gets_other_members() {
    let session = session();
    let whole = session.add("jfr/plain.jfr");
    let before = summary(&session, whole).unwrap();
    let choices: Vec<_> = before.splits.iter().map(|split| split.by.as_str()).collect();
    assert!(choices.contains(&"thread"), "{choices:?}");
    let split = |by: &str| {
        ProfileRequest::SplitMembers(SplitMembersParams { document: whole, by: by.to_owned() })
    };
    let OpenedResult { document } = get(&session, split("thread"));
    let after = summary(&session, document).unwrap();
    assert!(after.members > 1);
    assert_eq!((after.points, &after.metrics), (before.points, &before.metrics));
    // Arguments of spans are not there any more: members have no spans.
    let points = ["thread", "class", "frame type", "state"];
    let left: Vec<_> = before.splits.iter().filter(|one| points.contains(&&*one.by)).collect();
    assert!(before.splits.len() > left.len());
    assert_eq!(after.splits.iter().collect::<Vec<_>>(), left);

    // Members add up to the whole.
    let node = NodeParams { view: view(document), instance: None, node: 0 };
    let answer = session.answer(ProfileRequest::Distribution(node), vec![], &Silent).unwrap();
    let ColumnData::I64(totals) = &answer.columns[1].data else { panic!("no totals") };
    let sum: i64 = totals.iter().sum();
    let ColumnData::I64(whole_total) = &session
        .answer(ProfileRequest::Summary(DocumentParams { document: whole }), vec![], &Silent)
        .unwrap()
        .columns[0]
        .data
        .clone()
    else {
        panic!("no total")
    };
    assert_eq!(sum, whole_total[0]);
    let told: DistributionResult = answer.into_result().unwrap();
    assert_eq!(told.members.len(), after.members as usize);

    // One document a choice, which is not listed and goes with the one that it is of.
    let OpenedResult { document: again } = get(&session, split("thread"));
    assert_eq!(again, document);
    let open: DocumentsResult = get(&session, SessionRequest::Documents(NoParams {}));
    assert_eq!(open.documents.len(), 1);
    assert_eq!(refused(&session, split("no such label")), ErrorCode::BadRequest);
    session.close(whole);
    assert_eq!(summary(&session, document), Err(ErrorCode::UnknownDocument));
}

/// Two recordings on one axis: as they were opened, moved and stretched, each a document that goes with them.
#[test]
fn recordings_are_put_on_another_axis() {
    let session = session();
    let trace = |start: u64, step: u64| {
        let span = |name: &str, at: u64| {
            format!(
                "{{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"name\":\"{name}\",\"ts\":{at},\"dur\":10}}"
            )
        };
        format!("[{},{},{}]", span("wait", 0), span("step", start), span("step", start + step))
    };
    let one = upload(&session, "one.json", trace(20, 30).as_bytes(), None).unwrap();
    let two = upload(&session, "two.json", trace(50, 60).as_bytes(), None).unwrap();
    let together =
        |documents: &[u32]| ProfileRequest::Merge(MergeParams { documents: documents.to_vec() });
    let OpenedResult { document: both } = get(&session, together(&[one, two]));
    let align = |document: u32, by: &str| {
        ProfileRequest::Align(AlignParams { document, by: by.to_owned() })
    };
    let begins = |document: u32| {
        let tracks = ProfileRequest::Tracks(DocumentParams { document });
        let TracksResult { origin, .. } = get(&session, tracks);
        let found: Vec<f64> = (1..=4)
            .map(|at| {
                let params = FindSpanParams {
                    view: view(document),
                    search: "step".to_owned(),
                    from: 0.0,
                    span: 0,
                    back: false,
                };
                let mut found: FindSpanResult =
                    get(&session, ProfileRequest::FindSpan(params.clone()));
                for _ in 1..at {
                    let next = FindSpanParams { span: found.span, ..params.clone() };
                    found = get(&session, ProfileRequest::FindSpan(next));
                }
                (origin + found.begin) / 1000.0
            })
            .collect();
        found
    };
    assert_eq!(begins(both), [20.0, 50.0, 50.0, 110.0]);
    let aligned = |by: &str| {
        let OpenedResult { document } = get(&session, align(both, by));
        document
    };
    let (at, progress) = (aligned("at:step"), aligned("progress"));
    assert_eq!(begins(at), [20.0, 20.0, 50.0, 80.0]);
    assert_eq!(begins(progress), [20.0, 20.0, 50.0, 50.0]);
    assert_eq!(begins(both), [20.0, 50.0, 50.0, 110.0], "what was opened stays");
    assert_eq!(aligned("progress"), progress, "one document a way");
    let told = |document: u32| {
        let warnings = summary(&session, document).unwrap().warnings;
        warnings.iter().filter(|one| one.message.starts_with("times are moved")).count()
    };
    assert_eq!([both, at, progress].map(told), [0, 1, 1]);
    // Lengths are as they were measured.
    let tracks: TracksResult =
        get(&session, ProfileRequest::Tracks(DocumentParams { document: progress }));
    let busy: Vec<f64> =
        tracks.tracks.iter().filter(|one| one.spans > 0.0).map(|one| one.busy).collect();
    assert_eq!(busy, [30_000.0, 30_000.0]);
    assert_eq!(refused(&session, align(both, "nothing")), ErrorCode::BadRequest);
    assert_eq!(refused(&session, align(one, "start")), ErrorCode::BadRequest);
    session.close(both);
    assert_eq!(summary(&session, progress), Err(ErrorCode::UnknownDocument));
}

#[test]
fn functions_that_share_a_name_are_distinguished() {
    let session = session();
    let file = r#"{"$schema": "https://www.speedscope.app/file-format-schema.json",
        "shared": {"frames": [
            {"name": "main", "file": "main.py"},
            {"name": "run", "file": "a.py"}, {"name": "run", "file": "b.py"}]},
        "profiles": [{"type": "sampled", "name": "p", "unit": "none", "startValue": 0,
            "endValue": 3, "samples": [[0, 1], [0, 2]], "weights": [2, 1]}]}"#;
    let document = upload(&session, "p.json", file.as_bytes(), None).unwrap();
    let flame: FlameResult = get(
        &session,
        ProfileRequest::Flame(FlameParams {
            view: view(document),
            instance: None,
            root: 0,
            from: 0.0,
            to: 1.0,
            width: 1000.0,
            first_row: 0,
            rows: 10,
            search: String::new(),
            labels: protocol::LabelBy::Function,
        }),
    );
    let named = |name: u32| flame.names[name as usize].as_str();
    let labels: Vec<_> =
        flame.labels.iter().map(|entry| (named(entry.name), entry.label.as_str())).collect();
    assert_eq!(labels, [("run", "run a.py"), ("run", "run b.py")]);
    assert_eq!(flame.names.iter().filter(|name| *name == "main").count(), 1);

    let rows: RowsResult = get(
        &session,
        ProfileRequest::Rows(RowsParams {
            view: ViewSpec { shape: Shape::BottomUp {}, ..view(document) },
            instance: None,
            root: 0,
            expanded: vec![],
            sort: Sort { by: SortBy::TotalValue, metric: 0, reverse: false },
            filter: String::new(),
            first: 0,
            count: 10,
        }),
    );
    let rows: Vec<_> =
        rows.rows.iter().map(|row| (row.name.as_str(), row.label.as_deref())).collect();
    assert_eq!(rows, [("run", Some("run a.py")), ("run", Some("run b.py"))]);

    let callees = ViewSpec { shape: Shape::Callees { key: 0 }, ..view(document) };
    let node = NodeParams { view: callees, instance: None, node: 0 };
    let details: DetailsResult = get(&session, ProfileRequest::Details(node));
    assert_eq!((details.name.as_str(), details.label), ("main", None));
}

/// A comparison of files, which are not documents of their own, is swapped as well.
#[test]
fn a_comparison_of_files_is_swapped() {
    let session = session();
    let sides = ["runs/before-1.pb.gz", "runs/after-1.pb.gz"].map(|name| vec![name.to_owned()]);
    let document = session.add_compared(&sides[0], &sides[1], CompareOptions::default());
    let told = summary(&session, document).unwrap().comparison.unwrap();
    assert!(told.swaps);
    let swap = |document| ProfileRequest::Swap(DocumentParams { document });
    let swapped: OpenedResult = get(&session, swap(document));
    let turned = summary(&session, swapped.document).unwrap();
    assert_eq!(turned.title, "after-1.pb.gz → before-1.pb.gz");
    let turned = turned.comparison.unwrap();
    assert_eq!((turned.base, turned.new), (told.new, told.base));
    assert_eq!(get::<OpenedResult>(&session, swap(swapped.document)).document, document);
}
