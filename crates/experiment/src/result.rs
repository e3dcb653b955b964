//! The result: one profile whose members are the runs, with what is known of each.

#![allow(
    clippy::disallowed_methods,
    reason = "folders of the user and of this worker; untrusted programs do not write there"
)]

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use analysis::Merge;
use formats::{ReadOptions, Source};
use profile::{Fact, FactKind, FactValue, Member, Profile, ProfileBuilder, StringsBuilder};
use rustix::fs::{FlockOperation, flock};

use crate::{Error, Folders};

/// A run with what is known of it.
#[derive(Debug)]
pub(crate) struct Recorded {
    /// For people.
    pub(crate) name: String,
    /// When it began: nanoseconds since 1970.
    pub(crate) time_ns: i64,
    /// How long it was, in nanoseconds.
    pub(crate) duration_ns: i64,
    /// Where it ran.
    pub(crate) machine: profile::Machine,
    /// Names are not told twice.
    pub(crate) facts: Facts,
    /// What was recorded; none where nothing was.
    pub(crate) profile: Option<Profile>,
}

/// What a fact is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReportedFact {
    /// A text.
    Text(String),
    /// A number of a unit.
    Number(i64, &'static str),
}

/// What is known of a run, with the name of each.
pub type Facts = Vec<(FactKind, String, ReportedFact)>;

/// Tells what is known of the only member of a profile, beside what it knows; a profile without
/// members gets one, which has the name of whatever it becomes a part of.
pub fn add_facts(profile: &mut Profile, facts: Facts) {
    if profile.members.len() > 1 || facts.is_empty() {
        return;
    }
    let mut strings = StringsBuilder::from(profile.strings.clone());
    let facts: Vec<Fact> = facts.into_iter().map(|fact| fact_of(fact, &mut strings)).collect();
    profile.strings = strings.finish();
    if profile.members.is_empty() {
        let Profile { origin, machines, .. } = &*profile;
        let member = Member {
            producer: origin.producer.clone(),
            host: machines.first().map(|machine| machine.name.clone()).unwrap_or_default(),
            machine: (!machines.is_empty()).then_some(profile::MachineId(0)),
            time_ns: origin.time_ns,
            duration_ns: origin.duration_ns,
            ..Member::default()
        };
        profile.members.push(member);
    }
    let known = &mut profile.members[0].facts;
    let is_new = |fact: &Fact| !known.iter().any(|other| other.name == fact.name);
    let new: Vec<Fact> = facts.into_iter().filter(is_new).collect();
    known.extend(new);
}

fn fact_of(
    (kind, name, told): (FactKind, String, ReportedFact),
    strings: &mut StringsBuilder,
) -> Fact {
    let value = match told {
        ReportedFact::Text(text) => FactValue::Text(strings.intern(&text)),
        ReportedFact::Number(number, unit) => FactValue::Number(number, strings.intern(unit)),
    };
    Fact { name: strings.intern(&name), kind, value }
}

/// The name of the fact that tells which job a member is of.
pub(crate) const JOB: &str = "job";
/// The name of the fact that tells which experiment a member is of.
pub(crate) const EXPERIMENT: &str = "experiment";

/// A result that grows. The file is there as a whole at any time.
#[derive(Debug)]
pub struct ResultFile {
    path: PathBuf,
    /// What the file holds.
    base: Option<Profile>,
    /// What it does not hold yet.
    pending: Vec<Profile>,
    /// Jobs that are in one of the two.
    jobs: HashSet<String>,
    comment: String,
    written: Instant,
    took: Duration,
    /// Others wait, or are told, as long as it is open.
    _lock: File,
}

