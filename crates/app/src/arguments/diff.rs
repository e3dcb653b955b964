//! Comparing two profiles.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use session::{Filter, Normalise, Rule};

use super::gate::{Amount, UnknownChanges};
use super::limits::Limits;
use super::output::ReportFormat;
use super::view::{ViewArguments, part_filters};

pub(super) const COMPARED_METRIC: &str = "Metric: name or number [default: the base's own default]";

#[derive(Debug, Args)]
pub(crate) struct Diff {
    /// Profile before; a folder or archive of profiles are runs, whose mean is compared
    #[arg(required_unless_present = "base_runs")]
    pub(crate) base: Option<PathBuf>,
    /// Profile after, or runs; without it two parts of one profile are compared, as --base-time and
    /// --time, or --base-thread and --thread choose them
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
    /// Shape of the report [default: flat; of a picture top-down]
    #[arg(long, value_enum)]
    view: Option<DiffView>,
    /// Most rows to print; 0 is all [default: 40 as text and Markdown, all as JSON and CSV]
    #[arg(short = 'n', long)]
    pub(crate) limit: Option<usize>,
    /// What functions of a list or siblings in a tree are ordered by: the change of self values in
    /// lists and of totals in trees, or what they are in the new profile
    #[arg(long, value_enum, value_name = "BY")]
    pub(crate) sort: Option<ChangeSort>,
    /// What both sides are brought to: nothing, the same total, or the same total of the functions
    /// that match, as frame=REGEX
    #[arg(long, value_name = "BY", value_parser = parse_normalise, default_value = "absolute")]
    pub(crate) normalise: Normalise,
    /// Save a picture (.svg) of the tree instead of printing it: widths of both sides, colours of the change
    #[arg(short, long, value_name = "FILE", conflicts_with_all = ["limit", "sort", "fail_if", "format", "open"])]
    pub(crate) output: Option<PathBuf>,
    /// Show the comparison in the browser instead of printing it; what to look at is chosen there
    #[arg(long, conflicts_with_all = [
        "view", "limit", "sort", "fail_if", "format", "metric", "granularity", "collapse_recursion",
        "no_drop_frames", "focus", "ignore", "hide", "show", "show_from", "label_focus",
        "label_ignore", "time", "during", "around", "thread", "cpu", "define",
        "base_time", "base_during", "base_around", "base_thread", "base_cpu",
    ])]
    pub(crate) open: bool,
    /// With --open: port to serve on; 0 takes a free one
    #[arg(long, default_value_t = 0, requires = "open")]
    pub(crate) port: u16,
    /// With --open: print the address and do not start a browser
    #[arg(long, requires = "open")]
    pub(crate) no_browser: bool,
    /// Changes up to so much of a value are noise: with one run a side they are shown as none; with
    /// several, a change whose whole interval is that small is the same (at least 1 %)
    #[arg(long, value_name = "PERCENT", value_parser = parse_percent, default_value = "0%")]
    pub(crate) noise: Percent,
    /// Exit with code 3 if a function's self or total value grew by more than so much: a share of the base's
    /// total, such as 'self > 5%', or a value, such as 'total > 5ms'. Of several runs a side the whole interval
    /// has to be above it
    #[arg(long, value_name = "GROWTH", value_parser = parse_growth)]
    pub(crate) fail_if: Option<Growth>,
    #[command(flatten)]
    pub(crate) unknown: UnknownChanges,
    /// Compare runs that failed, too, as their manifest or result tells; they are left out otherwise
    #[arg(long)]
    pub(crate) with_failed: bool,
    /// Rules that tell which function of the base is which of the new profile, with commas between
    /// them; each is asked for what none before it matched
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
    /// Whether self values count, or totals.
    pub(crate) of_self: bool,
    /// How much is allowed; a share is one of the base's total.
    pub(crate) limit: Amount,
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
    let wrong = || "write the growth as 'self > 5%' or 'total > 5ms'".to_owned();
    let (word, limit) = text.split_once('>').ok_or_else(wrong)?;
    let of_self = match word.trim() {
        "self" => true,
        "total" => false,
        _ => return Err(wrong()),
    };
    let limit = Amount::parse(limit)?;
    if limit.is_below_zero() {
        return Err(wrong());
    }
    Ok(Growth { of_self, limit })
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::super::{Arguments, Command};

    #[test]
    fn functions_are_matched_by_the_default_rules() {
        let Command::Diff(diff) = Arguments::parse_from(["hotframe", "diff", "a", "b"]).command
        else {
            panic!("another command");
        };
        assert_eq!(session::Rules::of(diff.rules), session::Rules::default());
    }
}
