//! Collapsed stacks, as Brendan Gregg's FlameGraph scripts write and read them: a line a stack,
//! root first, frames separated by `;`, then a space and the count.
//!
//! Met in the wild and read: CRLF, UTF-16 with a byte order mark, decimal counts, spaces in names,
//! `;` inside the parentheses of a name, comment lines (`#`), differential files with two counts a
//! line (before and after, from `difffolded.pl`), and frames that name their line: `name (file:7)`
//! (py-spy) and `file:name:7` (Python's profiling.sampling).

use std::io::Write;

use hashbrown::HashMap;
use profile::{
    ContextId, FrameId, LabelSetId, Location, LocationId, Metric, MetricId, ModuleId, Profile,
    ProfileBuilder,
};

use crate::input::stream::Stream;
use crate::numbers::decimal::Decimal;
use crate::numbers::scale::Scale;
use crate::text::lines::Lines;
use crate::text::stack_line::{is_one_frame, split_frames};
use crate::{
    About, Carries, Feature, Format, Part, ReadError, ReadOptions, Reader, Sniff, Warnings,
    WriteError, Writer,
};

pub(crate) const FORMAT: Format = Format {
    name: "collapsed",
    title: "collapsed (folded) stacks",
    extensions: &["collapsed", "folded"],
    about: About {
        carries: "stacks, one or two counts (decimals stay exact), files and lines where frames \
                  name them as py-spy and Python's own sampler do",
        skips: "comment lines",
        checked_against: "the stacks that pprof lists",
        ..About::NONE
    },
    reader: Some(Reader { sniff, read }),
    folder: None,
    writer: Some(Writer { carries: CARRIES, parts: &[Part { name: "", write }] }),
};

const CARRIES: Carries = Carries {
    kept: &[
        Feature::Nanoseconds,
        Feature::Decimals,
        Feature::Fractions,
        Feature::Stackless,
        Feature::Negatives,
        Feature::CallPaths,
    ],
    as_labels: &[],
    besides: Carries::nothing,
};

fn sniff(head: &[u8], file_name: &str) -> Sniff {
    let named = FORMAT.extensions.iter().any(|e| file_name.ends_with(&format!(".{e}")));
    let text = String::from_utf8_lossy(head);
    // Lines of JSON, XML and pprof's text may look like stacks.
    let start = text.trim_start();
    let is_other =
        ["{", "[{", "[\n", "<?", "<!", "PeriodType:"].iter().any(|s| start.starts_with(s));
    if is_other && !named {
        return Sniff::No;
    }
    // The last line may be cut.
    let whole = text.rfind('\n').map_or(&*text, |end| &text[..end]);
    let (mut stacks, mut others, mut paths) = (0u64, 0u64, 0u64);
    for line in
        whole.lines().map(|line| line.trim_start_matches('\u{feff}')).filter(|l| !is_comment(l))
    {
        match split_counts(line) {
            Some((stack, ..)) if !stack.is_empty() && !stack.contains('\0') => {
                stacks += 1;
                // Statements of programs have a space behind the `;`.
                paths += u64::from(stack.contains(';') && !stack.contains("; "));
            }
            _ => others += 1,
        }
    }
    let looks_binary = head.iter().take(1024).any(|&b| b == 0);
    match (stacks, others) {
        _ if looks_binary => Sniff::No,
        // One line longer than what is shown, but not XML.
        (0, _) if head.len() >= 4096 && !head.contains(&b'\n') && head.contains(&b';') => {
            if start.starts_with('<') { Sniff::No } else { Sniff::Maybe }
        }
        (0, _) => Sniff::No,
        _ if named && stacks >= others => Sniff::Yes,
        // Lines of many other texts end with a number too, so it is never sure, and without any
        // path of several frames it is taken for such a text: `--from collapsed` reads it.
        (stacks, others) if paths > 0 && (paths >= others || stacks >= others * 4) => Sniff::Maybe,
        _ => Sniff::No,
    }
}

fn read(
    stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    /// Enough to tell whether a file is differential.
    const HEAD: usize = 64 << 10;
    let mut lines = Lines::new(stream, FORMAT.name)?;
    let head = String::from_utf8_lossy(lines.peek(HEAD)?);
    let whole = head.rfind('\n').map_or(&*head, |end| &head[..end]);
    let mut sample =
        whole.lines().filter(|line| !is_comment(line)).filter_map(split_counts).peekable();
    let differential = sample.peek().is_some() && sample.all(|(_, before, _)| before.is_some());

    let mut stacks = Stacks::new(differential);
    while let Some(line) = lines.next_line()? {
        let number = line.number;
        if line.repaired {
            warnings
                .add("utf8", || format!("line {number} is not UTF-8: bad bytes show as \u{fffd}"));
        }
        if !is_comment(line.text) {
            match split_counts(line.text) {
                Some((stack, before, after)) => stacks.push(stack, before, after, number, warnings),
                None => warnings.add("no count", || {
                    let place = line.place;
                    format!("line {number} at {place} does not end in a count and is skipped")
                }),
            }
        }
        if number.is_multiple_of(1024) {
            options.check_memory(stacks.builder.heap_bytes())?;
        }
    }
    lines.check_skipped(warnings, &["no count"])?;
    stacks.finish(warnings)
}

