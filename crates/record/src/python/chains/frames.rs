//! Coroutines and their code, read from outside.

#![allow(clippy::disallowed_methods, reason = "files of the kernel, below /proc and /sys")]

use std::collections::HashMap;

use py_spy::Frame;

use super::lines;
use crate::interpreter::{Layout, Memory};

/// Reads coroutines of one process.
#[derive(Debug)]
pub(super) struct Reader {
    pub(super) memory: Memory,
    pub(super) layout: Layout,
    /// From 3.15 on what a coroutine waits for is one lower on its stack.
    pub(super) is_3_14: bool,
    /// Code by its address.
    known: HashMap<u64, Code>,
}

/// What is kept of code, with the addresses that show that it is still the same.
#[derive(Debug, Clone)]
struct Code {
    same: [u64; 3],
    name: String,
    file: String,
    first_line: u32,
    lines: Vec<u8>,
}

/// More are not kept.
const MOST_CODE: usize = 20_000;
/// Longer chains are cut.
pub(super) const DEEPEST: usize = 100;
/// Longer names are none.
const LONGEST: usize = 4096;
const LONGEST_TABLE: usize = 1 << 20;

impl Reader {
    pub(super) fn new(memory: Memory, layout: Layout, is_3_14: bool) -> Reader {
        Reader { memory, layout, is_3_14, known: HashMap::new() }
    }

    pub(super) fn word(&self, at: u64, field: &str) -> Option<u64> {
        self.memory.word(at.checked_add(self.layout.get(field))?)
    }

    pub(super) fn pointer(&self, at: u64, field: &str) -> Option<u64> {
        self.word(at, field).filter(|&address| address != 0)
    }

    pub(super) fn flag(&self, at: u64, field: &str) -> Option<bool> {
        let [byte] = self.memory.bytes(at.checked_add(self.layout.get(field))?)?;
        Some(byte != 0)
    }

    /// The frames of a suspended coroutine and of those that it waits for in turn, outermost first.
    pub(super) fn coroutine(&mut self, coroutine: u64) -> Vec<Frame> {
        let mut frames = vec![];
        let mut next = Some(coroutine);
        while let Some(at) = next
            && frames.len() < DEEPEST
        {
            let Some(frame) = self.frame(at) else { break };
            frames.push(frame);
            next = self.awaited(at);
        }
        frames
    }

    /// The frame of a coroutine or generator; none where it has none, or is none.
    pub(super) fn frame(&mut self, coroutine: u64) -> Option<Frame> {
        let frame = coroutine.checked_add(self.layout.get("gen.iframe"))?;
        let code = untagged(self.pointer(frame, "frame.executable")?);
        let instruction = self.word(frame, "frame.instr_ptr")?;
        let begin = code.checked_add(self.layout.get("code.adaptive"))?;
        let code = self.code(code)?;
        let line = lines::line(code.first_line, &code.lines, instruction.wrapping_sub(begin));
        let line = line.unwrap_or(code.first_line);
        Some(Frame {
            name: code.name.clone(),
            filename: code.file.clone(),
            module: None,
            short_filename: None,
            line: i32::try_from(line).ok()?,
            locals: None,
            is_entry: false,
            is_shim_entry: false,
        })
    }

    /// What a suspended coroutine waits for, where that is a coroutine as well.
    fn awaited(&self, coroutine: u64) -> Option<u64> {
        let state = coroutine.checked_add(self.layout.get("gen.frame_state"))?;
        let [state] = self.memory.bytes(state)?.map(|byte: u8| byte as i8);
        let waits = if self.is_3_14 { state == -1 } else { state == 2 || state == 3 };
        if !waits {
            return None;
        }
        let frame = coroutine.checked_add(self.layout.get("gen.iframe"))?;
        let stack = self.pointer(frame, "frame.stackpointer")?;
        let below = if self.is_3_14 { 8 } else { 16 };
        let awaited = untagged(self.memory.pointer(stack.checked_sub(below)?)?);
        let [own, its] = [coroutine, awaited].map(|at| self.pointer(at, "object.type"));
        (own.is_some() && own == its).then_some(awaited)
    }

    fn code(&mut self, at: u64) -> Option<&Code> {
        let same = ["code.filename", "code.qualname", "code.linetable"]
            .map(|field| self.pointer(at, field).unwrap_or(0));
        if same.contains(&0) {
            return None;
        }
        if self.known.get(&at).is_none_or(|code| code.same != same) {
            let [file, name, table] = same;
            let first_line = at.checked_add(self.layout.get("code.firstlineno"))?;
            let length = self.word(table, "bytes.length")? as usize;
            let lines = table.checked_add(self.layout.get("bytes.sval"))?;
            let code = Code {
                same,
                name: self.text(name)?,
                file: self.text(file)?,
                first_line: u32::from_le_bytes(self.memory.bytes(first_line)?),
                lines: self.memory.block(lines, Some(length).filter(|&l| l <= LONGEST_TABLE)?)?,
            };
            if self.known.len() >= MOST_CODE {
                self.known.clear();
            }
            self.known.insert(at, code);
        }
        self.known.get(&at)
    }

