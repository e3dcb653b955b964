//! What would stop a recording half way, looked at before it starts.

use crate::machine::Rights;
use crate::plan::Forecast;
use crate::{CallGraph, Error, Finding, Machine, PerfOptions};

/// What a recording needs, and what there is.
#[derive(Debug)]
pub(super) struct Needs<'a> {
    pub(super) options: &'a PerfOptions,
    pub(super) machine: &'a Machine,
    pub(super) rights: Rights,
    /// Bytes that may be written.
    pub(super) free: Option<u64>,
    pub(super) forecast: Forecast,
    /// perf packs what it writes.
    pub(super) is_packed: bool,
}

/// Bytes of a sample, as measured: with the chain of frame pointers, with a copy of the stack.
const FRAME_POINTERS: u64 = 109;
const STACK_COPY: u64 = 8450;
const LAST_BRANCHES: u64 = 820;
const NO_STACK: u64 = 56;

/// How much smaller recordings are that are packed, at least; with copies of stacks 40 times.
const PACKED: u64 = 8;

/// Files that perf has open besides counters.
const OTHER_FILES: u64 = 64;

/// Bytes of a minute in which all processors are busy.
pub(super) fn bytes_per_minute(
    options: &PerfOptions,
    machine: &Machine,
    with_frequency: usize,
) -> Option<u64> {
    let a_sample = match options.call_graph {
        CallGraph::None => NO_STACK,
        CallGraph::Fp => FRAME_POINTERS,
        CallGraph::Dwarf | CallGraph::Auto => STACK_COPY,
        CallGraph::Lbr => LAST_BRANCHES,
    };
    let rate = u64::from(options.frequency) * with_frequency as u64;
    let is_known = options.period.is_none() && options.count.is_none() && with_frequency > 0;
    is_known.then(|| rate.saturating_mul(60 * u64::from(machine.cpus)).saturating_mul(a_sample))
}

/// What is to be known of limits.
pub(super) fn check(needs: &Needs<'_>) -> Result<Vec<Finding>, Error> {
    paranoid(needs)?;
    descriptors(needs)?;
    let mut findings = vec![];
    findings.extend(rate(needs)?);
    findings.extend(space(needs)?);
    findings.extend(rights(needs));
    Ok(findings)
}

fn paranoid(needs: &Needs<'_>) -> Result<(), Error> {
    let level = needs.machine.perf_event_paranoid.unwrap_or(0);
    if needs.rights.is_privileged {
        return Ok(());
    }
    if level > 2 {
        return Err(Error::refused(
            format!("this user may measure nothing: kernel.perf_event_paranoid is {level}"),
            "allow it until the next start: `sudo sysctl kernel.perf_event_paranoid=1`",
        ));
    }
    if level > 0 && needs.options.count.as_ref().is_some_and(|count| count.by_cpu) {
        return Err(Error::refused(
            format!("this user may not count by processor: kernel.perf_event_paranoid is {level}"),
            "allow it until the next start: `sudo sysctl kernel.perf_event_paranoid=0`, or count \
             without --by-cpu",
        ));
    }
    Ok(())
}

fn descriptors(needs: &Needs<'_>) -> Result<(), Error> {
    let wanted = needs.forecast.descriptors.saturating_add(OTHER_FILES);
    if wanted <= needs.rights.files {
        return Ok(());
    }
    Err(Error::refused(
        format!(
            "perf would have {wanted} files open (events x processors), and may have {}",
            needs.rights.files
        ),
        format!(
            "raise the limit (`ulimit -n {wanted}`, as root), or measure fewer events at once \
                 (--counters)"
        ),
    ))
}

fn rate(needs: &Needs<'_>) -> Result<Option<Finding>, Error> {
    let asked = u64::from(needs.options.frequency);
    match needs.machine.max_sample_rate {
        Some(most) if asked > most && needs.options.period.is_none() => Err(Error::refused(
            format!("{asked} samples a second are more than the kernel takes, {most}"),
            format!(
                "ask for less (--frequency), or raise it: `sudo sysctl \
                 kernel.perf_event_max_sample_rate={asked}`"
            ),
        )),
        _ => Ok(None),
    }
}

