//! From TOML to experiments.

use std::path::{Path, PathBuf};

use record::RecordOptions;
use serde::de::DeserializeOwned;
use toml::{Table, Value};

use super::{Experiment, Manner, PlanFile, SourceOptions};
use crate::{Error, Matrix};

/// Keys of an experiment that are [`Manner`]'s.
const MANNER: [&str; 5] = ["warm_up_runs", "timeout_s", "repeats", "isolated", "limits"];

/// Keys of an experiment that are neither the recorder's nor [`Manner`]'s.
const OWN: [&str; 6] = ["matrix", "exclude", "include", "requirements", "find_links", "source"];

pub(super) fn read(text: String, path: &Path) -> Result<PlanFile, Error> {
    let faults = Faults { text: &text, path };
    let mut table: Table =
        toml::from_str(&text).map_err(|error| faults.at_span(error.span(), error.message()))?;
    let output = take::<PathBuf>(&mut table, "output", &faults)?.unwrap_or_default();
    let tables = match table.remove("experiment") {
        None => vec![table],
        Some(Value::Array(all)) if table.is_empty() => {
            let tables = all.into_iter().map(|one| match one {
                Value::Table(table) => Ok(table),
                _ => Err(faults.at("experiment", "it is a table: [[experiment]]")),
            });
            tables.collect::<Result<_, _>>()?
        }
        Some(Value::Array(_)) => {
            let key = table.keys().next().cloned().unwrap_or_default();
            let what =
                format!("'{key}' belongs into an [[experiment]]; only output stands above them");
            return Err(faults.at(&key, &what));
        }
        Some(_) => return Err(faults.at("experiment", "experiments are tables: [[experiment]]")),
    };
    if tables.is_empty() || tables.iter().any(Table::is_empty) {
        return Err(faults.at("", "it has no experiment"));
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let experiments = tables.into_iter().map(|table| experiment(table, folder, &faults));
    let experiments: Vec<Experiment> = experiments.collect::<Result<_, _>>()?;
    let mut names: Vec<&str> = experiments.iter().map(|one| one.asked.name.as_str()).collect();
    names.sort_unstable();
    if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        let what = format!("two experiments are called '{}'", pair[0]);
        return Err(faults.at("name", &what));
    }
    Ok(PlanFile { output: folder.join(output), experiments, text })
}

fn experiment(mut table: Table, folder: &Path, faults: &Faults<'_>) -> Result<Experiment, Error> {
    let mut list = |name: &str| match table.remove(name) {
        None => Ok(vec![]),
        Some(Value::Array(all)) => Ok(all),
        Some(_) => Err(faults.at(name, &format!("it is a list of tables: [[{name}]]"))),
    };
    let (exclude, include) = (list("exclude")?, list("include")?);
    let matrix = take::<Table>(&mut table, "matrix", faults)?.unwrap_or_default();
    let matrix = Matrix::new(matrix, exclude, include);
    let matrix = matrix.map_err(|(place, what)| faults.at(&place, &what))?;
    let requirements = take::<Vec<String>>(&mut table, "requirements", faults)?;
    let find_links = take::<Vec<PathBuf>>(&mut table, "find_links", faults)?;
    let mut source = take::<SourceOptions>(&mut table, "source", faults)?.unwrap_or_default();
    if source.folder.as_os_str().is_empty() {
        source.plan = faults.path.file_name().map(PathBuf::from);
    }
    source.folder = folder.join(&source.folder);
    let mut manner = Table::new();
    for key in MANNER {
        if let Some(value) = table.remove(key) {
            manner.insert(key.to_owned(), value);
        }
    }
    let manner: Manner = typed(Value::Table(manner), "", faults)?;
    if let Some(unknown) = table.keys().find(|key| !is_known_key(key)) {
        let known = OWN.into_iter().chain(MANNER).chain(COMMAND_KEYS);
        let known = known.collect::<Vec<_>>().join(", ");
        return Err(faults.at(unknown, &format!("there is no '{unknown}', there are {known}")));
    }
    for needed in ["name", "command"] {
        if !table.contains_key(needed) {
            return Err(faults.at("", &format!("an experiment has no '{needed}'")));
        }
    }
    let mut asked: RecordOptions = typed(Value::Table(table), "", faults)?;
    asked.folder = Some(folder.join(asked.folder.take().unwrap_or_default()))
        .filter(|folder| !folder.as_os_str().is_empty());
    let found = Experiment {
        asked,
        matrix,
        requirements: requirements.unwrap_or_default(),
        find_links: find_links.unwrap_or_default().iter().map(|one| folder.join(one)).collect(),
        source,
        manner,
    };
    match found.fault() {
        Some((place, what)) => Err(faults.at(&place, &what)),
        None => Ok(found),
    }
}

