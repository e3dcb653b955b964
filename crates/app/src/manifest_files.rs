//! Recordings that a manifest of `hotframe record` tells of, as one folder of runs: what people
//! took out of it is not there, and what they renamed has its new name.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use record::{Experiment, Manifest, Rules, Run, RunKind, Status};
use session::{Folder, FolderFile, Profile, StringsBuilder};

use crate::access;

/// The runs of a manifest.
pub(crate) struct FilesOfManifest {
    files: Vec<FolderFile>,
    runs: HashMap<String, RunFile>,
}

/// A run, and what its manifest says of it.
struct RunFile {
    path: PathBuf,
    run: Run,
    /// What is said of what is in it; nothing where the file itself was named.
    edits: Option<Edits>,
}

struct Edits {
    rules: Rules,
    named: HashMap<String, String>,
    dropped: BTreeSet<String>,
}

impl FilesOfManifest {
    /// The runs of a file that is a manifest; none of another.
    pub(crate) fn read(path: &Path) -> Option<io::Result<FilesOfManifest>> {
        /// Whoever edits one may order it anew: what is not a trace of many megabytes is looked through.
        const HEAD: u64 = 256;
        const MOST: u64 = 16 << 20;
        const NAME: &str = "\"hotframe_recording\"";
        if path.extension().is_none_or(|ending| ending != "json") {
            return None;
        }
        let text = |most: u64| {
            let mut bytes = vec![];
            access::open(path).ok()?.take(most).read_to_end(&mut bytes).ok()?;
            Some(String::from_utf8_lossy(&bytes).into_owned())
        };
        let head = text(HEAD)?;
        let is_manifest =
            head.contains(NAME) || (head.contains("\"experiments\"") && text(MOST)?.contains(NAME));
        is_manifest.then(|| FilesOfManifest::new(path))
    }

    fn new(path: &Path) -> io::Result<FilesOfManifest> {
        let manifest = Manifest::read(path).map_err(io::Error::other)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut found = FilesOfManifest { files: vec![], runs: HashMap::new() };
        for experiment in &manifest.experiments {
            for run in experiment.runs.iter().filter(|run| is_measured(run)) {
                found.add(folder, experiment, run)?;
            }
        }
        if found.files.is_empty() {
            let told = "this manifest has no run with measurements; see `hotframe record show`";
            return Err(io::Error::other(told));
        }
        Ok(found)
    }

    fn add(&mut self, folder: &Path, experiment: &Experiment, run: &Run) -> io::Result<()> {
        let ending = match run.kind {
            RunKind::Counted => "counts.csv",
            _ if experiment.asked.recorder == "python" => "hotframe",
            _ => "perf.data",
        };
        let name = format!("{}-{}.{ending}", experiment.name, run.number);
        if run.course.is_stopped {
            return Err(io::Error::other(format!(
                "{name} was stopped: run it again with --resume, or take it out of the manifest"
            )));
        }
        let file = run.file.as_deref().unwrap_or(Path::new(""));
        // None is written so: a recording elsewhere has its whole path.
        if file.components().any(|part| part == Component::ParentDir) {
            return Err(io::Error::other(format!(
                "{} leads out of the folder of the manifest: write its whole path, if you mean it",
                file.display()
            )));
        }
        let path = folder.join(file);
        let size = access::metadata(&path).map_err(|error| {
            io::Error::new(error.kind(), format!("{}: {error}", path.display()))
        })?;
        if !size.is_file() {
            let told = format!("{} is not a regular file, and a recording is one", path.display());
            return Err(io::Error::other(told));
        }
        let named = run.threads.iter().map(|(thread, name)| (thread.to_string(), name.clone()));
        let edits = Edits {
            rules: Rules::new(&experiment.asked.threads).map_err(io::Error::other)?,
            named: named.collect(),
            dropped: dropped(experiment, run),
        };
        let of = RunFile { path, run: run.clone(), edits: Some(edits) };
        if self.runs.insert(name.clone(), of).is_some() {
            return Err(io::Error::other(format!("{name} is there twice: rename an experiment")));
        }
        self.files.push(FolderFile { path: name, size: size.len() });
        Ok(())
    }
}

