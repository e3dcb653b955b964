//! What py-spy opens of a program. It opens a program's files by name, and what stands under a name is the
//! program's to choose: a link to somebody else's file, a pipe that nobody writes into, a file that gets
//! shorter while it is read.
//!
//! ```text
//! thread of py-spy -- open --> kernel -- asks --> here: a file of the program?
//!        ^                                          no: the thread opens it
//!        +----- a copy in memory <------------------ yes: found below the program's root, and a file
//! ```
//!
//! The kernel lets one thread decide on another's calls (`seccomp(2)`, `SECCOMP_RET_USER_NOTIF`). Both share
//! their descriptors, so that the answer is the number of an open file.

#![allow(clippy::disallowed_methods, reason = "files of the kernel, below /proc")]
#![allow(unsafe_code, reason = "libraries do not offer these calls of the kernel")]

use std::cell::Cell;
use std::fs::File;
use std::io::{self, Read as _, Seek as _};
use std::mem;
use std::os::fd::{AsRawFd as _, FromRawFd as _, IntoRawFd as _, OwnedFd, RawFd};
use std::os::unix::fs::FileExt as _;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{
    FileType, MemfdFlags, Mode, OFlags, PROC_SUPER_MAGIC, ResolveFlags, fstat, fstatfs,
    memfd_create, open,
};
use rustix::time::{ClockId, clock_gettime};

use super::beside::run_anywhere;

/// Calls something in a thread that opens no file of a program itself.
///
/// # Errors
/// This kernel cannot do it, and the program sees other files than this process does; or it panicked.
pub(super) fn safely<T: Send>(pid: u32, work: impl FnOnce() -> T + Send) -> Result<T, String> {
    let (sender, listening) = channel();
    thread::scope(|scope| {
        let thread = scope.spawn(move || {
            run_anywhere();
            let listener = listen();
            let is_listened = listener.is_ok();
            let _ = sender.send(listener);
            if !is_listened && sees_other_files(pid) {
                let what =
                    "it runs in a container: sampling it takes Linux 5.5 or newer, and seccomp";
                return (Err(what.to_owned()), Duration::ZERO);
            }
            (Ok(work()), on_processor())
        });
        if let Ok(Ok(listener)) = listening.recv() {
            serve(&listener, pid);
        }
        let (done, took) = thread.join().map_err(|_| "py-spy panicked".to_owned())?;
        ELSEWHERE.set(ELSEWHERE.get() + took);
        done
    })
}

thread_local! {
    /// What threads took of processors that worked for this one.
    static ELSEWHERE: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// What this thread took of processors, and what worked for it.
pub(super) fn processor_time() -> Duration {
    on_processor() + ELSEWHERE.get()
}

fn on_processor() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
}

/// Whether paths of a process lead elsewhere than ours.
fn sees_other_files(pid: u32) -> bool {
    let namespace = |of: &str| std::fs::read_link(format!("/proc/{of}/ns/mnt")).ok();
    namespace("self") != namespace(&pid.to_string())
}

/// The calls that open files, and which of their arguments is the path.
#[cfg(target_arch = "x86_64")]
const OPENS: &[(libc::c_long, usize)] = &[(libc::SYS_openat, 1), (libc::SYS_open, 0)];
#[cfg(not(target_arch = "x86_64"))]
const OPENS: &[(libc::c_long, usize)] = &[(libc::SYS_openat, 1)];

