//! Names of others in Markdown.

/// Longer names are cut.
const MOST_CHARACTERS: usize = 200;

/// A text that shows as it is and is not markup, on one line. What cannot be markup where it stands
/// is not escaped: some editors show the source.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    let mut characters = text.chars().peekable();
    for place in 0.. {
        let Some(character) = characters.next() else { break };
        if place == MOST_CHARACTERS {
            out.push('…');
            break;
        }
        let after = characters.peek().copied().unwrap_or(' ');
        match character {
            // Any punctuation of ASCII may be escaped.
            _ if character.is_ascii_punctuation() && !is_harmless(before, character, after) => {
                out.extend(['\\', character]);
            }
            _ if character.is_whitespace() => out.push(' '),
            _ if character.is_control() || turns_text(character) => {
                out.push(char::REPLACEMENT_CHARACTER);
            }
            _ => out.push(character),
        }
        before = character;
    }
    out
}

/// Whether punctuation means nothing between its neighbours, while brackets are escaped.
fn is_harmless(before: char, character: char, after: char) -> bool {
    match character {
        '%' | ',' | '/' | '(' | ')' | '\'' | '"' | ';' | '?' => true,
        // `1. item`, `www.`
        '.' => !after.is_whitespace() && !matches!(before, 'w' | 'W'),
        // `http://`, `mailto:`
        ':' => before == ':' || after == ':' || after.is_ascii_digit() || after == ' ',
        // `- item`
        '-' => before.is_alphanumeric(),
        // `_emphasis_`
        '_' => before.is_alphanumeric() && after.is_alphanumeric(),
        _ => false,
    }
}

/// Whether a character changes the direction of what follows it.
fn turns_text(character: char) -> bool {
    matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn names_are_no_markup() {
        assert_eq!(escaped("main.(*page).add"), r"main.(\*page).add");
        assert_eq!(escaped("a|b\n# c"), r"a\|b \# c");
        assert_eq!(escaped("[x](command:rm)<img>"), r"\[x\](command\:rm)\<img\>");
        assert_eq!(escaped("1. www.x http://x a@b.c"), r"1\. www\.x http\://x a\@b.c");
        assert_eq!(escaped("- __init__ `$x$`"), r"\- \_\_init\_\_ \`\$x\$\`");
        assert_eq!(escaped("a\u{202e}b\u{7}"), "a\u{fffd}b\u{fffd}");
        assert_eq!(escaped(&"x".repeat(5000)).chars().count(), 201);
    }

    #[test]
    fn what_is_no_markup_stays_readable() {
        for text in ["66.8 % (1.50 s)", "std::vec::push_back", "2026-11-21 23:59:29", "größe"] {
            assert_eq!(escaped(text), text);
        }
    }
}
