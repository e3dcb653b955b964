//! The text of `heaptrack_print`, as `heaptrack_print.cpp` of heaptrack 1.4 writes it: a section a
//! cost, in it the places with the highest costs.
//!
//! ```text
//! PEAK MEMORY CONSUMERS
//! 10.30K peak memory consumed over 35 calls from      merged: a place, then its callers
//! jar
//!   at larder.c:21
//!   in larder
//! 10.04K consumed over 10 calls from:
//!     main …
//!   and 0B from 21 other places
//! ```
//! With `--merge-backtraces=0` whole stacks follow the first line. Each section has its own cost
//! and lists some places only: what the totals at the end say beyond them is a place of its own.

use profile::{LabelSetId, Metric, Place, Points, Profile, ProfileBuilder};

use crate::input::stream::Stream;
use crate::numbers::decimal::Decimal;
use crate::text::lines::Lines;
use crate::{About, Format, ReadError, ReadOptions, Reader, Sniff, Warnings};

pub(crate) const FORMAT: Format = Format {
    name: "heaptrack-print",
    title: "text of heaptrack_print",
    extensions: &["heaptrack.txt"],
    about: About {
        carries: "allocations, temporary allocations, bytes at the peak and leaked of the places \
                  that are listed; stacks with files, lines and modules; the totals, the command",
        estimates: "bytes of K, M and G, which are rounded; what is not listed of a total, as the \
                    rest of it",
        skips: "how long it ran, the peak of resident memory",
        checked_against: "the totals of the same text",
    },
    reader: Some(Reader { sniff, read }),
    folder: None,
    writer: None,
};

/// A section: its title, its metric with the unit, and what its total is called.
struct Section {
    title: &'static str,
    metric: &'static str,
    unit: &'static str,
    total: &'static str,
}

const SECTIONS: [Section; 4] = [
    Section {
        title: "MOST CALLS TO ALLOCATION FUNCTIONS",
        metric: "allocations",
        unit: "count",
        total: "calls to allocation functions:",
    },
    Section {
        title: "PEAK MEMORY CONSUMERS",
        metric: "peak",
        unit: "bytes",
        total: "peak heap memory consumption:",
    },
    Section {
        title: "MEMORY LEAKS",
        metric: "leaked",
        unit: "bytes",
        total: "total memory leaked:",
    },
    Section {
        title: "MOST TEMPORARY ALLOCATIONS",
        metric: "temporary",
        unit: "count",
        total: "temporary memory allocations:",
    },
];

/// Where what is not listed stands.
const NOT_LISTED: &str = "(not listed)";

fn sniff(head: &[u8], _: &str) -> Sniff {
    let text = String::from_utf8_lossy(head);
    let is_title = |line: &str| SECTIONS.iter().any(|section| section.title == line);
    if text.lines().take(40).any(is_title) { Sniff::Yes } else { Sniff::No }
}

fn read(
    stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let mut lines = Lines::new(stream, FORMAT.name)?;
    let mut reading = PrintParser::default();
    while let Some(line) = lines.next_line()? {
        if !reading.line(line.text) {
            warnings.add("line", || {
                let start: String = line.text.chars().take(60).collect();
                format!(
                    "line {} is skipped, it is neither a place nor a cost: {start}",
                    line.number
                )
            });
        }
        if line.number.is_multiple_of(1024) {
            options.check_memory(reading.heap_bytes())?;
        }
    }
    ReadError::unless(reading.has_sections, FORMAT.name, "section such as PEAK MEMORY CONSUMERS")?;
    lines.check_skipped(warnings, &["line"])?;
    Ok(reading.finish(warnings))
}

#[derive(Default)]
struct Frame {
    function: String,
    file: String,
    module: String,
    line: u32,
    indent: usize,
}

