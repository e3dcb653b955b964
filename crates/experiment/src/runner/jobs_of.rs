//! From an experiment to its jobs.

#![allow(
    clippy::disallowed_methods,
    reason = "folders of the user and of this worker; untrusted programs do not write there"
)]

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use jobs::{Hash, Job, JobStore, Key, Needs};

use super::{Progress, ReportedFact};
use crate::environment::{Wanted, lock, requirement};
use crate::revision::Revision;
use crate::worker::BATCH;
use crate::{
    Body, Cell, EnvironmentSpec, Error, Experiment, FactorKind, Folders, Installer, Interpreter,
    cells, source,
};

/// One job of an experiment.
#[derive(Debug, Clone)]
pub struct Planned {
    /// As the queue has it.
    pub job: Job,
    /// What it says.
    pub body: Body,
}

impl Planned {
    /// For people.
    pub fn title(&self) -> String {
        match self.body.run {
            0 => format!("environment of {}", self.body.title()),
            run => format!("{} #{run}", self.body.title()),
        }
    }
}

/// Makes jobs.
pub(super) struct Making<'a> {
    pub(super) experiment: &'a Experiment,
    pub(super) store: &'a dyn JobStore,
    pub(super) folders: &'a Folders,
    pub(super) installer: &'a Installer,
    pub(super) batch: &'a str,
    pub(super) is_local: bool,
    pub(super) again: u32,
}

/// Jobs that are there already, and whether a bound ended them.
type Before = HashMap<Key, bool>;

/// What cells share.
#[derive(Default)]
struct Known {
    revisions: HashMap<String, Revision>,
    sources: HashMap<String, Option<Hash>>,
    interpreters: HashMap<String, Interpreter>,
}

