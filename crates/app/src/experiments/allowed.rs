//! What a plan of the page may ask for: whatever it says, it runs isolated, in the files that were
//! sent, by interpreters that are known, within limits. All else is refused.

use std::path::{Component, Path, PathBuf};

use experiment::{Error, Experiment, FactorKind, Interpreter, PlanFile};

use super::limits::{MOST_RUNS, MOST_SECONDS};

/// Most bytes of a plan, and characters of its name.
const MOST_TEXT: usize = 64 << 10;
const MOST_NAME: usize = 64;
/// Most of what else a plan says a number of.
const MOST_WARM_UPS: u32 = 100;
const MOST_REPEATS: u32 = 5;
const MOST_MEMORY_MIB: u64 = 8192;
const MOST_PROCESSES: u64 = 1024;
const MOST_FOLDER_MIB: u64 = 2048;

/// Who measures programs that nobody vouches for: perf sees the whole machine.
const RECORDERS: [&str; 4] = ["python-trace", "python", "file", "time"];

/// Packages are installed outside of isolation, and one that is not a wheel is a program that is run
/// for that.
const WHEELS_ONLY: &str = "--only-binary :all:";

/// Variables by which loaders, interpreters and we ourselves are told what to load.
const KEPT_VARIABLES: [&str; 7] =
    ["LD_", "GLIBC_", "HOTFRAME_", "GIT_", "PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP"];

/// The experiment of a plan's text, as it may be run on a source; else what is wrong, and where.
pub(super) fn allowed(
    text: &str,
    source: &Path,
    interpreters: &[Interpreter],
) -> Result<Experiment, String> {
    if text.len() > MOST_TEXT {
        return Err(format!("a plan may have at most {} KiB", MOST_TEXT >> 10));
    }
    let read = PlanFile::new(text.to_owned(), &source.join("plan.toml"));
    let plan = read.map_err(|error| match error {
        // The file is there for nobody but us.
        Error::Plan { place, what, .. } => format!("{place}: {what}").trim_start().to_owned(),
        other => other.to_string(),
    })?;
    // As it is written an empty path is the folder itself.
    if plan.output.components().ne(source.components()) {
        return Err("output: results are kept beside what was sent: leave it out".to_owned());
    }
    let Ok([mut experiment]) = <[Experiment; 1]>::try_from(plan.experiments) else {
        return Err("experiment: a plan of the page has one experiment".to_owned());
    };
    check_names(&experiment)?;
    check_places(&experiment, source)?;
    check_manner(&experiment)?;
    check_command(&experiment, interpreters)?;
    check_packages(&experiment)?;
    experiment.manner.isolated = true;
    experiment.source.folder = source.to_owned();
    if experiment.source.files.is_empty() {
        // Without names git is asked, which does what a repository's configuration says.
        experiment.source.files = names_in(source);
    }
    let has_packages = !experiment.requirements.is_empty()
        || experiment.matrix.factors.iter().any(|one| one.kind == FactorKind::Requirement);
    if has_packages {
        experiment.requirements.insert(0, WHEELS_ONLY.to_owned());
    }
    Ok(experiment)
}

fn check_names(experiment: &Experiment) -> Result<(), String> {
    let name = &experiment.asked.name;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, ' ' | '-' | '_' | '.');
    if name.len() > MOST_NAME || !name.chars().all(is_plain) {
        return Err(format!(
            "name: letters, digits, spaces, '-', '_' and '.', at most {MOST_NAME} of them"
        ));
    }
    let recorder = &experiment.asked.recorder;
    if !RECORDERS.contains(&recorder.as_str()) {
        return Err(format!(
            "recorder: '{recorder}' is not run from the page, but {}",
            RECORDERS.join(", ")
        ));
    }
    let matrix = &experiment.matrix;
    let kinds = [FactorKind::Machine, FactorKind::Revision];
    if let Some(factor) = matrix.factors.iter().find(|factor| kinds.contains(&factor.kind)) {
        return Err(format!(
            "matrix.{}: what was sent is run as it is, on this machine",
            factor.name
        ));
    }
    let own = experiment.asked.environment.keys().map(String::as_str);
    let varied = matrix.factors.iter().filter(|factor| factor.kind == FactorKind::Variable);
    for name in own.chain(varied.map(|factor| factor.name.as_str())) {
        let is_name = !name.is_empty()
            && !name.starts_with(|c: char| c.is_ascii_digit())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let is_kept = name == "PATH" || KEPT_VARIABLES.iter().any(|kept| name.starts_with(kept));
        if !is_name || is_kept {
            return Err(format!("environment: {} is not set from the page", name.escape_debug()));
        }
    }
    Ok(())
}

