//! The log itself: a line an entry, fields with commas between. Code comes, moves and goes while
//! ticks name addresses, so the order of the lines matters. V8's `tools/tickprocessor.mjs` reads it.

use std::collections::{BTreeMap, BTreeSet};

use profile::{
    Label, LabelSetId, LabelValue, Location, LocationId, Metric, ModuleId, Place, Point, Profile,
    ProfileBuilder, StringId,
};

use super::FORMAT;
use super::names::split_name;
use crate::input::stream::Stream;
use crate::numbers::hexadecimal;
use crate::text::lines::{Line, Lines};
use crate::{ReadError, ReadOptions, Sniff, Warnings};

pub(super) fn sniff(head: &[u8]) -> Sniff {
    let known: [&[u8]; 4] =
        [b"v8-version,", b"shared-library,", b"code-creation,", b"profiler,\"begin\""];
    let starts = |line: &[u8]| known.iter().any(|start| line.starts_with(start));
    if starts(head) { Sniff::Yes } else { Sniff::No }
}

pub(super) fn read(
    stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let ticks = Metric {
        name: "ticks".to_owned(),
        unit: "count".to_owned(),
        decimals: 0,
        ..Metric::default()
    };
    let mut log = Log {
        builder: ProfileBuilder::new(vec![ticks]),
        code: BTreeMap::new(),
        libraries: BTreeMap::new(),
        states: &STATES,
        others: BTreeSet::new(),
        skipped: 0,
        path: vec![],
        last_time: 0,
    };
    let mut lines = Lines::new(stream, FORMAT.name)?;
    while let Some(line) = lines.next_line()? {
        log.line(line, warnings);
        if line.number.is_multiple_of(1024) {
            options.check_memory(log.builder.heap_bytes() + log.code.len() * 64)?;
        }
    }
    lines.check_skipped(warnings, &["line"])?;
    Ok(log.finish(warnings))
}

/// What the machine does, as numbers of ticks have it since version 9 of V8, and before.
const STATES: [&str; 10] = [
    "JS",
    "GC",
    "parser",
    "bytecode compiler",
    "compiler",
    "other",
    "external",
    "atomics wait",
    "idle",
    "logging",
];
const OLD_STATES: [&str; 8] =
    ["JS", "GC", "parser", "bytecode compiler", "compiler", "other", "external", "idle"];

/// Code at its address.
struct Code {
    end: u64,
    location: LocationId,
    /// How it was compiled.
    tier: StringId,
    is_script: bool,
}

struct Log {
    builder: ProfileBuilder,
    code: BTreeMap<u64, Code>,
    /// By their first address, and the first behind them.
    libraries: BTreeMap<u64, (u64, ModuleId)>,
    states: &'static [&'static str],
    /// Kinds of entries that are not shown, and how many there are.
    others: BTreeSet<String>,
    skipped: u64,
    path: Vec<LocationId>,
    last_time: i64,
}

impl Log {
    fn line(&mut self, line: Line<'_>, warnings: &mut Warnings) {
        let text = line.text;
        if text.is_empty() {
            return;
        }
        let (kind, rest) = text.split_once(',').unwrap_or((text, ""));
        let sound = match kind {
            "tick" => self.tick(rest),
            "code-creation" => self.create(rest),
            "code-move" => self.move_code(rest),
            "code-delete" => self.delete(rest),
            "shared-library" => self.library(rest),
            "profiler" => self.profiler(rest),
            "v8-version" => self.version(rest),
            "v8-platform" => {
                self.builder.origin.comments.push(format!("platform: {}", rest.replace(',', " ")));
                Some(())
            }
            "shared-library-end" => Some(()),
            kind if is_kind(kind) => {
                const MOST_KINDS: usize = 100;
                self.skipped += 1;
                if self.others.len() < MOST_KINDS && !self.others.contains(kind) {
                    self.others.insert(kind.to_owned());
                }
                Some(())
            }
            _ => None,
        };
        if sound.is_none() {
            // Isolates that share a file write into each other's lines.
            warnings.add("line", || {
                let start: String = text.chars().take(40).collect();
                format!("line {} is damaged and skipped: {start}", line.number)
            });
        }
    }

    fn version(&mut self, rest: &str) -> Option<()> {
        let mut fields = fields(rest);
        let (major, minor, build, patch) =
            (fields.next()?, fields.next()?, fields.next()?, fields.next()?);
        // Waiting for atomics became a state of its own, which shifted those behind it.
        if major.parse::<u32>().ok()? < 9 {
            self.states = &OLD_STATES;
        }
        self.builder.origin.producer = format!("V8 {major}.{minor}.{build}.{patch}");
        Some(())
    }

