//! What profiles of different tools have in common.
//!
//! Tools tell different frames on the way to a function, and some tell no source files. Functions
//! are where such profiles join: by what a function is ([`crate::identity`]), and by name alone
//! where one tool tells a file and another none, if the name is unique on both sides.

use hashbrown::HashMap;
use profile::{FrameId, FunctionId, Profile, StringId};

use super::notes::MergeNote;

/// Which tools' files told of each function.
#[derive(Debug)]
pub(super) struct Tools {
    /// Whether a unique name is enough where only one tool tells a file.
    pub(super) joins_names: bool,
    formats: Vec<String>,
    /// By function of the merge, a bit a format; of more than 64 the last ones share theirs.
    told_by: Vec<u64>,
}

impl Default for Tools {
    fn default() -> Tools {
        Tools { joins_names: true, formats: vec![], told_by: vec![] }
    }
}

impl Tools {
    /// An input's format, and what its functions are in the merge.
    pub(super) fn add(&mut self, format: &str, functions: &[FunctionId]) {
        let place = self.formats.iter().position(|known| known == format).unwrap_or_else(|| {
            self.formats.push(format.to_owned());
            self.formats.len() - 1
        });
        for function in functions {
            let row = function.index();
            if row >= self.told_by.len() {
                self.told_by.resize(row + 1, 0);
            }
            self.told_by[row] |= 1 << place.min(63);
        }
    }

    /// Gives functions without a file that of the same function as another tool tells it, and says
    /// how many functions several tools tell of. None if all inputs have one format.
    pub(super) fn finish(mut self, profile: &mut Profile) -> Option<MergeNote> {
        if self.formats.len() < 2 {
            return None;
        }
        self.told_by.resize(profile.functions.len(), 0);
        let joined = if self.joins_names { self.join_by_name(profile) } else { vec![] };
        let by_name = joined.iter().take(MOST_NAMES).map(|&name| profile.text(name).to_owned());
        Some(MergeNote::Tools {
            shared: self.shared(profile),
            joined: joined.len(),
            by_name: by_name.collect(),
            formats: self.formats,
        })
    }

    /// The names of the functions that got a file.
    fn join_by_name(&self, profile: &mut Profile) -> Vec<StringId> {
        let is_in_one_module = modules_of_functions(profile);
        let functions = &mut profile.functions;
        let mut of_names = HashMap::<StringId, [Rows; 2]>::new();
        for row in 0..functions.len() {
            let name = functions.name[row];
            if name != StringId::EMPTY {
                let has_file = functions.file[row] != StringId::EMPTY;
                of_names.entry(name).or_default()[usize::from(has_file)].add(row);
            }
        }
        let mut joined = vec![];
        for (name, sides) in of_names {
            let [Rows::One(without), Rows::One(with)] = sides else { continue };
            let by_one_tool = self.told_by[without] & self.told_by[with] != 0;
            if !by_one_tool && is_in_one_module[without] {
                functions.file[without] = functions.file[with];
                functions.start_line[without] = functions.start_line[with];
                functions.start_column[without] = functions.start_column[with];
                joined.push(name);
            }
        }
        joined.sort_unstable();
        joined
    }

    /// How many functions several tools tell of.
    fn shared(&self, profile: &Profile) -> usize {
        let identities = crate::identity::Identities::new(profile);
        let mut tools = HashMap::new();
        for row in 0..profile.frames.len() {
            let frame = FrameId(row as u32);
            let Some(function) = profile.frames.function(frame) else { continue };
            if let Some(identity) = identities.get(function, frame) {
                *tools.entry(identity).or_insert(0u64) |= self.told_by[function.index()];
            }
        }
        tools.values().filter(|bits| bits.count_ones() > 1).count()
    }
}

/// Names that a note lists.
const MOST_NAMES: usize = 3;

#[derive(Debug, Default)]
enum Rows {
    #[default]
    None,
    One(usize),
    Several,
}

impl Rows {
    fn add(&mut self, row: usize) {
        *self = if matches!(self, Rows::None) { Rows::One(row) } else { Rows::Several };
    }
}

/// By function, whether all its frames are in one module, or in none.
fn modules_of_functions(profile: &Profile) -> Vec<bool> {
    let mut first = vec![None; profile.functions.len()];
    let mut is_one = vec![true; profile.functions.len()];
    for row in 0..profile.frames.len() {
        let frame = FrameId(row as u32);
        if let Some(function) = profile.frames.function(frame) {
            let module = profile.locations.module(profile.frames.location[row]);
            let known = *first[function.index()].get_or_insert(module);
            is_one[function.index()] &= known == module;
        }
    }
    is_one
}
