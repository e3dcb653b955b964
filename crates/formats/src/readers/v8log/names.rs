//! What V8 calls code: a function, and where it starts.
//!
//! ```text
//! main /x/main.js:3:1                get weight file:///a%20b/pot.mjs:30:13
//!  node:internal/util:1:1            LazyCompile: *main C:\x\main.js:3:1
//! ```
//! Spaces are in names and in paths, so the place begins where something looks like one.

/// What V8 calls functions without a name in its other profiles.
const ANONYMOUS: &str = "(anonymous)";

/// Kinds of code that is of a script, as older logs have them.
const SCRIPT_KINDS: [&str; 5] = ["LazyCompile", "Function", "Script", "Eval", "JS"];

/// Whether code of that kind has a name with a place.
pub(super) fn is_script_kind(kind: &str) -> bool {
    SCRIPT_KINDS.contains(&kind)
}

/// Function, file, line and column of `function file:line:column`, where only the middle is sure.
pub(super) fn split_name(name: &str) -> (&str, &str, u32, u32) {
    let (function, place) = halves(without_marks(name));
    let function = if function.is_empty() { ANONYMOUS } else { function };
    let number = |text: &str| text.parse::<u32>().ok();
    let Some((rest, last)) = place.rsplit_once(':') else { return (function, place, 0, 0) };
    let Some(last) = number(last) else { return (function, place, 0, 0) };
    match rest.rsplit_once(':').and_then(|(file, line)| Some((file, number(line)?))) {
        Some((file, line)) => (function, file, line, last),
        None => (function, rest, last, 0),
    }
}

/// The name without the kind and the tier before it.
fn without_marks(name: &str) -> &str {
    let kind = name.split_once(':').filter(|(kind, _)| is_script_kind(kind));
    let rest = kind.map_or(name, |(_, rest)| rest.strip_prefix(' ').unwrap_or(rest));
    match rest.strip_prefix(['*', '~', '^', '+']) {
        // A generator's star is not a part of its name either.
        Some(marked) if kind.is_some() || rest.contains(':') => marked,
        _ => rest,
    }
}

/// Function and place.
fn halves(name: &str) -> (&str, &str) {
    if is_place(name) {
        return ("", name);
    }
    let spaces = || name.match_indices(' ').map(|(at, _)| at);
    let at = spaces().find(|&at| is_place(&name[at + 1..])).or_else(|| spaces().next_back());
    match at {
        Some(at) => (&name[..at], &name[at + 1..]),
        None if name.contains(':') => ("", name),
        None => (name, ""),
    }
}

/// Whether a path or an address starts here.
fn is_place(text: &str) -> bool {
    const OTHERS: [&str; 5] = ["native ", "[eval", "[worker eval", "[stdin", "evalmachine."];
    let is_path = text.starts_with(['/', '\\']) && text.len() > 1 && !text.starts_with("/ ");
    if is_path || OTHERS.iter().any(|start| text.starts_with(start)) {
        return true;
    }
    let word = text.split(' ').next().unwrap_or_default();
    let Some((scheme, after)) = word.split_once(':') else { return false };
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'));
    // A number would be a line.
    is_scheme && after.starts_with(|c: char| !c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::split_name;

    #[test]
    fn names_are_split_where_their_place_begins() {
        for (name, expected) in [
            ("main /x/main.js:3:1", ("main", "/x/main.js", 3, 1)),
            ("main file:///x/main.js:1:1", ("main", "file:///x/main.js", 1, 1)),
            ("main main.js:3:1", ("main", "main.js", 3, 1)),
            ("main /home/a b/main.js:3:1", ("main", "/home/a b/main.js", 3, 1)),
            ("main C:\\my code\\main.js:3:1", ("main", "C:\\my code\\main.js", 3, 1)),
            ("main C:/x/main.js:3:1", ("main", "C:/x/main.js", 3, 1)),
            ("f http://localhost:8080/a.js:3:14", ("f", "http://localhost:8080/a.js", 3, 14)),
            ("f http://localhost:8080/a.js?x=1:2:3", ("f", "http://localhost:8080/a.js?x=1", 2, 3)),
            ("LazyCompile: *main node:internal/main:3:1", ("main", "node:internal/main", 3, 1)),
            ("LazyCompile:~main /x/main.js:3:1", ("main", "/x/main.js", 3, 1)),
            ("Script: ~/x/main.js:1:1", ("(anonymous)", "/x/main.js", 1, 1)),
            ("*main /x/main.js:3:1", ("main", "/x/main.js", 3, 1)),
            ("~ /x/main.js:3:1", ("(anonymous)", "/x/main.js", 3, 1)),
            ("^get weight /x/pot.js:30:13", ("get weight", "/x/pot.js", 30, 13)),
            ("get weight pot.js:30:13", ("get weight", "pot.js", 30, 13)),
            (
                "get [Symbol.toStringTag] node:internal/url:5:7",
                ("get [Symbol.toStringTag]", "node:internal/url", 5, 7),
            ),
            ("<static_initializer> node:fs:2:3", ("<static_initializer>", "node:fs", 2, 3)),
            (" node:internal/util:1:1", ("(anonymous)", "node:internal/util", 1, 1)),
            (" /x/main.js:1:1", ("(anonymous)", "/x/main.js", 1, 1)),
            ("/x/main.js:1:1", ("(anonymous)", "/x/main.js", 1, 1)),
            ("slice native array.js:1:2", ("slice", "native array.js", 1, 2)),
            ("f [worker eval]:1:2", ("f", "[worker eval]", 1, 2)),
            ("f evalmachine.<anonymous>:1:2", ("f", "evalmachine.<anonymous>", 1, 2)),
            ("f /x/main.js:7", ("f", "/x/main.js", 7, 0)),
            ("f /x/main.js", ("f", "/x/main.js", 0, 0)),
            ("main", ("main", "", 0, 0)),
            ("", ("(anonymous)", "", 0, 0)),
        ] {
            assert_eq!(split_name(name), expected, "{name}");
        }
    }
}
