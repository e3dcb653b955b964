//! The constants of a chunk. They may name each other in any order, so what is read here is only
//! numbers; names are looked up when an event asks.

use std::borrow::Cow;

use hashbrown::HashMap;

use super::classes::{Classes, IGNORED, Program, Value};
use super::cursor::{Cursor, Text};

/// Constants by kind and number.
#[derive(Default)]
pub(super) struct Pools {
    constants: HashMap<(Pool, i64), [Value; 4]>,
    pub(super) traces: HashMap<i64, Trace>,
    pub(super) frames: Vec<Frame>,
}

/// Kinds of constants that are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Pool {
    Symbol,
    Text,
    /// Name and package.
    Class,
    /// Module.
    Package,
    Module,
    /// Class, name and descriptor.
    Method,
    /// Name and number of the operating system's thread, then of Java's.
    Thread,
    FrameType,
    ThreadState,
    Trace,
    /// A type, by its number, whose constants are but a text.
    Name(i64),
}

/// A stack: a range of frames, innermost first.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Trace {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) truncated: bool,
}

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Frame {
    pub(super) method: i64,
    pub(super) line: u32,
    pub(super) kind: i64,
}

impl Pool {
    /// The pool of a type.
    pub(super) fn of_class(id: i64, classes: &Classes) -> Option<Pool> {
        let class = classes.by_id.get(&id)?;
        Pool::new(&class.name).or_else(|| classes.is_name(class).then_some(Pool::Name(id)))
    }

    fn new(class: &str) -> Option<Pool> {
        let name = class
            .strip_prefix("java.lang.")
            .or_else(|| class.rsplit_once(".types.").map(|(_, name)| name))?;
        Some(match name {
            "Symbol" => Pool::Symbol,
            "String" => Pool::Text,
            "Class" => Pool::Class,
            "Package" => Pool::Package,
            "Module" => Pool::Module,
            "Method" => Pool::Method,
            "Thread" => Pool::Thread,
            "FrameType" => Pool::FrameType,
            "ThreadState" => Pool::ThreadState,
            "StackTrace" => Pool::Trace,
            _ => return None,
        })
    }

    fn slot(self, path: &str) -> u8 {
        match (self, path) {
            (Pool::Symbol, "string") | (Pool::Text, "") | (Pool::Name(_), _) => 0,
            (Pool::Class | Pool::Module | Pool::ThreadState, "name") => 0,
            (Pool::FrameType, "description") => 0,
            (Pool::Class, "package") => 1,
            (Pool::Package, "module") => 0,
            (Pool::Method, "type") => 0,
            (Pool::Method, "name") => 1,
            (Pool::Method, "descriptor") => 2,
            (Pool::Thread, "osName") => 0,
            (Pool::Thread, "osThreadId") => 1,
            (Pool::Thread, "javaName") => 2,
            (Pool::Thread, "javaThreadId") => 3,
            (Pool::Trace, "truncated") => 0,
            (Pool::Trace, "frames.method") => 1,
            (Pool::Trace, "frames.lineNumber") => 2,
            (Pool::Trace, "frames.type") => 3,
            (Pool::Trace, "frames") => 4,
            _ => IGNORED,
        }
    }
}

impl Pools {
    pub(super) fn heap_bytes(&self) -> usize {
        self.constants.capacity() * (16 + 64)
            + self.traces.capacity() * 24
            + self.frames.capacity() * size_of::<Frame>()
    }

    /// Reads a checkpoint event, from behind its type.
    pub(super) fn read(
        &mut self,
        mut cursor: Cursor<'_>,
        classes: &Classes,
        programs: &mut HashMap<i64, Option<Program>>,
    ) -> Option<()> {
        cursor.long()?;
        cursor.long()?;
        cursor.long()?;
        cursor.byte()?;
        for _ in 0..cursor.count()? {
            let class = cursor.long()?;
            let pool = Pool::of_class(class, classes);
            let program = programs.entry(class).or_insert_with(|| {
                let slot = |path: &str| pool.map_or(IGNORED, |pool| pool.slot(path));
                classes.program(class, &slot)
            });
            let program = program.as_ref()?;
            for _ in 0..cursor.count()? {
                let key = cursor.long()?;
                match pool {
                    Some(Pool::Trace) => self.trace(key, &mut cursor, program)?,
                    pool => {
                        let mut values = [Value::None; 4];
                        program.run(&mut cursor, |slot, value| {
                            if let Some(place) = values.get_mut(usize::from(slot)) {
                                *place = value;
                            }
                        })?;
                        if let Some(pool) = pool {
                            self.constants.insert((pool, key), values);
                        }
                    }
                }
            }
        }
        Some(())
    }

    fn trace(&mut self, key: i64, cursor: &mut Cursor<'_>, program: &Program) -> Option<()> {
        let start = self.frames.len() as u32;
        let mut truncated = false;
        let mut frame = Frame::default();
        let frames = &mut self.frames;
        program.run(cursor, |slot, value| match (slot, value) {
            (0, Value::Int(flag)) => truncated = flag != 0,
            (1, Value::Reference(method)) => frame.method = method,
            // -1 is an unknown line.
            (2, Value::Int(line)) => frame.line = u32::try_from(line).unwrap_or(0),
            (3, Value::Reference(kind)) => frame.kind = kind,
            (4, _) => frames.push(std::mem::take(&mut frame)),
            _ => {}
        })?;
        let end = self.frames.len() as u32;
        self.traces.insert(key, Trace { start, end, truncated });
        Some(())
    }

    pub(super) fn get(&self, pool: Pool, key: i64) -> Option<&[Value; 4]> {
        self.constants.get(&(pool, key))
    }

    /// The text that a value is or leads to; empty where there is none.
    pub(super) fn text<'b>(&self, chunk: Cursor<'b>, value: Value) -> Cow<'b, str> {
        let at = match value {
            Value::Text(at) => Some(at),
            Value::Reference(key) => match self.get(Pool::Symbol, key) {
                Some(&[Value::Text(at), ..]) => Some(at),
                _ => None,
            },
            _ => None,
        };
        let read = |at| Cursor { at, ..chunk }.text().flatten();
        match at.and_then(read) {
            Some(Text::Here(text)) => text,
            // Texts in the pool are written out, so this goes one step at most.
            Some(Text::Pooled(key)) => match self.get(Pool::Text, key) {
                Some(&[Value::Text(at), ..]) => match read(at) {
                    Some(Text::Here(text)) => text,
                    _ => Cow::Borrowed(""),
                },
                _ => Cow::Borrowed(""),
            },
            None => Cow::Borrowed(""),
        }
    }

    /// The text of a constant that is but a name.
    pub(super) fn name<'b>(&self, chunk: Cursor<'b>, pool: Pool, value: Value) -> Cow<'b, str> {
        match value {
            Value::Reference(key) => match self.get(pool, key) {
                Some(&[name, ..]) => self.text(chunk, name),
                None => Cow::Borrowed(""),
            },
            other => self.text(chunk, other),
        }
    }
}
