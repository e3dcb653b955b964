//! Files and standard input for the session.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Instant, UNIX_EPOCH};

use anyhow::{Context, Result};
use protocol::{ErrorCode, MachineResult, ProtocolError};
use session::{
    Folder, FolderFile, Host, Input, Profile, PythonPart, Runs, SourceFile, WantedSource,
};

use crate::sources::Sources;
use crate::{access, machine, memray, python_parts, viewer};

/// Who runs experiments for the page, and has their results.
pub(crate) trait RunsHere: Runs {
    /// Where a result lies that [`Runs::result`] named.
    fn result_file(&self, name: &str) -> Option<PathBuf>;
}

/// Gives the session the files that it was allowed, and no others.
pub(crate) struct FileHost {
    files: Mutex<HashMap<String, PathBuf>>,
    sources: Sources,
    runs: Option<Arc<dyn RunsHere>>,
    is_open_to_all: bool,
    max_size: u64,
    started: Instant,
}

impl FileHost {
    pub(crate) fn new(files: &[PathBuf], max_size: u64) -> FileHost {
        let host = FileHost {
            files: Mutex::default(),
            sources: Sources::default(),
            runs: None,
            is_open_to_all: false,
            max_size,
            started: Instant::now(),
        };
        for path in files {
            host.allow(path);
        }
        host
    }

    /// The same, which may also read sources.
    pub(crate) fn with_sources(self, sources: Sources) -> FileHost {
        FileHost { sources, ..self }
    }

    /// The same, for pages that may run experiments.
    pub(crate) fn with_runs(self, runs: Arc<dyn RunsHere>) -> FileHost {
        FileHost { runs: Some(runs), ..self }
    }

    /// The same, for whoever may open any file: a program of the same user that started this one.
    pub(crate) fn with_any_file(self) -> FileHost {
        FileHost { is_open_to_all: true, ..self }
    }

    fn path(&self, name: &str) -> Option<PathBuf> {
        let known = self.files().get(name).cloned();
        known.or_else(|| self.runs.as_ref()?.result_file(name))
    }

    /// Allows a file; gives the name that the session has for it.
    pub(crate) fn allow(&self, path: &Path) -> String {
        let name = document_name(path);
        self.files().insert(name.clone(), path.to_owned());
        name
    }

    fn files(&self) -> MutexGuard<'_, HashMap<String, PathBuf>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The name under which a file is known to the session.
pub(crate) fn document_name(path: &Path) -> String {
    match path.to_str() {
        Some("-") => "standard input".to_owned(),
        _ => path.to_string_lossy().into_owned(),
    }
}

/// The names of several files.
pub(crate) fn document_names(paths: &[PathBuf]) -> Vec<String> {
    paths.iter().map(|path| document_name(path)).collect()
}

impl Host for FileHost {
    fn open(&self, name: &str) -> io::Result<Input> {
        let path = self.path(name).ok_or(io::ErrorKind::NotFound)?;
        open(&path, self.max_size)
    }

    fn allow(&self, path: &str) -> Result<String, ProtocolError> {
        if !self.is_open_to_all {
            let message = "this engine opens the files that it was started with, and no others";
            return Err(ProtocolError::new(ErrorCode::BadRequest, message));
        }
        let path = Path::new(path);
        check(&[path.to_owned()])
            .map_err(|error| ProtocolError::new(ErrorCode::Unreadable, format!("{error:#}")))?;
        Ok(FileHost::allow(self, path))
    }

    fn seconds(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    fn source(&self, wanted: &WantedSource<'_>) -> Result<SourceFile, ProtocolError> {
        self.sources.read(wanted)
    }

    fn written_s(&self, name: &str) -> Option<f64> {
        let path = self.path(name)?;
        let written = std::fs::metadata(path).and_then(|metadata| metadata.modified()).ok()?;
        Some(written.duration_since(UNIX_EPOCH).ok()?.as_secs_f64())
    }

    fn runs(&self) -> Option<&dyn Runs> {
        let runs: &dyn Runs = self.runs.as_deref()?;
        Some(runs)
    }

    fn opens_again(&self, name: &str) -> bool {
        self.path(name).is_some_and(|path| path.is_file() || path.is_dir())
    }

    fn viewer(&self, whole_engine: bool) -> Result<Cow<'static, [u8]>, ProtocolError> {
        viewer::wanted(whole_engine).map(|page| page.into_bytes().into())
    }

