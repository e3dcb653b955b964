//! Which of our crates may depend on which.

use std::path::Path;

use toml::Table;

use super::finding::Finding;

/// The crates, by folder, from the bottom up, and what each may depend on. A new
/// arrow is a design change: discuss it, change ARCHITECTURE.md, then this table.
const ALLOWED: [(&str, &[&str]); 23] = [
    ("work", &[]),
    ("profile", &[]),
    ("symbols", &[]),
    ("perfdata", &[]),
    ("beneath", &[]),
    ("isolation", &["beneath"]),
    ("calltrace", &[]),
    ("formats", &["profile", "perfdata", "calltrace"]),
    ("analysis", &["profile", "work"]),
    ("locality", &[]),
    ("scop", &["locality"]),
    ("sdfg", &["locality", "work"]),
    ("layout", &["profile", "analysis", "work"]),
    ("protocol", &[]),
    (
        "session",
        &[
            "profile", "formats", "symbols", "analysis", "locality", "scop", "sdfg", "layout",
            "protocol", "work",
        ],
    ),
    ("record", &["beneath", "formats", "perfdata", "profile", "symbols", "calltrace"]),
    ("jobs", &[]),
    ("experiment", &["beneath", "jobs", "isolation", "record", "analysis", "formats", "profile"]),
    (
        "app",
        &[
            "beneath",
            "session",
            "protocol",
            "locality",
            "scop",
            "sdfg",
            "record",
            "experiment",
            "jobs",
            "isolation",
            "work",
        ],
    ),
    ("python", &["calltrace"]),
    ("wasm", &["session", "protocol", "work"]),
    ("wasm-first", &["wasm"]),
    // For tests alone, which may use what they like.
    ("samples", &[]),
];

/// Checks one manifest. Tests may use what they like, so `dev-dependencies` are free.
pub(super) fn check(crate_folder: &str, file: &Path, manifest: &str) -> Vec<Finding> {
    let finding = |line, message| Finding { file: file.to_path_buf(), line, message };
    let Some((_, allowed)) = ALLOWED.iter().find(|(folder, _)| *folder == crate_folder) else {
        let message = "a crate that the table in xtask/src/tidy/dependencies.rs does not know: \
                       add it there and to ARCHITECTURE.md";
        return vec![finding(0, message.to_owned())];
    };
    let table: Table = match manifest.parse() {
        Ok(table) => table,
        Err(error) => return vec![finding(0, format!("not a manifest: {error}"))],
    };
    let is_ours = |name: &str| ALLOWED.iter().any(|(folder, _)| *folder == name);
    dependencies(&table)
        .filter(|name| is_ours(name) && !allowed.contains(&name.as_str()))
        .map(|name| {
            let may =
                if allowed.is_empty() { "nothing of ours".to_owned() } else { allowed.join(", ") };
            let message = format!(
                "`{crate_folder}` must not depend on `{name}`, it may depend on {may}: \
                 move the code, or pass in what it needs"
            );
            finding(line_of(manifest, &name), message)
        })
        .collect()
}

/// The names of the packages that the library or binary is built from.
fn dependencies(manifest: &Table) -> impl Iterator<Item = String> {
    let platforms = manifest.get("target").and_then(|target| target.as_table());
    let platforms = platforms.into_iter().flat_map(Table::values).filter_map(|one| one.as_table());
    std::iter::once(manifest)
        .chain(platforms)
        .flat_map(|table| ["dependencies", "build-dependencies"].map(|kind| table.get(kind)))
        .flatten()
        .filter_map(|dependencies| dependencies.as_table())
        .flatten()
        .map(|(name, details)| {
            let renamed = details.get("package").and_then(|package| package.as_str());
            renamed.unwrap_or(name).to_owned()
        })
}

fn line_of(manifest: &str, name: &str) -> usize {
    let names_it = |line: &str| {
        let line = line.trim_start_matches(['[', '"']);
        line.starts_with(name)
            || line.contains(&format!("\"{name}\""))
            || line.ends_with(&format!(".{name}]"))
    };
    let after_package =
        manifest.lines().position(|line| line.contains("dependencies")).unwrap_or(0);
    let found = manifest.lines().skip(after_package).position(names_it);
    found.map_or(0, |line| after_package + line + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_manifest(crate_folder: &str, manifest: &str, expected_lines: &[usize]) {
        let findings = check(crate_folder, Path::new("Cargo.toml"), manifest);
        let lines: Vec<usize> = findings.iter().map(|finding| finding.line).collect();
        assert_eq!(lines, expected_lines, "{findings:?}");
    }

    #[test]
    fn the_arrows_of_the_table_pass() {
        check_manifest("formats", "[dependencies]\nprofile = { workspace = true }\n", &[]);
        check_manifest("profile", "[dependencies]\nhashbrown = \"1\"\n", &[]);
        check_manifest("profile", "[dev-dependencies]\nformats = { workspace = true }\n", &[]);
    }

    #[test]
    fn a_new_arrow_is_found_in_every_spelling() {
        check_manifest(
            "profile",
            "[package]\nname = \"x\"\n[dependencies]\nformats.workspace = true\n",
            &[4],
        );
        check_manifest("layout", "[dependencies]\n\nsession = { path = \"../session\" }\n", &[3]);
        check_manifest("analysis", "[dependencies.formats]\nworkspace = true\n", &[1]);
        check_manifest("app", "[build-dependencies]\nlayout = \"1\"\n", &[2]);
        check_manifest("app", "[target.'cfg(unix)'.dependencies]\nlayout = \"1\"\n", &[2]);
        check_manifest("app", "[dependencies]\nother = { package = \"layout\" }\n", &[2]);
    }

    #[test]
    fn an_unknown_crate_is_found() {
        check_manifest("helpers", "", &[0]);
    }
}
