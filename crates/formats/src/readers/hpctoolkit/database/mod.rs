//! Databases of version 4: `meta.db` names things and holds the tree of contexts, `profile.db` the
//! values of each thread, `trace.db` what each thread did when. `cct.db` has the values of
//! `profile.db` once more, ordered by context.
//!
//! ```text
//! header    HPCTOOLKIT, four letters for the file, major and minor version,
//!           then size and offset of each section
//! pointers  offsets from the start of the file
//! arrays    their records may be longer than we know: the file tells the step from one to the next
//! ```

mod bytes;
mod contexts;
mod meta;
mod profiles;
mod taxonomy;
mod threads;
mod traces;
mod values;

pub(super) use values::{read, root};
