//! Where functions stand in a text, by their names: lines that look like the head of one, in any
//! of the languages that brackets and keywords of many languages have in common.

use std::borrow::Cow;
use std::collections::HashMap;

/// Words that stand before the name of a function.
const KEYWORDS: &[&str] =
    &["fn", "func", "fun", "def", "function", "sub", "proc", "procedure", "method", "subroutine"];
/// Words that stand before the name of a type, which its constructor may have, too.
const TYPES: &[&str] = &["class", "struct", "impl", "module"];
/// Words that stand before the name of a variable, which may be a function.
const VARIABLES: &[&str] = &["let", "const", "var", "val"];
/// What makes a variable one.
const FUNCTIONS: &[&str] = &["=>", "function", "lambda", "func("];
/// What names end with that no source has.
const NAMELESS: &[&str] = &["closure", "lambda", "anonymous", "operator"];
/// Words that begin a line which uses what it names.
const USES: &[&str] = &[
    "return", "if", "else", "elif", "while", "for", "foreach", "switch", "match", "case", "await",
    "yield", "throw", "new", "delete", "assert", "import", "from", "use", "using", "require",
    "goto", "print", "do", "and", "or", "not", "in", "defer", "go",
];

/// The name of a function as its source has it: `addVisitor` of `main.(*page).addVisitor`. None
/// where the source has none.
pub(super) fn identifier(name: &str) -> Option<&str> {
    let mut rest = name.trim();
    loop {
        let before = rest;
        for end in [" const", " &", " &&", " noexcept"] {
            rest = rest.strip_suffix(end).unwrap_or(rest);
        }
        // `[clone .cold]`, `(int, char)`, `<u8>`, `[...]`
        for (open, close) in [('(', ')'), ('<', '>'), ('[', ']')] {
            rest = without_brackets(rest, open, close);
        }
        if let Some((start, hash)) = rest.rsplit_once("::h")
            && hash.len() == 16
            && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
        {
            rest = start;
        }
        rest = rest.trim_end_matches("::").trim_end();
        if rest == before {
            break;
        }
    }
    let start = rest.rfind(|c| !is_word(c)).map_or(0, |at| at + char_len(rest, at));
    let word = &rest[start..];
    let before = &rest[..start];
    // `main.run.func1.2` and `{{closure}}` have no name of their own.
    let is_closure = before.ends_with('.')
        && (word.bytes().all(|byte| byte.is_ascii_digit())
            || word.strip_prefix("func").is_some_and(is_number));
    let is_none = word.is_empty() || is_closure || is_number(word) || NAMELESS.contains(&word);
    (!is_none).then_some(word)
}

/// Lines from 1 on which words stand as a whole, of those that are asked for.
#[derive(Debug)]
pub(super) struct Words<'a> {
    lines: Vec<&'a str>,
    places: HashMap<&'a str, Vec<u32>>,
}

impl<'a> Words<'a> {
    /// Looks for words in a text.
    pub(super) fn new(text: &'a str, wanted: impl Iterator<Item = &'a str>) -> Words<'a> {
        let mut places: HashMap<&str, Vec<u32>> = wanted.map(|word| (word, vec![])).collect();
        let lines: Vec<&str> = text.lines().collect();
        for (number, line) in (1..).zip(&lines) {
            for word in line.split(|c| !is_word(c)).filter(|word| !word.is_empty()) {
                if let Some(lines) = places.get_mut(word)
                    && lines.last() != Some(&number)
                {
                    lines.push(number);
                }
            }
        }
        Words { lines, places }
    }

    /// A line from 1; none past the end.
    pub(super) fn line(&self, line: u32) -> Option<&'a str> {
        self.lines.get((line as usize).checked_sub(1)?).copied()
    }

    /// The lines that have a word.
    pub(super) fn places(&self, word: &str) -> &[u32] {
        self.places.get(word).map_or(&[], Vec::as_slice)
    }

    /// The lines that look like the head of what a word names: those with the keyword of a function
    /// before it, else those with that of a type, or that have it before brackets and are no
    /// statement.
    pub(super) fn heads(&self, word: &str) -> Vec<u32> {
        let is_head = |of: &dyn Fn(&str) -> bool| -> Vec<u32> {
            let lines = self.places(word).iter().copied();
            lines.filter(|&line| self.line(line).is_some_and(of)).collect()
        };
        let named = is_head(&|line| has_keyword(line, word, KEYWORDS));
        if !named.is_empty() {
            return named;
        }
        is_head(&|line| has_keyword(line, word, TYPES) || is_before_brackets(line, word))
    }
}

