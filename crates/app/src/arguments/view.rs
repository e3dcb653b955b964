//! What to look at: metric, granularity and filters, the same for every view.

use clap::{Args, ValueEnum};
use session::{Collapse, Filter, FilterKind, Granularity, NamedFormula};

/// What to look at.
#[derive(Debug, Args)]
#[command(next_help_heading = "View")]
pub(crate) struct ViewArguments {
    /// Metric, by name, number or formula; several add columns
    ///
    /// Formulas are such as 'misses / instructions' or 'max_of(bytes)'. Rows are sorted by the first metric. The
    /// default is that of the profile.
    #[arg(long, value_name = "METRIC")]
    pub(crate) metric: Vec<String>,
    /// Define a metric by a formula, such as 'CPI = cycles / instructions'
    #[arg(long, value_name = "NAME = FORMULA", value_parser = parse_definition)]
    pub(crate) define: Vec<NamedFormula>,
    /// Group frames by
    #[arg(long, value_enum, default_value_t = GranularityArgument::Function)]
    granularity: GranularityArgument,
    /// In trees: merge recursive calls
    ///
    /// 'direct' merges calls of a function by itself. 'all' also merges calls that come back through other functions:
    /// a > b > a > c becomes a > c.
    #[arg(long, value_enum, value_name = "WHICH", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "direct")]
    collapse_recursion: Option<CollapseArgument>,
    /// Show the frames that the profile asks to hide
    #[arg(long)]
    pub(crate) no_drop_frames: bool,
    #[command(flatten)]
    filters: Filters,
}

/// Filters. A regular expression matches the function, the file or the module.
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
    /// Cut stacks above the outermost matching frame
    #[arg(long, value_name = "REGEX")]
    show_from: Vec<String>,
    /// Keep samples and spans with a matching label: key=regex
    ///
    /// Also a regex alone, which matches any key, or a range such as bytes=1kb:2mb. Arguments of a span are labels of
    /// the span and of the spans inside.
    #[arg(long, value_name = "LABEL", visible_alias = "tagfocus")]
    label_focus: Vec<String>,
    /// Drop samples and spans with a matching label
    #[arg(long, value_name = "LABEL", visible_alias = "tagignore")]
    label_ignore: Vec<String>,
    /// Keep a range of time: 1.2s..3.4s, 500ms.., ..2m
    ///
    /// The start is included, the end is not. Several ranges add up.
    #[arg(long, value_name = "FROM..TO", allow_hyphen_values = true)]
    time: Vec<String>,
    /// Keep the time in which a matching span ran, on its thread
    ///
    /// The end of the span is not included. With several, all of them must run.
    #[arg(long, value_name = "REGEX")]
    during: Vec<String>,
    /// Keep the time around matching marks, on their thread: GC=5ms
    ///
    /// GC=5ms is from 5 ms before each mark to 5 ms after it.
    #[arg(long, value_name = "REGEX=TIME")]
    around: Vec<String>,
    /// Keep threads by name and number, as in 'main (20998)'
    ///
    /// Several, also separated by commas, add up.
    #[arg(long, value_name = "REGEX")]
    thread: Vec<String>,
    /// Keep a processor, by number
    ///
    /// Several add up.
    #[arg(long, value_name = "NUMBER")]
    cpu: Vec<u32>,
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
        [self.frame_filters(), self.part_filters()].concat()
    }

    /// Those that both sides of a comparison of parts have.
    pub(crate) fn frame_filters(&self) -> Vec<Filter> {
        let filters = &self.filters;
        let all = [
            (FilterKind::Focus, &filters.focus),
            (FilterKind::Ignore, &filters.ignore),
            (FilterKind::Hide, &filters.hide),
            (FilterKind::Show, &filters.show),
            (FilterKind::ShowFrom, &filters.show_from),
            (FilterKind::LabelFocus, &filters.label_focus),
            (FilterKind::LabelIgnore, &filters.label_ignore),
        ];
        all.into_iter().flat_map(|(kind, patterns)| each(kind, patterns)).collect()
    }

    /// Which recursion is one frame.
    pub(crate) fn collapse(&self) -> Collapse {
        match self.collapse_recursion {
            None => Collapse::None,
            Some(CollapseArgument::Direct) => Collapse::Direct,
            Some(CollapseArgument::All) => Collapse::All,
        }
    }

    /// Those that choose a part: threads, processors and time.
    pub(crate) fn part_filters(&self) -> Vec<Filter> {
        let filters = &self.filters;
        part_filters(
            [&filters.time, &filters.during, &filters.around],
            &filters.thread,
            &filters.cpu,
        )
    }
}

/// Filters that choose a part: by time, during spans and around marks; by thread; by processor.
pub(super) fn part_filters(
    [time, during, around]: [&[String]; 3],
    threads: &[String],
    cpus: &[u32],
) -> Vec<Filter> {
    let any = |key: &str, texts: Vec<String>| -> Vec<String> {
        (!texts.is_empty()).then(|| format!("{key}={}", texts.join(","))).into_iter().collect()
    };
    let threads = any("thread", threads.iter().map(|text| thread_pattern(text)).collect());
    let cpus = any("cpu", cpus.iter().map(|cpu| format!("^{cpu}$")).collect());
    let all = [
        (FilterKind::LabelFocus, &threads[..]),
        (FilterKind::LabelFocus, &cpus),
        (FilterKind::Time, time),
        (FilterKind::During, during),
        (FilterKind::Around, around),
    ];
    all.into_iter().flat_map(|(kind, patterns)| each(kind, patterns)).collect()
}

/// A pattern of threads. A number in parentheses, as behind the name of a thread, is meant as it is printed.
fn thread_pattern(text: &str) -> String {
    let Some((start, rest)) = text.rsplit_once('(') else { return text.to_owned() };
    let Some((number, end)) = rest.split_once(')') else { return text.to_owned() };
    let is_number = !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit());
    if !is_number || start.ends_with('\\') {
        return text.to_owned();
    }
    format!("{start}\\({number}\\){end}")
}

fn each(kind: FilterKind, patterns: &[String]) -> impl Iterator<Item = Filter> {
    patterns.iter().map(move |pattern| Filter { kind, pattern: pattern.clone() })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum GranularityArgument {
    /// Name, file and, where a file repeats a name, where the function starts.
    Function,
    /// The name alone, as in pprof.
    Name,
    File,
    Line,
    Module,
    Address,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CollapseArgument {
    /// Calls of a function by itself.
    Direct,
    /// Calls of a function from what it calls, too.
    All,
}

/// `NAME = FORMULA`; `==` compares and defines nothing.
pub(super) fn parse_definition(text: &str) -> Result<NamedFormula, String> {
    let wrong = || "write a metric as 'NAME = FORMULA'".to_owned();
    let (name, formula) = text.split_once('=').ok_or_else(wrong)?;
    let (name, formula) = (name.trim(), formula.trim());
    if name.is_empty() || name.ends_with(['<', '>', '!']) || formula.starts_with('=') {
        return Err(wrong());
    }
    Ok(NamedFormula { name: name.to_owned(), formula: formula.to_owned() })
}
