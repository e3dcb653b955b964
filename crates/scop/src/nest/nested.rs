//! Loops and accesses, and where they come from.

use locality::{Container, Nest};

/// Where a reference is in the loops.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// Number of the statement.
    pub statement: u32,
    /// Number of the access in it.
    pub access: u32,
}

/// Loops and accesses.
#[derive(Debug, Clone, Default)]
pub struct Nested {
    /// Arrays that are accessed, in the order of the file, rows of which are elements.
    pub containers: Vec<Container>,
    /// Loops and accesses.
    pub nest: Nest,
    /// By reference.
    pub origins: Vec<Origin>,
    /// By variable of loops, what it is called: by its depth, as Polly calls iterators; those of loops that
    /// only ask conditions are all `if`.
    pub variables: Vec<String>,
    /// Statements, and arrays that they access, that are left out, and why.
    pub left_out: Vec<(String, String)>,
    /// What was taken for granted.
    pub notes: Vec<String>,
}

impl Nested {
    /// The same as it is changed in `locality`.
    pub fn program(&self) -> locality::Program {
        locality::Program {
            containers: self.containers.clone(),
            nest: self.nest.clone(),
            variables: self.variables.clone(),
            is_whole: self.left_out.is_empty(),
        }
    }
}
