//! `hotframe record python --check`: what recording a program costs, and where its recorders disagree.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use record::{Before, Cost, Overhead, Place, RecordOptions, RunKind, Series, Status, costs};
use session::{
    Filter, FilterKind, NO_VALUE, ProfileDocument, ReportRow, ViewOptions, flat_report, visible,
};

use super::ending::Signals;
use super::messages;
use crate::reading;

/// How often each kind of run has its turn.
const RUNS: u32 = 3;

/// Functions that are told.
const MOST: usize = 20;

/// Sampling errors that a difference has to be larger than.
const ERRORS: f64 = 3.0;

/// Runs the command bare, sampled and traced, and tells what that cost and what differs. Recordings stay in a
/// folder.
pub(super) fn check(
    sampled: RecordOptions,
    traced: RecordOptions,
    output: Option<&Path>,
) -> Result<Option<Status>> {
    let folder = match output {
        Some(folder) => folder.to_owned(),
        None => record::free_name(Path::new(""), &sampled.name, "check"),
    };
    if folder.exists() {
        bail!("{} is there: name another folder with -o", folder.display());
    }
    let signals = Signals::new()?;
    let mut all = vec![];
    for (asked, what) in [(sampled, "sampled"), (traced, "traced")] {
        let asked = RecordOptions {
            name: format!("{}-{what}", asked.name),
            runs: RUNS,
            overhead: Overhead { runs: RUNS, ..Overhead::default() },
            ..asked
        };
        let place = Place { folder: folder.clone(), file: None, before: Before::Keep };
        let mut series = Series::new(&asked, place)?;
        messages::findings(&series.plan().findings)?;
        let status = series.run(&signals)?;
        if status.is_some_and(|status| status != Status::Exit(0)) {
            messages::line("the command failed: its overhead means little")?;
        }
        all.push(series);
    }
    let [sampled, traced] = &all[..] else { unreachable!("two series ran") };
    let of = |series: &Series| costs(series.experiment());
    let mut text = describe_costs(&[("sampled", of(sampled)), ("traced", of(traced))]);
    text.push('\n');
    text.push_str(&Functions::of(sampled, traced)?.text());
    let _ = writeln!(text, "\nThe recordings are in {}.", folder.display());
    crate::text::stdout().write_all(text.as_bytes())?;
    Ok(None)
}

/// Times of all kinds of runs, each recorder's behind the bare ones that it took turns with.
fn describe_costs(recorders: &[(&str, Vec<Cost>)]) -> String {
    let mut text = format!(
        "{:14} {:>4} {:>12} {:>12} {:>8} {:>12} {:>8} {:>10}\n",
        "", "runs", "median", "least", "ratio", "CPU", "ratio", "file"
    );
    for (recorder, costs) in recorders {
        let bare = costs.iter().find(|cost| cost.kind == RunKind::Unmeasured).map(all_cpu);
        let has_frequencies = costs.iter().filter(|cost| cost.kind == RunKind::Sampled).count() > 1;
        for cost in costs {
            // Where processors are busy in some runs, the sampler takes fewer samples in these.
            let name = match (cost.kind, cost.frequency) {
                (RunKind::Unmeasured, _) => "bare".to_owned(),
                (_, Some(frequency)) if has_frequencies => format!("{recorder} {frequency}/s"),
                _ => (*recorder).to_owned(),
            };
            let size = match cost.kind {
                RunKind::Unmeasured => String::new(),
                _ => session::Unit::new("bytes", 0)
                    .text(i64::try_from(cost.size).unwrap_or(i64::MAX)),
            };
            let time = |ns: u64| format!("{:.1} ms", ns as f64 / 1e6);
            let ratio =
                |ratio: Option<f64>| ratio.map_or("".to_owned(), |ratio| format!("x{ratio:.2}"));
            let cpu = bare.filter(|bare| *bare > 0).map(|bare| all_cpu(cost) as f64 / bare as f64);
            let [median, least, slower, cpu_time, cpu] = [
                time(cost.duration.median),
                time(cost.duration.least),
                ratio(cost.duration_ratio),
                time(all_cpu(cost)),
                ratio(cpu),
            ];
            let _ = writeln!(
                text,
                "{name:14} {:>4} {median:>12} {least:>12} {slower:>8} {cpu_time:>12} {cpu:>8} {size:>10}",
                cost.runs
            );
        }
    }
    text.push_str(
        "Medians, by turns with bare runs; ratios are to the bare runs above. CPU has the recorder's own.\n",
    );
    text
}

