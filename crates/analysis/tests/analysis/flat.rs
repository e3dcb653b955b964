//! The flat tree where values cancel out.

use std::sync::Arc;

use analysis::{Collapse, Filtered, FrameKeys, Granularity, NodeId, Order, Shape, Tree};
use profile::{Location, Metric, MetricId, ProfileBuilder};

/// What one function takes and another one of the same file gives back is there all the same.
#[test]
fn files_that_add_up_to_nothing_have_their_functions() {
    let mut builder = ProfileBuilder::new(vec![Metric::new("in use", "bytes")]);
    let mut push = |name: &str, file: &str, value: i64| {
        let function = builder.function(name, file, 1);
        let location = builder.push_location(Location::default(), &[(Some(function), 1, 0)]);
        let context = builder.stack([location]);
        let labels = builder.labels.add(&[]);
        builder.points.push(context, labels, &[value]);
    };
    push("takes", "pool.c", 64);
    push("gives", "pool.c", -64);
    push("keeps", "main.c", 8);
    push("idle", "idle.c", 0);
    let profile = Arc::new(builder.finish());
    let filtered = Arc::new(Filtered::new(profile.clone(), &[], false).unwrap());
    let keys = Arc::new(FrameKeys::new(&profile, Granularity::Function));
    let mut tree =
        Tree::new(filtered, keys, Shape::Flat, MetricId(0), Order::Value, Collapse::None);
    let mut names = vec![];
    let mut open = vec![NodeId::ROOT];
    while let Some(node) = open.pop() {
        let children: Vec<NodeId> = tree.children(node).map(NodeId).collect();
        open.extend(&children);
        names.extend(children.into_iter().map(|child| tree.name(child).to_string()));
    }
    names.sort();
    assert_eq!(names, ["[no module]", "gives", "keeps", "main.c", "pool.c", "takes"]);
}