#[derive(Default)]
struct PrintParser {
    builder: ProfileBuilder,
    has_sections: bool,
    section: Option<usize>,
    /// The place of the entry, innermost frame first, and its cost until callers explain it.
    place: Vec<Frame>,
    cost: Option<i64>,
    /// Callers that are read, with their part of the cost.
    callers: Vec<Frame>,
    part: Option<i64>,
    /// Section, stack from the root, cost.
    costs: Vec<(usize, profile::ContextId, i64)>,
    totals: [Option<i64>; SECTIONS.len()],
}

impl PrintParser {
    /// Takes a line; says no to one that it does not know.
    fn line(&mut self, line: &str) -> bool {
        let text = line.trim();
        if text.is_empty() {
            self.end_entry();
            return true;
        }
        if let Some(section) = SECTIONS.iter().position(|section| section.title == text) {
            self.end_entry();
            self.section = Some(section);
            self.has_sections = true;
            return true;
        }
        if self.fact(text) {
            self.end_entry();
            self.section = None;
            return true;
        }
        let Some(section) = self.section else { return self.has_sections };
        if let Some(start) = text.strip_suffix(" from")
            && let Some(cost) = cost(section, start)
        {
            self.end_entry();
            self.cost = Some(cost);
            return true;
        }
        if let Some(start) = text.strip_suffix(" from:")
            && let Some(part) = cost(section, start)
        {
            self.end_part();
            self.part = Some(part);
            return true;
        }
        if let Some(rest) = text.strip_prefix("and ")
            && let Some((part, others)) = rest.split_once(" from ")
            && others.ends_with(" other places")
            && let Some(part) = amount(part)
        {
            self.end_part();
            self.push(section, part, false);
            self.cost = None;
            return true;
        }
        self.cost.is_some() && self.frame(line)
    }

    /// A total, or something about the program.
    fn fact(&mut self, text: &str) -> bool {
        for (section, Section { total, .. }) in SECTIONS.iter().enumerate() {
            if let Some(rest) = text.strip_prefix(total) {
                let word = rest.split_whitespace().next().unwrap_or_default();
                self.totals[section] = amount(word);
                return self.totals[section].is_some();
            }
        }
        if let Some(command) = text.strip_prefix("Debuggee command was:") {
            self.builder.origin.comments.push(format!("command: {}", command.trim()));
            return true;
        }
        ["total runtime:", "peak RSS", "suppressed leaks:", "reading file", "finished reading"]
            .iter()
            .any(|start| text.starts_with(start))
    }

    fn frame(&mut self, line: &str) -> bool {
        let text = line.trim_start();
        let indent = line.len() - text.len();
        let frames = if self.part.is_some() { &mut self.callers } else { &mut self.place };
        if let Some(frame) = frames.last_mut().filter(|frame| frame.indent < indent) {
            if let Some(place) = text.strip_prefix("at ") {
                let (file, number) = place.rsplit_once(':').unwrap_or((place, ""));
                (frame.file, frame.line) = match number.parse() {
                    Ok(number) => (file.to_owned(), number),
                    Err(_) => (place.to_owned(), 0),
                };
                return true;
            }
            if let Some(module) = text.strip_prefix("in ") {
                module.clone_into(&mut frame.module);
                return true;
            }
            return false;
        }
        frames.push(Frame { function: text.to_owned(), indent, ..Frame::default() });
        true
    }

    /// Callers are complete.
    fn end_part(&mut self) {
        let (Some(section), Some(part)) = (self.section, self.part.take()) else { return };
        self.push(section, part, true);
        self.callers.clear();
        // Its callers explain it.
        self.cost = self.cost.map(|cost| cost.saturating_sub(part));
    }

    fn end_entry(&mut self) {
        let has_callers = self.part.is_some();
        self.end_part();
        if let (Some(section), Some(cost)) = (self.section, self.cost.take()) {
            // What rounding leaves of a merged place is part of what is not listed.
            if !has_callers {
                self.push(section, cost, false);
            }
        }
        self.place.clear();
    }

