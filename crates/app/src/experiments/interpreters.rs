//! Interpreters of this machine, and how plans name them.

use experiment::{Interpreter, find_interpreters};

/// All interpreters; asked anew, since one may have been installed.
pub(super) fn interpreters() -> Vec<Interpreter> {
    find_interpreters()
}

/// How a plan names an interpreter so that no other is meant.
pub(super) fn level_of(one: &Interpreter, all: &[Interpreter]) -> String {
    let same = all.iter().filter(|other| other.version == one.version).count();
    if same == 1 { one.version.clone() } else { one.program.to_string_lossy().into_owned() }
}
