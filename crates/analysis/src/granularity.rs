//! What makes two frames the same.

use std::borrow::Cow;

use hashbrown::HashMap;
use profile::{FrameId, Profile, base_name};

/// What makes two frames the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Granularity {
    /// The function's name; an unsymbolised place by module and address.
    #[default]
    Function,
    /// The source file; where there is none, the module.
    File,
    /// Function, file and line.
    Line,
    /// The module.
    Module,
    /// The instruction address and the place in its inlined frames; as `Line` where there is none.
    Address,
}

/// Frames grouped at a granularity: each group has a dense number, its *key*. Keys depend on the
/// profile alone, so they are the same whenever the same file is read.
#[derive(Debug)]
pub struct FrameKeys {
    granularity: Granularity,
    key_of_frame: Vec<u32>,
    representative: Vec<FrameId>,
}

#[derive(PartialEq, Eq, Hash)]
enum Identity<'a> {
    Named(&'a str),
    Place(&'a str, u64),
    Line(Cow<'a, str>, &'a str, u32),
    Address(&'a str, u64, u32),
}

impl FrameKeys {
    /// Groups the frames of a profile.
    pub fn new(profile: &Profile, granularity: Granularity) -> FrameKeys {
        let mut known = HashMap::new();
        let mut representative = vec![];
        let key_of_frame = (0..profile.frames.len() as u32)
            .map(FrameId)
            .map(|frame| {
                *known.entry(identity(profile, frame, granularity)).or_insert_with(|| {
                    representative.push(frame);
                    representative.len() as u32 - 1
                })
            })
            .collect();
        FrameKeys { granularity, key_of_frame, representative }
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

    /// The key of a frame.
    pub fn key(&self, frame: FrameId) -> u32 {
        self.key_of_frame[frame.index()]
    }

    /// Keys by frame.
    pub fn keys(&self) -> &[u32] {
        &self.key_of_frame
    }

    /// A frame of the group: the first that the profile names.
    pub fn representative(&self, key: u32) -> FrameId {
        self.representative[key as usize]
    }

    /// What the group is called. Never empty.
    pub fn name<'a>(&self, profile: &'a Profile, key: u32) -> Cow<'a, str> {
        let frame = self.representative(key);
        let row = frame.index();
        match self.granularity {
            Granularity::Function => profile.frame_name(frame),
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
        Granularity::Function => {
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
