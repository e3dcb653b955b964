//! Standard output and standard error of a command, which can be captured.

use std::cell::RefCell;
use std::io::{self, IsTerminal as _, Write};

use super::harmless::Harmless;

/// What a command wrote.
#[derive(Debug, Default)]
pub(crate) struct Captured {
    /// To standard output.
    pub(crate) out: Vec<u8>,
    /// To standard error.
    pub(crate) error: Vec<u8>,
}

/// Most bytes of either that are captured.
const MOST: usize = 64 << 20;

thread_local! {
    static CAPTURED: RefCell<Option<Captured>> = const { RefCell::new(None) };
}

/// Runs a command on this thread and captures what it writes.
pub(crate) fn captured<T>(command: impl FnOnce() -> T) -> (T, Captured) {
    let before = CAPTURED.replace(Some(Captured::default()));
    /// Gives the streams back, also where the command panics.
    struct Back(Option<Option<Captured>>);
    impl Drop for Back {
        fn drop(&mut self) {
            if let Some(before) = self.0.take() {
                CAPTURED.set(before);
            }
        }
    }
    let mut back = Back(Some(before));
    let done = command();
    let written = CAPTURED.replace(back.0.take().flatten());
    (done, written.unwrap_or_default())
}

/// Standard output: as it is for programs, [`Harmless`] at a terminal, whatever the format.
pub(crate) fn stdout() -> Box<dyn Write> {
    if is_captured() {
        return Box::new(Capture(|written| &mut written.out));
    }
    let out = io::stdout().lock();
    if out.is_terminal() { Box::new(Harmless::new(out)) } else { Box::new(out) }
}

/// Whether a person sees standard output.
pub(crate) fn is_terminal() -> bool {
    !is_captured() && io::stdout().is_terminal()
}

/// Standard error.
pub(crate) fn stderr() -> Box<dyn Write> {
    if is_captured() {
        return Box::new(Capture(|written| &mut written.error));
    }
    Box::new(io::stderr().lock())
}

fn is_captured() -> bool {
    CAPTURED.with_borrow(Option::is_some)
}

/// A stream that is captured.
struct Capture(fn(&mut Captured) -> &mut Vec<u8>);

impl Write for Capture {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        CAPTURED.with_borrow_mut(|captured| {
            let Some(written) = captured else { return Ok(bytes.len()) };
            let stream = self.0(written);
            if stream.len() + bytes.len() > MOST {
                return Err(io::Error::other("the answer is too large: ask for fewer rows"));
            }
            stream.extend_from_slice(bytes);
            Ok(bytes.len())
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_command_writes_is_captured() {
        let (inner, outer) = captured(|| {
            write!(stdout(), "a").unwrap();
            let (_, inner) = captured(|| write!(stderr(), "b").unwrap());
            write!(stdout(), "c").unwrap();
            inner
        });
        assert_eq!((outer.out, outer.error), (b"ac".to_vec(), vec![]));
        assert_eq!((inner.out, inner.error), (vec![], b"b".to_vec()));
        assert!(!is_captured());
    }

    #[test]
    fn streams_are_given_back_after_a_panic() {
        let panicked = std::panic::catch_unwind(|| captured(|| panic!("on purpose")));
        assert!(panicked.is_err() && !is_captured());
    }

    #[test]
    fn an_answer_has_an_end() {
        let piece = vec![b'x'; 1 << 20];
        let (result, _) = captured(|| (0..=64).try_for_each(|_| stdout().write_all(&piece)));
        assert!(result.unwrap_err().to_string().contains("too large"));
    }
}
