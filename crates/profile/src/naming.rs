//! Names for places that a file has addresses of only.

use std::collections::HashMap;

use crate::{FunctionId, Functions, LocationId, Profile, StringId, StringsBuilder};

/// What a place is called: what is unknown is empty or 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FrameName<'a> {
    /// The function's name for people.
    pub function: &'a str,
    /// The linker's name, where that is another one.
    pub system_name: &'a str,
    /// Source file.
    pub file: &'a str,
    /// Line.
    pub line: u32,
    /// Column.
    pub column: u32,
    /// Line on which the function starts.
    pub start_line: u32,
}

/// Collects names for locations and gives them to the profile at once.
#[derive(Debug)]
pub struct Naming {
    strings: StringsBuilder,
    functions: HashMap<([StringId; 3], u32), FunctionId>,
    added: Functions,
    before: usize,
    named: HashMap<LocationId, Vec<(FunctionId, u32, u32)>>,
}

impl Naming {
    /// Names for places of this profile.
    pub fn new(profile: &Profile) -> Naming {
        let all = &profile.functions;
        let mut functions = HashMap::new();
        for row in 0..all.len() {
            let texts = [all.name[row], all.system_name[row], all.file[row]];
            let key = (texts, all.start_line[row]);
            functions.entry(key).or_insert(FunctionId(row as u32));
        }
        Naming {
            strings: StringsBuilder::from(profile.strings.clone()),
            functions,
            added: Functions::default(),
            before: all.len(),
            named: HashMap::new(),
        }
    }

    /// Names a location: the function that was called and what is inlined into it, outermost first.
    pub fn name<'a>(&mut self, location: LocationId, frames: impl Iterator<Item = FrameName<'a>>) {
        let (strings, added, before) = (&mut self.strings, &mut self.added, self.before);
        let functions = &mut self.functions;
        let frames = frames.map(|frame| {
            let texts = [frame.function, frame.system_name, frame.file].map(|t| strings.intern(t));
            let key = (texts, frame.start_line);
            let function = *functions.entry(key).or_insert_with(|| {
                let ([name, system_name, file], start_line) = key;
                let row = added.push(name, system_name, file, start_line);
                FunctionId(before as u32 + row.0)
            });
            (function, frame.line, frame.column)
        });
        let frames: Vec<_> = frames.collect();
        if !frames.is_empty() {
            self.named.insert(location, frames);
        }
    }

    /// How many locations have got names.
    pub fn len(&self) -> usize {
        self.named.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.named.is_empty()
    }

    /// Gives the profile the names.
    pub fn finish(self, profile: &mut Profile) {
        profile.strings = self.strings.finish();
        let functions = &mut profile.functions;
        functions.name.extend(self.added.name);
        functions.system_name.extend(self.added.system_name);
        functions.file.extend(self.added.file);
        functions.start_line.extend(self.added.start_line);
        functions.start_column.extend(self.added.start_column);
        for &location in self.named.keys() {
            if let Some(module) = profile.locations.module(location) {
                let [functions, lines, files, inlined] = {
                    let frames = &self.named[&location];
                    let has_line = frames.iter().any(|&(_, line, _)| line != 0);
                    [true, has_line, has_line, frames.len() > 1]
                };
                let flags = &mut profile.modules[module.index()].flags;
                flags.functions |= functions;
                flags.line_numbers |= lines;
                flags.file_names |= files;
                flags.inline_frames |= inlined;
            }
        }
        profile.locations.rename(&mut profile.frames, |location| self.named.get(&location));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ContextId, LabelSetId, Location, Metric, ProfileBuilder};

    #[test]
    fn named_places_keep_their_contexts() {
        let mut builder = ProfileBuilder::new(vec![Metric::new("cpu", "count")]);
        let known = builder.function("main", "", 0);
        let at = |address| Location { address, ..Location::default() };
        let outer = builder.location(at(1), &[(Some(known), 3, 0)]);
        let inner = builder.location(at(2), &[]);
        let other = builder.location(at(3), &[]);
        let context = builder.stack([outer, inner]);
        builder.points.push(context, LabelSetId(0), &[5]);
        let context = builder.stack([outer, other]);
        builder.points.push(context, LabelSetId(0), &[7]);
        let mut profile = builder.finish();
        let mut naming = Naming::new(&profile);
        let frame = |function, line| FrameName { function, line, ..FrameName::default() };
        naming.name(inner, [frame("main", 9), frame("inlined", 10)].into_iter());
        assert_eq!(naming.len(), 1);
        naming.finish(&mut profile);
        assert_eq!(profile.check(), [], "sound");
        assert_eq!(profile.functions.len(), 2, "main is one function");
        let names = |location| -> Vec<_> {
            let frames = profile.locations.frames(location);
            frames.map(|row| profile.frame_name(crate::FrameId(row)).into_owned()).collect()
        };
        assert_eq!(names(inner), ["main", "inlined"]);
        assert_eq!(profile.frames.line, [3, 9, 10, 0]);
        assert_eq!(profile.locations.address, [1, 2, 3]);
        assert_eq!(profile.contexts.location(ContextId(2)), Some(inner));
    }
}
