//! `cargo xtask test-packages`: installs the packages of `target/dist` with the commands of the README, in
//! systems that have neither Rust nor Node, and uses them as people would.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, bail, ensure};
use quick_xml::escape::escape;

use super::machine::Machine;
use super::registry::Registry;
use super::{packages, version};
use crate::{setup, workspace};

/// Where releases are downloaded from, in the README.
const RELEASES: &str = "https://github.com/hotframe/hotframe/releases/latest/download";

/// A file name that stands for the reader's own.
const PROFILE: &str = "profile.pb.gz";

/// A Python program to record.
const PROGRAM: &str = "import time\nend = time.monotonic() + 2\nwhile time.monotonic() < end:\n    sum(n * n for n in range(200000))\n";

/// The options of the command.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// First make packages of this program, for a trial.
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// Write results here, as JUnit does.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
}

/// Runs all install commands of the README.
pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    if let Some(program) = &options.program {
        packages::for_trial(program)?;
    }
    let readme = fs::read_to_string(workspace::root().join("README.md"))?;
    let lines = install_lines(&readme)?;
    let registry = Registry::start()?;
    let mut cases = String::new();
    let mut failed = vec![];
    for line in &lines {
        println!("\n{line}");
        let begun = Instant::now();
        let result = install_and_use(line, &registry);
        let failure = match &result {
            Ok(()) => String::new(),
            Err(error) => format!("<failure>{}</failure>", escape(format!("{error:#}"))),
        };
        cases += &format!(
            "<testcase classname=\"README\" name=\"{}\" time=\"{:.3}\">{failure}</testcase>\n",
            escape(line.as_str()),
            begun.elapsed().as_secs_f64()
        );
        if let Err(error) = result {
            println!("error: {error:#}");
            failed.push(line.as_str());
        }
    }
    if let Some(report) = &options.report {
        let text = format!(
            "<testsuites><testsuite name=\"packages\">\n{cases}</testsuite></testsuites>\n"
        );
        fs::write(report, text)?;
    }
    ensure!(
        failed.is_empty(),
        "{} of {} ways to install fail: {}",
        failed.len(),
        lines.len(),
        failed.join(", ")
    );
    println!("\n{} ways to install work", lines.len());
    Ok(())
}

/// Installs with one line, and uses what it installed.
fn install_and_use(line: &str, registry: &Registry) -> anyhow::Result<()> {
    let way = Way::of(line)?;
    let machine = way.machine(registry)?;
    let command = line
        .replace(RELEASES, &format!("{}/download", registry.address))
        .replace(PROFILE, "pprof/cpu.pb.gz");
    if way == Way::Script {
        let broken =
            command.replace("| sh", "| HOTFRAME_DOWNLOAD=${HOTFRAME_DOWNLOAD%/*}/broken sh");
        let said = machine.refuses(&broken)?;
        ensure!(said.contains("is not what was released"), "{said}");
        machine.run("test ! -e .local/bin/hotframe")?;
    }
    let begun = Instant::now();
    let hotframe = way.install(&machine, &command)?;
    println!("  the page came {:.1} s after the command", begun.elapsed().as_secs_f64());
    use_it(&machine, &hotframe)?;
    match way {
        Way::Pip => use_python(&machine),
        Way::Npx => use_builder(&machine),
        _ => Ok(()),
    }
}

/// The commands of the README's section on installing that take a package.
fn install_lines(readme: &str) -> anyhow::Result<Vec<String>> {
    let section = readme.split("\n## ").find(|section| section.starts_with("Install\n"));
    let section = section.context("README.md has no section `Install`")?;
    let block = section.split("```sh\n").nth(1).and_then(|rest| rest.split("```").next());
    let block = block.context("the section `Install` has no commands")?;
    let lines: Vec<String> = block
        .lines()
        .map(|line| line.split(" #").next().unwrap_or(line).trim().to_owned())
        .filter(|line| !line.is_empty())
        .collect();
    ensure!(lines.len() >= 5, "the section `Install` has {} commands", lines.len());
    Ok(lines)
}

