//! Where bytes come from: containers, archives, folders and encodings.

pub(crate) mod container;
pub(crate) mod container_kind;
pub(crate) mod elsewhere;
pub(crate) mod encoding;
pub(crate) mod folder;
pub(crate) mod guard;
pub(crate) mod named;
pub(crate) mod stream;
#[cfg(feature = "rare")]
pub(crate) mod tar;
pub(crate) mod zip;