impl ResultFile {
    /// Opens a result, or begins one. `experiment` tells it from others; `comment` is kept in it.
    ///
    /// # Errors
    /// What is there is no result of this experiment, or another process writes it.
    pub fn open(
        path: &Path,
        experiment: &str,
        comment: &str,
        folders: &Folders,
    ) -> Result<ResultFile, Error> {
        if let Some(parent) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            fs::create_dir_all(parent).map_err(Error::writing(parent))?;
        }
        let lock = locked(path, folders)?;
        let base = match fs::metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(Error::reading(path)(error)),
            Ok(found) if !found.is_file() => {
                let what = io::Error::other("it is not a regular file");
                return Err(Error::writing(path)(what));
            }
            Ok(_) => Some(read(path)?),
        };
        let mut jobs = HashSet::new();
        if let Some(base) = &base {
            let of = |member: usize, name: &str| {
                base.fact_text(profile::MemberId(member as u32), name).map(str::to_owned)
            };
            let is_own = (0..base.members.len())
                .all(|member| of(member, EXPERIMENT).as_deref() == Some(experiment));
            if !is_own || base.members.is_empty() {
                return Err(Error::refused(
                    format!("{} holds something else than this experiment", path.display()),
                    "the command, its recorder or its factors differ: write to another file (--output), or replace it (--replace)",
                ));
            }
            jobs.extend((0..base.members.len()).filter_map(|member| of(member, JOB)));
        }
        Ok(ResultFile {
            path: path.to_owned(),
            base,
            pending: vec![],
            jobs,
            comment: comment.to_owned(),
            written: Instant::now(),
            took: Duration::ZERO,
            _lock: lock,
        })
    }

    /// Seconds that a run of each cell took, by its title: the mean of those in a result; nothing where
    /// there is none.
    pub fn seconds(path: &Path) -> HashMap<String, f64> {
        let mut sums: HashMap<String, (f64, f64)> = HashMap::new();
        let Ok(profile) = read(path) else { return HashMap::new() };
        for (at, member) in profile.members.iter().enumerate() {
            let wall = profile.fact(profile::MemberId(at as u32), "wall time");
            let (Some(Fact { value: FactValue::Number(wall, _), .. }), Some((title, _))) =
                (wall, member.name.rsplit_once(" #"))
            else {
                continue;
            };
            let sum = sums.entry(title.to_owned()).or_default();
            *sum = (sum.0 + *wall as f64 / 1e9, sum.1 + 1.0);
        }
        sums.into_iter().map(|(title, (sum, count))| (title, sum / count)).collect()
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether runs of this job are in it.
    pub fn has(&self, job: &str) -> bool {
        self.jobs.contains(job)
    }

    /// How many runs it holds.
    pub fn len(&self) -> usize {
        self.base.as_ref().map_or(0, |base| base.members.len()) + self.pending.len()
    }

    /// Whether it holds no run.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds the runs of one job, all together.
    pub(crate) fn add(&mut self, job: &str, runs: Vec<Recorded>) {
        if self.jobs.insert(job.to_owned()) {
            self.pending.extend(runs.into_iter().map(with_facts));
        }
    }

    /// Writes what is new, if that took at most a tenth of the time since it was done last.
    ///
    /// # Errors
    /// The file cannot be written; what was there is still there.
    pub(crate) fn write_when_due(&mut self) -> Result<(), Error> {
        let is_due = self.written.elapsed() >= self.took * 10;
        if is_due { self.write() } else { Ok(()) }
    }

    /// Writes what is new.
    ///
    /// # Errors
    /// The file cannot be written; what was there is still there.
    pub fn write(&mut self) -> Result<(), Error> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let start = Instant::now();
        let mut merge = Merge::default();
        for profile in self.base.take().iter().chain(&self.pending) {
            // Members have their own names.
            merge.add("", profile);
        }
        let mut profile = merge.finish().profile;
        profile.origin.comments = vec![self.comment.clone()];
        let written = replace(&self.path, |file| write(&profile, file));
        self.base = Some(profile);
        self.pending.clear();
        (self.written, self.took) = (Instant::now(), start.elapsed());
        written
    }
}

