//! Stacks as one line, frames separated by `;`.

/// The frames of a stack. A `;` inside parentheses belongs to the name (Java signatures), unless
/// the parentheses of the line do not match up.
pub(crate) fn split_frames(stack: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0i32;
    let mut inside = false;
    let mut sound = true;
    for byte in stack.bytes() {
        match byte {
            b'(' => depth += 1,
            b')' => {
                depth -= 1;
                sound &= depth >= 0;
            }
            b';' => inside |= depth > 0,
            _ => {}
        }
    }
    let nested = inside && sound && depth == 0;
    let mut depth = 0i32;
    let parts = stack.split(move |c: char| {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        c == ';' && !(nested && depth > 0)
    });
    // A leading or trailing separator makes no frame.
    let count = parts.clone().count();
    parts
        .enumerate()
        .filter(move |&(i, p)| !(p.is_empty() && (i == 0 || i + 1 == count)))
        .map(|(_, p)| p.trim())
}

/// Whether a name can stand in a stack as it is.
pub(crate) fn is_one_frame(name: &str) -> bool {
    // The reader keeps `;` inside matching parentheses, so only others must go.
    !name.contains(['\n', '\r']) && split_frames(name).count() <= 1
}
