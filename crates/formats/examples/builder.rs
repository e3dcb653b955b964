//! The example of every builder, in Rust: allocations with their use and reuse, on two threads.

#![allow(clippy::unwrap_used, reason = "an example fails by panicking")]

use std::fs::File;

use profile::{
    ContextId, Label, LabelSetId, LabelValue, Location, LocationKind, Metric, Module, ModuleId,
    Point, ProfileBuilder,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let metric = |name: &str, unit: &str| Metric {
        name: name.into(),
        unit: unit.into(),
        decimals: 0,
        ..Metric::default()
    };
    let metrics = vec![metric("allocated", "bytes"), metric("allocations", "count")];
    let mut profile = ProfileBuilder::new(metrics);
    profile.origin.format = "hotframe".to_owned();
    profile.origin.producer = "builders example 1.0".to_owned();
    profile.origin.time_ns = 1_700_000_000_000_000_000;
    let (name, build_id) =
        (profile.strings.intern("/usr/bin/example"), profile.strings.intern("c0ffee"));
    profile.modules.push(Module { name, build_id, ..Module::default() });

    let in_module = Location { module: Some(ModuleId(0)), ..Location::default() };
    let mut frame = |location: Location, function: &str, file: &str, line: u32| {
        let function = profile.function(function, file, 0);
        profile.location(location, &[(Some(function), line, 0)])
    };
    let main = frame(in_module, "main", "example.c", 10);
    let grow = frame(in_module, "grow", "list.c", 21);
    let data = Location { kind: LocationKind::Data, ..Location::default() };
    let list = frame(data, "list", "", 0);
    let (walk, next) =
        (profile.function("walk", "list.c", 0), profile.function("next", "list.h", 0));
    let walk = profile.location(Location::default(), &[(Some(walk), 40, 0), (Some(next), 7, 0)]);
    let heap = profile.stack([main, grow, list]);
    let walk = profile.stack([main, walk]);

    let process = profile.process("42");
    profile.processes[process.index()].name = profile.strings.intern("example");
    let threads = [1, 2].map(|number| {
        let thread = profile.thread(Some(process), &number.to_string());
        let name = profile.strings.intern(&format!("worker {number}"));
        profile.threads[thread.index()].name = name;
        thread
    });
    let links = [("allocation", heap), ("use", walk), ("reuse", walk)]
        .map(|(role, context): (&str, ContextId)| (profile.role(role), context));
    for step in 0..10 {
        let phase = if step < 5 { "grow" } else { "steady" };
        let mut text = |text: &str| profile.strings.intern(text);
        let labels = [
            Label { key: text("phase"), value: LabelValue::Text(text(phase)) },
            Label { key: text("step"), value: LabelValue::Number(step, text("")) },
            Label { key: text("size"), value: LabelValue::Number(64 * step, text("bytes")) },
        ];
        let point = Point {
            context: heap,
            labels: profile.labels.add(&labels),
            time: Some(step * 1_000_000),
            thread: Some(threads[step as usize % 2]),
            cpu: Some(step as u32 % 4),
            links: &links,
            ..Point::default()
        };
        profile.points.push_point(point, &[4096 + step, 1]);
    }
    profile.points.push(walk, LabelSetId(0), &[0, -1]);

    let path = std::env::args().nth(1).unwrap();
    let format = formats::format_named("hotframe").unwrap();
    format.write(&profile.finish(), &mut File::create(path)?)?;
    Ok(())
}
