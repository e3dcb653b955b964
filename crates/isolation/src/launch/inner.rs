//! The first process inside: makes the isolation tighter, starts the program, ends what it leaves
//! and brings out what was asked for.
//!
//! It is the same user as the program. What keeps it out of reach: its memory and files cannot be
//! looked into (`PR_SET_DUMPABLE`), it ignores signals that it does not handle (process 1), the
//! folder of the run is unmounted before the program starts and stays open here alone.

#![allow(
    clippy::disallowed_methods,
    reason = "the run's own folder, which the program does not see, and folders of the system"
)]

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags};
use rustix::fs::{Mode, OFlags, fcntl_setfl, fstat, fstatvfs, open, openat};
use rustix::io::Errno;
use rustix::mount::{MountFlags, UnmountFlags, mount_remount, unmount};
use rustix::process::{
    DumpableBehavior, Pid, Resource, Signal, WaitId, WaitIdOptions, WaitOptions,
    kill_process_group, set_dumpable_behavior, waitid,
};
use rustix::thread::{
    CapabilitySet, CapabilitySets, clear_ambient_capability_set,
    remove_capability_from_bounding_set, set_capabilities, set_no_new_privs,
};
use signal_hook::consts::SIGCHLD;

use super::counting::{Counted, EVERY};
use super::signals::{OVER, SIGNALS, Signals, wait};
use super::{NOT_ISOLATED, code_of, limit, limit_twice, say};
use crate::bubblewrap::{DEVICES, IN_MEMORY};
use crate::end::{Cause, Status};
use crate::room::{
    END, EXCHANGED, INTO, Inside, InsideEnd, LISTENS, PASSED, PLAN, PROCESSES, SEEN, SOURCE,
};
use crate::{Bring, Error, Limits, copy, landlocked, room, seccomp};

/// How long killed processes may take to be gone.
const DYING: Duration = Duration::from_secs(10);

/// What of address space is left to start programs with, in bytes, if their limit is too low.
const TO_START: u64 = 64 << 20;

pub(super) fn run() -> Result<ExitCode, Error> {
    set_dumpable_behavior(DumpableBehavior::NotDumpable).map_err(Error::step("hiding memory"))?;
    let seen = Path::new(SEEN);
    let mut plan: Inside = room::read(&seen.join(PLAN))?;
    plan.variables.extend(room::read::<BTreeMap<_, _>>(&seen.join(PASSED))?);
    let end = seen.join(END);
    let mut to_outer = pipe_to_outer(&end).map_err(Error::file("open", &end))?;
    let end = isolate(&plan, seen, &mut to_outer).unwrap_or_else(|error| {
        say(&error);
        let notes = vec![error.to_string()];
        InsideEnd { failed: Some(code_of(&error)), notes, ..InsideEnd::default() }
    });
    let code = match (end.failed, end.status) {
        (Some(code), _) => code,
        (None, Some(Status::Exit(0))) => 0,
        (None, _) => NOT_ISOLATED,
    };
    let bytes = serde_json::to_vec(&end).map_err(Error::step("telling the end"))?;
    to_outer.write_all(&bytes).map_err(Error::step("telling the end"))?;
    Ok(ExitCode::from(code))
}

/// A pipe, which no limit of file sizes holds. An error where outer is gone.
fn pipe_to_outer(path: &Path) -> io::Result<File> {
    let pipe = open(path, OFlags::WRONLY | OFlags::NONBLOCK | OFlags::CLOEXEC, Mode::empty())?;
    fcntl_setfl(&pipe, OFlags::empty())?;
    Ok(pipe.into())
}

