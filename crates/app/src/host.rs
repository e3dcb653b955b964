//! Files and standard input for the session.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Instant;

use session::Host;

/// Gives the session the files that the command line names, and no others.
pub(crate) struct FileHost {
    files: HashMap<String, PathBuf>,
    max_size: u64,
    started: Instant,
}

impl FileHost {
    pub(crate) fn new(files: &[PathBuf], max_size: u64) -> FileHost {
        let files = files.iter().map(|path| (document_name(path), path.clone())).collect();
        FileHost { files, max_size, started: Instant::now() }
    }
}

/// The name under which a file is known to the session.
pub(crate) fn document_name(path: &Path) -> String {
    match path.to_str() {
        Some("-") => "standard input".to_owned(),
        _ => path.to_string_lossy().into_owned(),
    }
}

impl Host for FileHost {
    fn open(&self, name: &str) -> io::Result<(Box<dyn Read + Send>, Option<u64>)> {
        let path = self.files.get(name).ok_or(io::ErrorKind::NotFound)?;
        open(path, self.max_size)
    }

    fn seconds(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }
}

/// The bytes of a file or of standard input (`-`), and how many there are if that is known.
pub(crate) fn open(path: &Path, max_size: u64) -> io::Result<(Box<dyn Read + Send>, Option<u64>)> {
    if path.as_os_str() == "-" {
        return Ok((Box::new(io::stdin()), None));
    }
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        let message = "it is a folder; name a file in it";
        return Err(io::Error::new(io::ErrorKind::IsADirectory, message));
    }
    if metadata.is_file() && metadata.len() > max_size {
        let message = format!(
            "it has {} bytes, the limit is {max_size} (--max-size raises it)",
            metadata.len()
        );
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    let size = metadata.is_file().then_some(metadata.len());
    Ok((Box::new(file), size))
}
