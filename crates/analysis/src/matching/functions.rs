//! The functions of a profile as matching tells them apart.

use std::collections::HashMap;

use crate::identity::{Identities, Place, Start};
use profile::{FrameId, FunctionId, Profile, base_name};
use work::steps;

/// A name at a place.
#[derive(Debug)]
pub(super) struct Function<'a> {
    pub(super) name: &'a str,
    /// Where it is from.
    pub(super) place: Place<'a>,
    /// Where it starts, if its file has several functions of its name.
    pub(super) start: Start,
    /// The source file as the profile has it, or else the module without its folder.
    pub(super) told_place: &'a str,
    /// Its rows in the profile, by first line.
    pub(super) rows: Vec<FunctionId>,
    /// First lines of the rows.
    pub(super) lines: Vec<u32>,
}

/// Functions that frames name.
#[derive(Debug)]
pub(super) struct Functions<'a> {
    pub(super) list: Vec<Function<'a>>,
    /// By row of the profile; none where no frame names it, or it has no name.
    of_row: Vec<Option<u32>>,
}

impl<'a> Functions<'a> {
    pub(super) fn new(profile: &'a Profile) -> Functions<'a> {
        let modules = modules(profile);
        let identities = Identities::new(profile);
        let mut list = Vec::<Function<'a>>::new();
        let mut known = HashMap::new();
        let mut of_row = vec![None; profile.functions.len()];
        let mut rows: Vec<u32> = (0..profile.functions.len() as u32).collect();
        rows.sort_by_key(|&row| {
            let table = &profile.functions;
            (table.start_line[row as usize], table.start_column[row as usize])
        });
        for row in rows {
            let id = FunctionId(row);
            let (Some(name), Some(module)) = (profile.function_name(id), modules[id.index()])
            else {
                continue;
            };
            let (place, told_place) = match identities.file(id) {
                None => (Place::Module(module), module),
                Some(file) => {
                    (Place::File(file.clone()), profile.text(profile.functions.file[id.index()]))
                }
            };
            let start = identities.start(id);
            let number = *known.entry((name, place.clone(), start)).or_insert_with(|| {
                let (rows, lines) = (vec![], vec![]);
                list.push(Function { name, place, start, told_place, rows, lines });
                list.len() as u32 - 1
            });
            let function = &mut list[number as usize];
            function.rows.push(id);
            function.lines.push(profile.functions.start_line[id.index()]);
            of_row[id.index()] = Some(number);
        }
        Functions { list, of_row }
    }

    /// The function of a frame, if it has a name.
    pub(super) fn of_frame(&self, profile: &Profile, frame: FrameId) -> Option<u32> {
        profile.frames.function(frame).and_then(|row| self.of_row[row.index()])
    }
}

/// By function, a module that it is in, always the first by name; none if no frame names it.
fn modules(profile: &Profile) -> Vec<Option<&str>> {
    let mut modules = vec![None; profile.functions.len()];
    for frame in steps("matching", 0..profile.frames.len() as u32).map(FrameId) {
        if let Some(function) = profile.frames.function(frame) {
            let module = base_name(profile.frame_module(frame));
            let known = modules[function.index()].get_or_insert(module);
            *known = module.min(known);
        }
    }
    modules
}
