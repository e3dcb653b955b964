//! Files that npm builds and the binary carries inside; `cargo build` alone leaves them out.

use std::borrow::Cow;
use std::sync::OnceLock;

/// The folders of the binary.
pub struct Embedded {
    /// The page that is served.
    pub page: Folder,
    /// The parts of the page that needs no server.
    pub parts: Folder,
    /// What is large, as archives.
    pub archives: Folder,
    /// The worker for scripts of the page and what belongs to it, each file as gzip.
    pub python: Folder,
}

/// A folder in the binary; nothing is in it if the folder was empty when the binary was compiled.
pub struct Folder {
    /// The content of a file, by its path in the folder.
    pub get: fn(&str) -> Option<Cow<'static, [u8]>>,
    /// The paths of all files.
    pub files: fn() -> Vec<Cow<'static, str>>,
}

impl Folder {
    const EMPTY: Folder = Folder { get: |_| None, files: Vec::new };

    /// The content of a file, by its path.
    pub(crate) fn file(&self, path: &str) -> Option<Cow<'static, [u8]>> {
        (self.get)(path)
    }
}

static EMBEDDED: OnceLock<Embedded> = OnceLock::new();

/// Says what the binary has inside, once.
pub(crate) fn set(embedded: Embedded) {
    let _ = EMBEDDED.set(embedded);
}

pub(crate) fn page() -> &'static Folder {
    &embedded().page
}

pub(crate) fn parts() -> &'static Folder {
    &embedded().parts
}

pub(crate) fn archives() -> &'static Folder {
    &embedded().archives
}

pub(crate) fn python() -> &'static Folder {
    &embedded().python
}

fn embedded() -> &'static Embedded {
    EMBEDDED.get_or_init(|| Embedded {
        page: Folder::EMPTY,
        parts: Folder::EMPTY,
        archives: Folder::EMPTY,
        python: Folder::EMPTY,
    })
}
