//! Exact division in proportions.

/// Divides amounts, one after the other, in fixed proportions. Every division is exact, and once
/// amounts add up to the sum of the weights each part has got exactly its weight.
#[derive(Debug)]
pub(crate) struct Split {
    weights: Vec<i64>,
    pub(crate) given: Vec<i64>,
    pub(crate) total: i128,
    pub(crate) divided: i128,
    /// Whether some weights are below 0: parts are then larger than what is divided.
    is_mixed: bool,
}

impl Split {
    pub(crate) fn new(weights: Vec<i64>) -> Self {
        let total = weights.iter().map(|&weight| i128::from(weight)).sum();
        let is_mixed = weights.iter().any(|&weight| weight < 0);
        Split { given: vec![0; weights.len()], weights, total, divided: 0, is_mixed }
    }

    /// The parts of the next amount.
    pub(crate) fn next(&mut self, amount: i64) -> Vec<i64> {
        if self.total == 0 && amount == 0 && self.is_mixed {
            // What cancels out is in no proportion to it: the first takes all.
            self.is_mixed = false;
            self.given.clone_from(&self.weights);
            return self.weights.clone();
        }
        let mut parts = vec![0i64; self.weights.len()];
        if self.total == 0 || amount == 0 {
            return parts;
        }
        self.divided += i128::from(amount);
        let mut left = i128::from(amount);
        // Rounded down first; what is left goes to those that are furthest behind. Nothing here
        // depends on how large the numbers are: those of damaged files may have any sign and size.
        let mut behind = vec![];
        for (part, (&weight, given)) in
            parts.iter_mut().zip(self.weights.iter().zip(&mut self.given))
        {
            let exact = i128::from(weight).saturating_mul(self.divided);
            let target = exact.div_euclid(self.total);
            let mut step = target.saturating_sub(i128::from(*given));
            if !self.is_mixed && amount >= 0 {
                step = step.clamp(0, left.max(0));
            }
            *part = clamped(step);
            left = left.saturating_sub(i128::from(*part));
            *given = given.saturating_add(*part);
            behind.push(exact.saturating_sub(i128::from(*given).saturating_mul(self.total)));
        }
        if left != 0 {
            let mut rows: Vec<usize> = (0..parts.len()).filter(|&r| self.weights[r] != 0).collect();
            rows.sort_by_key(|&row| std::cmp::Reverse(behind[row]));
            let count = rows.len() as i128;
            let (each, odd) = (left / count, (left % count).unsigned_abs() as usize);
            for (place, row) in rows.into_iter().enumerate() {
                let more = each + if place < odd { left.signum() } else { 0 };
                parts[row] = clamped(i128::from(parts[row]).saturating_add(more));
                self.given[row] = clamped(i128::from(self.given[row]).saturating_add(more));
            }
        }
        parts
    }
}

/// A number of 64 bits, or the nearest there is.
pub(crate) fn clamped(number: i128) -> i64 {
    number.clamp(i64::MIN.into(), i64::MAX.into()) as i64
}
