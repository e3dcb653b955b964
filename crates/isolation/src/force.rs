//! What holds a program.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Each measure, and whether it is in force.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InForce {
    /// In the order of [`Kind`].
    pub measures: Vec<Measure>,
}

/// One of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measure {
    /// What it is about.
    pub kind: Kind,
    /// How it is held, for people: `2147483648 bytes, cgroup v1`.
    pub how: String,
    /// Why it is not in force; none where it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
}

/// What is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum Kind {
    UserNamespace,
    MountNamespace,
    PidNamespace,
    NetworkNamespace,
    IpcNamespace,
    UtsNamespace,
    CgroupNamespace,
    Capabilities,
    NoNewPrivileges,
    NewSession,
    ReadOnlySystem,
    Environment,
    Folder,
    /// The folder that what watches the program from inside writes into.
    Exchange,
    Memory,
    ProcessorTime,
    Processes,
    OpenFiles,
    FileBytes,
    CoreFiles,
    WallTime,
    Landlock,
    Seccomp,
    Cgroup,
}

impl Kind {
    /// For people.
    pub fn name(self) -> &'static str {
        match self {
            Kind::UserNamespace => "user namespace",
            Kind::MountNamespace => "mount namespace",
            Kind::PidNamespace => "process namespace",
            Kind::NetworkNamespace => "network namespace",
            Kind::IpcNamespace => "ipc namespace",
            Kind::UtsNamespace => "host name namespace",
            Kind::CgroupNamespace => "cgroup namespace",
            Kind::Capabilities => "capabilities",
            Kind::NoNewPrivileges => "no new privileges",
            Kind::NewSession => "session",
            Kind::ReadOnlySystem => "system",
            Kind::Environment => "environment",
            Kind::Folder => "folder",
            Kind::Exchange => "folder of what watches it",
            Kind::Memory => "memory",
            Kind::ProcessorTime => "processor time",
            Kind::Processes => "processes",
            Kind::OpenFiles => "open files",
            Kind::FileBytes => "file size",
            Kind::CoreFiles => "core files",
            Kind::WallTime => "wall time",
            Kind::Landlock => "Landlock",
            Kind::Seccomp => "system calls",
            Kind::Cgroup => "cgroup",
        }
    }
}

impl InForce {
    /// The measure of a kind.
    pub fn measure(&self, kind: Kind) -> Option<&Measure> {
        self.measures.iter().find(|measure| measure.kind == kind)
    }

    /// Whether it is there and in force.
    pub fn has(&self, kind: Kind) -> bool {
        self.measure(kind).is_some_and(|measure| measure.missing.is_none())
    }

    /// Those that are not in force.
    pub fn missing(&self) -> impl Iterator<Item = &Measure> {
        self.measures.iter().filter(|measure| measure.missing.is_some())
    }

    pub(crate) fn hold(&mut self, kind: Kind, how: impl Into<String>) {
        self.measures.push(Measure { kind, how: how.into(), missing: None });
    }

    pub(crate) fn lack(&mut self, kind: Kind, how: impl Into<String>, why: impl Into<String>) {
        self.measures.push(Measure { kind, how: how.into(), missing: Some(why.into()) });
    }
}

impl fmt::Display for InForce {
    /// A line each: `memory: 2147483648 bytes, cgroup v1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Measure { kind, how, missing } in &self.measures {
            match missing {
                None => writeln!(f, "{}: {how}", kind.name())?,
                Some(why) => writeln!(f, "{}: {how}; not in force: {why}", kind.name())?,
            }
        }
        Ok(())
    }
}