/// Nothing but what was sent is read, and nothing is written beside it.
fn check_places(experiment: &Experiment, source: &Path) -> Result<(), String> {
    let is_inside =
        |path: &Path| path.components().all(|part| matches!(part, Component::Normal(_)));
    let asked = &experiment.source;
    if asked.in_place {
        return Err("source.in_place: what was sent is run as a copy: leave it out".to_owned());
    }
    if asked.folder.components().ne(source.components()) {
        return Err("source.folder: what was sent is run: leave it out".to_owned());
    }
    if let Some(name) = asked.files.iter().find(|name| !is_inside(name)) {
        return Err(format!("source.files: {} is not in what was sent", name.display()));
    }
    if !experiment.find_links.is_empty() {
        return Err("find_links: packages come from the index: leave it out".to_owned());
    }
    let folder = experiment.asked.folder.as_deref().unwrap_or(source);
    if !folder.strip_prefix(source).is_ok_and(is_inside) {
        return Err("folder: the command runs in what was sent, or in a folder of it".to_owned());
    }
    match &experiment.asked.file {
        Some(file) if !is_inside(file) => {
            Err("file: what the command leaves is named from where it runs".to_owned())
        }
        _ => Ok(()),
    }
}

fn check_manner(experiment: &Experiment) -> Result<(), String> {
    let (asked, manner) = (&experiment.asked, &experiment.manner);
    let cells = experiment.matrix.factors.iter().map(|factor| factor.levels.len());
    let cells = cells.fold(1, usize::saturating_mul);
    let cells = cells.saturating_add(experiment.matrix.include.len());
    let runs = cells.saturating_mul(asked.runs as usize);
    if runs > MOST_RUNS as usize {
        return Err(format!("runs: {cells} cells have {runs} runs, and may have {MOST_RUNS}"));
    }
    let limits = &manner.limits;
    let bounds = [
        ("timeout_s", manner.timeout_s, MOST_SECONDS),
        ("warm_up_runs", f64::from(manner.warm_up_runs), f64::from(MOST_WARM_UPS)),
        ("repeats", f64::from(manner.repeats), f64::from(MOST_REPEATS)),
        ("limits.memory_mib", limits.memory_mib as f64, MOST_MEMORY_MIB as f64),
        ("limits.processor_s", limits.processor_s as f64, MOST_SECONDS * 4.0),
        ("limits.processes", limits.processes as f64, MOST_PROCESSES as f64),
        ("limits.folder_mib", limits.folder_mib as f64, MOST_FOLDER_MIB as f64),
    ];
    if let Some((name, value, most)) = bounds.into_iter().find(|(_, value, most)| value > most) {
        return Err(format!("{name}: it is {value}, and may be {most}"));
    }
    if asked.recorder == "python-trace" && !record::has_tracer() {
        return Err(
            "recorder: the tracer (libhotframe_native.so) is not beside this program, so calls \
                    cannot be recorded; samples can"
                .to_owned(),
        );
    }
    if asked.python.pid.is_some() {
        return Err("python.pid: only the command is measured".to_owned());
    }
    Ok(())
}