    /// A text of Python (`PyASCIIObject` and `PyCompactUnicodeObject`).
    pub(super) fn text(&self, at: u64) -> Option<String> {
        let state = self.word(at, "unicode.state")? as u32;
        let (width, is_compact, is_ascii) = (state >> 2 & 7, state >> 5 & 1, state >> 6 & 1);
        let length = self.word(at, "unicode.length")? as usize;
        if is_compact != 1 || !matches!(width, 1 | 2 | 4) || length > LONGEST {
            return None;
        }
        // What is not ASCII has a copy in UTF-8 before it: its length and its address.
        let head = self.layout.get("unicode.ascii_size") + if is_ascii == 1 { 0 } else { 16 };
        let bytes = self.memory.block(at.checked_add(head)?, length * width as usize)?;
        let letters = bytes.chunks_exact(width as usize).map(|letter| {
            let code = letter.iter().rev().fold(0, |sum, &byte| sum << 8 | u32::from(byte));
            char::from_u32(code)
        });
        let text: String = letters.collect::<Option<_>>()?;
        (!text.is_empty() && !text.contains(|c: char| c.is_control())).then_some(text)
    }
}

/// A reference on a stack has marks in its lowest bits.
const fn untagged(reference: u64) -> u64 {
    reference & !3
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Memory with words and texts at addresses.
    struct Image(Vec<u8>);

    impl Image {
        fn put(&mut self, at: u64, bytes: &[u8]) {
            let at = at as usize;
            self.0[at..at + bytes.len()].copy_from_slice(bytes);
        }

        fn words(&mut self, at: u64, words: &[u64]) {
            for (word, at) in words.iter().zip((at..).step_by(8)) {
                self.put(at, &word.to_le_bytes());
            }
        }

        /// Length, hash and state, and what follows.
        fn text(&mut self, at: u64, width: u8, text: &str) {
            let is_ascii = text.is_ascii();
            let state = u64::from(width) << 2 | 1 << 5 | u64::from(is_ascii) << 6;
            self.words(at, &[text.chars().count() as u64, 0, state]);
            let letters = text
                .chars()
                .flat_map(|letter| (letter as u32).to_le_bytes()[..width.into()].to_vec());
            let letters: Vec<u8> = letters.collect();
            self.put(at + if is_ascii { 24 } else { 40 }, &letters);
        }

        fn reader(self) -> Reader {
            let file = tempfile::NamedTempFile::new().unwrap();
            std::fs::write(file.path(), self.0).unwrap();
            let fields = [
                ("unicode.length", 0),
                ("unicode.state", 16),
                ("unicode.ascii_size", 24),
                ("bytes.length", 0),
                ("bytes.sval", 8),
                ("object.type", 0),
                ("gen.frame_state", 8),
                ("gen.iframe", 16),
                ("frame.executable", 0),
                ("frame.instr_ptr", 8),
                ("frame.stackpointer", 16),
                ("code.filename", 0),
                ("code.qualname", 8),
                ("code.linetable", 16),
                ("code.firstlineno", 24),
                ("code.adaptive", 32),
            ];
            let layout = Layout::of_fields(&fields);
            Reader::new(Memory::of_file(file.reopen().unwrap()), layout, true)
        }
    }

    #[test]
    fn texts_of_each_width() {
        let mut image = Image(vec![0; 1000]);
        image.text(0, 1, "plain");
        image.text(100, 1, "caf\u{e9}");
        image.text(200, 2, "\u{17c}aba");
        image.text(300, 4, "\u{1f40d}");
        image.words(400, &[1 << 40, 0, 1 << 2 | 1 << 5]);
        let reader = image.reader();
        let told = [0, 100, 200, 300].map(|at| reader.text(at));
        let expected = ["plain", "caf\u{e9}", "\u{17c}aba", "\u{1f40d}"];
        assert_eq!(told, expected.map(|text| Some(text.to_owned())));
        assert_eq!(
            (reader.text(400), reader.text(5000), reader.text(u64::MAX)),
            (None, None, None)
        );
    }

    #[test]
    fn a_coroutine_and_what_it_waits_for() {
        const KIND: u64 = 77;
        let mut image = Image(vec![0; 2000]);
        image.text(100, 1, "outer");
        image.text(200, 1, "inner");
        image.text(300, 1, "x.py");
        // Two instructions of the first line, then one of the next.
        image.words(400, &[4, u64::from_le_bytes([0x81, 0, 0x80 | 11 << 3, 0, 0, 0, 0, 0])]);
        for (code, name, line) in [(500, 100, 7), (600, 200, 20)] {
            image.words(code, &[300, name, 400, line]);
        }
        // Kind, state, code with a mark, instruction, stack: the outer one waits for the inner one.
        let (waits, runs) = (u64::from(-1i8 as u8), 0);
        image.words(700, &[KIND, waits, 500 | 1, 532, 808]);
        image.words(800, &[900 | 1]);
        image.words(900, &[KIND, runs, 600, 636, 0]);
        let mut reader = image.reader();
        let told = reader.coroutine(700);
        let told: Vec<_> = told.iter().map(|f| (&*f.name, &*f.filename, f.line)).collect();
        assert_eq!(told, [("outer", "x.py", 7), ("inner", "x.py", 21)]);
        assert_eq!(reader.coroutine(1990), [], "nothing is there");
    }
}
