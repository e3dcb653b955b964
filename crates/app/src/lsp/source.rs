//! What a profile says of one file of the editor.

use std::fmt::Write as _;
use std::sync::Arc;

use session::{MetricId, NO_VALUE, ProfileDocument, SourceFunction, SourceIndex, source_index};

use super::base::Base;
use super::profiles::Profile;
use super::versions::{Known, Placed};
use crate::text::{Unit, share};

/// What is told of a file.
#[derive(Default)]
pub(super) struct Sources<'a> {
    /// By the active profile, if it mentions the file.
    pub(super) active: Option<Source<'a>>,
    /// By what it is compared with.
    pub(super) base: Option<Base<'a>>,
}

/// A profile that mentions a file.
pub(super) struct Source<'a> {
    /// Of the profile.
    pub(super) path: String,
    pub(super) document: &'a ProfileDocument,
    pub(super) index: Arc<SourceIndex>,
    pub(super) metric: MetricId,
    /// Number of the file.
    pub(super) file: u32,
    /// Where its lines are now.
    pub(super) placed: Arc<Placed>,
    /// How values of the metric read.
    pub(super) amounts: Amounts,
}

impl<'a> Source<'a> {
    pub(super) fn new(
        profile: &'a Profile,
        metric: MetricId,
        file: u32,
        placed: Arc<Placed>,
    ) -> Option<Source<'a>> {
        let document = &profile.document;
        let index = source_index(document, metric).ok()?;
        let amounts = Amounts::new(document, metric, index.total());
        let path = profile.path.to_string_lossy().into_owned();
        Some(Source { path, document, index, metric, file, placed, amounts })
    }

    /// The functions of the file that have a value.
    pub(super) fn functions(&self) -> impl Iterator<Item = SourceFunction<'_>> {
        let has_value = |own, total| (own != 0 || total != 0) && total != NO_VALUE;
        self.index
            .functions(self.file)
            .filter(move |one| has_value(one.self_value, one.total_value))
    }

    /// Where a function starts now, from 1; several lines where the profile has the functions of one name
    /// as one.
    pub(super) fn starts_now(&self, function: &SourceFunction<'_>) -> Vec<u32> {
        self.placed.starts(function)
    }

    /// What a function has itself and in all, and whether others are in it that the profile does not tell
    /// apart: ` · of 3 functions with this name`.
    pub(super) fn values_of(&self, function: &SourceFunction<'_>) -> String {
        let mut text = self.self_and_total(function.self_value, function.total_value);
        if let heads @ 2.. = self.starts_now(function).len() {
            let _ = write!(text, " · of {heads} functions with this name");
        }
        text
    }

    /// What follows values that may stand at a wrong line.
    pub(super) fn mark(&self) -> &'static str {
        match self.placed.how {
            Known::Stale { recorded, written } if written <= recorded => " · lines do not fit",
            Known::Stale { .. } => " · file changed since",
            Known::Unchanged | Known::Seen(_) | Known::Committed { .. } => "",
        }
    }

    /// `total 66.8 % (1.50 s) · self 11.1 %`: VS Code cuts hints that are much longer.
    pub(super) fn total_in_short(&self, own: i64, total: i64) -> String {
        let what = match self.amounts.of_runs {
            OfRuns::Alone => "total",
            OfRuns::Mean(_) => "mean total",
            OfRuns::Sum(_) => "total of the sum",
        };
        let mut text = format!("{what} {}", self.amounts.text(total));
        if own != 0 {
            text.push_str(" · self ");
            text.push_str(&self.amounts.short_text(own));
        }
        if matches!(self.placed.how, Known::Stale { .. }) {
            text.push_str(" · stale");
        }
        text
    }

    /// `self 11.1 % (248 ms) · total 66.8 % (1.50 s)`, and of how many runs it is the mean.
    pub(super) fn self_and_total(&self, own: i64, total: i64) -> String {
        self.amounts.self_and_total(own, total)
    }
}

