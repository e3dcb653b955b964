//! Standard output and standard error of a command, which somebody else may take.

use std::cell::RefCell;
use std::io::{self, IsTerminal as _, Write};

use super::harmless::Harmless;

/// What a command wrote.
#[derive(Debug, Default)]
pub(crate) struct Written {
    /// To standard output.
    pub(crate) out: Vec<u8>,
    /// To standard error.
    pub(crate) error: Vec<u8>,
}

/// Most bytes of either that are taken.
const MOST: usize = 64 << 20;

thread_local! {
    static TAKEN: RefCell<Option<Written>> = const { RefCell::new(None) };
}

/// Runs a command on this thread and takes what it writes.
pub(crate) fn taken<T>(command: impl FnOnce() -> T) -> (T, Written) {
    let before = TAKEN.replace(Some(Written::default()));
    /// Gives the streams back, also where the command panics.
    struct Back(Option<Option<Written>>);
    impl Drop for Back {
        fn drop(&mut self) {
            if let Some(before) = self.0.take() {
                TAKEN.set(before);
            }
        }
    }
    let mut back = Back(Some(before));
    let done = command();
    let written = TAKEN.replace(back.0.take().flatten());
    (done, written.unwrap_or_default())
}

/// Standard output: as it is for programs, [`Harmless`] at a terminal, whatever the format.
pub(crate) fn stdout() -> Box<dyn Write> {
    if is_taken() {
        return Box::new(Taken(|written| &mut written.out));
    }
    let out = io::stdout().lock();
    if out.is_terminal() { Box::new(Harmless::new(out)) } else { Box::new(out) }
}

/// Standard error.
pub(crate) fn stderr() -> Box<dyn Write> {
    if is_taken() {
        return Box::new(Taken(|written| &mut written.error));
    }
    Box::new(io::stderr().lock())
}

fn is_taken() -> bool {
    TAKEN.with_borrow(Option::is_some)
}

/// A stream that is taken.
struct Taken(fn(&mut Written) -> &mut Vec<u8>);

impl Write for Taken {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        TAKEN.with_borrow_mut(|taken| {
            let Some(written) = taken else { return Ok(bytes.len()) };
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
    fn what_a_command_writes_is_taken() {
        let (inner, outer) = taken(|| {
            write!(stdout(), "a").unwrap();
            let (_, inner) = taken(|| write!(stderr(), "b").unwrap());
            write!(stdout(), "c").unwrap();
            inner
        });
        assert_eq!((outer.out, outer.error), (b"ac".to_vec(), vec![]));
        assert_eq!((inner.out, inner.error), (vec![], b"b".to_vec()));
        assert!(!is_taken());
    }

    #[test]
    fn streams_are_given_back_after_a_panic() {
        let panicked = std::panic::catch_unwind(|| taken(|| panic!("on purpose")));
        assert!(panicked.is_err() && !is_taken());
    }

    #[test]
    fn an_answer_has_an_end() {
        let piece = vec![b'x'; 1 << 20];
        let (result, _) = taken(|| (0..=64).try_for_each(|_| stdout().write_all(&piece)));
        assert!(result.unwrap_err().to_string().contains("too large"));
    }
}
