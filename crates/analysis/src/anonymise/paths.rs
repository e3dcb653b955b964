//! Paths in texts.

/// A part of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// No path.
    Text(&'a str),
    /// A path with a folder, or an address.
    Path(&'a str),
}

/// What stands between words.
fn is_between(sign: char) -> bool {
    sign.is_whitespace() || "\"'`,;()<>|".contains(sign)
}

/// What stands between parts of a word, where that is not an address.
fn is_joint(sign: char) -> bool {
    "=&:".contains(sign)
}

/// A text in pieces, which make it when they are put together again.
pub(super) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = vec![];
    for word in text.split_inclusive(is_between) {
        let end = word.trim_end_matches(is_between).len();
        of_word(&word[..end], &mut pieces);
        pieces.push(Piece::Text(&word[end..]));
    }
    pieces
}

fn of_word<'a>(word: &'a str, pieces: &mut Vec<Piece<'a>>) {
    if let Some(at) = word.find("://") {
        let begin = word[..at].rfind(|sign: char| !sign.is_ascii_alphanumeric());
        let begin =
            begin.map_or(0, |begin| begin + word[begin..].chars().next().map_or(1, char::len_utf8));
        let end = without_place(&word[begin..]) + begin;
        pieces.extend([
            Piece::Text(&word[..begin]),
            Piece::Path(&word[begin..end]),
            Piece::Text(&word[end..]),
        ]);
        return;
    }
    let mut rest = word;
    while !rest.is_empty() {
        // `C:\` has a joint in it.
        let is_drive = rest.starts_with(|letter: char| letter.is_ascii_alphabetic())
            && (rest.get(1..3) == Some(":\\") || rest.get(1..3) == Some(":/"));
        let from = if is_drive { 2 } else { 0 };
        let end = rest[from..].find(is_joint).map_or(rest.len(), |at| at + from);
        let (part, behind) = rest.split_at(end);
        let begin = if is_drive { Some(0) } else { begin_of(part) };
        match begin {
            Some(begin) => {
                pieces.extend([Piece::Text(&part[..begin]), Piece::Path(&part[begin..])]);
            }
            None => pieces.push(Piece::Text(part)),
        }
        let joint = behind.chars().next().map_or(0, char::len_utf8);
        pieces.push(Piece::Text(&behind[..joint]));
        rest = &behind[joint..];
    }
}

/// Where an address ends that may have a line and a column behind it.
fn without_place(word: &str) -> usize {
    let mut end = word.len();
    for _ in 0..2 {
        if let Some((before, number)) = word[..end].rsplit_once(':')
            && !number.is_empty()
            && number.bytes().all(|byte| byte.is_ascii_digit())
        {
            end = before.len();
        }
    }
    end
}

/// Where a path begins in a part of a word: at a root, a home, or where one is.
fn begin_of(part: &str) -> Option<usize> {
    let option = part.strip_prefix('-').and_then(|rest| {
        let letter = rest.chars().next().filter(char::is_ascii_alphabetic)?;
        Some(1 + letter.len_utf8())
    });
    [Some(0), option].into_iter().flatten().find(|&begin| {
        let path = &part[begin..];
        let first = path.split(['/', '\\']).next().unwrap_or_default();
        let is_start = matches!(first, "" | "." | ".." | "~") || first.starts_with('$');
        // One folder at least: `/metrics` is none, `~/me` is.
        let folders =
            path[first.len()..].split(['/', '\\']).filter(|part| !part.is_empty()).count();
        let least = if first.is_empty() || first.starts_with('.') { 2 } else { 1 };
        is_start && folders >= least && path.len() > first.len()
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn pieces_make_the_text(text in "[-a-zé$~.:=/\\\\ (\"]{0,40}|(https?|file)://[a-z@:/?=#]{0,20}") {
            let whole: String = pieces(&text)
                .into_iter()
                .map(|piece| match piece {
                    Piece::Text(text) | Piece::Path(text) => text,
                })
                .collect();
            prop_assert_eq!(whole, text);
        }
    }
}
