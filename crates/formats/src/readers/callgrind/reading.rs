//! What each line means: headers, names of functions, calls.

use profile::{FunctionId, Metric, ModuleId, Points, ProfileBuilder, StringId};

use super::FORMAT;
use super::event::Event;
use super::names::{NameTables, name};
use super::parts::Dump;
use super::positions::Positions;
use crate::graph::call_graph::Node;
use crate::numbers::hexadecimal::number;
use crate::text::lines::Line;
use crate::{ReadError, Warnings};

#[derive(Default)]
pub(super) struct CallgrindParser {
    pub(super) builder: ProfileBuilder,
    pub(super) names: NameTables,
    /// Parts that are complete, and the one that is being read.
    pub(super) parts: Vec<Dump>,
    pub(super) header: Header,
    /// Whether `header` belongs to the part that is read last.
    pub(super) in_part: bool,
    /// Columns of positions on a line, and which of them is an address.
    pub(super) positions: Positions,
    /// The function's file, and the file of the lines to come, which differs for inlined code.
    pub(super) here: Owner,
    pub(super) line_file: StringId,
    /// Functions and modules of `here`, looked up once.
    pub(super) place: Option<Here>,
    pub(super) calls: Calls,
    pub(super) values: Vec<i64>,
    /// After a jump comes a line with its source, without costs.
    pub(super) after_jump: bool,
}

#[derive(Default)]
pub(super) struct Calls {
    /// What the lines before a call said of the function that is called.
    callee: Callee,
    pub(super) call: Option<Call>,
    /// Whether any function calls another: not in cachegrind's files.
    pub(super) has_any: bool,
}

/// What precedes the costs of a part.
#[derive(Default)]
pub(super) struct Header {
    pub(super) thread: Option<String>,
    pub(super) part: Option<String>,
    pub(super) trigger: String,
    pub(super) events: Option<Vec<Event>>,
    /// What the file says that its first event is in all: at the head of parts, and at their ends.
    pub(super) summary: Option<i64>,
    pub(super) totals: Option<i64>,
}

/// Where costs belong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) struct Owner {
    pub(super) object: StringId,
    pub(super) file: StringId,
    pub(super) function: StringId,
}

/// What `cob=`, `cfi=` or `cfl=`, and `cfn=` say. The object is the caller's where none is named,
/// and the file is that of the line which calls: inlined code calls from its own.
#[derive(Default)]
struct Callee {
    object: Option<StringId>,
    file: Option<StringId>,
    function: StringId,
}

/// Where costs go, looked up.
#[derive(Clone, Copy)]
pub(super) struct Here {
    pub(super) node: Node,
    pub(super) function: FunctionId,
    pub(super) module: Option<ModuleId>,
}

/// A `calls=` line, waiting for the line with its cost.
pub(super) struct Call {
    pub(super) count: i64,
    pub(super) callee: Owner,
}

impl CallgrindParser {
    pub(super) fn line(
        &mut self,
        line: Line<'_>,
        warnings: &mut Warnings,
    ) -> Result<(), ReadError> {
        let text = line.text.trim();
        let Some(&first) = text.as_bytes().first() else { return Ok(()) };
        if first.is_ascii_digit() || matches!(first, b'+' | b'-' | b'*') {
            return self.costs(text, line, warnings);
        }
        if first == b'#' {
            return Ok(());
        }
        let is_key = |byte: &u8| !byte.is_ascii_alphanumeric();
        let end = text.bytes().position(|byte| is_key(&byte)).unwrap_or(text.len());
        match text.as_bytes().get(end) {
            Some(b'=') => {
                self.body(&text[..end], &text[end + 1..], line, warnings);
                Ok(())
            }
            Some(b':') => self.head(&text[..end], text[end + 1..].trim(), line, warnings),
            _ => {
                self.skip(line, warnings);
                Ok(())
            }
        }
    }

    pub(super) fn skip(&mut self, line: Line<'_>, warnings: &mut Warnings) {
        warnings.add("line", || {
            let start: String = line.text.chars().take(40).collect();
            format!("line {} is skipped, it is not callgrind: {start}", line.number)
        });
    }

