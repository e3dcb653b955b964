//! All commands, and what is told before one is chosen.

use clap::{Parser, Subcommand, ValueEnum};

use super::diff::{COMPARED_METRIC, Diff};
use super::events::Events;
#[cfg(target_os = "linux")]
use super::experiment::Experiment;
use super::print::{Advice, Export, Info, Show};
use super::program::{EngineOfPrograms, Run};
#[cfg(target_os = "linux")]
use super::record::Record;
use super::sdfg::Sdfg;
use super::serve::{Lsp, Mcp, Open};
use super::short_help;
use super::tool::{Completions, Formats, Man};
use super::write::Convert;

/// See where a program spends its time and memory: in the browser, the terminal and the editor.
#[derive(Debug, Parser)]
#[command(name = "hotframe", version, max_term_width = 100, after_help = AFTER_HELP)]
#[command(mut_subcommands(short_help::on_one_screen))]
pub(crate) struct Arguments {
    /// When to use colours
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = Color::Auto)]
    #[arg(hide_short_help = true)]
    pub(crate) color: Color,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Below the list of commands.
const AFTER_HELP: &str =
    "`hotframe FILE...` opens files in the browser. `hotframe help COMMAND` explains a command.";

/// What `hotframe` prints without arguments.
pub(crate) const FIRST_WORDS: &str = "\
hotframe FILE...          open profiles and traces in the browser
hotframe show FILE        print the hottest functions
hotframe diff BASE NEW    print what changed
hotframe record PROGRAM   measure a program and open the result
hotframe --help           list all commands
";

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Open profiles in the browser (short: `hotframe FILE...`)
    Open(Open),
    /// Print the functions or the call tree of a profile
    Show(Box<Show>),
    /// Compare two profiles, or two sets of runs
    #[command(mut_arg("metric", |metric| metric.help(COMPARED_METRIC)))]
    #[command(mut_arg("define", |define| define.hide(true)))]
    Diff(Box<Diff>),
    /// Print what a profile holds: metrics, threads, time
    Info(Info),
    /// Print what is worth a look, and what to do about it
    Advice(Box<Advice>),
    /// Run a program, measure it and open the result
    #[cfg(target_os = "linux")]
    Record(Box<Record>),
    /// Count events by run, and compare runs (cycles, cache misses, IPC)
    Events(Events),
    /// Run a command many times under different conditions, and compare them
    #[cfg(target_os = "linux")]
    Experiment(Box<Experiment>),
    /// Analyse data movement in DaCe dataflow graphs and loops
    Sdfg(Sdfg),
    /// Write profiles in another format, or several as one
    Convert(Convert),
    /// Save a view: a page (.html), tables (.md), a picture (.svg) or rows (.csv)
    Export(Box<Export>),
    /// Run a Python script over a profile
    Run(Run),
    /// Serve an editor (Language Server Protocol)
    Lsp(Lsp),
    /// Serve an agent (Model Context Protocol)
    Mcp(Mcp),
    /// List the formats that are read and written
    Formats(Formats),
    /// Print the licences of the parts of this program
    Licenses,
    /// Answer frames of the protocol on standard input and output, for programs that start an engine
    #[command(hide = true)]
    Engine(EngineOfPrograms),
    /// Print completions for a shell
    #[command(hide = true)]
    Completions(Completions),
    /// Print a manual page, for `man -l -`
    #[command(hide = true)]
    Man(Man),
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        Arguments::command().debug_assert();
    }
}
