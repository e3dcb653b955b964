//! Through which function, not its direct caller, most of a function's total comes.

use hashbrown::HashMap;
use profile::ContextId;

use super::{Annotate, Function, Note};
use crate::FrameKey;

/// Most of it, in per cent. What has all of it is on every path and tells nothing.
const MOST: std::ops::Range<f64> = 50.0..99.5;
/// What half of the program goes through has half of most functions: it must be this many times as
/// much of the function as of the program.
const LEAST_LIFT: f64 = 1.25;
/// A function at more places, or deeper ones, is not looked at: people wait.
const MOST_STEPS: usize = 200_000;

pub(super) struct HottestPath;

impl Annotate for HottestPath {
    fn note(&self, function: &Function<'_>) -> Option<Note> {
        let through = through(function)?;
        let mut candidates: Vec<(f64, usize, FrameKey)> = (through.by_key.iter())
            .filter(|(_, sum)| !sum.is_caller)
            .map(|(&key, sum)| (percent(sum.value, through.total), sum.distance, key))
            .filter(|(share, ..)| MOST.contains(share))
            .collect();
        // Of two with one share the nearer one says more.
        candidates.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
        let program = function.filtered.program_total(function.metric).into();
        let (share, _, key) = candidates.into_iter().find(|&(share, _, key)| {
            share >= LEAST_LIFT * percent(total_of(function, key), program)
        })?;
        Some(Note {
            title: "Hottest path".to_owned(),
            text: format!("{share:.0} % of the total comes through {}.", function.name(key)),
        })
    }
}

struct Through {
    total: i128,
    by_key: HashMap<FrameKey, Sum>,
}

#[derive(Default)]
struct Sum {
    /// Of the function's places below this one.
    value: i128,
    /// Frames between them, at most.
    distance: usize,
    /// Whether it calls the function itself.
    is_caller: bool,
    /// How many places there were when it was met last: recursion counts once.
    met: usize,
}

/// The total of a function.
fn total_of(function: &Function<'_>, key: FrameKey) -> i128 {
    let totals = function.filtered.totals(function.metric);
    let places = function.places.outermost(key).iter();
    places.map(|&place| i128::from(totals.total(place))).sum()
}

fn percent(value: i128, whole: i128) -> f64 {
    value as f64 / whole as f64 * 100.0
}

/// The functions above the outermost frames of a function; none where that takes too long, or where
/// values cancel each other out.
fn through(function: &Function<'_>) -> Option<Through> {
    let profile = function.filtered.profile();
    let totals = function.filtered.totals(function.metric);
    let parents = profile.contexts.parents();
    let mut out = Through { total: 0, by_key: HashMap::new() };
    let (mut steps, mut path) = (0, vec![]);
    for (met, &place) in (1..).zip(function.places.outermost(function.key)) {
        let value = i128::from(totals.total(place));
        if value < 0 {
            return None;
        }
        out.total += value;
        path.clear();
        let mut context = place;
        let mut is_above = false;
        while context != ContextId::ROOT {
            for frame in profile.frames_of(context).rev() {
                steps += 1;
                if !function.filtered.shows(context, frame) {
                    continue;
                }
                // Frames of the place itself may be inside the function.
                let key = function.key_of(frame);
                if key == function.key {
                    is_above = true;
                    path.clear();
                } else if is_above {
                    path.push(key);
                }
            }
            context = ContextId(parents[context.index()]);
        }
        if steps > MOST_STEPS {
            return None;
        }
        for (distance, &key) in path.iter().enumerate() {
            let sum = out.by_key.entry(key).or_default();
            if std::mem::replace(&mut sum.met, met) == met {
                continue;
            }
            sum.value += value;
            sum.distance = sum.distance.max(distance);
            sum.is_caller |= distance == 0;
        }
    }
    (out.total > 0).then_some(out)
}
