//! Filters: which samples count and which frames show.
//!
//! The meaning of each kind is that of the pprof option of the same name, so that results can be
//! compared. A regular expression matches a frame by its function's name, its file or its module.

use profile::{ContextId, FrameId, LocationId, Profile};
use work::steps;

use crate::label_filter::LabelFilter;
use crate::span_labels;
use crate::time::{Cut, Intervals, Window, contexts_of, time_range};
use crate::{Around, FilterError, Pattern};

/// One filter.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Filter {
    /// What it does.
    pub kind: FilterKind,
    /// A regular expression; for labels see [`LabelFilter`].
    pub pattern: String,
}

/// What a filter does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FilterKind {
    /// Keeps samples with a matching frame.
    Focus,
    /// Drops samples with a matching frame.
    Ignore,
    /// Removes matching frames.
    Hide,
    /// Removes frames that do not match.
    Show,
    /// Cuts stacks above their outermost matching frame; drops samples without one.
    ShowFrom,
    /// Keeps samples and spans with a matching label.
    LabelFocus,
    /// Drops samples and spans with a matching label.
    LabelIgnore,
    /// Keeps what was in a range of time ([`crate::time_range`]); of several ranges what was in any.
    Time,
    /// Keeps what was while a span of a matching frame ran, on its thread.
    During,
    /// Keeps what was near marks of a kind ([`Around`]), on their thread, or on all of their process.
    Around,
}

impl FilterKind {
    /// Whether it chooses points alone, and leaves frames as they are.
    pub fn is_of_points(self) -> bool {
        !matches!(self, FilterKind::Hide | FilterKind::Show | FilterKind::ShowFrom)
    }

    /// Whether it chooses time.
    pub fn is_of_time(self) -> bool {
        matches!(self, FilterKind::Time | FilterKind::During | FilterKind::Around)
    }
}

/// What a filter did.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Effect {
    /// Share of the unfiltered value (0 to 1; of the magnitudes where values are negative) that is
    /// left after this filter and those before it.
    pub kept: f64,
    /// Whether anything matched.
    pub matched: bool,
}

/// What filters and the profile's own `drop_frames` take away. An empty vector takes nothing.
#[derive(Debug, Default, Clone)]
pub(crate) struct Masks {
    /// Frames that do not show, by frame.
    pub(crate) hidden_frames: Vec<bool>,
    /// Contexts none of whose frames show, by context.
    pub(crate) hidden_contexts: Vec<bool>,
    /// Points that do not count, by point.
    pub(crate) dropped_points: Vec<bool>,
    /// The time that counts, where a filter chooses it.
    pub(crate) window: Option<Window>,
    /// Spans that do not count, by row.
    pub(crate) dropped_spans: Vec<bool>,
    /// What the time and the spans that count leave of points.
    pub(crate) cut: Cut,
}

impl Masks {
    /// Works out what the time and the spans that count leave of points.
    fn cut_points(&mut self, profile: &Profile) {
        let Masks { window, dropped_spans, dropped_points, cut, .. } = self;
        *cut = Cut::new(profile, window.as_ref(), dropped_spans, dropped_points);
    }
}

/// A filter ready to use.
pub(crate) enum Compiled {
    Frames(FilterKind, Pattern),
    Labels(FilterKind, LabelFilter),
    Time,
    During(Pattern),
    Around(Around),
}

/// Which contexts of a point filters look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Looks {
    /// The one where its values count.
    Own,
    /// All that it links.
    Linked,
}

impl Looks {
    /// Whether any of a point's contexts fulfils a condition.
    fn any(self, profile: &Profile, point: usize, holds: impl Fn(ContextId) -> bool) -> bool {
        holds(profile.points.context[point])
            || self == Looks::Linked
                && profile.points.links(point).iter().any(|&(_, context)| holds(context))
    }
}

/// Filters ready to use, and the ranges of time that they choose together.
pub(crate) fn compiled(filters: &[Filter]) -> Result<(Vec<Compiled>, Intervals), FilterError> {
    let mut compiled = vec![];
    let mut ranges = Intervals::default();
    for filter in filters {
        compiled.push(match filter.kind {
            kind @ (FilterKind::LabelFocus | FilterKind::LabelIgnore) => {
                Compiled::Labels(kind, LabelFilter::new(&filter.pattern)?)
            }
            FilterKind::Time => {
                ranges = ranges.or(&time_range(&filter.pattern)?);
                Compiled::Time
            }
            FilterKind::During => Compiled::During(Pattern::typed(&filter.pattern)?),
            FilterKind::Around => Compiled::Around(Around::new(&filter.pattern)?),
            kind => Compiled::Frames(kind, Pattern::typed(&filter.pattern)?),
        });
    }
    Ok((compiled, ranges))
}

