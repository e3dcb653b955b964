//! Which experiments and runs there are, with their files.
//!
//! ```text
//! {"cpus": 4, "cpu_setup": [[0, 0, 0, 0]], "events_captured": ["cycles"], "experiments": {
//!    "pinned": {"title": "Pinned", "runs": [
//!        {"title": "Run 1", "path": "/home/me/out/pinned/1.csv", "tids": "/home/me/out/pinned/tids-1.txt"}]}}}
//! ```
//! What one call of the recorder writes has the experiments alone. Paths are those of the machine that
//! recorded: a file is meant whose whole path, from the folder or from the list, is the end of one.

use hashbrown::HashMap;
use profile::{Member, Profile};

use super::FORMAT;
use super::format::machine;
use super::samples::Samples;
use crate::input::folder;
use crate::input::folder::{Folder, FolderFile};
use crate::input::stream::Stream;
use crate::json::outline::Outline;
use crate::json::{Json, Kind};
use crate::{ReadError, ReadOptions, Sniff, Warnings};

const LIST: &str = "config.json";

/// A run, as it is listed.
#[derive(Debug, Default)]
struct Run {
    experiment: String,
    title: String,
    samples: String,
    /// Where names of threads are.
    threads: String,
    /// The folder of the list, with its slash.
    from: String,
}

/// A list of runs.
#[derive(Debug, Default)]
struct List {
    cpus: i64,
    runs: Vec<Run>,
}

/// Whether this is what one call of the recorder wrote.
pub(super) fn is_call(outline: &Outline) -> bool {
    let is_experiment = |name: &str| {
        let runs = outline.at(&[name, "runs", "0"]).map(|run| run.kind);
        outline.string(&[name, "title"]).is_some() && runs == Some(Kind::Object)
    };
    let mut names = outline.keys().peekable();
    names.peek().is_some() && names.all(is_experiment)
}

/// A list with samples and names of threads.
pub(super) fn sniff(files: &[FolderFile]) -> Sniff {
    let has = |is_it: &dyn Fn(&str) -> bool| files.iter().any(|file| is_it(file.name()));
    let is_names = |name: &str| name.starts_with("tids-") && name.ends_with(".txt");
    let is_whole =
        has(&|name| name == LIST) && has(&|name| name.ends_with(".csv")) && has(&is_names);
    if is_whole { Sniff::Yes } else { Sniff::No }
}

pub(super) fn read(
    folder: &dyn Folder,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let mut list = List::default();
    // The one on top has all that calls below it wrote.
    let is_on_top = folder.files().iter().any(|file| file.path == LIST);
    let is_list = |file: &&FolderFile| {
        if is_on_top { file.path == LIST } else { file.name() == LIST }
    };
    for file in folder.files().iter().filter(is_list) {
        let first = list.runs.len();
        folder::read_file(folder, &file.path, options, |stream| list.read(stream, options))?;
        let from = file.path.strip_suffix(LIST).unwrap_or_default();
        list.runs[first..].iter_mut().for_each(|run| from.clone_into(&mut run.from));
    }
    let found: Vec<_> = list.runs.iter().map(|run| find(folder, &run.from, &run.samples)).collect();
    let mut users: HashMap<&str, u32> = HashMap::new();
    found.iter().flatten().for_each(|path| *users.entry(path).or_default() += 1);
    let mut samples = Samples::default();
    for (run, found) in list.runs.iter().zip(found) {
        let name = format!("{}/{}", run.experiment, run.title);
        if found.is_some_and(|path| users[path] > 1) {
            warnings.add("one file", || {
                format!(
                    "several runs name files of which the folder has one, and whose it is is not \
                     known: {} of {name}",
                    run.samples
                )
            });
            continue;
        }
        let Some(path) = found else {
            warnings.add("missing samples", || {
                format!("samples of runs are not in the folder: {} of {name}", run.samples)
            });
            continue;
        };
        let names = match find(folder, &run.from, &run.threads) {
            Some(path) => {
                folder::read_whole(folder, path, options).map(|bytes| names(&bytes, warnings))?
            }
            None => {
                warnings.add("missing names", || {
                    format!("names of threads are not in the folder: those of {name}")
                });
                HashMap::new()
            }
        };
        samples.begin(Member { name, ..Member::default() }, names);
        folder::read_file(folder, path, options, |stream| samples.read(stream, options, warnings))?;
    }
    let machine = machine(list.cpus, &mut samples.builder);
    if machine.is_none() && list.cpus != 0 {
        warnings.add("processors", || format!("{} is not a number of processors", list.cpus));
    }
    samples.builder.members.iter_mut().for_each(|member| member.machine = machine);
    Ok(samples.finish())
}

