//! A profile as its filters leave it.

use std::sync::{Arc, OnceLock};

use profile::{ContextId, LabelSetId, MemberId, MetricId, Profile, Span, Track};
use work::steps;

use crate::chosen_by::ChosenBy;
use crate::correlate::LinkedRole;
use crate::filter::{Effect, Filter, FilterKind};
use crate::filters::{Choice, Filters, Looks, OfPoints};
use crate::label_filter::LabelFilter;
use crate::members::PointsOfContexts;
use crate::shown::Hidden;
use crate::statistics::Times;
use crate::time::{Cut, Window};
use crate::{Derived, DerivedMetrics, FilterError, PatternError, drop_frames};

/// A profile with masks over it, and the values that are left.
#[derive(Debug)]
pub struct Filtered {
    profile: Arc<Profile>,
    /// What does not show.
    hidden: Hidden,
    chosen_by: ChosenBy,
    /// By point, the context where it counts; empty if that is its own.
    at: Vec<ContextId>,
    drop_frames_error: Option<PatternError>,
    self_values: OnceLock<SelfValues>,
    totals: Vec<OnceLock<Totals>>,
    kept_below: OnceLock<Vec<bool>>,
    points: OnceLock<PointsOfContexts>,
    order: OnceLock<Option<Times>>,
    derived: Arc<DerivedMetrics>,
    /// By measured metric, how to tell its values where they do not add up.
    combined: Vec<Option<Arc<Derived>>>,
}

/// Values of contexts' own, all metrics, for the contexts that have any: sorted by context.
#[derive(Debug, Default)]
pub struct SelfValues {
    contexts: Vec<ContextId>,
    values: Vec<i64>,
    metrics: usize,
}

impl SelfValues {
    /// Contexts with their values, one a metric.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (ContextId, &[i64])> {
        let row = |i: usize| &self.values[i * self.metrics..][..self.metrics];
        self.contexts.iter().enumerate().map(move |(i, &context)| (context, row(i)))
    }

    /// How many metrics a row has.
    pub fn metrics(&self) -> usize {
        self.metrics
    }

    fn new(filtered: &Filtered) -> SelfValues {
        let profile = &filtered.profile;
        let points = &profile.points;
        let metrics = points.metrics();
        // First which contexts have a value, then where each one's row is.
        let mut present = vec![false; profile.contexts.len()];
        let point_contexts = filtered.point_contexts();
        for (point, context) in steps("finding contexts", point_contexts.iter().enumerate()) {
            present[context.index()] |= filtered.keeps_point(point);
        }
        let contexts: Vec<ContextId> = (0..present.len() as u32)
            .filter(|&context| present[context as usize])
            .map(ContextId)
            .collect();
        drop(present);
        let mut row = vec![0u32; profile.contexts.len()];
        for (index, context) in contexts.iter().enumerate() {
            row[context.index()] = index as u32;
        }
        let mut values = vec![0i64; contexts.len() * metrics];
        let mut rows = filtered.cut().rows();
        let kept = |(point, _): &(usize, &ContextId)| filtered.keeps_point(*point);
        let all = steps("adding up values", point_contexts.iter().enumerate());
        for (point, context) in all.filter(kept) {
            let sums = &mut values[row[context.index()] as usize * metrics..][..metrics];
            let own = rows.row(point).unwrap_or_else(|| points.row(point));
            for (sum, value) in sums.iter_mut().zip(own) {
                *sum = sum.saturating_add(*value);
            }
        }
        SelfValues { contexts, values, metrics }
    }
}

/// Total values of a metric, by context.
#[derive(Debug)]
pub struct Totals {
    total: Vec<i64>,
    /// Sums of magnitudes, where some value is negative.
    weight: Option<Vec<i64>>,
}

impl Totals {
    /// Total value of a context: its own and its descendants'.
    pub fn total(&self, context: ContextId) -> i64 {
        self.total[context.index()]
    }

    /// What a context's width in a picture stands for: its total, or the sum of magnitudes below
    /// it where the metric has negative values.
    pub fn weight(&self, context: ContextId) -> i64 {
        self.weight.as_ref().unwrap_or(&self.total)[context.index()]
    }

