//! Documents that compare two profiles.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use analysis::formula::OfTwo;
use analysis::statistics::{MARGIN, Reason, Verdict};
use analysis::{
    AlignBy, Change, ChosenTime, Derived, Groups, Match, Normalise, Rules, Side, Significance, Tag,
};
use profile::{Combine, FrameId, Metric, MetricId};
use protocol::{CompareParams, ErrorCode, ProtocolError};

use crate::NO_VALUE;
use crate::kinds::profile::convert;
use crate::kinds::profile::document::profile_document::ProfileDocument;

/// How to compare.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CompareOptions {
    /// Which functions of base and new profile are one.
    pub rules: Rules,
    /// What makes values of both sides comparable.
    pub normalise: Normalise,
    /// Differences up to this share of the larger value are noise; where there are several runs on
    /// both sides, chance is asked instead.
    pub noise: f64,
    /// What of both sides stands together in time, if not the start of each.
    pub align: Option<AlignBy>,
    /// Whether runs that failed count, too.
    pub with_failed: bool,
}

/// What was chosen of a side of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChosenSide {
    /// The filters in words; empty where all of the side counts.
    pub filters: String,
    /// How much that is.
    pub time: ChosenTime,
}

/// What a comparison is of.
#[derive(Debug, Clone)]
pub struct Comparing {
    /// Titles of base and new profile.
    pub sides: [String; 2],
    /// The metrics that both have in all; the document has each of them three times, see [`Side`].
    pub metrics: Vec<Metric>,
    /// The runs on either side.
    pub groups: Groups,
    /// Differences up to this share of the larger value are noise.
    pub noise: f64,
    /// Functions of the base that are functions of the new profile, by their new name and place.
    pub matches: Vec<Match>,
    /// By frame of the base and of the new profile, which frame of the document it is.
    pub(crate) frames: Arc<[Vec<FrameId>; 2]>,
    /// By metric, whether both sides have it: what only one has is compared with nothing.
    pub(crate) is_common: Vec<bool>,
    /// What makes values of both sides comparable.
    pub normalise: Normalise,
    /// Which functions of both sides are one.
    pub(crate) rules: Rules,
    /// What of both sides stands together in time.
    pub(crate) align: Option<AlignBy>,
    /// Whether runs that failed count, too.
    pub(in crate::kinds::profile) with_failed: bool,
    /// What it was made of, base first; with this the other way round the sides are swapped.
    pub(crate) made_of: Option<MadeOf>,
    /// Of a comparison of parts: what was chosen of either side.
    pub chosen: Option<[ChosenSide; 2]>,
    /// Of a normalised comparison: the one whose values are as they are.
    pub(in crate::kinds::profile) plain: Option<Arc<ProfileDocument>>,
}

/// What a comparison was made of, base first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum MadeOf {
    /// Open documents, or what filters leave of them.
    Documents([Vec<u32>; 2], Option<[Vec<protocol::Filter>; 2]>),
    /// What the host has under these names.
    Files([Vec<String>; 2]),
}

impl MadeOf {
    fn swapped(&self) -> MadeOf {
        match self.clone() {
            MadeOf::Documents([base, new], filters) => {
                MadeOf::Documents([new, base], filters.map(|[base, new]| [new, base]))
            }
            MadeOf::Files([base, new]) => MadeOf::Files([new, base]),
        }
    }
}

impl ProfileDocument {
    /// The same as a comparison, with change and ratio of every metric that is compared.
    pub(crate) fn comparing(mut self, comparing: Comparing) -> ProfileDocument {
        for (id, metric) in (0..).map(MetricId).zip(&comparing.metrics) {
            let sides = [Side::Base.of(id), Side::New.of(id)];
            for (word, how) in [("change", OfTwo::Change), ("ratio", OfTwo::Ratio)] {
                let name = format!("{} ({word})", metric.name);
                let derived = Derived::of_two(&name, how, sides, &self.profile);
                let derived = derived.expect("both sides of a metric are in one unit");
                let rounding = if how == OfTwo::Change { comparing.rounding() } else { 0.0 };
                self.metrics.add(derived.rounded_by(rounding));
            }
        }
        self.comparing = Some(comparing);
        self
    }

