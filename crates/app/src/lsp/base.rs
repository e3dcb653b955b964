//! What the active profile is compared with.

use std::sync::Arc;

use session::{Metric, MetricId, NO_VALUE, ProfileDocument, SourceFunction, SourceIndex};

use super::profiles::Profile;
use super::source::{Amounts, Source};
use super::versions::Placed;

/// A profile that another is compared with, in one metric.
pub(super) struct Base<'a> {
    /// What it is called beside a change.
    pub(super) title: String,
    index: Arc<SourceIndex>,
    amounts: Amounts,
    /// Of the base, and of the profile that is compared with it.
    runs: [Option<usize>; 2],
    /// What it says of the file itself, if it mentions that.
    pub(super) source: Option<Source<'a>>,
}

impl<'a> Base<'a> {
    /// The base of a profile that is looked at in `metric`; `file` is its number of the file, and
    /// where its lines are. None if it does not have the metric.
    pub(super) fn new(
        profile: &'a Profile,
        document: &ProfileDocument,
        metric: MetricId,
        file: Option<(u32, Arc<Placed>)>,
    ) -> Option<Base<'a>> {
        let of_active = document.runs(metric);
        let metric = same_metric(&profile.document, document, metric)?;
        let runs = [profile.document.runs(metric), of_active];
        let index = profile.document.source_index(metric).ok()?;
        let amounts = Amounts::new(&profile.document, metric, index.total());
        let source = file.and_then(|(file, placed)| Source::new(profile, metric, file, placed));
        let title = short_title(profile.document.title());
        Some(Base { title, index, amounts, runs, source })
    }

    /// The base's function of a name: the one of the same file, else the only one of that name.
    pub(super) fn function(&self, name: &str) -> Option<SourceFunction<'_>> {
        let mut same_file = self.source.iter().flat_map(|source| {
            self.index.functions_named(name).filter(|one| one.file == source.file)
        });
        same_file.next().or_else(|| only(self.index.functions_named(name)))
    }

    /// `+12 % vs main`: the change of a function's total; nothing where a value is none.
    pub(super) fn change(&self, function: &SourceFunction<'_>) -> Option<String> {
        let change = match self.function(function.name) {
            Some(then) => self.change_of(then.total_value, function.total_value)?,
            None => "new".to_owned(),
        };
        Some(format!("{change} vs {}", self.title))
    }

    /// Self and total of a line that is now at `line`; none where it is not known which line that
    /// was, or there was no such line.
    pub(super) fn on_line(&self, line: u32) -> Option<[i64; 2]> {
        let source = self.source.as_ref().filter(|source| source.mark().is_empty())?;
        let on_line = source.index.line(source.file, source.placed.lines.then(line)?);
        Some(on_line.map_or([0, 0], |line| [line.self_value, line.total_value]))
    }

    /// `+12 %`: the change of a value of the base to one of the profile that is compared with it.
    /// Runs are compared by their means; none where they have none.
    pub(super) fn change_of(&self, then: i64, now: i64) -> Option<String> {
        if then == NO_VALUE || now == NO_VALUE {
            return None;
        }
        let [then_runs, now_runs] = self.runs;
        change(then as f64 / then_runs? as f64, now as f64 / now_runs? as f64)
    }

    /// `11.1 % (248 ms)`, of the base's whole.
    pub(super) fn amount(&self, value: i64) -> String {
        self.amounts.text(value)
    }

    /// `, mean of 5 runs`, where it is several.
    pub(super) fn mean(&self) -> String {
        self.amounts.of_runs.after(", ")
    }

    /// The functions of the file that a profile which is compared does not have, and the lines from
    /// 1 where they start; `has` tells whether it has one of a name.
    pub(super) fn gone(
        &self,
        has: impl Fn(&str) -> bool,
    ) -> impl Iterator<Item = (u32, SourceFunction<'_>)> {
        let functions = self.source.iter().flat_map(|source| {
            source.functions().filter_map(|one| Some((source.start_now(&one)?, one)))
        });
        functions.filter(move |(_, one)| one.total_value != 0 && !has(one.name))
    }

    /// Whether a function of it has at least a share of its whole.
    pub(super) fn is_large(&self, function: &SourceFunction<'_>, least: f64) -> bool {
        self.amounts.is_large(function.total_value, least)
    }

    /// `gone: total 3.1 % (70 ms) in main`.
    pub(super) fn gone_text(&self, function: &SourceFunction<'_>) -> String {
        let total = self.amount(function.total_value);
        let mark = self.source.as_ref().map_or("", Source::mark);
        format!("gone: total {total} in {}{}{mark}", self.title, self.mean())
    }
}

