//! Whether a text may be the one that a profile was recorded of.
//!
//! ```text
//! func add(v int) {     a function that starts here stands here by its name
//!     // as it was      nothing was measured on a comment,
//!                       on a blank line,
//! }                     or past the end, and no function starts on what closes another
//! ```

use std::collections::HashMap;

use session::SourceIndex;

use super::headers::{Words, identifier};
use super::macros::Macros;

/// What a profile says of a file.
#[derive(Debug, Default)]
pub(super) struct Measured {
    /// Those that were measured, from the top.
    lines: Vec<u32>,
    pub(super) functions: Vec<Function>,
}

/// A function of a file.
#[derive(Debug)]
pub(super) struct Function {
    /// Its number in the index.
    pub(super) id: u32,
    /// What the source calls it, if it has a name there.
    pub(super) word: Option<String>,
    /// Where it starts, from 1; else its first line that was measured; else 0.
    pub(super) start: u32,
    /// Whether the profile tells where it starts.
    pub(super) tells_start: bool,
    /// Its measured lines.
    pub(super) lines: Vec<u32>,
}

/// How well a text fits.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fit {
    /// Functions that can be looked for by their names.
    functions: usize,
    /// Those whose heads the text has elsewhere.
    displaced: usize,
    /// Those that it does not have.
    absent: usize,
    /// Those that stand exactly where the profile says.
    exact: usize,
    /// Measured lines.
    lines: usize,
    /// Those on which nothing can run, and those where functions start that cannot start there.
    idle: usize,
}

impl Function {
    /// Whether it has a word as its name.
    pub(super) fn names(&self, word: &str) -> bool {
        self.word.as_deref() == Some(word)
    }
}

impl Measured {
    /// What an index says of a file.
    pub(super) fn new(index: &SourceIndex, file: u32) -> Measured {
        let mut lines_of = HashMap::<u32, Vec<u32>>::new();
        let mut lines = vec![];
        for (line, function) in index.functions_by_line(file) {
            lines_of.entry(function).or_default().push(line);
            lines.push(line);
        }
        lines.dedup();
        let function = |one: session::SourceFunction<'_>| Function {
            id: one.id,
            word: identifier(one.name).map(str::to_owned),
            start: one.start_line,
            tells_start: one.tells_start,
            lines: lines_of.remove(&one.id).unwrap_or_default(),
        };
        Measured { lines, functions: index.functions(file).map(function).collect() }
    }

    /// The words of a text by which its functions are looked for.
    pub(super) fn words<'a>(&'a self, text: &'a str) -> Words<'a> {
        let wanted = self.functions.iter().filter_map(|function| function.word.as_deref());
        // The head of a class's constructor in JavaScript.
        Words::new(text, wanted.chain([CONSTRUCTOR]))
    }

    /// How well a text of the file at `path` fits.
    pub(super) fn fit(&self, path: &str, text: &str) -> Fit {
        let words = self.words(text);
        let macros = Macros::new(text);
        let comments = comments_of(path);
        let is_idle = |line: u32| match words.line(line) {
            // What stands in no function is said to start with the file, whatever is there.
            _ if line <= 1 => false,
            None => true,
            Some(text) => text.trim().is_empty() || is_comment(text.trim(), comments),
        };
        let closes = |line: u32| {
            let text = words.line(line).unwrap_or_default().trim();
            !text.is_empty() && text.chars().all(|c| "})];,".contains(c))
        };
        // V8 counts lines of functions that it inlined as those of the file that they came to.
        let lines = if is_script(path) { &[][..] } else { &self.lines };
        let idle = lines.iter().filter(|&&line| is_idle(line)).count();
        let mut fit = Fit { lines: self.lines.len(), idle, ..Fit::default() };
        for function in &self.functions {
            fit.idle += usize::from(function.tells_start && closes(function.start));
            let Some(word) = function.word.as_deref().filter(|_| function.start != 0) else {
                continue;
            };
            fit.functions += 1;
            let places = words.places(word);
            if places.is_empty() {
                fit.absent += 1;
            } else if !function.tells_start {
                // It stands above what was measured of it, but for what was inlined there.
                let last = function.lines.last().copied().unwrap_or(function.start);
                if macros.contain(last) {
                    // The macro may be anywhere.
                    fit.functions -= 1;
                } else {
                    fit.displaced += usize::from(places[0] > last);
                }
            } else if places.contains(&first_line(&words, function.start)) {
                fit.exact += 1;
            } else if words.heads(word).is_empty() {
                // V8 gives functions that have no name that of a variable near them.
                fit.functions -= 1;
            } else if !words.places(CONSTRUCTOR).contains(&function.start) {
                fit.displaced += 1;
            }
        }
        fit
    }
}

impl Fit {
    /// Whether the text may be the one.
    pub(super) fn is_plausible(self) -> bool {
        // Generated code names what no text has.
        self.displaced * 50 <= self.functions
            && self.idle == 0
            && self.absent * 10 <= self.functions
    }

    /// Whether it is the one as far as anybody can tell: functions stand where they stood.
    pub(super) fn is_evident(self) -> bool {
        self.is_plausible() && self.exact > 0
    }

    /// Whether it cannot be the one, whatever the clock says.
    pub(super) fn is_impossible(self) -> bool {
        // Some languages have other names in profiles than in sources. Heads are found by guessing,
        // but a blank line is one.
        4 * self.displaced > self.functions - self.absent || self.idle > 0
    }

    /// What speaks against the text.
    pub(super) fn misses(self) -> usize {
        self.displaced + self.absent + self.idle
    }
}

