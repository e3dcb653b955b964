//! The command line.

use std::ffi::{OsStr, OsString};
use std::num::NonZero;
use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use session::{
    Demangle, Filter, FilterKind, Granularity, MembersBy, NamedFormula, Normalise, ReadOptions,
    ReadingAs, Rule,
};

/// Performance data in the terminal and in the browser.
#[derive(Debug, Parser)]
#[command(name = "hotframe", version, max_term_width = 100)]
pub(crate) struct Arguments {
    /// Colours and bold text
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = Color::Auto)]
    pub(crate) color: Color,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve profiles to the browser on this machine and open it (`hotframe FILE...` is short for it)
    Open(Open),
    /// Tell what a profile holds
    Info(Info),
    /// Print a profile as a list or a tree
    Show(Box<Show>),
    /// Compare two profiles
    #[command(mut_arg("metric", |metric| metric.help(COMPARED_METRIC)))]
    #[command(mut_arg("define", |define| define.hide(true)))]
    Diff(Box<Diff>),
    /// Write profiles in another format
    Convert(Convert),
    /// Make one profile of many, which stay its members
    Merge(Merge),
    /// Save a view as a picture (.svg) or a table (.csv)
    Export(Box<Export>),
    /// Tell an editor what its code costs, over the Language Server Protocol on standard input and
    /// output
    Lsp(Lsp),
    /// List the formats that are read and written
    Formats(Formats),
    /// Tell what DaCe's dataflow graphs (.sdfg, .sdfgz) hold and cost, without running them
    Sdfg(Sdfg),
    /// Measure memory bandwidth and peak operations of this machine, for a roofline: takes a few
    /// seconds and up to a gigabyte of memory, more with many processors
    Machine(Machine),
    /// Print completions for a shell, to be kept where it looks for them
    Completions(Completions),
    /// Print the manual page of hotframe or of one of its commands, for `man -l -`
    Man(Man),
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
    /// Command, such as show
    pub(crate) command: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Machine {
    /// Output format
    #[arg(long, value_enum, default_value_t = InfoFormat::Text)]
    pub(crate) format: InfoFormat,
    /// Threads to measure with; all that this machine runs at once, if it is not said
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZero<usize>>,
}

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
    /// Draw a graph with its costs on it, as SVG
    Draw(Box<SdfgDraw>),
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
    /// What boxes tell
    #[arg(long, value_enum)]
    pub(crate) nodes: Option<DrawnQuantity>,
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
    Memory,
    Storage,
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
pub(crate) struct SdfgFile {
    /// Graph; - is standard input
    pub(crate) file: PathBuf,
    /// Output format
    #[arg(long, value_enum, default_value_t = InfoFormat::Text)]
    pub(crate) format: InfoFormat,
    /// Largest file, unpacked
    #[arg(long, value_name = "SIZE", value_parser = parse_size, default_value = "1G")]
    pub(crate) max_size: u64,
}

#[derive(Debug, Args)]
pub(crate) struct SdfgCost {
    #[command(flatten)]
    pub(crate) graph: SdfgFile,
    /// Values of symbols; what needs others has no value
    #[arg(long, value_name = "NAME=NUMBER,...", value_parser = parse_symbol, value_delimiter = ',')]
    pub(crate) set: Vec<(String, i128)>,
    /// Most edges and nodes to print as text; 0 is all
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
    /// Output format
    #[arg(long, value_enum, default_value_t = InfoFormat::Text)]
    pub(crate) format: InfoFormat,
    /// Largest file, unpacked
    #[arg(long, value_name = "SIZE", value_parser = parse_size, default_value = "1G")]
    pub(crate) max_size: u64,
    /// Most containers and elements of each kind to print as text; 0 is all
    #[arg(long, default_value_t = 20)]
    pub(crate) limit: usize,
}

