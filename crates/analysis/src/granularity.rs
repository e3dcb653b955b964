//! What makes two frames the same.

mod place;

use std::borrow::Cow;
use std::sync::OnceLock;

use hashbrown::{HashMap, HashSet};
use profile::{FrameId, Profile, base_name};
use work::steps;

pub use place::GroupPlace;

use crate::identity::{Identities, Identity as FunctionIdentity, Place};

/// What makes two frames the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Granularity {
    /// The function: name, source file (else module) and, where a file repeats a name, where it
    /// starts; an unsymbolised place by module and address.
    #[default]
    Function,
    /// The function's name alone, as pprof has it; an unsymbolised place by module and address.
    Name,
    /// The source file; where there is none, the module.
    File,
    /// Function, file and line.
    Line,
    /// The module.
    Module,
    /// The instruction address and the place in its inlined frames; as `Line` where there is none.
    Address,
}

/// The *key* of a group of frames: its row in [`FrameKeys`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(transparent)]
pub struct FrameKey(pub u32);

impl FrameKey {
    /// The row in its table.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The number of a group of frames: a [`FrameKey`], or what else someone groups frames by.
pub trait FrameGroup: Copy {
    /// The row among all groups.
    fn index(self) -> usize;
}

impl FrameGroup for FrameKey {
    fn index(self) -> usize {
        FrameKey::index(self)
    }
}

impl FrameGroup for u32 {
    fn index(self) -> usize {
        self as usize
    }
}

/// Frames grouped at a granularity: each group has a dense number, its *key*. Keys depend on the
/// profile alone, so they are the same whenever the same file is read.
#[derive(Debug)]
pub struct FrameKeys {
    granularity: Granularity,
    key_of_frame: Vec<FrameKey>,
    representative: Vec<FrameId>,
    places: OnceLock<Places>,
    /// By key, of functions and names: the frame that gives the place.
    placed: OnceLock<Vec<FrameId>>,
}

/// What is told beside names where names alone do not tell.
#[derive(Debug, Default)]
struct Places {
    /// By key: the place, if another key has the same name or it has none.
    shown: HashMap<FrameKey, String>,
    /// By key: how many source files it merges, if several.
    files: HashMap<FrameKey, usize>,
}

/// What profilers call functions that have no name of their own: where they are is all there is.
const NAMELESS: &[&str] = &[
    "(anonymous)",
    "(anonymous function)",
    "<anonymous>",
    "<lambda>",
    "<listcomp>",
    "<setcomp>",
    "<dictcomp>",
    "<genexpr>",
    "{closure}",
];

#[derive(PartialEq, Eq, Hash)]
enum Identity<'a> {
    Function(u32),
    Named(&'a str),
    Place(&'a str, u64),
    Line(Cow<'a, str>, &'a str, u32),
    Address(&'a str, u64, u32),
}

impl FrameKeys {
    /// Groups the frames of a profile.
    pub fn new(profile: &Profile, granularity: Granularity) -> FrameKeys {
        let functions = match granularity {
            Granularity::Function => FunctionNumbers::new(profile),
            _ => FunctionNumbers::default(),
        };
        let mut known = HashMap::new();
        let mut representative = vec![];
        let key_of_frame = steps("telling frames apart", 0..profile.frames.len() as u32)
            .map(FrameId)
            .map(|frame| {
                let identity = match functions.number(profile, frame) {
                    Some(number) => Identity::Function(number),
                    None => identity(profile, frame, granularity),
                };
                *known.entry(identity).or_insert_with(|| {
                    representative.push(frame);
                    FrameKey(representative.len() as u32 - 1)
                })
            })
            .collect();
        FrameKeys {
            granularity,
            key_of_frame,
            representative,
            places: OnceLock::new(),
            placed: OnceLock::new(),
        }
    }

    /// The granularity.
    pub fn granularity(&self) -> Granularity {
        self.granularity
    }

    /// How many groups there are.
    pub fn len(&self) -> usize {
        self.representative.len()
    }

    /// Whether the profile has no frames.
    pub fn is_empty(&self) -> bool {
        self.representative.is_empty()
    }

    /// All keys.
    pub fn all(&self) -> impl Iterator<Item = FrameKey> + use<> {
        (0..self.len() as u32).map(FrameKey)
    }

    /// The key of a frame.
    pub fn key(&self, frame: FrameId) -> FrameKey {
        self.key_of_frame[frame.index()]
    }

    /// Keys by frame.
    pub fn keys(&self) -> &[FrameKey] {
        &self.key_of_frame
    }

    /// A frame of the group: the first that the profile names.
    pub fn representative(&self, key: FrameKey) -> FrameId {
        self.representative[key.index()]
    }

    /// What the group is called beside all others: its name, with its place where another group
    /// has the same name, or where the name says only that there is none. Never empty.
    pub fn label<'a>(&self, profile: &'a Profile, key: FrameKey) -> Cow<'a, str> {
        let name = self.name(profile, key);
        match self.places(profile).shown.get(&key) {
            Some(place) => Cow::Owned(format!("{name} {place}")),
            None => name,
        }
    }

    /// How many source files the group has frames of.
    pub fn file_count(&self, profile: &Profile, key: FrameKey) -> usize {
        let one = || usize::from(!profile.frame_file(self.representative(key)).is_empty());
        self.places(profile).files.get(&key).copied().unwrap_or_else(one)
    }

    fn places(&self, profile: &Profile) -> &Places {
        self.places.get_or_init(|| match self.granularity {
            Granularity::Function => {
                Places { shown: self.distinguishing_places(profile), ..Places::default() }
            }
            Granularity::Name => Places { files: self.files(profile), ..Places::default() },
            _ => Places::default(),
        })
    }

    fn distinguishing_places(&self, profile: &Profile) -> HashMap<FrameKey, String> {
        let mut by_name = HashMap::<Cow<'_, str>, Vec<FrameKey>>::new();
        for key in self.all() {
            by_name.entry(self.name(profile, key)).or_default().push(key);
        }
        let unclear = |(name, keys): &(Cow<'_, str>, Vec<FrameKey>)| {
            keys.len() > 1 || NAMELESS.contains(&name.as_ref())
        };
        let unclear = by_name.into_iter().filter(unclear);
        self.places_of(profile, unclear.flat_map(|(_, keys)| keys))
    }

    /// Where functions are, as [`FrameKeys::label`] tells it, at [`Granularity::Function`]; nothing of
    /// those of which nothing is known.
    pub fn places_of(
        &self,
        profile: &Profile,
        keys: impl IntoIterator<Item = FrameKey>,
    ) -> HashMap<FrameKey, String> {
        let identities = Identities::new(profile);
        let mut told = HashMap::new();
        for key in keys {
            let frame = self.representative(key);
            let function = profile.frames.function(frame);
            let Some(identity) = function.and_then(|id| identities.get(id, frame)) else {
                continue;
            };
            let place = match identity.place {
                Place::File(file) => file.path.into_owned(),
                Place::Module("") => continue,
                Place::Module(module) => format!("[{module}]"),
            };
            // Without a name, a line tells more even where it is the only one of its file.
            let start = match identity.start {
                (0, _) if NAMELESS.contains(&&*self.name(profile, key)) => {
                    function.map_or(0, |id| profile.functions.start_line[id.index()])
                }
                (line, _) => line,
            };
            told.insert(
                key,
                match (start, identity.start.1) {
                    (0, _) => place,
                    (line, 0) => format!("{place}:{line}"),
                    (line, column) => format!("{place}:{line}:{column}"),
                },
            );
        }
        told
    }

    fn files(&self, profile: &Profile) -> HashMap<FrameKey, usize> {
        let mut files = HashMap::<FrameKey, HashSet<&str>>::new();
        for (frame, &key) in self.key_of_frame.iter().enumerate() {
            match profile.frame_file(FrameId(frame as u32)) {
                "" => {}
                file => _ = files.entry(key).or_default().insert(file),
            }
        }
        let counts = files.into_iter().map(|(key, files)| (key, files.len()));
        counts.filter(|&(_, count)| count > 1).collect()
    }

    /// What the group is called. Never empty.
    pub fn name<'a>(&self, profile: &'a Profile, key: FrameKey) -> Cow<'a, str> {
        let frame = self.representative(key);
        let row = frame.index();
        match self.granularity {
            Granularity::Function | Granularity::Name => profile.frame_name(frame),
            Granularity::File => file_name(profile, frame),
            Granularity::Module => module_name(profile, frame),
            Granularity::Line => {
                let name = profile.frame_name(frame);
                let file = base_name(profile.frame_file(frame));
                match (file, profile.frames.line[row]) {
                    ("", 0) => name,
                    ("", line) => Cow::Owned(format!("{name}:{line}")),
                    (file, 0) => Cow::Owned(format!("{name} {file}")),
                    (file, line) => Cow::Owned(format!("{name} {file}:{line}")),
                }
            }
            Granularity::Address => {
                let name = profile.frame_name(frame);
                let address = profile.locations.address[profile.frames.location[row].index()];
                match address {
                    0 => match profile.frames.line[row] {
                        0 => name,
                        line => Cow::Owned(format!("{name}:{line}")),
                    },
                    _ if profile.frames.function(frame).is_none() => name,
                    address => Cow::Owned(format!("{name} {address:#x}")),
                }
            }
        }
    }
}

