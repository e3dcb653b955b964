//! Filters, worked out for a profile: what each of them chooses, and what they leave of points.
//!
//! ```text
//! Filter, Filter, ... --- Filters: a step per filter --+-- points   what is left, point by point
//!                              |                       \-- choice   the same without looking at points
//!                              \--- Hidden: frames and contexts that do not show
//! ```

use profile::{ContextId, LabelSetId, MemberId, Profile, Span, ThreadId};
use work::steps;

use crate::label_filter::{JudgedLabels, LabelFilter};
use crate::shown::{Hidden, frames_matching};
use crate::span_labels;
use crate::time::{Cut, Intervals, Window, contexts_of, time_range};
use crate::{Around, Filter, FilterError, FilterKind, Pattern};

/// Filters in their order.
#[derive(Debug, Clone)]
pub(crate) struct Filters {
    looks: Looks,
    steps: Vec<Step>,
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

/// What a filter chooses.
#[derive(Debug, Clone)]
enum Step {
    /// Keeps what has these labels, or else drops it.
    Labels { keep: bool, labels: JudgedLabels },
    /// Chooses by contexts; `matched` is whether a frame matched, where that decides.
    Contexts { of: Vec<bool>, rule: Rule, matched: Option<bool> },
    /// Leaves this time, of which the filter itself chooses any or not.
    Time { left: Window, matched: Option<bool> },
}

/// Which points contexts drop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rule {
    /// Those without a chosen context.
    Needs,
    /// The same, but points whose stacks are empty stay.
    NeedsUnlessEmpty,
    /// Those with a chosen context.
    Refuses,
}

impl Filters {
    /// Filters for a profile. `hidden` gets what they hide.
    ///
    /// # Errors
    /// A filter cannot be understood.
    pub(crate) fn new(
        profile: &Profile,
        filters: &[Filter],
        looks: Looks,
        hidden: &mut Hidden,
    ) -> Result<Filters, FilterError> {
        let mut ranges = Intervals::default();
        for filter in filters.iter().filter(|filter| filter.kind == FilterKind::Time) {
            ranges = ranges.or(&time_range(&filter.pattern)?);
        }
        // Focus and ignore look at what the profile shows before hiding; show-from at what is left.
        let before_hiding = hidden.clone();
        let mut made = Filters { looks, steps: vec![] };
        for Filter { kind, pattern } in filters {
            let frames = || Pattern::typed(pattern);
            let step = match kind {
                FilterKind::LabelFocus | FilterKind::LabelIgnore => Step::Labels {
                    keep: *kind == FilterKind::LabelFocus,
                    labels: LabelFilter::new(pattern)?.judged(profile),
                },
                FilterKind::Focus | FilterKind::Ignore => Step::Contexts {
                    of: before_hiding.paths_matching(profile, &frames()?),
                    rule: if *kind == FilterKind::Focus { Rule::Needs } else { Rule::Refuses },
                    matched: None,
                },
                FilterKind::Search => Step::Contexts {
                    of: before_hiding.paths_matching(profile, &Pattern::search(pattern)?),
                    rule: Rule::Needs,
                    matched: None,
                },
                FilterKind::Hide | FilterKind::Show => {
                    let matching = *kind == FilterKind::Hide;
                    let (matched, of) = hidden.hide(profile, matching, &frames()?);
                    Step::Contexts { of, rule: Rule::NeedsUnlessEmpty, matched: Some(matched) }
                }
                FilterKind::ShowFrom => {
                    let (matched, of) = hidden.cut_above(profile, &frames()?);
                    Step::Contexts { of, rule: Rule::Needs, matched: Some(matched) }
                }
                FilterKind::Time => made.time(Window::on_axis(profile, ranges.clone()), |_| None),
                FilterKind::During => {
                    let is_inside = contexts_of(profile, &frames_matching(profile, &frames()?));
                    made.time(Window::during(profile, &is_inside), |own| Some(!own.is_empty()))
                }
                FilterKind::Around => {
                    let around = Around::new(pattern)?;
                    let window = Window::around(profile, &around.kinds_of(profile), around.margin);
                    made.time(window, |own| Some(!own.is_empty()))
                }
            };
            made.steps.push(step);
        }
        Ok(made)
    }

    fn time(&self, own: Window, matched: impl FnOnce(&Window) -> Option<bool>) -> Step {
        let matched = matched(&own);
        let left = self.window().map_or_else(|| own.clone(), |known| known.and(&own));
        Step::Time { left, matched }
    }

    /// The time that counts, where a filter chooses it.
    pub(crate) fn window(&self) -> Option<&Window> {
        self.steps.iter().rev().find_map(|step| match step {
            Step::Time { left, .. } => Some(left),
            Step::Labels { .. } | Step::Contexts { .. } => None,
        })
    }