/// What a manifest beside a recording says of its run: how it ended, and what else the machine did.
/// None where no manifest tells of the file as it is.
pub(crate) fn run_of(recording: &Path) -> Option<Run> {
    let name = recording.file_name()?.to_str()?;
    let beside = |name: String| recording.with_file_name(name);
    let mut manifests = vec![beside(format!("{name}.json"))];
    // NAME-NUMBER.ENDING is of NAME.json.
    for (at, _) in name.match_indices('-') {
        let number = name[at + 1..].split('.').next().unwrap_or_default();
        if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) {
            manifests.push(beside(format!("{}.json", &name[..at])));
        }
    }
    let size = access::metadata(recording).ok()?.len();
    let is_manifest = |path: &PathBuf| access::metadata(path).is_ok_and(|found| found.is_file());
    manifests.into_iter().filter(is_manifest).find_map(|manifest| {
        let experiments = Manifest::read(&manifest).ok()?.experiments;
        let mut runs = experiments.into_iter().flat_map(|experiment| experiment.runs);
        runs.find(|run| run.file.as_deref() == Some(Path::new(name)) && run.size == size)
    })
}

/// A recording that was named itself, with what its manifest says of its run.
pub(crate) fn recording(path: &Path) -> Option<FilesOfManifest> {
    let run = run_of(path)?;
    let name = path.file_name()?.to_str()?.to_owned();
    let file = FolderFile { path: name.clone(), size: run.size };
    let of = RunFile { path: path.to_owned(), run, edits: None };
    Some(FilesOfManifest { files: vec![file], runs: HashMap::from([(name, of)]) })
}

/// Tells what is known of a run in the profile of its recording.
pub(crate) fn add_facts(run: &Run, profile: &mut Profile) {
    let failure = run.status.and_then(Status::failure);
    let mut facts = experiment::host_facts(&run.course.host);
    facts
        .extend(failure.map(|what| experiment::failure_facts("user", &what)).into_iter().flatten());
    experiment::add_facts(profile, facts);
}

/// These paths without recordings that a manifest among them tells of: `rec.out*` names both, and each
/// recording counts once. Gives those that are left out, too.
pub(crate) fn once(paths: &[PathBuf]) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let place = |path: &Path| path.canonicalize().ok();
    let manifests = paths.iter().filter_map(|path| FilesOfManifest::read(path)?.ok());
    let told: HashSet<PathBuf> = manifests
        .flat_map(|manifest| manifest.runs.into_values())
        .filter_map(|run| place(&run.path))
        .collect();
    let is_told =
        |path: &PathBuf| !told.is_empty() && place(path).is_some_and(|at| told.contains(&at));
    let (again, kept) = paths.iter().cloned().partition(is_told);
    (kept, again)
}

/// Whether a run's samples or counts are of what was asked for; those that tell what sampling costs are
/// not.
fn is_measured(run: &Run) -> bool {
    let kinds = [RunKind::Sampled, RunKind::Added, RunKind::Counted];
    kinds.contains(&run.kind) && run.file.is_some()
}

/// Events that are in a recording and no more in its manifest. Where the manifest has names that the
/// recording has not, the same events may be called otherwise there, and all stay.
fn dropped(experiment: &Experiment, run: &Run) -> BTreeSet<String> {
    let sampled = run.holds.iter().flat_map(|holds| holds.samples.keys());
    let held: BTreeSet<&String> = match run.kind {
        RunKind::Counted => run.counts.iter().map(|count| &count.event).collect(),
        _ => sampled.collect(),
    };
    let is_opened =
        |name: &String| experiment.events.opened.iter().any(|event| event.name == *name);
    let kept: BTreeSet<&String> = match run.kind {
        RunKind::Added => run.events.iter().collect(),
        _ => run.events.iter().filter(|name| is_opened(name)).collect(),
    };
    if kept.is_empty() || !kept.is_subset(&held) {
        return BTreeSet::new();
    }
    held.difference(&kept).map(|name| (*name).clone()).collect()
}

impl Folder for FilesOfManifest {
    fn files(&self) -> &[FolderFile] {
        &self.files
    }

    fn open(&self, path: &str) -> io::Result<Box<dyn Read + Send + '_>> {
        let run = self.runs.get(path).ok_or(io::ErrorKind::NotFound)?;
        Ok(Box::new(access::open(&run.path)?))
    }

    fn edit(&self, path: &str, profile: &mut Profile) {
        let Some(RunFile { run, edits, .. }) = self.runs.get(path) else { return };
        add_facts(run, profile);
        let Some(of) = edits else { return };
        let mut strings = StringsBuilder::from(profile.strings.clone());
        for thread in &mut profile.threads {
            // The command's log knows better than a rule.
            let logged = of.named.get(profile.strings.get(thread.id));
            let by_rule = || of.rules.name(profile.strings.get(thread.name)).map(str::to_owned);
            if let Some(name) = logged.cloned().or_else(by_rule) {
                thread.name = strings.intern(&name);
            }
        }
        profile.strings = strings.finish();
        let keep = profile.metrics.iter().map(|metric| !of.dropped.contains(&metric.name));
        let keep: Vec<bool> = keep.collect();
        profile.keep_metrics(&keep);
    }
}
