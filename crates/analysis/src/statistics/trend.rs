//! Whether values rise or fall from member to member.

use super::normal::upper_tail;

/// When the members were taken: what a trend is a trend over. Made once, asked for every context.
#[derive(Debug, Clone, PartialEq)]
pub struct Times {
    /// Since the first.
    at: Vec<f64>,
    mean: f64,
    /// Sum of squared deviations from the mean; above zero.
    spread: f64,
    /// By number of inversions up to half of them, the share of orders of as many different values
    /// that have at most so many. Empty for more than [`Times::EXACT`] members.
    shares: Vec<f64>,
}

/// How values change over the members.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trend {
    /// Change in a unit of time, or from a member to the next: the line of least squares.
    pub slope: f64,
    /// Pairs of members in which the later value is larger less those in which it is smaller:
    /// Kendall's S.
    pub score: i64,
    /// The score in proportion to all pairs: from -1 (every member is below the one before) to 1.
    pub tau: f64,
    /// How likely values without a trend have a score as far from zero, in either direction.
    pub p_value: f64,
}

/// Which way values go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Up.
    Rising,
    /// Neither.
    Steady,
    /// Down.
    Falling,
}

impl Trend {
    /// The direction, if the p-value is at most `significance` (such as 0.05); else steady.
    pub fn direction(&self, significance: f64) -> Direction {
        match self.score.signum() {
            1 if self.p_value <= significance => Direction::Rising,
            -1 if self.p_value <= significance => Direction::Falling,
            _ => Direction::Steady,
        }
    }
}

impl Times {
    /// Up to how many members p-values are exact if no values are equal.
    pub const EXACT: usize = 33;

    /// Up to how many members [`Times::theil_sen`] looks at all pairs.
    pub const ALL_PAIRS: usize = 1000;

    /// Members whose order is all that is known.
    pub fn of_order(members: usize) -> Option<Times> {
        Times::of((0..members).map(|member| member as f64).collect())
    }

    /// Members taken at `times`, in any unit. None if a time is before the one that it follows:
    /// sort the members first.
    pub fn new(times: &[i64]) -> Option<Times> {
        let first = i128::from(*times.first()?);
        let since = |time: &i64| (i128::from(*time) - first) as f64;
        times.is_sorted().then(|| Times::of(times.iter().map(since).collect()))?
    }

    /// None for less than two members, or if all are of one time.
    fn of(at: Vec<f64>) -> Option<Times> {
        let mean = at.iter().sum::<f64>() / at.len() as f64;
        let spread = at.iter().map(|time| (time - mean).powi(2)).sum();
        let shares = if at.len() <= Times::EXACT { shares(at.len()) } else { vec![] };
        (spread > 0.0).then_some(Times { at, mean, spread, shares })
    }

    /// How many members there are.
    #[expect(clippy::len_without_is_empty, reason = "there are at least two")]
    pub fn len(&self) -> usize {
        self.at.len()
    }

    /// The trend of a context whose values are `present`, by member in ascending order; members
    /// that are not among them have the value 0. Takes `k log k` steps for k of them, however many
    /// members there are: pairs of two zeros say nothing, and how many zeros are before and after
    /// a value follows from its place.
    ///
    /// The slope is that of least squares, because it can be had in one pass; a single peak moves
    /// it, so whether there is a trend is judged by the test of Mann (*Nonparametric tests against
    /// trend*, 1945) and Kendall (*Rank correlation methods*, 1975), which only asks which of two
    /// values is larger. Its p-value is exact for at most [`Times::EXACT`] members without equal
    /// values, else by the normal distribution, corrected for equal values and for continuity.
    /// Members of the same time count in their order. The test takes members to be independent of
    /// each other: where each begins with what the last one left, as heaps do, small p-values come
    /// too easily, so look at the slope as well.
    ///
    /// None if the members do not ascend or are not there, a value is not finite, or the slope is
    /// beyond all numbers.
    pub fn trend(&self, present: &[(u32, f64)]) -> Option<Trend> {
        let ascending = present.is_sorted_by(|a, b| a.0 < b.0);
        let within = present.last().is_none_or(|last| (last.0 as usize) < self.len());
        if !ascending || !within || present.iter().any(|(_, value)| !value.is_finite()) {
            return None;
        }
        let moved = |&(member, value): &(u32, f64)| (self.at[member as usize] - self.mean) * value;
        let slope = present.iter().map(moved).sum::<f64>() / self.spread;
        let (members, zero) = (self.len() as i64, 0.0);
        let mut values: Vec<f64> = vec![];
        let mut places: Vec<i64> = vec![];
        for &(member, value) in present.iter().filter(|(_, value)| *value != zero) {
            places.push(member.into());
            values.push(value);
        }
        let others = values.len() as i64;
        let mut score = 0;
        for (before, (&value, &place)) in (0..).zip(values.iter().zip(&places)) {
            let zeros_before = place - before;
            let zeros_after = (members - 1 - place) - (others - 1 - before);
            score += if value > zero { 1 } else { -1 } * (zeros_before - zeros_after);
        }
        let inversions = sort_counting(&mut values);
        let pairs = |len: i64| len * (len - 1) / 2;
        let weight = |len: i64| i128::from(len) * i128::from(len - 1) * i128::from(2 * len + 5);
        let (mut equal_pairs, zeros) = (0, members - others);
        let mut variance = weight(members) - weight(zeros);
        for equal in values.chunk_by(|a, b| a == b) {
            equal_pairs += pairs(equal.len() as i64);
            variance -= weight(equal.len() as i64);
        }
        score += pairs(others) - equal_pairs - 2 * inversions;
        let distinct = equal_pairs == 0 && zeros <= 1;
        let p_value = if distinct && !self.shares.is_empty() {
            let inversions = (pairs(members) - score.abs()) / 2;
            (2.0 * self.shares[inversions as usize]).min(1.0)
        } else if score == 0 {
            1.0
        } else {
            let deviation = (variance as f64 / 18.0).sqrt();
            2.0 * upper_tail((score.abs() - 1) as f64 / deviation)
        };
        let tau = score as f64 / pairs(members) as f64;
        slope.is_finite().then_some(Trend { slope: slope + 0.0, score, tau, p_value })
    }

