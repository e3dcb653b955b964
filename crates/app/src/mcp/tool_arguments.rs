//! What tools are asked, and the words of the command line for it. Values go behind `=`, so that none
//! is taken for an option.

use std::ffi::OsString;

use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;
use session::{ListKind, list_of};

use super::roots::Roots;

/// Rows of a list, where nobody asks for others.
const ROWS: usize = 20;

/// Rows behind those that are wanted, of which none is told but how many there are.
const MOST_COUNTED: usize = 2000;

fn wanted(asked: Option<usize>) -> usize {
    asked.unwrap_or(ROWS).clamp(1, 1000)
}

/// Words of the command line.
pub(super) struct Words<'a> {
    roots: &'a Roots,
    words: Vec<OsString>,
    files: Vec<OsString>,
    /// Most rows of a list.
    pub(super) rows: usize,
}

impl<'a> Words<'a> {
    pub(super) fn of(roots: &'a Roots, command: &[&str]) -> Words<'a> {
        let words = command.iter().map(OsString::from).collect();
        Words { roots, words, files: vec![], rows: ROWS }
    }

    /// An option with a value.
    pub(super) fn option(&mut self, name: &str, value: &str) {
        self.words.push(format!("--{name}={value}").into());
    }

    pub(super) fn options(&mut self, name: &str, values: &[String]) {
        for value in values {
            self.option(name, value);
        }
    }

    pub(super) fn maybe(&mut self, name: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.option(name, value);
        }
    }

    /// How many rows are wanted. More are asked for, so that those that are left out can be counted.
    pub(super) fn rows(&mut self, asked: Option<usize>) {
        self.rows = wanted(asked);
        self.option("limit", &(self.rows + MOST_COUNTED).to_string());
    }

    /// How many parts of the whole are wanted, of which none is left out.
    pub(super) fn stretches(&mut self, asked: Option<usize>) {
        self.rows = wanted(asked);
        self.option("limit", &self.rows.to_string());
    }

    /// Files that may be read, behind everything else.
    pub(super) fn files(&mut self, names: &[String]) -> Result<(), String> {
        if names.is_empty() {
            return Err("no file is named".to_owned());
        }
        for name in names {
            self.files.push(self.roots.admit(name)?.into());
        }
        Ok(())
    }

    /// Files as the values of an option.
    pub(super) fn files_of(&mut self, option: &str, names: &[String]) -> Result<(), String> {
        for name in names {
            let path = self.roots.admit(name)?;
            let mut word = OsString::from(format!("--{option}="));
            word.push(path);
            self.words.push(word);
        }
        Ok(())
    }

    pub(super) fn finish(self) -> Vec<OsString> {
        let mut words = self.words;
        words.push("--format=json".into());
        // Whole paths, which are not options.
        words.extend(self.files);
        words
    }
}

/// What of a profile is looked at.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[schemars(crate = "schemars")]
pub(super) struct Look {
    /// Name of a metric, or a formula over metrics such as `misses / instructions`. Default: the
    /// profile's own.
    metric: Option<String>,
    /// Keep samples with a frame that matches one of these regular expressions (function, file, module).
    #[serde(default)]
    focus: Vec<String>,
    /// Drop samples with a matching frame.
    #[serde(default)]
    ignore: Vec<String>,
    /// Remove frames that do not match: what they took is told of who called them. The way to see one's own
    /// code alone.
    #[serde(default)]
    show: Vec<String>,
    /// Keep samples with a label: `key=regex`.
    #[serde(default)]
    label: Vec<String>,
    /// Keep the threads whose name matches.
    #[serde(default)]
    thread: Vec<String>,
    /// Keep a range of time, such as `1.2s..3.4s` or `500ms..`.
    #[serde(default)]
    time: Vec<String>,
}

impl Look {
    pub(super) fn say(&self, words: &mut Words<'_>) {
        words.maybe("metric", self.metric.as_deref());
        for (name, values) in [
            ("focus", &self.focus),
            ("ignore", &self.ignore),
            ("show", &self.show),
            ("label-focus", &self.label),
            ("thread", &self.thread),
            ("time", &self.time),
        ] {
            words.options(name, values);
        }
    }
}

/// Files to open.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "schemars")]
pub(super) struct Open {
    /// Profiles; several are read as one, whose members they are.
    pub(super) files: Vec<String>,
}

/// Where values are.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "schemars")]
pub(super) struct Hottest {
    /// Profiles; several are read as one.
    pub(super) files: Vec<String>,
    /// `flat` (functions by self value; default), `top-down` (call tree) or `bottom-up`.
    pub(super) view: Option<String>,
    /// `function` (default), `name`, `file`, `line`, `module` or `address`.
    pub(super) granularity: Option<String>,
    /// `self` or `total`.
    pub(super) sort: Option<String>,
    /// Most rows, from 1 to 1000; default 20.
    pub(super) limit: Option<usize>,
    #[serde(flatten)]
    pub(super) look: Look,
}