fn space(needs: &Needs<'_>) -> Result<Option<Finding>, Error> {
    let (Some(free), Some(raw)) = (needs.free, needs.forecast.bytes_per_minute) else {
        return Ok(None);
    };
    let expected = if needs.is_packed { raw / PACKED } else { raw };
    let size = |bytes: u64| format!("{:.1} MB", bytes as f64 / 1e6);
    let smaller = "record with fewer samples (--frequency) or without copies of the stack \
                   (--call-graph fp), or write to another disk (--output)";
    if expected > free {
        return Err(Error::refused(
            format!(
                "a minute of recording may take {}, and {} are free",
                size(expected),
                size(free)
            ),
            smaller,
        ));
    }
    let what = || {
        let cpus = needs.machine.cpus;
        let packed = if needs.is_packed {
            format!(", {} or less as it is packed", size(expected))
        } else {
            String::new()
        };
        format!("a minute with all {cpus} processors busy takes {}{packed}", size(raw))
    };
    if expected > free / 10 {
        return Ok(Some(Finding::warning(format!("{}; {} are free", what(), size(free)), smaller)));
    }
    let is_large = needs.options.call_graph == CallGraph::Dwarf;
    Ok(is_large.then(|| Finding::note(what(), "")))
}

fn rights(needs: &Needs<'_>) -> Vec<Finding> {
    let mut findings = vec![];
    let machine = needs.machine;
    if needs.rights.is_privileged || needs.options.user_only {
        return findings;
    }
    if machine.perf_event_paranoid.is_some_and(|level| level == 2) {
        findings.push(Finding::note(
            "the kernel is not measured: kernel.perf_event_paranoid is 2",
            "allow it until the next start: `sudo sysctl kernel.perf_event_paranoid=1`",
        ));
    } else if machine.kptr_restrict.is_some_and(|level| level > 0) {
        findings.push(Finding::note(
            "functions of the kernel will have no names: kernel.kptr_restrict hides them",
            "show them until the next start: `sudo sysctl kernel.kptr_restrict=0`",
        ));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(change: impl FnOnce(&mut Needs<'_>, &mut PerfOptions)) -> String {
        let machine = Machine {
            cpus: 4,
            perf_event_paranoid: Some(1),
            max_sample_rate: Some(100_000),
            ..Machine::default()
        };
        let mut options = PerfOptions::default();
        let base = PerfOptions::default();
        let mut needs = Needs {
            options: &base,
            machine: &machine,
            rights: Rights { is_privileged: false, files: 1024 },
            free: Some(1 << 40),
            forecast: Forecast { bytes_per_minute: None, descriptors: 8 },
            is_packed: true,
        };
        change(&mut needs, &mut options);
        let bytes_per_minute = bytes_per_minute(&options, needs.machine, 1);
        needs.forecast = Forecast { bytes_per_minute, ..needs.forecast };
        let needs = Needs { options: &options, ..needs };
        match check(&needs) {
            Ok(findings) => findings
                .iter()
                .map(|f| format!("{}: {} ({})\n", f.severity.name(), f.what, f.advice))
                .collect(),
            Err(error) => format!("refused: {error}"),
        }
    }

    fn paranoid(level: i64) -> &'static Machine {
        let machine = Machine { cpus: 4, perf_event_paranoid: Some(level), ..Machine::default() };
        Box::leak(Box::new(machine))
    }

    #[test]
    fn does_not_report_what_is_enough() {
        assert_eq!(checked(|_, _| {}), "");
    }

    #[test]
    fn each_refusal_says_what_to_do() {
        let told = checked(|needs, _| needs.machine = paranoid(4));
        assert!(told.starts_with("refused: this user may measure nothing"), "{told}");
        assert!(told.contains("sysctl kernel.perf_event_paranoid=1"), "{told}");
        let told = checked(|needs, _| needs.forecast.descriptors = 2000);
        assert!(told.contains("2064 files open") && told.contains("ulimit -n 2064"), "{told}");
        let told = checked(|_, options| options.frequency = 200_000);
        assert!(told.contains("perf_event_max_sample_rate=200000"), "{told}");
        let told = checked(|needs, _| needs.free = Some(1000));
        assert!(told.contains("are free") && told.contains("--frequency"), "{told}");
        let by_cpu = crate::Counting { by_cpu: true, ..Default::default() };
        let told = checked(|_, options| options.count = Some(by_cpu));
        assert!(told.contains("perf_event_paranoid=0"), "{told}");
    }

    #[test]
    fn what_is_missing_is_noted() {
        let told = checked(|needs, _| needs.machine = paranoid(2));
        assert!(told.starts_with("note: the kernel is not measured"), "{told}");
        // 997 samples a second of 8450 bytes on four processors.
        let dwarf = |_: &mut Needs<'_>, options: &mut PerfOptions| {
            options.call_graph = CallGraph::Dwarf;
        };
        let told = checked(dwarf);
        assert!(told.contains("takes 2021.9 MB, 252.7 MB or less"), "{told}");
        let told = checked(|needs, options| {
            dwarf(needs, options);
            needs.free = Some(2_000_000_000);
        });
        assert!(told.starts_with("warning:") && told.contains("2000.0 MB are free"), "{told}");
    }
}
