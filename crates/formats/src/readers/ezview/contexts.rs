//! Contexts of the file, with their places and threads, become those of the profile.

use profile::{
    ContextId, FunctionId, Location, LocationId, LocationKind, Place as CodePlace, ThreadId,
};

use super::join::Joined;
use crate::Warnings;

impl Joined {
    /// The context of an id in the file.
    pub(super) fn context(
        &mut self,
        id: u64,
        warnings: &mut Warnings,
    ) -> (ContextId, Option<ThreadId>) {
        // Up to the first that is known, then down again.
        let mut path = vec![];
        let mut at = id;
        let mut base = (ContextId::ROOT, None);
        while at != 0 {
            if let Some(&known) = self.contexts.get(&at) {
                base = known;
                break;
            }
            let Some(context) = self.tables.contexts.get(&at) else {
                warnings.add("context", || format!("context {at} is named but not defined"));
                break;
            };
            path.push(at);
            if path.len() > self.tables.contexts.len() {
                warnings.add("cycle", || format!("context {at} is its own ancestor"));
                path.clear();
                break;
            }
            at = context.parent;
        }
        while let Some(id) = path.pop() {
            let location = self.tables.contexts[&id].location;
            base = self.child(base, location, warnings);
            self.contexts.insert(id, base);
        }
        base
    }

    fn child(
        &mut self,
        (parent, thread): (ContextId, Option<ThreadId>),
        location: u64,
        warnings: &mut Warnings,
    ) -> (ContextId, Option<ThreadId>) {
        let lines = self.tables.locations.get(&location);
        if let Some([(function, _)]) = lines.map(Vec::as_slice)
            && let Some(function) = self.tables.functions.get(function)
        {
            // The roots that DrCCTProf puts above all stacks.
            let name = self.tables.text(function.name);
            let root = |kind: &str| {
                name.strip_prefix(kind)?.strip_prefix('[')?.strip_suffix("]_ROOT_CTXT")
            };
            if let Some(number) = root("PROCESS") {
                self.builder.process(number);
                return (parent, thread);
            }
            if let Some(number) = root("THREAD") {
                let process = (!self.builder.processes.is_empty()).then_some(profile::ProcessId(0));
                let thread = self.builder.thread(process, number);
                let name = format!("THREAD[{number}]");
                let kind = LocationKind::Region;
                let place = CodePlace { function: &name, kind, ..CodePlace::default() };
                let place = self.builder.place(&place);
                return (self.builder.contexts.child(parent, place), Some(thread));
            }
        }
        let place = self.place(location, warnings);
        (self.builder.contexts.child(parent, place), thread)
    }

    fn place(&mut self, id: u64, warnings: &mut Warnings) -> LocationId {
        if let Some(&known) = self.places.get(&id) {
            return known;
        }
        let lines = self.tables.locations.get(&id).cloned().unwrap_or_else(|| {
            warnings.add("location", || format!("location {id} is named but not defined"));
            vec![]
        });
        // As in pprof the innermost function comes first.
        let frames: Vec<_> = lines.into_iter().rev().map(|line| self.frame(line)).collect();
        let place = self.builder.location(Location::default(), &frames);
        self.places.insert(id, place);
        place
    }

    fn frame(&mut self, (function, line): (u64, u64)) -> (Option<FunctionId>, u32, u32) {
        let line = u32::try_from(line).unwrap_or(0);
        let Some(raw) = self.tables.functions.get(&function) else { return (None, line, 0) };
        let file = self.tables.files.get(&raw.file).map_or("", |&(name, path)| {
            match self.tables.text(path) {
                "" => self.tables.text(name),
                path => path,
            }
        });
        let file = if file == "<NULL>" { "" } else { file };
        let start_line = u32::try_from(raw.start_line).unwrap_or(0);
        let function = self.builder.function(self.tables.text(raw.name), file, start_line);
        (Some(function), line, 0)
    }
}