#[derive(Debug, Args)]
pub(crate) struct Open {
    /// Profiles and dataflow graphs; - is standard input
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Show all of them as one profile, whose members they are
    #[arg(long)]
    pub(crate) merge: bool,
    /// Lay what was measured over the dataflow graph that is opened: a report of DaCe, or any
    /// profile; several are several runs
    #[arg(long, value_name = "FILE")]
    pub(crate) measured: Vec<PathBuf>,
    /// Port to serve on; 0 takes a free one
    #[arg(long, default_value_t = 0)]
    pub(crate) port: u16,
    /// Print the address and do not start a browser
    #[arg(long)]
    pub(crate) no_browser: bool,
    #[command(flatten)]
    pub(crate) limits: Limits,
}

#[derive(Debug, Args)]
pub(crate) struct Info {
    /// Profile; - is standard input. Several become one, whose members they are
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = InfoFormat::Text)]
    pub(crate) format: InfoFormat,
    #[command(flatten)]
    pub(crate) limits: Limits,
}

#[derive(Debug, Args)]
pub(crate) struct Show {
    /// Profile; - is standard input. Several become one, whose members they are
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Shape of the report
    #[arg(long, value_enum, default_value_t = ReportView::Flat)]
    pub(crate) view: ReportView,
    /// Functions whose callers and callees to print (regular expression); implies --view call-graph
    #[arg(long, value_name = "REGEX")]
    pub(crate) peek: Option<String>,
    /// Role whose contexts to show, where points join several, such as allocation, use and reuse;
    /// two of them for pairs [default for pairs: the last two]
    #[arg(long, value_name = "ROLE")]
    pub(crate) role: Vec<String>,
    /// Most rows to print; 0 is all [default: 40 as text and Markdown, all as JSON and CSV]
    #[arg(short = 'n', long)]
    pub(crate) limit: Option<usize>,
    /// What functions of a list or siblings in a tree are ordered by [default: self in lists, total
    /// in trees]
    #[arg(long, value_enum, value_name = "BY")]
    pub(crate) sort: Option<Sort>,
    /// Output format
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,
    #[command(flatten)]
    pub(crate) view_options: ViewArguments,
    #[command(flatten)]
    pub(crate) limits: Limits,
}

const COMPARED_METRIC: &str = "Metric: name or number [default: the base's own default]";

#[derive(Debug, Args)]
pub(crate) struct Diff {
    /// Profile before; a folder or archive of profiles are runs, whose mean is compared
    #[arg(required_unless_present = "base_runs")]
    pub(crate) base: Option<PathBuf>,
    /// Profile after, or runs
    #[arg(required_unless_present = "base_runs")]
    pub(crate) new: Option<PathBuf>,
    /// Runs before, instead of BASE and NEW
    #[arg(long = "base", value_name = "FILE", num_args = 1.., requires = "new_runs", conflicts_with_all = ["base", "new"])]
    pub(crate) base_runs: Vec<PathBuf>,
    /// Runs after
    #[arg(long = "new", value_name = "FILE", num_args = 1.., requires = "base_runs")]
    pub(crate) new_runs: Vec<PathBuf>,
    /// Shape of the report
    #[arg(long, value_enum, default_value_t = DiffView::Flat)]
    pub(crate) view: DiffView,
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
    /// Show the comparison in the browser instead of printing it; what to look at is chosen there
    #[arg(long, conflicts_with_all = [
        "view", "limit", "sort", "fail_if", "format", "metric", "granularity", "collapse_recursion",
        "no_drop_frames", "focus", "ignore", "hide", "show", "show_from", "label_focus",
        "label_ignore", "define",
    ])]
    pub(crate) open: bool,
    /// With --open: port to serve on; 0 takes a free one
    #[arg(long, default_value_t = 0, requires = "open")]
    pub(crate) port: u16,
    /// With --open: print the address and do not start a browser
    #[arg(long, requires = "open")]
    pub(crate) no_browser: bool,
    /// Changes up to so much of a value are noise; several runs on both sides are tested instead
    #[arg(long, value_name = "PERCENT", value_parser = parse_percent, default_value = "0%")]
    pub(crate) noise: Percent,
    /// Exit with code 3 if a function's self or total value grew by more than so much of the base's
    /// total, such as 'self > 5%'; of several runs, by more than chance too, which is tested for
    /// functions of at least 1 % of the program
    #[arg(long, value_name = "GROWTH", value_parser = parse_growth)]
    pub(crate) fail_if: Option<Growth>,
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
    pub(crate) view_options: ViewArguments,
    #[command(flatten)]
    pub(crate) limits: Limits,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Sort {
    #[value(name = "self")]
    OwnValue,
    Total,
    Name,
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
}

