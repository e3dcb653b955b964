//! What holds a program that is isolated so on this machine.

use crate::here::Machine;
use crate::landlocked::SCOPES;
use crate::{InForce, Isolation, Kind};

pub(crate) fn of(isolation: &Isolation, machine: &Machine) -> InForce {
    let mut force = InForce::default();
    namespaces(&mut force, isolation);
    force.hold(Kind::Capabilities, "none");
    force.hold(Kind::NoNewPrivileges, "set-user-id programs get nothing");
    force.hold(Kind::NewSession, "no terminal, user and group 65534");
    force.hold(Kind::ReadOnlySystem, read_only(isolation));
    let variables = isolation.variables.len();
    force.hold(Kind::Environment, format!("cleared; {variables} variables were given"));
    limits(&mut force, isolation, machine);
    let version = machine.landlock;
    match version {
        0 => force.lack(Kind::Landlock, "writing is held by mounts alone", "this kernel has none"),
        SCOPES.. => force.hold(
            Kind::Landlock,
            format!("version {version}: writing, devices, abstract sockets, signals"),
        ),
        _ => force.hold(Kind::Landlock, format!("version {version}: writing")),
    }
    let sockets = if isolation.network { "Unix and internet" } else { "Unix" };
    force.hold(
        Kind::Seccomp,
        format!("a list of what is refused; {sockets} sockets; no other processor's calls"),
    );
    match &machine.place.why_not {
        Some(why) => force.lack(Kind::Cgroup, "none", why),
        None => {
            let parents: Vec<String> = machine
                .place
                .parents()
                .map(|parent| format!("{} ({})", parent.version(), parent.controllers()))
                .collect();
            force.hold(Kind::Cgroup, parents.join(", "));
        }
    }
    force
}

fn namespaces(force: &mut InForce, isolation: &Isolation) {
    force.hold(Kind::UserNamespace, "its own");
    force.hold(Kind::MountNamespace, "its own");
    force.hold(Kind::PidNamespace, "its own: all processes end with the first");
    if isolation.network {
        force.lack(Kind::NetworkNamespace, "the network of this machine", "it was asked for");
    } else {
        force.hold(Kind::NetworkNamespace, "its own, without any network");
    }
    force.hold(Kind::IpcNamespace, "its own");
    force.hold(Kind::UtsNamespace, "its own");
    force.hold(Kind::CgroupNamespace, "its own");
}

fn read_only(isolation: &Isolation) -> String {
    let mut text = "/usr, parts of /etc".to_owned();
    for bind in &isolation.readable {
        text.push_str(", ");
        text.push_str(&bind.to.display().to_string());
    }
    text
}

fn limits(force: &mut InForce, isolation: &Isolation, machine: &Machine) {
    let limits = &isolation.limits;
    let (bytes, files) = (limits.folder_bytes, limits.folder_files);
    force.hold(
        Kind::Folder,
        format!("/work, /tmp and /dev/shm in memory: each {bytes} bytes and {files} files"),
    );
    if let Some(folder) = &isolation.exchange {
        let folder = folder.display();
        force.hold(Kind::Exchange, format!("{folder} in memory: {bytes} bytes and {files} files"));
    }
    let memory = limits.memory_bytes;
    match machine.place.of_memory() {
        Some(parent) => {
            force.hold(Kind::Memory, format!("{memory} bytes of all, {}", parent.version()));
        }
        None => force.lack(
            Kind::Memory,
            format!("{memory} bytes of addresses of each process; of all, counted every 50 ms"),
            "no cgroup holds all of them together",
        ),
    }
    let seconds = limits.processor_seconds;
    match machine.place.of_processor() {
        Some(parent) => force.hold(
            Kind::ProcessorTime,
            format!(
                "{seconds} s of each process, and of all, {}, checked every 250 ms",
                parent.version()
            ),
        ),
        None => force.hold(Kind::ProcessorTime, format!("{seconds} s of each process")),
    }
    let processes = limits.processes;
    let how = match machine.place.of_processes() {
        Some(parent) => format!("{processes} and threads, {}", parent.version()),
        None if machine.counts_processes() => format!("{processes}, counted every 50 ms"),
        None => format!("{processes} and threads, by the kernel's limit"),
    };
    force.hold(Kind::Processes, how);
    force.hold(Kind::OpenFiles, format!("{} of each process", limits.open_files));
    force.hold(Kind::FileBytes, format!("{} bytes of each file", limits.file_bytes));
    force.hold(Kind::CoreFiles, "none are written");
    let (wall, grace) = (limits.wall.as_secs_f64(), limits.grace.as_secs_f64());
    force.hold(Kind::WallTime, format!("SIGTERM after {wall} s, SIGKILL {grace} s later"));
}