/// Whether a keyword of a definition stands before the word.
fn has_keyword(line: &str, word: &str, keywords: &[&str]) -> bool {
    let mut before_word = vec![];
    for part in line.split(|c| !is_word(c)).filter(|part| !part.is_empty()) {
        if part == word {
            let is_use = before_word.first().is_some_and(|first| USES.contains(first));
            // `func (p *page) name`: a receiver may stand between.
            let has = |words: &[&str]| before_word.iter().any(|part| words.contains(part));
            let is_function = FUNCTIONS.iter().any(|sign| line.contains(sign));
            return !is_use && (has(keywords) || (is_function && has(VARIABLES)));
        }
        before_word.push(part);
    }
    false
}

/// `static int name(int x) {`, `name(x) {`, `name = function (x) {`: no call and no statement.
fn is_before_brackets(line: &str, word: &str) -> bool {
    let line = without_attributes(line);
    let text = line.trim();
    let first = text.split(|c| !is_word(c)).next().unwrap_or_default();
    if text.ends_with(';') || USES.contains(&first) {
        return false;
    }
    let Some((before, after)) = split_at_word(text, word) else { return false };
    let after = after.trim_start();
    let is_part = before.contains(['=', '(', '"', '\'']) || before.ends_with(['.', '>']);
    // `int name(int x,`: a call whose arguments go on has no type before it.
    let has_type = before.ends_with([' ', '\t', '*', '&']) && !before.trim().is_empty();
    let is_defined =
        after.starts_with(['(', '<', '[']) && !is_part && (has_type || !text.ends_with(','));
    let is_assigned = after.starts_with(['=', ':'])
        && (text.contains("=>") || text.contains("function") || text.contains("lambda"));
    is_defined || is_assigned
}

/// A line without what compilers are told of a function before its name: `__attribute__((noinline))`,
/// `[[nodiscard]]`.
fn without_attributes(line: &str) -> Cow<'_, str> {
    const WORDS: &[&str] = &["__attribute__", "__declspec", "alignas"];
    let mut line = Cow::Borrowed(line);
    loop {
        let of_word = WORDS.iter().find_map(|word| {
            let at = line.find(word)?;
            let open = line[at + word.len()..].trim_start();
            open.starts_with('(').then(|| (at, line.len() - open.len(), ['(', ')']))
        });
        let of_brackets = || line.find("[[").map(|at| (at, at, ['[', ']']));
        let Some((from, open, [begin, end])) = of_word.or_else(of_brackets) else { return line };
        let mut depth = 0_usize;
        let to = line[open..].char_indices().find_map(|(at, c)| {
            depth += usize::from(c == begin);
            depth = depth.saturating_sub(usize::from(c == end));
            (depth == 0).then_some(open + at + 1)
        });
        let after = to.map_or("", |to| &line[to..]);
        line = Cow::Owned(format!("{}{after}", &line[..from]));
    }
}

fn split_at_word<'a>(text: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    let is_whole = |&(at, _): &(usize, &str)| {
        let (before, after) = (&text[..at], &text[at + word.len()..]);
        !before.ends_with(is_word) && !after.starts_with(is_word)
    };
    let (at, _) = text.match_indices(word).find(is_whole)?;
    Some((&text[..at], &text[at + word.len()..]))
}

