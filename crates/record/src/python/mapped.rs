//! The files that a process has in its memory, which py-spy opens by their names. They are the program's:
//! whatever stands there now is opened, and a pipe is waited for without end.

#![allow(clippy::disallowed_methods, reason = "files of the kernel, below /proc")]

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::FileTypeExt as _;
use std::path::{Path, PathBuf};

/// Whether the interpreter's files that a process has mapped can be opened without waiting, as far as they
/// are there.
///
/// # Errors
/// Which of them cannot.
pub(super) fn check(pid: u32) -> Result<(), String> {
    let root = PathBuf::from(format!("/proc/{pid}/root"));
    let maps = fs::read_to_string(format!("/proc/{pid}/maps")).unwrap_or_default();
    let own = fs::read_link(format!("/proc/{pid}/exe")).unwrap_or_default();
    // Others are not opened: those of a graphics card are no files.
    let is_opened = |path: &&str| {
        let name = path.rsplit('/').next().unwrap_or_default();
        name.contains("python") || Path::new(path) == own
    };
    let mut opened = named(&maps).into_iter().filter(is_opened);
    match opened.find(|path| waits(&root, path)) {
        Some(path) => Err(format!("{} is no file that can be read", path.escape_debug())),
        None => Ok(()),
    }
}

/// The paths in `/proc/PID/maps`, as they stand there: py-spy opens those of files that are gone, too.
fn named(maps: &str) -> BTreeSet<&str> {
    let path = |line: &'_ str| line.find('/').map(|at| at..line.len());
    maps.lines().filter_map(|line| Some(&line[path(line)?])).collect()
}

/// Whether something stands at a path below a root that is no file, nor leads to one.
fn waits(root: &Path, path: &str) -> bool {
    let at = root.join(path.trim_start_matches('/'));
    let is_odd = |kind: fs::FileType| kind.is_fifo() || kind.is_socket() || kind.is_char_device();
    match (fs::symlink_metadata(&at), fs::metadata(&at)) {
        (Ok(itself), Ok(target)) => is_odd(itself.file_type()) || is_odd(target.file_type()),
        (Ok(itself), Err(_)) => is_odd(itself.file_type()),
        (Err(_), _) => false,
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn paths_are_those_of_the_kernel() {
        let maps = "55e0-55e1 r--p 0 fe:00 12   /usr/bin/python3\n7f-80 rw-p 0 00:00 0\n\
                    80-81 r-xp 0 fe:00 13 /tmp/lib python.so (deleted)\n81-82 r 0 0 0 [stack]\n";
        let found: Vec<&str> = named(maps).into_iter().collect();
        assert_eq!(found, ["/tmp/lib python.so (deleted)", "/usr/bin/python3"]);
    }

    #[test]
    fn what_is_waited_for_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("file"), "").unwrap();
        assert!(Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
        std::os::unix::fs::symlink(at("pipe"), at("link")).unwrap();
        std::os::unix::fs::symlink("nowhere", at("dangling")).unwrap();
        let waits = |name: &str| waits(folder.path(), &format!("/{name}"));
        assert_eq!(["file", "dangling", "none"].map(waits), [false; 3]);
        assert_eq!(["pipe", "link"].map(waits), [true; 2]);
        assert_eq!(check(std::process::id()), Ok(()));
    }
}
