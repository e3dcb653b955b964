//! From the end of a job to runs in the result.

use jobs::{End, Ended, JobStore};
use profile::FactKind;
use record::{HostLoad, Machine, Status};

use crate::body::{JobFacts, RunFacts};
use crate::result::{EXPERIMENT, Facts, JOB, Recorded, ReportedFact, read_bytes};
use crate::{Body, Error, Experiment};

/// Most characters of what a failed command said that are kept.
const MOST_OUTPUT: usize = 4000;

/// The runs of a job that ended: one, and before it those that were disturbed.
pub(super) fn runs(
    store: &dyn JobStore,
    experiment: &Experiment,
    batch: &str,
    body: &Body,
    ended: &Ended,
) -> Result<Vec<Recorded>, Error> {
    let (facts, pieces, failure) = match &ended.end {
        End::Done { result, facts } => (facts, &result[..], None),
        End::Failed { class, what, output, result, facts } => {
            let output = String::from_utf8_lossy(output).into_owned();
            (facts, &result[..], Some((format!("{class:?}").to_lowercase(), what.clone(), output)))
        }
        End::Cancelled => {
            let what = ("cancelled".to_owned(), "it was cancelled".to_owned(), String::new());
            (&vec![], &[][..], Some(what))
        }
    };
    let facts: JobFacts = serde_json::from_slice(facts).unwrap_or_default();
    let common = common(experiment, batch, body, ended, &facts);
    let none = [RunFacts::default()];
    // What failed before anything ran is a run, too.
    let executed = if facts.runs.is_empty() { &none[..] } else { &facts.runs[..] };
    let mut runs = vec![];
    for (at, run) in executed.iter().enumerate() {
        let is_last = at + 1 == executed.len();
        let mut all = common.clone();
        all.extend(of_run(run));
        if let Some((class, what, output)) = failure.as_ref().filter(|_| is_last) {
            all.extend(failure_facts(class, what));
            let from = output.char_indices().rev().nth(MOST_OUTPUT - 1).map_or(0, |(at, _)| at);
            if !output.is_empty() {
                all.push(note("output", &output[from..]));
            }
        }
        let profile = match run.piece.and_then(|piece| pieces.get(piece)) {
            Some(piece) => {
                let mut bytes = vec![];
                store.get(&piece.hash, &mut bytes)?;
                let read = read_bytes(Box::new(std::io::Cursor::new(bytes)));
                Some(read.map_err(|what| {
                    Error::refused(
                        format!("a run that was kept cannot be read: {what}"),
                        "run it again: --again",
                    )
                })?)
            }
            None => None,
        };
        let repeat = if is_last { String::new() } else { format!(", disturbed {}", at + 1) };
        runs.push(Recorded {
            name: format!("{} #{}{repeat}", body.title(), body.run),
            time_ns: if run.started_ns == 0 { ended.at } else { run.started_ns },
            duration_ns: run.wall_ns as i64,
            machine: machine(&facts.machine),
            facts: all,
            profile,
        });
    }
    Ok(runs)
}

fn note(name: &str, text: impl Into<String>) -> (FactKind, String, ReportedFact) {
    (FactKind::Note, name.to_owned(), ReportedFact::Text(text.into()))
}

fn number(
    kind: FactKind,
    name: &str,
    value: i64,
    unit: &'static str,
) -> (FactKind, String, ReportedFact) {
    (kind, name.to_owned(), ReportedFact::Number(value, unit))
}

/// What all runs of a job have.
fn common(
    experiment: &Experiment,
    batch: &str,
    body: &Body,
    ended: &Ended,
    facts: &JobFacts,
) -> Facts {
    let mut all: Facts = body
        .cell
        .iter()
        .map(|(name, _, level)| (FactKind::Factor, name.clone(), ReportedFact::Text(level.clone())))
        .collect();
    let mut add = |name: &str, text: &str| {
        let is_new = !all.iter().any(|(_, known, _)| known == name);
        if !text.is_empty() && is_new {
            all.push(note(name, text));
        }
    };
    add(EXPERIMENT, batch);
    add(JOB, &ended.key.to_string());
    add("recorder", &experiment.asked.recorder);
    add("command", &body.asked.command.join(" "));
    add("worker", ended.worker.as_deref().unwrap_or_default());
    add("host", &facts.machine.host);
    add("kernel", &facts.machine.kernel);
    add("governor", &facts.governor);
    add("isolation", &facts.isolation);
    if let Some(one) = &facts.interpreter {
        add("interpreter version", &format!("{} {}", one.implementation, one.version));
        add("interpreter build", &build_of(one));
        add("interpreter hash", &one.hash);
        add("interpreter program", &one.program.to_string_lossy());
    }
    if let Some(spec) = &body.environment {
        let packages = spec.packages();
        let packages: Vec<String> = packages.iter().map(|(n, v)| format!("{n} {v}")).collect();
        add("packages", &packages.join(", "));
        let lock = jobs::Hash::new(spec.lock.as_bytes()).to_string();
        add("lock", if spec.lock.is_empty() { "" } else { &lock });
    }
    if let Some(source) = &body.source {
        add("source", &source.to_string());
    }
    if let Some(revision) = &body.revision {
        add("commit", &revision.commit);
        add("commit subject", &revision.subject);
        all.push(number(FactKind::Note, "commit time", revision.time_s, "seconds"));
    }
    all.push(number(FactKind::Note, "run", body.run.into(), ""));
    all.push(number(FactKind::Note, "attempt", ended.attempt.into(), ""));
    all
}