fn isolate(plan: &Inside, seen: &Path, to_outer: &mut File) -> Result<InsideEnd, Error> {
    let source = plan.has_source.then(|| folder(&seen.join(SOURCE))).transpose()?;
    let into = plan.bring.is_some().then(|| folder(&seen.join(INTO))).transpose()?;
    let exchanged = plan
        .exchange
        .as_deref()
        .map(|path| Ok::<_, Error>((folder(path)?, folder(&seen.join(EXCHANGED))?)));
    let exchanged = exchanged.transpose()?;
    let processes = folder(&seen.join(PROCESSES))?;
    let work = folder(Path::new("/work"))?;
    unmount(SEEN, UnmountFlags::DETACH).map_err(Error::step("unmounting the run's folder"))?;
    bound_folders(plan)?;
    hold_devices()?;
    drop_capabilities()?;
    if let Some(source) = source {
        copy::copy_in(source.as_fd(), work.as_fd(), plan.limits.folder_files)
            .map_err(Error::step("copying the source into /work"))?;
    }
    let mut signals = Signals::new(SIGNALS.into_iter().chain([SIGCHLD, OVER]))
        .map_err(Error::step("listening for signals"))?;
    // Signals that come from here on are the program's, and wait for it.
    to_outer.write_all(LISTENS).map_err(Error::step("telling the start"))?;
    limits(plan)?;
    let counted = Counted::new(plan)?;
    let program = start(plan)?;
    goes_first(processes.as_fd(), program);
    let mut end = watch(plan, counted.as_ref(), program, &mut signals, to_outer)?;
    if !end_all(program, &mut end)? {
        end.notes.push("a process of the run could not be ended: nothing was brought out".into());
        return Ok(end);
    }
    let most = plan.limits.folder_files.saturating_add(1);
    if let (Some(bring), Some(into)) = (&plan.bring, into) {
        match copy::bring_out(work.as_fd(), into.as_fd(), bring, most) {
            Ok(brought) => end.brought = brought,
            Err(error) => end.notes.push(error.to_string()),
        }
    }
    if let Some((from, into)) = exchanged {
        if is_full(&from) {
            end.exceeded = end.exceeded.or(Some(Cause::Exchange));
        }
        match copy::bring_out(from.as_fd(), into.as_fd(), &all(&plan.limits), most) {
            Ok(brought) => end.notes.extend(brought.refused),
            Err(error) => end.notes.push(error.to_string()),
        }
    }
    Ok(end)
}

/// What stands directly in a folder.
fn all(limits: &Limits) -> Bring {
    Bring {
        into: PathBuf::new(),
        patterns: vec!["*".to_owned()],
        bytes: limits.folder_bytes,
        files: limits.folder_files,
    }
}

/// Whether nothing more fits into a folder in memory.
fn is_full(folder: &OwnedFd) -> bool {
    fstatvfs(folder).is_ok_and(|of| of.f_bfree == 0 || of.f_ffree == 0)
}

pub(super) fn folder(path: &Path) -> Result<OwnedFd, Error> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    open(path, flags, Mode::empty()).map_err(|error| Error::file("open", path)(error.into()))
}

/// How many files may be in the folders in memory, which bubblewrap cannot say.
fn bound_folders(plan: &Inside) -> Result<(), Error> {
    let files = plan.limits.folder_files.saturating_add(1);
    let bytes = plan.limits.folder_bytes;
    let folders = IN_MEMORY.iter().map(|(folder, _)| Path::new(*folder));
    for folder in folders.chain(plan.exchange.as_deref()) {
        let how = format!("size={bytes},nr_inodes={files}");
        mount_remount(folder, MountFlags::NOSUID | MountFlags::NODEV, how)
            .map_err(Error::step("limiting the folders in memory"))?;
    }
    Ok(())
}

/// What is done to a device's file, such as to its mode, would be done to this machine's. Who may only read the
/// file may still write to the device. bubblewrap would close devices with it.
fn hold_devices() -> Result<(), Error> {
    let flags = MountFlags::BIND | MountFlags::RDONLY | MountFlags::NOSUID | MountFlags::NOEXEC;
    for device in DEVICES {
        mount_remount(format!("/dev/{device}"), flags, "")
            .map_err(Error::step("holding devices"))?;
    }
    Ok(())
}