    fn push(&mut self, section: usize, cost: i64, with_callers: bool) {
        let callers: &[Frame] = if with_callers { &self.callers } else { &[] };
        let frames = callers.iter().rev().chain(self.place.iter().rev());
        let mut locations = Vec::with_capacity(callers.len() + self.place.len());
        for Frame { function, file, module, line, .. } in frames {
            let place = Place { function, file, module, line: *line, ..Place::default() };
            locations.push(self.builder.place(&place));
        }
        let context = self.builder.stack(locations);
        self.costs.push((section, context, cost));
    }

    fn heap_bytes(&self) -> usize {
        self.builder.heap_bytes() + self.costs.capacity() * 24 + self.place.capacity() * 100
    }

    fn finish(mut self, warnings: &mut Warnings) -> Profile {
        self.end_entry();
        if self.totals.iter().all(Option::is_none) {
            warnings.add("cut", || {
                "the totals at the end of the text are missing: it is cut short, and what it \
                 lists may be a part"
                    .to_owned()
            });
        }
        for (section, Section { metric, .. }) in SECTIONS.iter().enumerate() {
            let costs = self.costs.iter().filter(|(of, ..)| *of == section);
            let listed = costs.fold(0i64, |sum, &(.., cost)| sum.saturating_add(cost));
            let rest = self.totals[section].unwrap_or(listed).saturating_sub(listed);
            if rest > 0 {
                let place = Place { function: NOT_LISTED, ..Place::default() };
                let at = self.builder.place(&place);
                let context = self.builder.stack([at]);
                self.costs.push((section, context, rest));
            } else if rest < -(listed / 100) {
                // Less is what rounding to two digits behind a K makes.
                warnings.add("more than all", || {
                    format!("places add up to more than the total of '{metric}', by {}", -rest)
                });
            }
        }
        let used: Vec<usize> = (0..SECTIONS.len())
            .filter(|&section| self.costs.iter().any(|&(of, ..)| of == section))
            .collect();
        let metric = |&section: &usize| Metric {
            name: SECTIONS[section].metric.to_owned(),
            unit: SECTIONS[section].unit.to_owned(),
            ..Metric::default()
        };
        let PrintParser { mut builder, costs, .. } = self;
        builder.metrics = used.iter().map(metric).collect();
        builder.points = Points::new(used.len());
        FORMAT.name.clone_into(&mut builder.origin.format);
        "heaptrack_print".clone_into(&mut builder.origin.producer);
        let mut row = vec![0; used.len()];
        for (section, context, cost) in costs {
            row.fill(0);
            if let Some(at) = used.iter().position(|&of| of == section) {
                row[at] = cost;
            }
            builder.points.push(context, LabelSetId(0), &row);
        }
        builder.finish()
    }
}

/// The cost that an entry of a section begins with, if it is one.
fn cost(section: usize, start: &str) -> Option<i64> {
    const WORDS: [&[&str]; SECTIONS.len()] = [
        &["calls to allocation functions with ", "calls with "],
        &["peak memory consumed over ", "consumed over "],
        &["leaked over "],
        &["temporary allocations of "],
    ];
    let (number, rest) = start.split_once(' ')?;
    WORDS[section].iter().any(|words| rest.starts_with(words)).then(|| amount(number))?
}

/// A number, or bytes as heaptrack writes them: `24B`, `10.04K`, in thousands.
fn amount(text: &str) -> Option<i64> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let zeros = match &text[digits.len()..] {
        "" | "B" => 0,
        "K" => 3,
        "M" => 6,
        "G" => 9,
        "T" => 12,
        _ => return None,
    };
    Decimal::parse(digits.as_bytes())?.to_scaled(zeros)
}

#[cfg(test)]
mod tests {
    use super::amount;

    #[test]
    fn amounts_are_in_thousands() {
        for (text, expected) in [
            ("39", Some(39)),
            ("0B", Some(0)),
            ("10.04K", Some(10_040)),
            ("-1.50M", Some(-1_500_000)),
            ("2.00G", Some(2_000_000_000)),
            ("2.00X", None),
            ("", None),
        ] {
            assert_eq!(amount(text), expected, "{text}");
        }
    }
}