/// The file whose path from the folder, or from the folder `from` of the list, is the end of a path;
/// `perf script` of the same run stands for its samples.
fn find<'f>(folder: &'f dyn Folder, from: &str, told: &str) -> Option<&'f str> {
    let told = told.replace('\\', "/");
    let told = match told.strip_suffix(".txt") {
        Some(stem) if !profile::base_name(stem).starts_with("tids-") => format!("{stem}.csv"),
        _ => told,
    };
    let ends_so = |path: &str| {
        told.strip_suffix(path).is_some_and(|before| before.is_empty() || before.ends_with('/'))
    };
    let is_meant = |file: &&FolderFile| {
        ends_so(&file.path) || file.path.strip_prefix(from).is_some_and(ends_so)
    };
    // The longest path says most.
    let meant = folder.files().iter().filter(is_meant).max_by_key(|file| file.path.len());
    meant.map(|file| file.path.as_str())
}

/// Names of threads by their numbers, from lines `name,number`.
fn names(bytes: &[u8], warnings: &mut Warnings) -> HashMap<String, String> {
    let mut names = HashMap::new();
    for line in String::from_utf8_lossy(bytes).lines().filter(|line| !line.trim().is_empty()) {
        let parts = line.rsplit_once(',').map(|(name, tid)| (name.trim(), tid.trim()));
        match parts.filter(|(_, tid)| tid.parse::<u32>().is_ok()) {
            Some((name, tid)) => drop(names.insert(tid.to_owned(), name.to_owned())),
            None => warnings.add("name", || format!("names of threads without a number: {line}")),
        }
    }
    names
}

impl List {
    fn read(&mut self, stream: Stream, options: &ReadOptions) -> Result<(), ReadError> {
        let mut json = Json::new(stream, FORMAT.name)?;
        json.object()?;
        while let Some(key) = json.next_key()?.map(str::to_owned) {
            match key.as_str() {
                "cpus" => {
                    let cpus = json.any_number()?.and_then(|number| number.to_whole());
                    self.cpus = cpus.unwrap_or(0);
                }
                "experiments" if json.try_object()? => {
                    while let Some(name) = json.next_key()?.map(str::to_owned) {
                        self.experiment(name, &mut json, options)?;
                    }
                }
                "experiments" | "cpu_setup" | "events_captured" => {}
                _ => self.experiment(key, &mut json, options)?,
            }
        }
        json.finish()
    }

    fn experiment(
        &mut self,
        name: String,
        json: &mut Json,
        options: &ReadOptions,
    ) -> Result<(), ReadError> {
        if !json.try_object()? {
            return Ok(());
        }
        let (mut name, first) = (name, self.runs.len());
        while let Some(key) = json.next_key()?.map(str::to_owned) {
            match key.as_str() {
                "title" => {
                    name = Some(json.any_text()?).filter(|title| !title.is_empty()).unwrap_or(name);
                }
                "runs" if json.try_array()? => {
                    while json.next_element()? {
                        self.run(json)?;
                        options.check_memory(self.runs.len() * 256)?;
                    }
                }
                _ => {}
            }
        }
        self.runs[first..].iter_mut().for_each(|run| run.experiment.clone_from(&name));
        Ok(())
    }

    fn run(&mut self, json: &mut Json) -> Result<(), ReadError> {
        if !json.try_object()? {
            return Ok(());
        }
        let mut run = Run::default();
        while let Some(key) = json.next_key()?.map(str::to_owned) {
            match key.as_str() {
                "title" => run.title = json.any_text()?,
                "path" => run.samples = json.any_text()?,
                "tids" => run.threads = json.any_text()?,
                _ => {}
            }
        }
        self.runs.push(run);
        Ok(())
    }
}
