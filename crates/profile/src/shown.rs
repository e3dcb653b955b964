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

/// In less room nothing of a name can be told.
const LEAST_COLUMNS: usize = 4;

/// Columns that a place needs at least to tell anything.
const LEAST_PLACE: usize = 6;

/// A name that fits `room` columns and shows nothing harmful. What is left out are parts in the
/// middle: the beginning tells the package, the end the function; an argument list goes before
/// anything of the last part does. Empty where not even a few characters fit.
///
/// `github.com/jmoiron/sqlx/reflectx.(*Mapper).TypeMap` becomes `github.com/…(*Mapper).TypeMap`.
/// The page has the same rules: both are tested with `testdata/names.tsv`.
pub fn shortened(name: &str, room: usize) -> String {
    let name = visible(name);
    let fits = |text: &str, room: Option<usize>| room.is_some_and(|room| columns(text) <= room);
    if fits(&name, Some(room)) {
        return name.into_owned();
    }
    if room < LEAST_COLUMNS {
        return String::new();
    }
    let starts = part_starts(&name);
    let (Some(&first), Some(&last)) = (starts.first(), starts.last()) else {
        return cut(&name, room);
    };
    let head = &name[..first];
    let left = room.checked_sub(columns(head) + 1);
    if let Some(&tail) = starts[1..].iter().find(|&&start| fits(&name[start..], left)) {
        return format!("{head}…{}", &name[tail..]);
    }
    let whole = &name[last..];
    // Much of the package says more than arguments do.
    let last = match without_arguments(whole) {
        Some(bare) if !fits(whole, left) && fits(&bare, Some(room)) => Cow::Owned(bare),
        _ => Cow::Borrowed(whole),
    };
    if starts.len() > 1 && fits(&last, left) {
        return format!("{head}…{last}");
    }
    match room.checked_sub(columns(&last) + 1) {
        None | Some(0) => cut(&last, room),
        Some(left) => format!("{}…{last}", first_columns(&name, left)),
    }
}

/// The same for a name with the place that tells it from equal ones, `f src/a.rs:3`. Where the name
/// has room, the outer folders of the place go first: places differ near their ends more than
/// anywhere else. Where it has none, the name is all that is shown.
pub fn shortened_label(name: &str, label: &str, room: usize) -> String {
    let place = label.strip_prefix(name).and_then(|rest| rest.strip_prefix(' '));
    let Some(place) = place.filter(|_| columns(&visible(label)) > room) else {
        return shortened(label, room);
    };
    match room.checked_sub(columns(&visible(name)) + 1) {
        Some(left) if left >= LEAST_PLACE => {
            format!("{} {}", visible(name), shortened_path(place, left))
        }
        _ => shortened(name, room),
    }
}

/// A path that fits `room` columns: folders go first, then the front of the file's name.
fn shortened_path(path: &str, room: usize) -> String {
    let path = visible(path);
    let mut rest = &*path;
    while columns(rest) > room {
        let slash = rest.char_indices().skip(1).find(|&(_, c)| c == '/');
        match slash {
            Some((slash, _)) => rest = &rest[slash + 1..],
            None if room < LEAST_COLUMNS => return String::new(),
            None => return format!("…{}", last_columns(rest, room - 1)),
        }
    }
    rest.to_owned()
}

/// The middle of a name without parts is left out: most of what stays is its end.
fn cut(part: &str, room: usize) -> String {
    if columns(part) <= room {
        return part.to_owned();
    }
    let bare = without_arguments(part);
    if let Some(bare) = bare.as_deref().filter(|bare| columns(bare) <= room) {
        return bare.to_owned();
    }
    // Without its arguments altogether, where even `(…)` has no room.
    let name = bare.as_deref().and_then(|bare| bare.rfind('…').map(|at| &part[..at - 1]));
    let name = name.unwrap_or(part);
    if columns(name) <= room {
        return name.to_owned();
    }
    let Some(most) = room.checked_sub(1) else { return String::new() };
    let head = first_columns(name, most / 3);
    format!("{head}…{}", last_columns(name, most - columns(head)))
}