    /// The same comparison, which knows what it was made of.
    pub(crate) fn made_of(mut self, made_of: MadeOf) -> ProfileDocument {
        if let Some(comparing) = &mut self.comparing {
            comparing.made_of = Some(made_of);
        }
        self
    }

    /// The same, whose sides, if it has any, stand together in another way.
    pub(in crate::kinds::profile) fn aligned_by(mut self, by: &AlignBy) -> ProfileDocument {
        if let Some(comparing) = &mut self.comparing {
            comparing.align = Some(by.clone());
        }
        self
    }

    /// The same comparison, of parts that were chosen.
    pub(in crate::kinds::profile) fn choosing(mut self, sides: [ChosenSide; 2]) -> ProfileDocument {
        if let Some(comparing) = &mut self.comparing {
            comparing.chosen = Some(sides);
        }
        self
    }

    /// By what a value of a metric is divided to be that of one run: the number of profiles that
    /// became this one where it is a sum over them, 1 where it is not. None where neither gives the
    /// value of a run, as of `max(cpu - 5 ms, 0)`.
    pub fn runs(&self, metric: MetricId) -> Option<usize> {
        let inputs = self.inputs().max(1);
        let degree = |metric: MetricId| {
            let is_sum = self.profile.metric(metric).combining.members == Combine::Sum;
            i32::from(is_sum)
        };
        let degree = match metric.index().checked_sub(self.profile.metrics.len()) {
            None => Some(degree(metric)),
            Some(place) => {
                let derived = self.metrics.get(place)?;
                derived.formula()?.degree(|input| degree(input.metric))
            }
        };
        match degree {
            _ if inputs == 1 => Some(1),
            Some(1) => Some(inputs),
            Some(0) => Some(1),
            _ => None,
        }
    }

    /// When it was measured, or the first of its members, in nanoseconds since 1970.
    pub fn measured_at(&self) -> Option<i64> {
        let members = self.profile.members.iter().map(|member| member.time_ns);
        let known = |time: &i64| *time > 0;
        Some(self.profile.origin.time_ns).filter(known).or_else(|| members.filter(known).min())
    }

    /// The comparison whose values are as they are.
    pub(crate) fn plain(
        self: &Arc<ProfileDocument>,
    ) -> Result<Arc<ProfileDocument>, ProtocolError> {
        let of = self.comparison().ok_or_else(|| self.no_comparison())?;
        Ok(of.plain.clone().unwrap_or_else(|| self.clone()))
    }

    pub(crate) fn no_comparison(&self) -> ProtocolError {
        ProtocolError::new(ErrorCode::BadRequest, format!("{} is not a comparison", self.title))
    }

    /// Whether a metric is the change of another one.
    pub(crate) fn is_change(&self, metric: MetricId) -> bool {
        let compared = self.comparison().map_or(0, |comparing| comparing.metrics.len());
        let derived = metric.index().checked_sub(self.profile.metrics.len());
        // Change and ratio of each metric that is compared come before other formulas.
        derived.is_some_and(|place| place < 2 * compared && place.is_multiple_of(2))
    }

    /// What is compared, if it is a comparison.
    pub fn comparison(&self) -> Option<&Comparing> {
        self.comparing.as_ref()
    }
}

impl Comparing {
    /// A comparison of values as they are.
    pub(crate) fn new(
        sides: [String; 2],
        metrics: Vec<Metric>,
        groups: Groups,
        how: &CompareOptions,
        matches: Vec<Match>,
    ) -> Comparing {
        let normalise = Normalise::Absolute;
        Comparing {
            frames: Arc::default(),
            is_common: vec![true; metrics.len()],
            sides,
            metrics,
            groups,
            noise: how.noise,
            matches,
            normalise,
            rules: how.rules,
            align: how.align.clone(),
            with_failed: how.with_failed,
            made_of: None,
            chosen: None,
            plain: None,
        }
    }

    /// How it compares.
    pub(crate) fn how(&self) -> CompareOptions {
        let Comparing { rules, normalise, noise, align, with_failed, .. } = self;
        CompareOptions {
            rules: *rules,
            normalise: normalise.clone(),
            noise: *noise,
            align: align.clone(),
            with_failed: *with_failed,
        }
    }

