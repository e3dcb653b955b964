//! Comparing two profiles.

use std::fmt;
use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use session::{Filter, Normalise, Rule};

use super::gate::UnknownChanges;
use super::limits::Limits;
use super::output::ReportFormat;
use super::threshold::{Amount, Threshold};
use super::view::{ViewArguments, part_filters};

pub(super) const COMPARED_METRIC: &str = "Metric: name or number [default: the base's own default]";

#[derive(Debug, Args)]
pub(crate) struct Diff {
    /// Profile before, or a folder or archive of runs
    #[arg(required_unless_present = "base_runs")]
    pub(crate) base: Option<PathBuf>,
    /// Profile after, or runs
    ///
    /// Without it, two parts of one profile are compared: --base-time and --time, or --base-thread and --thread,
    /// choose them.
    #[arg(required_unless_present_any = [
        "base_runs", "base_time", "base_during", "base_around", "base_thread", "base_cpu", "time",
        "during", "around", "thread", "cpu",
    ])]
    pub(crate) new: Option<PathBuf>,
    /// Runs before, instead of BASE and NEW
    #[arg(long = "base", value_name = "FILE", num_args = 1.., requires = "new_runs", conflicts_with_all = ["base", "new"])]
    pub(crate) base_runs: Vec<PathBuf>,
    /// Runs after
    #[arg(long = "new", value_name = "FILE", num_args = 1.., requires = "base_runs")]
    pub(crate) new_runs: Vec<PathBuf>,
    /// What to print [default: flat; of a picture top-down]
    #[arg(long, value_enum)]
    view: Option<DiffView>,
    /// Print at most this many rows; 0 prints all
    ///
    /// The default is 40 as text and Markdown, and all as JSON and CSV.
    #[arg(short = 'n', long)]
    pub(crate) limit: Option<usize>,
    /// Sort by
    ///
    /// The default is the change of self values in lists, and of totals in trees. self and total are those of the new
    /// profile.
    #[arg(long, value_enum, value_name = "BY")]
    pub(crate) sort: Option<ChangeSort>,
    /// Scale both sides to: absolute, total, or frame=REGEX
    ///
    /// 'total' scales both sides to the same total. 'frame=REGEX' does so for the functions that match.
    #[arg(long, value_name = "BY", value_parser = parse_normalise, default_value = "absolute")]
    pub(crate) normalise: Normalise,
    /// Save a flame graph (.svg) in the colours of the change
    #[arg(short, long, value_name = "FILE", conflicts_with_all = ["limit", "sort", "fail_if", "format", "open"])]
    pub(crate) output: Option<PathBuf>,
    /// Open the comparison in the browser
    #[arg(long, conflicts_with_all = [
        "view", "limit", "sort", "fail_if", "format", "metric", "granularity", "collapse_recursion",
        "no_drop_frames", "focus", "ignore", "hide", "show", "show_from", "label_focus",
        "label_ignore", "time", "during", "around", "thread", "cpu", "define",
        "base_time", "base_during", "base_around", "base_thread", "base_cpu",
    ])]
    pub(crate) open: bool,
    /// With --open: port to serve on; 0 picks a free one
    #[arg(long, default_value_t = 0, requires = "open")]
    pub(crate) port: u16,
    /// With --open: print the address, start no browser
    #[arg(long, requires = "open")]
    pub(crate) no_browser: bool,
    /// Changes up to this share of a value are noise
    ///
    /// With one run per side they count as no change. With several runs, a change is 'same' if its whole interval is
    /// that small (at least 1 %).
    #[arg(long, value_name = "PERCENT", value_parser = parse_percent, default_value = "0%")]
    pub(crate) noise: Percent,
    /// Exit with code 3 if a function or the program grew by more than this, such as 'self > 5%'
    ///
    /// 'self' checks each function, 'total' each function and the program, 'program' the program alone. The share is
    /// of the base's total, not of
    /// the function. You can give a value instead: 'program > 5ms'. With several runs per side, the whole interval must
    /// be above the limit.
    #[arg(long, value_name = "GROWTH", value_parser = parse_growth)]
    pub(crate) fail_if: Option<Growth>,
    #[command(flatten)]
    pub(crate) unknown: UnknownChanges,
    /// Include runs that failed
    ///
    /// Their manifest or result says so. They are left out otherwise.
    #[arg(long)]
    pub(crate) with_failed: bool,
    /// Rules that match functions of both sides, separated by commas
    ///
    /// Each rule is tried for the functions that no earlier rule matched.
    #[arg(
        long = "match",
        value_name = "RULES",
        value_delimiter = ',',
        value_parser = rules(),
        default_value = "exact,line,moved,clone,template",
    )]
    pub(crate) rules: Vec<Rule>,
    /// Output format
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,
    #[command(flatten)]
    pub(crate) base_filters: BaseFilters,
    #[command(flatten)]
    pub(crate) view_options: ViewArguments,
    #[command(flatten)]
    pub(crate) limits: Limits,
}

