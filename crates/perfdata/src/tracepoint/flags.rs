//! What the numbers of a field mean: the lists in the text that says how a tracepoint is printed,
//! such as `__print_flags(REC->prev_state & 255, "|", { 0x01, "S" }, { 0x02, "D" })`.

/// What the numbers of a field mean.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Names {
    /// Number and name.
    pub pairs: Vec<(u64, String)>,
    /// Whether a number is a sum of those.
    pub is_flags: bool,
}

/// More names of a field are not kept.
const MOST_NAMES: usize = 512;

impl Names {
    /// The fields that a text prints by names, with these.
    pub(super) fn all(print: &str) -> Vec<(&str, Names)> {
        let mut found = vec![];
        for (function, is_flags) in [("__print_flags(", true), ("__print_symbolic(", false)] {
            let mut rest = print;
            while let Some(at) = rest.find(function) {
                rest = &rest[at + function.len()..];
                let Some(field) = rest.split_once("REC->").map(|(_, field)| field) else { break };
                let end = field.find(|c: char| !c.is_alphanumeric() && c != '_');
                let field = &field[..end.unwrap_or(field.len())];
                let pairs = pairs(rest);
                found.push((field, Names { pairs, is_flags }));
            }
        }
        found
    }

    /// The names of a number: one, or those of its bits; none if a part of it has no name.
    pub fn of(&self, number: u64) -> Option<String> {
        let exact = self.pairs.iter().find(|(known, _)| *known == number);
        if let Some((_, name)) = exact {
            return Some(name.clone());
        }
        if !self.is_flags || number == 0 {
            return None;
        }
        let mut left = number;
        let mut names = vec![];
        for (bits, name) in &self.pairs {
            if *bits != 0 && left & bits == *bits {
                left &= !bits;
                names.push(name.as_str());
            }
        }
        (left == 0).then(|| names.join("|"))
    }
}

/// The pairs `{ number, "name" }` up to the parenthesis that closes the list.
fn pairs(text: &str) -> Vec<(u64, String)> {
    let mut found = vec![];
    let mut rest = text;
    while found.len() < MOST_NAMES {
        let Some((before, pair)) = rest.split_once('{') else { break };
        // The list has ended where more is closed than opened.
        let depth = |bracket| before.matches(bracket).count();
        if depth(')') > depth('(') {
            break;
        }
        let Some((number, behind)) = pair.split_once(',') else { break };
        let Some((_, name)) = behind.split_once('"') else { break };
        let Some((name, behind)) = name.split_once('"') else { break };
        if let Some(number) = parse(number) {
            found.push((number, name.to_owned()));
        }
        rest = behind.split_once('}').map_or("", |(_, rest)| rest);
    }
    found
}

/// A number as C writes it, perhaps cast or in parentheses.
fn parse(text: &str) -> Option<u64> {
    let text = text.rsplit(')').find(|part| !part.trim().is_empty())?;
    let text = text.trim().trim_start_matches('(').trim_end_matches(['U', 'L', 'u', 'l']);
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => match text.split_once("<<") {
            Some((one, by)) => one.trim().parse::<u64>().ok()?.checked_shl(by.trim().parse().ok()?),
            None => text.parse::<i64>().ok().map(i64::cast_unsigned),
        },
    }
}
