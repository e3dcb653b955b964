//! Where on the sides of boxes edges begin and end.

/// Between neighbouring ends, where there is room.
const GAP: f64 = 12.0;
/// Share of a box's width that stays free at either corner, as its shape may be round there.
const CORNER: f64 = 0.2;
/// The most that stays free.
const WIDEST_CORNER: f64 = 24.0;

/// Places for edges on the side of a box, each as near as can be to where its edge goes on, in the
/// same order, and apart from each other. `wanted` need not be sorted.
pub(super) fn places(left: f64, width: f64, wanted: &[f64]) -> Vec<f64> {
    let corner = (width * CORNER).min(WIDEST_CORNER);
    let (first, last) = (left + corner, left + width - corner);
    let steps = wanted.len().saturating_sub(1).max(1) as f64;
    let gap = GAP.min((last - first) / steps);
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|&a, &b| wanted[a].total_cmp(&wanted[b]));
    // With the gaps taken out, places must not fall: neighbours that would are pooled.
    let mut pools: Vec<(f64, usize)> = vec![];
    for (at, &edge) in order.iter().enumerate() {
        let mut pool = (wanted[edge] - at as f64 * gap, 1);
        while let Some(&(sum, count)) = pools.last()
            && sum / count as f64 > pool.0 / pool.1 as f64
        {
            pool = (pool.0 + sum, pool.1 + count);
            pools.pop();
        }
        pools.push(pool);
    }
    let level = pools.iter().flat_map(|&(sum, count)| vec![sum / count as f64; count]);
    let highest = last - gap * (wanted.len().saturating_sub(1)) as f64;
    let mut places = vec![0.0; wanted.len()];
    for ((at, &edge), level) in order.iter().enumerate().zip(level) {
        places[edge] = level.clamp(first, highest.max(first)) + at as f64 * gap;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::places;

    #[test]
    fn ends_follow_where_edges_go() {
        assert_eq!(places(0.0, 100.0, &[50.0]), [50.0]);
        assert_eq!(places(0.0, 100.0, &[500.0]), [80.0]);
        assert_eq!(places(0.0, 100.0, &[50.0, 50.0]), [44.0, 56.0]);
        assert_eq!(places(0.0, 100.0, &[90.0, -90.0]), [80.0, 20.0]);
        assert_eq!(places(0.0, 0.0, &[3.0, 5.0]), [0.0, 0.0]);
        assert!(places(0.0, 10.0, &[]).is_empty());
    }

    #[test]
    fn many_ends_share_the_side() {
        let all = places(0.0, 100.0, &[50.0; 11]);
        assert!(all.windows(2).all(|pair| pair[0] < pair[1]), "{all:?}");
        assert!(all[0] >= 20.0 - 1e-9 && all[10] <= 80.0 + 1e-9, "{all:?}");
    }
}
