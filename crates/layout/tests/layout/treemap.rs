//! Boxes in boxes, whose areas are values.

use std::collections::HashMap;
use std::sync::Arc;

use analysis::{Collapse, Filtered, FrameKeys, Granularity, NodeId, Order, Shape, Tree};
use layout::{FlameBox, Rect, TreemapBox, TreemapLayout, TreemapView, squarify, treemap};
use profile::{Location, LocationId, Metric, MetricId, ProfileBuilder};
use proptest::prelude::*;

/// Functions `f0` to `f5` in two modules and three files, by the stacks of their samples.
fn tree(stacks: &[(Vec<u8>, i64)], shape: Shape) -> Tree {
    let mut builder = ProfileBuilder::new(vec![Metric::new("time", "nanoseconds")]);
    for at in 0..6u32 {
        let module = builder.module(&format!("m{}", at % 2));
        let function = builder.function(&format!("f{at}"), &format!("{}.rs", at % 3), 1);
        let location = Location { address: 0x100 + u64::from(at), module, ..Location::default() };
        builder.push_location(location, &[(Some(function), at, 0)]);
    }
    for (path, value) in stacks {
        let context = builder.stack(path.iter().map(|&at| LocationId(at.into())));
        let labels = builder.labels.add(&[]);
        builder.points.push(context, labels, &[*value]);
    }
    let profile = Arc::new(builder.finish());
    assert_eq!(profile.check(), []);
    let keys = Arc::new(FrameKeys::new(&profile, Granularity::Function));
    let filtered = Arc::new(Filtered::new(profile, &[], false).unwrap());
    Tree::new(filtered, keys, shape, MetricId(0), Order::Value, Collapse::None)
}

fn view(width: f64, height: f64, least: f64) -> TreemapView {
    TreemapView { root: NodeId::ROOT, width, height, least, most_boxes: 2_000 }
}

fn rect(one: &TreemapBox) -> Rect {
    Rect { x: one.of.x, y: one.y, width: one.of.width, height: one.height }
}

fn holds(outer: Rect, inner: Rect) -> bool {
    let slack = 1e-6;
    inner.x >= outer.x - slack
        && inner.y >= outer.y - slack
        && inner.x + inner.width <= outer.x + outer.width + slack
        && inner.y + inner.height <= outer.y + outer.height + slack
}

fn overlap(a: Rect, b: Rect) -> bool {
    let slack = 1e-6;
    a.x + a.width > b.x + slack
        && b.x + b.width > a.x + slack
        && a.y + a.height > b.y + slack
        && b.y + b.height > a.y + slack
}

/// The boxes of each parent.
fn families<'a>(tree: &Tree, layout: &'a TreemapLayout) -> HashMap<NodeId, Vec<&'a TreemapBox>> {
    let mut families = HashMap::<NodeId, Vec<&TreemapBox>>::new();
    for one in layout.boxes.iter().filter(|one| one.of.row > 0) {
        families.entry(tree.node(one.of.node).parent).or_default().push(one);
    }
    families
}

/// What a box stands for in its tree's weights.
fn weight(tree: &Tree, one: &TreemapBox) -> i64 {
    match one.of {
        FlameBox { merged: 0, node, .. } => tree.node(node).weight,
        FlameBox { self_value, .. } if tree.shape() == Shape::Flat => self_value,
        FlameBox { total_value, .. } => total_value,
    }
}

fn stacks() -> impl Strategy<Value = Vec<(Vec<u8>, i64)>> {
    prop::collection::vec((prop::collection::vec(0..6u8, 1..7), 1..1000i64), 1..40)
}

