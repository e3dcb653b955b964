//! Two profiles side by side: what became more, what less.

use profile::{MemberId, Metric, Points, Profile};

use crate::matching::Matching;
use crate::{Match, Merge, MergeNote, Rules};

/// A base and a new profile as one, with their metrics side by side, so that every shape and every
/// filter works on both at once.
#[derive(Debug)]
pub struct Comparison {
    /// The union of both: of each metric of the merge, three in the order of [`Side`].
    pub profile: Profile,
    /// The metrics of the merge.
    pub metrics: Vec<Metric>,
    /// What the merge of both left out or could not reconcile.
    pub notes: Vec<MergeNote>,
    /// Which function of the base is which of the new profile; the union has both under the new
    /// one's name.
    pub matches: Vec<Match>,
}

/// Which values of a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Those of the base.
    Base,
    /// Those of the new profile.
    New,
    /// Their sum, which is wide wherever either is: for widths and orders.
    Both,
}

impl Side {
    /// The index of this side of metric `index` of the merge.
    pub fn of(self, index: usize) -> usize {
        3 * index + self as usize
    }
}

impl Comparison {
    /// Compares two profiles, whose functions the default rules match.
    pub fn new(base: &Profile, new: &Profile) -> Comparison {
        Comparison::matched(base, new, Rules::default())
    }

    /// Compares two profiles. Contexts are the same as [`Merge`] has it, once the base has the new
    /// names of functions that `rules` match; at coarser granularities than a line, views match
    /// them by function, file or module.
    pub fn matched(base: &Profile, new: &Profile, rules: Rules) -> Comparison {
        let matching = Matching::new(base, new, rules);
        let rewritten = matching.rewritten_base();
        let mut merge = Merge::default();
        merge.add("base", rewritten.as_ref().unwrap_or(base));
        let first_new = MemberId(base.members.len().max(1) as u32);
        merge.add("new", new);
        let merged = merge.finish();
        let metrics = merged.profile.metrics.clone();
        let profile = side_by_side(merged.profile, first_new);
        Comparison { profile, metrics, notes: merged.notes, matches: matching.matches() }
    }
}

/// Splits every metric by whether the member of a point comes before `first_new`.
fn side_by_side(mut profile: Profile, first_new: MemberId) -> Profile {
    let old = std::mem::take(&mut profile.points);
    let mut points = Points::new(3 * profile.metrics.len());
    points.reserve(old.len());
    let mut row = vec![0; 3 * profile.metrics.len()];
    for index in 0..old.len() {
        let point = old.get(index);
        let side = if point.member < first_new { Side::Base } else { Side::New };
        row.fill(0);
        for (metric, &value) in old.row(index).iter().enumerate() {
            row[side.of(metric)] = value;
            row[Side::Both.of(metric)] = value;
        }
        points.push_point(point, &row);
    }
    profile.points = points;
    let named = |metric: &Metric, side: &str| Metric {
        name: format!("{} ({side})", metric.name),
        ..metric.clone()
    };
    profile.metrics = (profile.metrics.iter())
        .flat_map(|metric| ["base", "new", "both"].map(|side| named(metric, side)))
        .collect();
    profile.origin.default_metric = Side::Both.of(profile.origin.default_metric);
    profile
}

/// How a value changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Change {
    /// In the base.
    pub base: i64,
    /// In the new profile.
    pub new: i64,
}

/// What kind of change it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tag {
    /// Only the new profile has it.
    Added,
    /// Only the base has it.
    Deleted,
    /// More in the new profile.
    Larger,
    /// Less in the new profile.
    Smaller,
    /// The same, but for noise.
    Unchanged,
}

impl Tag {
    /// Its sign, which stands beside names.
    pub fn sign(self) -> &'static str {
        match self {
            Tag::Added => "[A]",
            Tag::Deleted => "[D]",
            Tag::Larger => "[+]",
            Tag::Smaller => "[-]",
            Tag::Unchanged => "[=]",
        }
    }
}

impl Change {
    /// New less base; held at the limits of 64 bits.
    pub fn difference(self) -> i64 {
        self.new.saturating_sub(self.base)
    }

    /// New over base; none if the base is 0.
    pub fn ratio(self) -> Option<f64> {
        (self.base != 0).then(|| self.new as f64 / self.base as f64)
    }

    /// The kind of change. Differences up to `noise` of the larger value (0.01 is one percent) are
    /// none.
    pub fn tag(self, noise: f64) -> Tag {
        let larger = self.base.unsigned_abs().max(self.new.unsigned_abs()) as f64;
        match (self.base, self.new) {
            (base, new) if base == new => Tag::Unchanged,
            (0, _) => Tag::Added,
            (_, 0) => Tag::Deleted,
            (base, new) if base.abs_diff(new) as f64 <= noise * larger => Tag::Unchanged,
            (base, new) if new > base => Tag::Larger,
            _ => Tag::Smaller,
        }
    }
}
