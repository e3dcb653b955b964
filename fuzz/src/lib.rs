//! What is thrown at the readers: a target for each format that is read, and one for each reader
//! that takes something else than a file of a profile.
//!
//! A format needs no line here. `cargo xtask fuzz NAME` runs one target.

use std::io::{self, Read};
use std::time::{Duration, Instant};

use formats::{FORMATS, Folder, FolderFile, Opened, ReadError, ReadOptions, Source};

mod expressions;
mod graphs;
mod loops;
pub mod mutate;
mod simulated;
mod traces;

/// The variable that names the target to run.
pub const TARGET: &str = "HOTFRAME_FUZZ_TARGET";

/// How long an input may take; what takes longer is a defect as a panic is.
const LONGEST: Duration = Duration::from_secs(10);

/// How many changed inputs are made of one.
const MUTANTS: u64 = 4;

/// The files of HPCToolkit's databases.
const DATABASE: [&str; 3] = ["meta.db", "profile.db", "trace.db"];

/// What takes made-up bytes.
pub struct Target {
    /// The name of the format, or of what else is read.
    pub name: &'static str,
    /// The folder below `testdata` whose files it begins with.
    pub seeds: &'static str,
    reader: Reader,
}

enum Reader {
    /// The reader of this format, whatever the bytes look like.
    Format(&'static formats::Format),
    /// The reader of folders, given files of these names.
    Folder(&'static [&'static str]),
    /// What reads graphs, loops, accesses, expressions and what is measured.
    Graphs(fn(&[u8])),
}

/// All targets.
pub fn targets() -> impl Iterator<Item = Target> {
    let formats = FORMATS.iter().filter(|format| format.reads()).map(|format| Target {
        name: format.name,
        seeds: format.name,
        reader: Reader::Format(format),
    });
    formats.chain([
        Target {
            name: "hpctoolkit-database",
            seeds: "hpctoolkit",
            reader: Reader::Folder(&DATABASE),
        },
        Target { name: "jscop", seeds: "jscop", reader: Reader::Graphs(loops::read) },
        Target { name: "lackey", seeds: "lackey", reader: Reader::Graphs(traces::read) },
        Target { name: "sdfg", seeds: "sdfg", reader: Reader::Graphs(graphs::read) },
        Target {
            name: "sdfg-report",
            seeds: "sdfg/reports",
            reader: Reader::Graphs(graphs::read_report),
        },
        Target {
            name: "sdfg-expression",
            seeds: "sdfg/expressions",
            reader: Reader::Graphs(expressions::read),
        },
    ])
}

/// The target of a name.
pub fn target(name: &str) -> Option<Target> {
    targets().find(|target| target.name == name)
}

impl Target {
    /// Reads `bytes`, and then inputs that have other values in the places of its values. Any error
    /// will do but that of a panic.
    ///
    /// # Panics
    ///
    /// On what must not happen: a panic of the reader, a result that breaks an invariant, an input
    /// that takes longer than ten seconds.
    pub fn run(&self, bytes: &[u8]) {
        self.run_one(bytes);
        let seed = bytes.iter().fold(0u64, |seed, &byte| seed.rotate_left(7) ^ u64::from(byte));
        let mut random = mutate::Random::new(seed);
        for _ in 0..MUTANTS {
            self.run_one(&mutate::mutate(bytes, &mut random));
        }
    }

    fn run_one(&self, bytes: &[u8]) {
        let start = Instant::now();
        match self.reader {
            Reader::Format(format) => {
                let options = ReadOptions { from: Some(format), ..options() };
                sound(formats::read(Source { bytes: Box::new(bytes), file_name: "" }, &options));
            }
            Reader::Folder(names) => read_folder(bytes, names),
            Reader::Graphs(read) => read(bytes),
        }
        assert!(start.elapsed() < LONGEST, "it took {:?}", start.elapsed());
    }
}

/// Limits that a reader must keep.
fn options() -> ReadOptions {
    ReadOptions { max_size: 64 << 20, max_memory: 64 << 20, ..ReadOptions::default() }
}

fn sound(result: Result<Opened, ReadError>) {
    match result {
        Ok(opened) => assert_eq!(opened.profile.check(), []),
        Err(ReadError::Panicked { format, message }) => panic!("{format}: {message}"),
        Err(_) => {}
    }
}

/// Reads a profile that is spread over files of these names: the first two bytes of each are its
/// length, the last file has what is left.
fn read_folder(bytes: &[u8], names: &[&str]) {
    let mut folder = Parts::default();
    let mut rest = bytes;
    for (place, name) in names.iter().enumerate() {
        let Some((size, after)) = rest.split_first_chunk::<2>() else { return };
        let is_last = place + 1 == names.len();
        let size = if is_last { after.len() } else { u16::from_le_bytes(*size).into() };
        let Some((content, after)) = after.split_at_checked(size) else { return };
        folder.files.push(FolderFile { path: (*name).to_owned(), size: size as u64 });
        folder.contents.push(content);
        rest = after;
    }
    sound(formats::read_folder(&folder, &options()));
}

/// Files in memory.
#[derive(Default)]
struct Parts<'a> {
    files: Vec<FolderFile>,
    contents: Vec<&'a [u8]>,
}

impl Folder for Parts<'_> {
    fn files(&self) -> &[FolderFile] {
        &self.files
    }

    fn open(&self, path: &str) -> io::Result<Box<dyn Read + Send + '_>> {
        match self.files.iter().position(|file| file.path == path) {
            Some(place) => Ok(Box::new(self.contents[place])),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use super::*;

    fn seeds(target: &Target) -> Vec<PathBuf> {
        let entries = fs::read_dir(samples::testdata(target.seeds)).into_iter().flatten();
        entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_file()).collect()
    }

    /// Their samples stand in the texts of the readers' tests.
    const WITHOUT_SEEDS: [&str; 6] =
        ["simpleperf", "vtune", "instruments", "gecko", "safari", "caliper"];

    #[test]
    fn every_target_takes_its_smallest_seed_and_its_mutants() {
        let mut without = vec![];
        for target in targets() {
            let seeds = seeds(&target).into_iter();
            match seeds.map(|path| (path.metadata().unwrap().len(), path)).min() {
                Some((_, path)) => target.run(&fs::read(path).unwrap()),
                None => without.push(target.name),
            }
        }
        assert_eq!(without, WITHOUT_SEEDS);
    }

    #[test]
    fn names_are_unique() {
        let mut names: Vec<_> = targets().map(|target| target.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), targets().count());
        assert!(names.iter().all(|name| target(name).is_some_and(|found| found.name == *name)));
    }
}