/// What values of a metric are of several runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OfRuns {
    /// There is one, or they are told as they are.
    Alone,
    /// The mean of so many.
    Mean(usize),
    /// Worked out from the sum of so many: no number makes that the value of one.
    Sum(usize),
}

impl OfRuns {
    pub(super) fn new(document: &ProfileDocument, metric: MetricId) -> OfRuns {
        match document.runs(metric) {
            None => OfRuns::Sum(document.inputs()),
            Some(runs @ 2..) => OfRuns::Mean(runs),
            Some(_) => OfRuns::Alone,
        }
    }

    /// By what sums are divided.
    pub(super) fn divisor(self) -> usize {
        match self {
            OfRuns::Mean(runs) => runs,
            OfRuns::Alone | OfRuns::Sum(_) => 1,
        }
    }

    /// `mean of 5 runs`, after `sign`, where it is several.
    pub(super) fn after(self, sign: &str) -> String {
        match self {
            OfRuns::Alone => String::new(),
            OfRuns::Mean(runs) => format!("{sign}mean of {runs} runs"),
            OfRuns::Sum(runs) => format!("{sign}of the sum of {runs} runs"),
        }
    }
}

/// How values of a metric read: those of several runs, which the profile has the sums of, as the
/// mean of a run.
pub(super) struct Amounts {
    pub(super) of_runs: OfRuns,
    unit: Unit,
    /// For means that are not whole numbers.
    hundredths: Unit,
    /// Values of a formula are not shares of anything.
    whole: Option<i64>,
}

impl Amounts {
    pub(super) fn new(document: &ProfileDocument, metric: MetricId, whole: i64) -> Amounts {
        let known = &document.metrics()[metric.index()];
        let whole = (whole != 0 && !document.is_derived(metric)).then_some(whole);
        let unit = |more| Unit::new(&known.unit, known.decimals + more);
        Amounts {
            of_runs: OfRuns::new(document, metric),
            unit: unit(0),
            hundredths: unit(2),
            whole,
        }
    }

    /// Whether a value has at least a share of the whole; what has no share is large.
    pub(super) fn is_large(&self, value: i64, least: f64) -> bool {
        let size = |value: i64| value.unsigned_abs() as f64;
        self.whole.is_none_or(|whole| size(value) >= least * size(whole))
    }

    /// `11.1 %`.
    pub(super) fn short_text(&self, value: i64) -> String {
        match self.whole {
            Some(whole) if value != NO_VALUE => share(value, whole),
            _ => self.plain_text(value),
        }
    }

    /// `248 ms`.
    pub(super) fn plain_text(&self, value: i64) -> String {
        let runs = i64::try_from(self.of_runs.divisor()).unwrap_or(i64::MAX);
        if value == NO_VALUE || value % runs == 0 {
            return self.unit.text(if value == NO_VALUE { value } else { value / runs });
        }
        match value.checked_mul(100) {
            Some(hundred) => self.hundredths.text((hundred as f64 / runs as f64).round() as i64),
            None => self.unit.text(value / runs),
        }
    }

    /// `248 ms` of a value that is not a sum of runs.
    pub(super) fn as_it_is(&self, value: i64) -> String {
        self.unit.text(value)
    }

    /// `self 11.1 % (248 ms) · total 66.8 % (1.50 s)`, and of how many runs it is the mean.
    pub(super) fn self_and_total(&self, own: i64, total: i64) -> String {
        let runs = self.of_runs.after(" · ");
        format!("self {} · total {}{runs}", self.text(own), self.text(total))
    }

    /// `11.1 % (248 ms)`.
    pub(super) fn text(&self, value: i64) -> String {
        let text = self.plain_text(value);
        match self.whole {
            Some(whole) if value != 0 && value != NO_VALUE => {
                format!("{} ({text})", share(value, whole))
            }
            _ => text,
        }
    }
}
