//! The example of every builder, in Rust: allocations with their use and reuse, on two threads.

#![allow(clippy::unwrap_used, reason = "an example fails by panicking")]

use std::fs::File;

use profile::{
    Combine, Combining, ContextId, Label, LabelSetId, LabelValue, Location, LocationKind, Member,
    Metric, MetricId, Module, ModuleId, Note, NoteOf, Point, ProfileBuilder, StringId,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let metric = |name: &str, unit: &str| Metric {
        name: name.into(),
        unit: unit.into(),
        decimals: 0,
        ..Metric::default()
    };
    let combining = Combining {
        contexts: Combine::Mean,
        time: Combine::Mean,
        members: Combine::None,
        weight: Some(MetricId(1)),
    };
    let lifetime = Metric { decimals: 3, combining, ..metric("lifetime", "seconds") };
    let metrics = vec![metric("allocated", "bytes"), metric("allocations", "count"), lifetime];
    let mut profile = ProfileBuilder::new(metrics);
    (profile.origin.default_metric, profile.origin.default_metric_named) = (MetricId(1), true);
    (profile.origin.duration_ns, profile.origin.clock_ns) = (9_000_000, 5000);
    profile.origin.period = 512;
    profile.origin.period_type = Some(("space".to_owned(), "bytes".to_owned()));
    profile.origin.format = "hotframe".to_owned();
    profile.origin.producer = "builders example 1.0".to_owned();
    profile.origin.time_ns = 1_700_000_000_000_000_000;
    let (name, build_id) =
        (profile.strings.intern("/usr/bin/example"), profile.strings.intern("c0ffee"));
    profile.modules.push(Module {
        name,
        build_id,
        memory_start: 0xffff_ffff_8100_0000,
        memory_limit: 0xffff_ffff_8200_0000,
        file_offset: 4096,
        ..Module::default()
    });

    let in_module = Location { module: Some(ModuleId(0)), ..Location::default() };
    let function = profile.function("main", "example.c", 8);
    let main = profile.location(in_module, &[(Some(function), 10, 0)]);
    let texts = ["call malloc", "List::grow", "_ZN4List4growEv", "list.cpp"];
    let [instruction, name, system_name, file] = texts.map(|text| profile.strings.intern(text));
    let grows = profile.functions.push(name, system_name, file, 0);
    let in_kernel = Location { address: 0xffff_ffff_8100_0010, instruction, ..in_module };
    let grow = profile.location(in_kernel, &[(Some(grows), 21, 0)]);
    let data = Location { kind: LocationKind::Data, ..Location::default() };
    let list = profile.strings.intern("list");
    let list = profile.functions.push(list, StringId::EMPTY, StringId::EMPTY, 0);
    let list = profile.location(data, &[(Some(list), 0, 0)]);
    let (walk, next) =
        (profile.function("walk", "list.cpp", 0), profile.function("next", "list.h", 0));
    let walk = profile.location(Location::default(), &[(Some(walk), 40, 0), (Some(next), 7, 0)]);
    let block = Location {
        kind: LocationKind::Block,
        address: 0xffff_ffff_8100_0020,
        instruction: profile.strings.intern("mov rax, [rax + 8]"),
        ..in_module
    };
    let block = profile.location(block, &[(Some(next), 8, 0)]);
    let heap = profile.stack([main, grow, list]);
    let block = profile.stack([main, walk, block]);
    let walk = profile.stack([main, walk]);

    let process = profile.process("42");
    profile.processes[process.index()].name = profile.strings.intern("example");
    let threads = [1, 2].map(|number| {
        let thread = profile.thread(Some(process), &number.to_string());
        let name = profile.strings.intern(&format!("worker {number}"));
        profile.threads[thread.index()].name = name;
        thread
    });
    profile.members.push(Member {
        name: "run 1".to_owned(),
        host: "node 1".to_owned(),
        time_ns: 1_700_000_000_000_000_000,
        ..Member::default()
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
        profile.points.push_point(point, &[4096 + step, 1, 250]);
    }
    profile.points.push(block, LabelSetId(0), &[0, -1, 0]);
    let (again, link) = ("What is read here is read again.", "https://example.com/reuse");
    for (about, title, text, link) in [
        (NoteOf::Context(ContextId::ROOT), "Sampled", "One in 512 bytes was seen.", ""),
        (NoteOf::Context(heap), "Reused", again, link),
        (NoteOf::Function(grows), "Grows by one", "", ""),
        (NoteOf::Line(file, 40), "Chases pointers", "An array is faster.", ""),
    ] {
        let [title, text, link] = [title, text, link].map(|text| profile.strings.intern(text));
        profile.notes.push(Note { about, title, text, link });
    }

    let path = std::env::args().nth(1).unwrap();
    let format = formats::format_named("hotframe").unwrap();
    format.write(&profile.finish(), &mut File::create(path)?)?;
    Ok(())
}
