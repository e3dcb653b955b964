//! The changes, and what comes of them.

use std::collections::BTreeMap;

use super::check::Dependence;
use super::layout::Layout;
use super::{layout, loops};
use crate::{Container, Error, Nest};

/// Loops around accesses, with what people call what is in them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Program {
    /// What is accessed.
    pub containers: Vec<Container>,
    /// Loops and accesses; each reference is in one place.
    pub nest: Nest,
    /// By variable of loops.
    pub variables: Vec<String>,
    /// Whether every access is there; else only what is free by its source changes its order.
    pub is_whole: bool,
}

/// A change.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Change {
    /// Dimensions of a container stand in another order in memory.
    Permute {
        /// Which container.
        container: String,
        /// Dimensions (from 0), outermost first.
        order: Vec<usize>,
    },
    /// Rows (of the dimension that is innermost in memory) take a multiple of elements.
    Pad {
        /// Which container.
        container: String,
        /// Elements; at least 1.
        multiple: u64,
    },
    /// The base is a multiple of bytes.
    Align {
        /// Which container.
        container: String,
        /// Bytes; at least 1.
        bytes: u64,
    },
    /// Elements have other sizes.
    Element {
        /// Which container.
        container: String,
        /// Bytes; at least 1.
        bytes: u64,
    },
    /// Loops that stand directly within each other are in another order, outermost first.
    Order(Vec<String>),
    /// Loops that stand within each other go through tiles: each is split into a loop over tiles, called
    /// `i_tile` for `i`, and one within a tile; those over tiles stand outside of all of them, in this order.
    Tile {
        /// Which loops.
        loops: Vec<String>,
        /// Iterations of a tile, by loop; at least 1.
        sizes: Vec<u64>,
    },
    /// A loop and one right behind it, of as many iterations, are one that does the body of the first and then
    /// that of the second; wherever loops of these names stand so.
    Fuse {
        /// What the first is called.
        first: String,
        /// What the second is called.
        second: String,
    },
}

/// Why a program is not changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChangeError {
    /// What is written is not a change.
    #[error(
        "'{0}' is not a change: permute NAME 2,0,1; pad NAME 8; align NAME 64; element NAME 4; order k,i,j; \
         tile i,j 32,32; fuse i; fuse i,j"
    )]
    Unread(String),
    /// There is no such container.
    #[error("no container {0} is accessed")]
    NoContainer(String),
    /// There are no such loops.
    #[error("{change}: {why}")]
    NoLoops {
        /// Which change.
        change: Change,
        /// What was looked for.
        why: String,
    },
    /// It cannot be, or it is not known whether it can.
    #[error("{change} is refused: {why}")]
    Refused {
        /// Which change.
        change: Change,
        /// Why.
        why: String,
    },
    /// Something would be read or written in another order.
    #[error("{change} is refused: {dependence}, which it would reverse")]
    Dependence {
        /// Which change.
        change: Change,
        /// What would be turned around.
        dependence: Box<Dependence>,
    },
    /// What comes of it cannot be simulated.
    #[error(transparent)]
    Program(#[from] Error),
}

/// A program that was changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changed {
    /// The same references in other loops, the same containers laid out otherwise.
    pub program: Program,
    /// By what changes of loops are allowed, and at which sizes that was looked at.
    pub notes: Vec<String>,
    /// Whether a change is not proven to leave the order that something needs: only smaller sizes were looked at.
    pub is_unproven: bool,
}

/// The same program at smaller sizes, of fewer accesses than so many, if there is one.
pub type Smaller<'a> = &'a dyn Fn(u128) -> Option<Program>;

/// A program after changes, one after the other.
pub fn apply(
    program: &Program,
    smaller: Smaller<'_>,
    changes: &[Change],
) -> Result<Changed, ChangeError> {
    let mut changed = Changed { program: program.clone(), ..Changed::default() };
    let mut layouts: BTreeMap<&str, Layout> = BTreeMap::new();
    for change in changes {
        let Some(container) = change.container() else { continue };
        if !program.containers.iter().any(|own| own.name == container) {
            return Err(ChangeError::NoContainer(container.to_owned()));
        }
        layouts.entry(container).or_default().add(change);
    }
    for (name, layout) in &layouts {
        layout::lay_out(&mut changed.program, name, layout)?;
    }
    for (place, change) in changes.iter().enumerate() {
        if change.container().is_none() {
            let done = loops::restructure(&mut changed.program, change, &|most| {
                // The smaller one comes there by the same way.
                let mut small = smaller(most)?;
                for before in changes[..place].iter().filter(|one| one.container().is_none()) {
                    small = loops::unchecked(&small, before)?;
                }
                Some(small)
            })?;
            changed.notes.extend(done.note);
            changed.is_unproven |= done.is_unproven;
        }
    }
    Ok(changed)
}

impl Change {
    /// The container that is laid out otherwise.
    pub fn container(&self) -> Option<&str> {
        match self {
            Change::Permute { container, .. }
            | Change::Pad { container, .. }
            | Change::Align { container, .. }
            | Change::Element { container, .. } => Some(container),
            _ => None,
        }
    }
}
