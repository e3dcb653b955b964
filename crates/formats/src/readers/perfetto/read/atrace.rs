//! What programs print into the kernel's trace: `B|pid|name` and the like.

use profile::{LabelSetId, LocationId, Mark, Place, StringId, TrackId};

use super::lines::{Key, Operation};
use super::trace::Trace;
use crate::Warnings;
use crate::time::span_records::Begin;
use crate::time::span_tracks::{Happening, Record};

impl Trace {
    pub(super) fn print(&mut self, thread: i64, time: i64, text: &str, warnings: &mut Warnings) {
        let text = text.trim_end_matches('\n');
        let (phase, rest) = text.split_once('|').unwrap_or((text, ""));
        let (process, rest) = rest.split_once('|').unwrap_or((rest, ""));
        let process = process.parse::<i64>().ok();
        if let Some(process) = process {
            self.lines.process_of.entry(thread).or_insert(process);
        }
        let key = Key::Task(thread);
        let pid = process.unwrap_or_else(|| self.process_of(key));
        // Names may have bars in them, numbers behind them have none.
        let (name, last) = rest.rsplit_once('|').unwrap_or((rest, ""));
        let number = last.trim().parse::<i64>().ok();
        match (phase, number) {
            ("B", _) => self.begin(key, time, rest),
            ("E", _) => self.record(key, time, Happening::End, "", LocationId(0)),
            ("C", Some(value)) => {
                let names = [name, ""].map(|text| self.builder.strings.intern(text));
                self.lines.value(Key::Process(pid), names, time, value as f64);
            }
            ("S" | "F", Some(cookie)) => {
                let key = self.operation(pid, name, Operation::Cookie(cookie));
                if phase == "S" {
                    self.begin(key, time, name);
                    self.lines.does_not_nest(key);
                } else {
                    self.record(key, time, Happening::End, name, LocationId(0));
                }
            }
            ("G", Some(cookie)) => {
                let (track, name) = name.split_once('|').unwrap_or((name, name));
                let key = self.operation(pid, track, Operation::Cookie(cookie));
                self.begin(key, time, name);
            }
            ("H", Some(cookie)) => {
                let key = self.operation(pid, name, Operation::Cookie(cookie));
                self.record(key, time, Happening::End, "", LocationId(0));
            }
            ("I", _) => self.instant(key, time, rest),
            ("N", _) => {
                let (track, name) = rest.split_once('|').unwrap_or((rest, rest));
                let key = self.operation(pid, track, Operation::Name);
                self.instant(key, time, name);
            }
            _ => {
                warnings.add("prints", || "prints of programs are instants as they are".to_owned());
                self.instant(key, time, text);
            }
        }
    }

    fn operation(&mut self, pid: i64, name: &str, operation: Operation) -> Key {
        Key::Async(pid, self.builder.strings.intern(name), operation)
    }

    fn begin(&mut self, key: Key, time: i64, name: &str) {
        let function = if name.is_empty() { "(unnamed)" } else { name };
        let location = self.builder.place(&Place { function, ..Place::default() });
        self.record(key, time, Happening::Begin, name, location);
    }

    fn record(
        &mut self,
        key: Key,
        time: i64,
        happening: Happening,
        name: &str,
        location: LocationId,
    ) {
        let name = self.builder.strings.intern(name);
        let begin = Begin { location, name, labels: LabelSetId(0) };
        self.lines.push(key, Record { time, happening, begin, arguments: LabelSetId(0) });
    }

    fn instant(&mut self, key: Key, time: i64, text: &str) {
        let kind: StringId = self.builder.strings.intern(text);
        self.lines.mark(key, Mark { track: TrackId(0), time, kind, fields: LabelSetId(0) });
    }
}
