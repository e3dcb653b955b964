//! Where rules fit.

use std::collections::{HashMap, HashSet};

use profile::{ContextId, FrameId, LocationKind, MetricId, Profile, unit_scale};
use work::steps;

use super::rule::Compiled;
use super::{Advice, AdviceRule, AllAdvice, LeftOutRule, OfValue};
use crate::formula::{Formula, Which};
use crate::{Filtered, FlatValues, FrameKey, FrameKeys, distinct_names, flat_values, linked_roles};

/// What rules say of a profile, in a metric or in those that they name. Rules that are none are left out
/// and told.
///
/// Takes a pass over the contexts for each rule that asks for paths, and one over the functions for others.
pub fn advice(
    filtered: &Filtered,
    keys: &FrameKeys,
    metric: MetricId,
    rules: &[AdviceRule],
) -> AllAdvice {
    let mut all = AllAdvice::default();
    let mut flats = Flats::new(filtered, keys);
    for (rule, written) in rules.iter().enumerate() {
        match fitting(&mut flats, metric, written) {
            Ok(found) => {
                all.found.extend(found.into_iter().map(|advice| Advice { rule, ..advice }))
            }
            Err(Silent::Never(why)) => all.left_out.push(LeftOutRule { rule, why }),
            Err(Silent::NotHere) => {}
        }
    }
    all.found.sort_by(|one, other| {
        other
            .share
            .total_cmp(&one.share)
            .then(one.rule.cmp(&other.rule))
            .then(one.key.cmp(&other.key))
    });
    all
}

/// Why a rule says nothing.
enum Silent {
    /// It asks for what the profile does not have.
    Never(String),
    /// It is about something else.
    NotHere,
}

/// Values of all functions by metric, as they are asked for.
struct Flats<'a> {
    filtered: &'a Filtered,
    keys: &'a FrameKeys,
    known: HashMap<MetricId, FlatValues>,
}

impl<'a> Flats<'a> {
    fn new(filtered: &'a Filtered, keys: &'a FrameKeys) -> Flats<'a> {
        Flats { filtered, keys, known: HashMap::new() }
    }

    fn of(&mut self, metric: MetricId) -> &FlatValues {
        let Flats { filtered, keys, known } = self;
        known
            .entry(metric)
            .or_insert_with(|| flat_values(filtered, keys.keys(), keys.len(), metric))
    }
}

fn fitting(
    flats: &mut Flats<'_>,
    looked_at: MetricId,
    rule: &AdviceRule,
) -> Result<Vec<Advice>, Silent> {
    let (filtered, keys) = (flats.filtered, flats.keys);
    let profile = filtered.profile();
    let compiled = rule.compile().map_err(|error| Silent::Never(error.to_string()))?;
    let names = distinct_names(&profile.metrics);
    let metric = match &*rule.metric {
        "" => filtered.base_metric(looked_at),
        name => {
            let found = names.iter().position(|metric| metric.name.eq_ignore_ascii_case(name));
            let found = found.ok_or_else(|| {
                Silent::Never(format!("metric: the profile has no metric {name}"))
            })?;
            MetricId(found as u32)
        }
    };
    let role = match &*rule.role {
        "" => None,
        name => {
            let mut roles = linked_roles(profile).into_iter();
            let found = roles.find(|role| role.name(profile).eq_ignore_ascii_case(name));
            let why = || format!("role: no points of the profile link contexts as {name}");
            Some(found.ok_or_else(|| Silent::Never(why()))?)
        }
    };
    let measured = profile.metric(metric);
    if !measured.combining.is_sum() {
        return Err(Silent::NotHere);
    }
    let kind = unit_scale(&measured.unit).1;
    if rule.unit.is_some_and(|unit| !unit.is_of(kind, &measured.unit)) {
        return Err(Silent::NotHere);
    }
    let when = match &*rule.when {
        "" => None,
        text => Some(
            Formula::new(text, &names).map_err(|error| Silent::Never(format!("when: {error}")))?,
        ),
    };
    let everything = filtered.program_total(metric);
    if everything <= 0 {
        return Err(Silent::NotHere);
    }
    let fits: Vec<bool> = keys.all().map(|key| compiled.fits(profile, keys, key)).collect();
    if !fits.contains(&true) {
        return Ok(vec![]);
    }
    let asked = RuleCandidate {
        metric,
        everything,
        rule,
        compiled: &compiled,
        fits: &fits,
        when: when.as_ref(),
    };
    Ok(match role {
        Some(role) => asked.found(&mut Flats::new(&filtered.at_role(role, &[]), keys)),
        None => asked.found(flats),
    })
}

