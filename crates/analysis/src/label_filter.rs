//! Filters on labels, in pprof's notation.
//!
//! | filter | matches |
//! |---|---|
//! | `regex` | a label whose `key:value` text matches |
//! | `key=regex` | a label of that key whose value matches |
//! | `1kb:2mb`, `1kb:`, `:2mb`, `64kb` | a numeric label in the range, in any unit of its kind |
//! | `key=1kb:2mb` | the same, of that key only |
//! | `42`, `key=42` | a numeric label of that number in whatever unit, or a text with that in it |
//!
//! Several regular expressions may be separated by commas: without a key all must match, with a
//! key any of them.
//!
//! Threads, processes, processors and members match as if they were labels of the keys `thread`,
//! `process`, `cpu` and `member`.
//!
//! A span has its arguments as labels too, and those of the spans around it: of several with the same
//! key the innermost counts.

use hashbrown::HashMap;
use profile::{Label, LabelSetId, LabelValue, MemberId, Profile, StringId, ThreadId};

use crate::{Pattern, PatternError, span_labels};
use profile::{UnitKind, unit_scale};

/// A compiled label filter.
#[derive(Debug, Clone)]
pub struct LabelFilter {
    key: Option<String>,
    wanted: Wanted,
    /// For a bare number: texts match too.
    text: Option<Pattern>,
}

#[derive(Debug, Clone)]
enum Wanted {
    Text(Vec<Pattern>),
    Range {
        from: Option<f64>,
        to: Option<f64>,
        /// None compares the bare numbers.
        kind: Option<UnitKind>,
    },
}

/// What a filter says of the labels, threads, members and processors of a profile.
#[derive(Debug, Clone)]
pub(crate) struct JudgedLabels {
    filter: LabelFilter,
    of_patterns: Vec<JudgedPattern>,
    /// Whether all patterns must match, and not one of them.
    is_all: bool,
}

/// Whether one pattern matches, or the range where it is none: by label set, thread and member, and by
/// processor as they are asked for.
#[derive(Debug, Clone)]
struct JudgedPattern {
    sets: Vec<bool>,
    threads: Vec<bool>,
    members: Vec<bool>,
    cpus: HashMap<u32, bool>,
    pattern: Option<Pattern>,
}

/// Of labels that spans have and get from those around them, the keys of which a value matches.
struct MatchingKeys<'a> {
    profile: &'a Profile,
    filter: &'a LabelFilter,
    pattern: &'a Option<Pattern>,
    /// Sets of keys, sorted; the first is empty.
    sets: Vec<Vec<StringId>>,
    numbers: HashMap<Vec<StringId>, u32>,
    /// By the number of what is around, and the label sets of a point and a span.
    known: HashMap<(u32, LabelSetId, LabelSetId), u32>,
}

impl MatchingKeys<'_> {
    /// The number of the set of a span in one with that number. Of several values of a key the innermost
    /// counts, and that of a point before one of the span.
    fn number(&mut self, around: u32, point: LabelSetId, arguments: LabelSetId) -> u32 {
        if let Some(known) = self.known.get(&(around, point, arguments)) {
            return *known;
        }
        let mut keys = self.sets[around as usize].clone();
        for set in [arguments, point] {
            let labels = || self.profile.label_sets.get(set);
            keys.retain(|key| !labels().any(|label| label.key == *key));
            let matching = labels().filter(|label| {
                self.filter.label_matches(self.profile, *label, self.pattern.as_ref())
            });
            keys.extend(matching.map(|label| label.key));
        }
        keys.sort_unstable();
        keys.dedup();
        let next = self.sets.len() as u32;
        let number = *self.numbers.entry(keys).or_insert_with_key(|keys| {
            self.sets.push(keys.clone());
            next
        });
        self.known.insert((around, point, arguments), number);
        number
    }
}

impl JudgedLabels {
    /// Whether a point with these matches.
    pub(crate) fn matches(
        &mut self,
        (labels, thread, member): (LabelSetId, Option<ThreadId>, MemberId),
        cpu: Option<u32>,
    ) -> bool {
        let filter = &self.filter;
        let mut one = |of: &mut JudgedPattern| {
            of.sets[labels.index()] || of.matches_place(filter, thread, member, cpu)
        };
        if self.is_all {
            self.of_patterns.iter_mut().all(&mut one)
        } else {
            self.of_patterns.iter_mut().any(&mut one)
        }
    }
}

impl JudgedLabels {
    /// Whether a label of a set matches a pattern.
    pub(crate) fn matches_set(&self, set: LabelSetId) -> bool {
        self.of_patterns.iter().any(|of| of.sets[set.index()])
    }

    /// Whether a point matches.
    pub(crate) fn matches_point(&mut self, profile: &Profile, point: usize) -> bool {
        let points = &profile.points;
        let facets = (points.labels(point), points.thread(point), points.member(point));
        self.matches(facets, points.cpu(point))
    }

