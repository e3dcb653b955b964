//! `xtask/advisories.toml`, the known faults of locked crates. It is taken from the RustSec database,
//! which need not be reachable where checks run, by `cargo xtask advisories`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use serde::Deserialize;
use toml::Table;

use crate::{command, workspace};

const LIST: &str = "xtask/advisories.toml";

const HEAD: &str = "\
# Known faults of crates that Cargo.lock names, from the RustSec database (CC0-1.0): versions that are
# neither patched nor unaffected have the fault. `cargo xtask advisories FOLDER` writes this file.
";

/// The options of the command.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// A clone of the RustSec database.
    database: PathBuf,
}

/// Writes the list anew.
pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let lock: Table = fs::read_to_string(workspace::root().join("Cargo.lock"))?.parse()?;
    let packages = lock.get("package").and_then(|list| list.as_array()).context("no packages")?;
    let names = packages.iter().filter(|package| package.get("source").is_some());
    let names: BTreeSet<&str> = names.filter_map(|package| package.get("name")?.as_str()).collect();
    let crates = options.database.join("crates");
    if !crates.is_dir() {
        bail!(
            "{} has no folder `crates`: name a clone of the database",
            options.database.display()
        );
    }
    let mut list = List { advisories: BTreeMap::new() };
    for name in names {
        let Ok(files) = fs::read_dir(crates.join(name)) else { continue };
        for file in files {
            let file = file?.path();
            let text = fs::read_to_string(&file)?;
            let read = Advisory::read(&text).with_context(|| format!("{}", file.display()))?;
            if let Some((id, advisory)) = read {
                list.advisories.insert(id, advisory);
            }
        }
    }
    println!("{LIST}: {} advisories", list.advisories.len());
    fs::write(workspace::root().join(LIST), list.text()).context("cannot write the list")
}

/// Where `db-path` and `db-urls` of deny.toml have cargo-deny look.
const DATABASE: &str = "target/advisory-db/hotframe-cf68c77ec7bf5d25";

/// Makes the list a database that cargo-deny reads: files in a repository.
pub(super) fn lay_out() -> anyhow::Result<()> {
    let list = fs::read_to_string(workspace::root().join(LIST));
    let list: List = toml::from_str(&list.with_context(|| format!("cannot read {LIST}"))?)
        .with_context(|| LIST.to_owned())?;
    let folder = workspace::root().join(DATABASE);
    if folder.exists() {
        fs::remove_dir_all(&folder)
            .with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    for (id, advisory) in &list.advisories {
        let crate_folder = folder.join("crates").join(&advisory.package);
        fs::create_dir_all(&crate_folder)?;
        fs::write(crate_folder.join(format!("{id}.md")), advisory.markdown(id))?;
    }
    let us = ["-c", "user.name=xtask", "-c", "user.email=xtask@localhost"];
    for arguments in [
        &["init", "--quiet"] as &[&str],
        &["add", "."],
        &["commit", "--quiet", "--no-verify", "--no-gpg-sign", "--message", LIST],
    ] {
        let mut git = command::in_root("git", &us);
        for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
            git.env_remove(variable);
        }
        command::output(git.args(arguments).current_dir(&folder))?;
    }
    Ok(())
}

/// Advisories by their names in the database.
#[derive(Deserialize)]
struct List {
    advisories: BTreeMap<String, Advisory>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Advisory {
    package: String,
    date: String,
    /// What it is if it is not a vulnerability.
    informational: Option<String>,
    patched: Vec<String>,
    #[serde(default)]
    unaffected: Vec<String>,
    title: String,
}

impl List {
    fn text(&self) -> String {
        let mut text = format!("{HEAD}\n[advisories]\n");
        for (id, advisory) in &self.advisories {
            let Advisory { package, date, patched, unaffected, title, .. } = advisory;
            let _ = write!(text, "{id} = {{ package = {package:?}, date = {date:?}, ");
            if let Some(informational) = &advisory.informational {
                let _ = write!(text, "informational = {informational:?}, ");
            }
            let _ = write!(text, "patched = {patched:?}, ");
            if !unaffected.is_empty() {
                let _ = write!(text, "unaffected = {unaffected:?}, ");
            }
            let _ = writeln!(text, "title = {title:?} }}");
        }
        text
    }
}

impl Advisory {
    /// A file of the database; none if it was withdrawn.
    fn read(text: &str) -> anyhow::Result<Option<(String, Advisory)>> {
        let (_, rest) = text.split_once("```toml").context("it has no TOML")?;
        let (table, rest) = rest.split_once("```").context("its TOML does not end")?;
        let table: Table = table.parse()?;
        let head = table.get("advisory").context("no [advisory]")?;
        if head.get("withdrawn").is_some() {
            return Ok(None);
        }
        let field = |name: &str| Some(head.get(name)?.as_str()?.to_owned());
        let versions = |name: &str| -> Vec<String> {
            let list = table.get("versions").and_then(|versions| versions.get(name)?.as_array());
            let list = list.into_iter().flatten().filter_map(|version| version.as_str());
            list.map(str::to_owned).collect()
        };
        let id = field("id").context("no id")?;
        let title = rest.lines().find_map(|line| line.strip_prefix("# "));
        let title = title.or_else(|| head.get("title")?.as_str()).context("no title")?.to_owned();
        let advisory = Advisory {
            package: field("package").context("no package")?,
            date: field("date").context("no date")?,
            informational: field("informational"),
            patched: versions("patched"),
            unaffected: versions("unaffected"),
            // Texts that are not in the public domain stay where they are.
            title: if field("license").is_some() { format!("See {id}") } else { title },
        };
        Ok(Some((id, advisory)))
    }

    /// The same as a file of the database.
    fn markdown(&self, id: &str) -> String {
        let Advisory { package, date, patched, unaffected, title, .. } = self;
        let informational = self.informational.as_ref();
        let informational =
            informational.map_or(String::new(), |kind| format!("informational = {kind:?}\n"));
        format!(
            "```toml\n[advisory]\nid = {id:?}\npackage = {package:?}\ndate = {date:?}\n{informational}\n\
             [versions]\npatched = {patched:?}\nunaffected = {unaffected:?}\n```\n\n# {title}\n"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "```toml\n[advisory]\nid = \"X-1\"\npackage = \"a\"\ndate = \"2026-01-02\"\n\
        informational = \"unsound\"\n# a comment\n[versions]\npatched = [\">= 1.2\"]\n```\n\n\
        # Reads what is `free`\n\nMore.\n";

    #[test]
    fn a_list_is_read_as_it_was_written() {
        let (id, advisory) = Advisory::read(FILE).unwrap().unwrap();
        let list = List { advisories: BTreeMap::from([(id.clone(), advisory)]) };
        let again: List = toml::from_str(&list.text()).unwrap();
        assert_eq!(again.advisories, list.advisories);
        let advisory = &list.advisories[&id];
        assert_eq!(advisory.title, "Reads what is `free`");
        assert_eq!(Advisory::read(&advisory.markdown(&id)).unwrap().unwrap().1, *advisory);
    }

    #[test]
    fn what_was_withdrawn_is_no_advisory() {
        let withdrawn = FILE.replace("[versions]", "withdrawn = \"2026-02-03\"\n[versions]");
        assert_eq!(Advisory::read(&withdrawn).unwrap(), None);
    }
}
