//! Making a profile.

use crate::{
    ContextId, ContextTreeBuilder, Frames, FunctionId, Functions, LabelSetsBuilder, LocationId,
    Locations, Metric, Module, ModuleId, Origin, Points, Profile, StringId, StringsBuilder,
};

/// Collects the tables of a profile in any order that a file has them.
#[derive(Debug, Default)]
pub struct ProfileBuilder {
    /// Texts.
    pub strings: StringsBuilder,
    /// Modules.
    pub modules: Vec<Module>,
    /// Functions.
    pub functions: Functions,
    /// The calling context tree. It may name locations that are pushed later.
    pub contexts: ContextTreeBuilder,
    /// Label sets.
    pub labels: LabelSetsBuilder,
    /// Metrics.
    pub metrics: Vec<Metric>,
    /// The records.
    pub points: Points,
    /// Where it all came from.
    pub origin: Origin,
    locations: Locations,
    frames: Frames,
}

impl ProfileBuilder {
    /// A builder for points with these metrics.
    pub fn new(metrics: Vec<Metric>) -> Self {
        ProfileBuilder { points: Points::new(metrics.len()), metrics, ..ProfileBuilder::default() }
    }

    /// Appends a location with its frames (function, line, column), outermost first: the first is
    /// the function that was called, the others are inlined into it. No frames mean an
    /// unsymbolised place.
    pub fn location(
        &mut self,
        module: Option<ModuleId>,
        address: u64,
        folded: bool,
        frames: &[(Option<FunctionId>, u32, u32)],
    ) -> LocationId {
        self.locations.push(&mut self.frames, module, address, folded, frames)
    }

    /// How many locations there are.
    pub fn location_count(&self) -> usize {
        self.locations.len()
    }

    /// Appends a function without a linker's name.
    pub fn function(&mut self, name: &str, file: &str, start_line: u32) -> FunctionId {
        let (name, file) = (self.strings.intern(name), self.strings.intern(file));
        self.functions.push(name, StringId::EMPTY, file, start_line)
    }

    /// The context of a stack, outermost location first.
    pub fn stack(&mut self, locations: impl IntoIterator<Item = LocationId>) -> ContextId {
        locations.into_iter().fold(ContextId::ROOT, |at, l| self.contexts.child(at, l))
    }

    /// Bytes held by what grows with the number of records.
    pub fn heap_bytes(&self) -> usize {
        self.contexts.heap_bytes() + self.labels.heap_bytes() + self.points.heap_bytes()
    }

    /// The finished profile.
    pub fn finish(self) -> Profile {
        let label_sets = self.labels.finish();
        let (contexts, renumbered) = self.contexts.finish();
        let mut points = self.points;
        points.renumber(&renumbered);
        drop(renumbered);
        Profile {
            strings: self.strings.finish(),
            modules: self.modules,
            functions: self.functions,
            locations: self.locations,
            frames: self.frames,
            contexts,
            label_sets,
            metrics: self.metrics,
            points,
            origin: self.origin,
        }
    }
}
