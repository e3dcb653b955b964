//! Several experiments in one file, as TOML.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::{Asked, Error};

/// What a plan file says.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanFile {
    /// Folder for all recordings, from that of the plan; that of the plan by default.
    #[serde(default)]
    pub output: PathBuf,
    /// In the order in which they are recorded.
    #[serde(rename = "experiment")]
    pub experiments: Vec<Asked>,
}

impl PlanFile {
    /// Reads a plan. Folders in it are told from that of the plan.
    ///
    /// # Errors
    /// The file cannot be read, or is no plan: the line is told.
    pub fn read(file: &Path) -> Result<PlanFile, Error> {
        let text = fs::read_to_string(file).map_err(Error::reading(file))?;
        let wrong = |what: String| Error::Document {
            file: file.to_owned(),
            place: String::new(),
            what: what.trim_end().to_owned(),
        };
        let mut plan: PlanFile = toml::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        let folder = file.parent().unwrap_or(Path::new(""));
        plan.output = folder.join(&plan.output);
        for experiment in &mut plan.experiments {
            experiment.folder = Some(folder.join(experiment.folder.take().unwrap_or_default()))
                .filter(|folder| !folder.as_os_str().is_empty());
            if experiment.command.is_empty() {
                return Err(wrong(format!("experiment '{}' has no command", experiment.name)));
            }
        }
        let mut names: Vec<&str> = plan.experiments.iter().map(|e| e.name.as_str()).collect();
        names.sort_unstable();
        match names.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(wrong(format!("two experiments are called '{}'", pair[0]))),
            None if names.is_empty() => Err(wrong("it has no experiment".to_owned())),
            None => Ok(plan),
        }
    }
}
