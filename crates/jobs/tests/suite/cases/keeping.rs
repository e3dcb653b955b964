//! Blobs and logs.

use std::io::{self, Read, Write};

use jobs::{Error, Hash, MOST_LOG};

use crate::queue::{Queue, claimed, job};

/// Bytes that look like chance, the same each time.
fn bytes(length: usize) -> Vec<u8> {
    let mut state = 88_172_645_463_325_252_u64;
    (0..length)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state as u8
        })
        .collect()
}

pub(crate) fn blobs_come_back(queue: &dyn Queue) {
    let store = queue.open();
    for length in [0, 1, 65_536, 5_000_000] {
        let blob = bytes(length);
        let hash = store.put(&mut blob.as_slice()).unwrap();
        assert_eq!(hash, Hash::new(&blob));
        assert_eq!(store.put(&mut blob.as_slice()).unwrap(), hash);
        assert!(store.has(&hash).unwrap());
        let mut back = vec![];
        assert_eq!(queue.open().get(&hash, &mut back).unwrap(), length as u64);
        assert!(back == blob, "{length}");
    }
    let none = Hash::new(b"nobody put this");
    assert!(!store.has(&none).unwrap());
    let missing = store.get(&none, &mut vec![]);
    assert!(matches!(missing, Err(Error::Missing { .. })), "{missing:?}");
}

/// A stream that breaks off, or a receiver that does.
struct Broken(usize);

impl Read for Broken {
    fn read(&mut self, piece: &mut [u8]) -> io::Result<usize> {
        if self.0 == 0 {
            return Err(io::Error::other("the stream broke"));
        }
        let length = piece.len().min(self.0);
        piece[..length].fill(3);
        self.0 -= length;
        Ok(length)
    }
}

impl Write for Broken {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::Error::other("the receiver broke"))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub(crate) fn blobs_that_fail_leave_nothing(queue: &dyn Queue) {
    let store = queue.open();
    let broken = store.put(&mut Broken(300_000));
    assert!(matches!(broken, Err(Error::Read(_))), "{broken:?}");
    assert!(!store.has(&Hash::new(&vec![3; 300_000])).unwrap());
    let hash = store.put(&mut b"whole".as_slice()).unwrap();
    let broken = store.get(&hash, &mut Broken(0));
    assert!(matches!(broken, Err(Error::Write(_))), "{broken:?}");
    let mut back = vec![];
    store.get(&hash, &mut back).unwrap();
    assert_eq!(back, b"whole");
}

pub(crate) fn logs_keep_their_end(queue: &dyn Queue) {
    let store = queue.open();
    store.add(&[job(1), job(2)]).unwrap();
    let claim = claimed(&*store, "w");
    let key = claim.job.key;
    assert_eq!(store.read_log(&key, 0).unwrap(), jobs::LogPart::default());
    store.log(&claim, b"").unwrap();
    store.log(&claim, b"one\n").unwrap();
    let part = store.read_log(&key, 0).unwrap();
    assert_eq!((part.bytes.as_slice(), part.next, part.dropped), (&b"one\n"[..], 4, 0));
    store.log(&claim, b"two\n").unwrap();
    let part = store.read_log(&key, part.next).unwrap();
    assert_eq!((part.bytes.as_slice(), part.next), (&b"two\n"[..], 8));
    assert_eq!(store.read_log(&key, 6).unwrap().bytes, b"o\n");
    assert_eq!(store.read_log(&key, 99).unwrap().next, 8);
    // More than is kept, in pieces and at once.
    let mut all = b"one\ntwo\n".to_vec();
    for length in [700_000, 300_000, 300_000, MOST_LOG + 5] {
        let piece = bytes(length);
        store.log(&claim, &piece).unwrap();
        all.extend(piece);
        let part = store.read_log(&key, 0).unwrap();
        let dropped = all.len().saturating_sub(MOST_LOG);
        assert_eq!((part.next, part.dropped), (all.len() as u64, dropped as u64));
        assert!(part.bytes == all[dropped..], "{length}");
    }
    assert_eq!(store.read_log(&claimed(&*store, "w2").job.key, 0).unwrap().next, 0);
    let missing = store.read_log(&jobs::Key::new(b"none"), 0);
    assert!(matches!(missing, Err(Error::Missing { .. })), "{missing:?}");
}
