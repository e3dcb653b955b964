//! The code that was measured: the linker's functions, and their instructions.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use profile::{FrameId, LocationId, ModuleId, Profile, StringId};
use symbols::{Binary, Names};

use super::blocks;
use crate::kinds::profile::reading::symbolise::bytes_of;
use crate::{Binaries, NoInstructions};

/// Bytes of one function that are disassembled; more is not a function that people wrote.
const MOST_BYTES: u64 = 1 << 20;

/// Instructions of one function that are listed.
const MOST_ROWS: usize = 10_000;

/// Whether the build can read binaries: the one inside a page leaves it out.
const READS_BINARIES: bool = cfg!(feature = "binaries");
const BY_PROGRAM: &str = "binaries are read by the program (`hotframe open`), not by a page alone";

/// Where a frame was measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Place {
    pub(super) module: Option<ModuleId>,
    /// As the profile has it.
    pub(super) address: u64,
}

/// A piece of code.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(super) struct Code {
    /// Path of its module; empty if unknown.
    pub(super) module: StringId,
    /// The linker's name of the function; empty if unknown.
    pub(super) symbol: String,
    build_id: StringId,
    /// Where it stands in the binary; none where that is not at hand.
    range: Option<Range<u64>>,
}

/// An instruction.
#[derive(Debug, Default)]
pub(super) struct Row {
    pub(super) address: u64,
    pub(super) text: String,
    pub(super) file: Option<Arc<str>>,
    pub(super) line: u32,
    pub(super) block: u32,
}

/// What was measured of a piece of code.
pub(super) struct Section {
    pub(super) code: Code,
    pub(super) places: Vec<Place>,
    /// Where each place is in the code.
    addresses: HashMap<Place, u64>,
    /// By address.
    pub(super) rows: Vec<Row>,
    /// Why there is no text.
    pub(super) problem: String,
    /// Whether there is a text, and the profile does not say which build it must be of.
    pub(super) is_unchecked: bool,
}

impl Section {
    pub(super) fn new(code: Code) -> Section {
        let (places, addresses, rows) = (vec![], HashMap::new(), vec![]);
        Section { code, places, addresses, rows, problem: String::new(), is_unchecked: false }
    }

    pub(super) fn add(&mut self, place: Place, address: u64) {
        self.places.push(place);
        self.addresses.insert(place, address);
    }

    /// The number of the instruction that has a place of the section.
    pub(super) fn row_of(&self, place: Place) -> usize {
        let address = self.addresses[&place];
        self.rows.partition_point(|row| row.address <= address).saturating_sub(1)
    }
}

/// The binaries of a profile, each opened once.
pub(super) struct Modules<'a> {
    profile: &'a Profile,
    binaries: Option<&'a Binaries>,
    opened: HashMap<(StringId, StringId), Result<Box<Names>, String>>,
    /// Why the disassembler is not asked any more.
    given_up: Option<String>,
}