    fn python_parts(&self) -> Result<Vec<PythonPart>, ProtocolError> {
        python_parts::wanted()
    }

    fn machine(
        &self,
        measure: bool,
        goes_on: &(dyn Fn(f64) -> bool + Sync),
    ) -> Result<MachineResult, ProtocolError> {
        machine::limits(measure, goes_on)
    }
}

/// Whether all of these can be opened; the error names the first that cannot.
pub(crate) fn check(paths: &[PathBuf]) -> Result<()> {
    for path in paths.iter().filter(|path| path.as_os_str() != "-") {
        let opened = if path.is_file() {
            access::open(path).map(drop)
        } else {
            open(path, u64::MAX).map(drop)
        };
        opened.with_context(|| {
            format!("cannot open {}", session::visible(&path.to_string_lossy()))
        })?;
    }
    Ok(())
}

/// A file, standard input (`-`), or a folder. A file that is one part of a profile spread over its
/// folder means the folder.
pub(crate) fn open(path: &Path, max_size: u64) -> io::Result<Input> {
    if path.as_os_str() == "-" {
        return Ok(Input::File(Box::new(io::stdin()), None));
    }
    let mut file = access::open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Ok(Input::Folder(Box::new(FilesOfFolder::list(path)?)));
    }
    #[cfg(target_os = "linux")]
    if metadata.is_file()
        && let Some(runs) = crate::manifest_files::FilesOfManifest::read(path)
    {
        return Ok(Input::Folder(Box::new(runs?)));
    }
    #[cfg(target_os = "linux")]
    if metadata.is_file()
        && metadata.len() <= max_size
        && let Some(recording) = crate::manifest_files::recording(path)
    {
        return Ok(Input::Folder(Box::new(recording)));
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if session::is_folder_part(&name) {
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let parent = parent.unwrap_or(Path::new("."));
        let siblings = session::part_siblings(&name);
        if siblings.is_empty() {
            return Ok(Input::Folder(Box::new(FilesOfFolder::list(parent)?)));
        }
        let folder = FilesOfFolder::named(parent, siblings);
        // A name like that of a part says nothing where no other part is beside it.
        if folder.files.len() > 1 {
            return Ok(Input::Folder(Box::new(folder)));
        }
    }
    if metadata.is_file() && metadata.len() > max_size {
        let message = format!(
            "it has {} bytes, the limit is {max_size} (--max-size raises it)",
            metadata.len()
        );
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    if metadata.is_file()
        && memray::is_recording(&mut file)?
        && let Some(table) = memray::converted(path)
    {
        let size = table.metadata()?.len();
        return Ok(Input::File(Box::new(table), Some(size)));
    }
    let size = metadata.is_file().then_some(metadata.len());
    Ok(Input::File(Box::new(file), size))
}

/// These paths without those that others among them bring along; and those.
pub(crate) fn once(paths: &[PathBuf]) -> (Vec<PathBuf>, Vec<PathBuf>) {
    #[cfg(target_os = "linux")]
    return crate::manifest_files::once(paths);
    #[cfg(not(target_os = "linux"))]
    (paths.to_vec(), vec![])
}

/// Whether a file is a manifest, or a recording that one beside it tells of: what is read of it is not in it
/// alone.
pub(crate) fn has_manifest(path: &Path) -> bool {
    #[cfg(target_os = "linux")]
    return crate::manifest_files::FilesOfManifest::read(path).is_some()
        || crate::manifest_files::run_of(path).is_some();
    #[cfg(not(target_os = "linux"))]
    {
        let _ = path;
        false
    }
}

/// How many bytes [`open`] will give, if that is known. A file is not opened for it: pipes are
/// opened once.
pub(crate) fn size(path: &Path) -> Option<u64> {
    let metadata = access::metadata(path).ok()?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    match metadata.is_file() && !session::is_folder_part(&name) {
        true => Some(metadata.len()),
        false if metadata.is_file() || metadata.is_dir() => open(path, u64::MAX).ok()?.size(),
        false => None,
    }
}

/// The files below a folder.
struct FilesOfFolder {
    root: PathBuf,
    files: Vec<FolderFile>,
    unreadable: Vec<String>,
}

impl FilesOfFolder {
    /// More files than this are not a profile.
    const MOST_FILES: usize = 200_000;
    /// Deeper folders are not part of a profile.
    const MOST_LEVELS: usize = 4;

    /// Lists the files, in the order of their names; symbolic links to folders are not followed.
    fn list(root: &Path) -> io::Result<FilesOfFolder> {
        let mut folder = FilesOfFolder { root: root.to_owned(), files: vec![], unreadable: vec![] };
        let mut open = vec![(root.to_owned(), String::new(), 0)];
        while let Some((path, prefix, level)) = open.pop() {
            let entries = match std::fs::read_dir(path) {
                Ok(entries) => entries,
                // One folder that nobody may look into does not take the others with it.
                Err(error) if !prefix.is_empty() => {
                    folder.leave_out(&prefix, &error);
                    continue;
                }
                Err(error) => return Err(error),
            };
            for entry in entries {
                let entry = entry?;
                let Ok(name) = entry.file_name().into_string() else { continue };
                let path = format!("{prefix}{name}");
                if entry.file_type()?.is_dir() {
                    if level < Self::MOST_LEVELS {
                        open.push((entry.path(), format!("{path}/"), level + 1));
                    }
                    continue;
                }
                // Follows a link to a file; a broken one is not a file.
                let metadata = match access::metadata(&entry.path()) {
                    Ok(metadata) => metadata,
                    Err(error) => {
                        if error.kind() == io::ErrorKind::PermissionDenied {
                            folder.leave_out(&path, &error);
                        }
                        continue;
                    }
                };
                // What tells of the others is none of them.
                if metadata.is_file() && !is_manifest(&entry.path()) {
                    folder.files.push(FolderFile { path, size: metadata.len() });
                }
                if folder.files.len() > Self::MOST_FILES {
                    let message = format!("the folder has more than {} files", Self::MOST_FILES);
                    return Err(io::Error::other(message));
                }
            }
        }
        folder.files.sort();
        folder.unreadable.sort();
        Ok(folder)
    }

    /// The files of these names, as far as they are there.
    fn named(root: &Path, names: Vec<String>) -> FilesOfFolder {
        let file = |path: String| {
            let metadata = access::metadata(&root.join(&path)).ok()?;
            metadata.is_file().then_some(FolderFile { path, size: metadata.len() })
        };
        let mut files: Vec<_> = names.into_iter().filter_map(file).collect();
        files.sort();
        FilesOfFolder { root: root.to_owned(), files, unreadable: vec![] }
    }

    fn leave_out(&mut self, prefix: &str, error: &io::Error) {
        /// More names say no more.
        const MOST_NAMED: usize = 20;
        if self.unreadable.len() < MOST_NAMED {
            self.unreadable.push(format!("{} ({error})", prefix.trim_end_matches('/')));
        }
    }
}

impl Folder for FilesOfFolder {
    fn files(&self) -> &[FolderFile] {
        &self.files
    }

    fn unreadable(&self) -> &[String] {
        &self.unreadable
    }

    fn open(&self, path: &str) -> io::Result<Box<dyn Read + Send + '_>> {
        if self.files.iter().any(|file| file.path == path) {
            Ok(Box::new(access::open(&self.root.join(path))?))
        } else {
            Err(io::ErrorKind::NotFound.into())
        }
    }

    #[cfg(target_os = "linux")]
    fn edit(&self, path: &str, profile: &mut Profile) {
        if let Some(run) = crate::manifest_files::run_of(&self.root.join(path)) {
            crate::manifest_files::add_facts(&run, profile);
        }
    }
}

/// Whether a file is a manifest of recordings.
fn is_manifest(path: &Path) -> bool {
    #[cfg(target_os = "linux")]
    return crate::manifest_files::FilesOfManifest::read(path).is_some_and(|read| read.is_ok());
    #[cfg(not(target_os = "linux"))]
    {
        let _ = path;
        false
    }
}
