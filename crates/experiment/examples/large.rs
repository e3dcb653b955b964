//! Writes a result of many runs, to measure how long such a one takes to open and to look at:
//! `large RUNS CONTEXTS FILE`.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "it ends where something is wrong"
)]

use std::fs::File;
use std::io::BufWriter;

use profile::{
    Fact, FactKind, FactValue, LabelSetId, Member, MemberId, Metric, Place, Point, ProfileBuilder,
};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [runs, contexts, file] = &words[..] else { panic!("large RUNS CONTEXTS FILE") };
    let (runs, contexts): (u32, u32) = (runs.parse().unwrap(), contexts.parse().unwrap());
    let mut builder = ProfileBuilder::new(vec![Metric::new("time", "nanoseconds")]);
    let places: Vec<_> = (0..contexts)
        .map(|number| {
            let name = format!("function_{}", number % (contexts / 4 + 1));
            let file = format!("module_{}.py", number % 40);
            builder.place(&Place {
                function: &name,
                file: &file,
                start_line: number % 700 + 1,
                line: number % 700 + 2,
                ..Place::default()
            })
        })
        .collect();
    // Ten calls deep.
    let stacks: Vec<_> = (0..contexts as usize)
        .map(|number| {
            let first = number - number % 10;
            builder.stack(places[first..=number].iter().copied())
        })
        .collect();
    let [version, size, run, wall, ns, none] =
        ["version", "size", "run", "wall time", "nanoseconds", ""]
            .map(|text| builder.strings.intern(text));
    let mut random = 1u64;
    for number in 0..runs {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let levels = [format!("{}.0", number % 8), format!("{}", number / 8 % 10)];
        let [first, second] = levels.map(|level| builder.strings.intern(&level));
        let factor =
            |name, level| Fact { name, kind: FactKind::Factor, value: FactValue::Text(level) };
        let facts = vec![
            factor(version, first),
            factor(size, second),
            Fact {
                name: run,
                kind: FactKind::Note,
                value: FactValue::Number(i64::from(number / 80 + 1), none),
            },
            Fact {
                name: wall,
                kind: FactKind::Measure,
                value: FactValue::Number(1_000_000_000 + (random >> 40) as i64, ns),
            },
        ];
        let member = MemberId(number);
        builder.members.push(Member { name: format!("#{number}"), facts, ..Member::default() });
        for &context in &stacks {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let point = Point { context, labels: LabelSetId(0), member, ..Point::default() };
            builder.points.push_point(point, &[100_000 + (random >> 48) as i64]);
        }
    }
    let profile = builder.finish();
    let format = formats::format_named("hotframe").unwrap();
    format.write(&profile, &mut BufWriter::new(File::create(file).unwrap())).unwrap();
}
