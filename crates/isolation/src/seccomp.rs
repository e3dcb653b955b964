//! Which system calls programs get refused.
//!
//! A list of what is refused, not of what is allowed: interpreters of many versions run, and what
//! they need is not known beforehand. What the list is for: new namespaces and mounts (the way to
//! capabilities, and so to most of the kernel), looking into other processes, and parts of the
//! kernel that programs do not need and that have had holes.

use std::collections::BTreeMap;
use std::io;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen as Length, SeccompCmpOp as Is, SeccompCondition,
    SeccompFilter, SeccompRule, TargetArch, apply_filter, sock_filter,
};

use crate::Error;

/// Refused with EPERM, whatever their arguments.
const REFUSED: &[libc::c_long] = &[
    // New namespaces and roots, and mounts.
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_mount_setattr,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
    // Other processes.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
    // Parts of the kernel.
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_fanotify_init,
    libc::SYS_fanotify_mark,
    // A user has so many of them, and they tell of what others do.
    libc::SYS_inotify_init1,
    libc::SYS_inotify_add_watch,
    libc::SYS_vmsplice,
    libc::SYS_lookup_dcookie,
    // The machine.
    libc::SYS_kexec_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_quotactl,
    libc::SYS_acct,
    libc::SYS_syslog,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_adjtimex,
    libc::SYS_clock_adjtime,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_vhangup,
    libc::SYS_nfsservctl,
];

#[cfg(target_arch = "x86_64")]
const REFUSED_TOO: &[libc::c_long] = &[
    libc::SYS_inotify_init,
    libc::SYS_kexec_file_load,
    libc::SYS_modify_ldt,
    libc::SYS_iopl,
    libc::SYS_ioperm,
    libc::SYS_uselib,
    libc::SYS_ustat,
    libc::SYS_sysfs,
    libc::SYS__sysctl,
    libc::SYS_vserver,
    QUOTACTL_FD,
];

#[cfg(not(target_arch = "x86_64"))]
const REFUSED_TOO: &[libc::c_long] = &[QUOTACTL_FD];

/// The same on all processors.
const QUOTACTL_FD: libc::c_long = 443;

/// Calls that say the mode of a file, and in which argument.
#[cfg(target_arch = "x86_64")]
const MODES: &[(libc::c_long, u8)] = &[
    (libc::SYS_chmod, 1),
    (libc::SYS_creat, 1),
    (libc::SYS_mknod, 1),
    (libc::SYS_fchmod, 1),
    (libc::SYS_fchmodat, 2),
    (libc::SYS_mknodat, 2),
    (FCHMODAT2, 2),
];

#[cfg(not(target_arch = "x86_64"))]
const MODES: &[(libc::c_long, u8)] =
    &[(libc::SYS_fchmod, 1), (libc::SYS_fchmodat, 2), (libc::SYS_mknodat, 2), (FCHMODAT2, 2)];

/// The same on all processors.
const FCHMODAT2: libc::c_long = 452;

/// Calls that may make a file, and the argument of their flags, which the mode comes after.
#[cfg(target_arch = "x86_64")]
const OPENS: &[(libc::c_long, u8)] = &[(libc::SYS_open, 1), (libc::SYS_openat, 2)];

#[cfg(not(target_arch = "x86_64"))]
const OPENS: &[(libc::c_long, u8)] = &[(libc::SYS_openat, 2)];

/// All that make a namespace when a process is made.
const NEW_NAMESPACES: &[libc::c_int] = &[
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWNS,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWCGROUP,
];

/// Types into a terminal, or copies its screen: `TIOCSTI`, `TIOCLINUX`.
const TERMINAL: [u64; 2] = [0x5412, 0x541c];

/// What `personality` is asked with to only look.
const LOOK: u64 = 0xffff_ffff;

/// Their flags are in memory, where no filter sees them. Told that they are not there, libraries
/// take `clone` and `openat`.
const ABSENT: [u32; 2] = [libc::SYS_clone3 as u32, libc::SYS_openat2 as u32];

/// Calls of the x32 interface of x86-64 have this bit in their numbers, which no list knows.
const X32: u32 = 0x4000_0000;

/// Memory that is not a process's and in no folder, which nothing counts where there is no cgroup. Told that
/// it is not there, libraries take files in `/dev/shm`.
const UNCOUNTED: [u32; 2] = [libc::SYS_memfd_create as u32, libc::SYS_shmget as u32];

/// How much waits in a socket, which nothing counts either. The kernel takes less than it is asked for without
/// a word, and so do we.
const BUFFERS: [libc::c_int; 2] = [libc::SO_SNDBUF, libc::SO_SNDBUFFORCE];