    /// A line `key: value`.
    fn head(
        &mut self,
        key: &str,
        value: &str,
        line: Line<'_>,
        warnings: &mut Warnings,
    ) -> Result<(), ReadError> {
        let starts_header =
            matches!(key, "version" | "creator" | "part" | "thread" | "pid" | "events" | "cmd");
        if self.in_part && starts_header {
            // The next part. What it does not say again stays as it was.
            self.in_part = false;
            self.header.part = None;
            self.header.trigger.clear();
        }
        match key {
            "creator" => value.clone_into(&mut self.builder.origin.producer),
            "cmd" => {
                let comment = format!("command: {value}");
                if !value.is_empty() && !self.builder.origin.comments.contains(&comment) {
                    self.builder.origin.comments.push(comment);
                }
            }
            "thread" => self.header.thread = Some(value.to_owned()),
            "part" => self.header.part = Some(value.to_owned()),
            "desc" => {
                if let Some(trigger) = value.strip_prefix("Trigger:") {
                    trigger.trim().clone_into(&mut self.header.trigger);
                }
            }
            "positions" => self.positions.set(value),
            "events" => {
                let events: Vec<Event> = value.split_whitespace().map(Event::new).collect();
                match &self.header.events {
                    Some(known) if !are_equal(known, &events) => {
                        return Err(ReadError::Malformed {
                            format: FORMAT.name,
                            place: line.place,
                            reason: "a part has other events than the first one".to_owned(),
                        });
                    }
                    Some(_) => {}
                    None => self.set_events(events, warnings),
                }
            }
            "summary" => add_first(&mut self.header.summary, value),
            "totals" => add_first(&mut self.header.totals, value),
            "version" | "pid" | "event" | "rcalls" => {}
            _ => self.skip(line, warnings),
        }
        Ok(())
    }

    fn set_events(&mut self, events: Vec<Event>, warnings: &mut Warnings) {
        for ratio in events.iter().filter(|event| event.is_ratio) {
            warnings.add("ratio", || {
                let name = &ratio.metric.name;
                format!("{name} is left out: it is a ratio, and ratios do not add up")
            });
        }
        let calls = Metric {
            name: "calls".to_owned(),
            unit: "count".to_owned(),
            decimals: 0,
            ..Metric::default()
        };
        let events_that_add_up = events.iter().filter(|event| !event.is_ratio);
        let metrics = events_that_add_up.map(|event| event.metric.clone()).chain([calls]);
        self.builder.metrics = metrics.collect();
        self.builder.points = Points::new(self.builder.metrics.len());
        self.header.events = Some(events);
    }

    /// A line `key=value`.
    fn body(&mut self, key: &str, value: &str, line: Line<'_>, warnings: &mut Warnings) {
        let NameTables { texts, files, functions, objects } = &mut self.names;
        match key {
            "ob" => {
                self.here.object = name(objects, texts, value);
                self.place = None;
            }
            "fl" => {
                self.here.file = name(files, texts, value);
                self.line_file = self.here.file;
                self.place = None;
            }
            "fi" | "fe" => {
                self.line_file = name(files, texts, value);
                if let Some(here) = &mut self.place {
                    let function = texts.get(self.here.function);
                    here.function = self.builder.function(function, texts.get(self.line_file), 0);
                }
            }
            "fn" => {
                self.here.function = name(functions, texts, value);
                self.line_file = self.here.file;
                self.calls.callee = Callee::default();
                self.place = None;
            }
            "cob" => {
                self.calls.callee.object = Some(name(objects, texts, value));
            }
            "cfi" | "cfl" => {
                self.calls.callee.file = Some(name(files, texts, value));
            }
            "cfn" => {
                self.calls.callee.function = name(functions, texts, value);
            }
            "calls" => {
                let count = value.split_whitespace().next().and_then(number).unwrap_or(0);
                let count = i64::try_from(count).unwrap_or(i64::MAX);
                let Callee { object, file, function } = std::mem::take(&mut self.calls.callee);
                let callee = Owner {
                    object: object.unwrap_or(self.here.object),
                    file: file.unwrap_or(self.line_file),
                    function,
                };
                self.calls.has_any = true;
                self.calls.call = Some(Call { count, callee });
            }
            "jump" | "jcnd" => {
                self.after_jump = true;
                warnings.add("jumps", || "jumps between lines are not shown".to_owned());
            }
            // Where a jump leads, and the chain of callers: their numbers may be used later.
            "jfi" => {
                name(files, texts, value);
            }
            "jfn" | "frfn" => {
                name(functions, texts, value);
            }
            "rcalls" => {}
            _ => self.skip(line, warnings),
        }
    }

    /// Bytes held beside the builder: graphs and names.
    pub(super) fn heap_bytes(&self) -> usize {
        let graphs: usize = self.parts.iter().map(|part| part.graph.heap_bytes()).sum();
        graphs + self.names.texts.heap_bytes()
    }
}

/// Adds the first number of a list.
fn add_first(sum: &mut Option<i64>, list: &str) {
    let first = list.split_whitespace().next().and_then(|number| number.parse::<i64>().ok());
    if let Some(first) = first {
        *sum = Some(sum.unwrap_or(0).saturating_add(first));
    }
}

/// Whether a part has the events that are known.
fn are_equal(known: &[Event], events: &[Event]) -> bool {
    let names = |events: &[Event]| -> Vec<(String, String, i64)> {
        let of =
            |Event { metric, unit, .. }: &Event| (metric.name.clone(), metric.unit.clone(), *unit);
        events.iter().map(of).collect()
    };
    names(known) == names(events)
}