impl Compiled {
    /// The time that it chooses, if it chooses time.
    pub(crate) fn window(&self, profile: &Profile, ranges: &Intervals) -> Option<Window> {
        match self {
            Compiled::Time => Some(Window::on_axis(profile, ranges.clone())),
            Compiled::During(pattern) => {
                let is_inside = contexts_of(profile, &frames_matching(profile, pattern));
                Some(Window::during(profile, &is_inside))
            }
            Compiled::Around(around) => {
                Some(Window::around(profile, &around.kinds_of(profile), around.margin))
            }
            Compiled::Frames(..) | Compiled::Labels(..) => None,
        }
    }
}

/// Applies filters to what `masks` already take away. `after_each` sees the masks after each filter,
/// with whether it matched anything.
pub(crate) fn apply(
    profile: &Profile,
    filters: &[Filter],
    looks: Looks,
    masks: &mut Masks,
    mut after_each: impl FnMut(&Masks, bool),
) -> Result<(), FilterError> {
    let (compiled, ranges) = compiled(filters)?;
    if compiled.is_empty() {
        return Ok(());
    }
    masks.dropped_points.resize(profile.points.len(), false);

    // Focus and ignore look at what the profile shows before hiding; show-from at what is left.
    let before_hiding = masks.clone();
    for filter in &compiled {
        let matched = match filter {
            Compiled::Labels(kind, filter) => keep_by_label(profile, *kind, filter, masks),
            Compiled::Time | Compiled::During(_) | Compiled::Around(_) => {
                let Some(window) = filter.window(profile, &ranges) else { continue };
                let is_any = !window.is_empty();
                keep_by_time(profile, window, masks);
                match filter {
                    Compiled::Time => masks.dropped_points.contains(&false),
                    _ => is_any,
                }
            }
            Compiled::Frames(kind @ (FilterKind::Hide | FilterKind::Show), pattern) => {
                hide(profile, *kind == FilterKind::Hide, pattern, looks, masks)
            }
            Compiled::Frames(FilterKind::ShowFrom, pattern) => {
                show_from(profile, pattern, looks, masks)
            }
            Compiled::Frames(kind, pattern) => {
                let keep = *kind == FilterKind::Focus;
                let dropped = &mut masks.dropped_points;
                keep_by_frame(profile, keep, pattern, looks, &before_hiding, dropped)
            }
        };
        after_each(masks, matched);
    }
    Ok(())
}

/// Whether frames match, by frame: function, file or module.
pub(crate) fn frames_matching(profile: &Profile, pattern: &Pattern) -> Vec<bool> {
    let functions: Vec<bool> = steps("matching functions", 0..profile.functions.len())
        .map(|row| {
            let texts = [profile.functions.name[row], profile.functions.file[row]];
            texts.into_iter().any(|id| pattern.is_match(profile.text(id)))
        })
        .collect();
    let modules: Vec<bool> =
        profile.modules.iter().map(|module| pattern.is_match(profile.text(module.name))).collect();
    steps("matching frames", 0..profile.frames.len() as u32)
        .map(FrameId)
        .map(|frame| {
            let module = profile.locations.module(profile.frames.location[frame.index()]);
            let function = profile.frames.function(frame);
            module.is_some_and(|m| modules[m.index()])
                || match function {
                    Some(function) => functions[function.index()],
                    None => pattern.is_match(&profile.frame_name(frame)),
                }
        })
        .collect()
}

/// Whether any frame of a location is in `frames` and not hidden, by location.
fn locations_with(profile: &Profile, frames: &[bool], masks: &Masks) -> Vec<bool> {
    (0..profile.locations.len() as u32)
        .map(|l| {
            profile.locations.frames(LocationId(l)).any(|frame| {
                let frame = frame as usize;
                frames[frame] && !masks.hidden_frames.get(frame).copied().unwrap_or(false)
            })
        })
        .collect()
}

/// Whether a context or one of its ancestors has a marked location, by context.
pub(crate) fn paths_with(
    profile: &Profile,
    marked: &[bool],
    hidden_contexts: &[bool],
) -> Vec<bool> {
    let mut on_path = vec![false; profile.contexts.len()];
    let parents = profile.contexts.parents();
    for context in steps("filtering contexts", 1..on_path.len()) {
        let own = profile
            .contexts
            .location(ContextId(context as u32))
            .is_some_and(|location| marked[location.index()])
            && !hidden_contexts.get(context).copied().unwrap_or(false);
        on_path[context] = own || on_path[parents[context] as usize];
    }
    on_path
}

/// By context, whether a frame that shows matches on its stack.
pub(crate) fn paths_matching(profile: &Profile, pattern: &Pattern, visible: &Masks) -> Vec<bool> {
    let marked = locations_with(profile, &frames_matching(profile, pattern), visible);
    paths_with(profile, &marked, &visible.hidden_contexts)
}

