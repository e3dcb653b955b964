//! Workers that are processes of their own: this test binary, started once more.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use jobs::{Connect, open};

use crate::queue::{LEASE, Queue, claimed, done, ends, job, worker};

/// What a process is to do, and where the queue is.
const ROLE: &str = "HOTFRAME_TEST_ROLE";
const ADDRESS: &str = "HOTFRAME_TEST_QUEUE";

fn start(role: &str, queue: &dyn Queue) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", "another_process", "--nocapture"])
        .env(ROLE, role)
        .env(ADDRESS, queue.address())
        .stdout(Stdio::piped());
    command.spawn().unwrap()
}

/// What such a process does.
pub(crate) fn another() {
    let Ok(role) = std::env::var(ROLE) else { return };
    let store = open(&std::env::var(ADDRESS).unwrap(), &Connect::default()).unwrap();
    match role.as_str() {
        "holds" => {
            let claim = claimed(&*store, "holder");
            println!("\nhas {}", claim.job.place);
            std::thread::sleep(Duration::from_secs(60));
            store.finish(&claim, done()).unwrap();
        }
        _ => {
            let mut count = 0;
            while let Some(claim) = store.claim(&worker(&role), LEASE * 20).unwrap() {
                store.log(&claim, role.as_bytes()).unwrap();
                store.finish(&claim, done()).unwrap();
                count += 1;
            }
            println!("\ndid {count}");
        }
    }
}

/// The first line that begins with a word, without it.
fn line_after(child: &mut Child, word: &str) -> String {
    let mut lines = BufReader::new(child.stdout.as_mut().unwrap()).lines();
    loop {
        let line = lines.next().expect("the process tells").unwrap();
        if let Some(rest) = line.strip_prefix(word) {
            return rest.trim().to_owned();
        }
    }
}

pub(crate) fn a_killed_worker_loses_its_job(queue: &dyn Queue) {
    let store = queue.open();
    store.add(&[job(1), job(2)]).unwrap();
    let mut holder = start("holds", queue);
    assert_eq!(line_after(&mut holder, "has "), "1");
    holder.kill().unwrap();
    holder.wait().unwrap();
    let second = claimed(&*store, "w");
    assert_eq!(second.job.place, 2);
    store.finish(&second, done()).unwrap();
    // The holder's lease is by the machine's clock.
    queue.pass(LEASE + Duration::from_secs(1));
    let first = claimed(&*store, "w");
    assert_eq!((first.job.place, first.attempt), (1, 2));
    store.finish(&first, done()).unwrap();
    assert_eq!(ends(&*store, "b").len(), 2);
}

pub(crate) fn two_processes_share_the_jobs(queue: &dyn Queue) {
    const JOBS: u64 = 300;
    // Both begin with nothing there, and both make it.
    let mut early: Vec<Child> = ["e1", "e2"].map(|role| start(role, queue)).into();
    for child in &mut early {
        assert_eq!(line_after(child, "did "), "0");
        assert!(child.wait().unwrap().success());
    }
    let store = queue.open();
    store.add(&(0..JOBS).map(job).collect::<Vec<_>>()).unwrap();
    let started = Instant::now();
    let mut workers: Vec<Child> = ["p1", "p2"].map(|role| start(role, queue)).into();
    let counts: Vec<u64> =
        workers.iter_mut().map(|child| line_after(child, "did ").parse().unwrap()).collect();
    for mut child in workers {
        let mut rest = String::new();
        child.stdout.take().unwrap().read_to_string(&mut rest).unwrap();
        assert!(child.wait().unwrap().success(), "{rest}");
    }
    assert_eq!(counts.iter().sum::<u64>(), JOBS, "{counts:?} in {:?}", started.elapsed());
    assert!(counts.iter().all(|count| *count > 0), "{counts:?}");
    assert_eq!(ends(&*store, "b").len() as u64, JOBS);
}
