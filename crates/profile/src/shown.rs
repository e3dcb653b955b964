//! Names as people see them: harmless, and as long as there is room.

use std::borrow::Cow;

use unicode_width::UnicodeWidthChar as _;

/// A text that does nothing but show: control characters, which move the cursor of a terminal or
/// begin a line that nobody wrote, and marks of direction, which show it in another order, become
/// visible escapes such as `\n` and `\u{1b}`. For eyes only: what is read by programs stays exact.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_harmful) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if is_harmful(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// Controls (C0, DEL, C1), separators of lines and paragraphs, and marks that change the direction
/// of what stands around them.
fn is_harmful(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A name that fits `room` columns and shows nothing harmful. What is left out are parts in the
/// middle: the beginning tells the package, the end the function.
///
/// `github.com/jmoiron/sqlx/reflectx.(*Mapper).TypeMap` becomes `github.com/….(*Mapper).TypeMap`.
pub fn shortened(name: &str, room: usize) -> String {
    let name = visible(name);
    if columns(&name) <= room {
        return name.into_owned();
    }
    let starts = part_starts(&name);
    if let (Some(&first), Some(&last)) = (starts.first(), starts.last()) {
        let head = &name[..first];
        let left = room.saturating_sub(columns(head) + 1);
        if let Some(&tail) = starts[1..].iter().find(|&&start| columns(&name[start..]) <= left) {
            return format!("{head}…{}", &name[tail..]);
        }
        // The last part alone, after as much of the beginning as fits.
        let left = room.saturating_sub(columns(&name[last..]) + 1);
        if left > 0 {
            return format!("{}…{}", first_columns(&name, left), &name[last..]);
        }
        return cut(&name[last..], room);
    }
    cut(&name, room)
}

/// The middle of a name without parts is left out: most of what stays is its end.
fn cut(text: &str, room: usize) -> String {
    match (columns(text) <= room, room) {
        (true, _) => text.to_owned(),
        (false, 0) => String::new(),
        (false, room) => {
            let head = first_columns(text, (room - 1) / 3);
            let left = room - 1 - columns(head);
            format!("{head}…{}", last_columns(text, left))
        }
    }
}

/// Where the parts of a qualified name begin: after `::`, `/` and `.`, but not inside brackets,
/// and after `.` only behind the last `/`, for `github.com` is one part.
fn part_starts(name: &str) -> Vec<usize> {
    let (mut starts, mut depth) = (vec![], 0usize);
    let mut before = '\0';
    for (at, c) in name.char_indices() {
        match c {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' | ')' | ']' | '}' => depth = depth.saturating_sub(1),
            '/' if depth == 0 && at > 0 => {
                starts.retain(|&start: &usize| !name[..start].ends_with('.'));
                starts.push(at + 1);
            }
            '.' if depth == 0 && at > 0 => starts.push(at + 1),
            ':' if depth == 0 && before == ':' => starts.push(at + 1),
            _ => {}
        }
        before = c;
    }
    starts.retain(|&start| start < name.len());
    starts
}

/// How many columns of a terminal a text takes; East Asian characters take two.
pub fn columns(text: &str) -> usize {
    text.chars().map(width).sum()
}

fn width(c: char) -> usize {
    c.width().unwrap_or(0)
}

fn first_columns(text: &str, room: usize) -> &str {
    let mut left = room;
    for (at, c) in text.char_indices() {
        match left.checked_sub(width(c)) {
            Some(rest) => left = rest,
            None => return &text[..at],
        }
    }
    text
}

fn last_columns(text: &str, room: usize) -> &str {
    let mut left = room;
    for (at, c) in text.char_indices().rev() {
        match left.checked_sub(width(c)) {
            Some(rest) => left = rest,
            None => return &text[at + c.len_utf8()..],
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_harmful_is_shown() {
        assert_eq!(visible("main::<é, 漢> 🦀"), "main::<é, 漢> 🦀");
        assert_eq!(visible("a\u{1b}]52;c;x\u{7}\n"), "a\\u{1b}]52;c;x\\u{7}\\n");
        assert_eq!(
            visible("\u{9b}2J\u{202e}x\u{2066}\u{2028}"),
            "\\u{9b}2J\\u{202e}x\\u{2066}\\u{2028}"
        );
        for c in '\0'..=char::MAX {
            let shown = visible(c.encode_utf8(&mut [0; 4])).into_owned();
            assert!(!shown.chars().any(char::is_control), "{c:?}");
        }
    }

    #[track_caller]
    fn check(name: &str, room: usize, expected: &str) {
        assert_eq!(shortened(name, room), expected);
        assert!(columns(expected) <= room);
    }

    #[test]
    fn the_middle_is_left_out_at_separators() {
        check("net/http.(*conn).serve", 30, "net/http.(*conn).serve");
        check(
            "github.com/jmoiron/sqlx/reflectx.(*Mapper).TypeMap",
            30,
            "github.com/…(*Mapper).TypeMap",
        );
        check("github.com/jmoiron/sqlx/reflectx.(*Mapper).TypeMap", 20, "github.com/…TypeMap");
        check(
            "std::collections::hash::map::HashMap<K, V>::insert",
            27,
            "std::…HashMap<K, V>::insert",
        );
        check("std::collections::hash::map::HashMap<K, V>::insert", 26, "std::…insert");
        check("std::collections::hash::map::HashMap<K, V>::insert", 10, "std…insert");
        check("std::collections::hash::map::HashMap<K, V>::insert", 5, "i…ert");
    }

    #[test]
    fn names_without_parts_keep_both_ends() {
        check("abcdefghijkl", 12, "abcdefghijkl");
        check("abcdefghijkl", 7, "ab…ijkl");
        check("abcdefghijkl", 1, "…");
        check("abcdefghijkl", 0, "");
        check("漢字漢字漢字", 7, "漢…漢字");
        check("a\nb", 4, "a\\nb");
    }

    #[test]
    fn every_name_fits_every_room() {
        let names = [
            "a::b<c::d>(e::f)",
            "json.(*T).do",
            "/usr/lib/x.so.6",
            "::::",
            "漢.字/a",
            "...",
            "a..b",
        ];
        for name in names {
            for room in 0..20 {
                assert!(columns(&shortened(name, room)) <= room, "{name} in {room}");
            }
        }
    }
}
