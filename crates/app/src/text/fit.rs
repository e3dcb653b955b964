//! Text that fits the terminal.

/// Columns of the terminal; where there is none, enough for most names.
pub(crate) fn terminal_width() -> usize {
    match console::Term::stdout().size_checked() {
        Some((_, columns)) => usize::from(columns).max(60),
        None => 160,
    }
}

/// The end of a text in `room` columns, with `…` before it where something is left out: what a
/// name ends with tells more than what it begins with.
pub(crate) fn fit_start(text: &str, room: usize) -> String {
    let length = text.chars().count();
    if length <= room {
        return text.to_owned();
    }
    let skip = length - room.saturating_sub(1);
    std::iter::once('…').chain(text.chars().skip(skip)).take(room).collect()
}

/// Words in lines of at most `width` columns, of which `indent` are taken.
pub(crate) fn wrapped(text: &str, width: usize, indent: usize) -> Vec<String> {
    let room = width.saturating_sub(indent).max(20);
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.len() - 1;
        let length = console::measure_text_width(&lines[last]);
        if length > 0 && length + 1 + console::measure_text_width(word) > room {
            lines.push(word.to_owned());
        } else {
            if length > 0 {
                lines[last].push(' ');
            }
            lines[last].push_str(word);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::fit_start;

    #[test]
    fn names_lose_their_start() {
        assert_eq!(fit_start("abcdef", 6), "abcdef");
        assert_eq!(fit_start("abcdef", 4), "…def");
        assert_eq!(fit_start("abcdef", 0), "");
    }
}
