//! Names of others in Markdown.

/// Longer names are cut.
const MOST_CHARACTERS: usize = 200;

/// Means nothing while brackets and colons are escaped.
const HARMLESS: &str = "%,/()'\";?";

/// A text that shows as it is and is no markup, on one line.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    for place in 0.. {
        let Some(character) = characters.next() else { break };
        if place == MOST_CHARACTERS {
            out.push('…');
            break;
        }
        let is_decimal = |next: Option<&char>| {
            out.ends_with(|c: char| c.is_ascii_digit()) && next.is_some_and(char::is_ascii_digit)
        };
        match character {
            '.' if is_decimal(characters.peek()) => out.push('.'),
            // Any other punctuation of ASCII may be escaped, and is.
            _ if character.is_ascii_punctuation() && !HARMLESS.contains(character) => {
                out.extend(['\\', character]);
            }
            _ if character.is_whitespace() => out.push(' '),
            _ if character.is_control() || turns_text(character) => {
                out.push(char::REPLACEMENT_CHARACTER);
            }
            _ => out.push(character),
        }
    }
    out
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
        assert_eq!(escaped("main.(*page).add"), r"main\.(\*page)\.add");
        assert_eq!(escaped("66.8 % (1.50 s)"), "66.8 % (1.50 s)");
        assert_eq!(escaped("1. www.x http://x"), r"1\. www\.x http\://x");
        assert_eq!(escaped("a|b\n# c"), r"a\|b \# c");
        assert_eq!(escaped("[x](command:rm)<img>"), r"\[x\](command\:rm)\<img\>");
        assert_eq!(escaped("a\u{202e}b\u{7}"), "a\u{fffd}b\u{fffd}");
        assert_eq!(escaped("größe"), "größe");
        assert_eq!(escaped(&"x".repeat(5000)).chars().count(), 201);
    }
}