    fn new(filtered: &Filtered, metric: MetricId) -> Totals {
        let profile = &filtered.profile;
        let negative = filtered.kept_values(metric).any(|(_, value)| value < 0);
        let sum = |value: fn(i64) -> i64| {
            let mut totals = vec![0i64; profile.contexts.len()];
            for (context, own) in filtered.kept_values(metric) {
                let total = &mut totals[context.index()];
                *total = total.saturating_add(value(own));
            }
            let parents = profile.contexts.parents();
            for context in steps("adding up contexts", (1..totals.len()).rev()) {
                let parent = parents[context] as usize;
                totals[parent] = totals[parent].saturating_add(totals[context]);
            }
            totals
        };
        Totals { total: sum(|v| v), weight: negative.then(|| sum(i64::saturating_abs)) }
    }
}

impl Filtered {
    /// Applies the profile's own `drop_frames` (if `drop_frames` asks for it), then `filters`.
    pub fn new(
        profile: Arc<Profile>,
        filters: &[Filter],
        drop_frames: bool,
    ) -> Result<Filtered, FilterError> {
        Filtered::looking(Looks::Own, profile, filters, drop_frames)
    }

    /// The same for linked views: filters look at every context of a point, so that the views of
    /// all roles count the same points.
    pub fn linked(
        profile: Arc<Profile>,
        filters: &[Filter],
        drop_frames: bool,
    ) -> Result<Filtered, FilterError> {
        Filtered::looking(Looks::Linked, profile, filters, drop_frames)
    }

    fn looking(
        looks: Looks,
        profile: Arc<Profile>,
        filters: &[Filter],
        drop_frames: bool,
    ) -> Result<Filtered, FilterError> {
        check_labels(&profile, filters)?;
        let (mut hidden, drop_frames_error) = hidden_by_itself(&profile, drop_frames);
        let compiled = Filters::new(&profile, filters, looks, &mut hidden)?;
        let chosen_by = ChosenBy::new(filters, drop_frames, compiled);
        Ok(Filtered::masked(profile, hidden, chosen_by, vec![], drop_frames_error))
    }

    fn masked(
        profile: Arc<Profile>,
        hidden: Hidden,
        chosen_by: ChosenBy,
        at: Vec<ContextId>,
        drop_frames_error: Option<PatternError>,
    ) -> Filtered {
        let combined = |metric| Derived::combined(metric, &profile).map(Arc::new);
        let combined = profile.metric_ids().map(combined).collect();
        Filtered {
            totals: profile.metrics.iter().map(|_| OnceLock::new()).collect(),
            order: OnceLock::new(),
            profile,
            hidden,
            chosen_by,
            at,
            drop_frames_error,
            self_values: OnceLock::new(),
            kept_below: OnceLock::new(),
            points: OnceLock::new(),
            derived: Arc::default(),
            combined,
        }
    }

    fn of_points(&self) -> &OfPoints {
        self.chosen_by.of_points(&self.profile)
    }

    /// The filters, and whether the profile's own `drop_frames` counts.
    pub(crate) fn filters(&self) -> (Vec<Filter>, bool) {
        self.chosen_by.filters()
    }

    /// What filters choose without looking at points, where they can.
    pub(crate) fn choice(&self) -> Option<&Choice> {
        self.chosen_by.choice()
    }

    /// The same with metrics that are derived from those of the profile.
    pub fn deriving(self, derived: Arc<DerivedMetrics>) -> Filtered {
        Filtered { derived, ..self }
    }

    /// The same profile with each point at the context that has a role in it, and only the points
    /// whose contexts of other roles are all chosen.
    pub fn at_role(
        &self,
        role: LinkedRole,
        chosen: &[(LinkedRole, &dyn Fn(ContextId) -> bool)],
    ) -> Filtered {
        let points = &self.profile.points;
        let mut of_points = self.of_points().clone();
        let dropped = &mut of_points.dropped;
        dropped.resize(points.len(), false);
        let mut at = points.context.clone();
        for (point, dropped) in dropped.iter_mut().enumerate() {
            let links = points.links(point);
            let is_chosen = chosen.iter().all(|(other, holds)| other.of(links).is_some_and(holds));
            match role.of(links) {
                Some(context) if is_chosen => at[point] = context,
                _ => *dropped = true,
            }
        }
        let chosen_by = self.chosen_by.with(of_points, self.parts());
        let error = self.drop_frames_error.clone();
        Filtered::masked(self.profile.clone(), self.hidden.clone(), chosen_by, at, error)
            .deriving(self.derived.clone())
    }