/// A hundredth part for each.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Percent(pub(crate) f64);

/// More growth than is allowed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Growth {
    /// Whether self values count, or totals.
    pub(crate) of_self: bool,
    /// How much of the base's total is allowed.
    pub(crate) limit: Percent,
}

#[derive(Debug, Args)]
pub(crate) struct Convert {
    /// Profiles; - is standard input
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// File to write; - is standard output. Several profiles become one in a file; into an existing
    /// folder each is written by itself
    #[arg(short, long)]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) writing: Writing,
    #[command(flatten)]
    pub(crate) limits: Limits,
}

#[derive(Debug, Args)]
pub(crate) struct Merge {
    /// Profiles, and folders or archives of profiles; - is standard input
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// File to write; - is standard output
    #[arg(short, long)]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) writing: Writing,
    #[command(flatten)]
    pub(crate) limits: Limits,
}

/// How to write a profile.
#[derive(Debug, Args)]
pub(crate) struct Writing {
    /// Format to write (see `hotframe formats`) [default: as the output's name tells]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) to: Option<String>,
    /// Metric to write, where the format holds only one: name or number
    #[arg(long)]
    pub(crate) metric: Option<String>,
    /// A metric by formula to write with the profile, such as 'CPI = cycles / instructions'
    #[arg(long, value_name = "NAME = FORMULA", value_parser = parse_definition)]
    pub(crate) define: Vec<NamedFormula>,
    /// Write nothing if the format cannot hold all of the profile
    #[arg(long)]
    pub(crate) strict: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Export {
    /// Profile; - is standard input. Several become one, whose members they are
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// File to write: .svg or .csv
    #[arg(short, long)]
    pub(crate) output: PathBuf,
    /// Shape of the view
    #[arg(long, value_enum, default_value_t = ReportView::TopDown)]
    pub(crate) view: ReportView,
    /// Width of the picture in pixels
    #[arg(long, default_value_t = 1400)]
    pub(crate) width: u32,
    /// Dark colours
    #[arg(long)]
    pub(crate) dark: bool,
    /// What decides the colour
    #[arg(long, value_enum, default_value_t = Colour::Module)]
    pub(crate) colour: Colour,
    /// Frames to highlight (regular expression)
    #[arg(long, value_name = "REGEX", default_value = "")]
    pub(crate) search: String,
    #[command(flatten)]
    pub(crate) view_options: ViewArguments,
    #[command(flatten)]
    pub(crate) limits: Limits,
}

/// What to look at.
#[derive(Debug, Args)]
pub(crate) struct ViewArguments {
    /// Metric: name, number, or a formula such as 'misses / instructions' or 'max_of(bytes)'; of
    /// several the first orders the rows, and the others are told beside it [default: the profile's
    /// own default]
    #[arg(long, value_name = "METRIC")]
    pub(crate) metric: Vec<String>,
    /// A metric by formula, such as 'CPI = cycles / instructions'
    #[arg(long, value_name = "NAME = FORMULA", value_parser = parse_definition)]
    pub(crate) define: Vec<NamedFormula>,
    /// What makes two frames the same
    #[arg(long, value_enum, default_value_t = GranularityArgument::Function)]
    granularity: GranularityArgument,
    /// Show a function that directly calls itself as one
    #[arg(long)]
    pub(crate) collapse_recursion: bool,
    /// Keep the frames that the profile itself asks to fold away
    #[arg(long)]
    pub(crate) no_drop_frames: bool,
    #[command(flatten)]
    filters: Filters,
}

/// Filters; a regular expression matches function, file or module.
#[derive(Debug, Args)]
#[command(next_help_heading = "Filters")]
struct Filters {
    /// Keep samples with a matching frame
    #[arg(long, value_name = "REGEX")]
    focus: Vec<String>,
    /// Drop samples with a matching frame
    #[arg(long, value_name = "REGEX")]
    ignore: Vec<String>,
    /// Remove matching frames
    #[arg(long, value_name = "REGEX")]
    hide: Vec<String>,
    /// Remove frames that do not match
    #[arg(long, value_name = "REGEX")]
    show: Vec<String>,
    /// Cut stacks above their outermost matching frame
    #[arg(long, value_name = "REGEX")]
    show_from: Vec<String>,
    /// Keep samples with a matching label: key=regex, regex, or a range such as bytes=1kb:2mb
    #[arg(long, value_name = "LABEL", visible_alias = "tagfocus")]
    label_focus: Vec<String>,
    /// Drop samples with a matching label
    #[arg(long, value_name = "LABEL", visible_alias = "tagignore")]
    label_ignore: Vec<String>,
}

impl ViewArguments {
    pub(crate) fn granularity(&self) -> Granularity {
        match self.granularity {
            GranularityArgument::Function => Granularity::Function,
            GranularityArgument::Name => Granularity::Name,
            GranularityArgument::File => Granularity::File,
            GranularityArgument::Line => Granularity::Line,
            GranularityArgument::Module => Granularity::Module,
            GranularityArgument::Address => Granularity::Address,
        }
    }

