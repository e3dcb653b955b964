//! From what a page sent to files: a Python file, or an archive of a project. Nothing of it lands
//! outside its folder, none of it is a link, and all of it is bounded.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use protocol::ProtocolError;

use super::errors::refused;

/// Most entries of an archive, and bytes of its files.
const MOST_ENTRIES: usize = 5000;
const MOST_BYTES: u64 = 256 << 20;
/// Most folders in each other.
const MOST_DEPTH: usize = 32;

/// What came of an upload.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Unpacked {
    pub(super) files: u32,
    pub(super) bytes: u64,
    /// What is to be known of it, each a sentence.
    pub(super) notes: Vec<String>,
}

/// Writes the files into a folder that is there and empty.
pub(super) fn unpack(name: &str, bytes: &[u8], folder: &Path) -> Result<Unpacked, ProtocolError> {
    let base = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let lower = base.to_lowercase();
    let mut into = Into { folder, unpacked: Unpacked::default(), left_out: 0 };
    if lower.ends_with(".py") {
        into.file(base, &mut Cursor::new(bytes))?;
    } else if lower.ends_with(".zip") {
        into.zip(bytes)?;
    } else if lower.ends_with(".tar") {
        into.tar(&mut Cursor::new(bytes))?;
    } else if lower.ends_with(".tar.gz") || lower.ends_with(".tgz") {
        into.tar(&mut MultiGzDecoder::new(bytes))?;
    } else {
        return Err(refused(
            format!("{base} is neither a Python file nor an archive"),
            "Send a .py file, or a project as .zip, .tar or .tar.gz.",
        ));
    }
    if into.unpacked.files == 0 {
        return Err(refused(format!("{base} has no files"), "Send what is to be run."));
    }
    if into.left_out > 0 {
        let note = format!("{} entries of .git and the like are left out.", into.left_out);
        into.unpacked.notes.push(note);
    }
    Ok(into.unpacked)
}

struct Into<'a> {
    folder: &'a Path,
    unpacked: Unpacked,
    left_out: usize,
}

impl Into<'_> {
    fn zip(&mut self, bytes: &[u8]) -> Result<(), ProtocolError> {
        let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(|e| damaged(&e))?;
        if archive.len() > MOST_ENTRIES {
            return Err(too_much("entries"));
        }
        for index in 0..archive.len() {
            let mut entry = archive.by_index(index).map_err(|error| damaged(&error))?;
            let name = entry.name().map_err(|error| damaged(&error))?.into_owned();
            if entry.is_dir() {
                self.directory(&name)?;
                continue;
            }
            // What is not a regular file says so in the mode of Unix.
            let kind = entry.unix_mode().map_or(0, |mode| mode & 0o170_000);
            if !matches!(kind, 0 | 0o100_000) {
                return Err(no_file(&name));
            }
            self.file(&name, &mut entry)?;
        }
        Ok(())
    }

    fn tar(&mut self, bytes: &mut dyn Read) -> Result<(), ProtocolError> {
        // Headers and padding included, so that what unpacks to nothing but headers ends, too.
        let bounded = bytes.take(MOST_BYTES + (MOST_ENTRIES as u64) * 2048);
        let mut archive = tar::Archive::new(bounded);
        let entries = archive.entries().map_err(|error| damaged(&error))?;
        for (number, entry) in entries.enumerate() {
            if number >= MOST_ENTRIES {
                return Err(too_much("entries"));
            }
            let mut entry = entry.map_err(|error| damaged(&error))?;
            let path = entry.path_bytes().into_owned();
            let Ok(name) = String::from_utf8(path) else {
                return Err(refused("a name in the archive is not UTF-8", "Rename it."));
            };
            match entry.header().entry_type() {
                tar::EntryType::Directory => self.directory(&name)?,
                tar::EntryType::Regular | tar::EntryType::Continuous => {
                    self.file(&name, &mut entry)?;
                }
                tar::EntryType::XGlobalHeader => {}
                _ => return Err(no_file(&name)),
            }
        }
        Ok(())
    }

    fn directory(&mut self, name: &str) -> Result<(), ProtocolError> {
        match self.path(name)? {
            Some(path) => fs::create_dir_all(&path).map_err(|error| unwritten(name, &error)),
            None => Ok(()),
        }
    }

    fn file(&mut self, name: &str, bytes: &mut dyn Read) -> Result<(), ProtocolError> {
        let Some(path) = self.path(name)? else {
            self.left_out += 1;
            return Ok(());
        };
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(|error| unwritten(name, &error))?;
        }
        // Never through what is there already.
        let made = OpenOptions::new().write(true).create_new(true).open(&path);
        let mut file: File = made.map_err(|error| unwritten(name, &error))?;
        let room = MOST_BYTES - self.unpacked.bytes;
        let wrote = io::copy(&mut bytes.take(room + 1), &mut file);
        let wrote = wrote.map_err(|error| damaged(&format!("{name}: {error}")))?;
        if wrote > room {
            return Err(too_much("bytes"));
        }
        self.unpacked.bytes += wrote;
        self.unpacked.files += 1;
        Ok(())
    }

    /// Where an entry goes; nowhere if it is nothing that is run.
    fn path(&self, name: &str) -> Result<Option<PathBuf>, ProtocolError> {
        let out = || {
            refused(
                format!(
                    "an entry is called {}, which leads out of its folder",
                    name.escape_debug()
                ),
                "Pack the project with names below one folder.",
            )
        };
        if name.starts_with('/') || name.contains(['\\', '\0']) {
            return Err(out());
        }
        let mut path = self.folder.to_owned();
        let mut depth = 0;
        for part in name.split('/').filter(|part| !part.is_empty() && *part != ".") {
            depth += 1;
            let is_sound = part.len() <= 255 && !part.chars().any(char::is_control);
            if part == ".." || !is_sound || depth > MOST_DEPTH {
                return Err(out());
            }
            // A repository says which programs git starts.
            if part.eq_ignore_ascii_case(".git") || part == "__MACOSX" {
                return Ok(None);
            }
            path.push(part);
        }
        if depth == 0 { Ok(None) } else { Ok(Some(path)) }
    }
}

