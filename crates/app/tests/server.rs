//! The loopback server of `hotframe open`, over plain sockets: who is let in, and what every
//! method of the protocol answers.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use protocol::*;
use serde::de::DeserializeOwned;
use tempfile::TempDir;
use tungstenite::client::IntoClientRequest as _;
use tungstenite::http::{HeaderValue, StatusCode};
use tungstenite::{HandshakeError, Message, WebSocket};

/// How long a socket may stay silent before a test fails instead of hanging.
const PATIENCE: Duration = Duration::from_secs(120);

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(name)
}

/// A server that ends with the test.
struct Server {
    child: Child,
    _out: BufReader<ChildStdout>,
    address: String,
    port: u16,
    token: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    fn start(files: &[PathBuf]) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_hotframe"))
            .arg("open")
            .args(files)
            .arg("--no-browser")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        while !line.starts_with("http") {
            line.clear();
            assert!(out.read_line(&mut line).unwrap() > 0, "no address was printed");
        }
        let address = line.trim().to_owned();
        let (host, query) = address.split_once("/?").unwrap();
        let port = host.rsplit_once(':').unwrap().1.parse().unwrap();
        let token = query.strip_prefix("token=").unwrap().to_owned();
        Server { child, _out: out, port, token, address }
    }

    fn stream(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// The answer to a GET, whose path is sent as it is.
    fn get(&self, path: &str, host: &str) -> HttpAnswer {
        let mut stream = self.stream();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
        let mut bytes = vec![];
        stream.read_to_end(&mut bytes).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        let mut lines = head.lines();
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let headers = lines.map(|line| {
            let (name, value) = line.split_once(": ").unwrap();
            (name.to_lowercase(), value.to_owned())
        });
        HttpAnswer { status, headers: headers.collect(), body: body.to_owned() }
    }

    fn own(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Opens a socket with the given token and origin; the status where it is refused.
    fn socket(&self, token: &str, origin: Option<&str>) -> Result<Page, StatusCode> {
        let address = format!("ws://127.0.0.1:{}/socket?token={token}", self.port);
        let mut request = address.into_client_request().unwrap();
        if let Some(origin) = origin {
            request.headers_mut().insert("origin", HeaderValue::from_str(origin).unwrap());
        }
        match tungstenite::client(request, self.stream()) {
            Ok((socket, _)) => Ok(Page { socket, last_id: 0 }),
            Err(HandshakeError::Failure(tungstenite::Error::Http(answer))) => Err(answer.status()),
            Err(error) => panic!("{error}"),
        }
    }

    fn page(&self) -> Page {
        self.socket(&self.token, Some(&format!("http://{}", self.own()))).unwrap()
    }
}

struct HttpAnswer {
    status: u16,
    headers: HashMap<String, String>,
    body: String,
}

/// What a page does.
struct Page {
    socket: WebSocket<TcpStream>,
    last_id: u32,
}

/// The columns of an answer.
struct Numbers(HashMap<String, ColumnData>);

impl Numbers {
    fn u32(&self, name: &str) -> &[u32] {
        match &self.0[name] {
            ColumnData::U32(values) => values,
            other => panic!("{name} is {other:?}"),
        }
    }

    fn i64(&self, name: &str) -> &[i64] {
        match &self.0[name] {
            ColumnData::I64(values) => values,
            other => panic!("{name} is {other:?}"),
        }
    }

    fn f64(&self, name: &str) -> &[f64] {
        match &self.0[name] {
            ColumnData::F64(values) => values,
            other => panic!("{name} is {other:?}"),
        }
    }
}

impl Page {
    fn send(&mut self, header: Header, columns: Vec<Column>) {
        let bytes = encode(&Frame { header, columns });
        self.socket.send(Message::binary(bytes)).unwrap();
    }

    fn receive(&mut self) -> Frame {
        loop {
            match self.socket.read().unwrap() {
                Message::Binary(bytes) => return decode(&bytes).unwrap(),
                Message::Ping(_) | Message::Pong(_) => {}
                other => panic!("{other:?} is no frame"),
            }
        }
    }

    fn ask(&mut self, request: impl Into<Request>, columns: Vec<Column>) -> u32 {
        let request = request.into();
        self.last_id += 1;
        self.send(Header::Request { id: self.last_id, request }, columns);
        self.last_id
    }

    /// The next frame that is no progress, with its request's number.
    fn answer(&mut self) -> (u32, Result<(serde_json::Value, Numbers), ProtocolError>) {
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
                other => panic!("{other:?} is no answer"),
            }
        }
    }

    fn try_call<T: DeserializeOwned>(
        &mut self,
        request: impl Into<Request>,
        columns: Vec<Column>,
    ) -> Result<(T, Numbers), ProtocolError> {
        let asked = self.ask(request, columns);
        let (id, answer) = self.answer();
        assert_eq!(id, asked, "an answer to another request");
        answer.map(|(result, numbers)| (serde_json::from_value(result).unwrap(), numbers))
    }

    fn call<T: DeserializeOwned>(&mut self, request: impl Into<Request>) -> (T, Numbers) {
        self.try_call(request, vec![]).unwrap()
    }

    /// The error code of a request that must fail.
    fn refused(&mut self, request: impl Into<Request>) -> ErrorCode {
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

    fn documents(&mut self) -> Vec<DocumentInfo> {
        self.call::<DocumentsResult>(SessionRequest::Documents(NoParams {})).0.documents
    }

    fn summary(&mut self, document: u32) -> (SummaryResult, Numbers) {
        self.call(ProfileRequest::Summary(DocumentParams { document }))
    }

    fn upload(&mut self, upload: u32, name: &str, pieces: &[&[u8]]) -> u32 {
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

fn view(document: u32) -> ViewSpec {
    ViewSpec {
        document,
        metric: 0,
        shape: Shape::TopDown {},
        granularity: Granularity::Function,
        filters: vec![],
        order: Order::Value,
        collapse_recursion: false,
        role: None,
    }
}

fn filtered(kind: FilterKind, pattern: &str) -> ViewSpec {
    ViewSpec { filters: vec![Filter { kind, pattern: pattern.to_owned() }], ..view(0) }
}

fn flame(view: ViewSpec) -> FlameParams {
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
    }
}

fn rows(view: ViewSpec) -> RowsParams {
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

fn cpu() -> Server {
    Server::start(&[sample("pprof/cpu.pb.gz")])
}

#[test]
fn the_address_is_of_this_machine_only() {
    let server = cpu();
    assert_eq!(server.address, format!("http://127.0.0.1:{}/?token={}", server.port, server.token));
    let is_hexadecimal = server.token.chars().all(|c| c.is_ascii_hexdigit());
    assert!(server.token.len() >= 32 && is_hexadecimal, "{}", server.token);
    assert_ne!(server.token, cpu().token, "the token is the same for every run");
    // Reached if the server listened on every address; other machines would reach it too.
    for other in ["127.0.0.2", "::1"] {
        assert!(TcpStream::connect((other, server.port)).is_err(), "{other} is served");
    }
}

#[test]
fn every_answer_carries_the_security_headers() {
    let server = cpu();
    let with_token = format!("/?token={}", server.token);
    let own = server.own();
    for (path, host) in [
        ("/", own.as_str()),
        (&with_token, &own),
        (&with_token, "evil.example"),
        ("/favicon.svg", &own),
        ("/assets/none.js", &own),
        ("/nowhere", &own),
        ("/socket", &own),
    ] {
        let headers = server.get(path, host).headers;
        let policy = &headers["content-security-policy"];
        assert!(policy.contains("default-src 'none'"), "{path}: {policy}");
        assert!(policy.contains("frame-ancestors 'none'"), "{path}: {policy}");
        assert!(!policy.contains("unsafe"), "{path}: {policy}");
        assert_eq!(headers["x-content-type-options"], "nosniff", "{path}");
        assert_eq!(headers["referrer-policy"], "no-referrer", "{path}");
        assert_eq!(headers["cross-origin-resource-policy"], "same-origin", "{path}");
        assert_eq!(headers["cross-origin-opener-policy"], "same-origin", "{path}");
        assert!(!headers.contains_key("access-control-allow-origin"), "{path}");
    }
}

#[test]
fn the_page_wants_its_token() {
    let server = cpu();
    let own = server.own();
    let wrong = "0".repeat(server.token.len());
    for path in [
        "/".to_owned(),
        "/?token=".to_owned(),
        format!("/?token={wrong}"),
        format!("/?token={}", &server.token[..server.token.len() - 1]),
        format!("/?token={}0", server.token),
        format!("/?other={}", server.token),
    ] {
        let answer = server.get(&path, &own);
        assert_eq!(answer.status, 403, "{path}");
        assert!(!answer.body.contains(&server.token) && !answer.body.contains("<script"));
    }
    // The page may not be built in.
    for host in [own, format!("localhost:{}", server.port)] {
        let answer = server.get(&format!("/?token={}", server.token), &host);
        assert!([200, 404].contains(&answer.status), "{}", answer.status);
        assert!(!answer.body.is_empty());
    }
}

#[test]
fn foreign_names_are_refused() {
    let server = cpu();
    let path = format!("/?token={}", server.token);
    let port = server.port;
    for host in [
        "evil.example".to_owned(),
        format!("evil.example:{port}"),
        "127.0.0.1".to_owned(),
        format!("127.0.0.1:{}", port ^ 1),
        format!("127.0.0.1.evil.example:{port}"),
        format!("localhost.evil.example:{port}"),
    ] {
        for path in [path.as_str(), "/favicon.svg", "/assets/none.js"] {
            assert_eq!(server.get(path, &host).status, 403, "{host}{path}");
        }
    }
}

#[test]
fn no_path_leads_out_of_the_page() {
    let server = cpu();
    for path in [
        "/assets/../Cargo.toml",
        "/assets/../../Cargo.toml",
        "/assets/%2e%2e/x",
        "/assets/%2e%2e/index.html",
        "/assets/..%2f..%2f..%2fCargo.toml",
        "/assets/..%5c..%5cCargo.toml",
        "/assets//etc/passwd",
        "/assets/%2fetc%2fpasswd",
        "/assets/%00",
        "/../Cargo.toml",
        "/Cargo.toml",
        "//etc/passwd",
    ] {
        let answer = server.get(path, &server.own());
        assert!([400, 403, 404].contains(&answer.status), "{path}: {}", answer.status);
        assert!(!answer.body.contains("[package]") && !answer.body.contains("root:"), "{path}");
    }
}

#[test]
fn the_socket_wants_token_and_origin() {
    let server = cpu();
    let own = format!("http://{}", server.own());
    let wrong = "0".repeat(server.token.len());
    for token in ["", &wrong, &server.token[1..]] {
        assert_eq!(server.socket(token, Some(&own)).err(), Some(StatusCode::FORBIDDEN));
    }
    for origin in [
        "http://evil.example".to_owned(),
        "null".to_owned(),
        format!("https://{}", server.own()),
        format!("http://127.0.0.1:{}", server.port ^ 1),
        format!("{own}.evil.example"),
    ] {
        let refused = server.socket(&server.token, Some(&origin)).err();
        assert_eq!(refused, Some(StatusCode::FORBIDDEN), "{origin}");
    }
    // Programs other than browsers send none.
    for origin in [None, Some(own)] {
        let mut page = server.socket(&server.token, origin.as_deref()).ok().unwrap();
        assert_eq!(page.documents().len(), 1);
    }
}

#[test]
fn a_port_in_use_is_named() {
    let taken = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let mut child = Command::new(env!("CARGO_BIN_EXE_hotframe"))
        .args(["open", "--no-browser", "--port", &port])
        .arg(sample("pprof/cpu.pb.gz"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    if !line.is_empty() {
        child.kill().unwrap();
    }
    let output = child.wait_with_output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), line.as_str()), (Some(1), ""), "{err}");
    assert!(err.contains(&port) && err.contains("--port"), "{err}");
}

#[test]
fn documents_and_summary_tell_of_every_file() {
    let folder = TempDir::new().unwrap();
    let empty = folder.path().join("empty.pb.gz");
    std::fs::write(&empty, "").unwrap();
    let server =
        Server::start(&[sample("pprof/heap.pb.gz"), sample("collapsed/perf.collapsed"), empty]);
    let mut page = server.page();
    let (heap, totals) = page.summary(0);
    assert_eq!((heap.title.as_str(), heap.format.as_str()), ("heap.pb.gz", "pprof"));
    assert_eq!(totals.i64("total").len(), heap.metrics.len());
    assert!((heap.default_metric as usize) < heap.metrics.len());
    let golden = std::fs::read_to_string(sample("pprof/heap.pb.gz.golden")).unwrap();
    let known = golden.lines().filter(|line| line.starts_with("metric "));
    for ((metric, total), line) in heap.metrics.iter().zip(totals.i64("total")).zip(known) {
        assert!(line.starts_with(&format!("metric {} {} ", metric.name, metric.unit)), "{line}");
        assert!(line.contains(&format!(" total {total}")), "{line} and {total}");
    }
    let (perf, totals) = page.summary(1);
    assert_eq!((perf.title.as_str(), perf.format.as_str()), ("perf.collapsed", "collapsed"));
    let text = std::fs::read_to_string(sample("collapsed/perf.collapsed")).unwrap();
    let counts = text.lines().map(|line| line.rsplit_once(' ').unwrap().1.parse::<i64>().unwrap());
    assert_eq!(totals.i64("total"), [counts.sum::<i64>()]);
    assert_eq!(
        page.refused(ProfileRequest::Summary(DocumentParams { document: 2 })),
        ErrorCode::Unreadable
    );

    let documents = page.documents();
    let titles: Vec<_> = documents.iter().map(|d| (d.document, d.title.as_str())).collect();
    assert_eq!(titles, [(0, "heap.pb.gz"), (1, "perf.collapsed"), (2, "empty.pb.gz")]);
    assert_eq!(documents[0].state, DocumentState::Ready { shows: "profile".to_owned() });
    let DocumentState::Failed { error } = &documents[2].state else {
        panic!("{:?}", documents[2]);
    };
    assert!(error.message.contains("empty.pb.gz"), "{error}");

    let (left, _) =
        page.call::<DocumentsResult>(SessionRequest::Close(DocumentParams { document: 0 }));
    assert_eq!(left.documents.iter().map(|d| d.document).collect::<Vec<_>>(), [1, 2]);
    let closed = page.refused(ProfileRequest::Summary(DocumentParams { document: 0 }));
    assert_eq!(closed, ErrorCode::UnknownDocument);
    // Another page sees the same documents.
    assert_eq!(server.page().documents(), left.documents);
}

#[test]
fn formats_are_those_that_open() {
    let server = cpu();
    let (result, _) = server.page().call::<FormatsResult>(SessionRequest::Formats(NoParams {}));
    for (name, reads) in [("pprof", true), ("collapsed", true), ("speedscope", false)] {
        let format = result.formats.iter().find(|format| format.name == name).unwrap();
        assert!(format.writes && (format.reads || !reads), "{format:?}");
        assert!(!format.title.is_empty() && !format.extensions.is_empty(), "{format:?}");
    }
}

/// Checks boxes against each other; gives the number of boxes and the instance.
fn check_flame(page: &mut Page, params: &FlameParams, root_row: u32) -> (usize, u32) {
    const SLACK: f64 = 1e-9;
    let (result, numbers) = page.call::<FlameResult>(ProfileRequest::Flame(params.clone()));
    let (row, x, width) = (numbers.u32("row"), numbers.f64("x"), numbers.f64("width"));
    let (node, parent, merged) =
        (numbers.u32("node"), numbers.u32("parent"), numbers.u32("merged"));
    let total = numbers.i64("total_value");
    let own = numbers.i64("self_value");
    let count = row.len();
    assert!(count > 10, "only {count} boxes");
    for name in ["x", "width"] {
        assert_eq!(numbers.f64(name).len(), count, "{name}");
    }
    for name in ["node", "parent", "name", "module", "file", "merged", "flags", "key"] {
        assert_eq!(numbers.u32(name).len(), count, "{name}");
    }
    assert_eq!((own.len(), total.len()), (count, count));
    for (name, list) in
        [("name", &result.names), ("module", &result.modules), ("file", &result.files)]
    {
        assert!(numbers.u32(name).iter().all(|&index| (index as usize) < list.len()), "{name}");
    }
    let [_, root_total, _] = numbers.i64("scale") else { panic!("scale") };
    let places: Vec<(u32, f64)> = row.iter().copied().zip(x.iter().copied()).collect();
    assert!(places.is_sorted(), "boxes are not by row and from left to right");
    let drawn: HashMap<(u32, u32), usize> =
        (0..count).filter(|&i| merged[i] == 0).map(|i| ((row[i], node[i]), i)).collect();
    for i in 0..count {
        assert!(x[i] >= 0.0 && width[i] > 0.0 && x[i] + width[i] <= 1.0 + SLACK, "box {i}");
        assert!(row[i] < result.total_rows, "box {i} is below the last row");
        assert!(own[i] <= total[i], "box {i}");
        let share = total[i] as f64 / *root_total as f64;
        assert!((share - width[i]).abs() < 1e-6, "box {i} is {} wide for {share}", width[i]);
        if i > 0 && row[i] == row[i - 1] {
            assert!(x[i] + SLACK >= x[i - 1] + width[i - 1], "box {i} overlaps the one before");
        }
        if row[i] > root_row {
            let above = drawn.get(&(row[i] - 1, parent[i]));
            let &above = above.unwrap_or_else(|| panic!("box {i} has no parent above it"));
            assert!(x[i] + SLACK >= x[above], "box {i} sticks out to the left");
            let right = x[above] + width[above];
            assert!(x[i] + width[i] <= right + SLACK, "box {i} sticks out to the right");
        }
    }
    let alone = (0..count).filter(|&i| merged[i] == 0 && row[i] > root_row);
    let narrowest = alone.map(|i| width[i] * params.width).fold(f64::MAX, f64::min);
    assert!(narrowest >= result.narrowest * (1.0 - SLACK), "a box is {narrowest} wide");
    (count, result.instance)
}

#[test]
fn flame_boxes_lie_inside_their_parents() {
    let server = cpu();
    let mut page = server.page();
    let metrics = page.summary(0).0.metrics.len() as u32;
    for shape in [Shape::TopDown {}, Shape::BottomUp {}] {
        for metric in 0..metrics {
            for granularity in [Granularity::Function, Granularity::Line, Granularity::File] {
                let spec = ViewSpec { shape, metric, granularity, ..view(0) };
                check_flame(&mut page, &flame(spec), 0);
            }
        }
        // A wider view has room for more boxes.
        let spec = ViewSpec { shape, ..view(0) };
        let (few, _) =
            check_flame(&mut page, &FlameParams { width: 100.0, ..flame(spec.clone()) }, 0);
        let (many, _) = check_flame(&mut page, &FlameParams { width: 9_000.0, ..flame(spec) }, 0);
        assert!(few < many, "{few} boxes, {many} in more room");
    }

    let (result, numbers) = page.call::<FlameResult>(ProfileRequest::Flame(flame(view(0))));
    let (_, totals) = page.summary(0);
    assert_eq!(numbers.i64("scale"), [totals.i64("total")[0]; 3]);
    assert_eq!((numbers.u32("row")[0], numbers.u32("node")[0]), (0, 0));
    assert_eq!((numbers.f64("x")[0], numbers.f64("width")[0]), (0.0, 1.0));

    // Zoomed to a box of the second row, it fills the width and keeps its value.
    let at = numbers.u32("row").iter().position(|&row| row == 2).unwrap();
    let root = numbers.u32("node")[at];
    let zoomed = FlameParams { root, instance: Some(result.instance), ..flame(view(0)) };
    check_flame(&mut page, &zoomed, 0);
    let (inside, part) = page.call::<FlameResult>(ProfileRequest::Flame(zoomed));
    assert_eq!(part.i64("scale")[1], numbers.i64("total_value")[at]);
    let trail: Vec<u32> = inside.breadcrumb.iter().map(|crumb| crumb.node).collect();
    assert_eq!(trail, [0, numbers.u32("parent")[at], root]);

    // Rows that were not asked for are not sent.
    let window = FlameParams { first_row: 3, rows: 2, ..flame(view(0)) };
    let (_, part) = page.call::<FlameResult>(ProfileRequest::Flame(window));
    assert!(!part.u32("row").is_empty());
    assert!(part.u32("row").iter().all(|row| [3, 4].contains(row)), "{:?}", part.u32("row"));
}

#[test]
fn flame_marks_what_a_search_finds() {
    let server = cpu();
    let mut page = server.page();
    let pattern = "mapaccess2_faststr";
    let params = FlameParams { search: pattern.to_owned(), ..flame(view(0)) };
    let (result, numbers) = page.call::<FlameResult>(ProfileRequest::Flame(params));
    let mut found = 0;
    for (index, flags) in numbers.u32("flags").iter().enumerate() {
        if numbers.u32("merged")[index] > 0 {
            continue;
        }
        let text = |list: &[String], column: &str| {
            list[numbers.u32(column)[index] as usize].contains(pattern)
        };
        let matches = text(&result.names, "name")
            || text(&result.files, "file")
            || text(&result.modules, "module");
        assert_eq!(flags & 1 == 1, matches, "box {index}");
        found += u32::from(matches);
    }
    assert!(found > 0, "nothing is found");
}

#[test]
fn rows_unfold() {
    let server = cpu();
    let mut page = server.page();
    let metrics = page.summary(0).0.metrics.len();
    let (top, values) = page.call::<RowsResult>(ProfileRequest::Rows(rows(view(0))));
    assert_eq!((top.metrics as usize, top.total_rows as usize), (metrics, top.rows.len()));
    assert_eq!(values.i64("total_value").len(), top.rows.len() * metrics);
    assert!(top.rows.iter().all(|row| row.depth == 0 && !row.expanded));
    let total = |numbers: &Numbers, row: usize| numbers.i64("total_value")[row * metrics];
    let own = |numbers: &Numbers, row: usize| numbers.i64("self_value")[row * metrics];
    let sum: i64 = (0..top.rows.len()).map(|row| total(&values, row)).sum();
    assert_eq!(sum, values.i64("scale")[0]);
    assert_eq!(values.i64("scale"), page.summary(0).1.i64("total"));
    assert!((1..top.rows.len()).all(|row| total(&values, row - 1) >= total(&values, row)));

    // Unfold the heaviest child again and again, down to a leaf.
    let mut expanded = vec![];
    let mut at = 0;
    let mut shown = top.clone();
    while shown.rows[at].has_children {
        let parent = shown.rows[at].clone();
        expanded.push(parent.node);
        let params = RowsParams {
            expanded: expanded.clone(),
            instance: Some(top.instance),
            ..rows(view(0))
        };
        let (next, values) = page.call::<RowsResult>(ProfileRequest::Rows(params));
        assert_eq!(next.instance, top.instance);
        let more = next.rows.len() - shown.rows.len();
        assert!(more > 0, "{parent:?} unfolds to nothing");
        assert_eq!(next.rows[at], RowInfo { expanded: true, ..parent });
        let children = at + 1..at + 1 + more;
        let depth = shown.rows[at].depth + 1;
        assert!(next.rows[children.clone()].iter().all(|row| row.depth == depth));
        let parts: i64 = children.map(|row| total(&values, row)).sum();
        assert_eq!(parts + own(&values, at), total(&values, at), "{:?}", next.rows[at]);
        shown = next;
        at += 1;
    }
    assert!(expanded.len() > 5, "{expanded:?}");
    let hottest = NodeParams { view: view(0), instance: None, node: 0 };
    let (hottest, _) = page.call::<NodesResult>(ProfileRequest::HottestPath(hottest));
    assert_eq!(hottest.instance, top.instance);
    assert_eq!(hottest.nodes[..2], [0, top.rows[0].node]);

    // A window of the rows, and the rows turned round.
    let window =
        RowsParams { expanded, instance: Some(top.instance), first: 3, count: 2, ..rows(view(0)) };
    let (part, _) = page.call::<RowsResult>(ProfileRequest::Rows(window));
    assert_eq!(part.rows[..], shown.rows[3..5]);
    assert_eq!(part.total_rows as usize, shown.rows.len());
    let sort = |by| Sort { by, metric: 0, reverse: true };
    let turned = RowsParams { sort: sort(SortBy::TotalValue), ..rows(view(0)) };
    let (turned, values) = page.call::<RowsResult>(ProfileRequest::Rows(turned));
    assert_eq!(turned.rows.len(), top.rows.len());
    assert!((1..top.rows.len()).all(|row| total(&values, row - 1) <= total(&values, row)));

    // A filter keeps what matches and what leads to it.
    let pattern = "mapaccess2_faststr";
    let params = RowsParams { filter: pattern.to_owned(), ..rows(view(0)) };
    let (kept, _) = page.call::<RowsResult>(ProfileRequest::Rows(params));
    assert!(!kept.rows.is_empty() && kept.rows.len() < top.rows.len());
    for row in &kept.rows {
        assert_eq!(row.matched, row.name.contains(pattern), "{row:?}");
        assert!(row.matched || row.has_children, "{row:?}");
    }
}

/// The heaviest row and its heaviest child.
fn two_levels(page: &mut Page) -> (u32, [RowInfo; 2], Numbers) {
    let (top, _) = page.call::<RowsResult>(ProfileRequest::Rows(rows(view(0))));
    let expanded = vec![top.rows[0].node];
    let params = RowsParams { expanded, instance: Some(top.instance), ..rows(view(0)) };
    let (both, values) = page.call::<RowsResult>(ProfileRequest::Rows(params));
    (both.instance, [both.rows[0].clone(), both.rows[1].clone()], values)
}

#[test]
fn locate_finds_the_node_of_a_path() {
    let server = cpu();
    let mut page = server.page();
    let (instance, [outer, inner], _) = two_levels(&mut page);
    let mut locate = |path: &[u32]| {
        let params = LocateParams { view: view(0), path: path.to_vec() };
        let (result, _) = page.call::<LocateResult>(ProfileRequest::Locate(params));
        assert_eq!(result.instance, instance);
        result.nodes
    };
    let name = |row: &RowInfo| NodeName { node: row.node, key: row.key, name: row.name.clone() };
    assert_eq!(locate(&[outer.key, inner.key]), [name(&outer), name(&inner)]);
    assert_eq!(locate(&[outer.key, inner.key, u32::MAX]), [name(&outer), name(&inner)]);
    assert_eq!(locate(&[outer.key, u32::MAX, inner.key]), [name(&outer)]);
    assert_eq!(locate(&[]), []);
}

#[test]
fn details_agree_with_the_rows() {
    let server = cpu();
    let mut page = server.page();
    let (instance, [outer, inner], values) = two_levels(&mut page);
    let metrics = page.summary(0).0.metrics.len();
    let params = NodeParams { view: view(0), instance: Some(instance), node: inner.node };
    let (details, numbers) = page.call::<DetailsResult>(ProfileRequest::Details(params));
    assert_eq!((details.instance, details.key), (instance, inner.key));
    assert_eq!((&details.name, &details.file), (&inner.name, &inner.file));
    assert_eq!(details.module, inner.module);
    let path: Vec<u32> = details.path.iter().map(|node| node.node).collect();
    assert_eq!(path, [outer.node, inner.node]);
    let of_row = |name: &str, row: usize| values.i64(name)[row * metrics..][..metrics].to_vec();
    assert_eq!(numbers.i64("self_value"), of_row("self_value", 1));
    assert_eq!(numbers.i64("total_value"), of_row("total_value", 1));
    assert_eq!(numbers.i64("parent_total"), of_row("total_value", 0));
    assert_eq!(numbers.i64("program_total"), values.i64("scale"));
    for (list, column) in [
        (details.callers.len(), "callers"),
        (details.callees.len(), "callees"),
        (details.labels.len(), "labels"),
        (details.lines.len(), "lines"),
    ] {
        assert_eq!(numbers.i64(column).len(), list, "{column}");
        if column != "labels" {
            assert!(numbers.i64(column).is_sorted_by(|a, b| a >= b), "{column}");
        }
    }
    assert!(details.callers.iter().any(|caller| caller.name == outer.name));
    let [own, total] = numbers.i64("function") else { panic!("function") };
    assert!(own <= total && *total >= numbers.i64("total_value")[0]);

    // The whole program has no function, but labels.
    let server = Server::start(&[sample("pprof/labels.pb.gz")]);
    let mut page = server.page();
    let params = NodeParams { view: view(0), instance: None, node: 0 };
    let (details, numbers) = page.call::<DetailsResult>(ProfileRequest::Details(params));
    assert!(details.path.is_empty());
    assert_eq!(numbers.i64("total_value"), page.summary(0).1.i64("total"));
    let label = details.labels.iter().position(|label| label.key == "tenant").unwrap();
    // Its pattern selects as much as it says.
    let focused = filtered(FilterKind::LabelFocus, &details.labels[label].pattern);
    let (_, kept) = page.call::<FlameResult>(ProfileRequest::Flame(flame(focused)));
    assert_eq!(kept.i64("total_value")[0], numbers.i64("labels")[label]);
}

#[test]
fn search_and_filters_agree() {
    let server = cpu();
    let mut page = server.page();
    let whole = page.summary(0).1.i64("total")[0];
    for pattern in ["mapaccess2_faststr", "^orderdesk/", "no such function"] {
        let params = SearchParams { view: view(0), pattern: pattern.to_owned() };
        let (found, numbers) = page.call::<SearchResult>(ProfileRequest::Search(params));
        let [matched, total] = numbers.i64("matched") else { panic!("matched") };
        assert_eq!(*total, whole);
        assert_eq!(numbers.i64("top").len(), found.top.len());
        assert!(numbers.i64("top").iter().all(|top| top <= matched));
        assert_eq!((found.matches == 0, *matched == 0), (found.top.is_empty(), found.matches == 0));
        let params = ViewParams { view: filtered(FilterKind::Focus, pattern) };
        let (effect, _) = page.call::<FiltersResult>(ProfileRequest::Filters(params));
        let [effect] = &effect.filters[..] else { panic!("{effect:?}") };
        assert_eq!(effect.matched, found.matches > 0, "{pattern}");
        let share = *matched as f64 / whole as f64;
        assert!((effect.kept - share).abs() < 1e-9, "{pattern}: {} and {share}", effect.kept);
    }
    let params = SearchParams { view: view(0), pattern: "mapaccess2_faststr".to_owned() };
    let (found, _) = page.call::<SearchResult>(ProfileRequest::Search(params));
    assert!(found.top.iter().all(|top| top.name.contains("mapaccess2_faststr")), "{found:?}");
    // What focus keeps and what ignore keeps is the whole.
    let mut kept = |kind| {
        let params = ViewParams { view: filtered(kind, "mapaccess2_faststr") };
        page.call::<FiltersResult>(ProfileRequest::Filters(params)).0.filters[0].kept
    };
    let sum = kept(FilterKind::Focus) + kept(FilterKind::Ignore);
    assert!((sum - 1.0).abs() < 1e-9, "{sum}");
}

#[test]
fn pictures_of_runs_show_what_changed() {
    let run = |side: &str, run: u32| sample(&format!("runs/{side}-{run}.pb.gz"));
    let files: Vec<PathBuf> =
        ["before", "after"].iter().flat_map(|side| (1..=5).map(move |at| run(side, at))).collect();
    let server = Server::start(&files);
    let mut page = server.page();
    let compare = CompareParams {
        base: (0..5).collect(),
        new: (5..10).collect(),
        normalise: Normalise::Absolute {},
        noise: 0.0,
    };
    let (compared, _) = page.call::<serde_json::Value>(ProfileRequest::Compare(compare));
    let document = compared["document"].as_u64().unwrap() as u32;
    let picture = ExportSvgParams {
        // Both sides of the first metric.
        view: ViewSpec { metric: 2, ..view(document) },
        instance: None,
        root: 0,
        width: 1_200.0,
        dark: false,
        colour: ColourBy::Change,
        search: String::new(),
    };
    let (svg, _) = page.call::<TextResult>(ProfileRequest::ExportSvg(picture));
    for hue in ["25", "215"] {
        let fill = format!("fill=\"hsl({hue} ");
        assert!(svg.text.contains(&fill), "no {fill} in {}", svg.text);
    }
}

#[test]
fn exports_hold_what_is_shown() {
    let server = cpu();
    let mut page = server.page();
    let params = ExportSvgParams {
        view: view(0),
        instance: None,
        root: 0,
        width: 1_200.0,
        dark: true,
        colour: ColourBy::Module,
        search: String::new(),
    };
    let (svg, _) = page.call::<TextResult>(ProfileRequest::ExportSvg(params.clone()));
    assert!(svg.file_name.ends_with(".svg") && svg.file_name.contains("cpu"), "{}", svg.file_name);
    assert!(svg.text.starts_with("<svg ") && svg.text.trim_end().ends_with("</svg>"));
    let (_, [outer, _], _) = two_levels(&mut page);
    assert!(svg.text.contains(&outer.name), "{} is missing", outer.name);
    let bad = ExportSvgParams { search: "(".to_owned(), ..params };
    assert_eq!(page.refused(ProfileRequest::ExportSvg(bad)), ErrorCode::BadPattern);

    let (top, values) = page.call::<RowsResult>(ProfileRequest::Rows(rows(view(0))));
    let (csv, _) = page.call::<TextResult>(ProfileRequest::ExportCsv(rows(view(0))));
    assert!(csv.file_name.ends_with(".csv"), "{}", csv.file_name);
    let mut lines = csv.text.split_terminator("\r\n");
    let head = lines.next().unwrap();
    assert_eq!(head.split(',').count(), 5 + 2 * top.metrics as usize, "{head}");
    let lines: Vec<&str> = lines.collect();
    assert_eq!(lines.len(), top.rows.len());
    for (index, (line, row)) in lines.iter().zip(&top.rows).enumerate() {
        assert!(line.contains(&row.name.replace('"', "\"\"")), "{line} is not {row:?}");
        let last = (index + 1) * top.metrics as usize - 1;
        let total = values.i64("total_value")[last].to_string();
        assert_eq!(line.rsplit(',').next(), Some(total.as_str()), "{line}");
    }
}

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

    let bad = "or[der";
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
        let what = String::from_utf8_lossy(&bytes[..bytes.len().min(60)]).into_owned();
        page.socket.send(Message::binary(bytes)).unwrap();
        let (id, answer) = page.answer();
        let error = answer.err().unwrap_or_else(|| panic!("{what:?} was answered"));
        assert_eq!((id, error.code), (0, ErrorCode::BadRequest), "{what:?}");
        assert_eq!(page.documents().len(), 1, "after {what:?}");
    }
    // Text is no frame; it is passed over.
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
    let document = page.upload(1, "photo.png", &[b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", &[0xff; 900]]);
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

/// The view of a role of the reuse sample, narrowed by nodes of other roles.
fn at_role(role: u32, chosen: &[(u32, &[u32])]) -> ViewSpec {
    let chosen = chosen.iter().map(|&(role, path)| ChosenNode {
        role,
        shape: Shape::TopDown {},
        path: path.to_vec(),
    });
    ViewSpec { role: Some(RoleView { role, chosen: chosen.collect() }), ..view(0) }
}

/// The names from below the program down to the first leaf of a view, and their keys.
fn first_path(page: &mut Page, view: &ViewSpec) -> (Vec<String>, Vec<u32>) {
    let first = NodeParams { view: view.clone(), instance: None, node: 0 };
    let (path, _) = page.call::<NodesResult>(ProfileRequest::HottestPath(first));
    let params =
        NodeParams { view: view.clone(), instance: Some(path.instance), node: path.nodes[3] };
    let (details, _) = page.call::<DetailsResult>(ProfileRequest::Details(params));
    details.path.into_iter().map(|node| (node.name, node.key)).unzip()
}

#[test]
fn linked_views_narrow_each_other() {
    let server = Server::start(&[sample("ezview/reuse.ezview")]);
    let mut page = server.page();
    assert_eq!(page.summary(0).0.roles, ["allocation", "use", "reuse"]);

    let (names, sweep) = first_path(&mut page, &at_role(1, &[]));
    assert_eq!(names, ["THREAD[0]", "main", "sweep"]);
    let total = |page: &mut Page, view: ViewSpec| {
        page.call::<FlameResult>(ProfileRequest::Flame(flame(view))).1.i64("scale")[0]
    };
    assert_eq!(total(&mut page, at_role(2, &[])), 138);
    assert_eq!(total(&mut page, at_role(2, &[(1, &sweep)])), 130, "what sweep used");
    assert_eq!(total(&mut page, at_role(2, &[(1, &[])])), 138, "the whole program");
    assert_eq!(total(&mut page, at_role(2, &[(1, &[sweep[0], 999])])), 0, "no such node");
    let bottom_up = RoleView {
        role: 2,
        chosen: vec![ChosenNode { role: 1, shape: Shape::BottomUp {}, path: vec![sweep[2]] }],
    };
    assert_eq!(total(&mut page, ViewSpec { role: Some(bottom_up), ..view(0) }), 130);

    // Every method goes by the role.
    let narrowed = at_role(2, &[(1, &sweep)]);
    let (found, values) = page.call::<RowsResult>(ProfileRequest::Rows(rows(narrowed.clone())));
    assert_eq!((found.rows[0].name.as_str(), values.i64("scale")), ("THREAD[0]", &[130, 7240][..]));
    let search = SearchParams { view: narrowed.clone(), pattern: "relax".to_owned() };
    let (_, values) = page.call::<SearchResult>(ProfileRequest::Search(search));
    assert_eq!(values.i64("matched"), [90, 130]);
    let (names, _) = first_path(&mut page, &narrowed);
    assert_eq!(names, ["THREAD[0]", "main", "relax"]);
    let focus = Filter { kind: FilterKind::Focus, pattern: "norm".to_owned() };
    let filtered = ViewSpec { filters: vec![focus], ..at_role(0, &[]) };
    assert_eq!(total(&mut page, filtered.clone()), 8, "what norm reuses, where it was allocated");
    let (effects, _) =
        page.call::<FiltersResult>(ProfileRequest::Filters(ViewParams { view: filtered }));
    assert!((effects.filters[0].kept - 8.0 / 138.0).abs() < 1e-9);
}

#[test]
fn pairs_are_ranked_with_their_least_common_ancestor() {
    let server = Server::start(&[sample("ezview/reuse.ezview"), sample("pprof/cpu.pb.gz")]);
    let mut page = server.page();
    let pairs = |view: ViewSpec, first: u32, second: u32, count: u32| {
        ProfileRequest::Pairs(PairsParams { view, first, second, count })
    };
    let (found, values) = page.call::<PairsResult>(pairs(view(0), 1, 2, 2));
    assert_eq!((found.total_pairs, found.pairs.len()), (3, 2));
    assert_eq!(values.i64("value"), [90, 7200, 40, 40], "a metric after the other");
    assert_eq!(values.i64("pairs_total"), [138, 103_240]);
    assert_eq!(values.i64("program_total"), [138, 103_240]);
    let PairInfo { first, second, ancestor, .. } = &found.pairs[0];
    assert_eq!((first.name.as_str(), first.line), ("sweep", 41));
    assert_eq!((second.name.as_str(), second.line), ("relax", 58));
    let ancestor = ancestor.as_ref().unwrap();
    assert_eq!((ancestor.name.as_str(), ancestor.first_line), ("main", 12));

    // The path of a context is that of its node, and narrows another ranking.
    let (nodes, _) = page.call::<LocateResult>(ProfileRequest::Locate(LocateParams {
        view: at_role(1, &[]),
        path: first.path.clone(),
    }));
    assert_eq!(nodes.nodes.last().unwrap().name, "sweep");
    let narrowed = at_role(0, &[(1, &first.path)]);
    let (found, _) = page.call::<PairsResult>(pairs(narrowed, 0, 2, 10));
    assert_eq!(found.total_pairs, 2);

    let twice = at_role(1, &[(0, &[1]), (0, &[2])]);
    for request in [
        pairs(view(0), 1, 1, 10),
        pairs(view(0), 0, 3, 10),
        pairs(view(1), 0, 1, 10),
        ProfileRequest::Flame(flame(at_role(3, &[]))),
        ProfileRequest::Flame(flame(at_role(1, &[(1, &[1])]))),
        ProfileRequest::Flame(flame(twice)),
        ProfileRequest::Flame(flame(ViewSpec { document: 1, ..at_role(0, &[]) })),
    ] {
        let error = page.try_call::<serde_json::Value>(request, vec![]).err().unwrap();
        assert_eq!(error.code, ErrorCode::BadRequest);
        assert!(!error.hint.is_empty(), "{error}");
    }
}

/// A comparison answers everything that a profile does, and says of every node how it changed.
#[test]
fn a_comparison_answers_like_a_profile() {
    let server = Server::start(&[sample("runs/before-1.pb.gz"), sample("runs/after-1.pb.gz")]);
    let mut page = server.page();
    let compare = |base: Vec<u32>, new: Vec<u32>, normalise: Normalise| {
        ProfileRequest::Compare(CompareParams { base, new, normalise, noise: 0.0 })
    };
    let opened = page.call::<OpenedResult>(compare(vec![0], vec![1], Normalise::Absolute {})).0;
    assert_eq!(opened.document, 2);
    let (summary, totals) = page.summary(2);
    let comparison = summary.comparison.unwrap();
    assert_eq!((&*comparison.base, &*comparison.new), ("before-1.pb.gz", "after-1.pb.gz"));
    assert!(!comparison.tested, "one run on a side says nothing of noise");
    let time = comparison.metrics.iter().find(|metric| metric.name == "cpu").unwrap();
    let of = |metric: u32| totals.i64("total")[metric as usize];
    let [alone, other] = [0, 1].map(|document| page.summary(document).1.i64("total")[1]);
    assert_eq!((of(time.base), of(time.new), of(time.both)), (alone, other, alone + other));

    for metric in [time.base, time.new, time.both, time.change, time.ratio] {
        let compared = ViewSpec { metric, ..view(2) };
        let (boxes, columns) =
            page.call::<FlameResult>(ProfileRequest::Flame(flame(compared.clone())));
        assert!(!boxes.names.is_empty());
        let tags = columns.u32("tag");
        assert_eq!(tags.len(), columns.u32("node").len());
        for (index, tag) in tags.iter().enumerate() {
            let (base, new) = (columns.i64("base_value")[index], columns.i64("new_value")[index]);
            let expected = match (base, new) {
                _ if columns.u32("merged")[index] > 0 => 0,
                (base, new) if base == new => 5,
                (0, _) => 1,
                (_, 0) => 2,
                (base, new) if new > base => 3,
                _ => 4,
            };
            assert_eq!(*tag, expected, "{base} and {new}");
        }
        let (table, values) = page.call::<RowsResult>(ProfileRequest::Rows(rows(compared.clone())));
        assert!(table.rows.iter().all(|row| row.tag.is_some()));
        let stride = table.metrics as usize;
        for row in values.i64("total_value").chunks(stride) {
            let of = |metric: u32| row[metric as usize];
            assert_eq!(of(time.both), of(time.base) + of(time.new));
            // Formulas of times are told to a thousandth.
            assert_eq!(of(time.change), (of(time.new) - of(time.base)) * 1000);
        }
        let node = NodeParams { view: compared.clone(), instance: None, node: 0 };
        let (details, _) = page.call::<DetailsResult>(ProfileRequest::Details(node.clone()));
        assert_eq!(details.change.unwrap().tag, ChangeTag::Smaller);
        let pattern = "memeqbody".to_owned();
        let search = SearchParams { view: compared.clone(), pattern };
        assert_eq!(page.call::<SearchResult>(ProfileRequest::Search(search)).0.matches, 1);
        let (csv, _) = page.call::<TextResult>(ProfileRequest::ExportCsv(rows(compared.clone())));
        assert!(csv.text.starts_with("depth,name,file,line,module,change,"), "{}", csv.text);
        assert!(csv.text.contains(",[-],") && !csv.text.contains("-9223372036854775808"));
    }
    // At equal totals nothing is lost or won in all.
    let equal = page.call::<OpenedResult>(compare(vec![0], vec![1], Normalise::Total {})).0;
    let (_, totals) = page.summary(equal.document);
    let [base, new] = [time.base, time.new].map(|metric| totals.i64("total")[metric as usize]);
    assert!((base - new).abs() < 1_000_000, "{base} and {new}");
    assert_eq!(
        page.refused(compare(vec![], vec![1], Normalise::Absolute {})),
        ErrorCode::BadRequest
    );
    // Another scale of the same comparison: made once, and back is where one came from.
    let rescale = |document: u32, normalise: Normalise| {
        ProfileRequest::Normalise(NormaliseParams { document, normalise })
    };
    let total = page.call::<OpenedResult>(rescale(2, Normalise::Total {})).0.document;
    assert_eq!(page.call::<OpenedResult>(rescale(2, Normalise::Total {})).0.document, total);
    assert_eq!(page.call::<OpenedResult>(rescale(total, Normalise::Absolute {})).0.document, 2);
    let totals = page.summary(total).1;
    let [base, new] = [time.base, time.new].map(|metric| totals.i64("total")[metric as usize]);
    assert!((base - new).abs() < 1_000_000, "{base} and {new}");
    let frame = || Normalise::Frame { pattern: "^main.archive$".to_owned() };
    let framed = page.call::<OpenedResult>(rescale(total, frame())).0.document;
    assert_eq!(page.summary(framed).0.comparison.unwrap().normalise, frame());
    let archive = Filter { kind: FilterKind::Focus, pattern: "^main.archive$".to_owned() };
    let mut of = |metric: u32| {
        let view = ViewSpec { metric, filters: vec![archive.clone()], ..view(framed) };
        page.call::<FlameResult>(ProfileRequest::Flame(flame(view))).1.i64("total_value")[0]
    };
    let (base, new) = (of(time.base), of(time.new));
    assert!((base - new).abs() as f64 <= 1e-6 * base as f64, "{base} and {new}");
    assert_eq!(page.refused(rescale(0, Normalise::Total {})), ErrorCode::BadRequest);
    let bad = Normalise::Frame { pattern: "(".to_owned() };
    assert_eq!(page.refused(compare(vec![0], vec![1], bad)), ErrorCode::BadPattern);
}

#[test]
fn documents_add_up_to_one_whose_members_they_are() {
    let server = Server::start(&[sample("runs/before-1.pb.gz"), sample("runs/after-1.pb.gz")]);
    let mut page = server.page();
    let node = |document: u32, metric: u32| NodeParams {
        view: ViewSpec { metric, ..view(document) },
        instance: None,
        node: 0,
    };
    // One profile is no distribution.
    assert_eq!(page.refused(ProfileRequest::Distribution(node(0, 1))), ErrorCode::BadRequest);
    let merge = ProfileRequest::Merge(MergeParams { documents: vec![0, 1] });
    let merged = page.call::<OpenedResult>(merge).0.document;
    let [first, second] = [0, 1].map(|document| page.summary(document).1.i64("total")[1]);
    let (spread, values) =
        page.call::<DistributionResult>(ProfileRequest::Distribution(node(merged, 1)));
    assert_eq!(values.i64("total_value"), [first, second]);
    assert_eq!(spread.members.len(), 2);
    assert_eq!(values.u32("counts").iter().sum::<u32>() + spread.beyond, 2);
    let figures = spread.figures.unwrap();
    assert_eq!(figures.mean, (first + second) as f64 / 2.0);

    // A formula is a metric of every view, once it is defined; the same one is defined once.
    let define = |formula: &str| {
        let (name, formula) = (String::new(), formula.to_owned());
        ProfileRequest::DefineMetric(DefineMetricParams { document: merged, name, formula })
    };
    let metric = page.call::<MetricResult>(define("max_of(cpu)")).0.metric;
    assert_eq!(page.call::<MetricResult>(define("max_of( cpu )")).0.metric, metric);
    let (summary, totals) = page.summary(merged);
    assert_eq!(summary.metrics[metric as usize].formula.as_deref(), Some("max_of(cpu)"));
    assert_eq!(totals.i64("total")[metric as usize], first.max(second) * 1000);
    let by_formula = ViewSpec { metric, ..view(merged) };
    let (_, boxes) = page.call::<FlameResult>(ProfileRequest::Flame(flame(by_formula.clone())));
    assert_eq!(boxes.i64("total_value")[0], first.max(second) * 1000);
    assert!(boxes.u32("tag").is_empty(), "nothing is compared");
    page.call::<RowsResult>(ProfileRequest::Rows(rows(by_formula.clone())));
    let svg = ExportSvgParams {
        view: by_formula,
        instance: None,
        root: 0,
        width: 900.0,
        dark: false,
        colour: ColourBy::Change,
        search: String::new(),
    };
    page.call::<TextResult>(ProfileRequest::ExportSvg(svg));
    assert_eq!(page.refused(define("max_of(cpu")), ErrorCode::BadFormula);
    let beyond = ViewSpec { metric: metric + 1, ..view(merged) };
    assert_eq!(page.refused(ProfileRequest::Flame(flame(beyond.clone()))), ErrorCode::BadRequest);
    assert_eq!(page.refused(ProfileRequest::Rows(rows(beyond))), ErrorCode::BadRequest);
}
