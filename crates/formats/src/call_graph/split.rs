//! Exact division in proportions.

/// Divides amounts, one after the other, in fixed proportions. Every division is exact, and once
/// amounts add up to the sum of the weights each part has got exactly its weight.
#[derive(Debug)]
pub(super) struct Split {
    weights: Vec<i64>,
    pub(super) given: Vec<i64>,
    pub(super) total: i128,
    pub(super) divided: i128,
}

impl Split {
    pub(super) fn new(weights: Vec<i64>) -> Self {
        let total = weights.iter().map(|&weight| i128::from(weight)).sum();
        Split { given: vec![0; weights.len()], weights, total, divided: 0 }
    }

    /// The parts of the next amount.
    pub(super) fn next(&mut self, amount: i64) -> Vec<i64> {
        let mut parts = vec![0i64; self.weights.len()];
        if self.total == 0 || amount == 0 {
            return parts;
        }
        self.divided += i128::from(amount);
        let mut left = i128::from(amount);
        // Rounded down first; what is left goes to those that are furthest behind.
        let mut behind = vec![];
        for (part, (&weight, given)) in
            parts.iter_mut().zip(self.weights.iter().zip(&mut self.given))
        {
            let exact = i128::from(weight) * self.divided;
            let target = exact.div_euclid(self.total);
            let step = (target - i128::from(*given)).clamp(0, left.max(0)) as i64;
            *part = step;
            left -= i128::from(step);
            *given += step;
            behind.push(exact - i128::from(*given) * self.total);
        }
        if left != 0 {
            let mut rows: Vec<usize> = (0..parts.len()).filter(|&r| self.weights[r] != 0).collect();
            rows.sort_by_key(|&row| std::cmp::Reverse(behind[row]));
            for row in rows.into_iter().cycle().take(left.unsigned_abs() as usize) {
                parts[row] += 1;
                self.given[row] += 1;
            }
        }
        parts
    }
}