    /// Whether spans match, by row; none if all spans of a point match or none, as the point does.
    pub(crate) fn matching_spans(&mut self, profile: &Profile) -> Option<Vec<bool>> {
        if !span_labels::may_differ(profile, |set| {
            self.of_patterns.iter().any(|of| of.sets[set.index()])
        }) {
            return None;
        }
        let (filter, points) = (&self.filter, &profile.points);
        let mut all: Option<Vec<bool>> = None;
        for of in &mut self.of_patterns {
            let pattern = of.pattern.clone();
            let mut keys = MatchingKeys {
                profile,
                filter,
                pattern: &pattern,
                sets: vec![vec![]],
                numbers: HashMap::from([(vec![], 0)]),
                known: HashMap::new(),
            };
            let sets = span_labels::by_span(profile, |span, around| {
                keys.number(around, points.labels(span.point.index()), span.arguments)
            });
            let spans = (sets.into_iter().enumerate()).map(|(row, set)| {
                let point = profile.timeline.spans.point(row).index();
                let (thread, member) = (points.thread(point), points.member(point));
                set != 0 || of.matches_place(filter, thread, member, points.cpu(point))
            });
            let spans: Vec<bool> = spans.collect();
            all = Some(match all {
                None => spans,
                Some(mut known) => {
                    for (known, matches) in known.iter_mut().zip(spans) {
                        *known = if self.is_all { *known && matches } else { *known || matches };
                    }
                    known
                }
            });
        }
        all
    }
}

impl JudgedPattern {
    /// Whether a thread, a member or a processor matches.
    fn matches_place(
        &mut self,
        filter: &LabelFilter,
        thread: Option<ThreadId>,
        member: MemberId,
        cpu: Option<u32>,
    ) -> bool {
        let JudgedPattern { threads, members, cpus, pattern, .. } = self;
        thread.is_some_and(|thread| threads[thread.index()])
            || members.get(member.index()).is_some_and(|&matches| matches)
            || cpu.is_some_and(|cpu| {
                *cpus.entry(cpu).or_insert_with(|| match pattern {
                    Some(pattern) => filter.facet_matches("cpu", &cpu.to_string(), pattern),
                    None => filter.cpu_matches(cpu),
                })
            })
    }
}

/// Why a label filter cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LabelFilterError {
    /// Empty.
    #[error("an empty label filter: write key=pattern, pattern, or a range such as bytes=1kb:2mb")]
    Empty,
    /// The regular expression does not compile.
    #[error(transparent)]
    Pattern(#[from] PatternError),
    /// The ends of a range measure different things.
    #[error("the ends of the range {0} have different kinds of units")]
    MixedUnits(String),
}

impl LabelFilter {
    /// Compiles a filter.
    pub fn new(text: &str) -> Result<LabelFilter, LabelFilterError> {
        if text.trim().is_empty() {
            return Err(LabelFilterError::Empty);
        }
        let (key, value) = match text.split_once('=') {
            Some((key, value)) if !key.is_empty() => (Some(key.to_owned()), value),
            _ => (None, text),
        };
        if let Some(wanted) = range(value)? {
            let is_bare = !value.is_empty()
                && value.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
            let text = is_bare.then(|| Pattern::typed(value)).transpose()?;
            return Ok(LabelFilter { key, wanted, text });
        }
        let patterns = value.split(',').map(Pattern::typed).collect::<Result<_, _>>()?;
        Ok(LabelFilter { key, wanted: Wanted::Text(patterns), text: None })
    }

    /// What is few, judged once: points are many.
    pub(crate) fn judged(&self, profile: &Profile) -> JudgedLabels {
        let (patterns, is_all) = match &self.wanted {
            Wanted::Text(patterns) => {
                (patterns.iter().cloned().map(Some).collect(), self.key.is_none())
            }
            Wanted::Range { .. } => (vec![None, self.text.clone()], false),
        };
        let of_pattern = |pattern: Option<Pattern>| {
            let sets = (0..profile.label_sets.len() as u32).map(|set| {
                let mut labels = profile.label_sets.get(LabelSetId(set));
                labels.any(|label| self.label_matches(profile, label, pattern.as_ref()))
            });
            let judge = |key: &str, text: &str| match &pattern {
                Some(pattern) => self.facet_matches(key, text, pattern),
                None => false,
            };
            let threads = (0..profile.threads.len()).map(|row| {
                let process = profile.threads[row].process;
                judge("thread", &profile.thread_name(ThreadId(row as u32)))
                    || process.is_some_and(|p| judge("process", &profile.process_name(p)))
            });
            let members = profile.members.iter().map(|member| judge("member", &member.name));
            JudgedPattern {
                sets: sets.collect(),
                threads: threads.collect(),
                members: members.collect(),
                cpus: HashMap::new(),
                pattern,
            }
        };
        let of_patterns = patterns.into_iter().map(of_pattern).collect();
        JudgedLabels { filter: self.clone(), of_patterns, is_all }
    }

