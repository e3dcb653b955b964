//! What the engine's sources must not do.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::finding::Finding;

/// Crates that get bytes and give answers: they touch nothing of the machine.
const PURE: &[&str] =
    &["profile", "formats", "symbols", "analysis", "layout", "session", "protocol", "sdfg"];
/// Crates whose types have no serialised form: only `protocol` has one.
const UNSERIALISED: &[&str] = &["profile", "analysis", "layout"];

/// Words that must not occur in some crates, and what to do instead.
const FORBIDDEN: [(&[&str], &[&str], &str); 6] = [
    (PURE, &["std::fs", "std::net", "std::process"], "take bytes, or ask the session's Host"),
    (
        PURE,
        &["use std::{fs", "use std::{net", "use std::{process"],
        "take bytes, or ask the session's Host",
    ),
    (
        PURE,
        &["std::thread", "std::env"],
        "a page has neither: see `THREADED` for those that do without",
    ),
    (PURE, &["Instant::now", "SystemTime::now"], "take the time as an argument"),
    (PURE, &["println!", "print!", "eprintln!", "eprint!", "dbg!"], "return a value or a warning"),
    (
        UNSERIALISED,
        &["serde", "Serialize", "Deserialize"],
        "convert to a type of `protocol` in `session`",
    ),
];

/// Files that use a thread where there are any, and do without in WebAssembly.
const THREADED: [&str; 5] = [
    "crates/formats/src/input/container.rs",
    "crates/formats/src/input/stream.rs",
    "crates/formats/src/readers/pprof/stack_thread.rs",
    "crates/sdfg/src/cost/python.rs",
    "crates/work/src/parts.rs",
];

/// Tests may do what they like; so may examples and benches, which are not in `src`.
pub(super) fn is_production_source(file: &Path) -> bool {
    let is_test = |part: &OsStr| part == "tests" || part == "tests.rs";
    file.extension().is_some_and(|end| end == "rs")
        && file.components().any(|part| part.as_os_str() == "src")
        && !file.components().any(|part| is_test(part.as_os_str()))
}

/// Checks one source file of a crate.
pub(super) fn check(crate_folder: &str, file: &Path, source: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (number, line) in production_lines(source) {
        for (crates, words, remedy) in FORBIDDEN {
            let Some(word) = words.iter().find(|word| contains_word(line, word)) else { continue };
            let is_allowed =
                *word == "std::thread" && THREADED.iter().any(|one| file == Path::new(one));
            if crates.contains(&crate_folder) && !is_allowed {
                let message = format!("`{word}` must not be in `{crate_folder}`: {remedy}");
                findings.push(Finding { file: file.to_path_buf(), line: number, message });
            }
        }
    }
    findings
}

/// The files of the modules that `source` declares for tests only.
pub(super) fn test_modules(file: &Path, source: &str) -> Vec<PathBuf> {
    let is_root = |stem: &OsStr| ["lib", "main", "mod"].iter().any(|root| stem == *root);
    let folder = match file.file_stem() {
        Some(stem) if is_root(stem) => file.with_file_name(""),
        _ => file.with_extension(""),
    };
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    lines
        .windows(2)
        .filter(|pair| pair[0] == "#[cfg(test)]")
        .filter_map(|pair| pair[1].strip_prefix("mod ")?.strip_suffix(';'))
        .map(|module| folder.join(module).with_extension("rs"))
        .collect()
}

/// The numbered lines that are neither comments nor behind `#[cfg(test)]`.
fn production_lines(source: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut test_item = TestItem::Outside;
    source.lines().zip(1..).filter_map(move |(line, number)| {
        let is_test = test_item.step(line);
        let is_comment = line.trim_start().starts_with("//");
        (!is_test && !is_comment).then_some((number, line))
    })
}

/// Where a line is, seen from the items that are only compiled for tests. Rustfmt
/// closes an item with a brace at the depth at which the item begins.
enum TestItem {
    Outside,
    /// After `#[cfg(test)]`, before the item's opening brace or semicolon.
    Head {
        indent: usize,
    },
    Body {
        indent: usize,
    },
}

impl TestItem {
    /// Takes the next line; true if it belongs to a test item.
    fn step(&mut self, line: &str) -> bool {
        let text = line.trim();
        let depth = line.len() - line.trim_start().len();
        match *self {
            Self::Outside if text == "#![cfg(test)]" => *self = Self::Body { indent: usize::MAX },
            Self::Outside if text == "#[cfg(test)]" => *self = Self::Head { indent: depth },
            Self::Outside => return false,
            Self::Head { indent } if text.ends_with('{') => *self = Self::Body { indent },
            Self::Head { .. } if text.ends_with([';', '}']) => *self = Self::Outside,
            Self::Body { indent } if depth == indent && text.starts_with('}') => {
                *self = Self::Outside
            }
            Self::Head { .. } | Self::Body { .. } => {}
        }
        true
    }
}

/// True if `word` occurs in `line` and is not the end of a longer word.
fn contains_word(line: &str, word: &str) -> bool {
    let continues = |text: &str| text.ends_with(|c: char| c.is_alphanumeric() || c == '_');
    line.match_indices(word).any(|(at, _)| !continues(&line[..at]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_source(crate_folder: &str, source: &str, expected_lines: &[usize]) {
        let findings = check(crate_folder, Path::new("src/lib.rs"), source);
        let lines: Vec<usize> = findings.iter().map(|finding| finding.line).collect();
        assert_eq!(lines, expected_lines, "{findings:?}");
    }

    #[test]
    fn effects_are_found_in_the_engine() {
        check_source(
            "formats",
            "use std::fs::File;\n\nfn f() {\n    println!(\"x\");\n}\n",
            &[1, 4],
        );
        check_source("session", "let now = std::time::Instant::now();", &[1]);
        check_source("layout", "use std::{fs, io};", &[1]);
        check_source("profile", "#[derive(Clone, serde::Serialize)]", &[1]);
    }

    #[test]
    fn other_crates_may() {
        check_source("app", "use std::fs::File;", &[]);
        check_source("protocol", "#[derive(serde::Serialize)]", &[]);
    }

    #[test]
    fn tests_and_comments_may() {
        check_source("formats", "// std::fs is not for here\n", &[]);
        check_source("formats", "#[cfg(test)]\nmod tests {\n    use std::fs;\n}\n", &[]);
        check_source(
            "formats",
            "#[cfg(test)]\nmod tests {\n    use std::fs;\n}\nuse std::fs;\n",
            &[5],
        );
        check_source("formats", "#[cfg(test)]\nmod typescript;\nuse std::fs;\n", &[3]);
    }

    #[test]
    fn only_whole_words_count() {
        check_source("formats", "my_println!(\"x\");", &[]);
    }

    #[test]
    fn modules_for_tests_are_known_by_their_declaration() {
        let source = "#[cfg(test)]\nmod typescript;\n\nmod frame;\n";
        let of = |file| test_modules(Path::new(file), source);
        assert_eq!(of("crates/x/src/lib.rs"), [Path::new("crates/x/src/typescript.rs")]);
        assert_eq!(of("crates/x/src/a.rs"), [Path::new("crates/x/src/a/typescript.rs")]);
    }

    #[test]
    fn test_files_are_no_production_source() {
        assert!(is_production_source(Path::new("crates/formats/src/readers/pprof/read.rs")));
        assert!(!is_production_source(Path::new("crates/formats/src/readers/pprof/tests.rs")));
        assert!(!is_production_source(Path::new("crates/formats/tests/oracle.rs")));
        assert!(!is_production_source(Path::new("crates/formats/examples/open.rs")));
    }
}
