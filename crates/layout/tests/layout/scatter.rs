//! Marks on logarithmic axes.

use layout::{ScatterThing, Zone, scatter};
use proptest::prelude::*;

fn thing(x: f64, y: f64) -> ScatterThing {
    ScatterThing { x, y, weight: x * y }
}

#[test]
fn marks_stand_by_their_logarithms() {
    let layout = scatter(&[thing(1.0, 10.0), thing(100.0, 1000.0), thing(10.0, 100.0)], 10);
    assert_eq!((layout.across.from, layout.across.to), (1.0, 100.0));
    assert_eq!((layout.up.from, layout.up.to), (10.0, 1000.0));
    let places: Vec<_> = layout.marks.iter().map(|mark| (mark.thing, mark.x, mark.y)).collect();
    assert_eq!(places, [(1, 1.0, 1.0), (2, 0.5, 0.5), (0, 0.0, 0.0)]);
    // The area is the weight: a hundredth of it has a tenth of the radius.
    let radii: Vec<_> = layout.marks.iter().map(|mark| mark.radius).collect();
    assert_eq!(radii, [1.0, 0.1, 0.01]);
    let products: Vec<_> = layout.diagonals.iter().map(|line| line.product.round()).collect();
    assert_eq!(products, [100.0, 1000.0, 10000.0]);
    let middle = &layout.diagonals[1];
    assert_eq!((middle.begin, middle.end), ([0.0, 1.0], [1.0, 0.0]));
}

#[test]
fn what_has_no_place_on_an_axis_stands_apart() {
    let zero = |x, y, weight| ScatterThing { x, y, weight };
    let layout = scatter(&[zero(0.0, f64::NAN, 4.0), zero(5.0, 0.0, 0.0), zero(0.0, 1.0, 1.0)], 10);
    let places: Vec<_> = layout.marks.iter().map(|mark| (mark.thing, mark.zone)).collect();
    assert_eq!(places, [(0, Zone::NoX), (2, Zone::NoX), (1, Zone::NoY)]);
    assert_eq!([layout.marks[0].y, layout.marks[1].y], [0.75, 0.25]);
    assert_eq!(scatter(&[], 10).marks, []);
}

proptest! {
    /// Nothing is lost up to the limit, everything is inside of the plot, and diagonals are where
    /// products are equal.
    #[test]
    fn everything_stands_inside(
        numbers in proptest::collection::vec((0u32..2_000_000, 0u32..2_000_000_000), 0..60),
        most in 1usize..80,
    ) {
        let things: Vec<_> =
            numbers.iter().map(|&(x, y)| thing(f64::from(x), f64::from(y) / 7.0)).collect();
        let layout = scatter(&things, most);
        prop_assert_eq!(layout.marks.len(), things.len().min(most));
        let inside = |share: f64| (-1e-9..=1.0 + 1e-9).contains(&share);
        for mark in &layout.marks {
            prop_assert!(inside(mark.x) && inside(mark.y) && inside(mark.radius), "{mark:?}");
        }
        let least = layout.marks.iter().map(|mark| things[mark.thing].weight);
        let least = least.fold(f64::INFINITY, f64::min);
        let heavier = things.iter().filter(|thing| thing.weight > least).count();
        prop_assert!(heavier <= layout.marks.len());
        let value = |scale: &layout::LogScale, share: f64| {
            scale.from * (scale.to / scale.from).powf(share)
        };
        for line in &layout.diagonals {
            for [x, y] in [line.begin, line.end] {
                prop_assert!(inside(x) && inside(y), "{line:?}");
                let product = value(&layout.across, x) * value(&layout.up, y);
                prop_assert!((product / line.product - 1.0).abs() < 1e-6, "{line:?}");
            }
        }
    }
}
