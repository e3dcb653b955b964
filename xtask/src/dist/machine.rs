//! Copies of a bare system, in which packages are installed and used.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, bail};

use super::stage::{copy, fresh_folder};
use crate::{command, setup, workspace};

/// A system of its own: commands see its files and the network of this machine, and nothing else.
pub(super) struct Machine {
    root: PathBuf,
    variables: Vec<(String, String)>,
}

impl Machine {
    /// A fresh copy of the bare system.
    pub(super) fn new(name: &str) -> anyhow::Result<Machine> {
        let root = fresh_folder("machines")?.join(name);
        command::run(Command::new("cp").arg("-a").arg(setup::bare_system()?).arg(&root))?;
        fs::create_dir_all(root.join("home/me"))?;
        copy(&workspace::root().join("testdata/pprof"), &root.join("home/me/pprof"))?;
        copy(&workspace::root().join("testdata/runs"), &root.join("home/me/runs"))?;
        Ok(Machine { root, variables: vec![] })
    }

    /// The home folder, seen from here.
    pub(super) fn home(&self) -> PathBuf {
        self.root.join("home/me")
    }

    /// Puts a program of this machine there, at the same path, with what lies beside it in a folder.
    pub(super) fn bring(&self, from: &Path, to: &str) -> anyhow::Result<()> {
        let to = self.root.join(to.trim_start_matches('/'));
        fs::create_dir_all(to.parent().context("a path has a folder")?)?;
        command::run(Command::new("cp").arg("-aL").arg(from).arg(&to))
    }

    /// Sets a variable for all commands.
    pub(super) fn set(&mut self, name: &str, value: &str) {
        self.variables.push((name.to_owned(), value.to_owned()));
    }

    fn command(&self, script: &str) -> Command {
        let mut run = Command::new("bwrap");
        run.arg("--bind").arg(&self.root).arg("/");
        run.args(["--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"]);
        run.args(["--ro-bind-try", "/etc/resolv.conf", "/etc/resolv.conf"]);
        run.args(["--unshare-pid", "--die-with-parent", "--chdir", "/home/me", "--clearenv"]);
        run.args(["--setenv", "HOME", "/home/me", "--setenv", "PATH"]);
        run.arg("/home/me/.local/bin:/usr/local/bin:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin");
        for (name, value) in &self.variables {
            run.args(["--setenv", name, value]);
        }
        run.args(["sh", "-euc", script]);
        run
    }

    /// What a script prints; fails if it fails.
    pub(super) fn run(&self, script: &str) -> anyhow::Result<String> {
        println!("  $ {}", script.trim());
        let output = self.command(script).output()?;
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        if !output.status.success() {
            let error = String::from_utf8_lossy(&output.stderr);
            bail!("`{script}` failed: {}\n{printed}{error}", output.status);
        }
        Ok(printed)
    }

    /// What a script says that fails; an error if it does not fail.
    pub(super) fn refuses(&self, script: &str) -> anyhow::Result<String> {
        match self.run(script) {
            Ok(printed) => bail!("`{script}` did not fail:\n{printed}"),
            Err(error) => Ok(format!("{error:#}")),
        }
    }

    /// Starts a script that prints the address of a page, asks for the page, and ends the script.
    pub(super) fn page_of(&self, script: &str) -> anyhow::Result<String> {
        /// Until the program has been downloaded, too.
        const PATIENCE: Duration = Duration::from_secs(120);
        println!("  $ {}", script.trim());
        let mut command = self.command(script);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let (sender, receiver) = mpsc::channel();
        for stream in [
            child.stdout.take().map(|stream| Box::new(stream) as Box<dyn std::io::Read + Send>),
            child.stderr.take().map(|stream| Box::new(stream) as Box<dyn std::io::Read + Send>),
        ] {
            let stream = stream.context("the output is a pipe")?;
            let sender = sender.clone();
            thread::spawn(move || {
                // The other side is gone once the address was found.
                let lines = BufReader::new(stream).lines().map_while(Result::ok);
                lines.for_each(|line| drop(sender.send(line)));
            });
        }
        drop(sender);
        let mut lines = vec![];
        let address = loop {
            let Ok(line) = receiver.recv_timeout(PATIENCE) else { break None };
            let found = line.find("http://127.0.0.1:").map(|at| &line[at..]);
            if let Some(address) = found.filter(|address| address.contains("?token=")) {
                break Some(address.split_whitespace().next().unwrap_or(address).to_owned());
            }
            lines.push(line);
        };
        let page = match address {
            Some(address) => self.run(&format!("curl -fsS '{address}'")),
            None => Err(anyhow::anyhow!("`{script}` printed no address:\n{}", lines.join("\n"))),
        };
        child.kill()?;
        child.wait()?;
        page
    }
}
