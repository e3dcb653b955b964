//! Lists of events, as VisPerf's `events.txt` and perf write them.
//!
//! ```text
//! cpu-cycles                     one a line, or between commas
//! {cache-misses,cache-references}  stay together
//! page-faults/period=8/u         when a sample is taken, and where: perf's own notation
//! # a remark
//! ```

use crate::PerfOptions;
use crate::manifest::Sampling;

/// What VisPerf measures by default.
pub const DEFAULT_EVENTS: [&str; 16] = [
    "cpu-cycles",
    "instructions",
    "cache-misses",
    "cache-references",
    "L1-dcache-load-misses",
    "L1-dcache-loads",
    "L1-dcache-stores",
    "L1-icache-load-misses",
    "LLC-loads",
    "LLC-load-misses",
    "LLC-stores",
    "mem-loads",
    "mem-stores",
    "branch-misses",
    "branch-instructions",
    "bus-cycles",
];

/// Events that come in bursts: at a frequency, their estimates are useless where they are few. A
/// sample for each where that is cheap, because what is left over in a thread is not counted.
const BURSTY: [(&str, u64); 11] = [
    ("page-faults", 8),
    ("faults", 8),
    ("minor-faults", 8),
    ("major-faults", 1),
    ("context-switches", 1),
    ("cs", 1),
    ("cpu-migrations", 1),
    ("migrations", 1),
    ("alignment-faults", 1),
    ("emulation-faults", 1),
    ("cgroup-switches", 1),
];

pub(super) const CLOCKS: [&str; 2] = ["cpu-clock", "task-clock"];

/// Events that stay together, mostly one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Group {
    pub(crate) events: Vec<RequestedEvent>,
    /// What stands behind the brace, such as `:S`; none without braces.
    pub(crate) modifier: Option<String>,
}

/// One event.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RequestedEvent {
    /// As it was asked for.
    pub(crate) text: String,
}

/// How an event is given to perf.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Given {
    /// As the recording will call it.
    pub(crate) name: String,
    pub(crate) spec: String,
    pub(crate) sampling: Sampling,
}

/// Reads a list.
pub(crate) fn parse(list: &str) -> Result<Vec<Group>, String> {
    let mut groups = vec![];
    for line in list.lines() {
        let line = line.split('#').next().unwrap_or("");
        for item in split(line)? {
            groups.push(group(item)?);
        }
    }
    Ok(groups)
}

fn group(item: &str) -> Result<Group, String> {
    let Some(inner) = item.strip_prefix('{') else {
        return Ok(Group { events: vec![event(item)?], modifier: None });
    };
    let (inner, modifier) =
        inner.rsplit_once('}').ok_or_else(|| format!("'{item}': the brace is not closed"))?;
    let events = split(inner)?.into_iter().map(event).collect::<Result<Vec<_>, _>>()?;
    let is_modifier = modifier.is_empty() || modifier.strip_prefix(':').is_some_and(is_modifier);
    if events.is_empty() || !is_modifier {
        return Err(format!("'{item}' is not a group of events"));
    }
    Ok(Group { events, modifier: Some(modifier.to_owned()) })
}

fn event(text: &str) -> Result<RequestedEvent, String> {
    let is_odd = |c: char| c.is_control() || c.is_whitespace() || "{};'\"".contains(c);
    if text.starts_with('-') || text.contains(is_odd) || text.matches('/').count() % 2 == 1 {
        return Err(format!("'{text}' is not an event"));
    }
    Ok(RequestedEvent { text: text.to_owned() })
}