fn damaged(error: &dyn std::fmt::Display) -> ProtocolError {
    refused(format!("the archive cannot be read: {error}"), "Pack it anew.")
}

fn unwritten(name: &str, error: &io::Error) -> ProtocolError {
    let name = name.escape_debug();
    refused(format!("{name} cannot be kept: {error}"), "Is it in the archive twice?")
}

fn no_file(name: &str) -> ProtocolError {
    let name = name.escape_debug();
    refused(
        format!("{name} is a link, or not a regular file"),
        "Pack the files themselves: tar --dereference, or zip without --symlinks.",
    )
}

fn too_much(of: &str) -> ProtocolError {
    let message = format!("the archive has too many {of}");
    let hint = format!(
        "It may have {MOST_ENTRIES} entries and {} MiB unpacked: leave out what is not needed.",
        MOST_BYTES >> 20
    );
    refused(message, &hint)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn zipped(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = zip::ZipWriter::new(Cursor::new(vec![]));
        for (name, bytes) in files {
            let options = zip::write::SimpleFileOptions::default();
            writer.start_file(*name, options).unwrap();
            writer.write_all(bytes).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    fn tarred(name: &str, kind: tar::EntryType) -> Vec<u8> {
        let mut builder = tar::Builder::new(vec![]);
        let mut header = tar::Header::new_ustar();
        // As it is, where the library would refuse it.
        header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
        header.set_entry_type(kind);
        header.set_link_name("p.py").unwrap();
        header.set_size(0);
        header.set_mode(0o644);
        header.set_cksum();
        builder.append(&header, io::empty()).unwrap();
        builder.into_inner().unwrap()
    }

    fn trying(name: &str, bytes: &[u8]) -> Result<(Unpacked, Vec<String>), String> {
        let folder = tempfile::tempdir().unwrap();
        let inside = folder.path().join("inside");
        fs::create_dir(&inside).unwrap();
        let unpacked = unpack(name, bytes, &inside);
        let outside: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
        assert_eq!(outside.len(), 1, "{outside:?}");
        let unpacked = unpacked.map_err(|error| error.message)?;
        let names = super::super::scripts::files(&inside);
        Ok((unpacked, names))
    }

    #[test]
    fn files_and_archives_become_files() {
        let (one, names) = trying("C:\\x\\p.py", b"print(1)").unwrap();
        assert_eq!((one.files, one.bytes, names), (1, 8, vec!["p.py".to_owned()]));
        let bytes = zipped(&[("a/p.py", b"1"), ("a/.git/config", b"x"), ("a/b/./q.py", b"22")]);
        let (all, names) = trying("a.zip", &bytes).unwrap();
        assert_eq!((all.files, all.bytes), (2, 3));
        assert_eq!(all.notes, ["1 entries of .git and the like are left out."]);
        assert_eq!(names, ["a/b/q.py", "a/p.py"]);
        let tar = tarred("p.py", tar::EntryType::Regular);
        assert_eq!(trying("a.tar", &tar).unwrap().1, ["p.py"]);
    }

    #[test]
    fn what_leads_out_or_is_no_file_is_refused() {
        for name in ["../x.py", "a/../../x.py", "/tmp/x.py", "a\\..\\x.py", "a/\u{1}.py"] {
            let error = trying("a.zip", &zipped(&[(name, b"1")])).unwrap_err();
            assert!(error.contains("leads out"), "{name}: {error}");
        }
        for name in ["../x.py", "/tmp/x.py"] {
            let error = trying("a.tar", &tarred(name, tar::EntryType::Regular)).unwrap_err();
            assert!(error.contains("leads out"), "{name}: {error}");
        }
        for kind in [tar::EntryType::Symlink, tar::EntryType::Link, tar::EntryType::Fifo] {
            let error = trying("a.tar", &tarred("x.py", kind)).unwrap_err();
            assert!(error.contains("not a regular file"), "{kind:?}: {error}");
        }
        let twice = zipped(&[("p.py", b"1"), ("./p.py", b"2")]);
        assert!(trying("a.zip", &twice).unwrap_err().contains("cannot be kept"));
        assert!(trying("a.exe", b"MZ").unwrap_err().contains("neither"));
        assert!(trying("a.zip", b"PK").unwrap_err().contains("cannot be read"));
    }

    #[test]
    fn bombs_are_refused() {
        let zeros = vec![0; MOST_BYTES as usize / 2 + 1];
        let bomb = zipped(&[("a", &zeros), ("b", &zeros)]);
        assert!(bomb.len() < 2 << 20, "{}", bomb.len());
        assert!(trying("a.zip", &bomb).unwrap_err().contains("too many bytes"));
        let names: Vec<String> = (0..=MOST_ENTRIES).map(|number| number.to_string()).collect();
        let many: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b""[..])).collect();
        assert!(trying("a.zip", &zipped(&many)).unwrap_err().contains("too many entries"));
    }
}