/// A text without the brackets at its end and what is in them.
fn without_brackets(text: &str, open: char, close: char) -> &str {
    if !text.ends_with(close) {
        return text;
    }
    let mut depth = 0_usize;
    for (at, c) in text.char_indices().rev() {
        if c == close {
            depth += 1;
        } else if c == open {
            depth -= 1;
            if depth == 0 {
                return text[..at].trim_end();
            }
        }
    }
    text
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn char_len(text: &str, at: usize) -> usize {
    text[at..].chars().next().map_or(1, char::len_utf8)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_are_what_the_source_has() {
        for (name, wanted) in [
            ("main.(*page).addVisitor", Some("addVisitor")),
            ("main.run.func1", None),
            ("main.run.func1.2", None),
            ("slices.SortFunc[...]", Some("SortFunc")),
            ("app::tree::Node<T>::insert::h0123456789abcdef", Some("insert")),
            ("<app::Tree as core::fmt::Display>::fmt", Some("fmt")),
            ("app::main::{{closure}}", None),
            ("app::main::{closure#0}", None),
            ("ns::Foo::bar(int, std::vector<int>) const", Some("bar")),
            ("(anonymous namespace)::work(int)", Some("work")),
            ("Foo::operator()(int)", None),
            ("std::less<int>::operator<(int)", None),
            ("work.cold [clone .isra.0]", Some("cold")),
            ("<module>", None),
            ("<lambda>", None),
            ("(anonymous)", None),
            ("Tree.insert", Some("insert")),
            ("main", Some("main")),
            ("main.main", Some("main")),
            ("", None),
        ] {
            assert_eq!(identifier(name), wanted, "{name}");
        }
    }

    #[test]
    fn heads_are_distinguished_from_calls() {
        let heads = |text: &str, word: &str| Words::new(text, [word].into_iter()).heads(word);
        assert_eq!(heads("x = work(1)\n\ndef work(n):\n    return work(n)\n", "work"), [3]);
        assert_eq!(heads("\tp.add(v)\nfunc (p *page) add(v int) {\n", "add"), [2]);
        assert_eq!(
            heads("int work(int);\nint work(int n)\n{\n  return work(1);\n}\n", "work"),
            [2]
        );
        assert_eq!(heads("const work = (n) => {\n  work(2);\n", "work"), [1]);
        assert_eq!(heads("class A {\n  work(n) {\n    this.work(1);\n", "work"), [2]);
        assert_eq!(heads("exports.work = function (n) {\n", "work"), [1]);
        assert_eq!(heads("const work = [\n  function (n) {\n", "work"), [0; 0]);
        assert_eq!(heads("class Row {\n  Row() {\n  }\n  ~Row() {\n  }\n", "Row"), [1, 2, 4]);
        assert_eq!(heads("work(1,\n  2)\np.work(3)\nint work(int n,\n  int m) {\n", "work"), [4]);
        assert_eq!(heads("workshop()\n", "work"), [0; 0]);
        assert_eq!(heads("__attribute__((noinline)) int work(int n) {\n", "work"), [1]);
        assert_eq!(heads("[[nodiscard]] static int work(int n) {\n", "work"), [1]);
        assert_eq!(
            heads("static int __attribute__ ((hot, aligned(64))) work(int n)\n", "work"),
            [1]
        );
        assert_eq!(heads("__attribute__((unfinished int work(int n) {\n", "work"), [0; 0]);
    }

    proptest! {
        #[test]
        fn no_text_is_too_odd(name in ".{0,40}", text in "(.{0,20}\n){0,5}") {
            let word = identifier(&name);
            let words = Words::new(&text, word.into_iter());
            for line in word.map(|word| words.heads(word)).unwrap_or_default() {
                prop_assert!(words.line(line).is_some());
            }
        }
    }
}