/// What stands between commas that are in no braces and no slashes; empty pieces are nothing.
fn split(line: &str) -> Result<Vec<&str>, String> {
    let (mut pieces, mut start, mut depth, mut is_in_terms) = (vec![], 0, 0_u32, false);
    for (at, c) in line.char_indices() {
        match c {
            '/' => is_in_terms = !is_in_terms,
            '{' if depth > 0 => return Err(format!("'{}': groups hold no groups", line.trim())),
            '{' => depth += 1,
            '}' if depth == 0 => return Err(format!("'{}': a brace too many", line.trim())),
            '}' => depth -= 1,
            ',' if depth == 0 && !is_in_terms => {
                pieces.push(&line[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    pieces.push(&line[start..]);
    Ok(pieces.into_iter().map(str::trim).filter(|piece| !piece.is_empty()).collect())
}

fn is_modifier(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| "ukhpPGHSDWebI".contains(c))
}

/// Events of the kernel itself, which never happen in user mode.
const KERNEL: [&str; 5] =
    ["context-switches", "cs", "cpu-migrations", "migrations", "cgroup-switches"];

impl Group {
    /// Samples of the first event read the others.
    pub(crate) fn is_read_together(&self) -> bool {
        self.modifier.as_ref().is_some_and(|modifier| modifier.contains('S'))
    }
}

/// Names of the same event.
const ALIASES: [(&str, &str); 6] = [
    ("faults", "page-faults"),
    ("cs", "context-switches"),
    ("migrations", "cpu-migrations"),
    ("cycles", "cpu-cycles"),
    ("branches", "branch-instructions"),
    ("idle-cycles-frontend", "stalled-cycles-frontend"),
];

impl RequestedEvent {
    /// The same for all names of an event.
    pub(crate) fn plain_text(&self) -> String {
        let base = self.base();
        let alias = ALIASES.iter().find(|(alias, _)| *alias == base);
        format!("{}{}", alias.map_or(base, |(_, name)| name), &self.text[base.len()..])
    }

    /// The event where the kernel is left out; why there is none.
    pub(crate) fn in_user_mode(&self) -> Result<RequestedEvent, String> {
        let base = self.base();
        if KERNEL.contains(&base) || self.is_tracepoint() {
            return Err("it happens in the kernel, which is not measured".to_owned());
        }
        let modifier = match self.text.rsplit_once('/') {
            Some((_, modifier)) => modifier,
            None => self.modifier(),
        };
        if modifier.contains('k') {
            return Err("the kernel is not measured".to_owned());
        }
        let colon = if modifier.is_empty() && !self.text.contains('/') { ":" } else { "" };
        let user = if modifier.contains('u') { "" } else { "u" };
        let colon = if user.is_empty() { "" } else { colon };
        Ok(RequestedEvent { text: format!("{}{colon}{user}", self.text) })
    }

    /// Without anything of ours.
    pub(crate) fn as_it_is(&self, sampling: Sampling) -> Given {
        Given { name: self.text.clone(), spec: self.text.clone(), sampling }
    }

    /// Without where it is measured and when a sample is taken.
    pub(crate) fn base(&self) -> &str {
        let base = self.text.split('/').next().unwrap_or(&self.text);
        match base.rsplit_once(':') {
            Some((base, modifier)) if is_modifier(modifier) => base,
            _ => base,
        }
    }

    /// What stands behind the name: `u` of `cycles:u`.
    fn modifier(&self) -> &str {
        self.text.get(self.base().len() + 1..).unwrap_or("")
    }

    pub(crate) fn is_time(&self) -> bool {
        CLOCKS.contains(&self.base())
    }

    /// The kernel counts it, so it needs no counter of the processor.
    pub(crate) fn is_software(&self) -> bool {
        let base = self.base();
        self.is_time()
            || BURSTY.iter().any(|(name, _)| *name == base)
            || base == "dummy"
            || self.is_tracepoint()
    }

    /// `subsystem:name`.
    pub(crate) fn is_tracepoint(&self) -> bool {
        !self.text.contains('/') && self.base().contains(':')
    }

    /// How perf gets it. Where others of the list are tracepoints, of which perf takes every one
    /// unless it has one frequency for all, each says its own.
    pub(crate) fn given(&self, options: &PerfOptions, are_there_tracepoints: bool) -> Given {
        if let Some(sampling) = self.own_sampling() {
            return Given { name: self.own_name(), ..self.as_it_is(sampling) };
        }
        if let Some(period) = options.period {
            return self.as_it_is(Sampling::Period(period));
        }
        if self.is_tracepoint() {
            return self.as_it_is(Sampling::Default);
        }
        let base = self.base();
        if self.text.contains('/') {
            let frequency = Sampling::Frequency(options.frequency);
            if !are_there_tracepoints {
                return self.as_it_is(frequency);
            }
            let (start, end) = self.text.rsplit_once('/').unwrap_or((&self.text, ""));
            let spec = format!("{start},freq={}/{end}", options.frequency);
            return Given { name: spec.clone(), spec, sampling: frequency };
        }
        let own = |term: String, sampling| Given {
            name: base.to_owned(),
            spec: format!("{base}/{term},name={base}/{}", self.modifier()),
            sampling,
        };
        match BURSTY.iter().find(|(name, _)| *name == base) {
            Some(&(_, period)) => own(format!("period={period}"), Sampling::Period(period)),
            None if are_there_tracepoints => {
                let frequency = options.frequency;
                own(format!("freq={frequency}"), Sampling::Frequency(frequency))
            }
            None => self.as_it_is(Sampling::Frequency(options.frequency)),
        }
    }

    fn term(&self, key: &str) -> Option<&str> {
        let (_, terms) = self.text.split_once('/')?;
        let (terms, _) = terms.rsplit_once('/')?;
        terms.split(',').find_map(|term| term.trim().strip_prefix(key)?.strip_prefix('='))
    }

    fn own_sampling(&self) -> Option<Sampling> {
        let period = self.term("period").and_then(|n| n.parse().ok()).map(Sampling::Period);
        period.or_else(|| self.term("freq").and_then(|n| n.parse().ok()).map(Sampling::Frequency))
    }

    fn own_name(&self) -> String {
        self.term("name").unwrap_or(&self.text).to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(list: &str) -> Result<Vec<String>, String> {
        let text = |group: Group| {
            let events: Vec<_> = group.events.into_iter().map(|event| event.text).collect();
            match group.modifier {
                Some(modifier) => format!("{{{}}}{modifier}", events.join(" ")),
                None => events.join(" "),
            }
        };
        Ok(parse(list)?.into_iter().map(text).collect())
    }

    #[test]
    fn lists_are_lines_and_commas() {
        let list =
            "cpu-cycles\n\n # all\ninstructions, {a,b/x=1,y=2/u}:S # two\ncpu/event=1,umask=2/";
        let expected = ["cpu-cycles", "instructions", "{a b/x=1,y=2/u}:S", "cpu/event=1,umask=2/"];
        assert_eq!(texts(list).unwrap(), expected);
        assert_eq!(texts(&DEFAULT_EVENTS.join("\n")).unwrap(), DEFAULT_EVENTS);
    }

    #[test]
    fn reports_what_is_no_list() {
        for wrong in ["{a", "a}", "{a,{b}}", "{}", "{a}:8", "-o x", "a b", "a/b", "a;b", "{a}x"] {
            assert!(texts(wrong).is_err(), "{wrong}");
        }
    }

    #[track_caller]
    fn check(event: &str, with_tracepoints: bool, name: &str, spec: &str, sampling: Sampling) {
        let event = RequestedEvent { text: event.to_owned() };
        let given = event.given(&PerfOptions::default(), with_tracepoints);
        let expected = Given { name: name.to_owned(), spec: spec.to_owned(), sampling };
        assert_eq!(given, expected);
    }

    #[test]
    fn the_kernel_can_be_left_out() {
        let user = |text: &str| RequestedEvent { text: text.to_owned() }.in_user_mode();
        for (text, expected) in [
            ("cycles", "cycles:u"),
            ("cycles:u", "cycles:u"),
            ("cycles:P", "cycles:Pu"),
            ("cpu/event=1/", "cpu/event=1/u"),
            ("faults/period=3/u", "faults/period=3/u"),
        ] {
            assert_eq!(user(text).unwrap().text, expected);
        }
        for text in ["cs", "cycles:k", "sched:sched_switch", "cpu-migrations:u"] {
            assert!(user(text).is_err(), "{text}");
        }
    }

    #[test]
    fn events_in_bursts_have_periods() {
        use Sampling::{Default, Frequency, Period};
        check("cycles:u", false, "cycles:u", "cycles:u", Frequency(997));
        check("cycles:u", true, "cycles", "cycles/freq=997,name=cycles/u", Frequency(997));
        check("cs", false, "cs", "cs/period=1,name=cs/", Period(1));
        check("faults:k", false, "faults", "faults/period=8,name=faults/k", Period(8));
        check("faults/period=3/", false, "faults/period=3/", "faults/period=3/", Period(3));
        check("cs/freq=9,name=x/", true, "x", "cs/freq=9,name=x/", Frequency(9));
        check("sched:sched_switch", true, "sched:sched_switch", "sched:sched_switch", Default);
        check("cpu/event=1/u", false, "cpu/event=1/u", "cpu/event=1/u", Frequency(997));
        let spec = "cpu/event=1,freq=997/u";
        check("cpu/event=1/u", true, spec, spec, Frequency(997));
    }
}
