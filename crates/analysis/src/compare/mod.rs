//! Two profiles side by side: what became more, what less.

mod change;
mod scale;
mod sides;
mod significance;

use profile::{Combine, MemberId, Metric, Profile};

use crate::matching::Matching;
use crate::{Match, Merge, MergeNote, NO_VALUE, Rules};
use sides::side_by_side;

pub use change::{Change, Tag};
pub use scale::{Normalise, means_of};
pub use sides::Side;
pub use significance::{Groups, Significance};

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
    /// The members of either side.
    pub groups: Groups,
    /// Which function of the base is which of the new profile; the union has both under the new
    /// one's name.
    pub matches: Vec<Match>,
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
        // Which functions are the same is for the rules to say.
        let mut merge = Merge::default().without_joining_names();
        merge.add("base", rewritten.as_ref().unwrap_or(base));
        let first_new = MemberId(base.members.len().max(1) as u32);
        merge.add("new", new);
        let merged = merge.finish();
        let metrics = merged.profile.metrics.clone();
        let profile = side_by_side(merged.profile, first_new);
        let members = [first_new.index(), new.members.len().max(1)];
        let rounding = vec![0.0; metrics.len()];
        let is_mean = metrics.iter().map(is_divided).collect();
        let finer = vec![0; metrics.len()];
        let groups = Groups { members, runs: [1, 1], rounding, is_mean, finer };
        Comparison { profile, metrics, notes: merged.notes, groups, matches: matching.matches() }
    }
}

/// Whether the values of several runs have a mean that is their sum divided by their number.
fn is_divided(metric: &Metric) -> bool {
    metric.combining.members == Combine::Sum
}

/// A value, or 0 where there is none.
fn measured(value: i64) -> i64 {
    if value == NO_VALUE { 0 } else { value }
}
