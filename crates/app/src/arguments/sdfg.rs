//! Dataflow graphs.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::cost_limit::{CostLimit, parse_growth, parse_value};
use super::limits::parse_size;
use super::output::ReportFormat;
use super::tool::Machine;

#[derive(Debug, Args)]
pub(crate) struct Sdfg {
    #[command(subcommand)]
    pub(crate) command: SdfgCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SdfgCommand {
    /// Print what a graph has
    Info(SdfgFile),
    /// Print what a graph moves and computes, by edge and node
    Cost(SdfgCost),
    /// Compare two graphs, such as before and after a transformation
    Compare(SdfgCompare),
    /// Rank pairs of maps by the bytes that fusing them saves
    Fusions(SdfgSizes),
    /// Print how much memory is alive, and when
    Memory(SdfgSizes),
    /// Simulate caches: every access of a graph or of loops, what misses and why
    Simulate(Box<SdfgSimulate>),
    /// Draw a graph with its costs, as SVG
    Draw(Box<SdfgDraw>),
    /// Measure bandwidth and peak operations of this machine, for a roofline
    ///
    /// Takes a few seconds and up to a gigabyte of memory, more with many processors.
    Machine(Machine),
}

#[derive(Debug, Args)]
pub(crate) struct SdfgDraw {
    /// Graph; - is standard input
    pub(crate) file: PathBuf,
    /// Picture to write; - is standard output
    #[arg(short, long)]
    pub(crate) output: PathBuf,
    /// Values of symbols
    #[arg(long, value_name = "NAME=NUMBER,...", value_parser = parse_symbol, value_delimiter = ',')]
    pub(crate) set: Vec<(String, i128)>,
    /// What counts as an operation
    #[arg(long, value_enum, default_value_t = Operations::Dace)]
    pub(crate) operations: Operations,
    /// Colour boxes by [default: measurements with --measured, else nothing]
    #[arg(long, value_enum)]
    pub(crate) nodes: Option<DrawnQuantity>,
    /// Measurements to lay over the graph: DaCe reports or profiles; several are averaged
    #[arg(long, value_name = "FILE")]
    pub(crate) measured: Vec<PathBuf>,
    /// With --measured: metric or counter [default: the first]
    #[arg(long, value_name = "NAME", requires = "measured")]
    pub(crate) metric: Option<String>,
    /// Leave out what edges move
    #[arg(long)]
    pub(crate) plain_edges: bool,
    /// Values per execution, not of the whole run
    #[arg(long)]
    pub(crate) each_time: bool,
    /// Count elements rather than bytes
    #[arg(long)]
    pub(crate) elements: bool,
    /// Scale of the colours
    #[arg(long, value_enum, default_value_t = DrawnScale::Mean)]
    pub(crate) scale: DrawnScale,
    /// The colours
    #[arg(long, value_enum, default_value_t = DrawnColours::Heat)]
    pub(crate) colours: DrawnColours,
    /// How deep to open states, scopes and nested graphs [default: what fits]
    #[arg(long)]
    pub(crate) depth: Option<u32>,
    /// Compare with this graph: values are differences
    #[arg(long, value_name = "BASE")]
    pub(crate) against: Option<PathBuf>,
    /// Dark colours
    #[arg(long)]
    pub(crate) dark: bool,
    /// Refuse files that are larger when unpacked
    #[arg(long, value_name = "SIZE", value_parser = parse_size, default_value = "1G")]
    pub(crate) max_size: u64,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum DrawnQuantity {
    Work,
    Depth,
    Parallelism,
    Intensity,
    Movement,
    /// Bytes that go over the network
    Network,
    Memory,
    Storage,
    /// With --measured: the time, or what --metric names
    Measured,
    /// With --measured: bytes of all accesses per second
    Bandwidth,
    /// With --measured: operations per second
    Rate,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum DrawnScale {
    /// From 0 to twice the mean
    Mean,
    /// From 0 to twice the median
    Median,
    /// By rank
    Histogram,
    /// From the smallest to the largest
    Linear,
    /// From the smallest to the largest, by the logarithm
    Exponential,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum DrawnColours {
    /// Blue, yellow, red
    Heat,
    /// Blue to yellow; colour-blind safe
    Viridis,
    /// Dark blue to light yellow, made for colour blindness
    Cividis,
}

#[derive(Debug, Args)]
pub(crate) struct SdfgSimulate {
    /// Graph, loops (.jscop, .c), Python file (.py) or recorded accesses; - is standard input
    ///
    /// Polly exports .jscop files, also of a C file. A Python file has DaCe programs. Record accesses with
    /// `valgrind --tool=lackey --trace-mem=yes --log-file=FILE PROGRAM`.
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) trace: SdfgTrace,
    /// Part to simulate [default: the whole]
    ///
    /// DaCe's name of a map entry, nested graph or state (0/0/3, 0/0), the label of a state or loop, the
    /// parameters of a map (i,j,k), or the name of a statement.
    #[arg(long, value_name = "PART", default_value = "")]
    pub(crate) scope: String,
    /// Function, if a C or Python file has several
    #[arg(long, value_name = "FUNCTION")]
    pub(crate) function: Option<String>,
    /// Run a Python file without asking, for the graphs of its DaCe programs
    #[arg(long)]
    pub(crate) run_python: bool,
    /// Values of symbols, map parameters and loop sizes
    #[arg(long, value_name = "NAME=NUMBER,...", value_parser = parse_symbol, value_delimiter = ',')]
    pub(crate) set: Vec<(String, i128)>,
    /// Bytes of a cache line
    #[arg(long, value_name = "BYTES", default_value_t = 64)]
    pub(crate) line: u64,
    /// Caches, the nearest first: SIZE:WAYS; without ways, fully associative
    #[arg(
        long, value_name = "SIZE[:WAYS],...", value_parser = parse_cache, value_delimiter = ',',
        default_value = "32K"
    )]
    pub(crate) cache: Vec<(u64, Option<u32>)>,
    /// Replacement policy
    #[arg(long, value_enum, default_value_t = Replaced::Lru)]
    pub(crate) replacement: Replaced,
    /// Inclusion policy
    #[arg(long, value_enum, default_value_t = Included::None)]
    pub(crate) inclusion: Included,
    /// Write through instead of back
    #[arg(long)]
    pub(crate) write_through: bool,
    /// Do not fetch a line when a write misses
    #[arg(long)]
    pub(crate) no_write_allocate: bool,
    /// Prefetch the next line on a miss of the first level
    #[arg(long)]
    pub(crate) prefetch_next: bool,
    /// Count an update (+=) as a read and a write
    #[arg(long)]
    pub(crate) combining_reads: bool,
    /// Also try a change of layout or loops; several are applied in turn
    ///
    /// 'permute NAME 2,0,1' (dimensions in memory, outermost first), 'pad NAME 8' (rows to a multiple of
    /// elements), 'align NAME 64', 'element NAME 4', 'order k,i,j' (nested loops), 'tile i,j 32,32' (adds loops
    /// i_tile and j_tile outside), 'fuse i' or 'fuse i,j' (adjacent loops).
    #[arg(long, value_name = "CHANGE")]
    pub(crate) what_if: Vec<String>,
    /// Search layouts and loop orders, and print the best
    ///
    /// Tries permutations of dimensions, paddings of rows and orders of loops at these sizes.
    #[arg(long, value_name = "NUMBER", num_args = 0..=1, default_missing_value = "10", conflicts_with_all = ["what_if", "export"])]
    pub(crate) search: Option<usize>,
    /// With --search: simulate at most this many variants
    #[arg(long, value_name = "NUMBER", default_value_t = 200)]
    pub(crate) variants: usize,
    /// Print the layouts and loops after --what-if as code
    #[arg(long, value_enum)]
    pub(crate) export: Option<Exported>,
    /// Threads: sequential, static:THREADS, static:THREADS:CHUNK, dynamic:THREADS:SEED
    ///
    /// Distributes the iterations of the outermost parallel loops: maps, and loops with independent iterations.
    /// Threads take turns and share the caches, except with --private.
    #[arg(long, value_name = "SCHEDULE", default_value = "sequential", conflicts_with_all = ["search", "export"])]
    pub(crate) schedule: locality::Schedule,
    /// With --schedule: this many levels are private to each thread (without coherence)
    #[arg(long, value_name = "LEVELS", default_value_t = 0, requires = "schedule")]
    pub(crate) private: usize,
    /// Print each element of a container: accesses, misses, stack distances
    ///
    /// Misses are of the nearest cache. In text, the elements with most misses come first.
    #[arg(long, value_name = "CONTAINER", conflicts_with_all = ["search", "export"])]
    pub(crate) elements: Option<String>,
    /// Pack containers instead of aligning each to a line
    #[arg(long)]
    pub(crate) packed: bool,
    /// Print at most this many rows as text; 0 prints all
    #[arg(long, default_value_t = 20)]
    pub(crate) limit: usize,
    #[command(flatten)]
    pub(crate) output: SdfgOutput,
}

/// What recorded accesses belong to.
#[derive(Debug, Args)]
pub(crate) struct SdfgTrace {
    /// With recorded accesses: the program, for its global arrays
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) binary: Option<PathBuf>,
    /// With --binary: load address of a position-independent program
    ///
    /// It is 0x108000 in valgrind on x86-64.
    #[arg(long, value_name = "ADDRESS", value_parser = parse_address, requires = "binary")]
    pub(crate) load_address: Option<u64>,
    /// With recorded accesses: an array, a=0x4040:8:100x50
    ///
    /// That is 100 rows of 50 elements of 8 bytes. Can be given several times.
    #[arg(long, value_name = "NAME=ADDRESS:BYTES:SHAPE")]
    pub(crate) range: Vec<locality::Range>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Exported {
    /// Declarations, indices and loops in C
    C,
    /// Arrays of NumPy in these layouts
    Numpy,
    /// Strides and orders of parameters for DaCe, in Python
    Dace,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Replaced {
    /// Least recently used
    Lru,
    /// Tree of bits (pseudo-LRU)
    Plru,
    /// First in, first out
    Fifo,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Included {
    /// Neither inclusive nor exclusive
    None,
    /// A level has all lines of the nearer levels
    Inclusive,
    /// A line is in one level
    Exclusive,
}

fn parse_address(text: &str) -> Result<u64, String> {
    let number = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    };
    number.ok_or_else(|| format!("'{text}' is not an address: 0x and hexadecimal digits"))
}

/// `32K:8`.
fn parse_cache(text: &str) -> Result<(u64, Option<u32>), String> {
    let (size, ways) = match text.split_once(':') {
        Some((size, ways)) => (size, Some(ways)),
        None => (text, None),
    };
    let wrong = || "write a cache as SIZE or SIZE:WAYS, such as 32K:8".to_owned();
    let ways = ways.map(|ways| ways.trim().parse::<u32>()).transpose().map_err(|_| wrong())?;
    Ok((parse_size(size).map_err(|_| wrong())?, ways))
}

/// How graphs are read and told of.
#[derive(Debug, Args)]
pub(crate) struct SdfgOutput {
    /// Output format
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,
    /// Table to print as CSV, such as nodes
    #[arg(long)]
    pub(crate) table: Option<String>,
    /// Refuse files that are larger when unpacked
    #[arg(long, value_name = "SIZE", value_parser = parse_size, default_value = "1G")]
    pub(crate) max_size: u64,
}

/// What counts as an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Operations {
    /// Arithmetic, as DaCe counts
    Dace,
    /// Also minima, maxima, comparisons and choices
    Every,
}

impl Operations {
    /// The rules that count so.
    pub(crate) fn rules(self) -> sdfg::cost::Rules {
        match self {
            Operations::Dace => sdfg::cost::Rules::Exact,
            Operations::Every => sdfg::cost::Rules::Every,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct SdfgFile {
    /// Graph; - is standard input
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) output: SdfgOutput,
}

#[derive(Debug, Args)]
pub(crate) struct SdfgSizes {
    #[command(flatten)]
    pub(crate) graph: SdfgFile,
    /// Values of symbols
    #[arg(long, value_name = "NAME=NUMBER,...", value_parser = parse_symbol, value_delimiter = ',')]
    pub(crate) set: Vec<(String, i128)>,
    /// Print at most this many rows as text; 0 prints all
    #[arg(long, default_value_t = 20)]
    pub(crate) limit: usize,
}

#[derive(Debug, Args)]
pub(crate) struct SdfgCost {
    #[command(flatten)]
    pub(crate) graph: SdfgFile,
    /// Values of symbols
    #[arg(long, value_name = "NAME=NUMBER,...", value_parser = parse_symbol, value_delimiter = ',')]
    pub(crate) set: Vec<(String, i128)>,
    /// What counts as an operation
    #[arg(long, value_enum, default_value_t = Operations::Dace)]
    pub(crate) operations: Operations,
    /// Reports of DaCe with run times; several are averaged
    #[arg(long, value_name = "REPORT")]
    pub(crate) measured: Vec<PathBuf>,
    /// Exit with code 3 if a total is beyond a limit, such as 'movement_bytes > 2 GB'
    ///
    /// Also 'work > 1e9' or 'intensity_of_distinct < 2'. Names are those of the JSON output. A GB is a GiB, as
    /// everywhere. Can be given several times.
    #[arg(long, value_name = "LIMIT", value_parser = parse_value)]
    pub(crate) fail_if: Vec<CostLimit>,
    /// Print at most this many edges and nodes as text; 0 prints all
    #[arg(long, default_value_t = 20)]
    pub(crate) limit: usize,
}

#[derive(Debug, Args)]
pub(crate) struct SdfgCompare {
    /// Graph before; - is standard input
    pub(crate) base: PathBuf,
    /// Graph after
    pub(crate) new: PathBuf,
    /// Values of symbols
    #[arg(long, value_name = "NAME=NUMBER,...", value_parser = parse_symbol, value_delimiter = ',')]
    pub(crate) set: Vec<(String, i128)>,
    /// What counts as an operation
    #[arg(long, value_enum, default_value_t = Operations::Dace)]
    pub(crate) operations: Operations,
    /// Reports of DaCe: of the base, and of the new graph
    #[arg(long, value_names = ["BASE_REPORT", "NEW_REPORT"], num_args = 1..=2)]
    pub(crate) measured: Vec<PathBuf>,
    /// Exit with code 3 if a total grew by more, such as 'movement_bytes > 5%'
    ///
    /// Or fell, such as 'parallelism < -10%'. Names are those of the JSON output. Can be given several times.
    #[arg(long, value_name = "GROWTH", value_parser = parse_growth)]
    pub(crate) fail_if: Vec<CostLimit>,
    #[command(flatten)]
    pub(crate) output: SdfgOutput,
    /// Print at most this many containers and elements as text; 0 prints all
    #[arg(long, default_value_t = 20)]
    pub(crate) limit: usize,
}

/// `N=256`.
fn parse_symbol(text: &str) -> Result<(String, i128), String> {
    let wrong = || "write a symbol's value as NAME=NUMBER".to_owned();
    let (name, value) = text.split_once('=').ok_or_else(wrong)?;
    let value = value.trim().replace('_', "").parse().map_err(|_| wrong())?;
    Ok((name.trim().to_owned(), value))
}