fn drop_capabilities() -> Result<(), Error> {
    let failed = Error::step::<Errno>;
    clear_ambient_capability_set().map_err(failed("dropping capabilities"))?;
    for capability in [CapabilitySet::SYS_ADMIN, CapabilitySet::SETPCAP] {
        remove_capability_from_bounding_set(capability).map_err(failed("dropping capabilities"))?;
    }
    let none = CapabilitySet::empty();
    let sets = CapabilitySets { effective: none, permitted: none, inheritable: none };
    set_capabilities(None, sets).map_err(failed("dropping capabilities"))?;
    set_no_new_privs(true).map_err(failed("forbidding new privileges"))
}

/// They hold this process, too, which needs little.
fn limits(plan: &Inside) -> Result<(), Error> {
    let most = &plan.limits;
    let seconds = most.processor_seconds;
    // SIGXCPU, and SIGKILL a second later for who ignores it.
    limit_twice(Resource::Cpu, seconds, seconds + 1)?;
    limit(Resource::Fsize, most.file_bytes)?;
    limit(Resource::Nofile, most.open_files)?;
    // This process and the thread that starts the program are of the same user.
    limit(Resource::Nproc, most.processes.saturating_add(2))?;
    limit(Resource::Memlock, 64 << 10)?;
    limit(Resource::Msgqueue, 64 << 10)?;
    if plan.limits_addresses {
        let own = own_addresses().map_err(Error::step("reading /proc/self/statm"))?;
        limit(Resource::As, most.memory_bytes.max(own + TO_START))?;
    }
    Ok(())
}

fn own_addresses() -> io::Result<u64> {
    let statm = fs::read_to_string("/proc/self/statm")?;
    let pages = statm.split(' ').next().and_then(|pages| pages.parse::<u64>().ok());
    let pages = pages.ok_or_else(|| io::Error::other("no number"))?;
    Ok(pages * rustix::param::page_size() as u64)
}

/// What a thread is restricted to holds what it starts, and not the other threads.
fn start(plan: &Inside) -> Result<Pid, Error> {
    let filters = seccomp::filters(plan.network, plan.limits_addresses)?;
    let mut writable: Vec<&Path> = IN_MEMORY.iter().map(|(folder, _)| Path::new(*folder)).collect();
    writable.extend(plan.exchange.as_deref());
    let (name, arguments) = plan.command.split_first().unwrap_or((&plan.command[0], &[]));
    let mut command = Command::new(name);
    command.args(arguments).env_clear().envs(&plan.variables).process_group(0);
    own_null(&mut command)?;
    let start = || {
        landlocked::restrict(plan.landlock, &writable)?;
        seccomp::apply(&filters)?;
        command.spawn().map_err(|error| Error::Start { program: name.clone(), error })
    };
    let started = std::thread::scope(|scope| scope.spawn(start).join());
    let child = started.unwrap_or_else(|_| Err(Error::Asked("starting failed".to_owned())))?;
    Ok(Pid::from_child(&child))
}

/// Where standard streams are `/dev/null`, they are the one that is seen inside: to what is open elsewhere
/// could be done what cannot be done here.
fn own_null(command: &mut Command) -> Result<(), Error> {
    let path = Path::new("/dev/null");
    let null =
        || File::options().read(true).write(true).open(path).map_err(Error::file("open", path));
    let device = |file: BorrowedFd<'_>| fstat(file).map(|stat| stat.st_rdev).ok();
    let inside = null()?;
    let is_null = |file: BorrowedFd<'_>| device(file) == device(inside.as_fd());
    if is_null(io::stdin().as_fd()) {
        command.stdin(null()?);
    }
    if is_null(io::stdout().as_fd()) {
        command.stdout(null()?);
    }
    if is_null(io::stderr().as_fd()) {
        command.stderr(null()?);
    }
    Ok(())
}

/// Where memory is short, and not who brings out what it left. May be refused.
fn goes_first(processes: BorrowedFd<'_>, program: Pid) {
    let file = format!("{}/oom_score_adj", program.as_raw_pid());
    if let Ok(file) = openat(processes, file, OFlags::WRONLY | OFlags::CLOEXEC, Mode::empty()) {
        let _ = File::from(file).write_all(b"500");
    }
}