    /// Whether it is the other way round.
    pub(crate) fn is_swapped(&self, of: &Comparing) -> bool {
        let swapped = of.made_of.as_ref().map(MadeOf::swapped);
        swapped.is_some() && self.made_of == swapped && self.how() == of.how()
    }

    /// The request that makes it again, if it was made of open documents.
    pub(crate) fn request(&self) -> Option<CompareParams> {
        let Some(MadeOf::Documents([base, new], filters)) = self.made_of.clone() else {
            return None;
        };
        let normalise = convert::normalise_to_proto(&self.normalise);
        Some(CompareParams { base, new, by_age: false, normalise, noise: self.noise, filters })
    }

    /// Whether values that were brought to scale differ by no more than that rounds. Values as they
    /// are differ by what they differ, however little.
    pub(crate) fn is_rounding(&self, change: Change) -> bool {
        if [change.base, change.new].contains(&NO_VALUE) {
            return false;
        }
        let larger = change.base.unsigned_abs().max(change.new.unsigned_abs()) as f64;
        let by = change.difference().unsigned_abs() as f64;
        by <= larger * self.rounding() && self.normalise != Normalise::Absolute
    }

    /// The share up to which values of both sides differ by rounding alone.
    fn rounding(&self) -> f64 {
        if self.normalise == Normalise::Absolute { 0.0 } else { SCALED }
    }

    /// The kind of change of something. Where runs show nothing it is that of the values as they were
    /// measured: no evidence is not equality.
    pub(crate) fn tag(&self, change: Change, runs: Runs<'_>) -> Tag {
        match runs {
            _ if self.is_rounding(change) => Tag::Unchanged,
            Runs::Tested(Some(test)) if test.verdict(self.margin()) == Verdict::Same => {
                Tag::Unchanged
            }
            // A run far from the others may turn the means round.
            Runs::Tested(Some(test)) => match (test.verdict(self.margin()), change.tag(0.0)) {
                (Verdict::More, Tag::Smaller | Tag::Unchanged) => Tag::Larger,
                (Verdict::Less, Tag::Larger | Tag::Unchanged) => Tag::Smaller,
                (_, tag) => tag,
            },
            Runs::Tested(None) => change.tag(0.0),
            Runs::Untested => change.tag(self.noise),
        }
    }

    /// What can be said of the change.
    pub(crate) fn verdict(&self, runs: Runs<'_>) -> Verdict {
        let has_runs = self.groups.are_members() && self.groups.runs.iter().all(|&runs| runs > 1);
        match runs {
            Runs::Tested(Some(test)) => test.verdict(self.margin()),
            Runs::Tested(None) => Verdict::Unknown(Reason::Small),
            Runs::Untested if has_runs => Verdict::Unknown(Reason::Untested),
            Runs::Untested => Verdict::Unknown(Reason::OneRun),
        }
    }

    /// Which share of a value a change may have and still be none.
    pub(crate) fn margin(&self) -> f64 {
        self.noise.max(MARGIN)
    }
}

/// What runs say of a change.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Runs<'a> {
    /// There are too few to test, or what changed is none of their values.
    Untested,
    /// What the test gave; none of what was too small to be tested.
    Tested(Option<&'a Significance>),
}

/// The metrics of a document that have the values of either side of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sides {
    /// That of the base.
    pub(crate) base: MetricId,
    /// That of the new profile.
    pub(crate) new: MetricId,
    /// The metric of the comparison that both are of, in which runs are tested; none of a formula.
    pub(crate) compared: Option<MetricId>,
}

impl Sides {
    /// Those of a metric of the comparison.
    pub(in crate::kinds::profile) fn new(compared: MetricId) -> Sides {
        let [base, new] = [Side::Base, Side::New].map(|side| side.of(compared));
        Sides { base, new, compared: Some(compared) }
    }
}

impl<'a> Runs<'a> {
    /// What tests say of a function or node; none are of a comparison without runs to test.
    pub(crate) fn new<T: Eq + Hash>(
        tests: Option<&'a HashMap<T, Significance>>,
        thing: &T,
    ) -> Runs<'a> {
        tests.map_or(Runs::Untested, |tests| Runs::Tested(tests.get(thing)))
    }
}

/// The share up to which values that were scaled, and ratios of such, differ by rounding alone.
const SCALED: f64 = 1e-6;
