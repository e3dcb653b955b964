//! The tool itself: its formats, its shell, the machine it runs on.

use std::num::NonZero;

use clap::{Args, ValueEnum};

use super::output::InfoFormat;

#[derive(Debug, Args)]
pub(crate) struct Formats {
    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: FormatsFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatsFormat {
    Text,
    Markdown,
    Json,
}

#[derive(Debug, Args)]
pub(crate) struct Machine {
    /// Output format
    #[arg(long, value_enum, default_value_t = InfoFormat::Text)]
    pub(crate) format: InfoFormat,
    /// Threads to measure with [default: all]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZero<usize>>,
}

#[derive(Debug, Args)]
pub(crate) struct Completions {
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Shell {
    Bash,
    Fish,
    Zsh,
}

#[derive(Debug, Args)]
pub(crate) struct Man {
    /// Command, such as show or experiment run
    pub(crate) command: Vec<String>,
}