/// Nobody else writes the result meanwhile. The lock is kept in the store, so that nothing lies beside
/// the result.
fn locked(path: &Path, folders: &Folders) -> Result<File, Error> {
    let whole = std::path::absolute(path).map_err(Error::reading(path))?;
    let parent = whole.parent().and_then(|parent| parent.canonicalize().ok());
    let whole = parent.map_or(whole.clone(), |p| p.join(whole.file_name().unwrap_or_default()));
    let name = jobs::Hash::new(whole.as_os_str().as_encoded_bytes()).to_string();
    let locks = folders.results();
    fs::create_dir_all(&locks).map_err(Error::writing(&locks))?;
    let lock = locks.join(format!("{name}.lock"));
    let file = File::options().create(true).truncate(false).write(true).open(&lock);
    let file = file.map_err(Error::writing(&lock))?;
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(file),
        Err(rustix::io::Errno::WOULDBLOCK) => Err(Error::refused(
            format!("another process runs this experiment into {}", path.display()),
            "wait for it, or stop it; what has ended is shared",
        )),
        Err(error) => Err(Error::writing(&lock)(error.into())),
    }
}

/// A file of the exchange format as it is.
pub(crate) fn read(path: &Path) -> Result<Profile, Error> {
    let file = File::open(path).map_err(Error::reading(path))?;
    read_bytes(Box::new(file)).map_err(|what| Error::reading(path)(io::Error::other(what)))
}

/// The same of bytes.
pub(crate) fn read_bytes(bytes: Box<dyn io::Read + Send>) -> Result<Profile, String> {
    let options = ReadOptions::default();
    let source = Source { bytes, file_name: "run.hotframe" };
    let mut found = None;
    let read = formats::read_each(source, &options, &mut |_, opened| {
        found = Some(opened.profile);
        Ok(())
    });
    read.map_err(|error| error.to_string())?;
    found.ok_or_else(|| "there is no profile in it".to_owned())
}

/// As a file of the exchange format.
pub(crate) fn write(profile: &Profile, out: &mut dyn Write) -> io::Result<()> {
    let format = formats::format_named("hotframe").expect("the exchange format is there");
    format.write(profile, out).map_err(|error| io::Error::other(error.to_string()))
}

/// Writes a file as a whole or not at all.
fn replace(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Error> {
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}.partial", std::process::id()));
    let partial = path.with_file_name(name);
    let written = File::create(&partial).and_then(|file| {
        let mut out = BufWriter::new(file);
        write(&mut out)?;
        out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
        fs::rename(&partial, path)
    });
    if written.is_err() {
        let _ = fs::remove_file(&partial);
    }
    written.map_err(Error::writing(path))
}

/// A profile of one member, which has the facts.
fn with_facts(recorded: Recorded) -> Profile {
    let mut profile = recorded.profile.unwrap_or_else(|| ProfileBuilder::default().finish());
    let mut strings = StringsBuilder::from(profile.strings.clone());
    let facts = recorded.facts.into_iter().map(|fact| fact_of(fact, &mut strings)).collect();
    profile.strings = strings.finish();
    // Where it ran is known; what the recording says of that is the command's word.
    let cpus = profile.machines.first_mut().map(|said| std::mem::take(&mut said.cpus));
    profile.machines =
        vec![profile::Machine { cpus: cpus.unwrap_or_default(), ..recorded.machine }];
    // Parts of a recording are one run.
    let producer = profile.origin.producer.clone();
    if profile.members.len() > 1 {
        let one = vec![profile::MemberId(0); profile.points.len()];
        profile.points.set_members(&one);
        let first = profile::MemberId(0);
        profile.timeline.tracks.iter_mut().for_each(|track| track.member = first);
        profile.function_totals.member.iter_mut().for_each(|member| *member = first);
    }
    profile.members = vec![Member {
        name: recorded.name,
        producer,
        host: profile.machines[0].name.clone(),
        machine: Some(profile::MachineId(0)),
        time_ns: recorded.time_ns,
        duration_ns: recorded.duration_ns,
        moved_ns: 0,
        facts,
    }];
    profile
}