/// How a package is installed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Script,
    Uv,
    Pip,
    Npx,
    Debian,
}

impl Way {
    fn of(line: &str) -> anyhow::Result<Way> {
        Ok(match line.split_whitespace().next() {
            Some("curl") => Way::Script,
            Some("uvx") => Way::Uv,
            Some("pip") => Way::Pip,
            Some("npx") => Way::Npx,
            Some("sudo") => Way::Debian,
            _ => bail!("no test knows how to run `{line}`"),
        })
    }

    /// A system with what the command needs.
    fn machine(self, registry: &Registry) -> anyhow::Result<Machine> {
        let mut machine = Machine::new(&format!("{self:?}").to_lowercase())?;
        let address = &registry.address;
        match self {
            Way::Script => machine.set("HOTFRAME_DOWNLOAD", &format!("{address}/download")),
            Way::Uv => {
                machine.bring(&setup::uv()?, "/usr/local/bin/uv")?;
                machine.bring(&setup::uv()?.with_file_name("uvx"), "/usr/local/bin/uvx")?;
                machine.set("UV_DEFAULT_INDEX", &format!("{address}/simple"));
                machine.set("UV_PYTHON_DOWNLOADS", "never");
            }
            Way::Pip => {
                machine.set("PIP_INDEX_URL", &format!("{address}/simple"));
                machine.set("PIP_DISABLE_PIP_VERSION_CHECK", "1");
            }
            Way::Npx => {
                let node = setup::node()?;
                machine.bring(&node, "/usr/local/bin/node")?;
                machine.bring(&npm_beside(&node)?, "/usr/local/lib/npm")?;
                machine.run("ln -s ../lib/npm/bin/npx-cli.js /usr/local/bin/npx")?;
                machine.run("ln -s ../lib/npm/bin/npm-cli.js /usr/local/bin/npm")?;
                machine.set("npm_config_registry", &format!("{address}/npm/"));
                machine.set("npm_config_yes", "true");
            }
            Way::Debian => {
                let package = format!("hotframe_{}_amd64.deb", version());
                let from = super::stage::folder().join(&package);
                machine.bring(&from, &format!("/home/me/{package}"))?;
            }
        }
        Ok(machine)
    }

    /// Installs the program and shows a profile; gives the command that runs the program afterwards.
    fn install(self, machine: &Machine, line: &str) -> anyhow::Result<String> {
        let (hotframe, first) = match self {
            Way::Script => {
                machine.run(line)?;
                ("hotframe", None)
            }
            Way::Uv => ("uvx hotframe", Some(line)),
            Way::Pip => {
                machine.run("python3 -m venv .local")?;
                machine.run(line)?;
                ("hotframe", None)
            }
            Way::Npx => ("npx hotframe", Some(line)),
            Way::Debian => {
                // The user of this system is root, and apt asks nobody.
                machine.run(&line.replace("sudo apt install", "apt-get install -y -q"))?;
                ("hotframe", None)
            }
        };
        let open = first.map_or_else(|| format!("{hotframe} pprof/cpu.pb.gz"), ToOwned::to_owned);
        let page = machine.page_of(&format!("{open} --no-browser"))?;
        ensure!(page.contains("<script type=\"module\""), "not a page: {page}");
        Ok(hotframe.to_owned())
    }
}

/// npm, as it lies beside a Node.js.
fn npm_beside(node: &Path) -> anyhow::Result<PathBuf> {
    let npm = crate::command::installed(&["npm"]).context("npm is not on the PATH")?;
    let script = npm.canonicalize()?;
    let folder = script.ancestors().nth(2).context("npm is in no folder")?;
    ensure!(folder.join("package.json").is_file(), "no npm beside {}", node.display());
    Ok(folder.to_path_buf())
}

