//! `hotframe.json`: what someone wants of every profile.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Deserialize;
use session::{AdviceRule, NamedFormula};

use crate::advice_rules;

/// The name of the file, in the working folder or else in the user's own settings.
const FILE_NAME: &str = "hotframe.json";

/// Settings.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    /// Metrics by formula; a profile gets those whose metrics it has.
    #[serde(default)]
    metrics: Vec<MetricSetting>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct MetricSetting {
    #[serde(default)]
    name: String,
    formula: String,
}

/// The formulas of the settings, of the working folder or else of the user; none without a file.
pub(crate) fn formulas() -> Result<Vec<NamedFormula>> {
    let Some(path) = places().into_iter().find(|path| path.is_file()) else { return Ok(vec![]) };
    read(&path).with_context(|| format!("cannot use the settings in {}", path.display()))
}

fn read(path: &Path) -> Result<Vec<NamedFormula>> {
    let settings: Settings = serde_json::from_str(&std::fs::read_to_string(path)?)?;
    let named = |metric: MetricSetting| NamedFormula { name: metric.name, formula: metric.formula };
    Ok(settings.metrics.into_iter().map(named).collect())
}

/// The rules of advice of the working folder and of the user.
pub(crate) fn rules() -> Result<Vec<AdviceRule>> {
    advice_rules::rules(&[])
}

/// The folder of the user's own settings.
pub(crate) fn own_folder() -> Option<PathBuf> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    let config = variable("XDG_CONFIG_HOME").map(PathBuf::from);
    let home = variable("HOME").map(|home| PathBuf::from(home).join(".config"));
    let windows = variable("APPDATA").map(PathBuf::from);
    config.or(home).or(windows).map(|folder| folder.join("hotframe"))
}

fn places() -> Vec<PathBuf> {
    let own = own_folder().map(|folder| folder.join(FILE_NAME));
    std::iter::once(PathBuf::from(FILE_NAME)).chain(own).collect()
}
