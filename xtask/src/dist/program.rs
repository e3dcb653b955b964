//! The program as people install it, with its manual pages and completions.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, bail};

use super::platform::{self, Platform};
use super::stage::{copy, folder, fresh_folder, megabytes};
use crate::notices::{self, Thing};
use crate::{build, command, workspace};

/// Most of a binary without symbols; docs/performance.md says what is in it.
const MOST_MEGABYTES: f64 = 46.0;

/// Where the tracer of Python programs is, seen from the folder that has `bin`.
pub(super) const TRACER: &str = "lib/hotframe/_native.abi3.so";

/// A program to package.
pub(super) struct Program {
    /// The program without symbols.
    pub(super) path: PathBuf,
    pub(super) platform: Platform,
    /// Whether packages are only tried out: they are compressed little.
    pub(super) is_trial: bool,
    /// The tracer of Python programs, manual pages, completions, licences and notices, laid out as in `/usr`.
    pub(super) usr: PathBuf,
}

impl Program {
    /// Takes a program that was built for a platform.
    pub(super) fn new(
        hotframe: &Path,
        platform: Platform,
        is_trial: bool,
    ) -> anyhow::Result<Program> {
        let name = hotframe.file_name().context("the program has no name")?;
        let folder = fresh_folder(platform.node)?;
        let path = folder.join(name);
        copy(hotframe, &path)?;
        if platform.is_linux() {
            let symbols = folder.join("hotframe.debug");
            command::run(objcopy()?.arg("--only-keep-debug").arg(hotframe).arg(&symbols))?;
            strip(&path)?;
            let mut link = std::ffi::OsString::from("--add-gnu-debuglink=");
            link.push(&symbols);
            command::run(objcopy()?.arg(link).arg(&path))?;
        }
        let usr = folder.join("usr");
        if platform.is_linux() {
            tracer(hotframe, &usr)?;
        }
        // Pages are the same on all machines: this one runs its own program for them.
        let is_own = platform.node == platform::platform(None)?.node;
        let runs = if is_own { path.clone() } else { build::program()?.1 };
        manuals(&runs, &usr)?;
        completions(&runs, &usr)?;
        let docs = usr.join("share/doc/hotframe");
        fs::create_dir_all(&docs)?;
        for file in ["LICENSE-MIT", "LICENSE-APACHE"] {
            copy(&workspace::root().join(file), &docs.join(file))?;
        }
        notices::write(Thing::Program, Some(platform.rust), &docs)?;
        if is_own {
            check(&path)?;
        }
        Ok(Program { path, platform, is_trial, usr })
    }

    /// Fails if the program is larger than it may be.
    pub(super) fn check_size(&self) -> anyhow::Result<()> {
        let size = megabytes(self.path.metadata()?.len());
        if size > MOST_MEGABYTES {
            bail!(
                "the program has {size:.1} MB, more than {MOST_MEGABYTES}: find out why with `cargo bloat`"
            );
        }
        Ok(())
    }

    /// The newest version of glibc whose symbols an ELF file asks for, as `2.34`.
    pub(super) fn glibc(file: &Path) -> anyhow::Result<String> {
        let symbols = command::output(Command::new("objdump").arg("-T").arg(file))?;
        let versions = symbols.split("GLIBC_2.").skip(1).filter_map(|rest| {
            rest.split(|c: char| !c.is_ascii_digit()).next()?.parse::<u32>().ok()
        });
        let newest = versions.max().context("the program asks for no glibc")?;
        Ok(format!("2.{newest}"))
    }
}

/// The tracer of Python programs, which was built beside the program, where the program looks for it.
fn tracer(hotframe: &Path, usr: &Path) -> anyhow::Result<()> {
    let to = usr.join(TRACER);
    fs::create_dir_all(to.parent().context("a path has a folder")?)?;
    copy(&hotframe.with_file_name("libhotframe_native.so"), &to)?;
    strip(&to)?;
    // It is loaded and not run.
    command::run(Command::new("chmod").arg("0644").arg(&to))
}