impl<'a> Modules<'a> {
    pub(super) fn new(profile: &'a Profile, binaries: Option<&'a Binaries>) -> Modules<'a> {
        Modules { profile, binaries, opened: HashMap::new(), given_up: None }
    }

    /// The code that holds a place, and where it is in it.
    pub(super) fn find(&mut self, place: Place) -> (Code, u64) {
        let unknown = |module, build_id| Code { module, build_id, ..Code::default() };
        let Some(id) = place.module else { return (Code::default(), place.address) };
        let module = &self.profile.modules[id.index()];
        let (path, build_id) = (module.name, module.build_id);
        if !READS_BINARIES {
            return (unknown(path, build_id), place.address);
        }
        let shift = module.file_offset.wrapping_sub(module.memory_start);
        let known = self.names((path, build_id)).as_ref().ok().and_then(|names| {
            let address = names.address_of(place.address.wrapping_add(shift))?;
            let range = names.extent(address)?;
            let symbol = names.symbol(address).unwrap_or_default();
            Some((Code { symbol, range: Some(range), ..unknown(path, build_id) }, address))
        });
        known.unwrap_or_else(|| (unknown(path, build_id), place.address))
    }

    fn names(&mut self, key: (StringId, StringId)) -> &mut Result<Box<Names>, String> {
        let (profile, binaries) = (self.profile, self.binaries);
        self.opened.entry(key).or_insert_with(|| {
            let binaries = binaries.ok_or(BY_PROGRAM)?;
            let build_id = bytes_of(profile.text(key.1));
            let binary = Binary { path: profile.text(key.0).to_owned(), build_id };
            let names = Names::open(&binaries.files, &binary);
            names.map(Box::new).map_err(|missing| format!("{missing}: {}", missing.remedy()))
        })
    }

    /// Reads the instructions of a section; where they cannot be read, those that were measured.
    pub(super) fn read(&mut self, section: &mut Section) {
        match self.instructions(&section.code) {
            Ok(rows) => {
                let build_id = bytes_of(self.profile.text(section.code.build_id));
                section.is_unchecked = build_id.is_none();
                section.rows = rows;
            }
            Err(problem) => {
                section.rows = self.measured(section);
                // Whoever wrote the profile may have known them.
                if section.rows.iter().any(|row| row.text.is_empty()) {
                    section.problem = problem;
                }
            }
        }
    }

    fn instructions(&mut self, code: &Code) -> Result<Vec<Row>, String> {
        if code.module == StringId::EMPTY {
            return Err("the profile does not say which binary it is of".to_owned());
        }
        if !READS_BINARIES {
            return Err(BY_PROGRAM.to_owned());
        }
        let module = self.profile.text(code.module).to_owned();
        if let Some(why) = &self.given_up {
            return Err(why.clone());
        }
        let disassembler = self.binaries.and_then(|binaries| binaries.disassembler.clone());
        let names = self.names((code.module, code.build_id)).as_mut().map_err(|why| why.clone())?;
        let Some(range) = code.range.clone() else {
            return Err(format!("{module} has no symbol there"));
        };
        if range.end - range.start > MOST_BYTES {
            return Err(format!("{} is larger than {} MiB", code.symbol, MOST_BYTES >> 20));
        }
        let disassembler = disassembler.ok_or("there is no disassembler here")?;
        let told = match disassembler.instructions(names.path(), range.clone()) {
            Ok(told) => told,
            Err(NoInstructions { why, is_final }) => {
                self.given_up = is_final.then(|| why.clone());
                return Err(why);
            }
        };
        let mut rows: Vec<Row> = (told.into_iter())
            .filter(|one| range.contains(&one.address))
            .map(|one| Row { address: one.address, text: one.text, ..Row::default() })
            .collect();
        rows.sort_by_key(|row| row.address);
        rows.dedup_by_key(|row| row.address);
        if rows.len() > MOST_ROWS {
            return Err(format!(
                "{} has {} instructions, too many to list",
                code.symbol,
                rows.len()
            ));
        }
        // Values stand at the instruction that has their address: there must be one.
        if rows.first().is_none_or(|row| row.address != range.start) {
            return Err(format!("the disassembler has no output for {}", code.symbol));
        }
        let mut frames = vec![];
        for row in &mut rows {
            frames.clear();
            names.at_address(row.address, &mut frames);
            if let Some(inner) = frames.pop() {
                (row.file, row.line) = (inner.file, inner.line);
            }
        }
        let texts: Vec<_> = rows.iter().map(|row| (row.address, row.text.as_str())).collect();
        let blocks = blocks::numbers(&texts);
        rows.iter_mut().zip(blocks).for_each(|(row, block)| row.block = block);
        Ok(rows)
    }

    /// What is known of measured instructions without their binary.
    fn measured(&self, section: &Section) -> Vec<Row> {
        let profile = self.profile;
        let known: HashMap<(Option<ModuleId>, u64), (FrameId, StringId)> =
            (0..profile.locations.len() as u32)
                .map(LocationId)
                .filter_map(|location| {
                    let module = profile.locations.module(location);
                    let address = profile.locations.address[location.index()];
                    let inner = profile.locations.frames(location).next_back()?;
                    let text = profile.locations.instruction(location);
                    Some(((module, address), (FrameId(inner), text)))
                })
                // Of several, one that tells the instruction.
                .fold(HashMap::new(), |mut known, (place, told)| {
                    let one = known.entry(place).or_insert(told);
                    if one.1 == StringId::EMPTY {
                        *one = told;
                    }
                    known
                });
        let mut rows: Vec<Row> = (section.places.iter())
            .map(|place| {
                let told = known.get(&(place.module, place.address));
                let frame = told.map(|&(frame, _)| frame);
                let file = frame.map(|frame| profile.frame_file(frame));
                Row {
                    address: section.addresses[place],
                    file: file.filter(|file| !file.is_empty()).map(Arc::from),
                    line: frame.map_or(0, |frame| profile.frames.line[frame.index()]),
                    text: told.map_or_else(String::new, |told| profile.text(told.1).to_owned()),
                    ..Row::default()
                }
            })
            .collect();
        rows.sort_by_key(|row| row.address);
        rows.dedup_by_key(|row| row.address);
        rows
    }
}
