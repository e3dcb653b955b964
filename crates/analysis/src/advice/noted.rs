//! What the notes of a profile are about, with its values: notes stand beside what rules say.

use profile::{ContextId, FrameId, FunctionId, MetricId, Note, NoteOf, Profile, StringId};

use crate::{Filtered, FlatValues, FrameKey, FrameKeys, NO_VALUE, flat_values};

/// A note, and what was measured of what it is about.
#[derive(Debug, Clone, PartialEq)]
pub struct Noted {
    /// The number of the note.
    pub note: usize,
    /// The function that it is about, or that its line or call path is in; none of the whole program, and of
    /// code that was not measured.
    pub key: Option<FrameKey>,
    /// Its value, with what it calls: each sample once.
    pub value: Noticed,
    /// What that is of the whole program, mostly from 0 to 1; none where either has no value.
    pub share: Option<f64>,
    /// Whether the value is an estimate.
    pub is_estimated: bool,
}

/// What was measured of what a note is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Noticed {
    /// A sum.
    Value(i64),
    /// No context of the profile has that function or line.
    NotMeasured,
    /// Values of the metric are not sums.
    DoesNotAddUp,
}

/// The notes of a profile with the values of a metric, the largest share first.
///
/// Takes a pass over the functions, and one over the frames where notes are about lines.
pub fn noted(filtered: &Filtered, keys: &FrameKeys, metric: MetricId) -> Vec<Noted> {
    let profile = filtered.profile();
    if profile.notes.is_empty() {
        return vec![];
    }
    let metric = filtered.base_metric(metric);
    let adds_up = profile.metric(metric).combining.is_sum();
    let everything = filtered.program_total(metric);
    let used = Used::new(profile);
    let functions = Functions::of(profile, keys, &used);
    let lines = Lines::new(filtered, keys, metric, &used);
    let flat = flat_values(filtered, keys.keys(), keys.len(), metric);
    let place = |(note, about): (usize, NoteOf)| {
        let (key, value, is_estimated) = match about {
            NoteOf::Context(ContextId::ROOT) => (None, everything, false),
            NoteOf::Context(context) => {
                let frame = profile.frames_of(context).next_back();
                let frame = frame.filter(|_| used.contexts[context.index()]);
                let key = frame.map(|frame| keys.key(FrameId(frame)));
                let total = filtered.totals(metric).total(context);
                (key, total, profile.origin.estimated_paths)
            }
            NoteOf::Function(function) => match functions.get(function) {
                Some(key) => (Some(key), flat.of(key).1, flat.is_estimated(key)),
                None => (None, NO_VALUE, false),
            },
            NoteOf::Line(file, line) => lines.get(file, line),
        };
        let is_measured = key.is_some() || about == NoteOf::Context(ContextId::ROOT);
        let value = match value {
            _ if !is_measured => Noticed::NotMeasured,
            NO_VALUE => Noticed::DoesNotAddUp,
            value if adds_up => Noticed::Value(value),
            _ => Noticed::DoesNotAddUp,
        };
        let share = match value {
            Noticed::Value(value) if everything != 0 => Some(value as f64 / everything as f64),
            Noticed::Value(_) | Noticed::NotMeasured | Noticed::DoesNotAddUp => None,
        };
        Noted { note, key, value, share, is_estimated }
    };
    let notes = profile.notes.iter().map(|note| note.about).enumerate();
    let mut all: Vec<Noted> = notes.map(place).collect();
    // What was not measured comes last.
    let rank = |one: &Noted| one.share.unwrap_or(-1.0);
    all.sort_by(|one, other| rank(other).total_cmp(&rank(one)).then(one.note.cmp(&other.note)));
    all
}

/// What has samples, whatever filters leave.
struct Used {
    contexts: Vec<bool>,
    frames: Vec<bool>,
}

