//! The made-up program whose profiles the bench files are: its functions, the
//! locations in them, and which location can call which.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;

use super::names::{self, MAPPINGS, MODULES};
use super::protobuf::Message;
use super::random::Random;

const FUNCTIONS: usize = 3500;
/// The first functions of each module are real; the others only occur inlined.
const REAL_PER_CENT: usize = 58;
/// How many different functions one function calls, at most.
const CALLEES: usize = 40;

/// Index of a location; its id in the file is one more.
pub(super) type Location = u32;

struct Function {
    name: String,
    file: String,
    module: usize,
    start_line: u64,
    /// The places in this function that calls come from.
    locations: Range<Location>,
    callees: Vec<usize>,
}

/// A function and a line; the innermost inlined one comes first.
struct Line {
    function: usize,
    line: u64,
}

struct Place {
    /// The real function.
    function: usize,
    address: u64,
    lines: Vec<Line>,
}

/// Functions, locations and the call graph.
pub(super) struct Program {
    functions: Vec<Function>,
    places: Vec<Place>,
}

impl Program {
    /// Makes up the program: always the same one.
    pub(super) fn new() -> Self {
        let mut random = Random::new(1);
        let mut functions = name_functions(&mut random);
        let by_module = functions_by_module(&functions);
        let places = place_locations(&mut functions, &by_module, &mut random);
        link_calls(&mut functions, &by_module, &mut random);
        Self { functions, places }
    }

    /// A location that a thread can begin in.
    pub(super) fn entry(&self, random: &mut Random) -> Location {
        // Functions are in the order of their modules and the first modules are
        // the runtime's and the servers'.
        let function = &self.functions[random.skewed(random_limit(&self.functions))];
        location_in(function, random)
    }

    /// A callee of `caller` where few of the callees take most of the calls.
    pub(super) fn usual_callee(&self, caller: Location, random: &mut Random) -> Location {
        let callees = &self.functions[self.places[caller as usize].function].callees;
        location_in(&self.functions[callees[random.skewed(callees.len())]], random)
    }

    /// A callee of `caller`, every one equally likely.
    pub(super) fn any_callee(&self, caller: Location, random: &mut Random) -> Location {
        let callees = &self.functions[self.places[caller as usize].function].callees;
        location_in(&self.functions[*random.pick(callees)], random)
    }

    /// Appends mappings, locations and functions, whose strings go to `strings`.
    pub(super) fn write_tables(&self, profile: &mut Message, strings: &mut Strings) {
        self.write_tables_of(profile, strings, None);
    }

    /// Appends mappings, and the locations whose ids are `used` with their functions; all of both
    /// without.
    pub(super) fn write_tables_of(
        &self,
        profile: &mut Message,
        strings: &mut Strings,
        used: Option<&BTreeSet<u64>>,
    ) {
        for (index, file) in MAPPINGS.iter().enumerate() {
            profile.message(3, |mapping| {
                mapping.number(1, index as u64 + 1);
                mapping.number(2, mapping_start(index));
                mapping.number(3, mapping_start(index) + MAPPING_SIZE);
                mapping.number(5, strings.intern(file));
                mapping.number(6, strings.intern(&format!("{:040x}", 0xb17d * (index + 1))));
                for symbolised_how_far in 7..=10 {
                    mapping.number(symbolised_how_far, 1);
                }
            });
        }
        let is_used = |index: usize| used.is_none_or(|used| used.contains(&(index as u64 + 1)));
        let mut named = vec![used.is_none(); self.functions.len()];
        for (index, place) in self.places.iter().enumerate().filter(|(index, _)| is_used(*index)) {
            place.lines.iter().for_each(|line| named[line.function] = true);
            profile.message(4, |location| {
                let module = &MODULES[self.functions[place.function].module];
                location.number(1, index as u64 + 1);
                location.number(2, module.mapping as u64 + 1);
                location.number(3, place.address);
                for line in &place.lines {
                    location.message(4, |message| {
                        message.number(1, line.function as u64 + 1);
                        message.number(2, line.line);
                    });
                }
            });
        }
        let functions = self.functions.iter().enumerate().filter(|(index, _)| named[*index]);
        for (index, function) in functions {
            profile.message(5, |message| {
                message.number(1, index as u64 + 1);
                message.number(2, strings.intern(&function.name));
                message.number(3, strings.intern(&function.name));
                message.number(4, strings.intern(&function.file));
                message.number(5, function.start_line);
            });
        }
    }
}

/// The string table of a profile: every string once, the empty one first.
pub(super) struct Strings {
    texts: Vec<String>,
    index: HashMap<String, u64>,
}

