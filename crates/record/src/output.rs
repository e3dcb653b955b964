//! What a command says, where it does not go on to a terminal.

use std::collections::VecDeque;
use std::io::{self, PipeReader, Read as _};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use std::sync::Arc;

/// Takes standard output and standard error of a command, as one. The first and the last bytes are
/// kept; a command that says more goes on as fast as it would, and what lies between is counted.
#[derive(Debug, Default)]
pub struct Output {
    kept: Mutex<Kept>,
}

/// What was said.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Said {
    /// The first bytes.
    pub first: Vec<u8>,
    /// How many bytes after these are not kept.
    pub left_out: u64,
    /// The last bytes.
    pub last: Vec<u8>,
}

#[derive(Debug, Default)]
struct Kept {
    first: Vec<u8>,
    last: VecDeque<u8>,
    left_out: u64,
}

/// Bytes of each of the two parts that are kept.
const PART: usize = 64 << 10;

/// Who left something behind that still writes is waited for so long.
const AFTER: Duration = Duration::from_millis(200);

impl Output {
    /// What was said until now.
    pub fn said(&self) -> Said {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        Said {
            first: kept.first.clone(),
            left_out: kept.left_out,
            last: kept.last.iter().copied().collect(),
        }
    }

    /// What was said after a position in bytes and is kept, and the position to go on at.
    pub fn after(&self, position: u64) -> (Vec<u8>, u64) {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let first = kept.first.len() as u64;
        let last = first + kept.left_out;
        let mut said = kept.first[position.min(first) as usize..].to_vec();
        let skipped = position.saturating_sub(last).min(kept.last.len() as u64);
        said.extend(kept.last.iter().skip(skipped as usize));
        (said, last + kept.last.len() as u64)
    }

    fn take(&self, mut bytes: &[u8]) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let room = PART - kept.first.len();
        if room > 0 {
            let (first, rest) = bytes.split_at(bytes.len().min(room));
            kept.first.extend_from_slice(first);
            bytes = rest;
        }
        kept.last.extend(bytes);
        let more = kept.last.len().saturating_sub(PART);
        kept.last.drain(..more);
        kept.left_out += more as u64;
    }

    /// Makes a command say everything to this; to be followed once it was started.
    ///
    /// # Errors
    /// There are too many open files.
    pub fn connect(command: &mut Command) -> io::Result<PipeReader> {
        let (reader, writer) = io::pipe()?;
        command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
        Ok(reader)
    }

    /// Reads until everybody who has it open is gone.
    pub fn follow(self: &Arc<Output>, mut from: PipeReader) -> Following {
        let (done, end) = channel();
        let output = Arc::clone(self);
        thread::spawn(move || {
            let mut piece = vec![0; PART];
            while let Ok(read) = from.read(&mut piece)
                && read > 0
            {
                output.take(&piece[..read]);
            }
            let _ = done.send(());
        });
        Following(end)
    }
}

impl Said {
    /// As a text, with a line on what is left out.
    pub fn text(&self) -> String {
        let [first, last] = [&self.first, &self.last].map(|part| String::from_utf8_lossy(part));
        match self.left_out {
            0 => format!("{first}{last}"),
            bytes => format!("{first}\n[{bytes} bytes are left out here]\n{last}"),
        }
    }
}

/// A reading that goes on.
#[derive(Debug)]
pub struct Following(Receiver<()>);

impl Following {
    /// Waits for its end, and not long for those that were left behind.
    pub fn finish(self) {
        let _ = self.0.recv_timeout(AFTER);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(script: &str) -> Said {
        let output = Arc::new(Output::default());
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        let reader = Output::connect(&mut command).unwrap();
        let mut child = command.spawn().unwrap();
        drop(command);
        let following = output.follow(reader);
        child.wait().unwrap();
        following.finish();
        output.said()
    }

    #[test]
    fn both_ends_are_kept_and_what_lies_between_is_counted() {
        let all = said("echo a; echo b >&2");
        assert_eq!((all.text().as_str(), all.left_out), ("a\nb\n", 0));
        let much = said("yes 1234567 | head -c 1000000; echo end");
        assert_eq!(much.first.len() + much.last.len() + much.left_out as usize, 1_000_004);
        assert!(much.last.ends_with(b"end\n") && much.first.starts_with(b"1234567\n"));
        let output = Output::default();
        output.take(&vec![b'a'; 3 * PART]);
        let (said, next) = output.after(0);
        assert_eq!((said.len(), next), (2 * PART, 3 * PART as u64));
        output.take(b"end");
        assert_eq!(output.after(next), (b"end".to_vec(), next + 3));
        assert!(much.text().contains("868932 bytes are left out here"), "{}", much.left_out);
    }

    #[test]
    fn what_is_left_behind_is_not_waited_for() {
        let start = std::time::Instant::now();
        assert_eq!(said("echo a; sleep 20 &").text(), "a\n");
        assert!(start.elapsed() < Duration::from_secs(10));
    }
}
