//! `cargo xtask strings`: the texts of the program and of the page in one list, for whoever reviews their words.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::Context;

use crate::{tidy, workspace};

/// Writes the list into target/strings.tsv: file, line and text.
pub(crate) fn run() -> anyhow::Result<()> {
    let root = workspace::root();
    let mut list = String::new();
    for file in tidy::production_sources()? {
        let source = fs::read_to_string(root.join(&file))?;
        for (line, text) in texts(&file, &source).into_iter().filter(|(_, text)| is_prose(text)) {
            let _ = writeln!(list, "{}\t{line}\t{text}", file.display());
        }
    }
    let path = workspace::target().join("strings.tsv");
    fs::create_dir_all(workspace::target())?;
    fs::write(&path, &list).with_context(|| format!("cannot write {}", path.display()))?;
    println!("{}: {} texts", path.display(), list.lines().count());
    Ok(())
}

/// Two words next to each other.
fn is_prose(text: &str) -> bool {
    let is_word =
        |word: &str| word.chars().all(|letter| letter.is_alphabetic() || "',.:;’".contains(letter));
    let words: Vec<&str> = text.split(' ').collect();
    words.windows(2).any(|pair| pair.iter().all(|word| word.len() > 1 && is_word(word)))
}

/// The texts of a source, each with its line: quoted ones, and those between the tags of a page.
fn texts(file: &Path, source: &str) -> Vec<(usize, String)> {
    let ends_with = |end: &str| file.extension().is_some_and(|found| found == end);
    let is_rust = ends_with("rs");
    let source = match source.find("\n#[cfg(test)]\nmod tests") {
        Some(end) if is_rust => &source[..end],
        _ => source,
    };
    let mut found = vec![];
    let mut rest = source;
    let line_of = |rest: &str| 1 + source[..source.len() - rest.len()].matches('\n').count();
    while let Some(letter) = rest.chars().next() {
        let after = &rest[letter.len_utf8()..];
        rest = match letter {
            '/' if after.starts_with('/') => after.split_once('\n').map_or("", |(_, next)| next),
            '/' if after.starts_with('*') => after.split_once("*/").map_or("", |(_, next)| next),
            'r' if is_rust && (after.starts_with("#\"") || after.starts_with('"')) => {
                let hashes = after.find('"').unwrap_or(0);
                let close = format!("\"{}", "#".repeat(hashes));
                let (text, next) = after[hashes + 1..].split_once(&close).unwrap_or((after, ""));
                found.push((line_of(rest), joined(text)));
                next
            }
            '"' | '`' | '\'' if !(is_rust && letter != '"' || is_apostrophe(source, rest)) => {
                let (text, next) = quoted(after, letter);
                found.push((line_of(rest), joined(text)));
                next
            }
            // A quote as a character, or inside of a word, does not begin a text.
            '\'' if after.starts_with("\"'") || after.starts_with("\\\"'") => {
                &after[after.find('"').unwrap_or(0) + 2..]
            }
            '>' | '}' if ends_with("tsx") => {
                let end = after.find(['<', '{']).unwrap_or(0);
                if is_between_tags(&after[..end]) {
                    found.push((line_of(rest), joined(&after[..end])));
                }
                after
            }
            _ => after,
        };
    }
    found
}

/// Whether the rest of a source begins with the apostrophe of a word, as in `it's`.
fn is_apostrophe(source: &str, rest: &str) -> bool {
    let before = source[..source.len() - rest.len()].chars().next_back();
    let after = rest.chars().nth(1);
    rest.starts_with('\'') && [before, after].iter().all(|one| one.is_some_and(char::is_alphabetic))
}

/// Whether what stands between two tags or braces of a page is text, and not code.
fn is_between_tags(text: &str) -> bool {
    let is_call = |at: usize| text[..at].ends_with(|letter: char| letter.is_alphanumeric());
    !text.contains(['=', ';', '?', '|', '&', '[', ']'])
        && !text.match_indices('(').any(|(at, _)| is_call(at))
}

/// A text up to its closing quote, and what is behind that.
fn quoted(text: &str, quote: char) -> (&str, &str) {
    let mut is_escaped = false;
    for (at, letter) in text.char_indices() {
        if letter == quote && !is_escaped {
            return (&text[..at], &text[at + 1..]);
        }
        is_escaped = letter == '\\' && !is_escaped;
    }
    (text, "")
}

/// In one line.
fn joined(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().filter(|word| *word != "\\").collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prose(file: &str, source: &str) -> Vec<(usize, String)> {
        let mut found = texts(Path::new(file), source);
        found.retain(|(_, text)| is_prose(text));
        found
    }

    #[test]
    fn texts_of_rust_are_found_and_comments_are_not() {
        let source = "// \"not a text\"\nlet a = '\"';\nbail!(\"cannot read \\\n    {} \\\"here\\\"\");\nlet b = r#\"a raw text\"#;\n\
                      let c = \"short\";\n#[cfg(test)]\nmod tests {\n    let d = \"of a test\";\n}";
        let expected =
            [(3, "cannot read {} \\\"here\\\"".to_owned()), (5, "a raw text".to_owned())];
        assert_eq!(prose("a.rs", source), expected);
    }

    #[test]
    fn texts_of_a_page_are_found_between_tags_too() {
        let source = "const a = 'first text';\nreturn <p title=\"second text\">\n  third text {a} and the scheduler's events (all) tell\n</p>;\n/* no text */ const f = (a) => a < b;";
        let texts = prose("a.tsx", source);
        let words: Vec<&str> = texts.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(
            words,
            ["first text", "second text", "third text", "and the scheduler's events (all) tell"]
        );
    }
}
