//! Results whose every number is known.

use std::fs::File;
use std::path::Path;

use profile::{
    Fact, FactKind, FactValue, LabelSetId, Member, MemberId, Metric, Place, Point, ProfileBuilder,
};

/// A run: its factors and notes, how long it took in ns, and what its functions took.
#[derive(Default)]
pub(crate) struct Made {
    pub(crate) factors: Vec<(&'static str, String)>,
    pub(crate) notes: Vec<(&'static str, String)>,
    /// Notes that are numbers.
    pub(crate) numbers: Vec<(&'static str, i64)>,
    /// Seconds since 1970.
    pub(crate) commit_time: Option<i64>,
    pub(crate) wall_ns: i64,
    /// By function, its own nanoseconds; below `main`.
    pub(crate) functions: Vec<(&'static str, i64)>,
}

/// Writes a result.
pub(crate) fn write(file: &Path, runs: &[Made]) {
    let mut builder = ProfileBuilder::new(vec![Metric::new("time", "nanoseconds")]);
    for (number, run) in runs.iter().enumerate() {
        let mut facts = vec![];
        let texts = run.factors.iter().map(|fact| (FactKind::Factor, fact));
        for (kind, (name, text)) in texts.chain(run.notes.iter().map(|f| (FactKind::Note, f))) {
            let (name, text) = (builder.strings.intern(name), builder.strings.intern(text));
            facts.push(Fact { name, kind, value: FactValue::Text(text) });
        }
        let mut add = |name: &str, kind, number, unit: &str| {
            let (name, unit) = (builder.strings.intern(name), builder.strings.intern(unit));
            facts.push(Fact { name, kind, value: FactValue::Number(number, unit) });
        };
        add("wall time", FactKind::Measure, run.wall_ns, "nanoseconds");
        if let Some(time) = run.commit_time {
            add("commit time", FactKind::Note, time, "seconds");
        }
        for &(name, number) in &run.numbers {
            add(name, FactKind::Note, number, "nanoseconds");
        }
        let member = MemberId(number as u32);
        builder.members.push(Member { name: format!("#{number}"), facts, ..Member::default() });
        let main = builder.place(&Place { function: "main", ..Place::default() });
        for &(function, value) in &run.functions {
            let own = builder.place(&Place { function, ..Place::default() });
            let context = builder.stack([main, own]);
            let point = Point { context, labels: LabelSetId(0), member, ..Point::default() };
            builder.points.push_point(point, &[value]);
        }
    }
    let format = formats::format_named("hotframe").unwrap();
    format.write(&builder.finish(), &mut File::create(file).unwrap()).unwrap();
}
