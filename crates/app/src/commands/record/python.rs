//! `hotframe record python`: a program of Python, sampled from outside.

use std::path::Path;

use anyhow::Result;
use record::{Pausing, PythonOptions, RecordOptions, Status, TraceOptions};

use super::once::once;
use super::{ask, check};
use crate::arguments::{Pauses, RecordPython};

pub(super) fn record(arguments: &RecordPython) -> Result<Option<Status>> {
    let name = match arguments.pid {
        Some(pid) => format!("python-{pid}"),
        None => name_of(&arguments.command)?,
    };
    if arguments.check {
        let output = arguments.output.as_deref();
        return check::check(sampled(arguments, name.clone()), traced(arguments, name), output);
    }
    let (asked, ending) = if arguments.memory {
        (traced(arguments, name), "memory")
    } else if arguments.counts {
        (traced(arguments, name), "prof")
    } else if arguments.trace {
        (traced(arguments, name), "calls")
    } else {
        (sampled(arguments, name), "hotframe")
    };
    once(&asked, arguments.output.as_deref(), ending, !arguments.no_open)
}

/// What is recorded from inside.
fn traced(arguments: &RecordPython, name: String) -> RecordOptions {
    RecordOptions {
        recorder: "python-trace".to_owned(),
        trace: TraceOptions {
            limit: if arguments.exact { 0 } else { arguments.limit },
            without_c_functions: arguments.no_c_functions,
            counts: arguments.counts,
            log: arguments.log.clone(),
            memory: arguments.memory.then_some(if arguments.exact { 0 } else { arguments.sample }),
        },
        python: PythonOptions {
            pid: arguments.pid,
            duration_ms: arguments.duration.map(milliseconds),
            ..PythonOptions::default()
        },
        ..RecordOptions::new(name, arguments.command.clone())
    }
}

fn milliseconds(length: std::time::Duration) -> u64 {
    length.as_millis() as u64
}

fn sampled(arguments: &RecordPython, name: String) -> RecordOptions {
    RecordOptions {
        recorder: "python".to_owned(),
        python: PythonOptions {
            frequency: arguments.frequency,
            pausing: match arguments.pause {
                Pauses::Auto => Pausing::Auto,
                Pauses::Always => Pausing::Always,
                Pauses::Never => Pausing::Never,
            },
            duration_ms: arguments.duration.map(milliseconds),
            pid: arguments.pid,
            without_children: arguments.no_children,
        },
        ..RecordOptions::new(name, arguments.command.clone())
    }
}

/// What is run, not what runs it: `prog` of `python3 -X dev prog.py`, `pytest` of `python -m
/// pytest`.
fn name_of(command: &[String]) -> Result<String> {
    let program = ask::name_of(command, None)?;
    if !program.starts_with("python") {
        return Ok(program);
    }
    let mut words = command.iter().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "-m" => return Ok(words.next().cloned().unwrap_or(program)),
            "-c" | "-" => return Ok(program),
            // Options that have a value of their own.
            "-W" | "-X" | "--check-hash-based-pycs" => {
                words.next();
            }
            option if option.starts_with('-') => {}
            script => {
                let stem = Path::new(script).file_stem().map(|stem| stem.to_string_lossy());
                let stem = stem.unwrap_or_default().trim_start_matches('.').to_owned();
                return Ok(if stem.is_empty() { program } else { stem });
            }
        }
    }
    Ok(program)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recording_is_called_as_what_is_run() {
        let of = |text: &str| {
            let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
            name_of(&words).unwrap()
        };
        assert_eq!(of("python3.11 -X dev -u a/prog.py x.py"), "prog");
        assert_eq!(of("/usr/bin/python -m pytest -q"), "pytest");
        assert_eq!(of("python -c pass x.py"), "python");
        assert_eq!(of("./serve.sh x.py"), "serve.sh");
        assert_eq!(of("python3"), "python3");
        assert!(name_of(&[]).is_err());
    }
}
