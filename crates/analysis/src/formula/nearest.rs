//! Names that someone may have meant.

/// Of `names` up to three that are like `wanted`, the nearest first.
pub(super) fn nearest<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let wanted: Vec<char> = wanted.to_lowercase().chars().take(LONGEST).collect();
    let mut found: Vec<(usize, &str)> = vec![];
    for name in names {
        let letters: Vec<char> = name.to_lowercase().chars().take(LONGEST).collect();
        let distance = distance(&wanted, &letters);
        // Where `-` or a space was not quoted, the name is cut off.
        let is_part = wanted.len() > 1 && letters.starts_with(&wanted);
        if is_part || distance <= wanted.len().div_ceil(3) {
            found.push((if is_part { 1 } else { distance }, name));
        }
    }
    found.sort();
    found.dedup();
    found.into_iter().take(3).map(|(_, name)| name).collect()
}

/// Letters of a name that are compared.
const LONGEST: usize = 64;

/// How many letters must be added, dropped, changed or swapped with their neighbour (Damerau, *A
/// technique for computer detection and correction of spelling errors*, 1964).
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = vec![];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, &from) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &to) in b.iter().enumerate() {
            let mut least =
                (last[j] + usize::from(from != to)).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && from == b[j - 1] && a[i - 1] == to {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn near_names_are_found() {
        let names = ["cycles", "instructions", "cpu-clock", "cache misses", "time"];
        let near = |wanted| nearest(wanted, names.into_iter());
        assert_eq!(near("cylces"), ["cycles"]);
        assert_eq!(near("Cycles"), ["cycles"]);
        assert_eq!(near("instruction"), ["instructions"]);
        assert_eq!(near("cpu"), ["cpu-clock"]);
        assert_eq!(near("walrus"), [""; 0]);
        assert_eq!(near(""), [""; 0]);
    }
}