/// The command's first word is looked for outside of isolation where it is an interpreter.
fn check_command(experiment: &Experiment, interpreters: &[Interpreter]) -> Result<(), String> {
    let program = experiment.asked.command.first().map_or("", String::as_str);
    if !is_known(program, interpreters) && program.contains(['/', '{', '~']) {
        return Err(format!(
            "command: {} is not an interpreter of this machine, and a program of your own is begun as \
             [\"sh\", \"-c\", \"./it\"]",
            program.escape_debug()
        ));
    }
    let factors = experiment.matrix.factors.iter();
    let levels = factors
        .filter(|factor| factor.kind == FactorKind::Interpreter)
        .flat_map(|factor| factor.levels.iter());
    let included = experiment.matrix.include.iter().filter_map(|one| one.get("interpreter"));
    for level in levels.chain(included) {
        let is_version = level.starts_with(|c: char| c.is_ascii_digit())
            && level.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '+'));
        if !is_version && !is_known(level, interpreters) {
            return Err(format!(
                "matrix.interpreter: {} is not an interpreter of this machine",
                level.escape_debug()
            ));
        }
        if is_version && !has_version(level, interpreters) {
            return Err(format!("matrix.interpreter: there is no Python {level} here"));
        }
    }
    Ok(())
}

fn is_known(program: &str, interpreters: &[Interpreter]) -> bool {
    interpreters.iter().any(|one| one.program == Path::new(program))
}

fn has_version(level: &str, interpreters: &[Interpreter]) -> bool {
    interpreters.iter().any(|one| {
        one.version == level
            || one.version.strip_prefix(level).is_some_and(|rest| rest.starts_with('.'))
    })
}

/// Packages by name and version: no addresses, paths or options.
fn check_packages(experiment: &Experiment) -> Result<(), String> {
    let is_version = |text: &str| {
        text.chars().all(|c| {
            c.is_ascii_alphanumeric()
                || matches!(
                    c,
                    '.' | ',' | '<' | '>' | '=' | '!' | '~' | '*' | '+' | '-' | '_' | ' '
                )
        }) && !text.trim_start().starts_with('-')
    };
    let is_name = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_alphanumeric())
            && text.chars().all(|c| c.is_ascii_alphanumeric() || "._-[],".contains(c))
    };
    let wrong = |text: &str| {
        Err(format!(
            "requirements: {} is not a package of the index with a version, as in numpy==2.2.1",
            text.escape_debug()
        ))
    };
    for text in &experiment.requirements {
        let end = text.find(|c: char| "<>=!~ ".contains(c)).unwrap_or(text.len());
        let (name, version) = text.split_at(end);
        if !is_name(name) || !is_version(version) {
            return wrong(text);
        }
    }
    let matrix = &experiment.matrix;
    for factor in matrix.factors.iter().filter(|one| one.kind == FactorKind::Requirement) {
        if !is_name(&factor.name) {
            return wrong(&factor.name);
        }
        let included = matrix.include.iter().filter_map(|one| one.get(&factor.name));
        if let Some(level) = factor.levels.iter().chain(included).find(|one| !is_version(one)) {
            return wrong(level);
        }
    }
    Ok(())
}