fn is_comment(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with('#')
}

/// Splits a line into the stack, the first of two counts, and the last count.
fn split_counts(line: &str) -> Option<(&str, Option<&str>, &str)> {
    let line = line.trim_end();
    let (rest, last) = line.rsplit_once([' ', '\t'])?;
    let rest = rest.trim_end();
    // What has no stack begins with the space.
    if !is_number(last) {
        return None;
    }
    match rest.rsplit_once([' ', '\t']) {
        Some((stack, before)) if is_number(before) && !stack.trim().is_empty() => {
            Some((stack.trim_end(), Some(before), last))
        }
        _ => Some((rest, None, last)),
    }
}

fn is_number(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.'))
        && text.bytes().any(|b| b.is_ascii_digit())
        && text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'-' | b'+' | b'.' | b'e' | b'E'))
        && text.parse::<f64>().is_ok_and(f64::is_finite)
}

/// Digits kept after the decimal point; more are rounded.
const MOST_DECIMALS: u8 = 9;

/// Collects the stacks.
struct Stacks {
    builder: ProfileBuilder,
    differential: bool,
    locations: HashMap<String, LocationId>,
    kernel: Option<ModuleId>,
    jit: Option<ModuleId>,
    scale: Scale,
    /// The stack before, and its frames.
    last: Vec<u8>,
    frames: Vec<Frame>,
}

/// A frame of a stack.
struct Frame {
    /// Where the separator behind it stands in the stack.
    end: usize,
    /// How many more parentheses open than close up to there.
    depth: i32,
    /// The context of the frames up to this one.
    context: ContextId,
}

impl Stacks {
    fn new(differential: bool) -> Self {
        let metric = |name: &str| Metric {
            name: name.to_owned(),
            unit: "count".to_owned(),
            decimals: 0,
            ..Metric::default()
        };
        let metrics = if differential {
            vec![metric("before"), metric("after")]
        } else {
            vec![metric("samples")]
        };
        Stacks {
            builder: ProfileBuilder::new(metrics),
            differential,
            locations: HashMap::new(),
            kernel: None,
            jit: None,
            scale: Scale::up_to(MOST_DECIMALS),
            last: vec![],
            frames: vec![],
        }
    }

    fn push(
        &mut self,
        stack: &str,
        before: Option<&str>,
        after: &str,
        line: u64,
        warnings: &mut Warnings,
    ) {
        // A second number before the count is part of the last name, unless all lines have one.
        let whole = match (before, self.differential) {
            (Some(before), false) => &format!("{stack} {before}"),
            _ => stack,
        };
        let counts = match (self.differential, before) {
            (true, Some(before)) => vec![before, after],
            (true, None) => {
                warnings.add("one count", || {
                    format!("line {line} has one count where the others have two; the first is taken as 0")
                });
                vec!["0", after]
            }
            (false, _) => vec![after],
        };
        let mut values = vec![];
        for count in counts {
            let number = Decimal::parse(count.as_bytes());
            let Some(scaled) = number.and_then(|number| self.scale.fit(number, warnings)) else {
                return warnings.add("count range", || {
                    format!(
                        "the count {count} in line {line} does not fit 64 bits; the line is skipped"
                    )
                });
            };
            if let Some(factor) = scaled.grown {
                for metric in (0..self.builder.metrics.len() as u32).map(MetricId) {
                    self.builder.points.scale(metric, factor);
                }
                values.iter_mut().for_each(|value: &mut i64| *value *= factor);
            }
            values.push(scaled.value);
        }
        if values.iter().any(|&value| value < 0) {
            warnings.add("negative counts", || {
                format!(
                    "line {line} has a count below 0: shares of a total with such counts mean nothing"
                )
            });
        }
        let context = self.context(whole);
        self.builder.points.push(context, LabelSetId(0), &values);
    }

    /// The context of a stack. What it has in common with the stack before is not looked at again.
    fn context(&mut self, stack: &str) -> ContextId {
        let text = stack.as_bytes();
        let common = text.iter().zip(&self.last).take_while(|(a, b)| a == b).count();
        self.frames.truncate(self.frames.partition_point(|frame| frame.end < common));
        self.last.truncate(common);
        self.last.extend_from_slice(&text[common..]);
        let known =
            self.frames.last().map(|&Frame { end, depth, context }| (end + 1, depth, context));
        let (from, mut depth, mut context) = known.unwrap_or((0, 0, ContextId::ROOT));
        let mut start = from;
        for at in from..=text.len() {
            match text.get(at) {
                Some(b'(') => depth += 1,
                Some(b')') => depth -= 1,
                Some(b';') if depth > 0 => return self.nested_context(stack),
                None | Some(b';') => {
                    // A leading or trailing separator makes no frame.
                    if start < at || (0 < start && at < text.len()) {
                        let location = self.location(stack[start..at].trim());
                        context = self.builder.contexts.child(context, location);
                    }
                    self.frames.push(Frame { end: at, depth, context });
                    start = at + 1;
                }
                Some(_) => {}
            }
        }
        context
    }

