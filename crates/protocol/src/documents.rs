//! Opening documents: uploads, formats, and documents made of others.

use serde::{Deserialize, Serialize};

use crate::Normalise;

/// Parameters of [`Request::Upload`](crate::Request::Upload).
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

/// Result of [`Request::Upload`](crate::Request::Upload).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct UploadResult {
    /// Bytes received so far.
    pub received: f64,
    /// The new document, once the last piece is in.
    pub document: Option<u32>,
}

/// Parameters of [`Request::Normalise`](crate::Request::Normalise).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NormaliseParams {
    /// The comparison.
    pub document: u32,
    /// What makes values of both sides comparable.
    pub normalise: Normalise,
}

/// Parameters of [`Request::Merge`](crate::Request::Merge).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MergeParams {
    /// The documents.
    pub documents: Vec<u32>,
}

/// Result of methods that open a document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OpenedResult {
    /// The new document.
    pub document: u32,
}

/// Parameters of [`Request::ReadAs`](crate::Request::ReadAs).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReadAsParams {
    /// The document, read or unreadable.
    pub document: u32,
    /// Name of the format that its bytes are in.
    pub format: String,
}

/// Parameters of [`Request::SplitMembers`](crate::Request::SplitMembers).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SplitMembersParams {
    /// The document.
    pub document: u32,
    /// What members are made of, as `--members-by` takes it: `process`, `thread`, `cpu` or the key
    /// of a label, also as `label:KEY`.
    pub by: String,
}

/// What members can be made of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MemberSplit {
    /// As [`SplitMembersParams::by`] takes it.
    pub by: String,
    /// For people.
    pub title: String,
}

/// Result of [`Request::Formats`](crate::Request::Formats).
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