/// Nanoseconds of a command and its recorder on processors, medians.
fn all_cpu(cost: &Cost) -> u64 {
    cost.cpu.median + cost.recorder_cpu
}

/// Shares of self time by function, of both recorders.
struct Functions {
    rows: Vec<Row>,
    samples: u64,
    /// Functions of C that have the name of one of Python, and stay.
    kept: usize,
    bounded: Vec<String>,
}

struct Row {
    name: String,
    file: String,
    sampled: f64,
    traced: f64,
    raw: f64,
}

type Shares = BTreeMap<(String, String), f64>;

impl Functions {
    fn of(sampled: &Series, traced: &Series) -> Result<Functions> {
        let files = |series: &Series| series.recordings().collect::<Vec<PathBuf>>();
        let samples = reading::read_plain(&files(sampled))?;
        let calls = reading::read_plain(&files(traced))?;
        let (by_samples, _) = shares(&samples, "wall time")?;
        let (by_calls, kept) = shares(&calls, "corrected time")?;
        let (raw, _) = shares(&calls, "time")?;
        let mut keys: Vec<_> = by_samples.keys().chain(by_calls.keys()).collect();
        keys.sort_unstable();
        keys.dedup();
        let share = |of: &Shares, key: &(String, String)| of.get(key).copied().unwrap_or(0.0);
        let row = |key: &(String, String)| Row {
            name: key.0.clone(),
            file: key.1.clone(),
            sampled: share(&by_samples, key),
            traced: share(&by_calls, key),
            raw: share(&raw, key),
        };
        let mut rows: Vec<Row> = keys.into_iter().map(row).collect();
        rows.sort_by(|one, other| other.largest().total_cmp(&one.largest()));
        let held = sampled.experiment().runs.iter().filter_map(|run| run.holds.as_ref());
        let comments = calls.profile().origin.comments.iter();
        let bounded = comments.filter(|one| one.contains("exact to call")).cloned().collect();
        let of_run = |samples: &BTreeMap<String, u64>| samples.values().copied().max().unwrap_or(0);
        let samples = held.map(|holds| of_run(&holds.samples)).sum();
        Ok(Functions { rows, samples, kept, bounded })
    }

    fn text(&self) -> String {
        let mut text = format!(
            "{:>9} {:>7} {:>9} {:>9} {:>8}  function\n",
            "sampled", "±", "traced", "raw", "differ"
        );
        let percent = |share: f64| format!("{:.1} %", share * 100.0);
        let mut differing = 0;
        for (place, row) in self.rows.iter().enumerate() {
            // Of a share of samples that are drawn one by one.
            let share = row.largest();
            let error = (share * (1.0 - share) / self.samples.max(1) as f64).sqrt();
            let differs = (row.sampled - row.traced).abs() > ERRORS * error + 0.005;
            differing += usize::from(differs);
            if place >= MOST {
                continue;
            }
            let difference = if differs {
                format!("{:+.1}", (row.traced - row.sampled) * 100.0)
            } else {
                String::new()
            };
            let _ = writeln!(
                text,
                "{:>9} {:>7} {:>9} {:>9} {difference:>8}  {} {}",
                percent(row.sampled),
                percent(error),
                percent(row.traced),
                percent(row.raw),
                visible(&row.name),
                visible(&row.file),
            );
        }
        let left = self.rows.len().saturating_sub(MOST);
        if left > 0 {
            let _ = writeln!(text, "and {left} functions with less");
        }
        let _ = writeln!(
            text,
            "Shares of self time; functions of C count in what called them. Traced is without what tracing took \
             (an estimate), raw with it. Told as different is what is apart by more than {ERRORS} sampling errors \
             and half a percent: {differing} of {}.",
            self.rows.len()
        );
        if self.kept > 0 {
            let _ = writeln!(
                text,
                "{} functions of C have the name of one of Python and stand for themselves.",
                self.kept
            );
        }
        for comment in &self.bounded {
            let _ = writeln!(text, "{}", visible(comment));
        }
        if !self.bounded.is_empty() {
            let _ = writeln!(
                text,
                "What such a function took later is in what called it: --exact compares all of it."
            );
        }
        text
    }
}

