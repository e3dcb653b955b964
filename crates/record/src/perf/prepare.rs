//! From what is asked to what will run.

use std::ffi::OsString;
use std::path::Path;

use super::command_line;
use super::events::{DEFAULT_EVENTS, Given, Group, RequestedEvent, parse};
use super::hints;
use super::limits::{self, Needs};
use super::probe;
use super::sets::{self, Item};
use super::stacks;
use super::tool::{Program, said, texts};
use crate::files::Scratch;
use crate::machine::{Rights, free_space};
use crate::manifest::{Event, Events, NotSupported, RunKind, Sampling, Tool};
use crate::overhead;
use crate::plan::{Forecast, Plan, PlannedRun};
use crate::threads::Rules;
use crate::{Error, Finding, Machine, PerfOptions, RecordOptions, command};

pub(super) fn prepare(asked: &RecordOptions, folder: &Path) -> Result<Plan, Error> {
    check(asked)?;
    let program = Program::find()?;
    let machine = Machine::here();
    let (perf, finding) = stacks::chosen(asked, &machine);
    let hint = hints::names(asked).filter(|_| asked.perf.count.is_none());
    let mut findings: Vec<Finding> = finding.into_iter().chain(hint).collect();
    let asked = &RecordOptions { perf, ..asked.clone() };
    let options = &asked.perf;
    let rights = Rights::here();
    let is_user_only = options.user_only || !rights.reach_kernel(&machine);
    let probed = Probed::new(options, &program, is_user_only, &mut findings)?;
    let versions = (&*machine.kernel, &*program.version);
    let dealt = deal(&probed, options, versions, &mut findings);
    let widest = dealt.iter().map(|set| set.names.len()).max().unwrap_or(0);
    let with_frequency = |set: &Set| {
        let of = |event: &&Event| set.names.contains(&event.name);
        let events = probed.events.iter().filter(of);
        events.filter(|event| matches!(event.sampling, Some(Sampling::Frequency(_)))).count()
    };
    let with_frequency = dealt.iter().map(with_frequency).max().unwrap_or(0);
    let forecast = Forecast {
        bytes_per_minute: limits::bytes_per_minute(options, &machine, with_frequency),
        descriptors: widest as u64 * u64::from(machine.cpus),
    };
    findings.extend(limits::check(&Needs {
        options,
        machine: &machine,
        rights,
        free: free_space(folder),
        forecast,
        is_packed: program.offers("-z"),
    })?);
    let runs = runs(asked, &program, &dealt);
    if options.count.is_none() {
        for set in &dealt {
            rehearse(&command_line::record(options, &program, &set.specs, set.frequency(options)))
                .map_err(|said| refusal(options, &said))?;
        }
    }
    let several = dealt.len() > 1;
    let events = probed.events.into_iter().map(|event| {
        let sets: Vec<usize> =
            (0..dealt.len()).filter(|&set| dealt[set].names.contains(&event.name)).collect();
        let set = (several && sets.len() == 1).then(|| sets[0] as u32 + 1);
        Event { set, ..event }
    });
    Ok(Plan {
        asked: asked.clone(),
        tool: Tool { name: super::recorder::NAME.to_owned(), version: program.version },
        events: Events { opened: events.collect(), not_supported: probed.not_supported },
        runs,
        forecast,
        findings,
        exchange: None,
    })
}

fn check(asked: &RecordOptions) -> Result<(), Error> {
    let wrong = |what: &str| Err(Error::BadOptions(what.to_owned()));
    let options = &asked.perf;
    if asked.name.is_empty() || asked.name.contains(['/', '\0']) || asked.name.starts_with('.') {
        return Err(Error::BadOptions(format!("'{}' cannot name files", asked.name)));
    }
    if asked.runs == 0 && asked.overhead.runs == 0 {
        return wrong("nothing is to run: ask for one run or more");
    }
    if options.frequency == 0 || options.period == Some(0) {
        return wrong("a frequency and a period are 1 or more");
    }
    if asked.overhead.frequencies.contains(&0) {
        return wrong("a frequency is 1 or more");
    }
    if options.count.as_ref().is_some_and(|count| count.interval_ms < 10) {
        return wrong("intervals of counts are 10 ms or more");
    }
    Rules::new(&asked.threads)?;
    command_line::check_more(options)?;
    match options.pid {
        Some(pid) => check_process(asked, pid),
        None if options.duration_ms.is_some() => {
            wrong("--duration is for a process that runs already (--pid): a program ends by itself")
        }
        None => command::check_command(asked),
    }
}

