//! What passes between a recorder and a program that is traced from inside.

#![allow(
    clippy::disallowed_methods,
    reason = "folders of the user and of this worker; untrusted programs do not write there"
)]

use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use beneath::Untrusted;

use crate::Error;

/// Folders of one run, which are removed with it:
///
/// ```text
/// hotframe-trace-PID-N/
///   site/     what is loaded into the program; the program must not be able to change it
///   parts/    the program writes here; nothing in it is trusted
/// ```
///
/// Results are written elsewhere: the program cannot reach them.
#[derive(Debug)]
pub struct Exchange {
    folder: PathBuf,
    site: PathBuf,
    parts: Untrusted,
    /// Most bytes that are taken from the program, in all.
    most: u64,
    is_isolated: bool,
    /// It was made here, and is removed here.
    is_own: bool,
}

impl Exchange {
    /// Makes the folders below a folder in which only this user writes. Processes of the command can
    /// outlive it.
    ///
    /// # Errors
    /// They cannot be made.
    pub(crate) fn below(above: &Path) -> Result<Exchange, Error> {
        Exchange::make(above, u64::MAX, false)
    }

    /// The same for an isolated command: all of its processes end with it, and it leaves at most so many
    /// bytes.
    ///
    /// # Errors
    /// They cannot be made.
    pub fn isolated(above: &Path, most: u64) -> Result<Exchange, Error> {
        Exchange::make(above, most, true)
    }

    fn make(above: &Path, most: u64, is_isolated: bool) -> Result<Exchange, Error> {
        let above = if above == Path::new("") { Path::new(".") } else { above };
        let above = above.canonicalize().map_err(Error::reading(above))?;
        let folder = unused(&above)?;
        let (site, parts) = (folder.join("site"), folder.join("parts"));
        for (path, mode) in [(&site, 0o755), (&parts, 0o700)] {
            DirBuilder::new().mode(mode).create(path).map_err(Error::writing(path))?;
        }
        let parts = Untrusted::open(&parts).map_err(Error::reading(&parts))?;
        Ok(Exchange { folder, site, parts, most, is_isolated, is_own: true })
    }

    /// One of an isolated command that another process made, and removes. The command does not run yet.
    ///
    /// # Errors
    /// It is not there.
    pub fn shared(folder: &Path, most: u64) -> Result<Exchange, Error> {
        let (folder, site) = (folder.to_owned(), folder.join("site"));
        let parts = folder.join("parts");
        let parts = Untrusted::open(&parts).map_err(Error::reading(&parts))?;
        Ok(Exchange { folder, site, parts, most, is_isolated: true, is_own: false })
    }

    /// Where it stands.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What the program loads. An isolated one sees it and cannot write into it.
    pub fn site(&self) -> &Path {
        &self.site
    }

    /// Where the program writes.
    pub fn parts(&self) -> &Untrusted {
        &self.parts
    }

    /// A file beside both folders, which the program is not told to write.
    pub(crate) fn own(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Most bytes that are taken from the program, in all.
    pub fn most(&self) -> u64 {
        self.most
    }

    pub(crate) fn is_isolated(&self) -> bool {
        self.is_isolated
    }
}

/// Makes a folder that was not there: what is there already may be somebody else's.
fn unused(above: &Path) -> Result<PathBuf, Error> {
    for number in 0..1000 {
        let path = above.join(format!("hotframe-trace-{}-{number}", std::process::id()));
        match DirBuilder::new().mode(0o755).create(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => return made.map(|()| path).map_err(Error::writing(above)),
        }
    }
    Err(Error::writing(above)(io::ErrorKind::AlreadyExists.into()))
}

impl Drop for Exchange {
    fn drop(&mut self) {
        // What cannot be removed is told by who removes the folder that it lies in.
        if self.is_own {
            let _ = beneath::remove_folder(&self.folder);
        }
    }
}