    /// The context of a stack with separators inside parentheses.
    #[cold]
    fn nested_context(&mut self, stack: &str) -> ContextId {
        self.last.clear();
        self.frames.clear();
        self.split_context(stack)
    }

    fn split_context(&mut self, stack: &str) -> ContextId {
        split_frames(stack).fold(ContextId::ROOT, |context, name| {
            let location = self.location(name);
            self.builder.contexts.child(context, location)
        })
    }

    fn location(&mut self, name: &str) -> LocationId {
        if let Some(&known) = self.locations.get(name) {
            return known;
        }
        let mut module = |name: &str, slot: fn(&mut Self) -> &mut Option<ModuleId>| {
            if slot(self).is_none() {
                let name = self.builder.strings.intern(name);
                self.builder.modules.push(profile::Module { name, ..profile::Module::default() });
                *slot(self) = Some(ModuleId(self.builder.modules.len() as u32 - 1));
            }
            *slot(self)
        };
        // Annotations of FlameGraph's `stackcollapse-perf.pl`; they stay part of the name.
        let module = if name.ends_with("_[k]") {
            module("[kernel]", |this| &mut this.kernel)
        } else if name.ends_with("_[j]") {
            module("[jit]", |this| &mut this.jit)
        } else {
            None
        };
        let (function, file, line) = split_line(name).unwrap_or((name, "", 0));
        let function = self.builder.function(function, file, 0);
        let location = Location { module, ..Location::default() };
        let id = self.builder.push_location(location, &[(Some(function), line, 0)]);
        self.locations.insert(name.to_owned(), id);
        id
    }

    fn finish(mut self, warnings: &mut Warnings) -> Result<Profile, ReadError> {
        if self.builder.points.is_empty() {
            warnings.add("no stacks", || "the file holds no stacks".to_owned());
        }
        for metric in &mut self.builder.metrics {
            metric.decimals = self.scale.decimals;
        }
        self.builder.origin.format = FORMAT.name.to_owned();
        self.builder.origin.default_metric = MetricId(self.builder.metrics.len() as u32 - 1);
        Ok(self.builder.finish())
    }
}

/// Splits a frame that names its line into function, file and line: py-spy's `name (file:7)`, or
/// `file:name:7` of Python's profiling.sampling.
fn split_line(frame: &str) -> Option<(&str, &str, u32)> {
    if let Some((name, place)) = frame.strip_suffix(')').and_then(|f| f.rsplit_once(" (")) {
        let (file, line) = place.rsplit_once(':')?;
        let is_place = !name.is_empty() && !file.is_empty();
        return if is_place { Some((name, file, line.parse().ok()?)) } else { None };
    }
    let (rest, line) = frame.rsplit_once(':')?;
    let line = line.parse().ok()?;
    let (file, name) = rest.rsplit_once(':')?;
    let is_python = file.ends_with(".py") || (file.starts_with('<') && file.ends_with('>'));
    if is_python && !name.is_empty() { Some((name, file, line)) } else { None }
}

/// Writes the default metric, one line a context that has a value of its own.
fn write(profile: &Profile, out: &mut dyn Write) -> Result<(), WriteError> {
    let metric = profile.origin.default_metric;
    let Some(decimals) = profile.metrics.get(metric.index()).map(|m| m.decimals) else {
        return Ok(());
    };
    let mut values = std::collections::BTreeMap::<ContextId, i64>::new();
    for (&context, value) in profile.points.context.iter().zip(profile.points.values(metric)) {
        let sum = values.entry(context).or_default();
        *sum = sum.saturating_add(value);
    }
    for (context, value) in values {
        if value == 0 {
            continue;
        }
        let mut path: Vec<ContextId> =
            std::iter::successors(Some(context), |&at| profile.contexts.parent(at)).collect();
        path.reverse();
        let mut line = String::new();
        for frame in path.into_iter().flat_map(|at| profile.frames_of(at)) {
            let name = profile.frame_name(FrameId(frame));
            let separator = if line.is_empty() { "" } else { ";" };
            line.push_str(separator);
            if is_one_frame(&name) {
                line.push_str(&name);
            } else {
                let clean = name.replace(['\n', '\r'], " ");
                let kept = is_one_frame(&clean);
                line.push_str(&if kept { clean } else { clean.replace(';', ":") });
            }
        }
        if line.is_empty() {
            line.push_str("[no stack]");
        }
        writeln!(out, "{line} {}", profile::decimal_text(value, decimals))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_stacks_have_in_common_changes_nothing(
            stacks in proptest::collection::vec("[ab;() ]{1,8}", 1..20),
        ) {
            let mut sharing = Stacks::new(false);
            for stack in &stacks {
                let shared = sharing.context(stack);
                prop_assert_eq!(shared, sharing.split_context(stack), "{}", stack);
            }
        }
    }
}