    /// Whether members match, by member, where it asks for nothing else.
    pub(crate) fn matching_members(&self, profile: &Profile) -> Option<Vec<bool>> {
        let Wanted::Text(patterns) = &self.wanted else { return None };
        (self.key.as_deref() == Some("member")).then(|| {
            let matches = |name: &str| patterns.iter().any(|pattern| pattern.is_match(name));
            profile.members.iter().map(|member| matches(&member.name)).collect()
        })
    }

    fn is_key(&self, key: &str) -> bool {
        self.key.as_deref().is_none_or(|wanted| wanted == key)
    }

    fn facet_matches(&self, key: &str, text: &str, pattern: &Pattern) -> bool {
        self.is_key(key)
            && match self.key {
                Some(_) => pattern.is_match(text),
                None => pattern.is_match(&format!("{key}:{text}")),
            }
    }

    fn text_matches(&self, profile: &Profile, label: Label, pattern: &Pattern) -> bool {
        match label.value {
            LabelValue::Text(text) => {
                self.facet_matches(profile.text(label.key), profile.text(text), pattern)
            }
            LabelValue::Number(..) => false,
        }
    }

    /// Whether a label matches a pattern, or the range where it is none.
    fn label_matches(&self, profile: &Profile, label: Label, pattern: Option<&Pattern>) -> bool {
        match pattern {
            Some(pattern) => self.text_matches(profile, label, pattern),
            None => self.number_matches(profile, label),
        }
    }

    fn number_matches(&self, profile: &Profile, label: Label) -> bool {
        let number = match label.value {
            LabelValue::Number(number, _) => Some(number as f64),
            LabelValue::Text(text) => fraction(profile.text(text)),
        };
        self.is_key(profile.text(label.key))
            && number.is_some_and(|number| self.in_range(number, label_unit(profile, label)))
    }

    fn cpu_matches(&self, cpu: u32) -> bool {
        self.key.as_deref() == Some("cpu") && self.in_range(cpu.into(), "cpu")
    }

    fn in_range(&self, number: f64, unit: &str) -> bool {
        let Wanted::Range { from, to, kind } = &self.wanted else { return false };
        let (scale, own_kind) = match kind {
            Some(_) => unit_scale(unit),
            None => (1, UnitKind::Bytes),
        };
        let value = number * scale as f64;
        kind.as_ref().is_none_or(|kind| *kind == own_kind)
            && from.is_none_or(|from| value >= from)
            && to.is_none_or(|to| value <= to)
    }
}

/// The unit of a numeric label. Without one the keys `request` and `alignment` mean bytes and any
/// other key is its own unit, as profile.proto has it.
pub fn label_unit(profile: &Profile, label: Label) -> &str {
    match label.value {
        LabelValue::Number(_, unit) if !profile.text(unit).is_empty() => profile.text(unit),
        _ => match profile.text(label.key) {
            "request" | "alignment" => "bytes",
            key => key,
        },
    }
}

/// A range, or none where the text is not one.
fn range(text: &str) -> Result<Option<Wanted>, LabelFilterError> {
    let (from, to) = match text.split_once(':') {
        Some((from, to)) => (from, to),
        None => (text, text),
    };
    let (from_end, to_end) = (quantity(from), quantity(to));
    let (from, to) = match (from.is_empty(), from_end, to.is_empty(), to_end) {
        (false, Some(from), false, Some(to)) => (Some(from), Some(to)),
        (false, Some(from), true, _) => (Some(from), None),
        (true, _, false, Some(to)) => (None, Some(to)),
        _ => return Ok(None),
    };
    let own_kind = |end: &Option<(f64, Option<UnitKind>)>| end.as_ref().and_then(|e| e.1.clone());
    let kind = match (own_kind(&from), own_kind(&to)) {
        (Some(a), Some(b)) if a != b => return Err(LabelFilterError::MixedUnits(text.to_owned())),
        (from, to) => from.or(to),
    };
    let value = |end: Option<(f64, Option<UnitKind>)>| end.map(|(value, _)| value);
    Ok(Some(Wanted::Range { from: value(from), to: value(to), kind }))
}

/// A number that is not whole: labels keep it as it was written.
fn fraction(text: &str) -> Option<f64> {
    let is_one = text.contains(['.', 'e', 'E']) && text.ends_with(|c: char| c.is_ascii_digit());
    text.parse().ok().filter(|number: &f64| is_one && number.is_finite())
}

/// A number, in the smallest unit of its kind if it has one.
fn quantity(text: &str) -> Option<(f64, Option<UnitKind>)> {
    let is_digit = |c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.');
    let digits = text.find(|c: char| !is_digit(c)).unwrap_or(text.len());
    let number: f64 = text[..digits].parse().ok()?;
    match &text[digits..] {
        "" => Some((number, None)),
        unit if unit.chars().all(|c| c.is_ascii_alphabetic()) => {
            let (scale, kind) = unit_scale(unit);
            Some((number * scale as f64, Some(kind)))
        }
        _ => None,
    }
}
