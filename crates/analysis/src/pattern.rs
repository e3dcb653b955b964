//! Regular expressions that people and files bring.

use regex::{Regex, RegexBuilder};

/// Compiled regular expressions with bounded cost, which must all match. There is one, but for searches of
/// several words.
#[derive(Debug, Clone)]
pub struct Pattern(Vec<Regex>);

/// Why an expression does not compile.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{pattern} cannot be searched for: {reason}")]
pub struct PatternError {
    /// The expression.
    pub pattern: String,
    /// What the parser says, on one line.
    pub reason: String,
}

/// Makes case count, in front of a search.
const MATCH_CASE: &str = "(?-i)";
/// The opposite.
const ANY_CASE: &str = "(?i)";
/// Nobody types more.
const MOST_WORDS: usize = 32;

/// Most bytes that a compiled expression may take.
const MOST_BYTES: usize = 4 << 20;

impl Pattern {
    /// Compiles an expression that is searched for anywhere in a text. Case counts.
    ///
    /// # Errors
    /// It is not a regular expression, or one that is too large.
    pub fn new(pattern: &str) -> Result<Pattern, PatternError> {
        compiled(pattern, false).map(Pattern::one).map_err(|error| problem(pattern, &error))
    }

    /// Compiles what people type to find something. Case counts where the text has a capital letter,
    /// or says so with `(?-i)`. What is not a regular expression, as `operator new[` or `(*Profile)`,
    /// is looked for as it stands.
    ///
    /// # Errors
    /// It is too large.
    pub fn typed(text: &str) -> Result<Pattern, PatternError> {
        let (text, any_case) = match text.strip_prefix(MATCH_CASE) {
            Some(text) => (text, false),
            None => (text, !has_capital(text)),
        };
        match compiled(text, any_case) {
            Err(regex::Error::Syntax(_)) => compiled(&regex::escape(text), any_case),
            compiled => compiled,
        }
        .map(Pattern::one)
        .map_err(|error| problem(text, &error))
    }

    /// Compiles a search: its [`words`] are found in any order, each as [`Pattern::typed`] has it.
    ///
    /// # Errors
    /// A word is too large, or there are too many.
    pub fn search(text: &str) -> Result<Pattern, PatternError> {
        let flags = [MATCH_CASE, ANY_CASE].into_iter().find(|flags| text.starts_with(flags));
        // Capitals in one word make case count in all of them.
        let case = flags.unwrap_or(if has_capital(text) { MATCH_CASE } else { "" });
        let words = words(text.strip_prefix(case).unwrap_or(text));
        if words.len() > MOST_WORDS {
            let reason = format!("it has more than {MOST_WORDS} words");
            return Err(PatternError { pattern: "the text".to_owned(), reason });
        }
        let mut all = vec![];
        for word in words {
            all.extend(Pattern::typed(&format!("{case}{word}"))?.0);
        }
        Ok(Pattern(all))
    }

    fn one(regex: Regex) -> Pattern {
        Pattern(vec![regex])
    }

    /// Compiles an expression that must match a whole text.
    pub(crate) fn whole(pattern: &str) -> Result<Pattern, PatternError> {
        Pattern::new(&format!("^(?:{pattern})$"))
    }

    /// An expression that matches just `text`.
    pub fn escape(text: &str) -> String {
        regex::escape(text)
    }

    /// An expression for people: one that matches just one text reads as that text.
    pub fn shown(pattern: &str) -> String {
        let text = pattern.strip_prefix("(?-i)").unwrap_or(pattern);
        let whole = text.strip_prefix('^').and_then(|text| text.strip_suffix('$'));
        let plain = whole.map(|text| {
            let mut letters = text.chars();
            let mut plain = String::new();
            while let Some(letter) = letters.next() {
                plain.extend(if letter == '\\' { letters.next() } else { Some(letter) });
            }
            plain
        });
        let is_exact = |plain: &String| Some(&*regex::escape(plain)) == whole;
        plain.filter(is_exact).unwrap_or_else(|| pattern.to_owned())
    }

    /// Whether it matches somewhere in `text`.
    pub fn is_match(&self, text: &str) -> bool {
        self.0.iter().all(|regex| regex.is_match(text))
    }

    /// Whether each word is in one of `texts`, such as a name and a file.
    pub fn is_match_among(&self, texts: &[&str]) -> bool {
        self.0.iter().all(|regex| texts.iter().any(|text| regex.is_match(text)))
    }

    /// Each word by itself.
    pub(crate) fn words(&self) -> impl Iterator<Item = Pattern> {
        self.0.iter().cloned().map(Pattern::one)
    }
}