/// Keys of [`RecordOptions`].
const COMMAND_KEYS: [&str; 13] = [
    "name",
    "command",
    "folder",
    "environment",
    "recorder",
    "file",
    "runs",
    "warm_up_ms",
    "threads",
    "overhead",
    "perf",
    "python",
    "trace",
];

fn is_known_key(key: &str) -> bool {
    COMMAND_KEYS.contains(&key)
}

/// A value that may be missing.
fn take<T: DeserializeOwned>(
    table: &mut Table,
    name: &str,
    faults: &Faults<'_>,
) -> Result<Option<T>, Error> {
    table.remove(name).map(|value| typed(value, name, faults)).transpose()
}

fn typed<T: DeserializeOwned>(value: Value, name: &str, faults: &Faults<'_>) -> Result<T, Error> {
    let read = serde_path_to_error::deserialize(value);
    read.map_err(|error| {
        let path = error.path().to_string();
        let place = match (name, path.as_str()) {
            (name, ".") => name.to_owned(),
            ("", path) => path.to_owned(),
            (name, path) => format!("{name}.{path}"),
        };
        faults.at(&place, error.inner().to_string().lines().next().unwrap_or_default())
    })
}

/// Says where a plan is wrong.
struct Faults<'a> {
    text: &'a str,
    path: &'a Path,
}

