//! How long the engine takes to compare two profiles of a million contexts each, from both read to
//! the rows of every shape: `cargo xtask bench-compare` writes the profiles and runs it.
//!
//! Prints medians in milliseconds.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench prints and fails by panicking"
)]

use std::io::{Cursor, Read};
use std::time::Instant;

use profile::MetricId;
use session::{
    ChangeOrder, Collector, CompareOptions, Compared, Input, ProfileDocument, ReadOptions,
    ReportShape, Rule, Rules, ViewOptions, Watch,
};

struct Unwatched;

impl Watch for Unwatched {
    fn watch<'a>(&'a self, bytes: Box<dyn Read + Send + 'a>) -> Box<dyn Read + Send + 'a> {
        bytes
    }
}

fn read(name: &str) -> Option<ProfileDocument> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/bench-data/compared/");
    let bytes = std::fs::read(format!("{folder}{name}")).ok()?;
    let options = ReadOptions::default();
    let mut collector = Collector::new(&options);
    collector.add(Input::File(Box::new(Cursor::new(bytes)), None), &Unwatched, name).unwrap();
    Some(collector.finish(name))
}

const ROUNDS: usize = 5;
const ROWS: usize = 40;

fn main() {
    let (Some(base), Some(new)) = (read("base.pb.gz"), read("new.pb.gz")) else {
        println!("no bench data: run `cargo xtask bench-compare`");
        return;
    };
    let names =
        ["match and merge", "top-down", "bottom-up", "flat", "all", "all, with `--match renamed`"];
    let mut times = vec![vec![]; names.len()];
    for _ in 0..ROUNDS {
        let [matched, shapes @ ..] = compare(&base, &new, Rules::default());
        let all = matched + shapes.iter().sum::<f64>();
        let renamed = compare(&base, &new, Rules::new(Rule::ALL)).iter().sum();
        for (times, time) in
            times.iter_mut().zip([matched].into_iter().chain(shapes).chain([all, renamed]))
        {
            times.push(time);
        }
    }
    println!(
        "base {} contexts, new {}",
        base.profile().contexts.len() - 1,
        new.profile().contexts.len() - 1
    );
    println!("| step | ms |");
    println!("|---|---:|");
    for (name, mut times) in names.into_iter().zip(times) {
        times.sort_by(f64::total_cmp);
        println!("| {name} | {:.0} |", times[times.len() / 2]);
    }
}

/// Milliseconds for the comparison and then for the rows of each shape.
fn compare(base: &ProfileDocument, new: &ProfileDocument, rules: Rules) -> [f64; 4] {
    let started = Instant::now();
    let mut last = 0.0;
    let mut lap = || {
        let now = started.elapsed().as_secs_f64() * 1e3;
        now - std::mem::replace(&mut last, now)
    };
    let compared =
        Compared::new(base, new, &CompareOptions { rules, ..CompareOptions::default() }).unwrap();
    let matched = lap();
    let options = ViewOptions { metric: MetricId(1), ..ViewOptions::default() };
    let mut rows = 0;
    let mut tree = |shape| {
        let each = |_: &_, _: &[String]| {
            rows += 1;
            Ok(())
        };
        let order = ChangeOrder::Change;
        compared.tree_report(shape, &options, order, ROWS, each).unwrap().unwrap();
        lap()
    };
    let trees = [tree(ReportShape::TopDown), tree(ReportShape::BottomUp)];
    rows += compared.flat_report(&options, ChangeOrder::Change, ROWS).unwrap().0.len();
    let flat = lap();
    assert_eq!(rows, 3 * ROWS);
    [matched, trees[0], trees[1], flat]
}
