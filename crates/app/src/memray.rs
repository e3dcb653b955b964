//! memray's own recordings, which its Python package alone can read: where that is installed it
//! converts them while they are opened.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// How recordings start: as they are, and packed with LZ4.
const MAGICS: [&[u8]; 2] = [b"memray", b"\x04\"M\x18"];

/// Whether a file may be such a recording. What was read of it is unread.
pub(crate) fn is_recording(file: &mut File) -> io::Result<bool> {
    let mut head = vec![];
    file.take(6).read_to_end(&mut head)?;
    file.rewind()?;
    Ok(MAGICS.iter().any(|magic| head.starts_with(magic)))
}

/// The table that `memray transform csv` makes of a recording; none where Python or the package
/// is missing, or the package does not know the file. What to do then, the readers say.
pub(crate) fn converted(path: &Path) -> Option<File> {
    let path = std::fs::canonicalize(path).ok()?;
    let folder = PrivateFolder::new().ok()?;
    let table = folder.0.join("memray.csv");
    // Python looks for modules where it runs: in a folder that has none.
    let status = Command::new("python3")
        .args(["-m", "memray", "transform", "csv", "-f", "-o"])
        .arg(&table)
        .arg(&path)
        .current_dir(&folder.0)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if !status.is_ok_and(|status| status.success()) {
        return None;
    }
    // Open files live on without their names.
    File::open(table).ok()
}

/// A folder that only this user can enter, removed at the end.
struct PrivateFolder(PathBuf);

impl PrivateFolder {
    fn new() -> io::Result<PrivateFolder> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("hotframe-memray-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let mut builder = std::fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        // Fails where somebody else has made it.
        builder.create(&path)?;
        Ok(PrivateFolder(path))
    }
}

impl Drop for PrivateFolder {
    fn drop(&mut self) {
        // A folder that is left over is an annoyance and no failure.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