/// Until the program ends, or a limit ends it.
fn watch(
    plan: &Inside,
    counted: Option<&Counted<'_>>,
    program: Pid,
    signals: &mut Signals,
    to_outer: &File,
) -> Result<InsideEnd, Error> {
    let mut end = InsideEnd::default();
    let asks_at = Instant::now() + plan.limits.wall;
    let kills_at = asks_at + plan.limits.grace;
    loop {
        let came = signals.take();
        end.has_used_time |= has_used(program, plan.limits.processor_seconds);
        reap(program, &mut end)?;
        if end.status.is_some() || came.contains(&OVER) {
            return Ok(end);
        }
        for signal in came.into_iter().filter_map(Signal::from_named_raw) {
            if signal != Signal::CHILD {
                let _ = kill_process_group(program, signal);
            }
        }
        let now = Instant::now();
        if now >= asks_at && !end.is_late {
            end.is_late = true;
            let _ = kill_process_group(program, Signal::TERM);
        }
        if now >= kills_at {
            return Ok(end);
        }
        let mut longest = if end.is_late { kills_at } else { asks_at } - now;
        if let Some(counted) = counted {
            end.exceeded = counted.exceeded()?;
            if end.exceeded.is_some() {
                return Ok(end);
            }
            longest = longest.min(EVERY);
        }
        let mut polled =
            [PollFd::new(signals, PollFlags::IN), PollFd::new(to_outer, PollFlags::empty())];
        wait(&mut polled, longest).map_err(Error::step("waiting for the program"))?;
        // Bubblewrap's death does not always reach us.
        if !polled[1].revents().is_empty() {
            return Err(Error::Asked("the process that isolates the program is gone".to_owned()));
        }
    }
}

/// Whether the program has ended and had all of its time on processors. Asked before note is taken
/// of its end.
fn has_used(program: Pid, seconds: u64) -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    if !matches!(waitid(WaitId::Pid(program), options), Ok(Some(_))) {
        return false;
    }
    let stat = fs::read_to_string(format!("/proc/{}/stat", program.as_raw_pid()));
    // The name before it may have spaces and braces.
    let fields = stat.as_deref().unwrap_or_default().rsplit_once(')').map(|(_, fields)| fields);
    let mut times = fields.unwrap_or_default().split_whitespace().skip(11);
    let mut ticks = || times.next()?.parse::<u64>().ok();
    let used = ticks().zip(ticks()).map_or(0, |(own, kernels)| own + kernels);
    // The kernel ends it by a count of its own, which is ahead of this one: by an eighth was seen on a busy
    // machine. Whoever has had half of its time and ends so was ended, as far as anybody can tell.
    let limit = seconds.saturating_mul(rustix::param::clock_ticks_per_second());
    used >= limit / 2
}

/// Takes note of all that have ended; whether there are others.
fn reap(program: Pid, end: &mut InsideEnd) -> Result<bool, Error> {
    loop {
        match rustix::process::wait(WaitOptions::NOHANG) {
            Ok(None) => return Ok(true),
            Ok(Some((pid, status))) if pid == program => {
                let by_signal = status.terminating_signal().map(Status::Signal);
                end.status = by_signal.or(status.exit_status().map(Status::Exit));
            }
            Ok(Some(_)) | Err(Errno::INTR) => {}
            Err(Errno::CHILD) => return Ok(false),
            Err(error) => return Err(Error::step("waiting for the program")(error)),
        }
    }
}

/// Kills every process but this one; whether all are gone.
fn end_all(program: Pid, end: &mut InsideEnd) -> Result<bool, Error> {
    let start = Instant::now();
    loop {
        // This number means all that may be sent signals.
        let _ = kill_process_group(Pid::INIT, Signal::KILL);
        if !reap(program, end)? {
            return Ok(true);
        }
        if start.elapsed() > DYING {
            return Ok(false);
        }
        std::thread::sleep(Duration::from_micros(200));
    }
}