impl Row {
    fn largest(&self) -> f64 {
        self.sampled.max(self.traced)
    }
}

/// Shares of a metric by function, those of C in their callers; and how many of those had to stay.
fn shares(document: &ProfileDocument, metric: &str) -> Result<(Shares, usize)> {
    let metric = reading::metric(document, Some(metric))?;
    let options = ViewOptions { metric, ..ViewOptions::default() };
    let (rows, _) = flat_report(document, &options, usize::MAX)?;
    let is_python = |row: &&ReportRow| !row.place.file.is_empty();
    let python: Vec<&str> = rows.iter().filter(is_python).map(|row| &*row.name).collect();
    let of_c = rows.iter().filter(|row| !is_python(row));
    let (kept, hidden): (Vec<&ReportRow>, Vec<&ReportRow>) =
        of_c.partition(|row| python.contains(&&*row.name));
    let names: Vec<String> = hidden.iter().map(|row| session::escaped(&row.name)).collect();
    let filters = if names.is_empty() {
        vec![]
    } else {
        vec![Filter { kind: FilterKind::Hide, pattern: format!("^({})$", names.join("|")) }]
    };
    let (rows, _) = flat_report(document, &ViewOptions { filters, ..options }, usize::MAX)?;
    let own =
        |row: &ReportRow| if row.self_value == NO_VALUE { 0.0 } else { row.self_value as f64 };
    let sum: f64 = rows.iter().map(own).sum();
    let mut shares = Shares::new();
    for row in &rows {
        // Before Python 3.11 samplers have bare names.
        let name = row.name.rsplit('.').next().unwrap_or_default().to_owned();
        let share = if sum > 0.0 { own(row) / sum } else { 0.0 };
        if share > 0.0 {
            *shares.entry((name, row.place.file.clone())).or_default() += share;
        }
    }
    Ok((shares, kept.len()))
}

#[cfg(test)]
mod tests {
    use record::Spread;

    use super::*;

    #[test]
    fn costs_are_described_in_one_piece() {
        let spread = |median: u64| Spread { least: median, median, most: median };
        let cost = |kind, frequency, runs, cpu: u64, recorder_cpu| Cost {
            kind,
            frequency,
            events: String::new(),
            runs,
            duration: spread(1_000_000_000),
            cpu: spread(cpu),
            recorder_cpu,
            duration_ratio: Some(1.0),
            cpu_ratio: Some(9.0),
            size: 0,
            descriptors: 0,
        };
        let bare = cost(RunKind::Unmeasured, None, 3, 200_000_000, 0);
        let slow = cost(RunKind::Sampled, Some(199), 2, 200_000_000, 100_000_000);
        let fast = cost(RunKind::Sampled, Some(997), 1, 200_000_000, 200_000_000);
        let text = describe_costs(&[("sampled", vec![bare, slow, fast])]);
        let words: Vec<Vec<&str>> =
            text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(words[1][..2], ["bare", "3"], "{text}");
        // The recorder's own time is in the ratio as in what it is of.
        assert_eq!(words[2][..3], ["sampled", "199/s", "2"], "{text}");
        assert!(text.contains("300.0 ms    x1.50"), "{text}");
        assert_eq!(words[3][..3], ["sampled", "997/s", "1"], "{text}");
        assert!(text.contains("400.0 ms    x2.00"), "{text}");
    }
}