/// The metric of a document that has the name and unit of another's.
pub(super) fn same_metric(
    document: &ProfileDocument,
    other: &ProfileDocument,
    metric: MetricId,
) -> Option<MetricId> {
    let others = other.metrics();
    let wanted = others.get(metric.index())?;
    let is_same = |one: &Metric| {
        one.name == wanted.name && one.unit == wanted.unit && one.decimals == wanted.decimals
    };
    let mut all = document.metric_ids().zip(document.metrics());
    all.find(|(_, one)| is_same(one)).map(|(id, _)| id)
}

/// A change in per cent of what was; `new` where that is nothing.
fn change(then: f64, now: f64) -> Option<String> {
    if then == 0.0 {
        return Some(if now == 0.0 { "±0 %" } else { "new" }.to_owned());
    }
    let percent = (now - then) / then.abs() * 100.0;
    let size = percent.abs();
    Some(match size {
        _ if size < 0.05 => "±0 %".to_owned(),
        _ if size < 0.95 => format!("{percent:+.1} %"),
        _ => format!("{percent:+.0} %"),
    })
}

/// The one that there is, if it is one.
pub(super) fn only<T>(mut all: impl Iterator<Item = T>) -> Option<T> {
    all.next().filter(|_| all.next().is_none())
}

/// A title without what tells the format.
fn short_title(title: &str) -> String {
    /// `heapprofile`
    const LONGEST_EXTENSION: usize = 11;
    let mut short = title;
    while let Some((stem, extension)) = short.rsplit_once('.') {
        let is_format = (1..=LONGEST_EXTENSION).contains(&extension.len())
            && extension.bytes().all(|byte| byte.is_ascii_alphabetic());
        if stem.is_empty() || !is_format {
            break;
        }
        short = stem;
    }
    short.to_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn changes_read_as_people_say_them() {
        let text = |then, now| change(then, now).unwrap_or_default();
        assert_eq!(text(100.0, 112.0), "+12 %");
        assert_eq!(text(100.0, 50.0), "-50 %");
        assert_eq!(text(100.0, 0.0), "-100 %");
        assert_eq!(text(1000.0, 1003.0), "+0.3 %");
        assert_eq!(text(100_000.0, 100_001.0), "±0 %");
        assert_eq!(text(0.0, 0.0), "±0 %");
        assert_eq!(text(0.0, 5.0), "new");
        assert_eq!(text(-100.0, -50.0), "+50 %");
    }

    #[test]
    fn titles_lose_their_format() {
        let titles = ["main.pb.gz", "v1.2.cpuprofile", "callgrind.out.77", ".prof", "a b"];
        let short = titles.map(short_title);
        assert_eq!(short, ["main", "v1.2", "callgrind.out.77", ".prof", "a b"]);
    }

    proptest! {
        #[test]
        fn a_change_has_the_sign_of_the_difference(then in any::<i64>(), now in any::<i64>()) {
            if let Some(text) = change(then as f64, now as f64) {
                prop_assert!(!text.starts_with('+') || now > then);
                prop_assert!(!text.starts_with('-') || now < then);
            }
        }
    }
}
