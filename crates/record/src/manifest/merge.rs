//! Several manifests as one.

use std::path::{Path, PathBuf};

use super::Manifest;
use crate::{Error, files};

impl Manifest {
    /// Reads manifests as one that stands in another folder. Paths of files are told from there,
    /// and experiments of equal names become `name (2)` and so on.
    ///
    /// # Errors
    /// One cannot be read.
    pub fn merged(manifests: &[PathBuf], folder: &Path) -> Result<Manifest, Error> {
        let mut experiments = vec![];
        for file in manifests {
            let from = file.parent().unwrap_or(Path::new(""));
            for mut experiment in Manifest::read(file)?.experiments {
                for path in experiment.runs.iter_mut().filter_map(|run| run.file.as_mut()) {
                    *path = files::kept_in(folder, &from.join(&path));
                }
                experiments.push(experiment);
            }
        }
        for place in 1..experiments.len() {
            let (before, rest) = experiments.split_at_mut(place);
            let name = rest[0].name.clone();
            let mut number = 2;
            while before.iter().any(|other| other.name == rest[0].name) {
                rest[0].name = format!("{name} ({number})");
                number += 1;
            }
        }
        Ok(Manifest::new(experiments))
    }
}
