//! Which files of this machine may be read. Whoever opens a file that an argument, a page, an agent or the
//! content of another file names, opens it here.
//!
//! A process reads what its user may read, unless [`ROOTS`] names folders or [`restrict`] was called, as
//! `hotframe mcp` does: then what is below them and nothing else, whatever leads out (`..`, links in folders,
//! names in manifests and profiles).

use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use beneath::Root;

/// The variable with the folders below which this process and what it starts may read, as `PATH` has folders.
pub(crate) const ROOTS: &str = "HOTFRAME_READ_BELOW";

/// Folders of the system that have binaries with the names of functions, and nothing of a user.
const SYSTEM: [&str; 5] = ["/usr", "/bin", "/sbin", "/lib", "/lib64"];

/// The folders; none where everything may be read.
static FOLDERS: OnceLock<Vec<Root>> = OnceLock::new();

/// Takes the folders from the environment. To be called before anything is read.
///
/// # Errors
/// One of them cannot be opened: nothing is read then.
pub(crate) fn from_environment() -> anyhow::Result<()> {
    use anyhow::Context as _;
    let Some(folders) = std::env::var_os(ROOTS) else { return Ok(()) };
    let roots = std::env::split_paths(&folders).map(|folder| {
        Root::open(&folder).with_context(|| format!("{ROOTS}: cannot open {}", folder.display()))
    });
    let roots = roots.collect::<anyhow::Result<Vec<Root>>>()?;
    anyhow::ensure!(!roots.is_empty(), "{ROOTS} names no folder");
    let _ = FOLDERS.set(roots);
    Ok(())
}

/// Lets this process read below some folders and nowhere else, from now on.
///
/// # Errors
/// It is restricted already.
pub(crate) fn restrict(roots: Vec<Root>) -> anyhow::Result<()> {
    FOLDERS.set(roots).map_err(|_| anyhow::anyhow!("{ROOTS} restricts this process already"))
}

/// Opens a file or a folder for reading.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    match FOLDERS.get() {
        None => File::open(path),
        Some(roots) => open_below(roots, path),
    }
}

/// Opens a file or a folder below one of some folders. Relative paths begin in the current one.
pub(crate) fn open_below(roots: &[Root], path: &Path) -> io::Result<File> {
    let path = std::path::absolute(path)?;
    let mut refusal = None;
    for root in roots {
        match root.read(&path) {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                refusal = refusal.or(Some(error));
            }
            found => return found,
        }
    }
    Err(match refusal {
        Some(error) if roots.len() == 1 => error,
        _ => {
            let folders: Vec<_> = roots.iter().map(|root| root.path().to_string_lossy()).collect();
            let told = format!("it is not below {}", folders.join(" or "));
            io::Error::new(io::ErrorKind::PermissionDenied, told)
        }
    })
}

/// What is known of a file or folder, if it may be read.
pub(crate) fn metadata(path: &Path) -> io::Result<Metadata> {
    match FOLDERS.get() {
        // A pipe would wait to be opened.
        None => path.metadata(),
        Some(roots) if roots.iter().any(|root| root.admits(path).is_some()) => path.metadata(),
        Some(roots) => open_below(roots, path)?.metadata(),
    }
}

/// Opens a binary that a profile names, for the names of its functions. The system's may be read, too: they
/// are the same for everyone.
pub(crate) fn open_binary(path: &Path) -> io::Result<File> {
    match open(path) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied && is_of_system(path) => {
            File::open(path)
        }
        opened => opened,
    }
}

fn is_of_system(path: &Path) -> bool {
    let real: Option<PathBuf> = path.canonicalize().ok();
    real.is_some_and(|real| SYSTEM.iter().any(|folder| real.starts_with(folder)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opens_below_any_of_the_folders() {
        let place = tempfile::tempdir().expect("a folder");
        let [one, other, outside] = ["one", "other", "outside"].map(|name| {
            let folder = place.path().join(name);
            std::fs::create_dir(&folder).expect("made");
            std::fs::write(folder.join("a"), name).expect("written");
            folder
        });
        let roots = [&one, &other].map(|folder| Root::open(folder).expect("opened"));
        for folder in [&one, &other] {
            assert!(open_below(&roots, &folder.join("a")).is_ok());
        }
        let refused = open_below(&roots, &outside.join("a")).expect_err("outside");
        assert_eq!(refused.kind(), io::ErrorKind::PermissionDenied);
        assert!(refused.to_string().contains(" or "), "{refused}");
        let absent = open_below(&roots, &one.join("b")).expect_err("absent");
        assert_eq!(absent.kind(), io::ErrorKind::NotFound);
    }
}