fn build_of(one: &crate::Interpreter) -> String {
    // Some distributions optimise by profiles without a word of it in what the interpreter tells.
    let flags =
        if one.flags.is_empty() { "no pgo or lto".to_owned() } else { one.flags.join(", ") };
    let configured = one.configured.trim();
    [one.compiler.as_str(), &flags, configured]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join("; ")
}

fn of_run(run: &RunFacts) -> Facts {
    let mut all = vec![];
    let ns = "nanoseconds";
    if run.wall_ns > 0 {
        all.push(number(FactKind::Measure, "wall time", run.wall_ns as i64, ns));
        all.push(number(FactKind::Measure, "processor time", run.cpu_ns as i64, ns));
    }
    if let Some(bytes) = run.peak_memory_bytes {
        all.push(number(FactKind::Measure, "peak memory", bytes as i64, "bytes"));
    }
    if let Some(bytes) = run.cgroup_peak_memory_bytes {
        all.push(number(FactKind::Measure, "cgroup peak memory", bytes as i64, "bytes"));
    }
    if run.recorder_cpu_ns > 0 {
        let value = run.recorder_cpu_ns as i64;
        all.push(number(FactKind::Measure, "recorder's processor time", value, ns));
    }
    match run.status {
        Some(Status::Exit(code)) => all.push(number(FactKind::Note, "exit code", code.into(), "")),
        Some(Status::Signal(signal)) => {
            all.push(number(FactKind::Note, "ended by signal", signal.into(), ""));
        }
        None => {}
    }
    all.extend(host_facts(&run.host));
    if !run.disturbed.is_empty() {
        all.push(note("disturbed", run.disturbed.as_str()));
    }
    let findings: Vec<&str> = run.findings.iter().map(|finding| finding.what.as_str()).collect();
    if !findings.is_empty() {
        all.push(note("findings", findings.join("\n")));
    }
    let is_doubt = |finding: &&record::Finding| finding.severity >= record::Severity::Warning;
    let doubts: Vec<&str> =
        run.findings.iter().filter(is_doubt).map(|finding| finding.what.as_str()).collect();
    if !doubts.is_empty() {
        all.push(note("warning", doubts.join("; ")));
    }
    all
}

/// What else the machine did, as what is known of a run; what was not measured is not there.
pub fn host_facts(host: &HostLoad) -> Facts {
    let mut all = vec![];
    if let Some(load) = host.load {
        all.push(note(analysis::LOAD, format!("{load:.2}")));
    }
    for (name, value, unit) in [
        (analysis::RUNNABLE, host.runnable, ""),
        (analysis::MACHINE, host.machine_ns, "nanoseconds"),
        (analysis::OTHERS, host.others_ns, "nanoseconds"),
        (analysis::STOLEN, host.stolen_ns, "nanoseconds"),
    ] {
        if let Some(value) = value {
            all.push(number(FactKind::Note, name, i64::try_from(value).unwrap_or(i64::MAX), unit));
        }
    }
    all
}

/// Why a run counts in no comparison, as what is known of it.
pub fn failure_facts(class: &str, what: &str) -> Facts {
    vec![note("failure", class), note("failed", what)]
}

fn machine(from: &Machine) -> profile::Machine {
    profile::Machine {
        name: from.host.clone(),
        kernel: from.kernel.clone(),
        architecture: from.architecture.clone(),
        processor: from.processor.clone(),
        memory_bytes: from.memory_bytes,
        cpus: vec![],
    }
}