fn check_process(asked: &RecordOptions, pid: u32) -> Result<(), Error> {
    let wrong = |what: &str| Err(Error::BadOptions(what.to_owned()));
    if !asked.command.is_empty() {
        return wrong("a process that runs already (--pid) has no program: leave one of them out");
    }
    if asked.runs != 1 || asked.overhead.runs > 0 || asked.perf.count.is_some() {
        return wrong("a process that runs already (--pid) is sampled once");
    }
    if asked.threads.log {
        return wrong("what a process that runs already (--pid) writes is not read");
    }
    if asked.perf.duration_ms == Some(0) {
        return wrong("a duration is longer than 0");
    }
    if !std::path::Path::new(&format!("/proc/{pid}")).exists() {
        return Err(Error::refused(
            format!("there is no process {pid}"),
            "`pgrep -a NAME` lists processes with their numbers",
        ));
    }
    Ok(())
}

/// What opens here.
struct Probed {
    groups: Vec<Group>,
    given: Vec<Vec<Given>>,
    events: Vec<Event>,
    not_supported: Vec<NotSupported>,
}

impl Probed {
    fn new(
        options: &PerfOptions,
        program: &Program,
        is_user_only: bool,
        findings: &mut Vec<Finding>,
    ) -> Result<Probed, Error> {
        let is_default = options.events.is_empty();
        let list = if is_default { DEFAULT_EVENTS.join("\n") } else { options.events.join("\n") };
        let asked = parse(&list).map_err(Error::BadOptions)?;
        check_twice(&asked)?;
        let (mut groups, mut refused) = probe::opened(asked, is_user_only);
        if options.count.is_none() && !groups.is_empty() {
            retain_sampled(&mut groups, &mut refused, options, program);
        }
        if groups.is_empty() && (is_default || options.or_time) {
            let clock = if is_user_only { "cpu-clock:u" } else { "cpu-clock" };
            let clock = RequestedEvent { text: clock.to_owned() };
            if let Err(reason) = probe::counts(&clock.text) {
                refused.push((clock.text, reason));
            } else {
                groups.push(Group { events: vec![clock], modifier: None });
                findings.push(Finding::note(
                    "no counter of the processor opens here: time is measured (cpu-clock)",
                    "virtual machines often have none; measure on the machine itself for cycles",
                ));
            }
        }
        if groups.is_empty() {
            let reasons = refused.iter().map(|(name, reason)| format!("  {name}: {reason}"));
            let reasons: Vec<String> = reasons.collect();
            return Err(Error::refused(
                format!("none of the events opens here:\n{}", reasons.join("\n")),
                "`hotframe record perf --list` shows which do",
            ));
        }
        let all = || groups.iter().flat_map(|group| &group.events);
        let are_there_tracepoints = all().any(RequestedEvent::is_tracepoint);
        let given = groups.iter().map(|group| {
            let give = |(place, event): (usize, &RequestedEvent)| match options.count {
                // Counting knows neither frequency nor period.
                Some(_) => event.as_it_is(Sampling::Default),
                None if place > 0 && group.is_read_together() => event.as_it_is(Sampling::Read),
                None => event.given(options, are_there_tracepoints),
            };
            group.events.iter().enumerate().map(give).collect()
        });
        let given: Vec<Vec<Given>> = given.collect();
        let events = given.iter().flatten().zip(all()).map(|(given, event)| Event {
            name: given.name.clone(),
            sampling: options.count.is_none().then_some(given.sampling),
            set: None,
            is_time: event.is_time(),
        });
        let events: Vec<Event> = events.collect();
        let not_supported = refused.into_iter();
        let not_supported = not_supported.map(|(name, reason)| NotSupported { name, reason });
        Ok(Probed { events, given, groups, not_supported: not_supported.collect() })
    }
}

