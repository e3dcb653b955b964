//! Room for what is written on edges of a static drawing.

use std::collections::HashMap;

/// What is written on edges, by row, so that nothing is written on top of something else.
#[derive(Default)]
pub(super) struct Labels {
    taken: HashMap<i64, Vec<(f64, f64)>>,
}

impl Labels {
    /// A place on an edge for a text of a width, near the middle; none if all are taken.
    pub(super) fn room(&mut self, route: &[(f64, f64)], width: f64) -> Option<(f64, f64)> {
        const HEIGHT: f64 = 12.0;
        let at = route.len().div_ceil(2);
        let (a, b) = (route[at - 1], route[at]);
        for share in [0.5, 0.25, 0.75] {
            let (x, y) = (a.0 + (b.0 - a.0) * share, a.1 + (b.1 - a.1) * share);
            let (left, right) = (x - width / 2.0, x + width / 2.0);
            let row = (y / HEIGHT).floor() as i64;
            let is_free = (row - 1..=row + 1).all(|row| {
                let taken = self.taken.get(&row).into_iter().flatten();
                taken.into_iter().all(|&(from, to)| right < from || to < left)
            });
            if is_free {
                self.taken.entry(row).or_default().push((left, right));
                return Some((x, y));
            }
        }
        None
    }
}