/// Functions as numbers that are equal for the same function.
#[derive(Debug, Default)]
struct FunctionNumbers {
    /// By function, where that alone tells.
    of_function: Vec<Option<u32>>,
    /// By function and module, where the module counts.
    of_module: HashMap<(u32, u32), u32>,
}

impl FunctionNumbers {
    fn new(profile: &Profile) -> FunctionNumbers {
        let identities = Identities::new(profile);
        let mut numbers = HashMap::<FunctionIdentity<'_>, u32>::new();
        let mut found = FunctionNumbers {
            of_function: vec![None; profile.functions.len()],
            of_module: HashMap::new(),
        };
        for frame in (0..profile.frames.len() as u32).map(FrameId) {
            let Some(function) = profile.frames.function(frame) else { continue };
            let by_module = identities.file(function).is_none();
            let is_known = if by_module {
                found.of_module.contains_key(&(function.0, module_of(profile, frame)))
            } else {
                found.of_function[function.index()].is_some()
            };
            if is_known {
                continue;
            }
            let Some(identity) = identities.get(function, frame) else { continue };
            let next = numbers.len() as u32;
            let number = *numbers.entry(identity).or_insert(next);
            if by_module {
                _ = found.of_module.insert((function.0, module_of(profile, frame)), number)
            } else {
                found.of_function[function.index()] = Some(number)
            }
        }
        found
    }

