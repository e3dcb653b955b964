//! Whether the values of one group are larger than those of another.

use super::normal::upper_tail;
use super::{Centre, permutation};

/// How a p-value is worked out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Method {
    /// Exact where no values are equal and one of the groups has at most eight, else by the normal
    /// distribution; as scipy chooses.
    #[default]
    Automatic,
    /// From all ways of dividing the values, as if none were equal. Where these are too many to be
    /// counted in 127 bits, by the normal distribution.
    Exact,
    /// By the normal distribution, corrected for equal values and for continuity.
    Normal,
    /// As [`Method::Automatic`], but exact too where values are equal and there are at most
    /// [`MOST_DIVISIONS`] ways of dividing them, all of which are looked at: for a few runs, of
    /// which the normal distribution knows little.
    Divisions,
}

/// Ways of dividing values that [`Method::Divisions`] looks at: those of eight and eight.
pub const MOST_DIVISIONS: usize = 12_870;

/// The answer of [`mann_whitney`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MannWhitney {
    /// Pairs of a value of either group in which that of the first is larger; equal ones count
    /// half. From 0 to the product of the sizes.
    pub u: f64,
    /// How likely groups of one kind differ as much, in either direction.
    pub p_value: f64,
    /// Cliff's delta: the share of pairs in which the second is larger less the share in which it
    /// is smaller. From -1 (all of the second are smaller) to 1 (all are larger).
    pub delta: f64,
    /// Whether the p-value is exact.
    pub exact: bool,
}

/// Mann and Whitney, *On a test of whether one of two random variables is stochastically larger
/// than the other* (1947), two-sided; the numbers are those of `scipy.stats.mannwhitneyu`. Takes no
/// assumption about how values spread. None if a group is empty or a value is not finite.
pub fn mann_whitney(first: &[f64], second: &[f64], method: Method) -> Option<MannWhitney> {
    let finite = first.iter().chain(second).all(|value| value.is_finite());
    if first.is_empty() || second.is_empty() || !finite {
        return None;
    }
    let mut all: Vec<(f64, bool)> = vec![];
    all.extend(first.iter().map(|&value| (value, true)));
    all.extend(second.iter().map(|&value| (value, false)));
    all.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    // Ranks count from 1; equal values share the mean of theirs. Twice the ranks are whole.
    let (mut rank_sum, mut ties, mut before) = (0u128, 0u128, 0u128);
    for equal in all.chunk_by(|a, b| a.0 == b.0) {
        let len = equal.len() as u128;
        let own = equal.iter().filter(|(_, is_first)| *is_first).count() as u128;
        rank_sum += own * (2 * before + len + 1);
        ties += len * len * len - len;
        before += len;
    }
    let (m, n) = (first.len() as u128, second.len() as u128);
    let twice_u = rank_sum - m * (m + 1);
    let (u, pairs) = (twice_u as f64 / 2.0, (m * n) as f64);
    let exact = match method {
        Method::Automatic | Method::Divisions => ties == 0 && m.min(n) <= 8,
        Method::Exact => true,
        Method::Normal => false,
    };
    let smaller_twice_u = twice_u.min(2 * m * n - twice_u);
    let mut exact_p = exact.then(|| exact_tail(m, n, smaller_twice_u)).flatten();
    if method == Method::Divisions && exact_p.is_none() {
        exact_p = divided(&all);
    }
    let p_value = exact_p.unwrap_or_else(|| {
        let all = m + n;
        let correction = ties as f64 / (all as f64 * (all - 1) as f64);
        let deviation = (pairs / 12.0 * ((all + 1) as f64 - correction)).max(0.0).sqrt();
        let distance = pairs / 2.0 - smaller_twice_u as f64 / 2.0 - 0.5;
        if deviation > 0.0 { upper_tail(distance / deviation) * 2.0 } else { 1.0 }
    });
    Some(MannWhitney {
        u,
        p_value: p_value.min(1.0),
        delta: 1.0 - 2.0 * u / pairs,
        exact: exact_p.is_some(),
    })
}

/// The share of the ways to divide sorted values whose sum of ranks is at least as far from its
/// mean; none where there are too many ways.
fn divided(sorted: &[(f64, bool)]) -> Option<f64> {
    let mut ranks: [Vec<f64>; 2] = [vec![], vec![]];
    let mut before = 0;
    for equal in sorted.chunk_by(|a, b| a.0 == b.0) {
        // Twice the mean of their ranks, which is whole.
        let rank = (2 * before + equal.len() + 1) as f64;
        equal.iter().for_each(|&(_, is_first)| ranks[usize::from(!is_first)].push(rank));
        before += equal.len();
    }
    let found = permutation(&ranks[0], &ranks[1], Centre::Mean, MOST_DIVISIONS, 0)?;
    found.exact.then_some(found.p_value)
}

/// Twice the share of the ways to divide `m + n` different values into `m` and `n` in which U is at
/// most half of `twice_u`.
///
/// How many ways there are for each U are the coefficients of the Gaussian binomial coefficient,
/// the product over i = 1 to m of (1 - q^(n+i)) / (1 - q^i): two passes over a row each.
fn exact_tail(m: u128, n: u128, twice_u: u128) -> Option<f64> {
    let (m, n) = (m.min(n), m.max(n));
    let mut ways = 1u128;
    for i in 1..=m {
        // Each step stays whole, and below 2^127 before it is divided by at most 2^7.
        ways = ways.checked_mul(n + i)? / i;
        (ways < 1 << 126).then_some(())?;
    }
    // No way has half a U: the careful side.
    let last = usize::try_from(twice_u.div_ceil(2)).ok()?;
    let (m, n) = (usize::try_from(m).ok()?, usize::try_from(n).ok()?);
    let mut row = vec![0i128; last + 1];
    row[0] = 1;
    for i in 1..=m {
        for u in (n + i..row.len()).rev() {
            row[u] -= row[u - n - i];
        }
        for u in i..row.len() {
            row[u] += row[u - i];
        }
    }
    Some(2.0 * row.iter().sum::<i128>() as f64 / ways as f64)
}
