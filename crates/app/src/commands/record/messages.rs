//! What is told on standard error: standard output is the command's.

use std::io::Write as _;

use anyhow::Result;
use record::{Finding, Series, Severity};

/// A line of ours among what the command says.
pub(super) fn line(text: &str) -> Result<()> {
    Ok(writeln!(crate::text::stderr(), "hotframe: {}", session::visible(text))?)
}

pub(super) fn findings(findings: &[Finding]) -> Result<()> {
    for finding in findings {
        let severity = match finding.severity {
            Severity::Note => String::new(),
            other => format!("{}: ", other.name()),
        };
        line(&format!("{severity}{}", finding.what))?;
        if !finding.advice.is_empty() {
            line(&format!("  {}", finding.advice))?;
        }
    }
    Ok(())
}

/// What is going to run.
pub(super) fn plan(series: &Series) -> Result<()> {
    let plan = series.plan();
    for event in &plan.events.not_supported {
        line(&format!("left out: {}: {}", event.name, event.reason))?;
    }
    findings(&plan.findings)
}

/// `1 thread`, `2 threads`.
fn counted(count: u64, word: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{} {word}{ending}", session::count_text(count))
}

/// What was recorded, with what is to be known of it.
pub(super) fn recorded(series: &Series) -> Result<()> {
    for run in &series.experiment().runs {
        let Some(file) = &run.file else { continue };
        let events = match &run.holds {
            None => run.events.join(", "),
            Some(holds) => {
                let is_sampled = |name: &str| {
                    let all = &series.experiment().events.opened;
                    all.iter().all(|event| event.name != name || event.sampling.is_some())
                };
                let count = |(event, count): (&String, &u64)| {
                    if is_sampled(event) {
                        format!("{} of {event}", counted(*count, "sample"))
                    } else {
                        format!("{} {event}", session::count_text(*count))
                    }
                };
                let events = holds.samples.iter().map(count);
                // Counts are of a whole process.
                let threads = (holds.threads > 0).then(|| counted(holds.threads, "thread"));
                events.chain(threads).collect::<Vec<_>>().join(", ")
            }
        };
        let size = session::Unit::new("bytes", 0).text(i64::try_from(run.size).unwrap_or(i64::MAX));
        line(&format!("{}: {size}, {events}", file.display()))?;
        findings(&run.findings)?;
    }
    line(&format!("{} has the details: keep it next to the recording", series.manifest().display()))
}