    pub(crate) fn filters(&self) -> Vec<Filter> {
        let filters = &self.filters;
        [
            (FilterKind::Focus, &filters.focus),
            (FilterKind::Ignore, &filters.ignore),
            (FilterKind::Hide, &filters.hide),
            (FilterKind::Show, &filters.show),
            (FilterKind::ShowFrom, &filters.show_from),
            (FilterKind::LabelFocus, &filters.label_focus),
            (FilterKind::LabelIgnore, &filters.label_ignore),
        ]
        .into_iter()
        .flat_map(|(kind, patterns)| {
            patterns.iter().map(move |pattern| Filter { kind, pattern: pattern.clone() })
        })
        .collect()
    }
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

/// Limits against hostile files.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct Limits {
    /// Largest file, unpacked
    #[arg(long, value_name = "SIZE", value_parser = parse_size, default_value = "4G")]
    max_size: u64,
    /// Most memory for the tables of a profile
    #[arg(long, value_name = "SIZE", value_parser = parse_size, default_value = "4G")]
    max_memory: u64,
    /// Make members of 'process' (or 'rank'), 'thread', 'cpu' or the key of a label, so that
    /// 'max_of(time)' is the largest of them
    #[arg(long, value_name = "WHAT", help_heading = "Reading")]
    members_by: Option<MembersBy>,
    /// Show C++ and Rust names without mangling: 'short' (no parameters, no hashes) or 'full'
    #[arg(long, value_name = "HOW", default_value = "none", help_heading = "Reading")]
    demangle: Demangle,
    /// The format that the files are in, where it is not recognised; see `hotframe formats`
    #[arg(long, value_name = "FORMAT", value_parser = parse_format, help_heading = "Reading")]
    from: Option<&'static session::Format>,
}

impl Limits {
    pub(crate) fn reading_as(&self) -> ReadingAs {
        ReadingAs { members_by: self.members_by.clone(), demangle: self.demangle }
    }

