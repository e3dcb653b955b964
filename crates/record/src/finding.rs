//! What is to be known of a recording.

use serde::{Deserialize, Serialize};

/// A sentence on a recording, and what to do about it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// What was found.
    pub what: String,
    /// What to do; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub advice: String,
}

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Good to know.
    Note,
    /// Figures may be off.
    Warning,
    /// The recording is of no use.
    Error,
}

impl Severity {
    /// For people and programs.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

impl Finding {
    pub(crate) fn note(what: impl Into<String>, advice: impl Into<String>) -> Finding {
        Finding { severity: Severity::Note, what: what.into(), advice: advice.into() }
    }

    /// What makes the recording doubtful, and what to do about it.
    pub fn warning(what: impl Into<String>, advice: impl Into<String>) -> Finding {
        Finding { severity: Severity::Warning, ..Finding::note(what, advice) }
    }

    pub(crate) fn error(what: impl Into<String>, advice: impl Into<String>) -> Finding {
        Finding { severity: Severity::Error, ..Finding::note(what, advice) }
    }
}
