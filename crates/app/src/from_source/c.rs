//! Loops of C, by clang and Polly.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use super::made::Made;
use super::tool::{absolute, run, stem};

/// Loops as they are written: not in vectors, not unrolled, with their names.
const CLANG: [&str; 7] = [
    "-O1",
    "-fno-vectorize",
    "-fno-unroll-loops",
    "-fno-discard-value-names",
    "-gline-tables-only",
    "-S",
    "-emit-llvm",
];

const POLLY: [&str; 6] = [
    "-polly-canonicalize",
    "-polly-process-unprofitable",
    "-polly-use-llvm-names",
    "-polly-export-jscop",
    "-disable-output",
    // What it leaves out, and why.
    "-pass-remarks-missed=polly-detect",
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
    let said = run(
        Command::new(&opt).args(POLLY).arg(&code).current_dir(folder.path()),
        &format!("{opt} with Polly on {shown}"),
    )?;
    let left_out = left_out(&String::from_utf8_lossy(&said.stderr));
    let files = named(folder.path(), &stem(path))?;
    if files.is_empty() {
        let why = left_out.first().map_or(String::new(), |first| format!(" ({first})"));
        bail!(
            "Polly finds no loops in {shown} that it can express{why}: their bounds and indices have to be sums \
             of their variables and of sizes; valgrind's lackey records the accesses of any program"
        );
    }
    let notes = left_out
        .iter()
        .map(|part| format!("{shown}: Polly leaves out a part, which counts nowhere: {part}"));
    Ok(Made { _folder: folder, files, notes: notes.collect() })
}

/// What Polly says that it leaves out: the place of each reason, each once.
fn left_out(said: &str) -> Vec<String> {
    let mut all = vec![];
    for line in said.lines() {
        let Some(rest) = line.strip_prefix("remark: ") else { continue };
        let Some((place, reason)) = rest.split_once(": ") else { continue };
        // Where a part begins and ends; that a whole function is none says nothing.
        let is_frame = reason.starts_with("The following errors")
            || reason.starts_with("Invalid Scop candidate")
            || reason.contains("function entry");
        let mut numbers = place.rsplit(':').skip(1);
        let line =
            numbers.next().and_then(|line| line.parse::<u32>().ok()).filter(|line| *line > 0);
        if let (false, Some(line)) = (is_frame, line) {
            let part = format!("line {line}: {}", reason.trim_end_matches('.'));
            if !all.contains(&part) {
                all.push(part);
            }
        }
    }
    all
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
        let own = super::tool::stem(&path);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_reasons_once_with_their_lines() {
        let said = "\
remark: half.c:0:0: The following errors keep this region from being a Scop.
remark: half.c:3:3: Scop contains function entry (not yet supported).
remark: half.c:8:1: Invalid Scop candidate ends here.
remark: half.c:5:5: The following errors keep this region from being a Scop.
remark: half.c:5:45: This function call cannot be handled. Try to inline it.
remark: half.c:6:5: Invalid Scop candidate ends here.
remark: half.c:5:45: This function call cannot be handled. Try to inline it.
Writing JScop '%a---%b' in function 'softmax' to './softmax___%a---%b.jscop'.
";
        let expected = ["line 5: This function call cannot be handled. Try to inline it"];
        assert_eq!(left_out(said), expected);
        assert_eq!(left_out("remark: \nremark: a: b\nerror: x:1:2: y"), [""; 0]);
    }
}
