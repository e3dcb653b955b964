//! The kinds of documents that this build has.

use super::kind::{Kind, left_out};
use super::{accesses, graph, profile};

/// The kinds, in the order in which they are asked whether a file is theirs. A profile is what is
/// nothing else.
pub(crate) const KINDS: [Kind; 4] = [
    with_graphs(graph::KIND),
    with_graphs(accesses::KIND),
    with_graphs(accesses::RECORDED),
    profile::KIND,
];

/// Whether graphs and accesses are part of this build.
pub(crate) const HAS_GRAPHS: bool = cfg!(feature = "graphs");

/// A kind that is read where the build has graphs, and known elsewhere.
const fn with_graphs(kind: Kind) -> Kind {
    if HAS_GRAPHS {
        kind
    } else {
        Kind { read: |_, opening| Err(left_out(opening.title())), ..kind }
    }
}
