//! Events of recordings.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use session::{EventsBy, FrameLimits, SetsBy, time_range};

use super::gate::UnknownChanges;
use super::limits::Limits;
use super::output::ReportFormat;
use super::threshold::{Amount, Threshold};
use super::view::ViewArguments;

#[derive(Debug, Args)]
pub(crate) struct Events {
    #[command(subcommand)]
    pub(crate) command: EventsCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum EventsCommand {
    /// Print counts and metrics by run
    #[command(mut_arg("metric", |metric| metric.hide(true)))]
    Summary(Box<EventsSummary>),
    /// Compare two sets of runs
    #[command(mut_arg("metric", |metric| metric.hide(true)))]
    Compare(Box<EventsCompare>),
    /// Print an event or metric over time
    #[command(mut_arg("metric", |metric| metric.hide(true)))]
    #[command(mut_arg("limit", |limit| limit.help(TIMELINE_LIMIT)))]
    Timeline(Box<EventsTimeline>),
    /// List threads that moved to another processor
    #[command(mut_arg("metric", |metric| metric.hide(true)))]
    Migrations(Box<EventsMigrations>),
}

/// What `--limit` is over time.
const TIMELINE_LIMIT: &str = "With --by function, line, file or module: print at most this many rows and add up the rest; 0 prints all [default: 20]";

#[derive(Debug, Args)]
pub(crate) struct EventsTimeline {
    /// Recordings; each is a run
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Event or metric [default: the first of the file]
    #[arg(long)]
    pub(crate) event: Option<String>,
    /// Width of a bin, such as 10ms [default: so that most bins have ten samples]
    #[arg(long, value_name = "TIME", value_parser = parse_width, conflicts_with = "progress")]
    pub(crate) width: Option<i64>,
    /// Divide each run into this many equal parts
    #[arg(long, value_name = "PARTS")]
    pub(crate) progress: Option<usize>,
    /// Split by runs, or by sets of runs whose names differ in a number
    #[arg(long, value_name = "WHAT", value_parser = sets())]
    pub(crate) sets: Option<SetsBy>,
    #[command(flatten)]
    pub(crate) view: EventView,
}

#[derive(Debug, Args)]
pub(crate) struct EventsMigrations {
    /// Recordings; each is a run
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,
    #[command(flatten)]
    pub(crate) view_options: ViewArguments,
    #[command(flatten)]
    pub(crate) limits: Limits,
}

#[derive(Debug, Args)]
pub(crate) struct EventsSummary {
    /// Recordings, or folders and archives of recordings; each is a run
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) view: EventView,
}

#[derive(Debug, Args)]
pub(crate) struct EventsCompare {
    /// Recordings before; each is a run
    #[arg(long = "base", value_name = "FILE", num_args = 1.., required = true)]
    pub(crate) base: Vec<PathBuf>,
    /// Recordings after
    #[arg(long = "new", value_name = "FILE", num_args = 1.., required = true)]
    pub(crate) new: Vec<PathBuf>,
    /// Exit with code 3 if an event or metric grew by more, such as 'instructions > 5%'
    ///
    /// Or fell, as in 'IPC < -5%'. With several runs per side, the whole interval must be beyond the limit.
    #[arg(long, value_name = "LIMIT", value_parser = parse_limit)]
    pub(crate) fail_if: Vec<EventLimit>,
    #[command(flatten)]
    pub(crate) unknown: UnknownChanges,
    /// Include runs that failed
    ///
    /// Their manifest says so. They are left out otherwise.
    #[arg(long)]
    pub(crate) with_failed: bool,
    #[command(flatten)]
    pub(crate) view: EventView,
}

/// What of events is told, and how.
#[derive(Debug, Args)]
pub(crate) struct EventView {
    /// Group by
    #[arg(long, value_name = "WHAT", value_parser = by(), default_value = "total")]
    pub(crate) by: EventsBy,
    /// With --by function, line, file or module: count a sample in every frame of its stack
    #[arg(long)]
    pub(crate) total: bool,
    /// With --by function, line, file or module: print at most this many; 0 prints all
    ///
    /// The default is 40 as text and Markdown, and all as JSON and CSV.
    #[arg(short = 'n', long)]
    pub(crate) limit: Option<usize>,
    /// Output format
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,
    #[command(flatten)]
    pub(crate) view_options: ViewArguments,
    #[command(flatten)]
    pub(crate) limits: Limits,
}

/// By how much an event or metric may change.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct EventLimit {
    /// Its name.
    pub(crate) name: String,
    /// Growth, as a share; below 0 it is a fall.
    pub(crate) growth: f64,
}

impl EventView {
    /// How frames are told, if events are added up by them.
    pub(crate) fn frames(&self) -> Result<Option<FrameLimits>> {
        let by = if self.total { self.by.total() } else { self.by };
        match by {
            EventsBy::Frames(by) => {
                Ok(Some(FrameLimits { by, limit: self.format.limit(self.limit) }))
            }
            _ if self.total || self.limit.is_some() => {
                bail!("--total and --limit go with --by function, line, file and module")
            }
            _ => Ok(None),
        }
    }
}

fn parse_width(text: &str) -> std::result::Result<i64, String> {
    let range = time_range(&format!("0ns..{text}")).map_err(|error| error.to_string())?;
    let width = range.iter().next().map(|[_, end]| end);
    width.ok_or_else(|| format!("'{text}' is not a time"))
}

fn sets() -> impl TypedValueParser<Value = SetsBy> {
    PossibleValuesParser::new(["names", "runs"]).try_map(|name| name.parse())
}

fn by() -> impl TypedValueParser<Value = EventsBy> {
    let names: Vec<&'static str> = EventsBy::names().collect();
    PossibleValuesParser::new(names).try_map(|name| name.parse())
}

fn parse_limit(text: &str) -> std::result::Result<EventLimit, String> {
    const FORM: &str = "'instructions > 5%' or 'IPC < -5%'";
    let Threshold { name, is_above, amount } = Threshold::parse(text, FORM)?;
    let sign = if is_above { 1.0 } else { -1.0 };
    match amount {
        Amount::Percent(percent) if percent * sign >= 0.0 => {
            // A fall by nothing is told from a growth by nothing.
            Ok(EventLimit { name, growth: (percent / 100.0).abs().copysign(sign) })
        }
        _ => Err(format!("write a limit as {FORM}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_names_with_growth() {
        let limit = parse_limit("L1d MPKI > 5 %").unwrap();
        assert_eq!(limit, EventLimit { name: "L1d MPKI".into(), growth: 0.05 });
        assert_eq!(parse_limit("IPC < -5%").unwrap().growth, -0.05);
        for wrong in ["", "IPC", "> 5%", "IPC > x%", "IPC > 5", "IPC < 5%", "IPC > -5%", "a > NaN%"]
        {
            assert!(parse_limit(wrong).is_err(), "{wrong}");
        }
        assert!(parse_limit("faults < 0%").unwrap().growth.is_sign_negative());
    }
}