    fn profiler(&mut self, rest: &str) -> Option<()> {
        let mut fields = fields(rest);
        if fields.next()? == "begin" {
            let microseconds: i64 = fields.next()?.parse().ok()?;
            self.builder.origin.period = microseconds.saturating_mul(1000);
            self.builder.origin.period_type = Some(("ticks".to_owned(), "nanoseconds".to_owned()));
        }
        Some(())
    }

    fn library(&mut self, rest: &str) -> Option<()> {
        let mut fields = fields(rest);
        let name = fields.next()?;
        let (start, end) =
            (hexadecimal::address(&fields.next()?)?, hexadecimal::address(&fields.next()?)?);
        let module = self.builder.module(&name)?;
        if start < end {
            let known = self.libraries.entry(start).or_insert((end, module));
            known.0 = known.0.max(end);
        }
        Some(())
    }

    /// `type,kind,time,address,size,name[,function,state]`; old versions have no time.
    fn create(&mut self, rest: &str) -> Option<()> {
        let mut fields = fields(rest);
        let kind = fields.next()?;
        fields.next()?;
        let mut address = fields.next()?;
        if !address.starts_with("0x") {
            address = fields.next()?;
        }
        let start = hexadecimal::address(&address)?;
        let size: u64 = fields.next()?.parse().ok()?;
        let name = fields.next()?;
        // A third field is how the function was compiled.
        let is_script = fields.next().is_some();
        let state = fields.next().unwrap_or_default();
        let location = if is_script {
            let (function, file, line, column) = split_name(&name);
            self.builder.place(&Place {
                function,
                file,
                start_line: line,
                start_column: column,
                line,
                column,
                ..Place::default()
            })
        } else {
            let function = if name.is_empty() { kind } else { format!("{kind}: {name}") };
            self.builder.place(&Place { function: &function, ..Place::default() })
        };
        let tier = match &*state {
            "~" => "interpreted",
            "^" => "baseline",
            "+" => "maglev",
            "*" => "optimised",
            "" if is_script => "compiled",
            other => other,
        };
        let tier = self.builder.strings.intern(if is_script { tier } else { "" });
        self.place(start, Code { end: start.saturating_add(size), location, tier, is_script });
        Some(())
    }

    /// Puts code at an address, in the place of what was there.
    fn place(&mut self, start: u64, code: Code) {
        while let Some((&at, old)) = self.code.range(..code.end).next_back() {
            if old.end <= start && at < start {
                break;
            }
            self.code.remove(&at);
        }
        self.code.insert(start, code);
    }

    fn move_code(&mut self, rest: &str) -> Option<()> {
        let mut fields = fields(rest);
        let from = hexadecimal::address(&fields.next()?)?;
        let to = hexadecimal::address(&fields.next()?)?;
        if let Some(code) = self.code.remove(&from) {
            let end = to.saturating_add(code.end - from);
            self.place(to, Code { end, ..code });
        }
        Some(())
    }

    fn delete(&mut self, rest: &str) -> Option<()> {
        self.code.remove(&hexadecimal::address(rest)?);
        Some(())
    }

    /// `pc,time,is-callback,top-of-stack-or-callback,state,stack...`, innermost first.
    fn tick(&mut self, rest: &str) -> Option<()> {
        let mut fields = rest.split(',');
        let mut pc = hexadecimal::address(fields.next()?)?;
        let time: i64 = fields.next()?.parse().ok()?;
        let is_callback = fields.next()? != "0";
        let top = hexadecimal::address(fields.next()?)?;
        let state: usize = fields.next()?.parse().ok()?;
        self.path.clear();
        if is_callback {
            // The counter may be anywhere in the callback, whose start this is.
            pc = top;
        }
        let leaf = self.find(pc);
        let tier = leaf.map_or(StringId::EMPTY, |code| code.tier);
        let location = self.location(pc);
        self.path.push(location);
        if !is_callback && self.find(top).is_some_and(|code| code.is_script) {
            // A function that has not yet made its frame.
            let location = self.location(top);
            self.path.push(location);
        }
        let mut last = pc;
        for word in fields {
            let address = match word.as_bytes().first() {
                Some(b'+') => {
                    last = last.wrapping_add(hexadecimal::address(&word[1..])?);
                    last
                }
                Some(b'-') => {
                    last = last.wrapping_sub(hexadecimal::address(&word[1..])?);
                    last
                }
                // `overflow`.
                Some(b'o') | None => continue,
                Some(_) => hexadecimal::address(word)?,
            };
            let location = self.location(address);
            self.path.push(location);
        }
        let context = self.builder.stack(self.path.iter().rev().copied());
        let labels = self.labels(state, tier);
        self.last_time = self.last_time.max(time);
        let time = Some(time.saturating_mul(1000));
        self.builder.points.push_point(Point { context, labels, time, ..Point::default() }, &[1]);
        Some(())
    }