/// A rule that may have something to say.
struct RuleCandidate<'a> {
    metric: MetricId,
    /// Of the whole program.
    everything: i64,
    rule: &'a AdviceRule,
    compiled: &'a Compiled,
    /// By function.
    fits: &'a [bool],
    when: Option<&'a Formula>,
}

impl RuleCandidate<'_> {
    fn found(&self, flats: &mut Flats<'_>) -> Vec<Advice> {
        let RuleCandidate { metric, everything, rule, compiled, fits, when } = *self;
        let (filtered, keys) = (flats.filtered, flats.keys);
        let values = if rule.is_about_paths() {
            on_paths(filtered, keys, metric, rule, compiled, fits)
        } else {
            let FlatValues { self_value, total_value, .. } = flats.of(metric);
            match rule.of {
                OfValue::Own => self_value.clone(),
                OfValue::Total => total_value.clone(),
            }
        };
        let is_estimated = rule.is_about_paths() && filtered.profile().origin.estimated_paths;
        let mut found = vec![];
        for key in keys.all().filter(|key| fits[key.index()]) {
            let value = values[key.index()];
            let share = value as f64 / everything as f64;
            if value <= 0 || share * 100.0 < rule.share {
                continue;
            }
            if when.is_none_or(|when| holds(when, flats, key, rule.of)) {
                found.push(Advice { rule: 0, key, metric, value, share, is_estimated });
            }
        }
        found
    }
}

/// Whether a formula has a value other than 0 for a function.
fn holds(when: &Formula, flats: &mut Flats<'_>, key: FrameKey, of: OfValue) -> bool {
    let value = |input: &crate::formula::Input| {
        let (own, total) = flats.of(input.metric).of(key);
        Some(match (input.which, of) {
            (Which::SelfValue, _) | (Which::Column, OfValue::Own) => own,
            _ => total,
        })
    };
    let values: Vec<Option<i64>> = when.inputs().iter().map(value).collect();
    when.evaluate(&values, &[], None).is_some_and(|value| value != 0.0)
}

impl Compiled {
    fn fits(&self, profile: &Profile, keys: &FrameKeys, key: FrameKey) -> bool {
        let Compiled { name, file, module, .. } = self;
        let frame = keys.representative(key);
        name.as_ref().is_none_or(|name| name.is_match(&keys.name(profile, key)))
            && file.as_ref().is_none_or(|file| file.is_match(profile.frame_file(frame)))
            && module.as_ref().is_none_or(|module| module.is_match(profile.frame_module(frame)))
    }
}