/// What stands in a folder, without what is hidden and what interpreters leave.
fn names_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<PathBuf> = names
        .filter(|name| !name.starts_with('.') && name != "__pycache__" && name != "node_modules")
        .map(PathBuf::from)
        .collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trying(more: &str) -> Result<Experiment, String> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("p.py"), "").unwrap();
        std::fs::write(folder.path().join(".hidden"), "").unwrap();
        let mut text = more.to_owned();
        for (key, usual) in [("command", "[\"python3\", \"p.py\"]"), ("name", "\"p\"")] {
            if !more.lines().any(|line| line.starts_with(&format!("{key} "))) {
                text = format!("{key} = {usual}\n{text}");
            }
        }
        if !more.contains("recorder") {
            text = format!("recorder = \"time\"\n{text}");
        }
        let found = allowed(&text, folder.path(), &experiment::find_interpreters())?;
        assert_eq!(found.source.folder, folder.path());
        Ok(found)
    }

    #[test]
    fn everything_runs_isolated_in_what_was_sent() {
        for text in ["", "isolated = false", "isolated = true"] {
            let found = trying(text).unwrap();
            assert!(found.manner.isolated, "{text}");
            assert_eq!(found.source.files, [PathBuf::from("p.py")]);
        }
        let found = trying("requirements = [\"numpy>=2\", \"six\"]").unwrap();
        assert_eq!(found.requirements, ["--only-binary :all:", "numpy>=2", "six"]);
        trying("folder = \"sub\"\nenvironment = { OMP_NUM_THREADS = \"2\" }").unwrap();
        let one = &experiment::find_interpreters()[0];
        trying(&format!("[matrix]\ninterpreter = [\"{}\"]", one.program.display())).unwrap();
    }

    #[test]
    fn what_reaches_outside_is_refused() {
        let cases = [
            ("source = { in_place = true }", "source.in_place"),
            ("source = { folder = \"/etc\" }", "source.folder"),
            ("source = { folder = \"..\" }", "source.folder"),
            ("source = { folder = \"sub\" }", "source.folder"),
            ("source = { files = [\"/etc/passwd\"] }", "source.files"),
            ("source = { files = [\"../about.json\"] }", "source.files"),
            ("folder = \"/etc\"", "folder"),
            ("folder = \"../..\"", "folder"),
            ("recorder = \"file\"\nfile = \"/etc/passwd\"", "file"),
            ("recorder = \"file\"\nfile = \"../../x\"", "file"),
            ("output = \"/tmp/elsewhere\"", "output"),
            ("output = \"..\"", "output"),
            ("find_links = [\"wheels\"]", "find_links"),
            ("recorder = \"perf\"", "recorder"),
            ("python = { pid = 1 }", "python.pid"),
            ("runs = 1000000000", "runs"),
            ("runs = 1001", "runs"),
            ("timeout_s = 1e6", "timeout_s"),
            ("limits = { memory_mib = 1000000 }", "limits.memory_mib"),
            ("limits = { processes = 100000 }", "limits.processes"),
            ("repeats = 1000", "repeats"),
            ("environment = { LD_PRELOAD = \"/work/x.so\" }", "environment"),
            ("environment = { PATH = \"/work\" }", "environment"),
            ("environment = { HOTFRAME_STORE = \"/work\" }", "environment"),
            ("[matrix.environment]\nLD_AUDIT = [\"/work/x.so\"]", "environment"),
            ("[matrix]\nrevision = [\"HEAD\"]", "matrix.revision"),
            ("[matrix]\nmachine = [\"one\"]", "matrix.machine"),
            ("[matrix]\ninterpreter = [\"./python3\"]", "matrix.interpreter"),
            ("[matrix]\ninterpreter = [\"/bin/sh\"]", "matrix.interpreter"),
            ("[matrix]\ninterpreter = [\"sh\"]", "matrix.interpreter"),
            ("[matrix]\ninterpreter = [\"2.99\"]", "matrix.interpreter"),
            ("command = [\"./python3\", \"p.py\"]", "command"),
            ("command = [\"/bin/sh\"]", "command"),
            ("command = [\"{x}\"]\nmatrix = { x = [\"/bin/sh\"] }", "command"),
            ("requirements = [\"x @ file:///tmp/x\"]", "requirements"),
            ("requirements = [\"--index-url=http://127.0.0.1\"]", "requirements"),
            ("requirements = [\"-r /etc/passwd\"]", "requirements"),
            ("requirements = [\"x==1\\n--pre\"]", "requirements"),
            ("requirements = [\"./x\"]", "requirements"),
            ("[matrix.requirements]\nx = [\"file:///x.whl\"]", "requirements"),
            ("[matrix.requirements]\nx = [\"1\\n-e .\"]", "requirements"),
            ("name = \"a/b\"", "name"),
            ("name = \"a\\u202eb\"", "name"),
        ];
        for (text, place) in cases {
            match trying(text) {
                Ok(found) => panic!("{text} is allowed: {found:?}"),
                Err(what) => assert!(what.contains(place), "{text}: {what}"),
            }
        }
        let many = format!("command = [\"python3\", \"{}\"]", "x".repeat(MOST_TEXT));
        assert!(trying(&many).unwrap_err().contains("KiB"));
    }
}