impl Making<'_> {
    /// Environments first, then all cells by turns: see [`record::turns`].
    pub(super) fn all(&self, told: &dyn ReportedFact) -> Result<Vec<Planned>, Error> {
        let mut known = Known::default();
        let cells = cells(&self.experiment.matrix);
        let mut bodies = vec![];
        for (at, cell) in cells.iter().enumerate() {
            if told.is_stopped() {
                return Err(Error::Stopped);
            }
            let preparing = format!(
                "preparing cell {} of {}: {}",
                at + 1,
                cells.len(),
                cell.title(&self.experiment.matrix)
            );
            told.see(&Progress { preparing, ..Progress::default() });
            bodies.push(self.body(cell, &mut known)?);
        }
        let mut planned = vec![];
        let mut built: Vec<&EnvironmentSpec> = vec![];
        for body in &bodies {
            if let Some(spec) = body.environment.as_ref().filter(|spec| !built.contains(spec)) {
                built.push(spec);
                planned.push((body.clone(), 0));
            }
        }
        let runs = vec![self.experiment.asked.runs as usize; bodies.len()];
        let turns = record::turns(&runs).into_iter();
        planned.extend(turns.map(|(cell, run)| (bodies[cell].clone(), run as u32 + 1)));
        let before = self.before()?;
        let planned = planned.into_iter().enumerate();
        let planned: Vec<Planned> =
            planned.map(|(place, (body, run))| self.planned(body, run, place, &before)).collect();
        self.keep(&planned)?;
        Ok(planned)
    }

    /// What earlier invocations had run.
    fn before(&self) -> Result<Before, Error> {
        use jobs::{Class, End, Phase};
        let is_bounded = |phase: &Phase| {
            matches!(phase, Phase::Ended { end: End::Failed { class, .. }, .. }
                if matches!(class, Class::Timeout | Class::Limit))
        };
        let jobs = self.store.jobs(self.batch)?.into_iter();
        Ok(jobs.map(|job| (job.key, is_bounded(&job.phase))).collect())
    }

    /// The job of a run. One that a bound ended is followed by another where bounds are others: that
    /// one counts from then on, whatever they become, unless a bound ends it, too.
    fn key(&self, identity: &str, body: &Body, before: &Before) -> Key {
        let mut key = Key::new(format!("{}\0{identity}", self.batch).as_bytes());
        while before.get(&key) == Some(&true) {
            let next = Key::new(format!("{}\0{identity}\0{key}", self.batch).as_bytes());
            let is_another = || {
                super::body_of(self.folders, self.batch, &key)
                    .is_some_and(|before| !before.manner.has_bounds_of(&body.manner))
            };
            if !before.contains_key(&next) && !is_another() {
                break;
            }
            key = next;
        }
        key
    }

    fn planned(&self, body: Body, run: u32, place: usize, before: &Before) -> Planned {
        // An environment is built when it is not there, whatever was asked for anew.
        let body = Body { run, again: if run == 0 { 0 } else { self.again }, ..body };
        let mut identity = body.identity();
        if run == 0 {
            // Built on this machine now: whether it is still there only its worker knows.
            identity.push_str(&format!("{:?}", std::time::SystemTime::now()));
        }
        let key = self.key(&identity, &body, before);
        let mut needs = Needs::none();
        let level = |kind: FactorKind| {
            let found = body.cell.iter().find(|(_, of, _)| of == kind.name());
            found.map(|(_, _, level)| level.as_str())
        };
        if let Some(machine) = level(FactorKind::Machine) {
            needs = needs.with(jobs::MACHINE, machine);
        }
        if self.is_local {
            needs = needs.with(BATCH, self.batch);
        } else if let Some(spec) = &body.environment
            && spec.interpreter.starts_with(|c: char| c.is_ascii_digit())
        {
            needs = needs.with(jobs::INTERPRETER, &spec.interpreter);
        }
        let job = Job {
            key,
            batch: self.batch.to_owned(),
            place: place as u64,
            needs,
            body: serde_json::to_vec(&body).unwrap_or_default(),
            measured: run > 0,
        };
        Planned { job, body }
    }

    /// Bodies are kept, so that a later invocation knows what earlier ones ran.
    fn keep(&self, planned: &[Planned]) -> Result<(), Error> {
        let folder = self.folders.bodies(self.batch);
        fs::create_dir_all(&folder).map_err(Error::writing(&folder))?;
        for one in planned.iter().filter(|one| one.body.run > 0) {
            let file = folder.join(one.job.key.to_string());
            if !file.exists() {
                fs::write(&file, &one.job.body).map_err(Error::writing(&file))?;
            }
        }
        Ok(())
    }

    fn body(&self, cell: &Cell, known: &mut Known) -> Result<Body, Error> {
        let experiment = self.experiment;
        let matrix = &experiment.matrix;
        let home = absolute(&experiment.source.folder)?;
        let levels: BTreeMap<&str, &str> =
            cell.pairs(matrix).map(|(factor, level)| (factor.name.as_str(), level)).collect();
        let mut asked = experiment.command_in(&levels);
        asked.runs = 1;
        for (name, level) in cell.of_kind(matrix, FactorKind::Variable) {
            asked.environment.insert(name.to_owned(), level.to_owned());
        }
        asked.folder = self.below(&home, asked.folder.as_deref())?;
        let revision = match cell.of_kind(matrix, FactorKind::Revision).next() {
            Some((_, name)) => Some(self.revision(name, &home, known)?),
            None => None,
        };
        let source = self.source(revision.as_ref(), &home, known)?;
        // What one cell lacks is no reason for the others not to run.
        let (environment, broken) = match self.environment(cell, known) {
            Ok(environment) => (environment, None),
            Err(error @ (Error::Refused { .. } | Error::Tool { .. })) => {
                (None, Some(error.to_string()))
            }
            Err(error) => return Err(error),
        };
        Ok(Body {
            experiment: asked.name.clone(),
            cell: cell
                .pairs(matrix)
                .map(|(factor, level)| {
                    (factor.name.clone(), factor.kind.name().to_owned(), level.to_owned())
                })
                .collect(),
            run: 0,
            again: 0,
            asked,
            source,
            environment,
            broken,
            revision,
            manner: experiment.manner.clone(),
            home,
        })
    }

    /// The folder where the command runs, from that of the sources; none where it is that.
    fn below(&self, home: &Path, folder: Option<&Path>) -> Result<Option<PathBuf>, Error> {
        let Some(folder) = folder else { return Ok(None) };
        let folder = absolute(folder)?;
        if folder == *home {
            return Ok(None);
        }
        match folder.strip_prefix(home) {
            Ok(below) => Ok(Some(below.to_owned())),
            Err(_) => Err(Error::refused(
                format!("{} is not in the source, {}", folder.display(), home.display()),
                "let [source] folder be one that holds both",
            )),
        }
    }

    fn revision(&self, name: &str, home: &Path, known: &mut Known) -> Result<Revision, Error> {
        if let Some(revision) = known.revisions.get(name) {
            return Ok(revision.clone());
        }
        let revision = Revision::meant(name, home)?;
        known.revisions.insert(name.to_owned(), revision.clone());
        Ok(revision)
    }

    fn source(
        &self,
        revision: Option<&Revision>,
        home: &Path,
        known: &mut Known,
    ) -> Result<Option<Hash>, Error> {
        let asked = &self.experiment.source;
        if asked.in_place && revision.is_some() {
            return Err(Error::refused(
                "what runs in place is not at several revisions at once",
                "leave `in_place` out, or the revisions",
            ));
        }
        if asked.in_place {
            return Ok(None);
        }
        let name = revision.map_or(String::new(), |revision| revision.commit.clone());
        if let Some(hash) = known.sources.get(&name) {
            return Ok(*hash);
        }
        let work = self.folders.work();
        fs::create_dir_all(&work).map_err(Error::writing(&work))?;
        let path = work.join(format!("source-{}.tar", std::process::id()));
        let mut file = File::create(&path).map_err(Error::writing(&path))?;
        let asked = crate::SourceOptions { folder: home.to_owned(), ..asked.clone() };
        let packed = match revision {
            Some(revision) => revision.pack(home, &mut file),
            None => source::pack(&asked, &mut file),
        };
        let put = packed.and_then(|()| {
            let mut file = File::open(&path).map_err(Error::reading(&path))?;
            Ok(self.store.put(&mut file)?)
        });
        let _ = fs::remove_file(&path);
        let hash = put?;
        known.sources.insert(name, Some(hash));
        Ok(Some(hash))
    }

    fn environment(
        &self,
        cell: &Cell,
        known: &mut Known,
    ) -> Result<Option<EnvironmentSpec>, Error> {
        let experiment = self.experiment;
        let matrix = &experiment.matrix;
        let level = cell.of_kind(matrix, FactorKind::Interpreter).next();
        let mut requirements = experiment.requirements.clone();
        let varied = cell.of_kind(matrix, FactorKind::Requirement);
        requirements.extend(varied.filter_map(|(name, level)| requirement(name, level)));
        if level.is_none() && requirements.is_empty() {
            return Ok(None);
        }
        // The command's own, where none is chosen.
        let own = experiment.asked.command.first().map_or("python3", String::as_str);
        let name = level.map_or(own, |(_, level)| level);
        let interpreter = match known.interpreters.get(name) {
            Some(interpreter) => interpreter.clone(),
            None => {
                let home = absolute(&experiment.source.folder)?;
                let sent = self.folders.uploads();
                if experiment.manner.isolated && Interpreter::is_isolated(name, &home, &sent) {
                    return Err(Error::refused(
                        format!("{name} is a program among those that are to be isolated"),
                        "name an interpreter of this machine, or let the command begin yours",
                    ));
                }
                let found = Interpreter::meant(name, &home)?;
                known.interpreters.insert(name.to_owned(), found.clone());
                found
            }
        };
        let links: Vec<PathBuf> = experiment
            .find_links
            .iter()
            .map(|folder| absolute(folder))
            .collect::<Result<_, _>>()?;
        let wheels_only = experiment.manner.isolated;
        let wanted = Wanted { requirements: &requirements, find_links: &links, wheels_only };
        let locked = lock(&wanted, &interpreter, self.installer, self.folders)?;
        Ok(Some(EnvironmentSpec {
            interpreter: name.to_owned(),
            lock: locked.text,
            find_links: links,
            wheels_only,
        }))
    }
}

fn absolute(folder: &Path) -> Result<PathBuf, Error> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    folder.canonicalize().map_err(Error::reading(folder))
}