/// perf cannot tell two events apart that are the same.
fn check_twice(groups: &[Group]) -> Result<(), Error> {
    let events: Vec<&RequestedEvent> = groups.iter().flat_map(|group| &group.events).collect();
    for (place, event) in events.iter().enumerate() {
        let same = events[..place].iter().find(|other| other.plain_text() == event.plain_text());
        if let Some(other) = same {
            let (one, two) = (&other.text, &event.text);
            let what = format!("{one} and {two} are the same event: leave one out");
            return Err(Error::BadOptions(what));
        }
    }
    Ok(())
}

/// Leaves out what can be counted and not sampled. All at once first: that is one process.
fn retain_sampled(
    groups: &mut Vec<Group>,
    refused: &mut Vec<(String, String)>,
    options: &PerfOptions,
    program: &Program,
) {
    let plain = PerfOptions { more: vec![], ..options.clone() };
    let all = groups.iter().flat_map(|group| &group.events).map(|event| event.text.clone());
    let all: Vec<String> = all.collect();
    if rehearse(&command_line::record(&plain, program, &all, None)).is_ok() {
        return;
    }
    for group in groups.iter_mut() {
        group.events.retain(|event| match probe::samples(&event.text, program) {
            Ok(()) => true,
            Err(reason) => {
                refused.push((event.text.clone(), reason));
                false
            }
        });
    }
    groups.retain(|group| !group.events.is_empty());
}

/// Events that are measured in the same runs.
struct Set {
    names: Vec<String>,
    /// As perf gets them: an event or a group each.
    specs: Vec<String>,
    has_tracepoints: bool,
}

impl Set {
    /// The frequency for all events; none where each says its own.
    fn frequency(&self, options: &PerfOptions) -> Option<u32> {
        (!self.has_tracepoints).then_some(options.frequency)
    }
}

fn deal(
    probed: &Probed,
    options: &PerfOptions,
    (kernel, perf): (&str, &str),
    findings: &mut Vec<Finding>,
) -> Vec<Set> {
    const BASE: [&str; 3] = ["cycles", "cpu-cycles", "instructions"];
    let items = probed.groups.iter().map(|group| Item {
        counters: group.events.iter().filter(|event| !event.is_software()).count(),
        is_base: group.events.iter().all(|event| BASE.contains(&event.base())),
    });
    let items: Vec<Item> = items.collect();
    let fits = |places: &[usize]| match (options.multiplex, options.counters) {
        (true, _) => true,
        (false, Some(most)) => {
            places.iter().map(|&place| items[place].counters).sum::<usize>() <= most as usize
        }
        (false, None) => {
            let of = places.iter().flat_map(|&place| &probed.groups[place].events);
            let hardware = of.filter(|event| !event.is_software());
            probe::fits(&hardware.map(|event| event.text.as_str()).collect::<Vec<_>>())
        }
    };
    let dealt = sets::deal(&items, fits);
    for place in dealt.too_large {
        let names: Vec<_> = probed.given[place].iter().map(|given| &*given.name).collect();
        findings.push(Finding::warning(
            format!("the group {} needs more counters than there are", names.join(", ")),
            "its values will be estimates, or missing: make it smaller",
        ));
    }
    if dealt.sets.len() > 1 {
        findings.push(Finding::note(
            format!(
                "there are not enough counters for all events at once: {} sets are measured in separate runs",
                dealt.sets.len()
            ),
            "--multiplex measures all in each run; the values are then estimates",
        ));
    }
    let mut sets = vec![];
    for places in &dealt.sets {
        let given = places.iter().flat_map(|&place| &probed.given[place]);
        sets.push(Set {
            names: given.map(|given| given.name.clone()).collect(),
            specs: places
                .iter()
                .map(|&place| spec(&probed.groups[place], &probed.given[place]))
                .collect(),
            has_tracepoints: places.iter().any(|&place| {
                probed.groups[place].events.iter().any(RequestedEvent::is_tracepoint)
            }),
        });
    }
    let follows = |version: &str| is_since_6_12(version);
    if probed.groups.iter().any(Group::is_read_together) && !(follows(kernel) && follows(perf)) {
        findings.push(Finding::warning(
            format!(
                "group reads (:S) do not follow new threads here: Linux {kernel} with perf {perf}, and both do \
                 from 6.12 on"
            ),
            "record events by themselves if the program has several threads",
        ));
    }
    sets
}

