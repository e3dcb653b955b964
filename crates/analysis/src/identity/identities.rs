//! Functions and what tells them from others.

use hashbrown::{HashMap, HashSet};
use profile::{FrameId, FunctionId, Profile, base_name};

use super::portable_file;
use super::portable_file::PortableFile;

/// Where a function starts, line and column; 0 where that is unknown or does not matter.
pub(crate) type Start = (u32, u32);

/// The functions of a profile, each with what tells it from others.
#[derive(Debug)]
pub(crate) struct Identities<'a> {
    profile: &'a Profile,
    /// By function.
    files: Vec<PortableFile<'a>>,
    /// By function, where it starts if its name repeats in its file, else 0.
    starts: Vec<Start>,
}

/// A function as frames name it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Identity<'a> {
    pub(crate) name: &'a str,
    pub(crate) place: Place<'a>,
    pub(crate) start: Start,
}

/// Where a function is from.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Place<'a> {
    File(PortableFile<'a>),
    /// File name of a module.
    Module(&'a str),
}

impl<'a> Identities<'a> {
    pub(crate) fn new(profile: &'a Profile) -> Identities<'a> {
        let table = &profile.functions;
        let root = portable_file::project_root(table.file.iter().map(|&file| profile.text(file)));
        let mut known = HashMap::new();
        let files: Vec<PortableFile<'a>> = (table.file.iter())
            .map(|&file| {
                let new = || PortableFile::new(profile.text(file), root);
                known.entry(file).or_insert_with(new).clone()
            })
            .collect();
        let starts = vec![(0, 0); table.len()];
        let mut identities = Identities { profile, files, starts };
        identities.find_starts();
        identities
    }

    /// What a function is, if it has a name; `frame` is one of its own, which tells its module.
    pub(crate) fn get(&self, function: FunctionId, frame: FrameId) -> Option<Identity<'a>> {
        let name = self.profile.function_name(function)?;
        let place = match self.file(function) {
            None => Place::Module(base_name(self.profile.frame_module(frame))),
            Some(file) => Place::File(file.clone()),
        };
        Some(Identity { name, place, start: self.starts[function.index()] })
    }

    /// The source file, if it is known. Where it is not, frames of one function may be of
    /// different ones: the module counts.
    pub(crate) fn file(&self, function: FunctionId) -> Option<&PortableFile<'a>> {
        Some(&self.files[function.index()]).filter(|file| !file.path.is_empty())
    }

    /// Where a function starts, if its name repeats in its file; else 0.
    pub(crate) fn start(&self, function: FunctionId) -> Start {
        self.starts[function.index()]
    }

    /// Finds the functions whose name their file has several times in one member. Several starts
    /// in several members are versions of one function.
    fn find_starts(&mut self) {
        let (profile, table) = (self.profile, &self.profile.functions);
        let start = |row: usize| (table.start_line[row], table.start_column[row]);
        let mut groups = HashMap::<_, Vec<usize>>::new();
        for row in (0..table.len()).filter(|&row| start(row) != (0, 0)) {
            let name = profile.function_name(FunctionId(row as u32)).unwrap_or("");
            let file = &self.files[row];
            if !file.path.is_empty() {
                groups.entry((name, file)).or_default().push(row);
            }
        }
        let distinct = |rows: &Vec<usize>| {
            rows.iter().map(|&row| start(row)).collect::<HashSet<_>>().len() > 1
        };
        let mut repeated: Vec<Vec<usize>> =
            groups.into_values().filter(|rows| distinct(rows)).collect();
        let are_recordings = profile.members.len() > 1 && !profile.origin.members_are_parts;
        if are_recordings && !repeated.is_empty() {
            let members = members_of_functions(profile);
            repeated.retain(|rows| {
                let mut first = HashMap::<u32, Start>::new();
                rows.iter().any(|&row| {
                    let bits = members[row];
                    (0..64)
                        .filter(|bit| bits >> bit & 1 == 1)
                        .any(|member| *first.entry(member).or_insert(start(row)) != start(row))
                })
            });
        }
        for row in repeated.into_iter().flatten() {
            self.starts[row] = start(row);
        }
    }
}

/// By function, the members that have it on a stack, as bits: member N is bit N modulo 64, so of
/// more members some count as one.
fn members_of_functions(profile: &Profile) -> Vec<u64> {
    let mut of_context = vec![0u64; profile.contexts.len()];
    for (point, context) in profile.points.context.iter().enumerate() {
        of_context[context.index()] |= 1 << (profile.points.member(point).0 % 64);
    }
    let parents = profile.contexts.parents();
    let mut of_function = vec![0u64; profile.functions.len()];
    for context in (1..of_context.len()).rev() {
        let bits = of_context[context];
        of_context[parents[context] as usize] |= bits;
        for frame in profile.frames_of(profile::ContextId(context as u32)) {
            if let Some(function) = profile.frames.function(FrameId(frame)) {
                of_function[function.index()] |= bits;
            }
        }
    }
    of_function
}
