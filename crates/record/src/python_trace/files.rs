//! Traces and counts of processes, put together.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use calltrace::MAGIC;
use calltrace::pstats::Profile;
use rustix::process::{Pid, test_kill_process};

/// What files of processes are called.
const ENDINGS: [&str; 3] = ["calls", "prof", "memory"];

/// Processes that outlive the command get so long.
const PATIENCE: Duration = Duration::from_secs(3);

/// The traces in a folder, those that began first in front.
pub(super) fn traces(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut all = vec![];
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let is_trace =
            path.extension().is_some_and(|ending| ENDINGS.iter().any(|one| ending == *one));
        if is_trace && path.metadata()?.len() > 0 {
            all.push(path);
        }
    }
    // Names are of a process and of when it began.
    let began = |path: &PathBuf| {
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let number = |text: &str| text.parse::<u64>().unwrap_or(0);
        stem.unwrap_or_default().rsplit('-').next().map_or(0, number)
    };
    all.sort_by_key(began);
    Ok(all)
}

/// Waits for processes that the command left behind and that end soon, as one of multiprocessing does, and
/// gives those that go on.
pub(super) fn wait(folder: &Path) -> io::Result<Vec<i32>> {
    let until = Instant::now() + PATIENCE;
    loop {
        let traces = traces(folder)?;
        let mut alive: Vec<i32> = traces.iter().filter_map(|path| process_of(path)).collect();
        alive.retain(|&process| is_alive(process));
        if alive.is_empty() || Instant::now() >= until {
            return Ok(alive);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Processes that ended before they wrote what they counted.
pub(super) fn silent(folder: &Path) -> io::Result<Vec<i32>> {
    let mut all = vec![];
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let is_empty =
            path.extension().is_some_and(|ending| ending == "prof") && path.metadata()?.len() == 0;
        all.extend(process_of(&path).filter(|&process| is_empty && !is_alive(process)));
    }
    Ok(all)
}

/// The process that a file is of.
fn process_of(path: &Path) -> Option<i32> {
    let name = path.file_name()?.to_string_lossy().into_owned();
    name.split('-').next()?.parse().ok()
}

fn is_alive(process: i32) -> bool {
    Pid::from_raw(process).is_some_and(|pid| test_kill_process(pid).is_ok())
}

/// Writes traces one behind the other, each up to its last whole section.
pub(super) fn join(traces: &[PathBuf], into: &Path) -> io::Result<u64> {
    let mut whole = BufWriter::new(File::create(into)?);
    let mut size = 0;
    for trace in traces {
        let mut one = BufReader::new(File::open(trace)?);
        let length = sound(&mut one)?;
        one.seek(SeekFrom::Start(0))?;
        size += io::copy(&mut one.take(length), &mut whole)?;
    }
    whole.flush()?;
    Ok(size)
}

/// Adds the counts of processes up. Of one that was ended while it wrote there are none.
pub(super) fn add_up(counts: &[PathBuf], into: &Path) -> io::Result<u64> {
    let mut sum = Profile::default();
    for one in counts {
        if let Some(profile) = Profile::read(&fs::read(one)?) {
            sum.add(profile);
        }
    }
    let bytes = sum.bytes();
    fs::write(into, &bytes)?;
    Ok(bytes.len() as u64)
}

/// The length up to the last whole section.
fn sound(file: &mut BufReader<File>) -> io::Result<u64> {
    const HEAD: u64 = 5;
    let size = file.get_ref().metadata()?.len();
    let mut at = 0;
    loop {
        file.seek(SeekFrom::Start(at))?;
        let mut first = [0];
        let magic = if file.read(&mut first)? == 1 && first[0] == MAGIC[0] {
            MAGIC.len() as u64
        } else {
            0
        };
        if at + magic + HEAD > size {
            return Ok(at);
        }
        file.seek(SeekFrom::Start(at + magic + 1))?;
        let mut length = [0; 4];
        file.read_exact(&mut length)?;
        let end = at + magic + HEAD + u64::from(u32::from_le_bytes(length));
        if end > size {
            return Ok(at);
        }
        at = end;
    }
}