    pub(crate) fn read_options(&self) -> ReadOptions {
        ReadOptions {
            max_size: self.max_size,
            max_memory: self.max_memory as usize,
            from: self.from,
            ..ReadOptions::default()
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportView {
    /// Callers above callees
    TopDown,
    /// Innermost functions first, their callers below
    BottomUp,
    /// Functions by self value
    Flat,
    /// Functions with their callers and callees
    CallGraph,
    /// Pairs of contexts that points join, with their least common ancestor
    Pairs,
}

/// How a report is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// For a terminal
    Text,
    /// For programs, all of it
    Json,
    /// For spreadsheets and programs: the rows
    Csv,
    /// For pages and comments: a table as GitHub has them
    Markdown,
}

impl ReportFormat {
    /// How many rows are told, of which people get some where they do not say how many.
    pub(crate) fn limit(self, asked: Option<usize>) -> usize {
        /// Rows for people.
        const MOST_ROWS: usize = 40;
        match (asked, self) {
            (Some(0), _) | (None, ReportFormat::Json | ReportFormat::Csv) => usize::MAX,
            (Some(limit), _) => limit,
            (None, ReportFormat::Text | ReportFormat::Markdown) => MOST_ROWS,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct Formats {
    /// How to write it
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: FormatsFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatsFormat {
    Text,
    Markdown,
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum InfoFormat {
    Text,
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    Module,
    File,
    Function,
    SelfShare,
    Change,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum GranularityArgument {
    /// Name, file and, where a file repeats a name, where the function starts.
    Function,
    /// The name alone, as pprof has it.
    Name,
    File,
    Line,
    Module,
    Address,
}

/// Puts `open` before arguments that name no command, so that `hotframe FILE` opens it. What is
/// neither a file nor a command, but reads like one, is refused with the command that it may mean.
pub(crate) fn with_default_command(
    arguments: impl Iterator<Item = OsString>,
    exists: impl Fn(&OsStr) -> bool,
) -> Result<Vec<OsString>, clap::Error> {
    const OWN: [&str; 4] = ["-h", "--help", "-V", "--version"];
    let mut arguments: Vec<OsString> = arguments.collect();
    // Options of all commands may stand before the command.
    let mut place = 1;
    while let Some(option) =
        arguments.get(place).filter(|a| a.as_encoded_bytes().starts_with(b"--color"))
    {
        place += if option.as_encoded_bytes() == b"--color" { 2 } else { 1 };
    }
    let Some(first) = arguments.get(place) else { return Ok(arguments) };
    let word = first.to_string_lossy().into_owned();
    let mut hotframe = Arguments::command();
    hotframe.build();
    let names = hotframe.get_subcommands().map(|command| command.get_name().to_owned());
    let names: Vec<String> = names.collect();
    if OWN.contains(&&*word) || names.contains(&word) {
        return Ok(arguments);
    }
    if !word.starts_with('-') && !exists(first) {
        let nearest = names.iter().map(|name| (distance(name, &word), name)).min();
        if let Some((steps @ 0..=2, name)) = nearest
            && steps * 2 <= word.chars().count()
        {
            let message =
                format!("there is no command and no file '{word}': did you mean '{name}'?");
            return Err(hotframe.error(clap::error::ErrorKind::InvalidSubcommand, message));
        }
    }
    arguments.insert(place, "open".into());
    Ok(arguments)
}

/// How many letters must be put in, left out, replaced or exchanged with their neighbour to make
/// one word of another.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().take(32).collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for (i, &own) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &other) in b.iter().enumerate() {
            let replaced = rows[i][j] + usize::from(own != other);
            let mut least = replaced.min(rows[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && own == b[j - 1] && a[i - 1] == other {
                least = least.min(rows[i - 1][j - 1] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

/// `NAME = FORMULA`; `==` compares and defines nothing.
fn parse_definition(text: &str) -> Result<NamedFormula, String> {
    let wrong = || "write a metric as 'NAME = FORMULA'".to_owned();
    let (name, formula) = text.split_once('=').ok_or_else(wrong)?;
    let (name, formula) = (name.trim(), formula.trim());
    if name.is_empty() || name.ends_with(['<', '>', '!']) || formula.starts_with('=') {
        return Err(wrong());
    }
    Ok(NamedFormula { name: name.to_owned(), formula: formula.to_owned() })
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
fn parse_percent(text: &str) -> Result<Percent, String> {
    let number = text.trim().trim_end_matches('%').trim().parse::<f64>();
    match number {
        Ok(number) if number >= 0.0 && number.is_finite() => Ok(Percent(number)),
        _ => Err("write a share as 5% or 0.5%".to_owned()),
    }
}

/// `self > 5%` or `total > 5%`.
fn parse_growth(text: &str) -> Result<Growth, String> {
    let wrong = || "write the growth as 'self > 5%' or 'total > 5%'".to_owned();
    let (word, limit) = text.split_once('>').ok_or_else(wrong)?;
    let of_self = match word.trim() {
        "self" => true,
        "total" => false,
        _ => return Err(wrong()),
    };
    Ok(Growth { of_self, limit: parse_percent(limit)? })
}

/// `N=256`.
fn parse_symbol(text: &str) -> Result<(String, i128), String> {
    let wrong = || "write a symbol's value as NAME=NUMBER".to_owned();
    let (name, value) = text.split_once('=').ok_or_else(wrong)?;
    let value = value.trim().replace('_', "").parse().map_err(|_| wrong())?;
    Ok((name.trim().to_owned(), value))
}

/// A number of bytes, with K, M, G or T for binary units.
fn parse_format(text: &str) -> Result<&'static session::Format, String> {
    let format = session::format_named(text).filter(|format| format.reads());
    format.ok_or_else(|| "no format that is read has this name, see `hotframe formats`".to_owned())
}

fn parse_size(text: &str) -> Result<u64, String> {
    let upper = text.trim().to_ascii_uppercase();
    let upper = upper.trim_end_matches('B').trim_end_matches('I');
    let (digits, shift) = match upper.char_indices().last() {
        Some((at, 'K')) => (&upper[..at], 10),
        Some((at, 'M')) => (&upper[..at], 20),
        Some((at, 'G')) => (&upper[..at], 30),
        Some((at, 'T')) => (&upper[..at], 40),
        _ => (upper, 0),
    };
    let number: u64 = digits.trim().parse().map_err(|_| "write a size as 512M or 8G".to_owned())?;
    number.checked_mul(1 << shift).ok_or_else(|| "too large".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(parse_size("512"), Ok(512));
        assert_eq!(parse_size("4G"), Ok(4 << 30));
        assert_eq!(parse_size("16 GiB"), Ok(16 << 30));
        assert!(parse_size("big").is_err());
        assert!(parse_size("99999999T").is_err());
    }

    fn with(line: &str) -> Result<String, String> {
        let files = |name: &OsStr| name == "a" || name == "sho";
        let words = line.split(' ').map(OsString::from);
        let words = with_default_command(words, files).map_err(|error| error.to_string())?;
        Ok(words.join(OsStr::new(" ")).into_string().unwrap())
    }

    #[track_caller]
    fn check(line: &str, expected: &str) {
        assert_eq!(with(line).as_deref(), Ok(expected));
    }

    #[test]
    fn a_file_name_opens_it() {
        check("hotframe a.pb.gz b", "hotframe open a.pb.gz b");
        check("hotframe --no-browser a", "hotframe open --no-browser a");
        check("hotframe info a", "hotframe info a");
        check("hotframe --help", "hotframe --help");
        check("hotframe help show", "hotframe help show");
        check("hotframe --color never show a", "hotframe --color never show a");
        check("hotframe --color=never a", "hotframe --color=never open a");
        check("hotframe sho", "hotframe open sho");
    }

    #[test]
    fn a_mistyped_command_is_a_suggestion() {
        for (wrong, meant) in [("shwo", "show"), ("difff", "diff"), ("cnvert", "convert")] {
            let error = with(&format!("hotframe {wrong} a")).unwrap_err();
            assert!(error.contains(&format!("did you mean '{meant}'?")), "{error}");
        }
        check("hotframe profile.out", "hotframe open profile.out");
        check("hotframe xy", "hotframe open xy");
    }

    #[test]
    fn functions_are_matched_by_the_default_rules() {
        let Command::Diff(diff) = Arguments::parse_from(["hotframe", "diff", "a", "b"]).command
        else {
            panic!("another command");
        };
        assert_eq!(session::Rules::of(diff.rules), session::Rules::default());
    }

    #[test]
    fn the_arguments_are_consistent() {
        Arguments::command().debug_assert();
    }
}
