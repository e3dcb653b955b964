//! Raw files: addresses in modules.

use hashbrown::HashMap;
use profile::{Location, LocationId, ModuleId, ProfileBuilder};

/// Mapped parts of modules, and what was found in them.
#[derive(Default)]
pub(super) struct Modules {
    pub(super) parts: Vec<(u64, u64, ModuleId)>,
    pub(super) is_sorted: bool,
    pub(super) by_address: HashMap<u64, LocationId>,
}

impl Modules {
    pub(super) fn heap_bytes(&self) -> usize {
        (self.parts.len() + self.by_address.len()) * 24
    }

    /// The place of an address of a raw file.
    pub(super) fn location(&mut self, address: u64, builder: &mut ProfileBuilder) -> LocationId {
        if let Some(&known) = self.by_address.get(&address) {
            return known;
        }
        if !std::mem::replace(&mut self.is_sorted, true) {
            self.parts.sort_unstable();
        }
        let after = self.parts.partition_point(|&(start, ..)| start <= address);
        let part = after.checked_sub(1).map(|index| self.parts[index]);
        let module = part.filter(|&(_, end, _)| address < end).map(|(.., module)| module);
        let location = Location { module, address, ..Location::default() };
        let location = builder.location(location, &[]);
        self.by_address.insert(address, location);
        location
    }
}