    fn number(&self, profile: &Profile, frame: FrameId) -> Option<u32> {
        let function = profile.frames.function(frame)?;
        match self.of_function.get(function.index())? {
            Some(number) => Some(*number),
            None => self.of_module.get(&(function.0, module_of(profile, frame))).copied(),
        }
    }
}

/// The row of a frame's module plus one, 0 for none.
fn module_of(profile: &Profile, frame: FrameId) -> u32 {
    let location = profile.frames.location[frame.index()];
    profile.locations.module(location).map_or(0, |module| module.0 + 1)
}

fn identity(profile: &Profile, frame: FrameId, granularity: Granularity) -> Identity<'_> {
    let location = profile.frames.location[frame.index()];
    let address = profile.locations.address[location.index()];
    let line = || {
        Identity::Line(
            profile.frame_name(frame),
            profile.frame_file(frame),
            profile.frames.line[frame.index()],
        )
    };
    match granularity {
        Granularity::Function | Granularity::Name => {
            match profile.frames.function(frame).and_then(|f| profile.function_name(f)) {
                Some(name) => Identity::Named(name),
                None => Identity::Place(profile.frame_module(frame), address),
            }
        }
        Granularity::File => match profile.frame_file(frame) {
            "" => Identity::Place(profile.frame_module(frame), 0),
            file => Identity::Named(file),
        },
        Granularity::Module => Identity::Named(profile.frame_module(frame)),
        Granularity::Line => line(),
        Granularity::Address if address == 0 => line(),
        Granularity::Address => {
            let depth = frame.0 - profile.locations.frames(location).start;
            Identity::Address(profile.frame_module(frame), address, depth)
        }
    }
}

fn module_name(profile: &Profile, frame: FrameId) -> Cow<'_, str> {
    match base_name(profile.frame_module(frame)) {
        "" => Cow::Borrowed("[no module]"),
        name => Cow::Borrowed(name),
    }
}

fn file_name(profile: &Profile, frame: FrameId) -> Cow<'_, str> {
    match (profile.frame_file(frame), base_name(profile.frame_module(frame))) {
        ("", "") => Cow::Borrowed("[no file]"),
        ("", module) => Cow::Owned(format!("[{module}]")),
        (file, _) => Cow::Borrowed(file),
    }
}