    /// What each filter does, measured in `metric`; `linked` as for [`Filtered::linked`].
    pub fn effects(
        profile: &Profile,
        filters: &[Filter],
        drop_frames: bool,
        metric: MetricId,
        linked: bool,
    ) -> Result<Vec<Effect>, FilterError> {
        let looks = if linked { Looks::Linked } else { Looks::Own };
        let magnitude = |left: &OfPoints| -> f64 {
            let mut rows = left.cut.rows();
            let values = profile.points.values(metric).enumerate();
            let kept = values.filter(|(point, _)| !left.drops(*point));
            kept.map(|(point, value)| {
                let value = rows.row(point).map_or(value, |row| row[metric.index()]);
                (value as f64).abs()
            })
            .sum()
        };
        let all = magnitude(&OfPoints::default());
        let mut effects = vec![];
        let (mut hidden, _) = hidden_by_itself(profile, drop_frames);
        let filters = Filters::new(profile, filters, looks, &mut hidden)?;
        filters.points(profile, &mut |left, matched| {
            let kept = if all == 0.0 { 0.0 } else { magnitude(left) / all };
            effects.push(Effect { kept, matched });
        });
        Ok(effects)
    }

    /// The profile.
    pub fn profile(&self) -> &Arc<Profile> {
        &self.profile
    }

    /// Why the profile's own `drop_frames` could not be applied, if so.
    pub fn drop_frames_error(&self) -> Option<&PatternError> {
        self.drop_frames_error.as_ref()
    }

    /// Contexts none of whose frames show because of the profile's own `drop_frames` or a
    /// show-from filter.
    pub fn hidden_contexts(&self) -> usize {
        self.hidden.contexts.iter().filter(|hidden| **hidden).count()
    }

    /// Whether a point counts.
    pub fn keeps_point(&self, point: usize) -> bool {
        self.chosen_by.is_of_all() || !self.of_points().drops(point)
    }

    /// Whether everything counts and shows, each point at its own context.
    pub(crate) fn is_whole(&self) -> bool {
        let OfPoints { dropped, cut, .. } = self.of_points();
        let counts_all = !dropped.contains(&true) && cut.is_empty();
        counts_all && self.hidden.is_nothing() && self.at.is_empty()
    }

    /// Whether a frame shows in a context.
    #[inline]
    pub fn shows(&self, context: ContextId, frame: u32) -> bool {
        self.hidden.shows(context, frame)
    }

    /// By point, the context where it counts: its own, or the one of [`Filtered::at_role`].
    pub fn point_contexts(&self) -> &[ContextId] {
        if self.at.is_empty() { &self.profile.points.context } else { &self.at }
    }

    /// A metric by its number, if its values do not just add up: a derived one, or a measured one
    /// that combines in another way.
    pub fn derived(&self, metric: MetricId) -> Option<Arc<Derived>> {
        match self.combined.get(metric.index()) {
            Some(combined) => combined.clone(),
            None => self.derived.get(metric.index() - self.combined.len()),
        }
    }

    /// The measured metric that stands for a metric where sums over anything but nodes are needed:
    /// itself, or [`Derived::base`].
    pub fn base_metric(&self, metric: MetricId) -> MetricId {
        self.derived(metric).map_or(metric, |derived| derived.base())
    }

    /// The members that count: all but those that label filters leave nothing of.
    pub fn parts(&self) -> &[MemberId] {
        self.chosen_by.parts(&self.profile)
    }

    /// The order of the parts, for trends; none for less than two.
    pub fn order(&self) -> Option<&Times> {
        self.order.get_or_init(|| Times::of_order(self.parts().len())).as_ref()
    }

    /// Which points belong to which contexts; computed once.
    pub(crate) fn points_of_contexts(&self) -> &PointsOfContexts {
        self.points.get_or_init(|| PointsOfContexts::new(self))
    }

    /// Context and value of each kept point.
    pub(crate) fn kept_values(&self, metric: MetricId) -> impl Iterator<Item = (ContextId, i64)> {
        let points = &self.profile.points;
        let contexts = self.point_contexts().iter().copied();
        let values = contexts.zip(points.values(metric)).enumerate();
        let mut rows = self.cut().rows();
        values.filter(|(point, _)| self.keeps_point(*point)).map(
            move |(point, (context, value))| {
                (context, rows.row(point).map_or(value, |row| row[metric.index()]))
            },
        )
    }

    /// The values that count of a point, one a metric.
    pub fn row(&self, point: usize) -> &[i64] {
        self.cut().row(point).unwrap_or_else(|| self.profile.points.row(point))
    }