/// From now on this thread's calls that open files wait for who has what is returned.
fn listen() -> io::Result<OwnedFd> {
    rustix::thread::set_no_new_privs(true)?;
    let word = |code: u32, jt, k| libc::sock_filter { code: code as u16, jt, jf: 0, k };
    let answer = |k| word(libc::BPF_RET | libc::BPF_K, 0, k);
    // The number of the call stands first.
    let mut filter = vec![word(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0)];
    for (at, (call, _)) in OPENS.iter().enumerate() {
        let to = OPENS.len() - at;
        filter.push(word(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K, to as u8, *call as u32));
    }
    filter.extend([answer(libc::SECCOMP_RET_ALLOW), answer(libc::SECCOMP_RET_USER_NOTIF)]);
    let program = libc::sock_fprog { len: filter.len() as u16, filter: filter.as_mut_ptr() };
    // SAFETY: the kernel reads the program, which outlives the call, and writes nothing.
    let listener = unsafe {
        libc::syscall(
            libc::SYS_seccomp,
            libc::SECCOMP_SET_MODE_FILTER,
            libc::SECCOMP_FILTER_FLAG_NEW_LISTENER,
            &raw const program,
        )
    };
    if listener < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: it is new, and nobody else's.
    Ok(unsafe { OwnedFd::from_raw_fd(listener as RawFd) })
}

/// Answers calls until the thread that makes them has ended.
fn serve(listener: &OwnedFd, pid: u32) {
    // The memory of this process, where the paths are that it opens.
    let Ok(memory) = File::open("/proc/self/mem") else { return };
    loop {
        let mut asked = [PollFd::new(listener, PollFlags::IN)];
        match poll(&mut asked, None) {
            Err(rustix::io::Errno::INTR) => continue,
            Ok(_) if asked[0].revents().contains(PollFlags::IN) => {}
            _ => return,
        }
        // SAFETY: a structure of numbers, which the kernel wants to be zero.
        let mut call: libc::seccomp_notif = unsafe { mem::zeroed() };
        // SAFETY: the kernel writes a structure of that kind.
        let received = unsafe {
            libc::ioctl(listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_RECV, &raw mut call)
        };
        if received < 0 {
            // A signal came between; the thread calls again.
            continue;
        }
        let number = OPENS.iter().find(|(number, _)| *number == i64::from(call.data.nr));
        let path = number.map(|&(_, argument)| path_at(&memory, call.data.args[argument]));
        let opened = path.and_then(|path| Some(Place::new(&path, pid)?.copy()));
        // SAFETY: as above.
        let mut answer: libc::seccomp_notif_resp = unsafe { mem::zeroed() };
        answer.id = call.id;
        match opened {
            None => answer.flags = libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32,
            Some(Ok(file)) => answer.val = i64::from(file.into_raw_fd()),
            Some(Err(error)) => answer.error = -error.raw_os_error().unwrap_or(libc::EACCES),
        }
        // SAFETY: the kernel reads a structure of that kind.
        let sent = unsafe {
            libc::ioctl(listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_SEND, &raw const answer)
        };
        if sent < 0 && answer.val > 0 {
            // SAFETY: it was opened above, and nobody got it.
            drop(unsafe { OwnedFd::from_raw_fd(answer.val as RawFd) });
        }
    }
}

/// The text that ends with a zero at an address of this process.
fn path_at(memory: &File, address: u64) -> Vec<u8> {
    const LONGEST: usize = libc::PATH_MAX as usize;
    let mut path = vec![];
    let mut part = [0; 64];
    while path.len() < LONGEST {
        // Its end may be the end of what can be read.
        let at = address + path.len() as u64;
        let within = (part.len() as u64 - at % part.len() as u64) as usize;
        let Ok(read @ 1..) = memory.read_at(&mut part[..within], at) else { break };
        match part[..read].iter().position(|&byte| byte == 0) {
            Some(end) => {
                path.extend_from_slice(&part[..end]);
                break;
            }
            None => path.extend_from_slice(&part[..read]),
        }
    }
    path
}

const SYSFS_MAGIC: rustix::fs::FsWord = 0x6265_6572;

/// A file of the program.
enum Place<'a> {
    /// What it runs.
    Program(u32),
    /// A path as the program sees it.
    Below(u32, &'a [u8]),
}