    /// The slope to show beside a trend: that of least squares, or where a few wild members turn it
    /// against the score, [`Times::theil_sen`]. `values` has one entry a member.
    pub fn slope(&self, trend: &Trend, values: &[f64]) -> Option<f64> {
        match trend.slope * trend.score as f64 {
            0.0.. => Some(trend.slope),
            _ => self.theil_sen(values),
        }
    }

    /// The slope that a few wild members do not move: the median of the slopes of pairs of members
    /// of different times (Theil, *A rank-invariant method of linear and polynomial regression
    /// analysis*, 1950; Sen, *Estimates of the regression coefficient based on Kendall's tau*,
    /// 1968). Of all pairs, up to [`Times::ALL_PAIRS`] members: half a million slopes, for what
    /// is on the screen and not for every context. For more, Theil's short way: each member of the
    /// first half with the one half of all members later.
    ///
    /// `values` has one entry a member. None if it has not, one is not finite, or the slope is
    /// beyond all numbers.
    pub fn theil_sen(&self, values: &[f64]) -> Option<f64> {
        let len = self.len();
        if values.len() != len || values.iter().any(|value| !value.is_finite()) {
            return None;
        }
        let slope = |a: usize, b: usize| {
            let time = self.at[b] - self.at[a];
            (time > 0.0).then(|| (values[b] - values[a]) / time)
        };
        let mut slopes: Vec<f64> = if len <= Times::ALL_PAIRS {
            (0..len).flat_map(|b| (0..b).filter_map(move |a| slope(a, b))).collect()
        } else {
            (0..len / 2).filter_map(|a| slope(a, a + len.div_ceil(2))).collect()
        };
        if slopes.is_empty() {
            return None;
        }
        Some(super::Centre::Median.of(&mut slopes)).filter(|slope| slope.is_finite())
    }
}

/// Sorts values and counts the pairs in which the earlier one was larger: a merge sort.
fn sort_counting(values: &mut Vec<f64>) -> i64 {
    let mut inversions = 0;
    let mut merged = Vec::with_capacity(values.len());
    let mut run = 1;
    while run < values.len() {
        merged.clear();
        for pair in values.chunks(2 * run) {
            let (mut left, mut right) = pair.split_at(run.min(pair.len()));
            while let (Some(first), Some(second)) = (left.first(), right.first()) {
                if first <= second {
                    merged.push(*first);
                    left = &left[1..];
                } else {
                    inversions += left.len() as i64;
                    merged.push(*second);
                    right = &right[1..];
                }
            }
            merged.extend_from_slice(left);
            merged.extend_from_slice(right);
        }
        std::mem::swap(values, &mut merged);
        run *= 2;
    }
    inversions
}

/// By number of inversions, up to half of all pairs, the share of the orders of `len` different
/// values that have at most so many. The value that comes last makes 0 to `len - 1` of them, each
/// as likely, whatever the others do.
fn shares(len: usize) -> Vec<f64> {
    let pairs = len * len.saturating_sub(1) / 2;
    let mut share = vec![0.0; pairs / 2 + 1];
    share[0] = 1.0;
    for len in 2..=len {
        let shorter = share.clone();
        for (inversions, share) in share.iter_mut().enumerate() {
            let from = inversions.saturating_sub(len - 1);
            *share = shorter[from..=inversions].iter().sum::<f64>() / len as f64;
        }
    }
    let mut sum = 0.0;
    share.iter_mut().for_each(|share| {
        sum += *share;
        *share = sum;
    });
    share
}