/// The values of the occurrences of functions that a rule is about. A sample counts once for a function: of
/// occurrences inside one another that fit, the outermost one counts.
fn on_paths(
    filtered: &Filtered,
    keys: &FrameKeys,
    metric: MetricId,
    rule: &AdviceRule,
    compiled: &Compiled,
    fits: &[bool],
) -> Vec<i64> {
    let profile = filtered.profile();
    let callers: Vec<bool> = match &compiled.below {
        Some(below) => keys.all().map(|key| below.is_match(&keys.name(profile, key))).collect(),
        None => vec![],
    };
    let mut path = Path {
        callers: 0,
        loops: 0,
        open: vec![0; keys.len()],
        parts: vec![0; keys.len()],
        counted: vec![0; keys.len()],
    };
    let mut values = vec![0i64; keys.len()];
    // Occurrences that fit.
    let mut meant: HashSet<(ContextId, u32)> = HashSet::new();
    // Contexts around, each with how much was entered before it.
    let mut open: Vec<(ContextId, usize)> = vec![];
    let mut entered: Vec<Entered> = vec![];
    let totals = filtered.totals(metric);
    let contexts = 1..profile.contexts.len() as u32;
    for context in steps("looking for advice", contexts).map(ContextId) {
        while let Some(&(last, before)) = open.last()
            && profile.contexts.end(last) <= context.0
        {
            open.pop();
            entered.drain(before..).for_each(|one| path.leave(&one));
        }
        open.push((context, entered.len()));
        let location = profile.contexts.location(context);
        let kind = location.map(|location| profile.locations.get(location).kind);
        let is_loop = kind == Some(LocationKind::Loop);
        // Loops and blocks may be called like the function that they are parts of.
        let is_part = is_loop || kind == Some(LocationKind::Block);
        if is_loop {
            entered.push(path.enter_loop());
        }
        let frames = profile.frames_of(context);
        let first = frames.start;
        for frame in frames.filter(|&frame| filtered.shows(context, frame)) {
            let key = keys.key(FrameId(frame));
            let at = key.index();
            let is_meant = fits[at]
                && (compiled.below.is_none() || path.callers > 0)
                && (!rule.in_loop || path.loops > 0)
                && (!rule.recursive || path.is_inside(at, is_part && frame == first));
            let is_caller = callers.get(at).copied().unwrap_or(false);
            if is_meant {
                match rule.of {
                    OfValue::Total if path.counted[at] == 0 => {
                        values[at] = values[at].saturating_add(totals.total(context));
                    }
                    OfValue::Own => drop(meant.insert((context, frame))),
                    OfValue::Total => {}
                }
            }
            entered.push(path.enter(key, [is_caller, is_meant, is_part && frame == first]));
        }
    }
    if rule.of == OfValue::Own {
        for (context, row) in filtered.self_values().iter() {
            if let Some(place @ (_, frame)) = filtered.innermost_shown(context, None)
                && meant.contains(&place)
            {
                let sum = &mut values[keys.key(FrameId(frame)).index()];
                *sum = sum.saturating_add(row[metric.index()]);
            }
        }
    }
    values
}

/// What is known of the contexts around one.
struct Path {
    /// Frames that `below` matches.
    callers: u32,
    loops: u32,
    /// By function, how often it is on the path.
    open: Vec<u32>,
    /// By function, how many of these are loops or blocks.
    parts: Vec<u32>,
    /// By function, how many occurrences on the path fit.
    counted: Vec<u32>,
}

/// What is to be taken back when a context is over.
enum Entered {
    Loop,
    Frame { key: FrameKey, is_caller: bool, is_meant: bool, is_part: bool },
}

impl Path {
    fn enter_loop(&mut self) -> Entered {
        self.loops += 1;
        Entered::Loop
    }

    /// Whether a frame is inside of its function. A loop or block of the function that is called like it stands
    /// in it once anyway.
    fn is_inside(&self, at: usize, is_part: bool) -> bool {
        let calls = self.open[at] - self.parts[at];
        if is_part && calls > 0 { calls > 1 } else { self.open[at] > 0 }
    }

    fn enter(&mut self, key: FrameKey, [is_caller, is_meant, is_part]: [bool; 3]) -> Entered {
        self.callers += u32::from(is_caller);
        self.open[key.index()] += 1;
        self.parts[key.index()] += u32::from(is_part);
        self.counted[key.index()] += u32::from(is_meant);
        Entered::Frame { key, is_caller, is_meant, is_part }
    }

    fn leave(&mut self, entered: &Entered) {
        match *entered {
            Entered::Loop => self.loops -= 1,
            Entered::Frame { key, is_caller, is_meant, is_part } => {
                self.parts[key.index()] -= u32::from(is_part);
                self.callers -= u32::from(is_caller);
                self.open[key.index()] -= 1;
                self.counted[key.index()] -= u32::from(is_meant);
            }
        }
    }
}
