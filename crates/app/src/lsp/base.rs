//! What the active profile is compared with.

use std::sync::Arc;

use session::{
    Change, ChangeRow, FunctionChange, Metric, MetricId, NO_VALUE, ProfileDocument, Reason,
    SourceFunction, SourceIndex, Verdict, ratio_text, source_index,
};

use super::comparison::{Changes, Comparison};
use super::profiles::Profile;
use super::source::{Amounts, Source};
use super::versions::Placed;
use crate::text::share;

/// A profile that another is compared with, in one metric.
pub(super) struct Base<'a> {
    /// What it is called beside a change.
    pub(super) title: String,
    /// Which function is which, and what changed, is for the engine to say.
    changes: Arc<Changes>,
    index: Arc<SourceIndex>,
    /// How its own values read; none where it has the metric in no way of its own, as a formula.
    own: Option<Own>,
    /// Whether runs that failed are left out, which are part of what either side has itself.
    leaves_out_runs: bool,
    /// What it says of the file itself, if it mentions that.
    pub(super) source: Option<Source<'a>>,
}

/// Values that a base itself has of a metric.
struct Own {
    amounts: Amounts,
    /// Of the base, and of the profile that is compared with it.
    runs: [Option<usize>; 2],
}

impl<'a> Base<'a> {
    /// The base of a profile that is looked at in `metric`; `file` is its number of the file, and
    /// where its lines are. None if it does not have the metric, or the two are not compared yet.
    pub(super) fn new(
        profile: &'a Profile,
        document: &ProfileDocument,
        comparison: &Comparison,
        metric: MetricId,
        file: Option<(u32, Arc<Placed>)>,
    ) -> Option<Base<'a>> {
        let changes = comparison.changes(metric).ok()??;
        let (base, of_active) = (&profile.document, document.runs(metric));
        let same = same_metric(base, document, metric);
        let metric = same.unwrap_or(profile.metric);
        let index = source_index(base, metric).ok()?;
        let own = same.map(|same| Own {
            amounts: Amounts::new(base, same, index.total()),
            runs: [base.runs(same), of_active],
        });
        let source = file.and_then(|(file, placed)| Source::new(profile, metric, file, placed));
        let title = short_title(base.title());
        let leaves_out_runs = comparison.leaves_out_runs();
        Some(Base { title, changes, index, own, leaves_out_runs, source })
    }

    /// How a function of the active profile changed.
    pub(super) fn of(&self, function: &SourceFunction<'_>) -> FunctionChange<'_> {
        self.changes.functions.of(function.id)
    }

    /// `more: +12 % vs main`: the change of a function's total, and what can be said of it; nothing
    /// where a value is none.
    pub(super) fn change(&self, function: &SourceFunction<'_>) -> Option<String> {
        match self.of(function) {
            FunctionChange::Known(row) => self.change_text(row),
            FunctionChange::Nothing => None,
            FunctionChange::Unclear => {
                Some(format!("not compared with {}: several functions count as one", self.title))
            }
        }
    }

    fn change_text(&self, row: &ChangeRow) -> Option<String> {
        let (title, size) = (&self.title, self.size_of(row.total)?);
        let said = match row.verdict {
            Verdict::More | Verdict::Less => {
                format!("{}: {size} vs {title}", row.verdict.name())
            }
            Verdict::Same => format!("same as {title} ({size})"),
            Verdict::Unknown(Reason::OneRun) => format!("{size} vs {title}, 1 run"),
            Verdict::Unknown(reason) => {
                format!("unknown: {size} vs {title} ({})", reason.text())
            }
        };
        Some(said + self.without())
    }

    /// What follows what is said of runs some of which are left out.
    fn without(&self) -> &'static str {
        if self.leaves_out_runs { ", without failed runs" } else { "" }
    }

    /// `+12 %`; `new` where nothing was before; what it differs by where that is not a share of what was.
    pub(super) fn size_of(&self, change: Change) -> Option<String> {
        if change.base == NO_VALUE || change.new == NO_VALUE {
            return None;
        }
        Some(match (change.base, change.new) {
            (0, 0) => "0 %".to_owned(),
            (0, _) => "new".to_owned(),
            (1.., _) => ratio_text(change.ratio()?),
            _ => {
                let by = change.difference();
                let sign = if by > 0 { "+" } else { "" };
                format!("{sign}{}", self.changes.unit.text(by))
            }
        })
    }

    /// Self and total of a line that is now at `line`; none where it is not known which line that
    /// was, or there was no such line.
    pub(super) fn on_line(&self, line: u32) -> Option<[i64; 2]> {
        // What it has itself of a line is of all runs.
        self.own.as_ref().filter(|_| !self.leaves_out_runs)?;
        let source = self.source.as_ref().filter(|source| source.mark().is_empty())?;
        let on_line = source.index.line(source.file, source.placed.lines.then(line)?);
        Some(on_line.map_or([0, 0], |line| [line.self_value, line.total_value]))
    }

    /// `+12 %`: the change of a line's value of the base to one of the profile that is compared with
    /// it. Runs are compared by their means; none where they have none.
    pub(super) fn change_of_line(&self, then: i64, now: i64) -> Option<String> {
        if then == NO_VALUE || now == NO_VALUE {
            return None;
        }
        let [then_runs, now_runs] = self.own.as_ref()?.runs;
        let [then, now] = [then as f64 / then_runs? as f64, now as f64 / now_runs? as f64];
        match then {
            0.0 if now == 0.0 => None,
            0.0 => Some("new".to_owned()),
            _ => (then > 0.0).then(|| ratio_text(now / then)),
        }
    }

    /// `11.1 % (248 ms)`: what it has itself of a line.
    pub(super) fn amount_of_line(&self, value: i64) -> String {
        self.own.as_ref().map_or(String::new(), |own| own.amounts.text(value))
    }

    /// The same of a function, as the comparison has it.
    pub(super) fn amount(&self, value: i64) -> String {
        let text = self.changes.unit.text(value);
        let whole = self.changes.whole.base;
        match value {
            0 | NO_VALUE => text,
            _ if !self.changes.adds_up || whole == 0 => text,
            _ => format!("{} ({text})", share(value, whole)),
        }
    }

    /// `, mean of 5 runs`, where it is several.
    pub(super) fn mean(&self) -> String {
        match &self.own {
            _ if self.leaves_out_runs => self.without().to_owned(),
            Some(own) => own.amounts.of_runs.after(", "),
            None => String::new(),
        }
    }

    /// The functions of the file that the profile which is compared does not have.
    pub(super) fn gone(&self) -> impl Iterator<Item = Gone<'_>> {
        let gone = self.changes.functions.gone();
        gone.filter_map(|(function, change)| {
            let source = self.source.as_ref()?;
            let function = self.index.function(function);
            let is_here = function.file == source.file && change.total.base != 0;
            let line = *source.starts_now(&function).first().filter(|_| is_here)?;
            Some(Gone { line, function, change })
        })
    }

    /// Whether a function had at least a share of the whole of the base.
    pub(super) fn is_large(&self, change: &ChangeRow, least: f64) -> bool {
        let (base, whole) = (change.total.base, self.changes.whole.base);
        base != 0
            && base != NO_VALUE
            && (!self.changes.adds_up
                || base.unsigned_abs() as f64 >= least * whole.unsigned_abs() as f64)
    }

    /// The same of a function of the active profile.
    pub(super) fn was_large(&self, function: &SourceFunction<'_>, least: f64) -> bool {
        matches!(self.of(function), FunctionChange::Known(row) if self.is_large(row, least))
    }

    /// `gone: total 3.1 % (70 ms) in main`.
    pub(super) fn gone_text(&self, gone: &Gone<'_>) -> String {
        let total = self.amount(gone.change.total.base);
        let mark = self.source.as_ref().map_or("", Source::mark);
        format!("gone: total {total} in {}{}{mark}", self.title, self.mean())
    }
}

/// A function that only the base has.
pub(super) struct Gone<'a> {
    /// Where it would be, from 1.
    pub(super) line: u32,
    /// Of the base's index.
    pub(super) function: SourceFunction<'a>,
    pub(super) change: &'a ChangeRow,
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
    use super::*;

    #[test]
    fn titles_lose_their_format() {
        let titles = ["main.pb.gz", "v1.2.cpuprofile", "callgrind.out.77", ".prof", "a b"];
        let short = titles.map(short_title);
        assert_eq!(short, ["main", "v1.2", "callgrind.out.77", ".prof", "a b"]);
    }
}
