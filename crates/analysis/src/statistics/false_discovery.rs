//! Which of many findings are to be believed.

/// Adjusts p-values for their number, after Benjamini and Hochberg, *Controlling the false
/// discovery rate* (1995): of those that stay at or below `q`, a share of at most `q` is expected
/// to be there by chance, whatever the number of tests (if they are independent, or go up and down
/// together). The same order as the input; never below it. What is outside 0 to 1 is held at the
/// limit, and what is not a number counts as 1.
pub fn false_discovery(p_values: &[f64]) -> Vec<f64> {
    let held = |p: f64| if p.is_nan() { 1.0 } else { p.clamp(0.0, 1.0) };
    let mut adjusted: Vec<f64> = p_values.iter().map(|&p| held(p)).collect();
    let mut order: Vec<usize> = (0..adjusted.len()).collect();
    order.sort_by(|&a, &b| adjusted[a].total_cmp(&adjusted[b]));
    let mut least = 1.0f64;
    for (rank, &index) in order.iter().enumerate().rev() {
        // The factor first: it is at least 1, so that nothing is rounded to below itself.
        least = least.min(adjusted[index] * (order.len() as f64 / (rank + 1) as f64));
        adjusted[index] = least;
    }
    adjusted
}
