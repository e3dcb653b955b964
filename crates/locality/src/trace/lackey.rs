//! The text of valgrind's lackey: `valgrind --tool=lackey --trace-mem=yes --log-file=trace.lackey PROGRAM`.
//!
//! A line is an access, as `I  0023c790,2` (an instruction is fetched), ` L be80199c,8` (a load), ` S ` (a
//! store) or ` M ` (both, a load and then a store), or a message that begins with `==` or `--`.

use std::io::{self, BufRead, Read as _};

use super::Access;

/// Longer lines are not accesses; messages tell the command, which may be long.
const MOST_TEXT: u64 = 1 << 20;

/// More bytes are not accessed at once: instructions that save all registers have 2696.
const MOST_BYTES: u32 = 4096;

/// So many first lines tell what a file is.
const FIRST_LINES: usize = 64;

/// Why a trace is refused.
#[derive(Debug, thiserror::Error)]
pub enum LackeyError {
    /// A line that is neither an access nor a message.
    #[error(
        "line {line} is not an access that lackey writes: '{text}'; record with --log-file=FILE, so that nothing \
         that the program prints is among them"
    )]
    Line {
        /// Its number, from 1.
        line: u64,
        /// How it begins.
        text: String,
    },
    /// The last line has no end.
    #[error("line {0}, the last, is cut off: the recording did not come to its end")]
    Cut(u64),
    /// A line without end.
    #[error("line {0} is longer than 1 MiB")]
    Long(u64),
    /// Processes in one file.
    #[error(
        "line {0} is of another process: record each into a file of its own, with --log-file=trace.%p"
    )]
    Processes(u64),
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] io::Error),
}

/// What a line tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line {
    /// An instruction is fetched from an address.
    Instruction(u64),
    /// Memory is read or written.
    Data(Access),
    /// Memory is read and then written.
    Modify(Access),
}

/// Accesses of a text, line by line.
pub struct Lackey<R> {
    from: R,
    text: Vec<u8>,
    line: u64,
    process: Option<Vec<u8>>,
    has_ended: bool,
}

impl<R: BufRead> Lackey<R> {
    /// A text from its start.
    pub fn new(from: R) -> Lackey<R> {
        Lackey { from, text: vec![], line: 0, process: None, has_ended: false }
    }

    /// The next access; none at the end.
    #[expect(clippy::should_implement_trait, reason = "an error ends it, and none is its end")]
    pub fn next(&mut self) -> Result<Option<Line>, LackeyError> {
        loop {
            self.text.clear();
            self.line += 1;
            let mut from = self.from.by_ref().take(MOST_TEXT);
            if from.read_until(b'\n', &mut self.text)? == 0 {
                return Ok(None);
            }
            if self.text.pop() != Some(b'\n') {
                let is_long = self.text.len() as u64 + 1 == MOST_TEXT;
                return Err(if is_long {
                    LackeyError::Long(self.line)
                } else {
                    LackeyError::Cut(self.line)
                });
            }
            if self.text.last() == Some(&b'\r') {
                self.text.pop();
            }
            if let Some(line) = parse(&self.text) {
                return Ok(Some(line));
            }
            let Some((process, message)) = message(&self.text) else {
                if self.text.iter().all(u8::is_ascii_whitespace) {
                    continue;
                }
                let start = &self.text[..self.text.len().min(80)];
                let text = String::from_utf8_lossy(start).into_owned();
                return Err(LackeyError::Line { line: self.line, text });
            };
            self.has_ended |= message.starts_with(b"Exit code:");
            match &self.process {
                None => self.process = Some(process.to_vec()),
                Some(known) if known != process => {
                    return Err(LackeyError::Processes(self.line));
                }
                Some(_) => {}
            }
        }
    }

    /// Whether it told how the program ended, as it does behind the last access.
    pub fn has_ended(&self) -> bool {
        self.has_ended
    }
}

/// Whether a file that begins so is a trace of lackey: it says so, or its first lines are accesses and nothing
/// else.
pub fn is_lackey(start: &[u8]) -> bool {
    let mut accesses = 0;
    let lines = start.split_inclusive(|&byte| byte == b'\n').take(FIRST_LINES);
    // What has no end is the start of a line, of which the rest is not known.
    for line in lines.filter_map(|line| line.strip_suffix(b"\n")) {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if parse(line).is_some() {
            accesses += 1;
            continue;
        }
        match message(line) {
            Some((_, text)) if text.starts_with(b"Lackey,") => return true,
            Some(_) => {}
            None if line.is_empty() => {}
            None => return false,
        }
    }
    accesses > 0
}