fn is_since_6_12(version: &str) -> bool {
    let mut numbers = version.split(|c: char| !c.is_ascii_digit()).map(str::parse::<u32>);
    let (major, minor) = (numbers.next(), numbers.next());
    matches!((major, minor), (Some(Ok(major)), Some(Ok(minor))) if (major, minor) >= (6, 12))
}

fn spec(group: &Group, given: &[Given]) -> String {
    let specs: Vec<&str> = given.iter().map(|given| given.spec.as_str()).collect();
    match &group.modifier {
        Some(modifier) => format!("{{{}}}{modifier}", specs.join(",")),
        None => specs.join(","),
    }
}

/// Records `true`, so that what will not work is known before the command starts.
fn rehearse(arguments: &[OsString]) -> Result<(), String> {
    let folder = Scratch::new().map_err(|error| error.to_string())?;
    // Loud: this is to find out what perf has to say.
    let arguments = arguments.iter().filter(|argument| *argument != "-q").cloned();
    let own = ["-o".into(), folder.file("rehearsal").into(), "--".into(), "true".into()];
    let output = said(arguments.chain(own)).map_err(|error| error.to_string())?;
    if output.status.success() { Ok(()) } else { Err(texts(&output)) }
}

fn refusal(options: &PerfOptions, said: &str) -> Error {
    let advice = if said.contains("branch stack") {
        "this processor cannot find stacks by last branches: --call-graph fp or dwarf"
    } else if said.contains("mlock") || said.contains("mapping pages") {
        "allow larger buffers (`sudo sysctl kernel.perf_event_mlock_kb=2048`), or ask for smaller \
         ones: --perf '--mmap-pages 32'"
    } else if said.contains("Too many") || said.contains("open files") {
        "raise the limit of open files (`ulimit -n`), or measure fewer events at once (--counters)"
    } else if options.more.is_empty() {
        "`hotframe record perf --list` shows which events open here"
    } else {
        "is an option after --perf wrong? `perf record -h` lists them"
    };
    Error::refused(format!("perf refuses: {}", probe::reason(said)), advice)
}

fn runs(asked: &RecordOptions, program: &Program, sets: &[Set]) -> Vec<PlannedRun> {
    let options = &asked.perf;
    let measured = |set: &Set| PlannedRun {
        number: 0,
        kind: if options.count.is_some() { RunKind::Counted } else { RunKind::Sampled },
        events: set.names.clone(),
        frequency: (options.count.is_none() && options.period.is_none())
            .then_some(options.frequency),
        arguments: match &options.count {
            Some(counting) => command_line::count(options, counting, &set.specs),
            None => command_line::record(options, program, &set.specs, set.frequency(options)),
        },
    };
    let at = |frequency: u32| {
        let options = PerfOptions { frequency, ..options.clone() };
        sets.first().map(|set| PlannedRun {
            kind: RunKind::Overhead,
            frequency: Some(frequency),
            arguments: command_line::record(&options, program, &set.specs, Some(frequency)),
            ..measured(set)
        })
    };
    let measured: Vec<PlannedRun> = sets.iter().map(measured).collect();
    let others: Vec<PlannedRun> =
        asked.overhead.frequencies.iter().filter_map(|&f| at(f)).collect();
    overhead::interleaved(asked, &measured, &others)
}
