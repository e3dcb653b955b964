//! Where a command runs: its files, unpacked, and its environment.

#![allow(
    clippy::disallowed_methods,
    reason = "folders of the user and of this worker; untrusted programs do not write there"
)]

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use jobs::{Hash, Key};

use super::Worker;
use crate::environment::{self, Built};
use crate::folders::Scratch;
use crate::{Body, EnvironmentSpec, Error, Interpreter, source};

/// Where one cell runs.
#[derive(Debug, Clone)]
pub(super) struct Place {
    /// The folder of its files.
    pub(super) folder: PathBuf,
    /// Its environment.
    pub(super) environment: Option<Built>,
    /// Its interpreter, where it is one of Python.
    pub(super) interpreter: Option<Interpreter>,
}

impl Worker<'_> {
    /// Makes the place of a job; each of its parts is made once.
    pub(super) fn place(&self, body: &Body, batch: &str) -> Result<Place, Error> {
        let interpreter = self.interpreter(body)?;
        let environment = match (&body.environment, &interpreter) {
            (Some(spec), Some(interpreter)) => Some(self.built(spec, interpreter)?),
            _ => None,
        };
        let folder = match &body.source {
            Some(hash) => self.unpacked(hash, batch, &body.title())?,
            None => body.home.clone(),
        };
        let folder = match &body.asked.folder {
            Some(below) => folder.join(below),
            None => folder,
        };
        Ok(Place { folder, environment, interpreter })
    }

    fn built(&self, spec: &EnvironmentSpec, interpreter: &Interpreter) -> Result<Built, Error> {
        let key = spec.key(interpreter).to_string();
        if let Some(what) = self.lock().broken.get(&key) {
            return Err(Error::refused(what.clone(), "cannot prepare a run of its cells"));
        }
        let built = environment::build(spec, interpreter, &self.installer, self.folders);
        if let Err(error @ Error::Tool { .. }) = &built {
            self.lock().broken.insert(key, error.to_string());
        }
        built
    }

    fn interpreter(&self, body: &Body) -> Result<Option<Interpreter>, Error> {
        let is_isolated = |program: &str| {
            body.manner.isolated
                && Interpreter::is_isolated(program, &body.home, &self.folders.uploads())
        };
        if let Some(spec) = &body.environment {
            let name = &spec.interpreter;
            if is_isolated(name) {
                return Err(Error::refused(
                    format!("{name} is a program among those that are to be isolated"),
                    "name an interpreter of this machine",
                ));
            }
            return Interpreter::meant(name, &body.home).map(Some);
        }
        let program = body.asked.command.first().map(String::as_str).unwrap_or_default();
        let name = Path::new(program).file_name().unwrap_or_default().to_string_lossy();
        let is_python = name.starts_with("python") || name.starts_with("pypy");
        // To ask one what it is means to run it.
        // What does not answer is found out when it runs.
        Ok((is_python && !is_isolated(program))
            .then(|| Interpreter::meant(program, &body.home).ok())
            .flatten())
    }

    /// The files of a source: a folder for each cell, so that what one cell leaves is not seen in
    /// another, and what an interpreter compiled is still there in the next run.
    fn unpacked(&self, hash: &Hash, batch: &str, cell: &str) -> Result<PathBuf, Error> {
        let name = Key::new(format!("{batch}\0{cell}\0{hash}").as_bytes()).to_string();
        let known = |worker: &Self| worker.lock().places.get(&name).cloned();
        if let Some(folder) = known(self).filter(|folder| folder.exists()) {
            return Ok(folder);
        }
        // Of this worker alone: another may run the same cell.
        let parent = self.folders.work().join(&self.me.name);
        let folder = Scratch::below(&parent, &name[..16])?;
        let archive = parent.join(format!("{}.tar", &name[..16]));
        let mut file = File::create(&archive).map_err(Error::writing(&archive))?;
        let got = self.store.get(hash, &mut file).map_err(Error::from);
        let unpacked = got.and_then(|_| source::unpack(&archive, folder.path()));
        let _ = fs::remove_file(&archive);
        unpacked?;
        let path = folder.path().to_owned();
        std::mem::forget(folder);
        self.lock().places.insert(name, path.clone());
        Ok(path)
    }
}

/// Variables that make programs of an environment the first ones that are found.
pub(super) fn variables(place: &Place, own: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let mut all = own.clone();
    let Some(built) = &place.environment else { return all };
    let before = all.get("PATH").cloned();
    let before = before.or_else(|| std::env::var("PATH").ok()).unwrap_or_default();
    let programs = environment::programs(&built.folder);
    all.insert("PATH".to_owned(), format!("{}:{before}", programs.display()));
    all.insert("VIRTUAL_ENV".to_owned(), built.folder.display().to_string());
    all
}