fn keep_by_frame(
    profile: &Profile,
    keep: bool,
    pattern: &Pattern,
    looks: Looks,
    visible: &Masks,
    dropped: &mut [bool],
) -> bool {
    let on_path = paths_matching(profile, pattern, visible);
    let mut any = false;
    for (point, dropped) in steps("filtering", dropped.iter_mut().enumerate()) {
        let matches = looks.any(profile, point, |context| on_path[context.index()]);
        any |= matches;
        *dropped |= matches != keep;
    }
    any
}

fn keep_by_time(profile: &Profile, window: Window, masks: &mut Masks) {
    let window = match &masks.window {
        Some(known) => known.and(&window),
        None => window,
    };
    masks.window = Some(window);
    masks.cut_points(profile);
}

fn keep_by_label(
    profile: &Profile,
    kind: FilterKind,
    filter: &LabelFilter,
    masks: &mut Masks,
) -> bool {
    let keep = kind == FilterKind::LabelFocus;
    let mut judged = filter.judged(profile);
    let spans = judged.matching_spans(profile);
    let counts_spans = match &spans {
        Some(_) => span_labels::points_of_spans(profile),
        None => vec![],
    };
    let mut any = false;
    for (point, dropped) in steps("filtering", masks.dropped_points.iter_mut().enumerate()) {
        if counts_spans.get(point).copied().unwrap_or(false) {
            continue;
        }
        let matches = judged.matches_point(profile, point);
        any |= matches;
        *dropped |= matches != keep;
    }
    if let Some(spans) = spans {
        masks.dropped_spans.resize(spans.len(), false);
        for (dropped, matches) in masks.dropped_spans.iter_mut().zip(spans) {
            any |= matches;
            *dropped |= matches != keep;
        }
        masks.cut_points(profile);
    }
    any
}

/// Hides the frames that match (or, with `!matching`, those that do not). Points that no longer
/// show any frame are dropped, unless their stack was empty from the start.
fn hide(
    profile: &Profile,
    matching: bool,
    pattern: &Pattern,
    looks: Looks,
    masks: &mut Masks,
) -> bool {
    let (any, shows) = hide_frames(profile, matching, pattern, masks);
    let dropped_points = masks.dropped_points.iter_mut().enumerate();
    for (point, dropped) in steps("filtering", dropped_points) {
        *dropped |= looks.any(profile, point, |context| context != ContextId::ROOT)
            && !looks.any(profile, point, |context| shows[context.index()]);
    }
    any
}

/// Hides frames; says whether any matched, and by context whether its stack still shows one.
pub(crate) fn hide_frames(
    profile: &Profile,
    matching: bool,
    pattern: &Pattern,
    masks: &mut Masks,
) -> (bool, Vec<bool>) {
    let matches = frames_matching(profile, pattern);
    masks.hidden_frames.resize(profile.frames.len(), false);
    let mut any = false;
    for (hidden, matches) in masks.hidden_frames.iter_mut().zip(matches) {
        any |= matches;
        *hidden |= matches == matching;
    }
    let all = vec![true; profile.frames.len()];
    let marked = locations_with(profile, &all, masks);
    (any, paths_with(profile, &marked, &masks.hidden_contexts))
}

fn show_from(profile: &Profile, pattern: &Pattern, looks: Looks, masks: &mut Masks) -> bool {
    let (any, below) = cut_above(profile, pattern, masks);
    for (point, dropped) in masks.dropped_points.iter_mut().enumerate() {
        *dropped |= !looks.any(profile, point, |context| below[context.index()]);
    }
    any
}

/// Hides what is above the outermost frames that match; says whether any does, and by context whether
/// one is on its stack.
pub(crate) fn cut_above(
    profile: &Profile,
    pattern: &Pattern,
    masks: &mut Masks,
) -> (bool, Vec<bool>) {
    let frames = frames_matching(profile, pattern);
    let marked = locations_with(profile, &frames, masks);
    let below = paths_with(profile, &marked, &masks.hidden_contexts);
    masks.hidden_frames.resize(profile.frames.len(), false);
    masks.hidden_contexts.resize(profile.contexts.len(), false);
    // Inside a matching location the frames outside its outermost match go too.
    for (location, _) in marked.iter().enumerate().filter(|(_, marked)| **marked) {
        for frame in profile.locations.frames(LocationId(location as u32)) {
            if frames[frame as usize] && !masks.hidden_frames[frame as usize] {
                break;
            }
            masks.hidden_frames[frame as usize] = true;
        }
    }
    for (hidden, below) in masks.hidden_contexts.iter_mut().zip(&below).skip(1) {
        *hidden |= !below;
    }
    (marked.contains(&true), below)
}