proptest! {
    /// Rectangles fill their room, do not overlap, and have the areas of their weights.
    #[test]
    fn squares_fill_their_room(
        mut weights in prop::collection::vec(1e-3..1e6f64, 1..60),
        width in 1.0..2000.0f64,
        height in 1.0..2000.0f64,
    ) {
        weights.sort_by(|a, b| b.total_cmp(a));
        let room = Rect { x: 7.0, y: 9.0, width, height };
        let rects = squarify(&weights, room);
        let whole: f64 = weights.iter().sum();
        for (rect, weight) in rects.iter().zip(&weights) {
            prop_assert!(holds(room, *rect), "{rect:?} in {room:?}");
            let expected = weight / whole * room.area();
            let slack = 1e-6 * room.area();
            prop_assert!((rect.area() - expected).abs() <= slack, "{rect:?} for {expected}");
        }
        for (at, one) in rects.iter().enumerate() {
            prop_assert!(!rects[..at].iter().any(|other| overlap(*one, *other)));
        }
    }

    /// Boxes lie in their parents and beside each other; siblings have areas by their weights; and
    /// what is in a box adds up to what it is, its own included.
    #[test]
    fn boxes_are_inside_of_each_other(
        stacks in stacks(), width in 40.0..1500.0f64, height in 40.0..900.0f64,
        least in 0.0..0.1f64, shape in 0..3usize,
    ) {
        let shape = [Shape::TopDown, Shape::BottomUp, Shape::Flat][shape];
        let mut tree = tree(&stacks, shape);
        let layout = treemap(&mut tree, &view(width, height, least));
        let by_node: HashMap<NodeId, &TreemapBox> = (layout.boxes.iter())
            .filter(|one| one.of.merged == 0)
            .map(|one| (one.of.node, one))
            .collect();
        let families = families(&tree, &layout);
        for (parent, family) in &families {
            let outer = rect(by_node[parent]);
            // Area for a weight is the same of all siblings, and those are all parts of their parent.
            let scales = family.iter().map(|one| rect(one).area() / weight(&tree, one) as f64);
            let scales: Vec<f64> = scales.collect();
            for (at, one) in family.iter().enumerate() {
                prop_assert!(holds(outer, rect(one)), "{one:?} in {outer:?}");
                prop_assert!(!family[..at].iter().any(|other| overlap(rect(one), rect(other))));
                let off = (scales[at] - scales[0]).abs() / scales[0];
                prop_assert!(off < 1e-6, "{one:?} has {} and not {}", scales[at], scales[0]);
            }
            let parts: i64 = family.iter().map(|one| weight(&tree, one)).sum();
            let own = if shape == Shape::TopDown { tree.self_value(*parent) } else { 0 };
            if shape != Shape::BottomUp {
                prop_assert_eq!(parts + own, tree.node(*parent).weight);
            }
        }
    }

    /// Nothing below the least share is drawn by itself, but where it would stand alone.
    #[test]
    fn what_is_small_is_together(stacks in stacks(), least in 0.01..0.3f64) {
        let mut tree = tree(&stacks, Shape::TopDown);
        let layout = treemap(&mut tree, &view(1200.0, 800.0, least));
        let whole = tree.node(NodeId::ROOT).weight as f64;
        for family in families(&tree, &layout).values() {
            let small = |one: &&&TreemapBox| {
                one.of.merged == 0 && (weight(&tree, one) as f64) < whole * layout.least * 0.999
            };
            prop_assert!(family.iter().filter(small).count() <= 1);
            let merged: Vec<u32> =
                family.iter().map(|one| one.of.merged).filter(|&count| count > 0).collect();
            prop_assert!(merged.len() <= 1 && merged.iter().all(|&count| count > 1));
        }
    }
}

#[test]
fn modules_hold_files_and_those_functions() {
    let stacks = [(vec![0], 40), (vec![0, 1], 30), (vec![0, 1, 2], 20), (vec![4], 10)];
    let mut tree = tree(&stacks, Shape::Flat);
    let layout = treemap(&mut tree, &view(600.0, 400.0, 0.0));
    let told: Vec<(u32, String, i64)> = (layout.boxes.iter())
        .map(|one| (one.of.row, tree.name(one.of.node).into_owned(), one.of.self_value))
        .collect();
    let of = |row: u32| -> Vec<(&str, i64)> {
        let row = told.iter().filter(|(of, ..)| *of == row);
        row.map(|(_, name, value)| (name.as_str(), *value)).collect()
    };
    assert_eq!(of(1), [("m0", 70), ("m1", 30)]);
    assert_eq!(of(2), [("0.rs", 40), ("2.rs", 20), ("1.rs", 10), ("1.rs", 30)]);
    assert_eq!(of(3), [("f0", 40), ("f2", 20), ("f4", 10), ("f1", 30)]);
    assert_eq!(layout.levels, 4);
}

#[test]
fn boxes_are_as_many_as_are_requested() {
    let stacks: Vec<(Vec<u8>, i64)> = (0..216)
        .map(|at: i64| (vec![(at % 6) as u8, (at / 6 % 6) as u8, (at / 36) as u8], 1 + at))
        .collect();
    let mut tree = tree(&stacks, Shape::TopDown);
    let all = treemap(&mut tree, &view(4000.0, 4000.0, 0.0));
    assert!(all.boxes.len() > 200, "{} boxes", all.boxes.len());
    let few = treemap(&mut tree, &TreemapView { most_boxes: 40, ..view(4000.0, 4000.0, 0.0) });
    assert!(few.boxes.len() <= 40 && few.least > 0.0 && few.merged > 0);
}