impl Strings {
    pub(super) fn new() -> Self {
        let mut strings = Self { texts: Vec::new(), index: HashMap::new() };
        strings.intern("");
        strings
    }

    pub(super) fn intern(&mut self, text: &str) -> u64 {
        if let Some(&index) = self.index.get(text) {
            return index;
        }
        let index = self.texts.len() as u64;
        self.texts.push(text.to_owned());
        self.index.insert(text.to_owned(), index);
        index
    }

    pub(super) fn write(&self, profile: &mut Message) {
        for text in &self.texts {
            profile.field(6, text.as_bytes());
        }
    }
}

const MAPPING_SIZE: u64 = 0x80_0000;

fn mapping_start(mapping: usize) -> u64 {
    if mapping == 0 { 0x40_0000 } else { 0x7f30_0000_0000 + mapping as u64 * 0x100_0000 }
}

/// Threads begin in the first eighth of the program.
fn random_limit(functions: &[Function]) -> usize {
    functions.len() / 8 * REAL_PER_CENT / 100
}

fn location_in(function: &Function, random: &mut Random) -> Location {
    let Range { start, end } = function.locations;
    start + random.below((end - start) as usize) as Location
}

fn name_functions(random: &mut Random) -> Vec<Function> {
    let mut taken = HashSet::new();
    let mut functions = Vec::with_capacity(FUNCTIONS);
    while functions.len() < FUNCTIONS {
        let module = functions.len() * MODULES.len() / FUNCTIONS;
        let (name, file) = names::function(&MODULES[module], random);
        if taken.insert(name.clone()) {
            let start_line = random.between(12, 1800) as u64;
            let (locations, callees) = (0..0, Vec::new());
            functions.push(Function { name, file, module, start_line, locations, callees });
        }
    }
    functions
}

/// The real and the inlined functions of a module.
struct ModuleFunctions {
    real: Range<usize>,
    inlined: Range<usize>,
}

fn functions_by_module(functions: &[Function]) -> Vec<ModuleFunctions> {
    (0..MODULES.len())
        .map(|module| {
            let start = functions.partition_point(|function| function.module < module);
            let end = functions.partition_point(|function| function.module <= module);
            let middle = start + (end - start) * REAL_PER_CENT / 100;
            ModuleFunctions { real: start..middle, inlined: middle..end }
        })
        .collect()
}

fn place_locations(
    functions: &mut [Function],
    by_module: &[ModuleFunctions],
    random: &mut Random,
) -> Vec<Place> {
    let mut places = Vec::new();
    let mut next_address = std::array::from_fn::<u64, { MAPPINGS.len() }, _>(mapping_start);
    for module in 0..MODULES.len() {
        for function in by_module[module].real.clone() {
            let start = places.len();
            for _ in 0..random.between(1, 5) {
                let address = &mut next_address[MODULES[module].mapping];
                *address += random.between(16, 400) as u64;
                let lines = lines_of(function, module, functions, by_module, random);
                places.push(Place { function, address: *address, lines });
            }
            functions[function].locations = start as Location..places.len() as Location;
        }
    }
    places
}

/// One to five lines: what was inlined there, then the real function itself.
fn lines_of(
    function: usize,
    module: usize,
    functions: &[Function],
    by_module: &[ModuleFunctions],
    random: &mut Random,
) -> Vec<Line> {
    let inlined = if random.chance(70) { 0 } else { 1 + random.skewed(4) };
    let mut in_order: Vec<usize> = (0..inlined)
        .map(|_| {
            let from = later_module(module, random);
            random.between(by_module[from].inlined.start, by_module[from].inlined.end - 1)
        })
        .collect();
    in_order.push(function);
    let line = |function: usize| Line {
        function,
        line: functions[function].start_line + random.below(60) as u64,
    };
    in_order.into_iter().map(line).collect()
}

fn link_calls(functions: &mut [Function], by_module: &[ModuleFunctions], random: &mut Random) {
    for module in 0..MODULES.len() {
        for caller in by_module[module].real.clone() {
            functions[caller].callees = (0..random.between(CALLEES / 2, CALLEES))
                .map(|_| {
                    if random.chance(2) {
                        return caller; // recursion
                    }
                    let callee = later_module(module, random);
                    random.between(by_module[callee].real.start, by_module[callee].real.end - 1)
                })
                .collect();
        }
    }
}

/// The same module, or one that it may call.
fn later_module(module: usize, random: &mut Random) -> usize {
    let last = MODULES.len() - 1;
    let first_standard_library = last - 6;
    if module >= first_standard_library && random.chance(40) {
        return random.between(module / 3, module); // a callback
    }
    match random.below(20) {
        0..13 => module,
        13..19 => (module + random.between(1, 2)).min(last),
        _ => random.between(first_standard_library, last),
    }
}