const CONSTRUCTOR: &str = "constructor";

/// The line with a function's name, where its attributes or decorators begin at `start`.
fn first_line(words: &Words<'_>, start: u32) -> u32 {
    /// More of them are none.
    const MOST_DECORATORS: u32 = 10;
    let is_decorator = |line: &u32| {
        let text = words.line(*line).unwrap_or_default().trim_start();
        ["@", "#[", "[[", "template"].iter().any(|sign| text.starts_with(sign))
    };
    let decorators = (start..start.saturating_add(MOST_DECORATORS)).take_while(is_decorator);
    start.saturating_add(decorators.count() as u32)
}

/// Whether a line is a comment and nothing else.
fn is_comment(text: &str, signs: &[&str]) -> bool {
    let after = text.strip_prefix("/* ").and_then(|comment| comment.split_once("*/"));
    let has_code = after.is_some_and(|(_, code)| !code.trim().is_empty());
    !has_code && signs.iter().any(|sign| text.starts_with(sign))
}

/// Whether a file is JavaScript or what becomes it.
fn is_script(path: &str) -> bool {
    let extension = extension_of(path);
    ["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx"].contains(&&*extension)
}

fn extension_of(path: &str) -> String {
    path.rsplit_once('.').map_or("", |(_, extension)| extension).to_ascii_lowercase()
}

/// How lines begin that are comments, in the language of a file.
fn comments_of(path: &str) -> &'static [&'static str] {
    match extension_of(path).as_str() {
        "py" | "pyx" | "rb" | "sh" | "pl" | "pm" | "r" | "jl" | "ex" | "exs" | "nim" => &["#"],
        "lua" | "hs" | "sql" | "adb" | "vhdl" => &["--"],
        "erl" | "m4" | "tex" => &["%"],
        "lisp" | "el" | "clj" | "scm" | "asm" => &[";"],
        "c" | "h" | "cc" | "cpp" | "cxx" | "hpp" | "hh" | "cu" | "go" | "rs" | "js" | "mjs"
        | "cjs" | "jsx" | "ts" | "mts" | "cts" | "tsx" | "java" | "kt" | "kts" | "scala" | "cs"
        | "swift" | "dart" | "zig" | "d" | "m" | "mm" | "php" | "groovy" => &["//", "/* "],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(functions: &[(&str, u32, bool)], lines: &[u32]) -> Measured {
        let function = |&(name, start, tells_start): &(&str, u32, bool)| Function {
            id: 0,
            word: identifier(name).map(str::to_owned),
            start,
            tells_start,
            lines: vec![start],
        };
        Measured { lines: lines.to_vec(), functions: functions.iter().map(function).collect() }
    }

    const TEXT: &str = "import os\n\n# adds\n@cached\ndef add(a):\n    return a\n\nadd(1)\n";

    #[test]
    fn functions_stand_where_they_were_measured() {
        let fit = measured(&[("add", 5, true)], &[6, 8]).fit("/a.py", TEXT);
        assert!(fit.is_evident(), "{fit:?}");
        // From the decorator on, as Python has it.
        assert!(measured(&[("add", 4, true)], &[6]).fit("/a.py", TEXT).is_evident());
        let other = measured(&[("add", 6, true)], &[8]).fit("/a.py", TEXT);
        assert!(!other.is_plausible() && other.is_impossible(), "{other:?}");
        assert_eq!(other.misses(), 1);
        let untold = measured(&[("add", 6, false)], &[6]).fit("/a.py", TEXT);
        assert!(untold.is_plausible() && !untold.is_evident());
        assert!(!measured(&[("add", 4, false)], &[6]).fit("/a.py", TEXT).is_plausible());
    }

    #[test]
    fn nothing_runs_on_blanks_comments_and_past_the_end() {
        for line in [2, 3, 9, u32::MAX] {
            let fit = measured(&[], &[line]).fit("/a.py", TEXT);
            assert!(!fit.is_plausible(), "{line}");
        }
        // One of many is enough, but for that of what stands in no function.
        let many: Vec<u32> = [5, 6, 8].into_iter().cycle().take(300).chain([2]).collect();
        assert!(measured(&[], &many).fit("/a.py", TEXT).is_impossible());
        let module =
            measured(&[("<module>", 1, true)], &[1, 6]).fit("/a.py", "# a\n\n\n\n\nadd()\n");
        assert!(module.is_plausible() && !module.is_impossible(), "{module:?}");
        // A comment may stand before code.
        let text = "int f() {\n/* hot */ g();\n/* not */\n}\n";
        assert!(measured(&[], &[2]).fit("/a.c", text).is_plausible());
        assert!(measured(&[], &[3]).fit("/a.c", text).is_impossible());
        // Functions end on what closes them, and none starts there.
        assert!(measured(&[("f", 1, true)], &[4]).fit("/a.c", text).is_evident());
        let other = measured(&[("f", 1, true), ("g", 4, true)], &[1, 4]).fit("/a.c", text);
        assert!(other.is_impossible(), "{other:?}");
        // Lines of a script may be those of another file; functions that start elsewhere are none.
        let script = "'use strict';\n\nfunction f() {\n  g();\n}\n";
        assert!(measured(&[("f", 3, true)], &[4, 139]).fit("/a.js", script).is_evident());
        assert!(measured(&[("f", 5, true)], &[5]).fit("/a.js", script).is_impossible());
        // A sign that means another thing in another language.
        assert!(measured(&[], &[3]).fit("/a.c", TEXT).is_plausible());
        assert!(measured(&[], &[]).fit("/a.py", "").is_plausible());
    }
}