/// What of the base is compared. With any of these, or with one profile alone, --time, --during, --around,
/// --thread and --cpu are of the new side.
#[derive(Debug, Args)]
#[command(next_help_heading = "Filters of the base; --time and so on are then of the new side")]
pub(crate) struct BaseFilters {
    /// --time of the base
    #[arg(long, value_name = "FROM..TO", allow_hyphen_values = true)]
    base_time: Vec<String>,
    /// --during of the base
    #[arg(long, value_name = "REGEX")]
    base_during: Vec<String>,
    /// --around of the base
    #[arg(long, value_name = "REGEX=TIME")]
    base_around: Vec<String>,
    /// --thread of the base
    #[arg(long, value_name = "REGEX")]
    base_thread: Vec<String>,
    /// --cpu of the base
    #[arg(long, value_name = "NUMBER")]
    base_cpu: Vec<u32>,
}

impl Diff {
    /// The shape of what is shown.
    pub(crate) fn view(&self) -> DiffView {
        let usual = if self.output.is_some() { DiffView::TopDown } else { DiffView::Flat };
        self.view.unwrap_or(usual)
    }
}

impl BaseFilters {
    pub(crate) fn filters(&self) -> Vec<Filter> {
        part_filters(
            [&self.base_time, &self.base_during, &self.base_around],
            &self.base_thread,
            &self.base_cpu,
        )
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ChangeSort {
    Change,
    #[value(name = "self")]
    OwnValue,
    Total,
    Name,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiffView {
    /// Callers above callees
    TopDown,
    /// Innermost functions first, their callers below
    BottomUp,
    /// Functions by the change of their self value
    Flat,
    /// Spans by name, by the change of the sum of their lengths
    Spans,
    /// The metric by stretches of time; -n tells how many stretches
    Timeline,
}

/// A hundredth part for each.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Percent(pub(crate) f64);

/// More growth than is allowed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Growth {
    /// What must not grow.
    pub(crate) of: GrowthOf,
    /// How much is allowed; a share is one of the base's total.
    pub(crate) limit: Amount,
}

impl fmt::Display for Growth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} > {}", self.of.name(), self.limit)
    }
}

/// What must not grow by more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GrowthOf {
    /// The self value of any function.
    OwnValue,
    /// The total of any function, and of the program.
    Total,
    /// The total of the program.
    Program,
}

impl GrowthOf {
    fn name(self) -> &'static str {
        match self {
            GrowthOf::OwnValue => "self",
            GrowthOf::Total => "total",
            GrowthOf::Program => "program",
        }
    }
}

/// `absolute`, `total` or `frame=REGEX`.
fn parse_normalise(text: &str) -> Result<Normalise, String> {
    match text.split_once('=') {
        None if text == "absolute" => Ok(Normalise::Absolute),
        None if text == "total" => Ok(Normalise::Total),
        Some(("frame", pattern)) if !pattern.is_empty() => Ok(Normalise::Frame(pattern.to_owned())),
        _ => Err("write absolute, total or frame=REGEX".to_owned()),
    }
}

/// The names of rules, each explained.
fn rules() -> impl TypedValueParser<Value = Rule> {
    let value = |rule: Rule| PossibleValue::new(rule.name()).help(rule.description());
    PossibleValuesParser::new(Rule::ALL.map(value))
        .try_map(|name| Rule::named(&name).ok_or("no such rule"))
}

/// A share as `5%` or `5`.
pub(super) fn parse_percent(text: &str) -> Result<Percent, String> {
    let number = text.trim().trim_end_matches('%').trim().parse::<f64>();
    match number {
        Ok(number) if number >= 0.0 && number.is_finite() => Ok(Percent(number)),
        _ => Err("write a share as 5% or 0.5%".to_owned()),
    }
}

/// `self > 5%` or `total > 5ms`.
fn parse_growth(text: &str) -> Result<Growth, String> {
    const FORM: &str = "'self > 5%', 'total > 5ms' or 'program > 5%'";
    let threshold = Threshold::parse(text, FORM)?;
    let all = [GrowthOf::OwnValue, GrowthOf::Total, GrowthOf::Program];
    let of = all.into_iter().find(|of| of.name() == threshold.name && threshold.is_above);
    let of = of.ok_or_else(|| format!("write a limit as {FORM}"))?;
    Ok(Growth { of, limit: threshold.amount.of_growth()? })
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::super::command::{Arguments, Command};

    #[test]
    fn functions_are_matched_by_the_default_rules() {
        let Command::Diff(diff) = Arguments::parse_from(["hotframe", "diff", "a", "b"]).command
        else {
            panic!("another command");
        };
        assert_eq!(session::Rules::new(diff.rules), session::Rules::default());
    }
}
