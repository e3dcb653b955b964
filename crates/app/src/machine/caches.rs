//! The caches of this machine, as Linux tells them.

use std::fs;
use std::path::Path;

use serde::Serialize;

/// Where Linux tells of the first processor's caches.
pub(crate) const FOLDER: &str = "/sys/devices/system/cpu/cpu0/cache";

/// A cache that holds data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct Cache {
    level: u32,
    size_bytes: u64,
    /// Ways of a set; none where a line may stand anywhere.
    ways: Option<u32>,
    line_bytes: u64,
}

/// The caches of the first processor that hold data, the nearest first; none where they are not told.
pub(crate) fn caches(folder: &Path) -> Vec<Cache> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut all: Vec<Cache> = entries.filter_map(|entry| cache(&entry.path())).collect();
    all.sort_by_key(|cache| cache.level);
    all
}

fn cache(folder: &Path) -> Option<Cache> {
    let text = |name: &str| Some(fs::read_to_string(folder.join(name)).ok()?.trim().to_owned());
    if text("type")? == "Instruction" {
        return None;
    }
    let ways: u32 = text("ways_of_associativity")?.parse().ok()?;
    Some(Cache {
        level: text("level")?.parse().ok()?,
        size_bytes: size(&text("size")?)?,
        // The kernel writes 0 of what has no sets.
        ways: (ways > 0).then_some(ways),
        line_bytes: text("coherency_line_size")?.parse().ok()?,
    })
}

/// `32K`.
fn size(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|sign: char| !sign.is_ascii_digit());
    let unit: u64 = match &text[digits.len()..] {
        "" => 1,
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(unit)
}

/// As `--cache` of `hotframe sdfg simulate` takes them: `32K:8,1M:16`.
pub(crate) fn option_of(caches: &[Cache]) -> String {
    let one = |cache: &Cache| {
        let size = match cache.size_bytes {
            size if size.is_multiple_of(1 << 20) => format!("{}M", size >> 20),
            size if size.is_multiple_of(1 << 10) => format!("{}K", size >> 10),
            size => size.to_string(),
        };
        cache.ways.map_or(size.clone(), |ways| format!("{size}:{ways}"))
    };
    caches.iter().map(one).collect::<Vec<String>>().join(",")
}

/// One line for people.
pub(crate) fn describe(caches: &[Cache]) -> String {
    match caches {
        [] => "unknown on this system".to_owned(),
        [first, ..] => {
            format!("{} in lines of {} bytes (for --cache)", option_of(caches), first.line_bytes)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(folder: &Path, name: &str, fields: [&str; 5]) {
        let own = folder.join(name);
        fs::create_dir(&own).expect("the folder is ours");
        let names = ["level", "type", "size", "ways_of_associativity", "coherency_line_size"];
        for (name, text) in names.into_iter().zip(fields) {
            fs::write(own.join(name), format!("{text}\n")).expect("the folder is ours");
        }
    }

    #[test]
    fn caches_are_those_that_hold_data_the_nearest_first() {
        let folder = tempfile::tempdir().expect("there is room");
        written(folder.path(), "index3", ["3", "Unified", "36608K", "0", "64"]);
        written(folder.path(), "index0", ["1", "Data", "48K", "12", "64"]);
        written(folder.path(), "index1", ["1", "Instruction", "32K", "8", "64"]);
        written(folder.path(), "index2", ["2", "Unified", "2M", "16", "64"]);
        written(folder.path(), "index9", ["x", "Unified", "2M", "16", "64"]);
        let all = caches(folder.path());
        assert_eq!(option_of(&all), "48K:12,2M:16,36608K");
        assert_eq!(describe(&all), "48K:12,2M:16,36608K in lines of 64 bytes (for --cache)");
        assert_eq!(describe(&caches(&folder.path().join("none"))), "unknown on this system");
    }
}
