//! Suppressions: leaks that the program or heaptrack says are not defects.
//!
//! A pattern is one of LeakSanitizer's: it is found anywhere in a name, `*` stands for any text,
//! `^` for the start of the name and `$` for its end. It suppresses what leaks below a frame whose
//! module, function or file it matches.

use super::reading::hexadecimal;
use profile::{ContextId, FunctionId, LocationId, ProfileBuilder, StringId};

/// Libraries allocate this once and keep it. The functions are those that heaptrack 1.3 and later
/// suppress without being asked.
const BUILT_IN: [&str; 7] = [
    "__nss_module_allocate",
    "__gconv_read_conf",
    "__new_exitfn",
    "tzset_internal",
    "dl_open_worker",
    "g_main_context_new",
    "g_thread_self",
];

/// So many patterns are looked for; a program has a few dozen.
const MOST: usize = 256;

/// The patterns of a file, and what they matched.
pub(super) struct Suppressions {
    patterns: Vec<String>,
    /// Patterns beyond the first [`MOST`].
    pub(super) left_out: u64,
}

impl Default for Suppressions {
    fn default() -> Self {
        Suppressions { patterns: BUILT_IN.map(str::to_owned).to_vec(), left_out: 0 }
    }
}

impl Suppressions {
    /// Adds a line of the program's suppressions; none if it is neither a suppression of leaks nor
    /// a comment. Since version 3 of the format its length stands before it. heaptrack 1.4 writes
    /// that but does not read it, so that its own report does not apply such a line.
    pub(super) fn add(&mut self, line: &str) -> Option<()> {
        let sized = line.split_once(' ').filter(|(len, text)| {
            hexadecimal(len).is_some_and(|len| usize::try_from(len) == Ok(text.len()))
        });
        let line = sized.map_or(line, |(_, text)| text).trim_ascii();
        if line.is_empty() || line.starts_with('#') {
            return Some(());
        }
        let pattern = line.strip_prefix("leak:")?;
        match pattern.is_empty() {
            false if self.patterns.len() < MOST => self.patterns.push(pattern.to_owned()),
            false => self.left_out += 1,
            true => {}
        }
        Some(())
    }

    /// The text of a pattern.
    pub(super) fn pattern(&self, pattern: u16) -> &str {
        &self.patterns[usize::from(pattern)]
    }

    /// By context, the number of the pattern that suppresses its leaks.
    pub(super) fn by_context(&self, builder: &ProfileBuilder) -> Vec<Option<u16>> {
        let mut matches = Matches { suppressions: self, builder, by_string: Vec::new() };
        let locations: Vec<Option<u16>> = (0..builder.location_count())
            .map(|at| matches.location(LocationId(at as u32)))
            .collect();
        let mut contexts: Vec<Option<u16>> = vec![None; builder.contexts.len()];
        if locations.iter().any(Option::is_some) {
            // A caller comes before what it calls.
            for context in 1..contexts.len() {
                let (caller, location) = builder.contexts.node(ContextId(context as u32));
                contexts[context] = contexts[caller.index()].or(locations[location.index()]);
            }
        }
        contexts
    }
}

/// Which pattern matches which name; each name is looked at once.
struct Matches<'b> {
    suppressions: &'b Suppressions,
    builder: &'b ProfileBuilder,
    /// By string: not looked at, or the pattern that matches.
    by_string: Vec<Option<Option<u16>>>,
}

impl Matches<'_> {
    fn location(&mut self, location: LocationId) -> Option<u16> {
        let module = self.builder.module_of(location).map(|module| module.name);
        if let Some(found) = module.and_then(|name| self.string(name)) {
            return Some(found);
        }
        // The innermost frame first, as heaptrack counts what each pattern suppresses.
        let functions: Vec<FunctionId> = self.builder.functions_of(location).collect();
        functions.into_iter().rev().find_map(|function| {
            let functions = &self.builder.functions;
            let (name, file) = (functions.name[function.index()], functions.file[function.index()]);
            self.string(name).or_else(|| self.string(file))
        })
    }

    fn string(&mut self, string: StringId) -> Option<u16> {
        if self.by_string.len() <= string.index() {
            self.by_string.resize(string.index() + 1, None);
        }
        if let Some(known) = self.by_string[string.index()] {
            return known;
        }
        let text = self.builder.strings.get(string);
        let patterns = &self.suppressions.patterns;
        let found = patterns.iter().position(|pattern| matches(pattern, text));
        let found = found.map(|pattern| pattern as u16);
        self.by_string[string.index()] = Some(found);
        found
    }
}

/// Whether a pattern matches a name. As LeakSanitizer and heaptrack do, each part between two
/// `*` is taken where it is found first.
fn matches(pattern: &str, name: &str) -> bool {
    if pattern == name {
        return true;
    }
    if name.is_empty() {
        return false;
    }
    let (mut pattern, mut is_start) = match pattern.strip_prefix('^') {
        Some(rest) => (rest, true),
        None => (pattern, false),
    };
    let (mut name, mut any) = (name, false);
    while let Some(first) = pattern.chars().next() {
        match first {
            '*' => {
                (pattern, is_start, any) = (&pattern[1..], false, true);
                continue;
            }
            '$' => return name.is_empty() || any,
            _ if name.is_empty() => return false,
            _ => {}
        }
        let (part, rest) = pattern.split_at(pattern.find(['*', '$']).unwrap_or(pattern.len()));
        match name.find(part) {
            Some(at) if at == 0 || !is_start => name = &name[at + part.len()..],
            _ => return false,
        }
        (pattern, is_start, any) = (rest, false, false);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns_are_those_of_leak_sanitizer() {
        for (pattern, name, expected) in [
            ("foo", "foo", true),
            ("foo", "a_foo_b", true),
            ("foo", "fo", false),
            ("foo", "", false),
            ("^foo", "foobar", true),
            ("^foo", "barfoo", false),
            ("foo$", "barfoo", true),
            ("foo$", "foobar", false),
            ("^foo$", "foo", true),
            ("foo*bar", "a foo and a bar there", true),
            ("foo*bar$", "foo and a bar there", false),
            ("bar*foo", "foo bar", false),
            ("^leak*Supp$", "leakFooSupp", true),
            ("^leak*Supp$", "leakFoo", false),
            ("^leak*Supp$", "a leakFooSupp", false),
            ("*", "anything", true),
            ("*", "", false),
            ("*$", "anything", true),
            ("foo*$", "a foo b", true),
            ("é*ü", "mélangé für", true),
            // The part before `$` is taken where it is found first.
            ("a$", "aba", false),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} in {name}");
        }
    }
}
