//! The example of every builder: allocations with their use and reuse, on two threads.

use hotframe_builder::{
    Combine, ContextRow, Error, Frame, Inlined, Kind, Member, Metric, Module, Note, Origin, Point,
    Profile, Value,
};

fn main() -> Result<(), Error> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "example.hotframe".to_owned());
    let origin = Origin {
        producer: "builders example 1.0",
        time_ns: 1_700_000_000_000_000_000,
        clock_ns: 5000,
        period: 512,
        period_type: "space",
        period_unit: "bytes",
        ..Origin::default()
    };
    let mut profile = Profile::create(path, &origin)?;
    let size = profile.metric(&Metric::new("allocated", "bytes"))?;
    let count = profile.metric(&Metric::new("allocations", "count"))?;
    let lifetime = profile.metric(&Metric {
        decimals: 3,
        over_contexts: Combine::Mean,
        over_time: Combine::Mean,
        over_members: Combine::None,
        weight: Some(count),
        ..Metric::new("lifetime", "seconds")
    })?;
    profile.default_metric(count)?;
    let module = Some(profile.module(&Module {
        path: "/usr/bin/example",
        build_id: "c0ffee",
        memory_start: 0xffff_ffff_8100_0000,
        memory_limit: 0xffff_ffff_8200_0000,
        file_offset: 4096,
    })?);
    let nothing = Frame::default();
    let main =
        Frame { function: "main", file: "example.c", line: 10, start_line: 8, module, ..nothing };
    let start = profile.frame(&main)?;
    let start = profile.context(ContextRow::ROOT, start)?;
    let grow_frame = profile.frame(&Frame {
        function: "List::grow",
        system_name: "_ZN4List4growEv",
        file: "list.cpp",
        line: 21,
        module,
        address: 0xffff_ffff_8100_0010,
        instruction: "call malloc",
        ..nothing
    })?;
    let grow = profile.context(start, grow_frame)?;
    let list = profile.frame(&Frame { function: "list", kind: Kind::Data, ..nothing })?;
    let heap = profile.context(grow, list)?;
    let inlined = &[Inlined { function: "next", file: "list.h", line: 7, ..Inlined::default() }];
    let walk = profile.frame(&Frame {
        function: "walk",
        file: "list.cpp",
        line: 40,
        inlined,
        ..nothing
    })?;
    let walk = profile.context(start, walk)?;
    let block = profile.frame(&Frame {
        function: "next",
        file: "list.h",
        line: 8,
        module,
        address: 0xffff_ffff_8100_0020,
        instruction: "mov rax, [rax + 8]",
        kind: Kind::Block,
        ..nothing
    })?;
    let block = profile.context(walk, block)?;
    let process = Some(profile.process("42", "example")?);
    let threads =
        [profile.thread("1", "worker 1", process)?, profile.thread("2", "worker 2", process)?];
    let time_ns = 1_700_000_000_000_000_000;
    profile.member(&Member { name: "run 1", host: "node 1", time_ns, ..Member::default() })?;
    for step in 0..10 {
        profile.point(&Point {
            context: heap,
            values: &[(size, 4096 + step), (count, 1), (lifetime, 250)],
            labels: &[
                ("phase", Value::Text(if step < 5 { "grow" } else { "steady" })),
                ("step", Value::Number(step, "")),
                ("size", Value::Number(64 * step, "bytes")),
            ],
            time_ns: Some(step * 1_000_000),
            thread: Some(threads[step as usize % 2]),
            cpu: Some(step as u32 % 4),
            member: None,
            links: &[("allocation", heap), ("use", walk), ("reuse", walk)],
        })?;
    }
    profile.point(&Point { context: block, values: &[(count, -1)], ..Point::default() })?;
    let note = |title, text| Note { title, text, ..Note::default() };
    profile.note(&note("Sampled", "One in 512 bytes was seen."))?;
    let reused = note("Reused", "What is read here is read again.");
    profile.note(&Note { link: "https://example.com/reuse", context: heap, ..reused })?;
    profile.note(&Note { frame: Some(grow_frame), ..note("Grows by one", "") })?;
    let chases = note("Chases pointers", "An array is faster.");
    profile.note(&Note { file: "list.cpp", line: 40, ..chases })?;
    profile.duration(9_000_000)?;
    profile.close()
}
