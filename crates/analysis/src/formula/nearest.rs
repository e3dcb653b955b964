//! Names that someone may have meant.

use strsim::osa_distance;

/// Letters of a name that are compared.
const LONGEST: usize = 64;

/// Of `names` up to three that are like `wanted`, the nearest first.
pub(super) fn nearest<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let start = |name: &str| name.to_lowercase().chars().take(LONGEST).collect::<String>();
    let wanted = start(wanted);
    let most = wanted.chars().count();
    let mut found: Vec<(usize, &str)> = vec![];
    for name in names {
        let known = start(name);
        let distance = osa_distance(&wanted, &known);
        // Where `-` or a space was not quoted, the name is cut off.
        let is_part = most > 1 && known.starts_with(&wanted);
        if is_part || distance <= most.div_ceil(3) {
            found.push((if is_part { 1 } else { distance }, name));
        }
    }
    found.sort();
    found.dedup();
    found.into_iter().take(3).map(|(_, name)| name).collect()
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
