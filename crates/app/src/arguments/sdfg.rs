//! Dataflow graphs.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::limits::parse_size;
use super::output::ReportFormat;
use super::threshold::{Threshold, parse_growth, parse_threshold};
use super::tool::Machine;

#[derive(Debug, Args)]
pub(crate) struct Sdfg {
    #[command(subcommand)]
    pub(crate) command: SdfgCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SdfgCommand {
    /// Tell what a graph holds
    Info(SdfgFile),
    /// Tell what a graph moves and computes: in total, and by edge and node
    Cost(SdfgCost),
    /// Compare two graphs of one program, such as before and after a transformation
    Compare(SdfgCompare),
    /// Rank neighbouring maps by the bytes that fusing them saves
    Fusions(SdfgSizes),
    /// Tell how much memory a graph has alive, and when
    Memory(SdfgSizes),
    /// Simulate every access of a part of a graph, or of loops that Polly exported (.jscop): which
    /// cache lines it touches, what misses and why
    Simulate(Box<SdfgSimulate>),
    /// Draw a graph with its costs on it, as SVG
    Draw(Box<SdfgDraw>),
    /// Measure memory bandwidth and peak operations of this machine, for a roofline: takes a few
    /// seconds and up to a gigabyte of memory, more with many processors
    Machine(Machine),
}

#[derive(Debug, Args)]
pub(crate) struct SdfgDraw {
    /// Graph; - is standard input
    pub(crate) file: PathBuf,
    /// Picture to write; - is standard output
    #[arg(short, long)]
    pub(crate) output: PathBuf,
    /// Values of symbols; what needs others has no value
    #[arg(long, value_name = "NAME=NUMBER,...", value_parser = parse_symbol, value_delimiter = ',')]
    pub(crate) set: Vec<(String, i128)>,
    /// What counts as an operation
    #[arg(long, value_enum, default_value_t = Operations::Dace)]
    pub(crate) operations: Operations,
    /// What boxes tell [default: with --measured what was measured, otherwise nothing]
    #[arg(long, value_enum)]
    pub(crate) nodes: Option<DrawnQuantity>,
    /// Lay what was measured over the graph: a report of DaCe, or any profile; of several the mean
    /// is told
    #[arg(long, value_name = "FILE")]
    pub(crate) measured: Vec<PathBuf>,
    /// With --measured: the metric or counter that boxes tell [default: the first]
    #[arg(long, value_name = "NAME", requires = "measured")]
    pub(crate) metric: Option<String>,
    /// Do not tell what edges move
    #[arg(long)]
    pub(crate) plain_edges: bool,
    /// Values are those of each time that an element is reached, not of the whole run
    #[arg(long)]
    pub(crate) each_time: bool,
    /// Count elements rather than bytes
    #[arg(long)]
    pub(crate) elements: bool,
    /// From values to colours
    #[arg(long, value_enum, default_value_t = DrawnScale::Mean)]
    pub(crate) scale: DrawnScale,
    /// The colours
    #[arg(long, value_enum, default_value_t = DrawnColours::Traffic)]
    pub(crate) colours: DrawnColours,
    /// How deep to open states, scopes and nested graphs; as deep as can be overlooked if it is not
    /// given
    #[arg(long)]
    pub(crate) depth: Option<u32>,
    /// A graph to compare with: values become differences
    #[arg(long, value_name = "BASE")]
    pub(crate) against: Option<PathBuf>,
    /// Dark colours
    #[arg(long)]
    pub(crate) dark: bool,
    /// Largest file, unpacked
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
    /// With --measured: bytes of all accesses in a second
    Bandwidth,
    /// With --measured: operations in a second
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
    /// Green, yellow, red
    Traffic,
    /// Blue to yellow; colour-blind safe
    Viridis,
    /// Dark blue to light yellow, made for colour blindness
    Cividis,
}

#[derive(Debug, Args)]
pub(crate) struct SdfgSimulate {
    /// Graph, loops of C that Polly exported (.jscop), a C file (.c) whose loops clang and Polly export now,
    /// a Python file (.py) with DaCe programs, or accesses that valgrind's lackey recorded
    /// (`valgrind --tool=lackey --trace-mem=yes --log-file=FILE PROGRAM`); - is standard input
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) trace: SdfgTrace,
    /// Which part: DaCe's name of a map entry, a nested graph or a state (0/0/3, 0/0), the label of a
    /// state or loop, the parameters of a map (i,j,k), or the name of a statement of loops [default:
    /// the whole]
    #[arg(long, value_name = "PART", default_value = "")]
    pub(crate) scope: String,
    /// Of a C or Python file with several: the function
    #[arg(long, value_name = "FUNCTION")]
    pub(crate) function: Option<String>,
    /// Run a Python file without asking, to get the graphs of its DaCe programs
    #[arg(long)]
    pub(crate) run_python: bool,
    /// Values of symbols, of parameters of maps around the part, and of sizes of loops
    #[arg(long, value_name = "NAME=NUMBER,...", value_parser = parse_symbol, value_delimiter = ',')]
    pub(crate) set: Vec<(String, i128)>,
    /// Bytes of a cache line
    #[arg(long, value_name = "BYTES", default_value_t = 64)]
    pub(crate) line: u64,
    /// Caches, the nearest first: sizes, with ways behind a colon; without, a line may stand anywhere
    #[arg(
        long, value_name = "SIZE[:WAYS],...", value_parser = parse_cache, value_delimiter = ',',
        default_value = "32K"
    )]
    pub(crate) cache: Vec<(u64, Option<u32>)>,
    /// Which line of a set gives way
    #[arg(long, value_enum, default_value_t = Replaced::Lru)]
    pub(crate) replacement: Replaced,
    /// What levels have of each other's lines
    #[arg(long, value_enum, default_value_t = Included::None)]
    pub(crate) inclusion: Included,
    /// Writes go through to memory, instead of when their line is replaced
    #[arg(long)]
    pub(crate) write_through: bool,
    /// A write that misses does not bring its line
    #[arg(long)]
    pub(crate) no_write_allocate: bool,
    /// A miss of the first level brings the next line, too
    #[arg(long)]
    pub(crate) prefetch_next: bool,
    /// A write that combines reads first, instead of counting once
    #[arg(long)]
    pub(crate) combining_reads: bool,
    /// A change to try, beside what is: 'permute NAME 2,0,1' (dimensions in memory, outermost first), 'pad
    /// NAME 8' (rows to a multiple of elements), 'align NAME 64', 'element NAME 4', 'order k,i,j' (loops
    /// directly within each other), 'tile i,j 32,32' (loops over tiles, i_tile and j_tile, outside of both),
    /// 'fuse i' or 'fuse i,j' (loops right behind each other); may be given several times, done in turn
    #[arg(long, value_name = "CHANGE")]
    pub(crate) what_if: Vec<String>,
    /// Try permutations of dimensions, paddings of rows and orders of loops, and print so many variants that
    /// miss least, each simulated at these sizes
    #[arg(long, value_name = "NUMBER", num_args = 0..=1, default_missing_value = "10", conflicts_with_all = ["what_if", "export"])]
    pub(crate) search: Option<usize>,
    /// With --search: most variants to simulate
    #[arg(long, value_name = "NUMBER", default_value_t = 200)]
    pub(crate) variants: usize,
    /// Print the layouts and loops after --what-if as text to write them with, instead of what misses
    #[arg(long, value_enum)]
    pub(crate) export: Option<Exported>,
    /// Which thread does which iterations of the outermost parallel loops (of maps, and of loops whose
    /// iterations do not depend on each other): sequential, static:THREADS, static:THREADS:CHUNK,
    /// dynamic:THREADS:SEED; threads take turns and share the caches (but see --private)
    #[arg(long, value_name = "SCHEDULE", default_value = "sequential", conflicts_with_all = ["search", "export"])]
    pub(crate) schedule: locality::Schedule,
    /// With --schedule: so many levels of caches, the nearest, are each thread's own, and are not kept coherent
    #[arg(long, value_name = "LEVELS", default_value_t = 0, requires = "schedule")]
    pub(crate) private: usize,
    /// Print what happens at each element of a container: accesses, misses of the nearest cache, and the
    /// smallest, the median and the largest stack distance; for people, those that miss most come first
    #[arg(long, value_name = "CONTAINER", conflicts_with_all = ["search", "export"])]
    pub(crate) elements: Option<String>,
    /// Containers stand right behind each other, instead of each on lines of its own
    #[arg(long)]
    pub(crate) packed: bool,
    /// Most rows to print for people; 0 is all
    #[arg(long, default_value_t = 20)]
    pub(crate) limit: usize,
    #[command(flatten)]
    pub(crate) output: SdfgOutput,
}