    fn labels(&mut self, state: usize, tier: StringId) -> LabelSetId {
        let strings = &mut self.builder.strings;
        let state = self.states.get(state).copied().unwrap_or("unknown");
        let state =
            Label { key: strings.intern("state"), value: LabelValue::Text(strings.intern(state)) };
        let code = Label { key: strings.intern("code"), value: LabelValue::Text(tier) };
        match tier {
            StringId::EMPTY => self.builder.labels.add(&[state]),
            _ => self.builder.labels.add(&[state, code]),
        }
    }

    fn find(&self, address: u64) -> Option<&Code> {
        let (_, code) = self.code.range(..=address).next_back()?;
        (address < code.end).then_some(code)
    }

    /// The place of an address: code that was compiled, or of a library, or unknown.
    fn location(&mut self, address: u64) -> LocationId {
        if let Some(code) = self.find(address) {
            return code.location;
        }
        let library = self.libraries.range(..=address).next_back();
        let module = library.filter(|(_, (end, _))| address < *end).map(|(_, (_, module))| *module);
        self.builder.location(Location { module, address, ..Location::default() }, &[])
    }

    fn finish(mut self, warnings: &mut Warnings) -> Profile {
        if self.builder.points.is_empty() {
            warnings.add("no ticks", || {
                "the log holds no ticks: was it written with --prof?".to_owned()
            });
        }
        if self.skipped > 0 {
            warnings.add_many("others", self.skipped, || {
                let kinds: Vec<_> = self.others.iter().map(String::as_str).take(10).collect();
                format!("entries other than ticks and code are not shown: {}", kinds.join(", "))
            });
        }
        let origin = &mut self.builder.origin;
        origin.format = FORMAT.name.to_owned();
        if origin.producer.is_empty() {
            origin.producer = "V8".to_owned();
        }
        origin.duration_ns = self.last_time.saturating_mul(1000);
        self.builder.finish()
    }
}

/// Whether a word can be the kind of an entry, and not the rest of a broken line.
fn is_kind(word: &str) -> bool {
    word.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
        && word.starts_with(|c: char| c.is_ascii_alphabetic())
        && !word.is_empty()
}

/// The fields of an entry: in quotes with doubled ones inside, or with `\x2C` for a comma.
fn fields(text: &str) -> impl Iterator<Item = String> + '_ {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        if let Some(quoted) = text.strip_prefix('"') {
            let mut field = String::new();
            let mut parts = quoted;
            loop {
                let Some((part, after)) = parts.split_once('"') else {
                    field.push_str(parts);
                    rest = None;
                    return Some(field);
                };
                field.push_str(part);
                if let Some(more) = after.strip_prefix('"') {
                    field.push('"');
                    parts = more;
                } else {
                    rest = after.strip_prefix(',');
                    return Some(field);
                }
            }
        }
        let (field, after) = match text.split_once(',') {
            Some((field, after)) => (field, Some(after)),
            None => (text, None),
        };
        rest = after;
        Some(unescaped(field))
    })
}

fn unescaped(field: &str) -> String {
    if !field.contains('\\') {
        return field.to_owned();
    }
    let mut text = String::new();
    let mut rest = field;
    while let Some((before, after)) = rest.split_once('\\') {
        text.push_str(before);
        let code = |len: usize| {
            let code = hexadecimal::hexadecimal(after.get(1..1 + len)?)?;
            u32::try_from(code).ok().and_then(char::from_u32)
        };
        let (character, len) = match after.as_bytes().first() {
            Some(b'x') => (code(2), 3),
            Some(b'u') => (code(4), 5),
            Some(b'n') => (Some('\n'), 1),
            Some(b'\\') => (Some('\\'), 1),
            _ => (None, 0),
        };
        text.push(character.unwrap_or('\\'));
        rest = if character.is_some() { &after[len..] } else { after };
    }
    text.push_str(rest);
    text
}
