//! What samples say in words: levels of memory, addresses, control groups.

use hashbrown::HashMap;
use perfdata::Sample;
use profile::{Label, LabelSetId, LabelValue, ProfileBuilder, StringId};

/// Makes labels of what samples say besides counts.
#[derive(Default)]
pub(super) struct Labels {
    /// Paths of control groups.
    pub(super) groups: HashMap<u64, StringId>,
    list: Vec<Label>,
}

impl Labels {
    pub(super) fn of(
        &mut self,
        sample: &Sample<'_>,
        event: Option<StringId>,
        builder: &mut ProfileBuilder,
    ) -> LabelSetId {
        self.list.clear();
        let mut add = |key: &str, value: LabelValue, builder: &mut ProfileBuilder| {
            let key = builder.strings.intern(key);
            self.list.push(Label { key, value });
        };
        if let Some(event) = event {
            add("event", LabelValue::Text(event), builder);
        }
        if let Some(group) = sample.cgroup {
            let path = self.groups.get(&group).copied();
            let path = path.unwrap_or_else(|| builder.strings.intern(&group.to_string()));
            add("cgroup", LabelValue::Text(path), builder);
        }
        if let Some(level) = sample.data_src.and_then(memory_level) {
            let level = builder.strings.intern(&level);
            add("memory", LabelValue::Text(level), builder);
        }
        if let Some(address) = sample.addr.filter(|&address| address != 0) {
            let address = builder.strings.intern(&format!("0x{address:x}"));
            add("data address", LabelValue::Text(address), builder);
        }
        if let Some(why) = sample.transaction.filter(|&why| why != 0) {
            let why = builder.strings.intern(&format!("0x{why:x}"));
            add("transaction", LabelValue::Text(why), builder);
        }
        builder.labels.add(&self.list)
    }
}

/// From which level of memory an access was served, by `union perf_mem_data_src`.
fn memory_level(source: u64) -> Option<String> {
    let bits = |at: u32, width: u32| source >> at & ((1 << width) - 1);
    let (operation, level) = (bits(0, 5), bits(5, 14));
    let operation = match operation {
        op if op & 0b10 != 0 => "load",
        op if op & 0b100 != 0 => "store",
        op if op & 0b1000 != 0 => "prefetch",
        op if op & 0b10000 != 0 => "execution",
        _ => return None,
    };
    // The newer number, or one of the older bits.
    let newer = match bits(33, 4) {
        1 => "L1",
        2 => "L2",
        3 => "L3",
        4 => "L4",
        5 => "L2 MHB",
        6 => "memory side cache",
        8 => "uncached",
        9 => "CXL",
        0xa => "I/O",
        0xb => "any cache",
        0xc => "fill buffer",
        0xd => "memory",
        0xe => "persistent memory",
        _ => "",
    };
    let older = [
        (3, "L1"),
        (4, "fill buffer"),
        (5, "L2"),
        (6, "L3"),
        (7, "memory"),
        (8, "remote memory"),
        (9, "remote memory"),
        (10, "remote cache"),
        (11, "remote cache"),
        (12, "I/O"),
        (13, "uncached"),
    ];
    let place = if newer.is_empty() {
        older.iter().find(|(bit, _)| level >> bit & 1 != 0).map(|(_, name)| *name)?
    } else {
        newer
    };
    let remote = if bits(37, 1) != 0 && !place.starts_with("remote") { "remote " } else { "" };
    let outcome = match (level >> 1 & 1 != 0, level >> 2 & 1 != 0) {
        (true, _) => " hit",
        (_, true) => " miss",
        _ => "",
    };
    Some(format!("{operation}: {remote}{place}{outcome}"))
}

#[cfg(test)]
mod tests {
    use super::memory_level;

    #[test]
    fn reports_levels_as_perf_does() {
        // perf mem report prints "L1 hit" and "LFB/MAB hit", "Local RAM hit" of these.
        assert_eq!(memory_level(0x6810_0142).as_deref(), Some("load: L1 hit"));
        assert_eq!(memory_level(0x02 | 1 << 6 | 1 << 12).as_deref(), Some("load: memory hit"));
        assert_eq!(memory_level(0x04 | 1 << 7 | 1 << 8).as_deref(), Some("store: L1 miss"));
        assert_eq!(memory_level(0), None);
        assert_eq!(memory_level(1), None);
    }
}
