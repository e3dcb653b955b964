//! Serving profiles to a browser or an editor.

use std::path::PathBuf;

use clap::Args;

use super::SdfgTrace;
use super::limits::Limits;

#[derive(Debug, Args)]
pub(crate) struct Open {
    /// Profiles, dataflow graphs, loops, accesses that valgrind's lackey recorded; a C file, whose loops clang and Polly export, or a Python file
    /// with DaCe programs; - is standard input
    #[arg(required_unless_present = "allow_run")]
    pub(crate) files: Vec<PathBuf>,
    /// Let the page run programs that it is given, always isolated from this machine, to measure
    /// them; without files it begins with that
    #[arg(long)]
    pub(crate) allow_run: bool,
    /// Run Python files without asking, to get the graphs of their DaCe programs
    #[arg(long)]
    pub(crate) run_python: bool,
    /// Show all of them as one profile, whose members they are; --align does so, too
    #[arg(long)]
    pub(crate) merge: bool,
    #[command(flatten)]
    pub(crate) trace: SdfgTrace,
    /// Lay what was measured over the dataflow graph that is opened: a report of DaCe, or any
    /// profile; several are several runs
    #[arg(long, value_name = "FILE")]
    pub(crate) measured: Vec<PathBuf>,
    /// A folder whose files the page may show where a profile or graph names them: the longest end of
    /// a path that is there counts; can be given several times [default: the current folder]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) source: Vec<PathBuf>,
    /// Port to serve on; 0 takes a free one. A page that is open on a port goes on when Hotframe is
    /// started there again
    #[arg(long, default_value_t = 0)]
    pub(crate) port: u16,
    /// Print the address and do not start a browser
    #[arg(long)]
    pub(crate) no_browser: bool,
    #[command(flatten)]
    pub(crate) limits: Limits,
}

/// Options of the Model Context Protocol's server.
#[derive(Debug, Args)]
pub(crate) struct Mcp {
    /// A folder below which files may be read; can be given several times. Relative names are told from
    /// the first [default: the current folder]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) root: Vec<PathBuf>,
    /// Let the tool `record` run commands without asking, as whoever starts this server could; otherwise
    /// the client asks its user about each
    #[arg(long)]
    pub(crate) allow_record: bool,
    /// Most characters of an answer; the last rows of long lists give way, and are counted
    #[arg(long, value_name = "CHARACTERS", default_value_t = 12_000)]
    pub(crate) max_answer: usize,
}

/// Options of the language server.
#[derive(Debug, Args)]
pub(crate) struct Lsp {
    /// Profile to load; the editor may name others
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub(crate) profile: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) limits: Limits,
}
