//! The loopback server of `hotframe open`, over plain sockets: who is let in, and what every
//! method of the protocol answers.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
#![allow(clippy::print_stderr, reason = "a check that is left out says so")]

mod comparisons;
mod documents;
mod entrance;
#[cfg(target_os = "linux")]
mod experiments;
mod exports;
mod flame;
mod found;
mod instructions;
mod linked;
mod page;
mod refusals;
mod rows;
mod runs;
mod sources;
mod uploads;

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use tungstenite::HandshakeError;
use tungstenite::client::IntoClientRequest as _;
use tungstenite::http::{HeaderValue, StatusCode};

use page::Page;

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
        Server::start_with(files, &[])
    }

    fn start_with(files: &[PathBuf], options: &[&str]) -> Server {
        Server::start_in(files, options, None)
    }

    /// With a store of its own.
    fn start_in(files: &[PathBuf], options: &[&str], store: Option<&Path>) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_hotframe"))
            .envs(store.map(|store| ("HOTFRAME_STORE", store)))
            .arg("open")
            .args(files)
            .arg("--no-browser")
            .args(options)
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

fn cpu() -> Server {
    Server::start(&[sample("pprof/cpu.pb.gz")])
}
