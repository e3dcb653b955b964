//! Who is let in: addresses, tokens, origins, paths.

use std::io::{BufRead as _, BufReader};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};

use tungstenite::http::StatusCode;

use super::{cpu, sample};

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

/// Scripts of people run in a worker, which goes by the policy of its own answer.
#[test]
fn the_worker_of_scripts_reaches_nothing() {
    let server = cpu();
    let answer = server.get("/python/worker.js", &server.own());
    // Python may not be built in.
    if answer.status == 404 {
        assert!(answer.body.contains("cargo xtask page"), "{}", answer.body);
        return;
    }
    // Who does not say that it takes gzip gets the script as it is.
    assert!(!answer.headers.contains_key("content-encoding"), "{:?}", answer.headers);
    assert!(answer.body.contains("postMessage"), "{:.100}", answer.body);
    let policy = &answer.headers["content-security-policy"];
    assert_eq!(answer.headers["content-type"], "text/javascript");
    for rule in ["default-src 'none'", "connect-src 'none'", "worker-src 'none'"] {
        assert!(policy.contains(rule), "{policy}");
    }
    // It may compile WebAssembly, load no script and make none of texts.
    assert!(policy.contains("script-src 'wasm-unsafe-eval';"), "{policy}");
    assert!(!policy.contains("'self'") && !policy.contains("'unsafe-eval'"), "{policy}");
    // Its parts are the same for everyone, and nothing else has a name.
    assert_eq!(server.get("/python/library.zip", &server.own()).status, 200);
    for path in ["/python/index.html", "/python/..%2findex.html", "/python/worker.js.gz"] {
        assert_eq!(server.get(path, &server.own()).status, 404, "{path}");
    }
    assert_eq!(server.get("/python/worker.js", "evil.example").status, 403);
}

/// More connections than a process has descriptors, none of which asks for anything.
#[cfg(target_os = "linux")]
#[test]
fn connections_that_ask_nothing_keep_nobody_out() {
    let server = cpu();
    let answered = server.get("/favicon.svg", &server.own()).status;
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    let many = limit.unwrap_or(1100).min(1100).saturating_sub(100) as usize;
    let idle: Vec<TcpStream> = (0..many).map(|_| server.stream()).collect();
    assert_eq!(server.get("/favicon.svg", &server.own()).status, answered);
    let mut page = server.page();
    assert_eq!(page.documents().len(), 1);
    // The oldest were closed for it, and the rest is after a while.
    let mut closed = 0;
    for mut stream in idle {
        use std::io::Read as _;
        closed += usize::from(matches!(stream.read(&mut [0]), Ok(0) | Err(_)));
    }
    assert_eq!(closed, many);
    assert_eq!(page.documents().len(), 1);
}

#[test]
fn half_a_request_is_not_waited_for_without_end() {
    use std::io::{Read as _, Write as _};
    let server = cpu();
    let mut stream = server.stream();
    write!(stream, "GET / HTTP/1.1\r\nHost: {}\r\n", server.own()).unwrap();
    let started = std::time::Instant::now();
    let mut answer = vec![];
    let _ = stream.read_to_end(&mut answer);
    assert!(started.elapsed() < super::PATIENCE, "it was never closed");
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
