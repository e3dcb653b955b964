//! Reports: one file that has the viewer and documents inside.

use serde::{Deserialize, Serialize};

/// Parameters of [`crate::SessionRequest::Report`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReportParams {
    /// What the report shows. What a document was made of comes along.
    pub documents: Vec<u32>,
    /// The address of the view that it begins with, in numbers of documents as they are here.
    pub view: String,
    /// What is replaced; none to leave all as it is.
    pub anonymize: Option<ReportAnonymize>,
    /// What people wrote about it, as plain text.
    pub note: String,
    /// Scripts that are shared with it.
    pub scripts: Vec<ReportScript>,
    /// Whether it has Python inside, which runs scripts.
    pub python: bool,
}

/// What of profiles is replaced by numbers, or left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ReportAnonymize {
    /// Folders, machines, comments, what programs wrote, and of commands all but the program.
    Paths,
    /// These, and names of functions, files, modules, threads, processes and members, and texts of
    /// labels.
    Names,
}

/// A script of a report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReportScript {
    /// What it is called.
    pub name: String,
    /// Python.
    pub text: String,
}

/// Result of [`crate::SessionRequest::Report`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReportResult {
    /// What the file is to be called.
    pub file_name: String,
}
