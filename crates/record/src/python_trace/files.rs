//! Traces and counts of processes, put together. Programs write them, so nothing in them is trusted.

use std::fs::File;
use std::io::{
    self, BufRead as _, BufReader, BufWriter, Read as _, Seek as _, SeekFrom, Write as _,
};
use std::path::Path;
use std::time::{Duration, Instant};

use beneath::{Entry, Untrusted};
use calltrace::pstats::Profile;
use calltrace::{MAGIC, Section};
use rustix::process::{Pid, test_kill_process};

use crate::exchange::Exchange;
use crate::{Error, Finding};

/// What files of processes are called.
const ENDINGS: [&str; 3] = ["calls", "prof", "memory"];

/// Processes that outlive the command get so long.
const PATIENCE: Duration = Duration::from_secs(3);

/// More processes than this leave no trace that could be read.
const MOST_FILES: u64 = 1_000_000;

/// Counts of one process are read into memory: a million functions have less.
const MOST_COUNTS: u64 = 256 << 20;

/// The file of a process, called `PROCESS-BEGAN.ENDING`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    name: String,
    length: u64,
    process: i32,
    began: u64,
}

impl Part {
    fn new(entry: Entry) -> Option<Part> {
        let (stem, ending) = entry.name.rsplit_once('.')?;
        let (process, began) = stem.split_once('-')?;
        let process = process.parse().ok()?;
        let began = began.rsplit('-').next()?.parse().unwrap_or(0);
        let is_part = ENDINGS.contains(&ending);
        is_part.then_some(Part { process, began, length: entry.length, name: entry.name })
    }
}

/// The files that are there, those of processes that began first in front.
fn parts(folder: &Untrusted) -> io::Result<Vec<Part>> {
    let (entries, _) = folder.files(MOST_FILES)?;
    let mut all: Vec<Part> = entries.into_iter().filter_map(Part::new).collect();
    all.sort_by_key(|part| part.began);
    Ok(all)
}

/// What is said of links, pipes and the like, which a tracer does not write.
pub(super) fn refused(folder: &Untrusted) -> io::Result<Option<Finding>> {
    let (_, others) = folder.files(MOST_FILES)?;
    Ok((others > 0).then(|| {
        Finding::warning(
            format!(
                "{others} entries among the traces are links, pipes or folders: they are not read"
            ),
            "the command writes into the tracer's folder: do not trust what it measured",
        )
    }))
}

/// Those that are not empty.
pub(super) fn traces(folder: &Untrusted) -> io::Result<Vec<Part>> {
    let mut all = parts(folder)?;
    all.retain(|part| part.length > 0);
    Ok(all)
}

