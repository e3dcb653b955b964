//! Stacks, methods and threads that events refer to.

use profile::{FunctionId, Location, ModuleId, StringId, Thread, ThreadId};

use super::chunk::{Chunk, Found};
use super::classes::Value;
use super::format::JfrParser;
use super::names;
use super::pools::Pool;

impl JfrParser {
    pub(super) fn context(&mut self, key: i64, chunk: &mut Chunk<'_>) -> Option<Found> {
        if let Some(&known) = chunk.contexts.get(&key) {
            return Some(known);
        }
        let trace = *chunk.pools.traces.get(&key)?;
        chunk.path.clear();
        let (mut at, end) = (trace.start as usize, trace.end as usize);

        let kind = if at < end {
            self.builder.strings.intern(&chunk.frame_kind(at))
        } else {
            StringId::EMPTY
        };
        while at < end {
            // Inlined frames belong to the compiled one that follows.
            let mut last = at;
            while last + 1 < end && chunk.frame_kind(last) == "Inlined" {
                last += 1;
            }
            chunk.frames.clear();
            let mut module = None;
            for index in (at..=last).rev() {
                let frame = chunk.pools.frames[index];
                let (function, of) = self.method(frame.method, chunk);
                if index == last {
                    module = of;
                }
                chunk.frames.push((Some(function), frame.line, 0));
            }
            let location = Location { module, ..Location::default() };
            chunk.path.push(self.builder.location(location, &chunk.frames));
            at = last + 1;
        }
        let context = self.builder.stack(chunk.path.iter().rev().copied());
        let found = Found { context, truncated: trace.truncated, kind };
        chunk.contexts.insert(key, found);
        Some(found)
    }

    fn method(&mut self, key: i64, chunk: &mut Chunk<'_>) -> (FunctionId, Option<ModuleId>) {
        if let Some(&known) = chunk.methods.get(&key) {
            return known;
        }
        let (pools, cursor) = (&chunk.pools, chunk.cursor);
        let found = match pools.get(Pool::Method, key) {
            Some(&[class, name, descriptor, _]) => {
                let (name, descriptor) = (pools.text(cursor, name), pools.text(cursor, descriptor));
                let class_name = pools.name(cursor, Pool::Class, class);
                let name = names::method(&class_name, &name, &descriptor);
                let follow = |pool, value| match value {
                    Value::Reference(key) => pools.get(pool, key).copied().unwrap_or_default(),
                    _ => [Value::None; 4],
                };
                let [module, ..] = follow(Pool::Package, follow(Pool::Class, class)[1]);
                let module = pools.name(cursor, Pool::Module, module);
                (self.builder.function(&name, "", 0), self.builder.module(&module))
            }
            None => (self.builder.function("[unknown method]", "", 0), None),
        };
        chunk.methods.insert(key, found);
        found
    }

    pub(super) fn thread(&mut self, key: i64, chunk: &mut Chunk<'_>) -> Option<ThreadId> {
        if let Some(&known) = chunk.threads.get(&key) {
            return known;
        }
        let found = chunk.pools.get(Pool::Thread, key).copied().map(|[os_name, os, name, java]| {
            let text = |value| chunk.pools.text(chunk.cursor, value);
            let int = |value| if let Value::Int(int) = value { int } else { 0 };
            let name = match text(name) {
                name if name.is_empty() => text(os_name),
                name => name,
            };
            let name = self.builder.strings.intern(&name);
            let key = (int(os), int(java), name);
            *self.threads.entry(key).or_insert_with(|| {
                // Virtual threads have no number in the operating system.
                let number = if key.0 != 0 { key.0 } else { key.1 };
                let id = self.builder.strings.intern(&number.to_string());
                self.builder.threads.push(Thread { process: None, id, name });
                ThreadId(self.builder.threads.len() as u32 - 1)
            })
        });
        chunk.threads.insert(key, found);
        found
    }
}
