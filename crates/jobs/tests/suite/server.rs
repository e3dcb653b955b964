//! Queues on a NATS server of their own, and what only these have to do with.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use jobs::{Connect, JobStore, NatsStore};
use tempfile::TempDir;

use crate::queue::Queue;

/// The server's program; none if there is none, which continuous integration does not pass.
pub(crate) fn program() -> Option<PathBuf> {
    const NAME: &str = "nats-server";
    let named = std::env::var_os("HOTFRAME_NATS_SERVER").map(PathBuf::from);
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let target = target.unwrap_or_else(|| here.join("../../target"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let places = [target.join("tools").join(NAME)].into_iter();
    let places = places.chain(std::env::split_paths(&path).map(|folder| folder.join(NAME)));
    let found = named.or_else(|| places.into_iter().find(|file| file.is_file()));
    if found.is_none() {
        let is_continuous = std::env::var("CI").is_ok_and(|value| value == "true");
        assert!(!is_continuous, "there is no {NAME}: `cargo xtask setup` gets it");
        println!("left out: there is no {NAME}; `cargo xtask setup` gets it");
    }
    found
}

/// A server with a queue.
pub(crate) struct ServerQueue {
    program: PathBuf,
    folder: TempDir,
    port: u16,
    /// Further lines of its configuration.
    more: Mutex<String>,
    running: Mutex<Option<Child>>,
}

impl ServerQueue {
    /// None where there is no server.
    pub(crate) fn new() -> Option<ServerQueue> {
        ServerQueue::with(|_| String::new())
    }

    /// The same with further lines of configuration, which may name files in its folder.
    pub(crate) fn with(more: impl FnOnce(&Path) -> String) -> Option<ServerQueue> {
        let program = program()?;
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = free.local_addr().unwrap().port();
        let folder = tempfile::tempdir().unwrap();
        let more = Mutex::new(more(folder.path()));
        let queue = ServerQueue { program, folder, port, more, running: Mutex::new(None) };
        drop(free);
        queue.start();
        Some(queue)
    }

    pub(crate) fn start(&self) {
        let folder = self.folder.path();
        let file = folder.join("server.conf");
        let store = folder.join("store");
        let text = format!(
            "listen: \"127.0.0.1:{}\"\njetstream: {{ store_dir: \"{}\" }}\n{}\n",
            self.port,
            store.display(),
            self.more.lock().unwrap()
        );
        fs::write(&file, text).unwrap();
        let mut command = Command::new(&self.program);
        command.arg("-c").arg(file).arg("-l").arg(folder.join("log"));
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        *self.running.lock().unwrap() = Some(child);
        let until = Instant::now() + Duration::from_secs(20);
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(Instant::now() < until, "the server does not start: {}", self.log());
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Ends it as a crash would.
    pub(crate) fn kill(&self) {
        if let Some(mut child) = self.running.lock().unwrap().take() {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }

    /// Ends it and starts it with other lines.
    pub(crate) fn start_with(&self, more: String) {
        self.kill();
        *self.more.lock().unwrap() = more;
        self.start();
    }

    pub(crate) fn connect(&self, connect: &Connect) -> Result<NatsStore, jobs::Error> {
        NatsStore::open(&self.address(), connect)
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }
}

impl Drop for ServerQueue {
    fn drop(&mut self) {
        self.kill();
    }
}

impl Queue for ServerQueue {
    fn open(&self) -> Box<dyn JobStore> {
        Box::new(self.connect(&Connect::default()).unwrap())
    }

    fn pass(&self, time: Duration) {
        thread::sleep(time);
    }

    fn address(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }
}