    /// The values that count in part.
    pub(crate) fn cut(&self) -> &Cut {
        &self.of_points().cut
    }

    /// Whether the span of a row counts, at whatever time.
    pub fn keeps_span(&self, row: usize, span: &Span) -> bool {
        self.chosen_by.is_of_all() || self.of_points().keeps_span(row, span)
    }

    /// What counts of the span of a row, on a track: see [`Window::clip`]. Nothing if labels drop it or
    /// its point does not count.
    pub fn clip(&self, track: &Track, row: usize, span: &Span) -> Option<[i64; 3]> {
        if !self.keeps_span(row, span) {
            return None;
        }
        match self.window() {
            Some(window) => window.clip(track, span),
            None => Some([span.begin, span.end(), span.length]),
        }
    }

    /// Whether an instant of a track counts.
    pub fn keeps_time(&self, track: &Track, time: i64) -> bool {
        self.window().is_none_or(|window| window.of(track.member, track.thread).contains(time))
    }

    /// The time that counts, where a filter chooses it.
    pub fn window(&self) -> Option<&Window> {
        self.chosen_by.compiled().window()
    }

    /// Whether a point that counts belongs to the context or one below it.
    pub(crate) fn keeps_below(&self, context: ContextId) -> bool {
        if self.of_points().dropped.is_empty() {
            return true;
        }
        let kept = self.kept_below.get_or_init(|| {
            let mut kept = vec![false; self.profile.contexts.len()];
            let points = self.point_contexts().iter().enumerate();
            for (point, context) in steps("filtering", points) {
                kept[context.index()] |= self.keeps_point(point);
            }
            let parents = self.profile.contexts.parents();
            for context in (1..kept.len()).rev() {
                kept[parents[context] as usize] |= kept[context];
            }
            kept
        });
        kept[context.index()]
    }

    /// Own values; computed once.
    pub fn self_values(&self) -> &SelfValues {
        self.self_values.get_or_init(|| SelfValues::new(self))
    }

    /// Total values of a metric; computed once.
    pub fn totals(&self, metric: MetricId) -> &Totals {
        self.totals[metric.index()].get_or_init(|| Totals::new(self, metric))
    }

    /// The innermost frame that shows at or above `frames_of(context)[..below]`: its context and
    /// frame.
    pub fn innermost_shown(
        &self,
        mut context: ContextId,
        below: Option<u32>,
    ) -> Option<(ContextId, u32)> {
        let mut limit = below;
        loop {
            let frames = self.profile.frames_of(context);
            let end = limit.take().unwrap_or(frames.end);
            if let Some(frame) = (frames.start..end).rev().find(|&frame| self.shows(context, frame))
            {
                return Some((context, frame));
            }
            context = self.profile.contexts.parent(context)?;
        }
    }
}

/// Refuses filters by arguments of spans where members are parts, which have no spans.
fn check_labels(profile: &Profile, filters: &[Filter]) -> Result<(), FilterError> {
    if !profile.origin.members_are_parts || !profile.timeline.spans.is_empty() {
        return Ok(());
    }
    let is_label = |kind| matches!(kind, FilterKind::LabelFocus | FilterKind::LabelIgnore);
    let mut of_points: Option<Vec<bool>> = None;
    for Filter { pattern, .. } in filters.iter().filter(|filter| is_label(filter.kind)) {
        let of_points = of_points.get_or_insert_with(|| {
            let mut used = vec![false; profile.label_sets.len()];
            let points = 0..profile.points.len();
            points.for_each(|point| used[profile.points.labels(point).index()] = true);
            used
        });
        let judged = LabelFilter::new(pattern)?.judged(profile);
        let mut unused = (0..of_points.len()).filter(|&set| !of_points[set]);
        if unused.any(|set| judged.matches_set(LabelSetId(set as u32))) {
            return Err(FilterError::NoSpans(pattern.clone()));
        }
    }
    Ok(())
}

/// What the profile's own `drop_frames` hides; nothing if its expression is broken.
fn hidden_by_itself(profile: &Profile, drop_frames: bool) -> (Hidden, Option<PatternError>) {
    if !drop_frames {
        return (Hidden::default(), None);
    }
    match drop_frames::hidden(profile) {
        Ok(hidden) => (hidden, None),
        Err(error) => (Hidden::default(), Some(error)),
    }
}
