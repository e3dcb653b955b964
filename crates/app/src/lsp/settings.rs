//! What the editor sets.

use serde::Deserialize;
use serde_json::Value;

use super::paths::PathRule;

/// The `initializationOptions`, and later the settings themselves.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Settings {
    /// Profiles to load; relative to the first folder of the workspace.
    pub(super) profiles: Vec<String>,
    /// The profile that the active one is compared with; the oldest one without one.
    pub(super) base: Option<String>,
    /// Name or number of the metric; the profile's default without one.
    pub(super) metric: Option<String>,
    /// From which share of the whole, in per cent, a line has a hint.
    pub(super) hot_line_percent: f64,
    /// From which share of the whole, in per cent, a function has a lens.
    pub(super) lens_percent: f64,
    /// How many of a file's hottest lines are diagnostics.
    pub(super) diagnostics: usize,
    /// Where files of a profile are here.
    pub(super) paths: Vec<PathRule>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            profiles: vec![],
            base: None,
            metric: None,
            hot_line_percent: 1.0,
            lens_percent: 0.1,
            diagnostics: 0,
            paths: vec![],
        }
    }
}

impl Settings {
    /// The profiles to load, the base first: the last one is looked at.
    pub(super) fn named(&self) -> impl Iterator<Item = &str> {
        self.base.iter().chain(&self.profiles).map(String::as_str)
    }

    /// The settings in the options; nothing is none.
    pub(super) fn new(options: Option<Value>) -> Result<Settings, serde_json::Error> {
        match options {
            None | Some(Value::Null) => Ok(Settings::default()),
            Some(options) => serde_json::from_value(options),
        }
    }
}