/// `f(…)` for `f(int, char)`: the end of a list of arguments or type arguments says less than the
/// name. A place in brackets, which stands behind a space, is no such list.
fn without_arguments(part: &str) -> Option<String> {
    let open = part.find(['(', '<', '['])?;
    let close = part.chars().next_back().filter(|c| matches!(c, ')' | '>' | ']'))?;
    let is_list = open > 0 && !part[..open].ends_with(' ') && part[open..].chars().count() > 3;
    is_list.then(|| format!("{}…{close}", &part[..=open]))
}

/// Where the parts of a qualified name begin: after `::`, `/` and `.`, but not inside brackets, and
/// after `.` only behind the last `/`, for `github.com` is one part. So `a::b<c::d>(e::f)` has the
/// parts `a` and `b<c::d>(e::f)`, and `json.(*T).do` has `json`, `(*T)` and `do`.
fn part_starts(name: &str) -> Vec<usize> {
    let (mut starts, mut depth) = (vec![], 0usize);
    let mut colon = None;
    for (at, c) in name.char_indices() {
        let is_second = colon.take().is_some_and(|first| first + 1 == at);
        match c {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' | ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ if depth > 0 || at == 0 => {}
            '/' => {
                starts.retain(|&start: &usize| !name[..start].ends_with('.'));
                starts.push(at + 1);
            }
            '.' if starts_part(&name[at..]) => starts.push(at + 1),
            // `{{closure}}` says nothing without the function around it.
            ':' if is_second && !name[at + 1..].starts_with('{') => starts.push(at + 1),
            ':' if !is_second => colon = Some(at),
            _ => {}
        }
    }
    starts.retain(|&start| start < name.len());
    starts
}

/// Whether the point that a text begins with begins a part of its own: not in `libc.so.6`, and not
/// before the numbers that Go gives to closures, which say nothing without the function around them.
fn starts_part(text: &str) -> bool {
    let next = text[1..].strip_prefix("func").unwrap_or(&text[1..]);
    !is_file_ending(text) && !next.starts_with(|c: char| c.is_ascii_digit())
}

/// What the names of files end in.
const FILE_ENDINGS: [&str; 37] = [
    "so", "dll", "dylib", "exe", "c", "cc", "cpp", "cxx", "h", "hh", "hpp", "hxx", "s", "S", "asm",
    "py", "pyx", "js", "jsx", "ts", "tsx", "cjs", "mjs", "cts", "mts", "rs", "go", "rb", "java",
    "kt", "scala", "swift", "cs", "php", "m", "ml", "hs",
];

/// Whether a text that begins with a point is an ending of a file, or begins with one: `.so.6`.
pub fn is_file_ending(text: &str) -> bool {
    let text = text.strip_prefix('.').unwrap_or(text);
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    FILE_ENDINGS.contains(&&text[..end])
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

    /// The page goes through the same table.
    #[test]
    fn names_read_alike_everywhere() {
        let mut cases = 0;
        for line in include_str!("../../../testdata/names.tsv").lines() {
            if line.starts_with('#') {
                continue;
            }
            let [name, label, room, expected] = line.split('\t').collect::<Vec<_>>()[..] else {
                panic!("{line} has not four columns");
            };
            let room = room.parse().expect("a number");
            assert_eq!(shortened_label(name, label, room), expected, "{label} in {room}");
            assert!(columns(expected) <= room, "{expected}");
            cases += 1;
        }
        assert!(cases > 30, "{cases}");
    }

    #[test]
    fn harmful_names_are_cut_as_they_are_shown() {
        assert_eq!(shortened("a\nb", 4), "a\\nb");
        assert_eq!(shortened_path("src/a\u{202e}.c", 20), "src/a\\u{202e}.c");
    }

    #[test]
    fn paths_lose_folders_first() {
        let path = "/usr/src/sync/waitgroup.go:258";
        for (room, expected) in [
            (40, path),
            (21, "sync/waitgroup.go:258"),
            (17, "waitgroup.go:258"),
            (8, "….go:258"),
            (3, ""),
        ] {
            assert_eq!(shortened_path(path, room), expected);
        }
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
                let label = format!("{name} src/漢/x.rs:3");
                assert!(columns(&shortened_label(name, &label, room)) <= room, "{label} in {room}");
            }
        }
    }
}
