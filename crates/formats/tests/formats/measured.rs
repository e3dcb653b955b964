//! What tests ask of a profile: values by function, read straight from its points.
//!
//! Not the analyses of Hotframe on purpose: a test of a reader should not pass because both are
//! wrong alike.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use formats::{Opened, ReadError, ReadOptions, Source};
use profile::{ContextId, FrameId, MetricId, Profile};

/// Reads bytes of a file without a name.
pub(crate) fn read(bytes: impl AsRef<[u8]>) -> Result<Opened, ReadError> {
    let source = Source { bytes: Box::new(bytes.as_ref()), file_name: "" };
    formats::read(source, &ReadOptions::default())
}

/// The profile that bytes hold.
pub(crate) fn profile(bytes: impl AsRef<[u8]>) -> Profile {
    let opened = read(bytes).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(opened.profile.check(), []);
    opened.profile
}

/// The messages of the warnings of reading bytes.
pub(crate) fn warnings(bytes: impl AsRef<[u8]>) -> Vec<String> {
    let opened = read(bytes).unwrap_or_else(|error| panic!("{error}"));
    opened.warnings.iter().map(|warning| warning.message.clone()).collect()
}

/// A path below `testdata`.
pub(crate) fn testdata(path: &str) -> PathBuf {
    ::samples::testdata(path)
}

/// A profile below `testdata`.
pub(crate) fn sample(path: &str) -> Profile {
    let bytes = std::fs::read(testdata(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    profile(bytes)
}

/// A text below `testdata`, such as a tool's report.
pub(crate) fn text(path: &str) -> String {
    std::fs::read_to_string(testdata(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A real file that stands beside the repository on some machines; it is told where it does not.
pub(crate) fn corpus(path: &str) -> Option<Vec<u8>> {
    ::samples::corpus_bytes(path)
}

/// Files by their paths: these of `testdata`, and those of the corpus where it is.
pub(crate) fn both<'a>(
    ours: &'a [&'a str],
    others: &'a [&'a str],
) -> impl Iterator<Item = (&'a str, Vec<u8>)> {
    let read = |path: &str| std::fs::read(testdata(path)).unwrap_or_else(|e| panic!("{path}: {e}"));
    let ours = ours.iter().map(move |&path| (path, read(path)));
    ours.chain(others.iter().filter_map(|&path| Some((path, corpus(path)?))))
}

/// The index of a metric.
pub(crate) fn metric(profile: &Profile, name: &str) -> MetricId {
    profile.metric_ids().find(|&id| profile.metric(id).name == name).unwrap_or_else(|| {
        let names: Vec<_> = profile.metrics.iter().map(|metric| &metric.name).collect();
        panic!("no metric {name} among {names:?}")
    })
}

/// Names of the frames from the root to a context.
pub(crate) fn names(profile: &Profile, context: ContextId) -> Vec<String> {
    let mut path: Vec<_> =
        std::iter::successors(Some(context), |&at| profile.contexts.parent(at)).collect();
    path.reverse();
    let frames = path.into_iter().flat_map(|at| profile.frames_of(at));
    frames.map(|frame| profile.frame_name(FrameId(frame)).into_owned()).collect()
}

/// Every point as `root;…;leaf`, with its values.
pub(crate) fn stacks(profile: &Profile) -> Vec<(String, Vec<i64>)> {
    let rows = profile.points.context.iter().enumerate();
    rows.map(|(row, &at)| (names(profile, at).join(";"), profile.points.row(row).to_vec()))
        .collect()
}

/// Values summed by stack, in the order of the stacks' names.
pub(crate) fn folded(profile: &Profile, metric: MetricId) -> Vec<String> {
    let mut sums = BTreeMap::<String, i64>::new();
    for (stack, values) in stacks(profile) {
        *sums.entry(stack).or_default() += values[metric.index()];
    }
    sums.into_iter().filter(|(_, sum)| *sum != 0).map(|(s, sum)| format!("{s} {sum}")).collect()
}

/// Self values by function name.
pub(crate) fn self_values(profile: &Profile, metric: MetricId) -> BTreeMap<String, i64> {
    let mut sums = BTreeMap::new();
    for (row, &at) in profile.points.context.iter().enumerate() {
        let leaf = names(profile, at).pop().unwrap_or_default();
        *sums.entry(leaf).or_default() += profile.points.value(row, metric);
    }
    sums
}

/// Total values by function name; a function that stands on a stack several times counts once.
pub(crate) fn total_values(profile: &Profile, metric: MetricId) -> BTreeMap<String, i64> {
    let mut sums = BTreeMap::new();
    for (row, &at) in profile.points.context.iter().enumerate() {
        for name in names(profile, at).into_iter().collect::<BTreeSet<_>>() {
            *sums.entry(name).or_default() += profile.points.value(row, metric);
        }
    }
    sums
}

/// Totals that the producer stored, by file and function; those of several members added up.
pub(crate) fn stored_totals(
    profile: &Profile,
    metric: MetricId,
) -> BTreeMap<(String, String), i64> {
    let mut sums = BTreeMap::new();
    for (function, _, value) in profile.function_totals.of_metric(metric) {
        let functions = &profile.functions;
        let text = |id| profile.text(id).to_owned();
        let key = (text(functions.file[function.index()]), text(functions.name[function.index()]));
        *sums.entry(key).or_default() += value;
    }
    sums
}