impl Faults<'_> {
    fn at_span(&self, span: Option<std::ops::Range<usize>>, what: &str) -> Error {
        let line = span.map(|span| self.text[..span.start.min(self.text.len())].lines().count());
        let place = line.map_or(String::new(), |line| format!(" line {}", line.max(1)));
        Error::Plan { file: self.path.to_owned(), place, what: what.to_owned() }
    }

    /// The line, from 0, where a table of a list begins: `exclude[1].seconds` has its head in the
    /// second `[[exclude]]`.
    fn head_of(&self, place: &str) -> Option<usize> {
        let (list, rest) = place.split_once('[')?;
        let number: usize = rest.split_once(']')?.0.parse().ok()?;
        let head = |line: &str| {
            line.trim()
                .strip_prefix("[[")
                .and_then(|line| line.split_once("]]"))
                .is_some_and(|(name, _)| name.trim().rsplit('.').next() == Some(list))
        };
        let mut heads = self.text.lines().enumerate().filter(|(_, line)| head(line));
        heads.nth(number).map(|(at, _)| at)
    }

    /// By the path of keys. The line is that of the last key of it that the text has at the start of
    /// a line or of a table; in a list of tables, below the head of the one that is meant.
    fn at(&self, place: &str, what: &str) -> Error {
        let keys: Vec<&str> =
            place.split('.').map(|key| key.split('[').next().unwrap_or(key)).collect();
        let from = self.head_of(place).unwrap_or(0);
        let names = |line: &str, key: &str| {
            let line = line.trim_start().trim_start_matches('[');
            let line = line.trim_start_matches("matrix.");
            let rest = line.strip_prefix(key).or_else(|| line.strip_prefix('"')?.strip_prefix(key));
            rest.is_some_and(|rest| {
                rest.trim_start_matches('"').trim_start().starts_with(['=', ']', '.'])
            })
        };
        let of_key = |key: &&str| {
            let mut lines = self.text.lines().enumerate().skip(from);
            lines.find(|(_, line)| !key.is_empty() && names(line, key)).map(|(at, _)| at + 1)
        };
        let line = keys.iter().rev().find_map(of_key);
        let line = line.map_or(String::new(), |line| format!(" line {line}"));
        let place = match (line.as_str(), place) {
            (line, "") => line.to_owned(),
            ("", place) => format!(" {place}"),
            (line, place) => format!("{line}, {place}"),
        };
        Error::Plan { file: self.path.to_owned(), place, what: what.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Result<PlanFile, Error> {
        PlanFile::new(text.to_owned(), Path::new("a/plan.toml"))
    }

    #[test]
    fn the_smallest_plan() {
        let text = "name = \"p\"\ncommand = [\"python3\", \"p.py\", \"{seconds}\"]\nruns = 3\n\
                    recorder = \"python\"\n[matrix]\nseconds = [\"0.5\", \"1.0\"]\n";
        let plan = of(text).unwrap();
        let [one] = &plan.experiments[..] else { panic!("one experiment") };
        assert_eq!((one.asked.runs, one.asked.recorder.as_str()), (3, "python"));
        assert_eq!(crate::cells(&one.matrix).len(), 2);
        let asked = one.command_in(&[("seconds", "0.5")].into());
        assert_eq!(asked.command, ["python3", "p.py", "0.5"]);
        assert_eq!(one.source.folder, Path::new("a"));
        assert!(!one.is_plain());
    }

    #[test]
    fn plans_of_recordings_are_plans() {
        let text = "output = \"runs\"\n[[experiment]]\nname = \"a\"\ncommand = [\"ls\"]\n\
                    [experiment.perf]\nfrequency = 99\n[[experiment]]\nname = \"b\"\ncommand = [\"ls\"]\n\
                    folder = \"x\"\n";
        let plan = of(text).unwrap();
        assert_eq!(plan.output, Path::new("a/runs"));
        let folders: Vec<_> = plan.experiments.iter().map(|one| one.asked.folder.clone()).collect();
        assert_eq!(folders, [Some("a/".into()), Some("a/x".into())]);
        assert_eq!(plan.experiments[0].asked.perf.frequency, 99);
    }

    #[test]
    fn the_template_is_a_plan() {
        let plan = of(super::super::TEMPLATE).unwrap();
        assert_eq!(plan.experiments.len(), 1);
    }

    #[test]
    fn reports_what_is_wrong_with_its_line() {
        let good = "name = \"p\"\ncommand = [\"a\", \"{s}\"]\n[matrix]\ns = [1]\n";
        assert!(of(good).is_ok());
        let wrong = |from: &str, to: &str, what: &str| {
            let error = of(&good.replacen(from, to, 1)).unwrap_err().to_string();
            assert!(error.starts_with("a/plan.toml") && error.contains(what), "{error}");
        };
        wrong("name = \"p\"\n", "", "an experiment has no 'name'");
        wrong("name = \"p\"", "name = \"p/q\"", " line 1, name: 'p/q' cannot name files");
        let long = format!("name = \"{}\"", "p".repeat(5000));
        wrong("name = \"p\"", &long, " line 1, name: it has 5000 bytes");
        wrong("name = \"p\"", "name = \"p\"\nrun = 3", " line 2, run: there is no 'run'");
        wrong("name = \"p\"", "name = \"p\"\nruns = \"3\"", " line 2, runs: invalid type");
        wrong("name = \"p\"", "name = \"p\"\nruns = 0", " line 2, runs: nothing is to run");
        wrong("name = \"p\"", "name = \"p\"\nrecorder = \"x\"", "line 2, recorder: there is no");
        wrong("name = \"p\"", "name = \"p\"\ntimeout_s = -1", " line 2, timeout_s: it is a number");
        let little = "name = \"p\"\nisolated = true\nlimits = { memory_mib = 15 }";
        wrong("name = \"p\"", little, " line 3, limits: what isolates the command needs 16 MiB");
        wrong("{s}", "{t}", " line 4, matrix.s: nothing uses 's': write {s} in command");
        wrong("s = [1]", "s = []", " line 4, matrix.s: it has no level");
        wrong("s = [1]", "s = [1", " line 4");
        wrong(
            "s = [1]",
            "s = [1]\n[[exclude]]\ns = 2",
            " line 6, exclude[0].s: 's' is never '2', but 1",
        );
        let two = "s = [1]\n[[exclude]]\ns = 1\n[[exclude]]\ns = 2";
        wrong("s = [1]", two, " line 8, exclude[1].s: 's' is never '2', but 1");
        wrong(
            "s = [1]",
            "s = [1]\n[[exclude]]\ns = 1",
            "line 5, exclude: it leaves no combination",
        );
        wrong(
            "name = \"p\"",
            "name = \"p\"\nrecorder = \"file\"",
            " line 2, recorder: it needs the name",
        );
        wrong("[matrix]\n", "[[experiment]]\n", "'name' belongs into an [[experiment]]");
        let twice = "[[experiment]]\nname = \"a\"\ncommand = [\"a\"]\n";
        let error = of(&twice.repeat(2)).unwrap_err().to_string();
        assert!(error.contains("two experiments are called 'a'"), "{error}");
        assert!(of("").unwrap_err().to_string().contains("it has no experiment"));
        let many = "s = [1,2,3,4,5,6,7,8,9,10]\n";
        let many: String =
            ('a'..'h').map(|name| many.replacen('s', &name.to_string(), 1)).collect();
        let braces: String = ('a'..'h').map(|name| format!("{{{name}}}")).collect();
        wrong("s = [1]", &many, "a");
        let text = good.replace("s = [1]\n", &many).replace("{s}", &braces);
        let error = of(&text).unwrap_err().to_string();
        assert!(error.contains("the matrix has 10000000 runs"), "{error}");
    }
}
