//! Methods on what is open, of whatever kind it is.

use serde::{Deserialize, Serialize};

use crate::{CompareParams, MergeParams, ProtocolError, RooflineMachine};

/// Parameters that name a document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DocumentParams {
    /// The document.
    pub document: u32,
}

/// Parameters of [`crate::SessionRequest::Upload`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct UploadParams {
    /// Chosen by the page, one per file.
    pub upload: u32,
    /// The file's name.
    pub name: String,
    /// Bytes sent before this piece.
    pub offset: f64,
    /// Whether this is the last piece.
    pub last: bool,
    /// Name of the format that the file is in; none to recognise it.
    #[serde(default)]
    pub format: Option<String>,
}

/// Result of [`crate::SessionRequest::Upload`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct UploadResult {
    /// Bytes received so far.
    pub received: f64,
    /// The new document, once the last piece is in.
    pub document: Option<u32>,
}

/// Parameters of [`crate::SessionRequest::OpenFiles`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OpenFilesParams {
    /// Their paths.
    pub paths: Vec<String>,
}

/// Result of [`crate::SessionRequest::Documents`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DocumentsResult {
    /// In the order of opening.
    pub documents: Vec<DocumentInfo>,
    /// Whether an editor is there that [`crate::SessionRequest::OpenSource`] reaches.
    pub opens_source: bool,
    /// Whether experiments may be run, as [`crate::RunsRequest`] asks for them.
    pub may_run: bool,
    /// Random, one a process: after another connection the same documents have the same numbers if
    /// this is the same.
    pub session: String,
}

/// Parameters of [`crate::SessionRequest::OpenSource`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OpenSourceParams {
    /// The document that names the file.
    pub document: u32,
    /// The file as the document names it.
    pub file: String,
    /// From 1; 0 where it is unknown.
    pub line: u32,
    /// Whether the editor gets the keyboard.
    pub take_focus: bool,
}

/// Parameters of [`crate::SessionRequest::SourceText`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SourceTextParams {
    /// The document that names the file.
    pub document: u32,
    /// The file as the document names it.
    pub file: String,
}

/// Result of [`crate::SessionRequest::SourceText`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SourceTextResult {
    /// Where it was read.
    pub path: String,
    /// What is in it.
    pub text: String,
    /// What is to be known of it, each a sentence: that it was written after the recording.
    pub notes: Vec<String>,
}

/// Result of a request that is done and has nothing to say.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DoneResult {}

/// One open document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DocumentInfo {
    /// Its number.
    pub document: u32,
    /// File name, with as many folders as tell it from the others.
    pub title: String,
    /// What it was opened by, with all folders that are known: the same whatever else is open. Of
    /// what was made of others, its title.
    pub name: String,
    /// How far it is.
    pub state: DocumentState,
    /// The request that makes it again, where it was made of other open documents.
    pub made_by: Option<MadeBy>,
}

/// A request that makes a document of open ones.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case", tag = "method")]
pub enum MadeBy {
    /// [`crate::ProfileRequest::Compare`].
    Compare(CompareParams),
    /// [`crate::ProfileRequest::Merge`].
    Merge(MergeParams),
}

/// How far a document is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum DocumentState {
    /// Being read.
    Loading {},
    /// Ready for views.
    Ready {
        /// Its kind, `profile` or `graph`, by which a page knows what to show and to ask.
        shows: String,
    },
    /// Unreadable.
    Failed {
        /// Why.
        error: ProtocolError,
    },
}

/// One warning.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct WarningInfo {
    /// What happened, with the first place where it did.
    pub message: String,
    /// How often.
    pub count: f64,
}

/// A text document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TextResult {
    /// The text.
    pub text: String,
    /// A file name to save it under.
    pub file_name: String,
}

/// Result of methods that open a document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OpenedResult {
    /// The new document.
    pub document: u32,
}

/// Parameters of [`crate::SessionRequest::ReadAs`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReadAsParams {
    /// The document, read or unreadable.
    pub document: u32,
    /// Name of the format that its bytes are in.
    pub format: String,
}

/// Result of [`crate::SessionRequest::Formats`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FormatsResult {
    /// In the order in which they are tried.
    pub formats: Vec<FormatInfo>,
}

/// One format.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FormatInfo {
    /// Short name, as options take it.
    pub name: String,
    /// One line for people.
    pub title: String,
    /// Usual file name endings.
    pub extensions: Vec<String>,
    /// Whether it is read.
    pub reads: bool,
    /// Whether it is written.
    pub writes: bool,
}

/// Parameters of [`crate::SessionRequest::Machine`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MachineParams {
    /// Measure now: that takes about three seconds, all processors and up to a gigabyte of memory.
    pub measure: bool,
}

/// What a machine can do at most.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MachineResult {
    /// What was measured; none where nobody did.
    pub measured: Option<RooflineMachine>,
    /// How many threads measured it; 0 where nobody did.
    pub threads: u32,
    /// The caches of a processor, the nearest first, as `32K:8,1M:16`; empty where they are not told.
    pub caches: String,
}