/// What recorded accesses belong to.
#[derive(Debug, Args)]
pub(crate) struct SdfgTrace {
    /// With recorded accesses: the program, whose debug information tells its global arrays
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) binary: Option<PathBuf>,
    /// With --binary: where its address 0 was, if it may be loaded anywhere; 0x108000 in valgrind on x86-64
    #[arg(long, value_name = "ADDRESS", value_parser = parse_address, requires = "binary")]
    pub(crate) load_address: Option<u64>,
    /// With recorded accesses: an array, as a=0x4040:8:100x50 for 100 rows of 50 elements of 8 bytes; may be
    /// given several times
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
    /// The one that was used least recently
    Lru,
    /// What a tree of bits points at
    Plru,
    /// The one that came first
    Fifo,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Included {
    /// Whatever was not replaced
    None,
    /// A level has all lines of those before it
    Inclusive,
    /// A line is in one level
    Exclusive,
}

fn parse_address(text: &str) -> Result<u64, String> {
    let number = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    };
    number.ok_or_else(|| format!("'{text}' is no address: 0x and hexadecimal digits"))
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
    /// The table to print as CSV, such as nodes
    #[arg(long)]
    pub(crate) table: Option<String>,
    /// Largest file, unpacked
    #[arg(long, value_name = "SIZE", value_parser = parse_size, default_value = "1G")]
    pub(crate) max_size: u64,
}