    /// Whether they keep everything.
    pub(crate) fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// What they leave of points. `after_each` sees what is left after each filter, with whether it
    /// matched anything.
    pub(crate) fn points(
        &self,
        profile: &Profile,
        after_each: &mut dyn FnMut(&OfPoints, bool),
    ) -> OfPoints {
        let mut left = OfPoints::default();
        if self.is_empty() {
            return left;
        }
        left.dropped.resize(profile.points.len(), false);
        let mut window = None;
        for step in &self.steps {
            let matched = match step {
                Step::Labels { keep, labels } => left.keep_labels(profile, *keep, labels, window),
                Step::Contexts { of, rule, matched } => {
                    let any = left.keep_contexts(profile, self.looks, of, *rule);
                    matched.unwrap_or(any)
                }
                Step::Time { left: time, matched } => {
                    window = Some(time);
                    left.cut_points(profile, window);
                    matched.unwrap_or_else(|| left.dropped.contains(&false))
                }
            };
            after_each(&left, matched);
        }
        left
    }

    /// What they choose without looking at points; none where points link other contexts that count.
    pub(crate) fn choice(&self) -> Option<Choice> {
        if self.looks == Looks::Linked && !self.is_empty() {
            return None;
        }
        let mut choice = Choice::default();
        for step in &self.steps {
            match step {
                Step::Labels { keep, labels } => choice.labels.push((*keep, labels.clone())),
                Step::Contexts { of, rule, .. } => {
                    choice.dropped_contexts.resize(of.len(), false);
                    let all = choice.dropped_contexts.iter_mut().zip(of).enumerate();
                    for (context, (dropped, &is_chosen)) in all {
                        *dropped |= rule.drops(is_chosen, context == ContextId::ROOT.index());
                    }
                }
                Step::Time { .. } => {}
            }
        }
        Some(choice)
    }
}

impl Rule {
    /// Whether a point is dropped that has a chosen context or not, and whose stack is empty or not.
    fn drops(self, is_chosen: bool, is_empty: bool) -> bool {
        match self {
            Rule::Needs => !is_chosen,
            Rule::NeedsUnlessEmpty => !is_chosen && !is_empty,
            Rule::Refuses => is_chosen,
        }
    }
}

/// What filters leave of points that neither lasted nor count spans: those of which labels and context
/// are kept, in the time that counts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Choice {
    /// Each with whether what matches is kept.
    labels: Vec<(bool, JudgedLabels)>,
    /// By context, whether its points are dropped; empty if none is.
    pub(crate) dropped_contexts: Vec<bool>,
}

impl Choice {
    /// Whether points with these labels are kept.
    pub(crate) fn keeps_labels(
        &mut self,
        facets: (LabelSetId, Option<ThreadId>, MemberId),
        cpu: Option<u32>,
    ) -> bool {
        self.labels.iter_mut().all(|(keep, labels)| labels.matches(facets, cpu) == *keep)
    }

    /// Whether points of a context are kept.
    pub(crate) fn keeps_context(&self, context: ContextId) -> bool {
        !self.dropped_contexts.get(context.index()).copied().unwrap_or(false)
    }
}

/// What filters leave of points, one by one.
#[derive(Debug, Clone, Default)]
pub(crate) struct OfPoints {
    /// By point, whether it is dropped; empty if none is.
    pub(crate) dropped: Vec<bool>,
    /// The same by row of spans.
    dropped_spans: Vec<bool>,
    /// What the time and the spans that count leave of points.
    pub(crate) cut: Cut,
}

impl OfPoints {
    /// Whether the span of a row counts.
    pub(crate) fn keeps_span(&self, row: usize, span: &Span) -> bool {
        !self.drops(span.point.index()) && !self.dropped_spans.get(row).copied().unwrap_or(false)
    }

    /// Whether a point does not count.
    pub(crate) fn drops(&self, point: usize) -> bool {
        self.dropped.get(point).copied().unwrap_or(false)
    }

    fn cut_points(&mut self, profile: &Profile, window: Option<&Window>) {
        self.cut = Cut::new(profile, window, &self.dropped_spans, &mut self.dropped);
    }

    /// Says whether anything has the labels.
    fn keep_labels(
        &mut self,
        profile: &Profile,
        keep: bool,
        labels: &JudgedLabels,
        window: Option<&Window>,
    ) -> bool {
        let mut labels = labels.clone();
        let spans = labels.matching_spans(profile);
        let counts_spans = match &spans {
            Some(_) => span_labels::points_of_spans(profile),
            None => vec![],
        };
        let mut any = false;
        for (point, dropped) in steps("filtering", self.dropped.iter_mut().enumerate()) {
            if counts_spans.get(point).copied().unwrap_or(false) {
                continue;
            }
            let matches = labels.matches_point(profile, point);
            any |= matches;
            *dropped |= matches != keep;
        }
        if let Some(spans) = spans {
            self.dropped_spans.resize(spans.len(), false);
            for (dropped, matches) in self.dropped_spans.iter_mut().zip(spans) {
                any |= matches;
                *dropped |= matches != keep;
            }
            self.cut_points(profile, window);
        }
        any
    }

    /// Says whether any point has a chosen context.
    fn keep_contexts(&mut self, profile: &Profile, looks: Looks, of: &[bool], rule: Rule) -> bool {
        let mut any = false;
        for (point, dropped) in steps("filtering", self.dropped.iter_mut().enumerate()) {
            let is_chosen = looks.any(profile, point, |context| of[context.index()]);
            let is_empty = || !looks.any(profile, point, |context| context != ContextId::ROOT);
            any |= is_chosen;
            *dropped |= rule.drops(is_chosen, rule == Rule::NeedsUnlessEmpty && is_empty());
        }
        any
    }
}
