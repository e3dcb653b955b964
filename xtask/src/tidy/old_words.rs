//! Words that names have used and that say nothing to an engineer of the field; GLOSSARY.md has better ones. Names
//! that have them may stay until somebody renames them, but there are never more.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::finding::Finding;

/// The words, and how many definitions have each. Lower a number when you rename; never raise one.
const OLD: [(&str, usize); 9] = [
    ("absences", 4),
    ("asked", 0),
    ("doubt", 4),
    ("handed", 10),
    ("lack", 2),
    ("meant", 2),
    ("teller", 3),
    ("told", 0),
    ("unseen", 12),
];

/// Phrases that a native speaker does not write. No text of a program has them.
const PHRASES: [&str; 4] = [" is told", " are told", " is no ", " are no "];

/// What stands before the name of a definition.
const KEYWORDS: [&str; 8] = ["fn", "struct", "enum", "trait", "mod", "type", "const", "static"];

/// Counts the names of definitions in Rust sources, given with their texts.
pub(super) fn check<'s>(sources: impl Iterator<Item = &'s str>) -> Vec<Finding> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut phrases = vec![];
    for line in sources.flat_map(str::lines) {
        phrases.extend(phrase_of(line).map(|phrase| (phrase, line.trim())));
        for part in name_of(line).map(parts).unwrap_or_default() {
            if let Some((word, _)) = OLD.iter().find(|(word, _)| *word == part) {
                *counts.entry(word).or_default() += 1;
            }
        }
    }
    let finding = |message| Finding { file: PathBuf::from("GLOSSARY.md"), line: 0, message };
    let judged = OLD.iter().filter_map(|(word, most)| {
        let count = counts.get(word).copied().unwrap_or(0);
        let message = match count.cmp(most) {
            std::cmp::Ordering::Equal => return None,
            std::cmp::Ordering::Greater => format!(
                "{count} names have the word `{word}`, and {most} had it: call what is new by a term of GLOSSARY.md"
            ),
            std::cmp::Ordering::Less => format!(
                "only {count} names have the word `{word}`: write {count} in place of {most} in old_words.rs"
            ),
        };
        Some(finding(message))
    });
    let in_texts = phrases.iter().map(|(phrase, line)| {
        finding(format!("`{line}` has the phrase `{}`: write it in other words", phrase.trim()))
    });
    judged.chain(in_texts).collect()
}

/// The phrase that a line of code has in a text. Comments are not texts of a program.
fn phrase_of(line: &str) -> Option<&'static str> {
    if line.trim_start().starts_with("//") {
        return None;
    }
    let rest = ["there is no ", "There is no ", "there are no ", "There are no "]
        .iter()
        .fold(line.to_owned(), |line, known| line.replace(known, ""));
    PHRASES.into_iter().find(|phrase| rest.contains(phrase))
}

/// The name that a line defines.
fn name_of(line: &str) -> Option<&str> {
    let line = line.trim_start();
    // What `pub(in crate::a)` names is not a part of the definition.
    let line = match line.strip_prefix("pub(") {
        Some(rest) => rest.split_once(')')?.1,
        None => line,
    };
    let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
    let is_name = |word: &&str| !word.is_empty();
    let before = ["pub", "async", "unsafe", "extern", "mut"];
    let keyword = words.by_ref().filter(is_name).find(|word| !before.contains(word))?;
    KEYWORDS.contains(&keyword).then(|| words.find(is_name)).flatten()
}

/// The words of a name in lower case: `what_is_told`, `ToldBy`.
fn parts(name: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    for letter in name.chars() {
        if letter == '_' || letter.is_uppercase() {
            found.push(String::new());
        }
        if letter != '_'
            && let Some(last) = found.last_mut()
        {
            last.extend(letter.to_lowercase());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_definitions_are_found() {
        assert_eq!(name_of("    pub(crate) fn told(&self) -> String {"), Some("told"));
        assert_eq!(name_of("pub(in crate::x) struct Asked<'a> {"), Some("Asked"));
        assert_eq!(name_of("struct Asked<'a> {"), Some("Asked"));
        assert_eq!(name_of("    let told = 1;"), None);
        assert_eq!(parts("what_is_told"), ["what", "is", "told"]);
        assert_eq!(parts("ToldBy"), ["", "told", "by"]);
    }

    #[test]
    fn phrases_are_found_in_texts_and_not_in_comments() {
        assert_eq!(phrase_of("    bail!(\"{name} is no file\")"), Some(" is no "));
        assert_eq!(phrase_of("    bail!(\"there is no file {name}\")"), None);
        assert_eq!(phrase_of("    // It is no file."), None);
        let findings = check(["let a = \"what is told\";"].into_iter());
        assert!(findings.iter().any(|one| one.message.contains("`is told`")), "{findings:?}");
    }

    #[test]
    fn a_new_name_with_an_old_word_is_found() {
        let many: String = (0..10_000).map(|n| format!("fn told_{n}() {{}}\n")).collect();
        let findings = check([many.as_str()].into_iter());
        assert!(findings.iter().any(|one| one.message.contains("`told`")), "{findings:?}");
    }
}
