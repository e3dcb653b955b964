//! Arguments of perf.

use std::ffi::OsString;

use super::tool::Program;
use crate::{CallGraph, Counting, Error, PerfOptions};

/// Arguments that record events, without the file and the command.
pub(super) fn record(
    options: &PerfOptions,
    program: &Program,
    specs: &[String],
    frequency: Option<u32>,
) -> Vec<OsString> {
    let mut arguments: Vec<String> = ["record", "-q"].map(str::to_owned).to_vec();
    let mut add = |words: &[&str]| arguments.extend(words.iter().map(|&word| word.to_owned()));
    match (options.period, frequency) {
        (Some(period), _) => add(&["-c", &period.to_string()]),
        (None, Some(frequency)) => add(&["-F", &frequency.to_string()]),
        (None, None) => {}
    }
    match options.call_graph {
        CallGraph::None => {}
        // It is settled before.
        CallGraph::Auto => add(&["--call-graph", "dwarf"]),
        CallGraph::Fp => add(&["--call-graph", "fp"]),
        CallGraph::Dwarf => add(&["--call-graph", "dwarf"]),
        CallGraph::Lbr => add(&["--call-graph", "lbr"]),
    }
    // Times that other programs of this machine tell, too. Not `--period`: samples of a frequency
    // have it anyway, and with it the kernel samples each of its own events, whatever their period.
    add(&["-k", "CLOCK_MONOTONIC", "--sample-cpu", "--timestamp"]);
    // Build ids in the recording; otherwise perf would read all of it again to find them, and
    // copy programs into a cache.
    add(&[if program.offers("--buildid-mmap") { "--buildid-mmap" } else { "-N" }]);
    if program.offers("-z") {
        add(&["-z"]);
    }
    // What perf asks the kernel of BPF programs takes it a second at the end; their names are
    // recorded without.
    if program.offers("--no-bpf-event") {
        add(&["--no-bpf-event"]);
    }

    if specs.iter().any(|spec| is_read_together(spec)) && program.offers("--running-time") {
        add(&["--running-time"]);
    }
    for spec in specs {
        add(&["-e", spec]);
    }
    arguments.extend(options.more.iter().cloned());
    arguments.into_iter().map(OsString::from).collect()
}

/// Arguments that count events.
pub(super) fn count(options: &PerfOptions, counting: &Counting, specs: &[String]) -> Vec<OsString> {
    let interval = counting.interval_ms.to_string();
    let mut arguments: Vec<String> = ["stat", "-x", ";", "-I", &interval].map(str::to_owned).into();
    if counting.by_cpu {
        arguments.extend(["-a", "-A"].map(str::to_owned));
    }
    for spec in specs {
        arguments.extend(["-e".to_owned(), spec.clone()]);
    }
    arguments.extend(options.more.iter().cloned());
    arguments.into_iter().map(OsString::from).collect()
}

/// A group whose leader's samples read all of it.
pub(super) fn is_read_together(spec: &str) -> bool {
    spec.rsplit_once('}').is_some_and(|(_, modifier)| modifier.contains('S'))
}

/// Options of perf that would make something else of a recording, and what to use instead.
const NOT_PASSED: [(&[&str], &str); 6] = [
    (&["-o", "--output"], "use --output"),
    (&["-e", "--event"], "use --events"),
    (&["-F", "--freq", "-c", "--count"], "use --frequency or --period"),
    (&["-p", "--pid", "-t", "--tid", "-u", "--uid"], "use --pid"),
    (&["--threads", "--switch-output"], "a recording is one file"),
    (&["-x", "-I", "--field-separator", "--interval-print"], "use --count-interval"),
];

/// What is passed on to perf leaves the recording what it is.
pub(super) fn check_more(options: &PerfOptions) -> Result<(), Error> {
    for option in &options.more {
        let is = |name: &str| match name.strip_prefix("--") {
            Some(_) => option == name || option.starts_with(&format!("{name}=")),
            None => option.starts_with(name) && !option.starts_with("--"),
        };
        for (names, instead) in NOT_PASSED {
            // These mean something else when samples are taken.
            let is_for_counts = names.contains(&"-I");
            if is_for_counts == options.count.is_some() && names.iter().any(|name| is(name))
                || !is_for_counts && names.iter().any(|name| is(name))
            {
                return Err(Error::BadOptions(format!(
                    "{option} is not passed on to perf: {instead}"
                )));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(option: &str, is_counted: bool) -> bool {
        let count = is_counted.then(Counting::default);
        let options =
            PerfOptions { more: vec![option.to_owned()], count, ..PerfOptions::default() };
        check_more(&options).is_err()
    }

    #[test]
    fn what_would_change_the_recording_is_not_passed_on() {
        for option in ["-o", "-ox", "--output=x", "-e", "-p1", "--threads", "--switch-output=1s"] {
            assert!(refused(option, false), "{option}");
        }
        for option in
            ["--overwrite", "-P", "-T", "--delay=10", "--switch-events", "--tail-synthesize"]
        {
            assert!(!refused(option, false), "{option}");
        }
        assert!(refused("-I50", true) && !refused("-I", false));
    }

    #[test]
    fn groups_that_are_read_together_are_known() {
        assert!(is_read_together("{a,b}:S") && is_read_together("{a}:uS"));
        assert!(!is_read_together("{S,b}:u") && !is_read_together("S"));
    }
}
