//! What only queues in folders have to do with: clocks, disks, damaged files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use jobs::{Connect, Error, FolderStore, Hash, JobStore, Outcome, Phase, Which, open};

use crate::folder::FolderQueue;
use crate::queue::{LEASE, Queue, claimed, done, ends, job, nothing, phase, retry};

#[test]
fn leases_do_not_follow_the_wall_clock() {
    let queue = FolderQueue::new();
    let store = queue.open();
    store.add(&[job(1), job(2)]).unwrap();
    let first = claimed(&*store, "a");
    let second = claimed(&*store, "b");
    store.finish(&second, retry("trouble")).unwrap();
    const DAY: i64 = 86_400_000_000_000;
    for jump in [DAY, -30 * DAY, 20 * 365 * DAY] {
        queue.clock.change(|now| now.wall += jump);
        nothing(&*store, "c");
        store.beat(&first, &jobs::Progress::default()).map(drop).unwrap();
    }
    queue.pass(Duration::from_millis(1100));
    assert_eq!(claimed(&*store, "c").job.place, 2);
    nothing(&*store, "d");
    queue.pass(Duration::from_millis(1000));
    assert_eq!(claimed(&*store, "d").attempt, 2);
}

#[test]
fn another_start_of_the_machine_ends_all_leases() {
    let queue = FolderQueue::new();
    let store = queue.open();
    store.add(&[job(1), job(2), job(3)]).unwrap();
    claimed(&*store, "a");
    let delayed = claimed(&*store, "a2");
    store.finish(&delayed, retry("trouble")).unwrap();
    let late = claimed(&*store, "a3");
    // Time since the start begins anew, so that no lease would end for long.
    queue.clock.change(|now| {
        now.boot = "another".to_owned();
        now.up = Duration::from_secs(1);
    });
    assert_eq!(store.workers().unwrap(), []);
    for place in [1, 2] {
        let claim = claimed(&*store, "b");
        assert_eq!((claim.job.place, claim.attempt), (place, 2));
        store.finish(&claim, done()).unwrap();
    }
    // Nobody took this one yet.
    store.finish(&late, done()).unwrap();
    nothing(&*store, "b");
    assert_eq!(ends(&*store, "b").len(), 3);
}

#[test]
fn damaged_blobs_are_reported_and_mended() {
    let queue = FolderQueue::new();
    let store = queue.open();
    let blob = vec![5; 200_000];
    let hash = store.put(&mut blob.as_slice()).unwrap();
    let digits = hash.to_string();
    let file = queue.folder.path().join("blobs").join(&digits[..2]).join(&digits[2..]);
    let whole = fs::read(&file).unwrap();
    assert!(whole == blob);
    let torn = whole[..100_000].to_vec();
    let mut changed = whole.clone();
    changed[150_000] ^= 1;
    for damage in [torn, changed, vec![]] {
        fs::write(&file, damage).unwrap();
        let damaged = store.get(&hash, &mut vec![]);
        assert!(matches!(damaged, Err(Error::Damaged { .. })), "{damaged:?}");
        assert_eq!(store.put(&mut blob.as_slice()).unwrap(), hash);
        assert_eq!(store.get(&hash, &mut vec![]).unwrap(), 200_000);
    }
}

#[test]
fn what_was_left_unfinished_is_deleted() {
    let queue = FolderQueue::new();
    drop(queue.open());
    let blobs = queue.folder.path().join("blobs");
    let [old, held] = ["old", "held"].map(|name| blobs.join(format!(".new-{name}")));
    let long_ago = std::time::SystemTime::now() - Duration::from_secs(3600);
    let files = [&old, &held].map(|file| fs::File::create(file).unwrap());
    files.iter().for_each(|file| file.set_modified(long_ago).unwrap());
    files[1].lock().unwrap();
    drop(queue.open());
    assert_eq!((old.exists(), held.exists()), (false, true));
}

