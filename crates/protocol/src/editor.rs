//! What the language server says beside the Language Server Protocol: what an extension draws that
//! editors have no request for. Values are texts, paths are those of this machine, lines count
//! from 0.

use serde::{Deserialize, Serialize};

/// What is loaded, with the hottest functions: `{}` to [`EditorProfiles`].
pub const PROFILES: &str = "hotframe/profiles";
/// The measured function that a place in the code belongs to: a text document and a position to
/// [`EditorFunction`], or null.
pub const FUNCTION: &str = "hotframe/function";
/// What every measured line of a file costs, for heat beside the text: a text document to
/// [`EditorLines`], or null.
pub const LINES: &str = "hotframe/lines";
/// The instructions of a function's lines: [`EditorInstructionsOf`] to [`EditorInstructions`], or null.
pub const INSTRUCTIONS: &str = "hotframe/instructions";
/// A request to the editor: lets the user choose the file here that a file of a profile is; a file
/// and a title to its address, or null.
pub const LOCATE: &str = "hotframe/locate";
/// A notification: something about what is loaded is new.
pub const CHANGED: &str = "hotframe/changed";
/// A command: loads files, by path or address, lists of them as one profile, and gives
/// [`EditorOpened`].
pub const OPEN: &str = "hotframe.open";
/// A command: serves the page from now on, and gives [`EditorPage`].
pub const PAGE: &str = "hotframe.page";
/// A command: serves frames for the editor's own pages from now on, and gives [`EditorFrames`].
pub const FRAMES: &str = "hotframe.frames";

/// Result of [`PROFILES`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EditorProfiles {
    /// In the order of opening; those that are being read last.
    pub profiles: Vec<EditorProfile>,
    /// Whether somebody said what is compared, or that nothing is; pages show it then.
    pub base_is_chosen: bool,
    /// Dataflow graphs, which have pages and say nothing of lines.
    pub graphs: Vec<EditorGraph>,
}

/// A profile that is loaded or being read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EditorProfile {
    /// Its file; of several that are one profile, their paths with NULs between.
    pub path: String,
    /// Its number for pages.
    pub document: u32,
    /// Its name for people.
    pub title: String,
    /// Whether it is there.
    pub state: EditorProfileState,
    /// Whether it is the one that is told of.
    pub is_active: bool,
    /// Whether the active one is compared with it.
    pub is_base: bool,
    /// Place of the told metric in `metrics`.
    pub metric: usize,
    /// None while it is being read.
    pub metrics: Vec<EditorMetric>,
    /// The hottest first.
    pub functions: Vec<EditorHotFunction>,
}

/// Whether a profile is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum EditorProfileState {
    /// It is being read.
    Reading,
    /// It is there.
    Ready,
}

/// A metric of a profile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EditorMetric {
    /// Its name.
    pub name: String,
    /// Its unit, as the profile names it.
    pub unit: String,
    /// Of the whole profile; of several runs their mean.
    pub total: String,
    /// Of how many runs values are the mean.
    pub runs: u32,
}

/// A function of a profile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EditorHotFunction {
    /// Its name.
    pub name: String,
    /// Its number in the profile, see [`EditorFunction::key`].
    pub key: u32,
    /// Its own value.
    #[serde(rename = "self")]
    pub self_value: String,
    /// With what it calls.
    pub total: String,
    /// Address of its file; none where that is not here.
    pub uri: Option<String>,
    /// Where it stands.
    pub line: u32,
}

/// A dataflow graph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EditorGraph {
    /// Its file.
    pub path: String,
    /// Its number for pages.
    pub document: u32,
    /// Its name for people.
    pub title: String,
}

/// Result of [`FUNCTION`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EditorFunction {
    /// Name of the function.
    pub name: String,
    /// Its number among all functions of the profile, which names tell apart no further: lists and pictures
    /// by function have the same.
    pub key: u32,
    /// Path of the profile that knows it.
    pub path: String,
}

/// Parameters of [`LOCATE`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EditorLocate {
    /// The file, as the profile names it.
    pub file: String,
    /// Of the profile.
    pub title: String,
}

