//! Traces and counts of processes, put together.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use calltrace::pstats::Profile;
use calltrace::{MAGIC, Section};
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
pub(super) fn join(
    traces: &[PathBuf],
    into: &Path,
    samples: impl Fn(i32) -> Vec<Section>,
) -> io::Result<Joined> {
    let mut whole = BufWriter::new(File::create(into)?);
    let mut joined = Joined::default();
    for trace in traces {
        let mut one = BufReader::new(File::open(trace)?);
        let Sound { length, has_demotions } = sound(&mut one)?;
        one.seek(SeekFrom::Start(0))?;
        joined.size += io::copy(&mut one.take(length), &mut whole)?;
        if !has_demotions {
            continue;
        }
        let Some(process) = process_of(trace) else { continue };
        let sections = samples(process);
        if sections.is_empty() {
            joined.unestimated.push(process);
        }
        for section in sections {
            let bytes = section.bytes();
            whole.write_all(&bytes)?;
            joined.size += bytes.len() as u64;
        }
    }
    whole.flush()?;
    Ok(joined)
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

/// A trace up to its last whole section.
struct Sound {
    length: u64,
    /// Whether functions were switched off.
    has_demotions: bool,
}

fn sound(file: &mut BufReader<File>) -> io::Result<Sound> {
    const HEAD: u64 = 5;
    let size = file.get_ref().metadata()?.len();
    let mut sound = Sound { length: 0, has_demotions: false };
    loop {
        let at = sound.length;
        file.seek(SeekFrom::Start(at))?;
        let mut first = [0];
        let magic = if file.read(&mut first)? == 1 && first[0] == MAGIC[0] {
            MAGIC.len() as u64
        } else {
            0
        };
        if at + magic + HEAD > size {
            return Ok(sound);
        }
        file.seek(SeekFrom::Start(at + magic))?;
        let mut head = [0; HEAD as usize];
        file.read_exact(&mut head)?;
        let [kind, length @ ..] = head;
        let end = at + magic + HEAD + u64::from(u32::from_le_bytes(length));
        if end > size {
            return Ok(sound);
        }
        sound.has_demotions |= kind == Section::DEMOTED;
        sound.length = end;
    }
}
