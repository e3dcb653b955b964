//! Names that say nothing about what is inside.

use std::path::{Path, PathBuf};

use super::finding::Finding;

const MEANINGLESS: [&str; 7] = ["utils", "util", "common", "types", "helpers", "helper", "misc"];

/// Checks the names of files and of the folders they are in.
pub(super) fn check(files: &[PathBuf]) -> Vec<Finding> {
    let finding = |file: &PathBuf| Finding {
        file: file.clone(),
        line: 0,
        message: "a name that says nothing: name the file or folder after what is in it".to_owned(),
    };
    files.iter().filter(|file| is_source(file) && has_meaningless_part(file)).map(finding).collect()
}

fn is_source(file: &Path) -> bool {
    let end = file.extension().and_then(|end| end.to_str()).unwrap_or_default();
    ["rs", "toml", "ts", "tsx", "mts", "js", "mjs", "css", "py", "go", "c", "cpp"].contains(&end)
}

fn has_meaningless_part(file: &Path) -> bool {
    file.components().any(|part| {
        let part = part.as_os_str().to_string_lossy();
        let stem = part.split('.').next().unwrap_or_default();
        MEANINGLESS.contains(&stem.to_ascii_lowercase().as_str())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_file(file: &str, is_good: bool) {
        assert_eq!(check(&[PathBuf::from(file)]).is_empty(), is_good, "{file}");
    }

    #[test]
    fn meaningless_names_are_found() {
        check_file("crates/formats/src/utils.rs", false);
        check_file("crates/common/Cargo.toml", false);
        check_file("web/ui/src/types.d.ts", false);
        check_file("web/ui/src/Helpers/zoom.ts", false);
    }

    #[test]
    fn names_that_contain_one_pass() {
        check_file("crates/profile/src/value_types.rs", true);
        check_file("web/ui/src/common-frames.ts", true);
    }
}
