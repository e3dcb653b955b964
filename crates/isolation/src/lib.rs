//! Runs of programs that nobody vouches for: they cannot read the user's files, reach the network
//! or outlive their limits.
//!
//! ```text
//! who runs it -- outer -- bwrap -- | inner, process 1 -- the program and its children
//!                cgroup            | user, mount, pid, network, ipc, uts and cgroup namespaces
//! ```
//!
//! [`Isolation::wrap`] makes of a command one that runs it isolated, so that whoever runs commands
//! can do so as ever: measure it, look at its processes, end it. The namespaces are made by
//! bubblewrap (`bwrap`); what that cannot do is done by our own binary, which stands before it and
//! as the first process inside ([`launch`]). What of it works on this machine is asked beforehand
//! ([`here`]), what was in force stands in [`InForce`]. Nothing is run with less than that says.

#![cfg(target_os = "linux")]

mod bubblewrap;
mod cgroup;
mod copy;
mod end;
mod error;
mod force;
mod guard;
mod here;
mod landlocked;
mod launch;
mod measures;
mod request;
mod room;
mod seccomp;
mod wrap;

pub use end::{Brought, Cause, End, Status};
pub use error::Error;
pub use force::{InForce, Kind, Measure};
pub use guard::Guard;
pub use here::here;
pub use launch::launch;
pub use request::{Bind, Bring, Folder, Isolation, Launcher, Limits, Wrapped};