/// Shows, compares, exports and records.
fn use_it(machine: &Machine, hotframe: &str) -> anyhow::Result<()> {
    fs::write(machine.home().join("program.py"), PROGRAM)?;
    let said = machine.run(&format!("{hotframe} --version"))?;
    ensure!(said.trim() == format!("hotframe {}", version()), "{said}");
    let expect = |script: String, text: &str| -> anyhow::Result<()> {
        let said = machine.run(&script)?;
        ensure!(said.contains(text), "`{script}` does not say {text}:\n{said}");
        Ok(())
    };
    expect(format!("{hotframe} show pprof/cpu.pb.gz -n 3"), "mapaccess2_faststr")?;
    expect(
        format!("{hotframe} diff --base runs/before-*.pb.gz --new runs/after-*.pb.gz -n 2"),
        "memeqbody",
    )?;
    machine.run(&format!("{hotframe} export pprof/cpu.pb.gz -o report.html"))?;
    expect("cat report.html".to_owned(), "id=\"hotframe-engine\"")?;
    machine.run(&format!(
        "{hotframe} record python -o program.calls --no-open -- python3 program.py"
    ))?;
    expect(format!("{hotframe} show program.calls -n 3"), "genexpr")?;
    machine.run(&format!(
        "{hotframe} record python --trace -o all.calls --no-open -- python3 program.py"
    ))?;
    expect(format!("{hotframe} show all.calls -n 3"), "genexpr")
}

/// Opens a profile in Python, and traces a program with the package. It does so, too, where the package is in a
/// folder that `--target` names, whose list of files leads out of it.
fn use_python(machine: &Machine) -> anyhow::Result<()> {
    machine.run("pip install --quiet --target deps/site hotframe")?;
    fs::create_dir_all(machine.home().join("bin"))?;
    let planted = "mkdir -p bin && printf '#!/bin/sh\\necho planted >&2\\nexit 9\\n' >bin/hotframe && chmod +x bin/hotframe";
    machine.run(planted)?;
    let opens = "import hotframe, hotframe._engine as engine; hotframe.open('pprof/cpu.pb.gz'); print(engine._program())";
    let said = machine.run(&format!("PYTHONPATH=deps/site /usr/bin/python3 -c \"{opens}\""))?;
    ensure!(said.trim() == "/home/me/deps/site/bin/hotframe", "{said}");
    machine.run("deps/site/bin/hotframe record python --trace -o in.calls --no-open -- /usr/bin/python3 program.py")?;

    let script = "import hotframe\nprint(hotframe.open('pprof/cpu.pb.gz').top_down())\n";
    fs::write(machine.home().join("opens.py"), script)?;
    machine.run("python opens.py")?;
    machine.run("python -m hotframe record -o trace.calls program.py")?;
    let said = machine.run("hotframe show trace.calls -n 3")?;
    ensure!(said.contains("genexpr"), "{said}");
    Ok(())
}

/// Writes a profile with the builder that comes with the package of npm.
fn use_builder(machine: &Machine) -> anyhow::Result<()> {
    let script = "import { appendFileSync, openSync } from 'node:fs';\n\
                  import { Profile, ROOT } from 'hotframe';\n\
                  const file = openSync('built.hotframe', 'w');\n\
                  const profile = new Profile((bytes) => appendFileSync(file, bytes), { producer: 'a test' });\n\
                  const time = profile.metric({ name: 'time', unit: 'nanoseconds' });\n\
                  const main = profile.context(ROOT, profile.frame({ function: 'built_here', file: 'a.js', line: 3 }));\n\
                  profile.point({ context: main, values: [[time, 1200]] });\n\
                  profile.close();\n";
    fs::write(machine.home().join("writes.mjs"), script)?;
    machine.run("npm install --silent hotframe")?;
    machine.run("node writes.mjs")?;
    let said = machine.run("npx hotframe show built.hotframe -n 3")?;
    ensure!(said.contains("built_here"), "{said}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Way, install_lines};

    #[test]
    fn every_install_command_of_the_readme_is_tested() {
        let lines = install_lines(include_str!("../../../README.md")).unwrap();
        for line in lines {
            assert!(Way::of(&line).is_ok(), "{line}");
        }
    }
}
