//! How long things took, in little room.

/// Counts of durations by size: eight steps to each doubling, so that a quantile is right to an
/// eighth.
#[derive(Debug, Clone)]
pub(crate) struct Durations {
    counts: Vec<u64>,
    /// All together, nanoseconds.
    pub(super) total: u64,
    /// The longest, nanoseconds.
    pub(super) longest: u64,
}

impl Default for Durations {
    fn default() -> Durations {
        Durations { counts: vec![0; 64 * STEPS], total: 0, longest: 0 }
    }
}

/// To each doubling.
const STEPS: usize = 8;

impl Durations {
    pub(crate) fn add(&mut self, nanoseconds: u64) {
        self.counts[step(nanoseconds)] += 1;
        self.total = self.total.saturating_add(nanoseconds);
        self.longest = self.longest.max(nanoseconds);
    }

    pub(super) fn len(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// As long as this share of them is not exceeded, at most.
    pub(crate) fn quantile(&self, share: f64) -> u64 {
        let wanted = (self.len() as f64 * share).ceil() as u64;
        let mut seen = 0;
        let found = self.counts.iter().position(|count| {
            seen += count;
            seen >= wanted.max(1)
        });
        found.map_or(0, |step| end_of(step).min(self.longest))
    }
}

fn step(nanoseconds: u64) -> usize {
    if nanoseconds < STEPS as u64 {
        return nanoseconds as usize;
    }
    let doubling = nanoseconds.ilog2() as usize;
    let within = (nanoseconds >> (doubling - 3)) as usize & (STEPS - 1);
    (doubling - 2) * STEPS + within
}

/// The longest of a step.
fn end_of(step: usize) -> u64 {
    if step < STEPS {
        return step as u64;
    }
    let (doubling, within) = (step / STEPS + 2, (step % STEPS) as u64);
    ((STEPS as u64 + within) << (doubling - 3)).saturating_add((1 << (doubling - 3)) - 1)
}

/// `1.2 ms`, for people.
pub(super) fn text(nanoseconds: u64) -> String {
    match nanoseconds {
        ..1_000_000 => format!("{} µs", nanoseconds / 1000),
        1_000_000..1_000_000_000 => format!("{:.1} ms", nanoseconds as f64 / 1e6),
        _ => format!("{:.2} s", nanoseconds as f64 / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_hold_what_they_say() {
        for value in (0..5000).chain([u64::MAX / 2, u64::MAX]) {
            let at = step(value);
            assert!(value <= end_of(at), "{value}");
            assert!(at == 0 || value > end_of(at - 1), "{value}");
        }
    }

    #[test]
    fn quantiles_are_right_to_an_eighth() {
        let mut durations = Durations::default();
        (1..=1000).for_each(|value| durations.add(value * 1000));
        let close = |share, value: u64| {
            let found = durations.quantile(share);
            assert!(found >= value && found <= value + value / 8, "{found} {value}");
        };
        close(0.5, 500_000);
        close(0.99, 990_000);
        assert_eq!((durations.quantile(1.0), durations.longest), (1_000_000, 1_000_000));
        assert_eq!(Durations::default().quantile(0.5), 0);
    }
}
