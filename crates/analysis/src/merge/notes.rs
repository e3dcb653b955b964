//! What a merge could not reconcile.

use std::fmt;

/// Something that a merge left out, or could not bring together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MergeNote {
    /// A recording that is there twice: all of it counts twice.
    Again {
        /// A name of it.
        first: String,
        /// Its other name.
        second: String,
        /// How often one is there again.
        count: usize,
    },
    /// What looks like one recording in two formats: all of it counts twice.
    TwoForms {
        /// A name of it.
        first: String,
        /// Its other name.
        second: String,
        /// How many are there in another format.
        count: usize,
    },
    /// A metric that not every profile has.
    Absent {
        /// Its name and unit.
        metric: String,
        /// How many profiles do not have it.
        without: usize,
        /// How many profiles there are.
        of: usize,
    },
    /// Values of one metric that do not fit 64 bits in the unit that all of them need: each unit
    /// is a metric of its own.
    Units {
        /// The metric's name.
        metric: String,
        /// The units.
        units: Vec<String>,
    },
    /// A metric whose values combine in several ways, by input: each way is a metric of its own.
    Combining {
        /// Its name.
        metric: String,
        /// What values are together over contexts, in each of them.
        ways: Vec<&'static str>,
    },
    /// Profiles of different tools, and how they join.
    Tools {
        /// Their formats.
        formats: Vec<String>,
        /// How many functions several of them tell of.
        shared: usize,
        /// How many of these join by name alone, because only one tool tells their file.
        joined: usize,
        /// Some of the names of those.
        by_name: Vec<String>,
    },
    /// Names of metrics that were taken for one.
    SameMetric(Vec<String>),
    /// Functions whose stored total is left out: an input has several of that name, file and line.
    FunctionTotals(usize),
    /// Places in code whose address is not known any more, because it is not the same everywhere.
    Addresses(usize),
    /// Points without a time whose values are all 0, which are left out.
    Zeros(usize),
    /// Metrics of a comparison that could not be brought to one scale.
    Unscaled(Vec<String>),
    /// A fact of the measurement that is not the same everywhere, and is left out.
    Differs(&'static str),
}

impl MergeNote {
    /// How often it came up.
    pub fn count(&self) -> u64 {
        match self {
            MergeNote::Addresses(count)
            | MergeNote::Zeros(count)
            | MergeNote::FunctionTotals(count)
            | MergeNote::Again { count, .. }
            | MergeNote::TwoForms { count, .. } => *count as u64,
            MergeNote::Absent { .. }
            | MergeNote::Units { .. }
            | MergeNote::SameMetric(_)
            | MergeNote::Unscaled(_)
            | MergeNote::Tools { .. }
            | MergeNote::Combining { .. }
            | MergeNote::Differs(_) => 1,
        }
    }
}

impl fmt::Display for MergeNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MergeNote::Again { first, second, .. } => write!(
                f,
                "{first} and {second} are the same recording, by its time and values: all of it \
                 counts twice"
            ),
            MergeNote::TwoForms { first, second, .. } => write!(
                f,
                "{first} and {second} look like one recording in two formats, by their name and a total: all of \
                 it counts twice"
            ),
            MergeNote::Absent { metric, without, of } => {
                write!(f, "{without} of {of} profiles do not have the metric {metric}: theirs is 0")
            }
            MergeNote::Units { metric, units } => write!(
                f,
                "the metric {metric} is measured in {}, and its values are too large for one unit: \
                 each unit is a metric of its own",
                units.join(", ")
            ),
            MergeNote::Combining { metric, ways } => write!(
                f,
                "values of the metric {metric} do not combine alike in all profiles ({}): each way \
                 is a metric of its own",
                ways.join(", ")
            ),
            MergeNote::Tools { formats, shared: 0, .. } => {
                write!(f, "profiles of {} have no function in common", formats.join(" and "))
            }
            MergeNote::Tools { formats, shared, joined, by_name } => {
                let formats = formats.join(" and ");
                let functions = if *shared == 1 { "function" } else { "functions" };
                write!(f, "profiles of {formats} join at {shared} {functions} that several have")?;
                if *joined > 0 {
                    let names = by_name.join(", ");
                    let more = if *joined > by_name.len() { ", \u{2026}" } else { "" };
                    write!(f, "; {joined} by name alone, for only one has a file: {names}{more}")?;
                }
                Ok(())
            }
            MergeNote::SameMetric(names) => {
                write!(f, "the metrics {} are taken for one: all count samples", names.join(", "))
            }
            MergeNote::Unscaled(metrics) => write!(
                f,
                "values of {} are as they are: what should be equal is 0, or not there, on a side",
                metrics.join(", ")
            ),
            MergeNote::FunctionTotals(_) => f.write_str(
                "the total that a profile stores of a function is left out, and estimated: several \
                 functions of it have the same name, file and line",
            ),
            MergeNote::Addresses(_) => f.write_str(
                "the address of a place in code is left out: it is not the same in all profiles",
            ),
            MergeNote::Zeros(_) => f.write_str("a point that measured nothing is left out"),
            MergeNote::Differs(what) => {
                write!(f, "{what} is left out: it is not the same in all profiles")
            }
        }
    }
}
