//! Sizes of arrays, as LLVM writes what is calculated.

use crate::isl::Sum;

const MOST_DEPTH: usize = 32;

/// A sum of what is called so; nothing if it is something else. Names are those of parameters: letters
/// and digits, an underscore for everything else.
pub(crate) fn size(text: &str) -> Option<Sum> {
    let mut rest = text;
    let sum = part(&mut rest, 0)?;
    rest.trim().is_empty().then_some(sum)
}

fn part(rest: &mut &str, depth: usize) -> Option<Sum> {
    if depth > MOST_DEPTH {
        return None;
    }
    *rest = rest.trim_start();
    if let Some(inner) = rest.strip_prefix('(') {
        *rest = inner;
        let sum = inside(rest, depth + 1)?;
        *rest = rest.trim_start().strip_prefix(')')?;
        // What never happens to it.
        while let Some(after) = rest.strip_prefix('<') {
            *rest = &after[after.find('>')? + 1..];
        }
        return Some(sum);
    }
    let length = rest.find([' ', ')', '(']).unwrap_or(rest.len());
    let word = &rest[..length];
    *rest = &rest[length..];
    if let Ok(number) = word.parse() {
        return Some(Sum::constant(number));
    }
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let name = word.strip_prefix(['%', '@']).unwrap_or(word);
    if name.is_empty() || word.starts_with(|first: char| !(is_part(first) || "%@".contains(first)))
    {
        return None;
    }
    // A number of LLVM's is not a name: it is kept as it stands.
    if name.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(Sum::name(word));
    }
    let name: String =
        name.chars().map(|letter| if is_part(letter) { letter } else { '_' }).collect();
    Some(Sum::name(&name))
}

fn inside(rest: &mut &str, depth: usize) -> Option<Sum> {
    *rest = rest.trim_start();
    for cast in ["sext ", "zext "] {
        if let Some(after) = rest.strip_prefix(cast) {
            // The type, the value, `to`, the type.
            *rest = &after[after.find(' ')?..];
            let sum = part(rest, depth)?;
            let after = rest.trim_start().strip_prefix("to ")?;
            *rest = &after[after.find([')', ' ']).unwrap_or(after.len())..];
            return Some(sum);
        }
    }
    let mut sum = part(rest, depth)?;
    loop {
        *rest = rest.trim_start();
        if let Some(after) = rest.strip_prefix("+ ") {
            *rest = after;
            let other = part(rest, depth)?;
            sum = sum.plus(&other, 1)?;
        } else if let Some(after) = rest.strip_prefix("* ") {
            *rest = after;
            let other = part(rest, depth)?;
            let (number, other) = if sum.terms.is_empty() { (sum, other) } else { (other, sum) };
            if !number.terms.is_empty() {
                return None;
            }
            sum = Sum::default().plus(&other, number.constant)?;
        } else {
            return Some(sum);
        }
    }
}

/// Bytes of an element of a type; none of one that is not known.
pub(crate) fn element(kind: &str) -> Option<u64> {
    let kind = kind.trim();
    if kind.ends_with('*') || kind == "ptr" {
        return Some(8);
    }
    if let Some(inner) = kind.strip_prefix('<').and_then(|kind| kind.strip_suffix('>')) {
        let (count, of) = inner.split_once(" x ")?;
        let bytes = element(of.trim_start_matches(['<', '[']))?;
        return bytes.checked_mul(count.trim().parse().ok()?).filter(|bytes| *bytes <= 1 << 16);
    }
    match kind {
        "half" | "bfloat" => Some(2),
        "float" => Some(4),
        "double" => Some(8),
        "x86_fp80" | "fp128" | "ppc_fp128" => Some(16),
        _ => {
            let bits: u64 = kind.strip_prefix('i')?.parse().ok()?;
            (1..=1 << 16).contains(&bits).then(|| bits.div_ceil(8).next_power_of_two())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_sums_of_names() {
        let sum = |constant, terms: &[(&str, i128)]| {
            let terms = terms.iter().map(|(name, factor)| ((*name).to_owned(), *factor)).collect();
            Some(Sum { constant, terms })
        };
        assert_eq!(size("120"), sum(120, &[]));
        assert_eq!(size("%n"), sum(0, &[("n", 1)]));
        assert_eq!(size("%n.addr"), sum(0, &[("n_addr", 1)]));
        assert_eq!(size("%1"), sum(0, &[("%1", 1)]));
        assert_eq!(size("(sext i32 %n to i64)"), sum(0, &[("n", 1)]));
        assert_eq!(size("(2 + (4 * %n)<nsw> + %m)<nuw><nsw>"), sum(2, &[("n", 4), ("m", 1)]));
        assert_eq!(size("(%n * %m)"), None);
        assert_eq!(size("(8 /u %m)"), None);
        assert_eq!(size("(trunc i64 %m to i32)"), None);
        assert_eq!(size(&"(".repeat(100_000)), None);
    }

    #[test]
    fn elements_have_the_bytes_of_their_type() {
        let of = ["double", "i1", "i32", "i48", "i8*", "<4 x float>", "%struct.s"].map(element);
        assert_eq!(of, [Some(8), Some(1), Some(4), Some(8), Some(8), Some(16), None]);
    }
}