/// Tells files below one folder to be below another, also those that are told from it: interpreters
/// differ in whether they do.
pub(crate) fn move_files(profile: &mut Profile, folder: &Path, to: &Path) {
    let (from, to) = (folder.to_string_lossy(), to.to_string_lossy());
    let mut strings = StringsBuilder::from(profile.strings.clone());
    let mut moved = |file: &mut profile::StringId| {
        let name = strings.get(*file);
        let is_below = !name.is_empty()
            && !name.starts_with(['/', '<', '['])
            && [folder, Path::new(&*to)].iter().any(|folder| folder.join(name).is_file());
        let rest = match name.strip_prefix(&*from) {
            Some(rest) => Some(rest.to_owned()).filter(|rest| rest.starts_with('/')),
            None => is_below.then(|| format!("/{name}")),
        };
        if let Some(rest) = rest {
            *file = strings.intern(&format!("{to}{rest}"));
        }
    };
    profile.functions.file.iter_mut().for_each(&mut moved);
    profile.modules.iter_mut().for_each(|module| moved(&mut module.name));
    profile.strings = strings.finish();
}

#[cfg(test)]
mod tests {
    use super::*;
    use profile::Metric;

    fn run(number: i64, value: Option<i64>) -> Recorded {
        let profile = value.map(|value| {
            let mut builder = ProfileBuilder::new(vec![Metric::new("time", "nanoseconds")]);
            let place = builder.place(&profile::Place {
                function: "f",
                file: "/store/work/p.py",
                ..profile::Place::default()
            });
            let at = builder.stack([place]);
            builder.points.push(at, profile::LabelSetId(0), &[value]);
            let mut profile = builder.finish();
            move_files(&mut profile, Path::new("/store/work"), Path::new("/home/me"));
            profile
        });
        Recorded {
            name: format!("all #{number}"),
            time_ns: number,
            duration_ns: 7,
            machine: profile::Machine::default(),
            facts: vec![
                (FactKind::Note, EXPERIMENT.into(), ReportedFact::Text("e".into())),
                (FactKind::Note, JOB.into(), ReportedFact::Text(format!("job {number}"))),
                (
                    FactKind::Measure,
                    "wall time".into(),
                    ReportedFact::Number(number, "nanoseconds"),
                ),
            ],
            profile,
        }
    }

    #[test]
    fn a_recording_does_not_say_where_it_ran() {
        let named = |name: &str| profile::Machine { name: name.into(), ..Default::default() };
        let mut recorded = run(1, Some(1));
        recorded.machine = named("here");
        recorded.profile.as_mut().unwrap().machines = vec![named("elsewhere"), named("else")];
        let profile = with_facts(recorded);
        assert_eq!((&*profile.members[0].host, profile.machines), ("here", vec![named("here")]));
    }

    #[test]
    fn a_result_grows_and_is_whole_at_any_time() {
        let folder = tempfile::tempdir().unwrap();
        let folders = Folders::at(&folder.path().join("store")).unwrap();
        let path = folder.path().join("a/r.hotframe");
        let mut result = ResultFile::open(&path, "e", "plan", &folders).unwrap();
        result.add("job 1", vec![run(1, Some(5))]);
        result.add("job 1", vec![run(1, Some(5))]);
        result.write_when_due().unwrap();
        // Another process is told; one that comes later goes on.
        let busy = ResultFile::open(&path, "e", "plan", &folders).unwrap_err().to_string();
        assert!(busy.contains("another process runs this experiment"), "{busy}");
        drop(result);
        let mut result = ResultFile::open(&path, "e", "plan", &folders).unwrap();
        assert!(result.has("job 1") && !result.has("job 2") && result.len() == 1);
        result.add("job 2", vec![run(2, None)]);
        result.add("job 3", vec![run(3, Some(9)), run(4, Some(1))]);
        result.write().unwrap();
        drop(result);
        let found = read(&path).unwrap();
        assert_eq!(found.check(), []);
        let names: Vec<&str> = found.members.iter().map(|member| member.name.as_str()).collect();
        assert_eq!(names, ["all #1", "all #2", "all #3", "all #4"]);
        assert_eq!(found.metric_total(profile::MetricId(0)).0, 15);
        assert_eq!(found.text(found.functions.file[0]), "/home/me/p.py");
        assert_eq!(found.origin.comments, ["plan"]);
        let other = ResultFile::open(&path, "other", "", &folders).unwrap_err().to_string();
        assert!(other.contains("holds something else"), "{other}");
        fs::write(&path, "garbage").unwrap();
        assert!(ResultFile::open(&path, "e", "", &folders).is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "garbage");
    }
}