/// The words of a search. Spaces behind a backslash and in brackets part none, nor do those of an
/// expression that begins with `^`.
pub fn words(text: &str) -> Vec<&str> {
    if text.starts_with('^') {
        return vec![text];
    }
    let mut words = vec![];
    let (mut begin, mut open, mut is_escaped) = (None, vec![], false);
    for (at, letter) in text.char_indices() {
        if letter.is_whitespace() && !is_escaped && open.is_empty() {
            words.extend(begin.take().map(|begin| &text[begin..at]));
            continue;
        }
        begin.get_or_insert(at);
        match letter {
            _ if is_escaped => {}
            '(' => open.push(')'),
            '[' => open.push(']'),
            '{' => open.push('}'),
            _ if open.last() == Some(&letter) => drop(open.pop()),
            _ => {}
        }
        is_escaped = letter == '\\' && !is_escaped;
    }
    if !open.is_empty() {
        // No expression: brackets are as they stand.
        return text.split_whitespace().collect();
    }
    words.extend(begin.map(|begin| &text[begin..]));
    words
}

fn compiled(pattern: &str, any_case: bool) -> Result<Regex, regex::Error> {
    RegexBuilder::new(pattern).case_insensitive(any_case).size_limit(MOST_BYTES).build()
}

fn problem(pattern: &str, error: &regex::Error) -> PatternError {
    let text = error.to_string();
    let reason = text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
    PatternError {
        pattern: pattern.to_owned(),
        reason: reason.trim_start_matches("error: ").trim().to_owned(),
    }
}

/// Whether a capital letter is looked for: one that does not name a class, as in `\S` or `\p{Lu}`.
fn has_capital(pattern: &str) -> bool {
    let mut letters = pattern.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => {
                let class = letters.next();
                if matches!(class, Some('p' | 'P' | 'x' | 'u' | 'U'))
                    && letters.peek() == Some(&'{')
                {
                    letters.by_ref().find(|&letter| letter == '}');
                }
            }
            _ if letter.is_uppercase() => return true,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_counts_where_capitals_are_typed() {
        for (typed, text, matches) in [
            ("read", "ReadFile", true),
            ("Read", "readfile", false),
            ("Read", "ReadFile", true),
            ("(?-i)read", "ReadFile", false),
            ("(?i)READ", "readfile", true),
            (r"\S\Bead\w", "a READfile", true),
            (r"\p{Lu}ead", "READ", true),
            ("straße", "STRASSE", false),
            ("größe", "GRÖẞE", true),
        ] {
            assert_eq!(Pattern::typed(typed).unwrap().is_match(text), matches, "{typed} in {text}");
        }
    }

    #[test]
    fn what_is_no_expression_is_looked_for_as_it_stands() {
        for (typed, text, matches) in [
            ("(*Profile)", "pprof.(*Profile).Write", true),
            ("(*profile)", "pprof.(*Profile).Write", true),
            ("operator new[", "void* operator new[](size_t)", true),
            ("[", "a[0]", true),
            ("+", "operator+", true),
            ("c++", "libstdc++", true),
            ("*", "x", false),
            ("(a", "(A", true),
            ("(?-i)(a", "(A", false),
            ("(?-i)(a", "(a", true),
            ("(A", "(a", false),
            ("a|b", "b", true),
        ] {
            assert_eq!(Pattern::typed(typed).unwrap().is_match(text), matches, "{typed} in {text}");
        }
        assert!(Pattern::new("(*Profile)").is_err());
    }

    #[test]
    fn words_of_a_search_are_found_in_any_order() {
        for (search, text, matches) in [
            ("regexp backtrack", "regexp.(*Regexp).backtrack", true),
            ("backtrack regexp", "regexp.(*Regexp).backtrack", true),
            ("regexp json", "regexp.(*Regexp).backtrack", false),
            ("  read  ", "ReadFile", true),
            ("Regexp back", "regexp.(*Regexp).backtrack", true),
            ("Regexp Back", "regexp.(*Regexp).backtrack", false),
            ("(?-i)regexp back", "REGEXP.back", false),
            ("new operator", "operator new[](size_t)", true),
            ("operator new[", "void* operator new[](size_t)", true),
            ("^new operator", "operator new", false),
            (r"new\soperator", "operator new", false),
            (r"operator\ new", "new operator new", true),
            (r"operator\ new", "new_operator", false),
            (" \t ", "a", true),
            ("(?i)REGEXP BACK", "regexp.(*Regexp).backtrack", true),
            ("regexp (json|x y)", "regexp x y", true),
            ("regexp (json|x y)", "regexp y x", false),
            ("[a b]c", "x c", true),
            ("new( operator", "operator new(", true),
            ("", "a", true),
        ] {
            let pattern = Pattern::search(search).unwrap();
            assert_eq!(pattern.is_match(text), matches, "{search:?} in {text}");
        }
        let pattern = Pattern::search("main.go visitor").unwrap();
        assert!(pattern.is_match_among(&["addVisitor", "log/main.go"]));
        assert!(!pattern.is_match_among(&["addVisitor", "log/map.go"]));
    }

    #[test]
    fn a_pattern_of_one_text_reads_as_that() {
        assert_eq!(Pattern::shown(r"(?-i)^a\.\(\*T\)$"), "a.(*T)");
        for other in ["a.b", "^a.b$", "(?-i)main", ""] {
            assert_eq!(Pattern::shown(other), other);
        }
    }

    #[test]
    fn what_is_too_large_is_refused() {
        let error = Pattern::typed(r"(\w{1000}){1000}").unwrap_err();
        assert!(error.reason.contains("size limit"), "{error}");
    }
}
