//! Loops of C, by clang and Polly.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use super::{Made, absolute, run, stem};

/// Loops as they are written: not in vectors, not unrolled, with their names.
const CLANG: [&str; 6] =
    ["-O1", "-fno-vectorize", "-fno-unroll-loops", "-fno-discard-value-names", "-S", "-emit-llvm"];

const POLLY: [&str; 5] = [
    "-polly-canonicalize",
    "-polly-process-unprofitable",
    "-polly-use-llvm-names",
    "-polly-export-jscop",
    "-disable-output",
];

/// The nests of loops of a file, each a `.jscop`.
pub(super) fn loops(path: &Path) -> Result<Made> {
    let source = absolute(path)?;
    let shown = path.display();
    let (clang, opt) = tools()?;
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let code = folder.path().join("code.ll");
    let mut compiling = Command::new(&clang);
    // As for make and compilers: where headers are, and what is defined.
    if let Ok(flags) = std::env::var("CFLAGS") {
        compiling.args(flags.split_whitespace());
    }
    run(
        compiling.args(CLANG).arg(&source).arg("-o").arg(&code),
        &format!("{clang} on {shown} (CFLAGS are passed on to it)"),
    )?;
    run(
        Command::new(&opt).args(POLLY).arg(&code).current_dir(folder.path()),
        &format!("{opt} with Polly on {shown}"),
    )?;
    let files = named(folder.path(), &stem(path))?;
    if files.is_empty() {
        bail!(
            "Polly finds no loops in {shown} that it can express: their bounds and indices have to be sums of \
             their variables and of sizes; valgrind's lackey records the accesses of any program"
        );
    }
    Ok(Made { _folder: folder, files })
}

/// Clang and opt of one version; Polly exports loops in this shape up to LLVM 14.
fn tools() -> Result<(String, String)> {
    let works = |tool: &str| {
        let mut command = Command::new(tool);
        command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    let pairs = ["-14", ""].map(|version| (format!("clang{version}"), format!("opt{version}")));
    match pairs.into_iter().find(|(clang, opt)| works(clang) && works(opt)) {
        Some(pair) => Ok(pair),
        None => bail!(
            "loops of C are exported by clang and opt of LLVM 14 with Polly, which are not installed (on \
             Debian: clang-14 and llvm-14)"
        ),
    }
}

/// Exported loops under names that people know: `stem.function.jscop`.
fn named(folder: &Path, stem: &str) -> Result<Vec<PathBuf>> {
    let mut exported: Vec<PathBuf> = fs::read_dir(folder)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|ending| ending == "jscop"))
        .collect();
    exported.sort();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut files = vec![];
    for path in exported {
        // Polly writes the function, three underscores and names of blocks.
        let own = super::stem(&path);
        let function = own.split("___").next().unwrap_or(&own).to_owned();
        let count = counts.entry(function.clone()).or_default();
        *count += 1;
        let number = if *count > 1 { format!("-{count}") } else { String::new() };
        let to = folder.join(format!("{stem}.{function}{number}.jscop"));
        fs::rename(&path, &to)?;
        files.push(to);
    }
    Ok(files)
}
