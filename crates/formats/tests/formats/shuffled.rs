//! JSON says nothing with the order of keys, so no reader may depend on it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use formats::{FORMATS, Opened, ReadError, ReadOptions, Source};
use profile::{MetricId, Profile};

use crate::mutate::{Random, shuffle_keys};
use crate::samples::{combining, files, points, unpacked};

/// Larger files are left out.
const LARGEST: usize = 256 << 10;

fn read(bytes: &[u8], from: Option<&str>) -> Result<Opened, ReadError> {
    let from = from.and_then(formats::format_named);
    let options = ReadOptions { from, ..ReadOptions::default() };
    formats::read(Source { bytes: Box::new(bytes), file_name: "" }, &options)
}

/// What a profile says, whatever the order in which its tables came.
fn meaning(opened: &Opened) -> Vec<String> {
    let profile = &opened.profile;
    let origin = &profile.origin;
    let mut said = vec![format!(
        "{} {} {} {} {:?} {}",
        origin.format,
        origin.time_ns,
        origin.duration_ns,
        origin.period,
        origin.period_type,
        origin.producer
    )];
    let default = profile.metrics.get(origin.default_metric.index());
    said.push(format!("default {:?}", default.map(|metric| &metric.name)));
    // Metrics may come in another order: values stand under their names then.
    let mut order: Vec<MetricId> = profile.metric_ids().collect();
    order.sort_by_key(|&id| (&profile.metric(id).name, &profile.metric(id).unit));
    for &id in &order {
        let (metric, total) = (profile.metric(id), profile.metric_total(id));
        let how = combining(metric);
        said.push(format!("{} {} {} {total:?}{how}", metric.name, metric.unit, metric.decimals));
    }
    let mut rows: Vec<String> = (points(profile).into_iter().enumerate())
        .map(|(row, text)| {
            let values: Vec<i64> = order.iter().map(|&m| profile.points.value(row, m)).collect();
            format!("{values:?}{}", text.split_once(']').unwrap().1)
        })
        .collect();
    rows.sort();
    said.extend(rows);
    said.extend(totals(profile));
    said
}

fn totals(profile: &Profile) -> Vec<String> {
    let totals = &profile.function_totals;
    let rows = totals.metrics.iter().flat_map(|&metric| totals.of_metric(metric));
    let name =
        |function: profile::FunctionId| profile.text(profile.functions.name[function.index()]);
    let mut rows: Vec<String> =
        rows.map(|(function, _, value)| format!("{} {value}", name(function))).collect();
    rows.sort();
    rows
}

fn check(
    path: &Path,
    bytes: &[u8],
    format: &'static str,
    failures: &mut BTreeMap<PathBuf, String>,
) -> bool {
    let Ok(text) = String::from_utf8(unpacked(bytes)) else { return false };
    if text.len() > LARGEST {
        return false;
    }
    let Some(first) = shuffle_keys(&text, &mut Random::new(0)) else { return false };
    let Ok(sound) = read(text.as_bytes(), None) else { return false };
    let expected = meaning(&sound);
    let shuffles = (1..3).map(|seed| shuffle_keys(&text, &mut Random::new(seed)).unwrap());
    for shuffled in std::iter::once(first).chain(shuffles) {
        // What tells the format may come late in a long file; people name the format then.
        let is_long = shuffled.len() > formats::SNIFF_BYTES;
        let read = match read(shuffled.as_bytes(), None) {
            Err(ReadError::UnknownFormat { .. }) if is_long => {
                read(shuffled.as_bytes(), Some(format))
            }
            Ok(opened)
                if is_long && opened.profile.origin.format != sound.profile.origin.format =>
            {
                read(shuffled.as_bytes(), Some(format))
            }
            read => read,
        };
        let problem = match read {
            Err(error) => error.to_string(),
            Ok(opened) => {
                let found = meaning(&opened);
                let different = expected.iter().zip(&found).find(|(a, b)| a != b);
                match different {
                    Some((expected, found)) => format!("{expected}\n became\n{found}"),
                    None if expected.len() != found.len() => {
                        format!("{} instead of {} points", found.len(), expected.len())
                    }
                    None => continue,
                }
            }
        };
        failures.entry(path.to_owned()).or_insert(problem);
    }
    true
}

#[test]
fn the_order_of_keys_says_nothing() {
    let mut failures = BTreeMap::new();
    let mut checked = 0;
    for sample in files() {
        let bytes = std::fs::read(&sample.path).unwrap();
        checked += usize::from(check(&sample.path, &bytes, sample.format, &mut failures));
    }
    assert!(checked > 25, "only {checked} samples are JSON");
    let corpus = ::samples::corpus("");
    for folder in corpus.iter().flat_map(|corpus| std::fs::read_dir(corpus).unwrap()) {
        for file in std::fs::read_dir(folder.unwrap().path()).into_iter().flatten() {
            let path = file.unwrap().path();
            let Ok(bytes) = std::fs::read(&path) else { continue };
            let Ok(opened) = read(&bytes, None) else { continue };
            let format = FORMATS.iter().find(|f| f.name == opened.profile.origin.format);
            if let Some(format) = format.filter(|_| bytes.len() < LARGEST) {
                check(&path, &bytes, format.name, &mut failures);
            }
        }
    }
    let failures: Vec<_> = (failures.iter())
        .map(|(path, problem)| {
            format!("{}: {}", path.display(), &problem.chars().take(600).collect::<String>())
        })
        .collect();
    assert!(failures.is_empty(), "{} files:\n{}", failures.len(), failures.join("\n"));
}
