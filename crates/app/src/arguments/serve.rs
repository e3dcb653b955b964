//! Serving profiles to a browser or an editor.

use std::path::PathBuf;

use clap::Args;

use super::SdfgTrace;
use super::limits::Limits;

#[derive(Debug, Args)]
pub(crate) struct Open {
    /// Profiles, traces, dataflow graphs, loops; - is standard input
    ///
    /// Also accesses that valgrind's lackey recorded, a C file (clang and Polly export its loops), or a Python file with
    /// DaCe programs.
    #[arg(required_unless_present = "allow_run")]
    pub(crate) files: Vec<PathBuf>,
    /// Let the page run programs, isolated from this machine, to measure them
    ///
    /// Without files, the page starts there.
    #[arg(long)]
    pub(crate) allow_run: bool,
    /// Run Python files without asking, for the graphs of their DaCe programs
    #[arg(long)]
    pub(crate) run_python: bool,
    /// Show all files as one profile
    ///
    /// The files are its members. --align implies it.
    #[arg(long)]
    pub(crate) merge: bool,
    #[command(flatten)]
    pub(crate) trace: SdfgTrace,
    /// Measurements to lay over a dataflow graph
    ///
    /// A report of DaCe, or any profile. Several are runs.
    #[arg(long, value_name = "FILE")]
    pub(crate) measured: Vec<PathBuf>,
    /// Folder with source files that the page may show [default: the current folder]
    ///
    /// Can be given several times. The file with the longest matching end of its path is shown.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) source: Vec<PathBuf>,
    /// Port to serve on; 0 picks a free one
    ///
    /// A page that is open on a port goes on when Hotframe is started there again.
    #[arg(long, default_value_t = 0)]
    pub(crate) port: u16,
    /// Print the address, start no browser
    #[arg(long)]
    pub(crate) no_browser: bool,
    #[command(flatten)]
    pub(crate) limits: Limits,
}

/// Options of the Model Context Protocol's server.
#[derive(Debug, Args)]
pub(crate) struct Mcp {
    /// Folder whose files may be read [default: the current folder]
    ///
    /// Can be given several times. Relative names start at the first.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) root: Vec<PathBuf>,
    /// Let the tool `record` run commands without asking the user
    #[arg(long)]
    pub(crate) allow_record: bool,
    /// Longest answer, in characters
    ///
    /// The last rows of long lists are left out and counted.
    #[arg(long, value_name = "CHARACTERS", default_value_t = 12_000)]
    pub(crate) max_answer: usize,
}

/// Options of the language server.
#[derive(Debug, Args)]
pub(crate) struct Lsp {
    /// Profile to load
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub(crate) profile: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) limits: Limits,
}
