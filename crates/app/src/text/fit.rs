//! Text that fits the terminal.

/// Columns of the terminal; where there is none, enough for most names.
pub(crate) fn terminal_width() -> usize {
    match console::Term::stdout().size_checked() {
        Some((_, columns)) => usize::from(columns).max(60),
        None => 160,
    }
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
