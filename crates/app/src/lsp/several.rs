//! Several files that are one profile: its path is theirs with NULs between, which no file has in
//! its own.

use std::path::{Path, PathBuf};

use session::merged_title;

/// What stands between the paths.
pub(super) const BETWEEN: char = '\0';

/// The path of the profile that files are together; of one file its own.
pub(super) fn joined(paths: impl IntoIterator<Item = PathBuf>) -> PathBuf {
    let mut paths = paths.into_iter();
    let mut all = paths.next().unwrap_or_default().into_os_string();
    for path in paths {
        all.push(BETWEEN.to_string());
        all.push(path);
    }
    all.into()
}

/// The files of a profile.
pub(super) fn files(path: &Path) -> Vec<&Path> {
    match path.to_str() {
        Some(text) if text.contains(BETWEEN) => text.split(BETWEEN).map(Path::new).collect(),
        _ => vec![path],
    }
}

/// The first file of a profile, which is where it is.
pub(super) fn first(path: &Path) -> &Path {
    files(path).first().copied().unwrap_or(path)
}

/// The path or paths, for people.
pub(super) fn shown_paths(path: &Path) -> String {
    let all: Vec<String> = files(path).iter().map(|path| path.display().to_string()).collect();
    all.join(", ")
}

/// What a profile is called before it is read.
pub(super) fn title(path: &Path) -> String {
    let names: Vec<String> =
        files(path).iter().map(|path| path.to_string_lossy().into_owned()).collect();
    merged_title(&names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_what_was_joined() {
        let paths = ["/x/cpu-1.pb.gz", "/x/cpu-2.pb.gz", "/y/cpu-3.pb.gz"].map(PathBuf::from);
        let path = joined(paths.clone());
        assert_eq!(files(&path), paths);
        assert_eq!(first(&path), paths[0]);
        assert_eq!(shown_paths(&path), "/x/cpu-1.pb.gz, /x/cpu-2.pb.gz, /y/cpu-3.pb.gz");
        assert_eq!(title(&path), "cpu (3 runs)");
        let one = joined([paths[1].clone()]);
        assert_eq!(
            (files(&one), title(&one)),
            (vec![paths[1].as_path()], "cpu-2.pb.gz".to_owned())
        );
    }
}