/// What is worth looking at.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "schemars")]
pub(super) struct Advice {
    /// Profiles; several are read as one.
    pub(super) files: Vec<String>,
    /// Most rows, from 1 to 1000; default 20.
    pub(super) limit: Option<usize>,
    #[serde(flatten)]
    pub(super) look: Look,
}

/// Who calls a function.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "schemars")]
pub(super) struct Callers {
    /// Profiles; several are read as one.
    pub(super) files: Vec<String>,
    /// Regular expression that matches names of functions.
    pub(super) function: String,
    /// Most rows, from 1 to 1000; default 20.
    pub(super) limit: Option<usize>,
    #[serde(flatten)]
    pub(super) look: Look,
}

/// Two sides.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "schemars")]
pub(super) struct Diff {
    /// Profiles before; several are runs, whose mean is compared.
    pub(super) base: Vec<String>,
    /// Profiles after.
    pub(super) new: Vec<String>,
    /// `flat` (default), `top-down`, `bottom-up`, `spans` or `timeline`.
    pub(super) view: Option<String>,
    /// `absolute` (default) or `total`: both sides are brought to one total.
    pub(super) normalise: Option<String>,
    /// Most rows, from 1 to 1000; default 20.
    pub(super) limit: Option<usize>,
    #[serde(flatten)]
    pub(super) look: Look,
}

/// The lists of profiles with times, as the command line names them.
fn names_of_lists() -> Vec<Option<&'static str>> {
    let lists = ListKind::ALL.iter().map(|&kind| list_of(kind));
    lists
        .filter(|list| list.stands_for.is_none())
        .map(|list| Some(list.name))
        .chain([None])
        .collect()
}

/// What happened when.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "schemars")]
pub(super) struct Timeline {
    /// Traces; several are read as one.
    pub(super) files: Vec<String>,
    /// What to list; default: `timeline`, the tracks.
    #[schemars(extend("enum" = names_of_lists()))]
    pub(super) view: Option<String>,
    /// With `critical-path`: the number of the span, from `longest-spans`. Without it, the longest span.
    pub(super) span: Option<u32>,
    /// Most rows, from 1 to 1000; default 20.
    pub(super) limit: Option<usize>,
    #[serde(flatten)]
    pub(super) look: Look,
}

impl Timeline {
    /// Whether the view is one of the schema's.
    pub(super) fn check_view(&self) -> Result<(), String> {
        let names = names_of_lists();
        if names.contains(&self.view.as_deref()) {
            return Ok(());
        }
        let known: Vec<&str> = names.into_iter().flatten().collect();
        let view = self.view.as_deref().unwrap_or_default();
        Err(format!("there is no list {view}, there are {}", known.join(", ")))
    }
}

/// A dataflow graph.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "schemars")]
pub(super) struct GraphCost {
    /// Graph of DaCe (`.sdfg`, `.sdfgz`).
    pub(super) file: String,
    /// Values of symbols, each as `N=1000`.
    #[serde(default)]
    pub(super) set: Vec<String>,
    /// Most edges and nodes; default 20.
    pub(super) limit: Option<usize>,
}

/// A part of a graph or loop, and a machine.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "schemars")]
pub(super) struct Simulate {
    /// Graph of DaCe, or loops that Polly exported (`.jscop`). Files of C and Python, which would have to
    /// be compiled or run, are not taken.
    pub(super) file: String,
    /// Which part: a label, or DaCe's numbers of state and node such as `0/0/3`. Default: the whole.
    pub(super) scope: Option<String>,
    /// Values of symbols and sizes of loops, each as `N=64`.
    #[serde(default)]
    pub(super) set: Vec<String>,
    /// Caches, the nearest first, such as `32K:8,1M:16`.
    pub(super) cache: Option<String>,
    /// Changes to try beside what is, such as `tile i,j 32,32` or `permute A 1,0`.
    #[serde(default)]
    pub(super) what_if: Vec<String>,
    /// Most rows, from 1 to 1000; default 20.
    pub(super) limit: Option<usize>,
}

/// What an experiment found.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "schemars")]
pub(super) struct Experiment {
    /// Result of `hotframe experiment run`.
    pub(super) file: String,
    /// `summary` (default), `compare` or `history`.
    pub(super) report: Option<String>,
    /// For `compare`: the base's conditions, each as `interpreter=3.11`.
    #[serde(default)]
    pub(super) base: Vec<String>,
    /// For `compare`: the new side's conditions.
    #[serde(default)]
    pub(super) new: Vec<String>,
    /// A function instead of whole runs.
    pub(super) function: Option<String>,
    /// Most rows, from 1 to 1000; default 20.
    pub(super) limit: Option<usize>,
}
