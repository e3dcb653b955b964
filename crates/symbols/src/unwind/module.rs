//! What is known of one mapped file, whoever maps it.

use std::sync::Arc;

use gimli::UnwindContext;
use rustc_hash::{FxHashMap, FxHashSet};

use super::cfi::{Cfi, CodeUnwind};
use super::registers::Architecture;
use super::rule::Rule;
use crate::debug_files::{self, Binary};
use crate::elf::Elf;
use crate::files::Files;
use crate::missing::Missing;

/// A module of an unwinder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ModuleId(pub(super) u32);

/// What was learnt of all modules.
#[derive(Default)]
pub(super) struct Learnt {
    context: Box<UnwindContext<usize>>,
    /// How many addresses; all are forgotten when there are too many.
    pub(super) addresses: usize,
    /// Most functions have one of a few rules.
    rules: FxHashSet<Arc<Rule>>,
}

impl Learnt {
    /// The same rule as before, if it is there.
    fn shared(&mut self, rule: Rule) -> Arc<Rule> {
        if let Some(known) = self.rules.get(&rule) {
            return known.clone();
        }
        let rule = Arc::new(rule);
        self.rules.insert(rule.clone());
        rule
    }
}

/// A mapped file, or code without one.
pub(super) struct Module {
    binary: Option<Binary>,
    state: State,
    /// What was asked before, by address in the file: the rules, or that there is none.
    known: FxHashMap<u64, Option<Arc<Rule>>>,
}

enum State {
    /// Nobody asked yet.
    Unread,
    Read(Box<Read>),
    Missing(Missing),
    /// There is nothing to read.
    Nothing,
}

struct Read {
    /// Gives addresses of offsets; none for code, which stands at 0.
    places: Places,
    cfi: Option<Cfi>,
}

enum Places {
    Elf(Box<Elf>),
    Code(u64),
}

impl Module {
    pub(super) fn of_binary(binary: Binary) -> Self {
        let is_file = binary.path.starts_with('/') && !binary.path.starts_with("//");
        let state = if is_file || binary.path == "[vdso]" { State::Unread } else { State::Nothing };
        Self { binary: Some(binary), state, known: FxHashMap::default() }
    }

    pub(super) fn of_code(unwind: Option<&CodeUnwind>, size: u64) -> Self {
        let state = match unwind.and_then(Cfi::of_code) {
            Some(cfi) => State::Read(Box::new(Read { places: Places::Code(size), cfi: Some(cfi) })),
            None => State::Nothing,
        };
        Self { binary: None, state, known: FxHashMap::default() }
    }

    pub(super) fn binary(&self) -> Option<&Binary> {
        self.binary.as_ref()
    }

    pub(super) fn missing(&self) -> Option<&Missing> {
        match &self.state {
            State::Missing(missing) => Some(missing),
            _ => None,
        }
    }

    /// The rule at an offset of the file, whose headers are read when the first is asked for.
    pub(super) fn rule_at(
        &mut self,
        offset: u64,
        architecture: Architecture,
        files: &dyn Files,
        learnt: &mut Learnt,
    ) -> Option<&Rule> {
        if let State::Unread = self.state {
            self.state = match &self.binary {
                Some(binary) => read(files, binary, architecture),
                None => State::Nothing,
            };
        }
        let State::Read(read) = &mut self.state else { return None };
        let known = self.known.entry(offset).or_insert_with(|| {
            learnt.addresses += 1;
            let address = match &read.places {
                Places::Elf(elf) => elf.address_of_offset(offset)?,
                Places::Code(size) => Some(offset).filter(|offset| offset < size)?,
            };
            let rule = read.cfi.as_mut()?.rule_at(architecture, address, &mut learnt.context)?;
            Some(learnt.shared(rule))
        });
        known.as_deref()
    }

    /// Forgets what was asked.
    pub(super) fn forget(&mut self) {
        self.known = FxHashMap::default();
    }
}

fn read(files: &dyn Files, binary: &Binary, architecture: Architecture) -> State {
    let found = match debug_files::binary(files, binary) {
        Ok(found) => found,
        Err(missing) => return State::Missing(missing),
    };
    let fits = found.elf.is_64 && !found.elf.big_endian;
    if !fits || !architecture.is_machine(found.elf.machine) {
        let why = "it is for another processor than the recording";
        return State::Missing(Missing::NotElf { path: binary.path.clone(), why });
    }
    let separate = || Some(debug_files::separate(files, &found)?.elf);
    let cfi = Cfi::of_elf(&found.elf, separate);
    State::Read(Box::new(Read { places: Places::Elf(Box::new(found.elf)), cfi }))
}
