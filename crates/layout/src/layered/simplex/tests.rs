//! What is found is compared with all that there is.

use proptest::prelude::*;

use super::*;

/// Links from lower to higher nodes, with ranks that are feasible.
fn cases(nodes: usize, most: usize) -> impl Strategy<Value = (Vec<i64>, Vec<Link>)> {
    let node = 0..nodes as u32;
    let link = (node.clone(), node, 0..3i64, 0..4i64);
    prop::collection::vec(link, 0..most).prop_map(move |links| {
        let links = links.into_iter().filter(|(a, b, ..)| a != b);
        let links =
            links.map(|(a, b, least, weight)| Link { from: a.min(b), to: a.max(b), least, weight });
        (longest(nodes, links.clone()), links.collect())
    })
}

fn longest(nodes: usize, links: impl Iterator<Item = Link>) -> Vec<i64> {
    let mut links: Vec<Link> = links.collect();
    links.sort_by_key(|link| link.from);
    let mut ranks = vec![0; nodes];
    for link in links {
        let least = ranks[link.from as usize] + link.least;
        let to = &mut ranks[link.to as usize];
        *to = least.max(*to);
    }
    ranks
}

fn is_feasible(ranks: &[i64], links: &[Link]) -> bool {
    links.iter().all(|link| length(ranks, link) >= link.least)
}

/// The least cost over all ranks up to the number that can be needed.
fn by_trying_all(nodes: usize, links: &[Link]) -> i64 {
    let most = 2 * (nodes as i64 - 1);
    let mut ranks = vec![0; nodes];
    let mut best = i64::MAX;
    loop {
        if is_feasible(&ranks, links) {
            best = best.min(cost(&ranks, links));
        }
        let Some(at) = ranks.iter().position(|&rank| rank < most) else { return best };
        ranks[at] += 1;
        ranks[..at].fill(0);
    }
}

proptest! {
    #[test]
    fn nothing_is_shorter((ranks, links) in cases(5, 12)) {
        let found = shortened(ranks, &links, u64::MAX);
        prop_assert!(is_feasible(&found, &links));
        prop_assert_eq!(cost(&found, &links), by_trying_all(5, &links));
    }

    /// However early it ends, ranks are feasible and no worse than before.
    #[test]
    fn what_is_cut_short_is_feasible((ranks, links) in cases(40, 120), steps in 0u64..3000) {
        let before = cost(&ranks, &links);
        let found = shortened(ranks, &links, steps);
        prop_assert!(is_feasible(&found, &links));
        prop_assert!(cost(&found, &links) <= before);
    }

    /// Cut values that are kept are those of the tree as it became.
    #[test]
    fn sums_over_subtrees_are_kept((ranks, links) in cases(30, 90)) {
        let mut tree = Tree::new(ranks, &links);
        prop_assert!(tree.improve(&mut Search::default(), u64::MAX));
        for node in 0..30 {
            let below = tree.subtree(node, 1000 + node);
            let sum: i64 = links
                .iter()
                .map(|link| {
                    let leaves = i64::from(below.contains(&link.from));
                    (leaves - i64::from(below.contains(&link.to))) * link.weight
                })
                .sum();
            prop_assert_eq!(tree.leaving[node as usize], sum);
        }
    }
}
