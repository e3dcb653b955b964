//! What is known of a traced process, and its functions.

use serde::{Deserialize, Serialize};

use crate::varint;

/// A process, as it says itself; JSON in the file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Facts {
    /// Its number, and that of its parent.
    pub pid: u32,
    /// The process that started it.
    pub parent: u32,
    /// Its command line.
    pub arguments: Vec<String>,
    /// The interpreter's version and build, as `sys.version` has it.
    pub interpreter: String,
    /// What told of calls: `sys.monitoring` or `PyEval_SetProfile`.
    pub hook: String,
    /// What ticks are of: `tsc` or `monotonic`.
    pub clock: String,
    /// By how many bits ticks are divided in the columns of times.
    pub shift: u32,
    /// After how many calls a function is no longer traced; 0 for never.
    pub limit: u64,
    /// Whether calls of functions of C are events.
    pub has_c_functions: bool,
    /// Functions whose values are told, by name.
    pub log: Vec<String>,
    /// What events cost.
    pub cost: Cost,
    /// Folders that modules are imported from.
    pub paths: Vec<String>,
}

/// What tracing a call costs, as measured when the trace began, in picoseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Cost {
    /// Of a call of a function of Python: its call and return together.
    pub call: u64,
    /// What of it lies between the two stamps, and so in the time of the function itself.
    pub inside: u64,
    /// Of a call of a function of C.
    pub c_call: u64,
    /// What of it lies between the two stamps.
    pub c_inside: u64,
}

/// What a function is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum FunctionKind {
    /// Of Python, plain.
    #[default]
    Python,
    /// Of C.
    C,
    /// A generator.
    Generator,
    /// A coroutine.
    Coroutine,
    /// A generator that awaits.
    AsyncGenerator,
}

/// A function that was called.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Function {
    /// Its number in events.
    pub number: u32,
    /// What it is.
    pub kind: FunctionKind,
    /// Its qualified name where the interpreter tells it, else its name.
    pub name: String,
    /// The module that a function of C is of.
    pub module: String,
    /// The file as the interpreter names it; empty for functions of C.
    pub file: String,
    /// Where it begins in the file; 0 for functions of C.
    pub line: u32,
}

impl Function {
    pub(crate) fn put(&self, bytes: &mut Vec<u8>) {
        varint::put(bytes, self.number.into());
        varint::put(bytes, self.kind as u64);
        for text in [&self.name, &self.module, &self.file] {
            varint::put(bytes, text.len() as u64);
            bytes.extend(text.as_bytes());
        }
        varint::put(bytes, self.line.into());
    }

    pub(crate) fn take(bytes: &mut &[u8]) -> Option<Function> {
        let number = varint::take(bytes)?.try_into().ok()?;
        let kind = match varint::take(bytes)? {
            0 => FunctionKind::Python,
            1 => FunctionKind::C,
            2 => FunctionKind::Generator,
            3 => FunctionKind::Coroutine,
            4 => FunctionKind::AsyncGenerator,
            _ => return None,
        };
        let mut text = || {
            let length = usize::try_from(varint::take(bytes)?).ok()?;
            let (text, rest) = bytes.split_at_checked(length)?;
            *bytes = rest;
            Some(String::from_utf8_lossy(text).into_owned())
        };
        let (name, module, file) = (text()?, text()?, text()?);
        let line = varint::take(bytes)?.try_into().ok()?;
        Some(Function { number, kind, name, module, file, line })
    }
}

impl Facts {
    /// Whether a function of a name is one that was asked for by its qualified name, or by the end of that, with
    /// variables behind a colon. Before 3.11 code knows its plain name alone, so that nothing is found there by the
    /// name of a class: it would be told of all classes.
    #[must_use]
    pub fn is_logged(&self, asked: &str, name: &str) -> bool {
        let asked = asked.split(':').next().unwrap_or_default();
        let before = name.strip_suffix(asked).filter(|_| !asked.is_empty());
        before.is_some_and(|before| before.is_empty() || before.ends_with('.'))
    }

    /// Reads them.
    ///
    /// # Errors
    /// The text is not JSON of them.
    pub fn of_json(text: &str) -> Result<Facts, String> {
        serde_json::from_str(text).map_err(|error| format!("facts of a process: {error}"))
    }
}