/// Waits for processes that the command left behind and that end soon, as one of multiprocessing does, and
/// gives those that go on. An isolated command leaves none.
pub(super) fn wait(exchange: &Exchange) -> io::Result<Vec<i32>> {
    if exchange.is_isolated() {
        return Ok(vec![]);
    }
    let until = Instant::now() + PATIENCE;
    loop {
        let traces = traces(exchange.parts())?;
        let mut alive: Vec<i32> = traces.iter().map(|part| part.process).collect();
        alive.retain(|&process| is_alive(process));
        if alive.is_empty() || Instant::now() >= until {
            return Ok(alive);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Processes that ended before they wrote what they counted.
pub(super) fn silent(exchange: &Exchange) -> io::Result<Vec<i32>> {
    let is_silent = |part: &Part| part.name.ends_with(".prof") && part.length == 0;
    let ended = |part: &Part| exchange.is_isolated() || !is_alive(part.process);
    let all = parts(exchange.parts())?.into_iter().filter(|part| is_silent(part) && ended(part));
    Ok(all.map(|part| part.process).collect())
}

fn is_alive(process: i32) -> bool {
    Pid::from_raw(process).is_some_and(|pid| test_kill_process(pid).is_ok())
}

/// Refuses what is more than the command may leave: a file with holes is larger than what it takes of
/// the disk.
pub(super) fn check(parts: &[Part], exchange: &Exchange) -> Result<(), Error> {
    let bytes = parts.iter().fold(0_u64, |sum, part| sum.saturating_add(part.length));
    if bytes <= exchange.most() {
        return Ok(());
    }
    Err(Error::refused(
        format!("the command left {bytes} bytes of traces, the limit is {}", exchange.most()),
        "raise `folder_mib` in the plan's limits, or let it run shorter",
    ))
}

/// What was put together.
#[derive(Debug, Default)]
pub(super) struct Joined {
    /// Bytes.
    pub(super) size: u64,
    /// Processes that switched functions off and of which there is no sample.
    pub(super) unestimated: Vec<i32>,
}

/// Writes traces one behind the other, each up to its last whole section, with what samples saw of those that
/// switched functions off.
#[allow(clippy::disallowed_methods, reason = "the recording, where the program cannot write")]
pub(super) fn join(
    traces: &[Part],
    folder: &Untrusted,
    into: &Path,
    samples: impl Fn(i32) -> Vec<Section>,
) -> Result<Joined, Error> {
    let mut whole = BufWriter::new(File::create(into).map_err(Error::writing(into))?);
    let mut joined = Joined::default();
    for part in traces {
        let path = folder.path().join(&part.name);
        let trace = folder.open_file(&part.name).map_err(unreadable(&path))?;
        let mut trace = BufReader::new(trace);
        let sound = sound(&mut trace, part.length).and_then(|sound| {
            trace.seek(SeekFrom::Start(0))?;
            Ok(sound)
        });
        let Sound { length, has_demotions } = sound.map_err(unreadable(&path))?;
        joined.size +=
            io::copy(&mut trace.take(length), &mut whole).map_err(Error::writing(into))?;
        if !has_demotions {
            continue;
        }
        let sections = samples(part.process);
        if sections.is_empty() {
            joined.unestimated.push(part.process);
        }
        for section in sections {
            let bytes = section.bytes();
            whole.write_all(&bytes).map_err(Error::writing(into))?;
            joined.size += bytes.len() as u64;
        }
    }
    whole.flush().map_err(Error::writing(into))?;
    Ok(joined)
}

/// The command left it so, and would again.
fn unreadable(path: &Path) -> impl FnOnce(io::Error) -> Error {
    let path = path.display().to_string();
    move |error| {
        Error::refused(format!("cannot read {path}: {error}"), "the traced program changed it")
    }
}

/// Adds the counts of processes up. Of one that was ended while it wrote there are none.
#[allow(clippy::disallowed_methods, reason = "the recording, where the program cannot write")]
pub(super) fn add_up(counts: &[Part], folder: &Untrusted, into: &Path) -> Result<u64, Error> {
    let mut sum = Profile::default();
    for part in counts {
        let path = folder.path().join(&part.name);
        let bytes = folder.read(&part.name, MOST_COUNTS).map_err(unreadable(&path))?;
        if let Some(profile) = Profile::read(&bytes) {
            sum.add(profile);
        }
    }
    let bytes = sum.bytes();
    std::fs::write(into, &bytes).map_err(Error::writing(into))?;
    Ok(bytes.len() as u64)
}

/// A trace up to its last whole section.
struct Sound {
    length: u64,
    /// Whether functions were switched off.
    has_demotions: bool,
}

/// Looks through a trace of so many bytes: more may come while a process goes on.
fn sound(file: &mut BufReader<File>, size: u64) -> io::Result<Sound> {
    const HEAD: u64 = 5;
    let mut sound = Sound { length: 0, has_demotions: false };
    file.rewind()?;
    loop {
        let at = sound.length;
        let begins = file.fill_buf()?.first() == Some(&MAGIC[0]);
        let magic = if begins { MAGIC.len() as u64 } else { 0 };
        // A trace begins with its process.
        if at + magic + HEAD > size || at == 0 && !begins {
            return Ok(sound);
        }
        file.seek_relative(magic as i64)?;
        let mut head = [0; HEAD as usize];
        file.read_exact(&mut head)?;
        let [kind, length @ ..] = head;
        let end = at + magic + HEAD + u64::from(u32::from_le_bytes(length));
        // What was never written is zero.
        if end > size || kind == 0 {
            return Ok(sound);
        }
        file.seek_relative((end - at - magic - HEAD) as i64)?;
        sound.has_demotions |= kind == Section::DEMOTED;
        sound.length = end;
    }
}
