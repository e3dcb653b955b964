//! What `memray table` writes.

use hashbrown::HashMap;
use profile::{Label, LabelSetId, LabelValue, LocationId, Place, Point, ProfileBuilder, ThreadId};

use crate::Warnings;
use crate::graph::path::Path;
use crate::numbers::decimal::Decimal;
use crate::text::separated::Record;

/// The columns of the CSV.
pub(super) const COLUMNS: &str = "allocator,num_allocations,size,tid,thread_name,stack_trace";
const ALLOCATOR: usize = 0;
const COUNT: usize = 1;
const SIZE: usize = 2;
const TID: usize = 3;
const THREAD: usize = 4;
const STACK: usize = 5;

/// The CSV, as far as it is read.
pub(super) struct Table {
    pub(super) builder: ProfileBuilder,
    /// By `function;file;line`.
    pub(super) locations: HashMap<String, LocationId>,
    pub(super) path: Path,
    /// The locations of a stack, innermost first.
    pub(super) stack: Vec<LocationId>,
    pub(super) allocators: HashMap<String, LabelSetId>,
    pub(super) threads: HashMap<String, Option<ThreadId>>,
}

impl Table {
    pub(super) fn push(&mut self, record: &Record, warnings: &mut Warnings) {
        let line = record.line;
        let number = |index: usize| Decimal::parse(record.get(index).as_bytes())?.to_whole();
        let is_whole = record.is_whole && record.len() > STACK;
        let (Some(count), Some(size), true) = (number(COUNT), number(SIZE), is_whole) else {
            return warnings.add("record", || {
                format!("line {line} is not a whole record of memray and is skipped")
            });
        };
        self.stack.clear();
        let mut rest = record.get(STACK);
        while !rest.is_empty() {
            let frame = first_frame(rest);
            rest = rest[frame.len()..].strip_prefix('|').unwrap_or("");
            let location = self.location(frame, line, warnings);
            self.stack.push(location);
        }
        self.path.start();
        for &location in self.stack.iter().rev() {
            self.path.step(&mut self.builder.contexts, location);
        }
        let context = self.path.context();
        let labels = self.allocator(record.get(ALLOCATOR));
        let thread = self.thread(record.get(TID), record.get(THREAD));
        let point = Point { context, labels, thread, ..Point::default() };
        self.builder.points.push_point(point, &[size, count]);
    }

    fn location(&mut self, frame: &str, line: u64, warnings: &mut Warnings) -> LocationId {
        if let Some(&known) = self.locations.get(frame) {
            return known;
        }
        let place = split_frame(frame);
        if place.is_none() {
            warnings.add("frame", || {
                format!(
                    "line {line} has a frame that is not function;file;line: it is shown as it is"
                )
            });
        }
        let place = place.unwrap_or(Place { function: frame, ..Place::default() });
        let location = self.builder.place(&place);
        self.locations.insert(frame.to_owned(), location);
        location
    }

    fn allocator(&mut self, name: &str) -> LabelSetId {
        if let Some(&known) = self.allocators.get(name) {
            return known;
        }
        let key = self.builder.strings.intern("allocator");
        let value = LabelValue::Text(self.builder.strings.intern(name));
        let labels = self.builder.labels.add(&[Label { key, value }]);
        self.allocators.insert(name.to_owned(), labels);
        labels
    }

    /// The name of a thread is its number, `0x1f`, with its name behind it in brackets if it has
    /// one. Where memray put all threads together, there is none.
    fn thread(&mut self, id: &str, name: &str) -> Option<ThreadId> {
        if let Some(&known) = self.threads.get(id) {
            return known;
        }
        let thread = (!id.is_empty() && id != "-1").then(|| {
            let thread = self.builder.thread(None, id);
            let name = match name.split_once(' ') {
                Some((number, name)) if number.starts_with("0x") => {
                    name.strip_prefix('(').and_then(|name| name.strip_suffix(')')).unwrap_or(name)
                }
                None if name.starts_with("0x") => "",
                _ => name,
            };
            self.builder.threads[thread.index()].name = self.builder.strings.intern(name);
            thread
        });
        self.threads.insert(id.to_owned(), thread);
        thread
    }

    pub(super) fn heap_bytes(&self) -> usize {
        /// About what a name in a table takes.
        const ENTRY: usize = 96;
        let names = self.locations.len() + self.threads.len() + self.allocators.len();
        self.builder.heap_bytes() + names * ENTRY
    }
}

/// The first frame of a stack. Frames are joined by `|`, which names of operators hold too: a frame
/// ends where a line number does.
fn first_frame(stack: &str) -> &str {
    /// No line number has more digits.
    const MOST_DIGITS: usize = 20;
    let (mut separators, mut last) = (0, 0);
    for at in memchr::memchr2_iter(b'|', b';', stack.as_bytes()) {
        if stack.as_bytes()[at] == b';' {
            separators += 1;
            last = at;
        } else if separators >= 2
            && at - last <= MOST_DIGITS
            && stack[last + 1..at].parse::<i64>().is_ok()
        {
            return &stack[..at];
        }
    }
    stack
}

/// `function;file;line`.
fn split_frame(frame: &str) -> Option<Place<'_>> {
    let (rest, line) = frame.rsplit_once(';')?;
    let line: i64 = line.parse().ok()?;
    let (function, file) = rest.rsplit_once(';')?;
    Some(Place {
        function,
        file: if file == "<unknown>" { "" } else { file },
        line: u32::try_from(line).unwrap_or(0),
        ..Place::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_end_where_a_line_does() {
        let stack = "a::operator|(b, c);x.cpp;7|main;<unknown>;0";
        let first = first_frame(stack);
        assert_eq!(first, "a::operator|(b, c);x.cpp;7");
        let place = split_frame(first).unwrap();
        assert_eq!((place.function, place.file, place.line), ("a::operator|(b, c)", "x.cpp", 7));
        assert_eq!(split_frame("main;<unknown>;0").unwrap().file, "");
        assert_eq!(first_frame("no frame|at all"), "no frame|at all");
    }
}