/// A manual page for the program and each of its commands.
fn manuals(hotframe: &Path, usr: &Path) -> anyhow::Result<()> {
    let folder = usr.join("share/man/man1");
    fs::create_dir_all(&folder)?;
    let mut commands: Vec<Vec<String>> = vec![vec![]];
    while let Some(command) = commands.pop() {
        let page = command::output(Command::new(hotframe).arg("man").args(&command))?;
        let name: String = ["hotframe"]
            .into_iter()
            .chain(command.iter().map(String::as_str))
            .collect::<Vec<_>>()
            .join("-");
        for inner in commands_of(&page, &name) {
            commands.push(command.iter().cloned().chain([inner]).collect());
        }
        fs::write(folder.join(format!("{name}.1")), page)?;
    }
    Ok(())
}

/// The commands that a manual page lists: lines such as `hotframe\-show(1)`.
fn commands_of(page: &str, name: &str) -> Vec<String> {
    let lines = page.lines().map(|line| line.replace("\\-", "-"));
    lines
        .filter_map(|line| {
            let rest = line.strip_prefix(name)?.strip_prefix('-')?;
            Some(rest.strip_suffix("(1)")?.to_owned())
        })
        .collect()
}

/// What the shells complete.
fn completions(hotframe: &Path, usr: &Path) -> anyhow::Result<()> {
    for (shell, file) in [
        ("bash", "bash-completion/completions/hotframe"),
        ("zsh", "zsh/vendor-completions/_hotframe"),
        ("fish", "fish/vendor_completions.d/hotframe.fish"),
    ] {
        let file = usr.join("share").join(file);
        fs::create_dir_all(file.parent().context("a file has a folder")?)?;
        fs::write(file, command::output(Command::new(hotframe).args(["completions", shell]))?)?;
    }
    Ok(())
}

/// Fails unless the binary, and a report that it writes, have their notices.
fn check(hotframe: &Path) -> anyhow::Result<()> {
    let text = command::output(Command::new(hotframe).arg("licenses"))?;
    notices::expect(hotframe, &text, &["serde", "clap", "preact", "pyodide"])?;
    let report = folder().join("report.html");
    let sample = workspace::root().join("testdata/pprof/cpu.pb.gz");
    command::run(Command::new(hotframe).arg("export").arg(sample).arg("-o").arg(&report))?;
    notices::expect(&report, &fs::read_to_string(&report)?, &["serde", "preact"])?;
    Ok(fs::remove_file(report)?)
}

/// Takes the tables of lines out of an ELF file, four fifths of it. Other systems keep them
/// in files of their own. Rust's own tool knows every processor.
pub(super) fn strip(binary: &Path) -> anyhow::Result<()> {
    command::run(objcopy()?.arg("--strip-all").arg(binary))
}

fn objcopy() -> anyhow::Result<Command> {
    let libraries = command::output(&mut command::in_root("rustc", &["--print", "target-libdir"]))?;
    let libraries = Path::new(libraries.trim());
    let mut tool = Command::new(libraries.with_file_name("bin").join("rust-objcopy"));
    // It finds LLVM by this variable, which `cargo run` sets.
    if let Some(folder) = libraries.ancestors().nth(3) {
        tool.env("LD_LIBRARY_PATH", folder);
    }
    Ok(tool)
}

#[cfg(test)]
mod tests {
    use super::commands_of;

    #[test]
    fn a_page_names_its_commands() {
        let page =
            ".SH SUBCOMMANDS\n.TP\nhotframe\\-record\\-perf(1)\nRuns it\n.TP\nhotframe\\-x(1)\n";
        assert_eq!(commands_of(page, "hotframe-record"), ["perf"]);
        assert_eq!(commands_of(page, "hotframe"), ["record-perf", "x"]);
    }
}