/// The process of a message, and what it says.
fn message(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let mark: &[u8] = match line.get(..2)? {
        b"==" => b"==",
        b"--" => b"--",
        _ => return None,
    };
    let rest = &line[2..];
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (process, rest) = rest.split_at(digits);
    let text = rest.strip_prefix(mark)?;
    (digits > 0).then(|| (process, text.strip_prefix(b" ").unwrap_or(text)))
}

fn parse(line: &[u8]) -> Option<Line> {
    let (kind, rest) = line.split_first_chunk::<3>()?;
    let comma = rest.iter().position(|&byte| byte == b',')?;
    let address = hexadecimal(&rest[..comma])?;
    let bytes = decimal(&rest[comma + 1..])?;
    let access = |is_write| Access { address, bytes, is_write };
    match kind {
        b"I  " => Some(Line::Instruction(address)),
        b" L " => Some(Line::Data(access(false))),
        b" S " => Some(Line::Data(access(true))),
        b" M " => Some(Line::Modify(access(false))),
        _ => None,
    }
}

fn hexadecimal(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() || digits.len() > 16 {
        return None;
    }
    digits
        .iter()
        .try_fold(0u64, |all, &digit| Some(all << 4 | u64::from(char::from(digit).to_digit(16)?)))
}

fn decimal(digits: &[u8]) -> Option<u32> {
    if digits.is_empty() || digits.len() > 4 {
        return None;
    }
    let all = digits
        .iter()
        .try_fold(0u32, |all, &digit| Some(all * 10 + char::from(digit).to_digit(10)?))?;
    (1..=MOST_BYTES).contains(&all).then_some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Result<Vec<Line>, LackeyError> {
        let mut lackey = Lackey::new(text.as_bytes());
        let mut lines = vec![];
        while let Some(line) = lackey.next()? {
            lines.push(line);
        }
        Ok(lines)
    }

    #[test]
    fn lines_are_accesses_or_messages() {
        let text = "==7== Lackey, an example Valgrind tool\n==7== \nI  0401ab70,3\n L 1fff000778,8\n\n \
                    S 04a18de0,16\n M 04,4\n==7== Exit code:       0\n";
        let of = |address, bytes, is_write| Access { address, bytes, is_write };
        let expected = [
            Line::Instruction(0x401_ab70),
            Line::Data(of(0x1f_ff00_0778, 8, false)),
            Line::Data(of(0x4a1_8de0, 16, true)),
            Line::Modify(of(4, 4, false)),
        ];
        assert_eq!(all(text).expect("it is whole"), expected);
        assert!(is_lackey(text.as_bytes()));
        assert!(is_lackey(b" L 1f,8\n"));
        for other in [
            "{\"a\": 1}",
            "==7== Memcheck, a memory error detector\nhello\n",
            "==7== Memcheck, a memory error detector\n",
            " S 10,5\n a table of numbers\n",
            " L 1f,8",
            "",
        ] {
            assert!(!is_lackey(other.as_bytes()), "{other}");
        }
    }

    #[test]
    fn reports_what_is_damaged_by_its_line() {
        for (bad, at) in [
            (" L 1f,8\n L 1f8\n", 2),
            (" L 1f,8\nhello\n", 2),
            (" L ,8\n", 1),
            (" L 12345678901234567,8\n", 1),
            (" L 1f,0\n", 1),
            (" L 1f,5000\n", 1),
            (" L 1f,99999999999\n", 1),
            (" X 1f,8\n", 1),
            (" L 1g,8\n", 1),
            (" L -1,8\n", 1),
            ("==x== hello\n", 1),
        ] {
            match all(bad) {
                Err(LackeyError::Line { line, .. }) => assert_eq!(line, at, "{bad}"),
                other => panic!("{bad}: {other:?}"),
            }
        }
        assert!(matches!(all(" L 1f,8\n L 1f,1"), Err(LackeyError::Cut(2))));
        assert!(matches!(all("==1== a\n==2== b\n"), Err(LackeyError::Processes(2))));
        let long = "x".repeat(2 << 20);
        assert!(matches!(all(&long), Err(LackeyError::Long(1))));
    }
}