#[test]
fn queues_of_other_versions_are_refused() {
    let queue = FolderQueue::new();
    drop(queue.open());
    let file = queue.folder.path().join("queue.sqlite");
    let mut bytes = fs::read(&file).unwrap();
    // The user version, as SQLite's file format has it.
    bytes[60..64].copy_from_slice(&99_u32.to_be_bytes());
    fs::write(&file, &bytes).unwrap();
    let refused = FolderStore::open(queue.folder.path()).map(drop).unwrap_err();
    let Error::Version { found, .. } = &refused else { panic!("{refused}") };
    assert_eq!(found, "99");
    fs::write(
        &file,
        "this is not a database, but it is long enough to have a header of one\n".repeat(99),
    )
    .unwrap();
    let refused = FolderStore::open(queue.folder.path()).map(drop).unwrap_err();
    assert!(matches!(refused, Error::Damaged { .. }), "{refused:?}");
}

#[test]
fn addresses_say_what_they_are() {
    let refused = open("http://localhost", &Connect::default()).map(drop).unwrap_err();
    assert!(refused.to_string().contains("nats://"), "{refused}");
    if !cfg!(feature = "nats") {
        let refused = open("nats://localhost", &Connect::default()).map(drop).unwrap_err();
        assert!(refused.to_string().contains("feature `nats`"), "{refused}");
    }
}

/// Where the process below finds its small disk.
const DISK: &str = "HOTFRAME_TEST_DISK";

#[test]
fn a_full_disk_is_reported_and_nothing_is_half_written() {
    let folder = tempfile::tempdir().unwrap();
    let this = std::env::current_exe().unwrap();
    let script = "mount -t tmpfs -o size=3m small \"$1\" || exit 77; \
        exec \"$2\" --exact another_process --nocapture";
    let mut command = Command::new("unshare");
    command.args(["-m", "sh", "-c", script, "sh"]).arg(folder.path()).arg(this);
    let output = command.env(DISK, folder.path()).output();
    let output = output.expect("unshare of util-linux starts");
    let told = String::from_utf8_lossy(&output.stderr);
    if output.status.code() == Some(77) || told.contains("unshare failed") {
        println!("left out: a small disk can be mounted by root alone: {told}");
        return;
    }
    assert!(output.status.success(), "{}{told}", String::from_utf8_lossy(&output.stdout));
}

/// What the process does that has a small disk.
pub(crate) fn on_a_small_disk() {
    let Some(disk) = std::env::var_os(DISK).map(PathBuf::from) else { return };
    let store = FolderStore::open(&disk.join("queue")).unwrap();
    store.add(&[job(1), job(2)]).unwrap();
    let claim = store.claim(&crate::queue::worker("w"), LEASE * 1000).unwrap().unwrap();
    let small = store.put(&mut b"small".as_slice()).unwrap();
    let large = vec![9; 400_000];
    // Everything that is left, down to the last byte.
    let filler = disk.join("filler");
    fill(&filler);
    let put = store.put(&mut large.as_slice());
    assert!(matches!(put, Err(Error::Full { .. })), "{put:?}");
    assert!(!store.has(&Hash::new(&large)).unwrap());
    let facts = vec![7; 250_000];
    let outcome = Outcome::Done { result: vec![], facts };
    let finished = store.finish(&claim, outcome.clone());
    assert!(matches!(finished, Err(Error::Full { .. })), "{finished:?}");
    let added = store.add(&(10..5000).map(job).collect::<Vec<_>>());
    assert!(matches!(added, Err(Error::Full { .. })), "{added:?}");
    let opened = FolderStore::open(&disk.join("second")).map(drop);
    assert!(matches!(opened, Err(Error::Full { .. })), "{opened:?}");
    // What is there can be read, here and by others.
    for store in [&store, &FolderStore::open(&disk.join("queue")).unwrap()] {
        assert_eq!(store.counts("b", Which::All).unwrap().all(), 2);
        assert!(matches!(phase(store, &claim.job.key), Phase::Running { .. }));
        assert_eq!(store.get(&small, &mut vec![]).unwrap(), 5);
    }
    fs::remove_file(filler).unwrap();
    store.finish(&claim, outcome).unwrap();
    assert_eq!(ends(&store, "b").len(), 1);
    assert_eq!(store.put(&mut large.as_slice()).unwrap(), Hash::new(&large));
    let unfinished = fs::read_dir(disk.join("queue/blobs")).unwrap();
    let left = unfinished
        .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().starts_with('.'));
    assert_eq!(left.count(), 0);
}

fn fill(file: &Path) {
    use std::io::Write as _;

    let mut file = fs::File::create(file).unwrap();
    for size in [65_536, 4096, 1] {
        let piece = vec![1; size];
        while file.write_all(&piece).is_ok() {}
    }
}