/// The filters of a run, to be applied one after the other. `is_counted` is said where no cgroup holds its
/// memory.
pub(crate) fn filters(network: bool, is_counted: bool) -> Result<Vec<BpfProgram>, Error> {
    let refused = REFUSED.iter().chain(REFUSED_TOO).map(|&call| (call, vec![]));
    let mut refused: BTreeMap<_, _> = refused.collect();
    let one = |argument, length, is, value| {
        SeccompCondition::new(argument, length, is, value).map_err(wrong)
    };
    let all = |conditions| SeccompRule::new(conditions).map_err(wrong);

    let mut namespaces = vec![];
    for &flag in NEW_NAMESPACES {
        let flag = u64::from(flag.unsigned_abs());
        namespaces.push(all(vec![one(0, Length::Qword, Is::MaskedEq(flag), flag)?])?);
    }
    refused.insert(libc::SYS_clone, namespaces);

    let mut families = vec![libc::AF_UNIX];
    if network {
        families.extend([libc::AF_INET, libc::AF_INET6]);
    }
    let other = |&family: &i32| one(0, Length::Dword, Is::Ne, u64::from(family.unsigned_abs()));
    let other = families.iter().map(other).collect::<Result<Vec<_>, _>>()?;
    for call in [libc::SYS_socket, libc::SYS_socketpair] {
        refused.insert(call, vec![all(other.clone())?]);
    }

    let mut terminal = vec![];
    for request in TERMINAL {
        terminal.push(all(vec![one(1, Length::Dword, Is::Eq, request)?])?);
    }
    refused.insert(libc::SYS_ioctl, terminal);

    // Others that open a file would wait, for it is the same user's.
    let holds = [libc::F_SETLEASE, libc::F_NOTIFY].map(i32::unsigned_abs).map(u64::from);
    let holds = holds.map(|command| all(vec![one(1, Length::Dword, Is::Eq, command)?]));
    refused.insert(libc::SYS_fcntl, holds.into_iter().collect::<Result<_, Error>>()?);

    let of_others = vec![one(0, Length::Dword, Is::Ne, 0)?, one(2, Length::Qword, Is::Ne, 0)?];
    refused.insert(libc::SYS_prlimit64, vec![all(of_others)?]);

    for (call, conditions) in set_user(&one)? {
        let rules: Vec<SeccompRule> = refused.remove(&call).unwrap_or_default();
        let more = conditions.into_iter().map(all).collect::<Result<Vec<_>, _>>()?;
        refused.insert(call, [rules, more].concat());
    }

    let changes = vec![one(0, Length::Dword, Is::Ne, LOOK)?, one(0, Length::Dword, Is::Ne, 0)?];
    refused.insert(libc::SYS_personality, vec![all(changes)?]);

    let mut filters = vec![program(refused, libc::EPERM)?, absent(ABSENT)];
    if is_counted {
        let mut buffers = vec![];
        for option in BUFFERS {
            let option = u64::from(option.unsigned_abs());
            buffers.push(all(vec![
                one(1, Length::Dword, Is::Eq, libc::SOL_SOCKET.unsigned_abs().into())?,
                one(2, Length::Dword, Is::Eq, option)?,
            ])?);
        }
        let kept = BTreeMap::from([(libc::SYS_setsockopt, buffers)]);
        filters.extend([absent(UNCOUNTED), program(kept, 0)?]);
    }
    Ok(filters)
}

/// Files with the bits that make programs run as their owner: a folder outside that may be written
/// to would keep them, and their owner is who runs this. For each call its conditions, any of
/// which refuses it.
fn set_user(
    one: &dyn Fn(u8, Length, Is, u64) -> Result<SeccompCondition, Error>,
) -> Result<Vec<(libc::c_long, Vec<Vec<SeccompCondition>>)>, Error> {
    let bits = [libc::S_ISUID, libc::S_ISGID].map(u64::from);
    let makes = [libc::O_CREAT, libc::O_TMPFILE & !libc::O_DIRECTORY].map(|flag| flag as u64);
    let mut all = vec![];
    for &(call, mode) in MODES {
        let has = |bit| Ok(vec![one(mode, Length::Dword, Is::MaskedEq(bit), bit)?]);
        all.push((call, bits.into_iter().map(has).collect::<Result<_, Error>>()?));
    }
    for &(call, flags) in OPENS {
        let mut any = vec![];
        for (bit, make) in bits.into_iter().flat_map(|bit| makes.map(|make| (bit, make))) {
            any.push(vec![
                one(flags, Length::Dword, Is::MaskedEq(make), make)?,
                one(flags + 1, Length::Dword, Is::MaskedEq(bit), bit)?,
            ]);
        }
        all.push((call, any));
    }
    Ok(all)
}

/// Applies them to the calling thread and what it starts.
pub(crate) fn apply(filters: &[BpfProgram]) -> Result<(), Error> {
    for filter in filters {
        apply_filter(filter).map_err(wrong)?;
    }
    Ok(())
}

/// Answers calls with an error, or as if they were done where that is 0.
fn program(
    rules: BTreeMap<libc::c_long, Vec<SeccompRule>>,
    error: libc::c_int,
) -> Result<BpfProgram, Error> {
    let refuse = SeccompAction::Errno(error.unsigned_abs());
    let processor = TargetArch::try_from(std::env::consts::ARCH)
        .map_err(|error| wrong(seccompiler::Error::Backend(error)))?;
    // Calls by another processor's numbers (`int 0x80`) end the process.
    SeccompFilter::new(rules.into_iter().collect(), SeccompAction::Allow, refuse, processor)
        .and_then(BpfProgram::try_from)
        .map_err(wrong)
}

/// Answers calls as a kernel that does not have them.
fn absent(calls: [u32; 2]) -> BpfProgram {
    let word = |code: u32, jt, jf, k| sock_filter { code: code as u16, jt, jf, k };
    let jump = |how: u32, to, k| word(libc::BPF_JMP | how | libc::BPF_K, to, 0, k);
    let answer = |k| word(libc::BPF_RET | libc::BPF_K, 0, 0, k);
    vec![
        // The number of the call stands first.
        word(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, 0),
        jump(libc::BPF_JGE, 3, X32),
        jump(libc::BPF_JEQ, 2, calls[0]),
        jump(libc::BPF_JEQ, 1, calls[1]),
        answer(libc::SECCOMP_RET_ALLOW),
        answer(libc::SECCOMP_RET_ERRNO | libc::ENOSYS.unsigned_abs()),
    ]
}

fn wrong(error: impl Into<seccompiler::Error>) -> Error {
    Error::Step { step: "filtering system calls", error: io::Error::other(error.into()) }
}