impl Place<'_> {
    /// None where a path is not a file of the program.
    fn new(path: &[u8], pid: u32) -> Option<Place<'_>> {
        let own = format!("/proc/{pid}/");
        match path.strip_prefix(own.as_bytes())? {
            b"exe" => Some(Place::Program(pid)),
            rest => Some(Place::Below(pid, rest.strip_prefix(b"root")?)),
        }
    }

    /// A copy of the file in memory: nobody makes it shorter.
    fn copy(&self) -> io::Result<OwnedFd> {
        /// Libraries of interpreters have 5 to 60 megabytes.
        const LARGEST: u64 = 512 << 20;
        let file = self.open()?;
        let mut copy = File::from(memfd_create(c"hotframe-library", MemfdFlags::CLOEXEC)?);
        let length = io::copy(&mut file.take(LARGEST + 1), &mut copy)?;
        if length > LARGEST {
            return Err(io::Error::from_raw_os_error(libc::EFBIG));
        }
        copy.rewind()?;
        Ok(copy.into())
    }

    fn open(&self) -> io::Result<File> {
        // It is only named: opening a pipe waits, and opening a device may do something.
        let flags = OFlags::PATH | OFlags::CLOEXEC;
        let named = match self {
            // The kernel knows which file that is; there is no name to be led astray by.
            Place::Program(pid) => open(format!("/proc/{pid}/exe"), flags, Mode::empty())?,
            Place::Below(pid, path) => {
                let root = open(format!("/proc/{pid}/root"), flags, Mode::empty())?;
                let inside = ResolveFlags::IN_ROOT | ResolveFlags::NO_MAGICLINKS;
                rustix::fs::openat2(&root, *path, flags, Mode::empty(), inside)?
            }
        };
        let is_file = FileType::from_raw_mode(fstat(&named)?.st_mode) == FileType::RegularFile;
        // Files of the kernel are told to who may read them, and reading some of them does something.
        if !is_file || [PROC_SUPER_MAGIC, SYSFS_MAGIC].contains(&fstatfs(&named)?.f_type) {
            return Err(io::Error::from_raw_os_error(libc::EACCES));
        }
        let path = format!("/proc/self/fd/{}", named.as_raw_fd());
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
        Ok(open(path, flags, Mode::empty())?.into())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::path::Path;
    use std::process::Command;

    use super::*;

    /// Reads a file of this process by the name that py-spy would use.
    fn read(path: &Path) -> io::Result<String> {
        let pid = std::process::id();
        let path = format!("/proc/{pid}/root{}", path.display());
        safely(pid, || fs::read_to_string(path)).unwrap()
    }

    #[test]
    fn files_of_a_program_are_copies_and_nothing_but_files_is_opened() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("file"), "content").unwrap();
        assert!(Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
        symlink("file", at("link")).unwrap();
        symlink("pipe", at("link to a pipe")).unwrap();
        symlink("nowhere", at("dangling")).unwrap();
        symlink(format!("/proc/{}/exe", std::process::id()), at("magic")).unwrap();
        let long = at(&format!("{}file", "./".repeat(1500)));
        for same in [at("file"), at("link"), long] {
            assert_eq!(read(&same).unwrap(), "content");
        }
        symlink("/proc/version", at("link to the kernel")).unwrap();
        for other in
            ["pipe", "link to a pipe", "dangling", "none", "magic", ".", "link to the kernel"]
        {
            assert!(read(&at(other)).is_err(), "{other}");
        }
        // What happens to the file afterwards does not happen to the copy.
        let path = format!("/proc/{}/root{}", std::process::id(), at("file").display());
        let copied = safely(std::process::id(), || File::open(path)).unwrap().unwrap();
        fs::write(at("file"), "").unwrap();
        assert_eq!(io::read_to_string(copied).unwrap(), "content");
    }

    #[test]
    fn other_files_are_opened_as_ever() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        let work = || fs::write(&file, "new").and_then(|()| fs::read_to_string(&file));
        assert_eq!(safely(std::process::id(), work).unwrap().unwrap(), "new");
        // Nothing is left that waits.
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        let failed = safely(std::process::id(), || panic!("on purpose"));
        assert_eq!(failed, Err::<(), _>("py-spy panicked".to_owned()));
    }
}