/// What counts as an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Operations {
    /// Arithmetic, as DaCe counts: minima, maxima, comparisons and choices are none
    Dace,
    /// These too
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
    /// Values of symbols; what needs others has no value
    #[arg(long, value_name = "NAME=NUMBER,...", value_parser = parse_symbol, value_delimiter = ',')]
    pub(crate) set: Vec<(String, i128)>,
    /// Most rows to print for people; 0 is all
    #[arg(long, default_value_t = 20)]
    pub(crate) limit: usize,
}

#[derive(Debug, Args)]
pub(crate) struct SdfgCost {
    #[command(flatten)]
    pub(crate) graph: SdfgFile,
    /// Values of symbols; what needs others has no value
    #[arg(long, value_name = "NAME=NUMBER,...", value_parser = parse_symbol, value_delimiter = ',')]
    pub(crate) set: Vec<(String, i128)>,
    /// What counts as an operation
    #[arg(long, value_enum, default_value_t = Operations::Dace)]
    pub(crate) operations: Operations,
    /// Reports of DaCe that tell what runs of the graph took; of several the mean is told
    #[arg(long, value_name = "REPORT")]
    pub(crate) measured: Vec<PathBuf>,
    /// Exit with code 3 if a total is beyond a limit, such as 'movement_bytes > 2 GB', 'work > 1e9'
    /// or 'intensity_of_distinct < 2'; names are those of the JSON output; may be given several times
    #[arg(long, value_name = "LIMIT", value_parser = parse_threshold)]
    pub(crate) fail_if: Vec<Threshold>,
    /// Most edges and nodes to print for people; 0 is all
    #[arg(long, default_value_t = 20)]
    pub(crate) limit: usize,
}

#[derive(Debug, Args)]
pub(crate) struct SdfgCompare {
    /// Graph before; - is standard input
    pub(crate) base: PathBuf,
    /// Graph after
    pub(crate) new: PathBuf,
    /// Values of symbols; what needs others has no value
    #[arg(long, value_name = "NAME=NUMBER,...", value_parser = parse_symbol, value_delimiter = ',')]
    pub(crate) set: Vec<(String, i128)>,
    /// What counts as an operation
    #[arg(long, value_enum, default_value_t = Operations::Dace)]
    pub(crate) operations: Operations,
    /// Reports of DaCe of a run of either graph: that of the base, and that of the new one
    #[arg(long, value_names = ["BASE_REPORT", "NEW_REPORT"], num_args = 1..=2)]
    pub(crate) measured: Vec<PathBuf>,
    /// Exit with code 3 if a total grew by more than so much of the base's, such as
    /// 'movement_bytes > 5%' or 'measured_time > 5%', or fell below, such as 'parallelism < -10%';
    /// names are those of the JSON output; may be given several times
    #[arg(long, value_name = "GROWTH", value_parser = parse_growth)]
    pub(crate) fail_if: Vec<Threshold>,
    #[command(flatten)]
    pub(crate) output: SdfgOutput,
    /// Most containers and elements of each kind to print for people; 0 is all
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