impl Used {
    fn new(profile: &Profile) -> Used {
        let mut contexts = vec![false; profile.contexts.len()];
        profile.points.context.iter().for_each(|context| contexts[context.index()] = true);
        // What joins points has been seen, too.
        let points = 0..profile.points.len();
        for (_, context) in points.flat_map(|point| profile.points.links(point)) {
            contexts[context.index()] = true;
        }
        let parents = profile.contexts.parents();
        for context in (1..contexts.len()).rev() {
            contexts[parents[context] as usize] |= contexts[context];
        }
        let mut frames = vec![false; profile.frames.len()];
        for context in (0..contexts.len() as u32).map(ContextId) {
            if contexts[context.index()] {
                profile.frames_of(context).for_each(|frame| frames[frame as usize] = true);
            }
        }
        Used { contexts, frames }
    }
}

/// What makes functions one, by the profile's own numbers, of those that notes are about.
struct Functions {
    /// Sorted.
    asked: Vec<FunctionId>,
    keys: Vec<Option<FrameKey>>,
}

impl Functions {
    fn of(profile: &Profile, keys: &FrameKeys, used: &Used) -> Functions {
        let about = |note: &Note| match note.about {
            NoteOf::Function(function) => Some(function),
            NoteOf::Context(_) | NoteOf::Line(..) => None,
        };
        let asked = distinct(profile.notes.iter().filter_map(about));
        let mut functions = Functions { keys: vec![None; asked.len()], asked };
        if functions.asked.is_empty() {
            return functions;
        }
        for frame in (0..profile.frames.len() as u32).map(FrameId) {
            if !used.frames[frame.index()] {
                continue;
            }
            let function = profile.frames.function(frame);
            if let Some(Ok(at)) = function.map(|function| functions.asked.binary_search(&function))
            {
                functions.keys[at].get_or_insert_with(|| keys.key(frame));
            }
        }
        functions
    }

    fn get(&self, function: FunctionId) -> Option<FrameKey> {
        self.asked.binary_search(&function).ok().and_then(|at| self.keys[at])
    }
}

/// The values of the lines that notes are about, and the function that each is in, that of its first frame.
struct Lines {
    /// Sorted.
    asked: Vec<(StringId, u32)>,
    keys: Vec<Option<FrameKey>>,
    values: Option<FlatValues>,
}

impl Lines {
    fn new(filtered: &Filtered, keys: &FrameKeys, metric: MetricId, used: &Used) -> Lines {
        let profile = filtered.profile();
        let about = |note: &Note| match note.about {
            NoteOf::Line(file, line) => Some((file, line)),
            NoteOf::Context(_) | NoteOf::Function(_) => None,
        };
        let asked = distinct(profile.notes.iter().filter_map(about));
        let mut lines = Lines { keys: vec![None; asked.len()], asked, values: None };
        if lines.asked.is_empty() {
            return lines;
        }
        let others = lines.asked.len() as u32;
        let mut groups = vec![others; profile.frames.len()];
        for (row, group) in groups.iter_mut().enumerate() {
            let frame = FrameId(row as u32);
            let Some(function) = profile.frames.function(frame).filter(|_| used.frames[row]) else {
                continue;
            };
            let place = (profile.functions.file[function.index()], profile.frames.line[row]);
            if let Ok(at) = lines.asked.binary_search(&place) {
                lines.keys[at].get_or_insert_with(|| keys.key(frame));
                *group = at as u32;
            }
        }
        lines.values = Some(flat_values(filtered, &groups, others as usize + 1, metric));
        lines
    }

    /// The function that a line is in, its value, and whether that is an estimate.
    fn get(&self, file: StringId, line: u32) -> (Option<FrameKey>, i64, bool) {
        let found = self.asked.binary_search(&(file, line)).ok().zip(self.values.as_ref());
        let Some((at, values)) = found else { return (None, NO_VALUE, false) };
        let group = at as u32;
        (self.keys[at], values.of(group).1, values.is_estimated(group))
    }
}

fn distinct<T: Ord>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut all: Vec<T> = all.collect();
    all.sort_unstable();
    all.dedup();
    all
}
