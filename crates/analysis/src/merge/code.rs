//! The code of all inputs: modules, functions and locations.

use hashbrown::HashMap;
use profile::{
    FrameId, FunctionId, Location, LocationId, Module, ModuleId, Profile, ProfileBuilder, StringId,
};

/// What makes functions equal: names, file, first line and column.
type FunctionKey = (StringId, StringId, StringId, u32, u32);

/// What is known of the code of all inputs so far.
#[derive(Debug, Default)]
pub(super) struct Code {
    /// By name and build id.
    modules: HashMap<(StringId, StringId), ModuleId>,
    /// By module: where the first byte of its file lies, if known.
    bases: Vec<Option<u64>>,
    functions: HashMap<FunctionKey, FunctionId>,
    /// By location: the address, as long as all inputs agree.
    addresses: Vec<Address>,
}

#[derive(Debug, Clone, Copy)]
enum Address {
    /// 0 if unknown.
    One(u64),
    Several,
}

/// A module of an input: which it is, and what its addresses are moved by.
struct Mapped {
    module: ModuleId,
    moved: u64,
}

impl Code {
    /// By location and by function of `input`, the one of the merge.
    ///
    /// Locations are equal if their kind, their module (by name and build id) and their frames are.
    /// The address tells only those apart that have no name, or whose instruction is known.
    pub(super) fn add(
        &mut self,
        builder: &mut ProfileBuilder,
        input: &Profile,
        strings: &[StringId],
    ) -> (Vec<LocationId>, Vec<FunctionId>) {
        let modules = self.modules(builder, input, strings);
        let functions = self.functions(builder, input, strings);
        let mut frames = vec![];
        let location = |row: usize| {
            let id = LocationId(row as u32);
            let Location { kind, module, address, folded, instruction } = input.locations.get(id);
            let mapped = module.map(|module| &modules[module.index()]);
            let address = match (mapped, address) {
                (_, 0) | (None, _) => address,
                (Some(mapped), address) => address.wrapping_add(mapped.moved),
            };
            frames.clear();
            let mut named = false;
            for frame in input.locations.frames(id) {
                let frame = FrameId(frame);
                let function = input.frames.function(frame);
                named |= function.is_some_and(|f| input.function_name(f).is_some());
                let function = function.map(|function| functions[function.index()]);
                let row = frame.index();
                frames.push((function, input.frames.line[row], input.frames.column[row]));
            }
            let module = mapped.map(|mapped| mapped.module);
            let instruction = strings[instruction.index()];
            let is_apart = !named || instruction != StringId::EMPTY;
            let own = if is_apart { address } else { 0 };
            let merged = Location { kind, module, address: own, folded, instruction };
            let merged = builder.location(merged, &frames);
            match self.addresses.get_mut(merged.index()) {
                None => self.addresses.push(Address::One(address)),
                Some(known @ Address::One(0)) => *known = Address::One(address),
                Some(known @ Address::One(_)) if address != 0 => {
                    if !matches!(known, Address::One(same) if *same == address) {
                        *known = Address::Several;
                    }
                }
                Some(_) => {}
            }
            merged
        };
        ((0..input.locations.len()).map(location).collect(), functions)
    }

    /// Puts back the addresses that all inputs agree on; how many could not be.
    pub(super) fn finish(self, profile: &mut Profile) -> usize {
        let mut several = 0;
        for (address, known) in profile.locations.address.iter_mut().zip(self.addresses) {
            match known {
                Address::One(known) => *address = known,
                Address::Several => several += 1,
            }
        }
        several
    }

    /// A module that is loaded elsewhere than in the input before has its addresses moved, so that
    /// equal places of both have equal ones. All mappings of a module are moved alike.
    fn modules(
        &mut self,
        builder: &mut ProfileBuilder,
        input: &Profile,
        strings: &[StringId],
    ) -> Vec<Mapped> {
        let mut moves = HashMap::<ModuleId, u64>::new();
        let add = |module: &Module| {
            let name = strings[module.name.index()];
            let build_id = strings[module.build_id.index()];
            let id = *self.modules.entry((name, build_id)).or_insert_with(|| {
                builder.modules.push(Module { name, build_id, ..module.clone() });
                self.bases.push(None);
                ModuleId(builder.modules.len() as u32 - 1)
            });
            let known = &mut builder.modules[id.index()];
            let is_mapped = module.memory_limit != 0;
            let mut moved = 0;
            if is_mapped && name != StringId::EMPTY {
                let own = module.memory_start.wrapping_sub(module.file_offset);
                let base = *self.bases[id.index()].get_or_insert(own);
                moved = *moves.entry(id).or_insert(base.wrapping_sub(own));
            }
            let start = module.memory_start.wrapping_add(moved);
            let limit = module.memory_limit.wrapping_add(moved);
            if is_mapped && start <= limit {
                if known.memory_limit == 0 || start < known.memory_start {
                    known.memory_start = start;
                    known.file_offset = module.file_offset;
                }
                known.memory_limit = known.memory_limit.max(limit);
            }
            known.flags.functions &= module.flags.functions;
            known.flags.file_names &= module.flags.file_names;
            known.flags.line_numbers &= module.flags.line_numbers;
            known.flags.inline_frames &= module.flags.inline_frames;
            Mapped { module: id, moved }
        };
        input.modules.iter().map(add).collect()
    }

    fn functions(
        &mut self,
        builder: &mut ProfileBuilder,
        input: &Profile,
        strings: &[StringId],
    ) -> Vec<FunctionId> {
        let functions = &input.functions;
        let add = |row: usize| {
            let text = |id: StringId| strings[id.index()];
            let (name, file) = (text(functions.name[row]), text(functions.file[row]));
            // No linker's name, or the same, is one and the same thing.
            let system_name = Some(text(functions.system_name[row]));
            let system_name = system_name.filter(|&s| s != StringId::EMPTY).unwrap_or(name);
            let (line, column) = (functions.start_line[row], functions.start_column[row]);
            let key = (name, system_name, file, line, column);
            *self.functions.entry(key).or_insert_with(|| {
                let merged = &mut builder.functions;
                let function = merged.push(name, text(functions.system_name[row]), file, line);
                merged.start_column[function.index()] = column;
                function
            })
        };
        (0..functions.len()).map(add).collect()
    }
}