/// Result of [`LINES`]: a file's measured lines in its order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EditorLines {
    /// Of the profile.
    pub title: String,
    /// Name of the metric.
    pub metric: String,
    /// Whether lines may be wrong, because the file changed.
    pub is_stale: bool,
    /// In the order of the file.
    pub lines: Vec<EditorLine>,
}

/// A measured line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EditorLine {
    /// From 0.
    pub line: u32,
    /// Its own share of the whole, from 0 to 1.
    #[serde(rename = "self")]
    pub self_share: f64,
    /// With what it calls, from 0 to 1.
    #[serde(rename = "total")]
    pub total_share: f64,
    /// Both as a text.
    pub text: String,
}

/// Parameters of [`INSTRUCTIONS`]: a function of the active profile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EditorInstructionsOf {
    /// Address of its file.
    pub uri: String,
    /// Its number, see [`EditorFunction::key`].
    pub key: u32,
}

/// Result of [`INSTRUCTIONS`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EditorInstructions {
    /// Of the profile.
    pub title: String,
    /// Name of the metric.
    pub metric: String,
    /// Why some have no text, and what else is to be known of them.
    pub notes: Vec<String>,
    /// By function of the linker, the largest first, then as they stand in memory.
    pub instructions: Vec<EditorInstruction>,
}

/// An instruction of a function that was measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EditorInstruction {
    /// The line that it is of, from 0; none where the text of today has none for it.
    pub line: Option<u32>,
    /// `vec.rs:120`: the line of another file that it is of, or one that is gone; empty otherwise.
    pub elsewhere: String,
    /// Where it stands in its module, as a hexadecimal number.
    pub address: String,
    /// Name of the module without folders; empty if unknown.
    pub module: String,
    /// What it is, as a disassembler writes it; empty where neither profile nor binary tell.
    pub text: String,
    /// Its own value and that with what it calls; empty where nothing was measured at it.
    pub values: String,
    /// Whether no instruction of the function has a larger value of its own, and it has one.
    pub is_hottest: bool,
}

/// Result of [`OPEN`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EditorOpened {
    /// Those that are there or being read.
    pub documents: Vec<EditorDocument>,
}

/// A file that was opened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EditorDocument {
    /// Its path; of several that are one profile, their paths with NULs between.
    pub path: String,
    /// Its number for pages.
    pub document: u32,
}

/// Result of [`FRAMES`]. There is no port, which editors on another machine than the engine would forward.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EditorFrames {
    /// The file of a Unix socket that speaks HTTP: a WebSocket at `/socket`, what scripts need below
    /// `/python/`.
    pub path: String,
    /// What requests carry as `token`.
    pub token: String,
}

/// Result of [`PAGE`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EditorPage {
    /// Where it is served.
    pub address: String,
}

/// What each request and command gives, and the notification, as TypeScript.
#[cfg(test)]
pub(crate) fn describe(known: &mut crate::typescript::Declared) -> String {
    use ts_rs::{Config, TS};

    fn row<T: TS + 'static>(known: &mut crate::typescript::Declared, name: &str) -> String {
        known.declare::<T>();
        format!("  readonly '{name}': {};\n", T::name(&Config::default()))
    }

    let rows = [
        row::<EditorProfiles>(known, PROFILES),
        row::<Option<EditorFunction>>(known, FUNCTION),
        row::<Option<EditorLines>>(known, LINES),
        row::<Option<EditorInstructions>>(known, INSTRUCTIONS),
        row::<EditorOpened>(known, OPEN),
        row::<EditorPage>(known, PAGE),
        row::<EditorFrames>(known, FRAMES),
    ];
    known.declare::<EditorLocate>();
    known.declare::<EditorInstructionsOf>();
    format!(
        "\n/** What the language server's own requests and commands give. */\n\
         export interface EditorReplies {{\n{}}}\n\n\
         /** The notification that something about what is loaded is new. */\n\
         export const EDITOR_CHANGED = '{CHANGED}';\n\n\
         /** The request to choose the file here that a file of a profile is. */\n\
         export const EDITOR_LOCATE = '{LOCATE}';\n",
        rows.concat(),
    )
}
