//! `--unknown` of every command that compares.

use clap::{Args, ValueEnum};
use session::Unknown;

/// What is done with changes of which runs show nothing.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct UnknownChanges {
    /// What --fail-if does if the runs do not decide [default: go by the measured change]
    #[arg(help_heading = None, long, value_enum, value_name = "WHAT", requires = "fail_if")]
    unknown: Option<PassOrFail>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PassOrFail {
    Pass,
    Fail,
}

impl UnknownChanges {
    pub(crate) fn policy(self) -> Unknown {
        match self.unknown {
            None => Unknown::Measured,
            Some(PassOrFail::Pass) => Unknown::Pass,
            Some(PassOrFail::Fail) => Unknown::Fail,
        }
    }
}
