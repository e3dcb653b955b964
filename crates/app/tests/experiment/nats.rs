//! One plan over several workers that share a NATS server.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use crate::{Trial, said};

struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The server that the setup brought, or one on PATH.
fn program() -> Option<PathBuf> {
    let own = std::env::var_os("HOTFRAME_NATS_SERVER").map(PathBuf::from);
    let tools = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("../tools/nats-server");
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&paths).map(|path| path.join("nats-server"));
    own.into_iter().chain([tools]).chain(on_path).find(|path| path.is_file())
}

fn left_out(why: &str) {
    eprintln!("left out: {why}");
    assert!(std::env::var_os("CI").is_none(), "{why}");
}

#[test]
fn two_workers_make_the_document_that_one_makes() {
    let Some(program) = program() else { return left_out("nats-server is not here") };
    let script = "printf 'main;work %s\\n' $1 > out.txt\n";
    let plan = "command = [\"sh\", \"p.sh\", \"{size}\"]\nruns = 3\nrecorder = \"file\"\n\
                file = \"out.txt\"\n[matrix]\nsize = [1, 2, 3]\n";
    let trial = Trial::shell("nats", script, plan);
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let address = format!("nats://127.0.0.1:{port}");
    let mut server = Command::new(program);
    server.args(["-a", "127.0.0.1", "-p", &port.to_string(), "-js", "-sd"]);
    let server = server.arg(trial.folder.join("jetstream")).stderr(Stdio::null()).spawn().unwrap();
    let _server = Server(server);
    let until_there = || std::net::TcpStream::connect(("127.0.0.1", port)).is_ok();
    crate::until("the server", until_there);
    let workers = [1, 2].map(|number| {
        let store = trial.folder.join(format!("store-{number}"));
        let mut worker =
            trial.command(&["experiment", "worker", "--queue", &address, "--idle", "20"]);
        Server(worker.env("HOTFRAME_STORE", store).spawn().unwrap())
    });
    let output = trial.run(&["experiment", "run", "plan.toml", "--queue", &address]);
    let told = said(&output);
    if told.contains("feature") {
        return left_out(&told);
    }
    assert!(output.status.success(), "{told}");
    let cells = ["size=1", "size=2", "size=3"];
    let found = trial.found();
    found.holds(&cells, 3);
    let total = found.profile.metric_total(profile::MetricId(0));
    let mut seen: Vec<&str> =
        found.names().iter().filter_map(|run| found.fact(run, "worker")).collect();
    seen.sort_unstable();
    seen.dedup();
    // Who is faster gets more, perhaps all.
    assert!(!seen.is_empty() && seen.len() <= 2, "{seen:?}");
    // The same plan on this machine alone.
    let (ok, told) = trial.experiment(&["-o", "alone.hotframe"]);
    assert!(ok, "{told}");
    let alone = crate::result::Found::read(&trial.path("alone.hotframe"));
    alone.holds(&cells, 3);
    assert_eq!(alone.profile.metric_total(profile::MetricId(0)), total);
    let levels = |found: &crate::result::Found| -> Vec<Option<String>> {
        found.names().iter().map(|run| found.fact(run, "size").map(str::to_owned)).collect()
    };
    assert_eq!(levels(&alone), levels(&found));
    drop(workers);
}
