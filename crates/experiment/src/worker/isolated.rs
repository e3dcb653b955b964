//! A command that may use nothing but what it was given.

#![allow(
    clippy::disallowed_methods,
    reason = "folders of the user and of this worker; untrusted programs do not write there"
)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use isolation::{Bind, Bring, Cause, Folder, Guard, Isolation, Launcher, Limits};
use jobs::Class;
use record::{Exchange, RecordOptions, Recorder};

use super::place::Place;
use crate::{Body, Error, environment};

/// Where an isolated command runs, as it sees it.
pub(super) const FOLDER: &str = "/work";

/// Variables by which a recorder reaches what it put into the command.
const PASSED: [&str; 2] = ["PYTHONPATH", "HOTFRAME_TRACE"];

/// An isolated command.
pub(super) struct Isolated {
    /// What is run instead.
    pub(super) asked: RecordOptions,
    /// What holds it, a line each.
    pub(super) in_force: String,
    guard: Guard,
}

/// The exchange folders of a recorder that looks from inside, for one run.
pub(super) fn exchange(
    body: &Body,
    recorder: &dyn Recorder,
    scratch: &Path,
) -> Result<Option<Arc<Exchange>>, Error> {
    let most = body.manner.limits.folder_mib.saturating_mul(1 << 20);
    let exchange = recorder.is_inside().then(|| Exchange::isolated(scratch, most));
    Ok(exchange.transpose()?.map(Arc::new))
}

/// Puts a command into isolation. `scratch` is where the recorder writes: the command cannot reach it, but
/// for what it exchanges with the recorder.
pub(super) fn isolate(
    body: &Body,
    asked: &RecordOptions,
    place: &Place,
    scratch: &Path,
    launcher: &[String],
    exchange: Option<&Exchange>,
) -> Result<Isolated, Error> {
    let Some((program, arguments)) = launcher.split_first() else {
        return Err(Error::refused(
            "there is no program that isolates",
            "run it without `isolated`",
        ));
    };
    let launcher = Launcher { program: PathBuf::from(program), arguments: arguments.to_vec() };
    let limits = &body.manner.limits;
    let mib = |count: u64| count.saturating_mul(1 << 20);
    let wall = Duration::from_secs_f64(body.manner.timeout_s);
    let left = scratch.join("left");
    let bring = asked.file.as_ref().map(|file| Bring {
        into: left.clone(),
        patterns: vec![Bring::exactly(&file.to_string_lossy())],
        bytes: mib(limits.folder_mib),
        files: 1,
    });
    if bring.is_some() {
        beneath::remove_folder(&left).map_err(Error::writing(&left))?;
        std::fs::create_dir_all(&left).map_err(Error::writing(&left))?;
    }
    let site = exchange.map(|exchange| Bind::same(exchange.site()));
    let isolation = Isolation {
        readable: readable(place).into_iter().chain(site).collect(),
        exchange: exchange.map(|exchange| exchange.parts().path().to_owned()),
        folder: Folder { source: Some(place.folder.clone()), bring },
        limits: Limits {
            memory_bytes: mib(limits.memory_mib),
            processor_seconds: limits.processor_s,
            processes: limits.processes,
            folder_bytes: mib(limits.folder_mib),
            file_bytes: mib(limits.folder_mib),
            wall,
            ..Limits::default()
        },
        network: false,
        variables: variables(body, place),
        passed: PASSED.map(str::to_owned).to_vec(),
    };
    let refused = |error: isolation::Error| {
        Error::refused(
            format!("the command cannot be isolated here: {error}"),
            "install bubblewrap, or run it without `isolated` if you trust it",
        )
    };
    let wrapped = isolation.wrap(&launcher, &asked.command).map_err(refused)?;
    let command = wrapped.command.iter().map(|word| word.to_string_lossy().into_owned());
    Ok(Isolated {
        asked: RecordOptions {
            command: command.collect(),
            folder: Some(if asked.file.is_some() { left } else { scratch.to_owned() }),
            // What begins the isolation has none of the command's variables, by which a loader would
            // load what the command brought; but where Python finds modules a recorder adds to.
            environment: asked
                .environment
                .iter()
                .filter(|(name, _)| *name == "PYTHONPATH")
                .map(|(name, text)| (name.clone(), text.clone()))
                .collect(),
            ..asked.clone()
        },
        in_force: wrapped.in_force.to_string(),
        guard: wrapped.guard,
    })
}

impl Isolated {
    /// Which limit ended it, and what it used.
    pub(super) fn end(self) -> (Option<(Class, String)>, Option<isolation::End>) {
        let end = self.guard.end().ok().flatten();
        let cause = end.as_ref().and_then(|end| end.cause).map(|cause| match cause {
            Cause::Wall => (Class::Timeout, "it took longer than it may and was ended"),
            Cause::Memory => (Class::Limit, "it wanted more memory than it may have"),
            Cause::Processor => (Class::Limit, "it took more time on processors than it may"),
            Cause::Processes => (Class::Limit, "it had more processes than it may"),
            Cause::Exchange => (Class::Limit, "it wrote more than it may"),
        });
        (cause.map(|(class, what)| (class, what.to_owned())), end)
    }
}

/// Interpreter and environment, where they are. All of `/usr` is there in any case.
fn readable(place: &Place) -> Vec<Bind> {
    let mut all: Vec<Bind> = vec![];
    if let Some(built) = &place.environment {
        all.push(Bind::same(built.folder.clone()));
    }
    if let Some(interpreter) = &place.interpreter {
        let program = &interpreter.program;
        all.extend(names_of(program).into_iter().map(|to| Bind { from: program.clone(), to }));
        all.extend(interpreter.parts.iter().cloned().map(Bind::same));
    }
    all.retain(|bind| !bind.to.starts_with("/usr") && bind.to.parent().is_some());
    all.sort_by(|a, b| a.to.cmp(&b.to));
    // What stands in a folder that is there is there.
    all.dedup_by(|inner, outer| inner.to.starts_with(&outer.to));
    all
}

/// A program, and links to it that stand beside it: `python3` to `python3.12`.
fn names_of(program: &Path) -> Vec<PathBuf> {
    let beside = program.parent().and_then(|folder| std::fs::read_dir(folder).ok());
    let paths = beside.into_iter().flatten().flatten().map(|entry| entry.path());
    let is_it = |path: &PathBuf| path.canonicalize().is_ok_and(|real| real == program);
    paths.filter(|path| path == program || is_it(path)).collect()
}

/// Those that the plan names, and the way to the environment's programs.
fn variables(body: &Body, place: &Place) -> BTreeMap<String, String> {
    let mut all = body.asked.environment.clone();
    let usual = "/usr/local/bin:/usr/bin:/bin";
    let mut path = match &place.environment {
        Some(built) => format!("{}:{usual}", environment::programs(&built.folder).display()),
        None => usual.to_owned(),
    };
    if let Some(folder) = place.interpreter.as_ref().and_then(|one| one.program.parent()) {
        path.push_str(&format!(":{}", folder.display()));
    }
    all.insert("PATH".to_owned(), path);
    if let Some(built) = &place.environment {
        all.insert("VIRTUAL_ENV".to_owned(), built.folder.display().to_string());
    }
    // What only this machine has is nothing for the command.
    all.retain(|name, _| !name.starts_with("HOTFRAME_"));
    all
}
