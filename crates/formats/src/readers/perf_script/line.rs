//! What single lines of `perf script` say.

use crate::numbers::hexadecimal::address;

/// The fields before the frames of a sample. What was not printed is none or empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Header<'l> {
    pub(super) comm: &'l str,
    pub(super) pid: Option<&'l str>,
    pub(super) tid: Option<&'l str>,
    pub(super) cpu: Option<u32>,
    /// Nanoseconds.
    pub(super) time: Option<i64>,
    pub(super) period: Option<u64>,
    pub(super) event: &'l str,
    /// What follows the event, with the spaces before it.
    pub(super) rest: &'l str,
}

/// One frame: `address symbol+0xoffset (module)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Frame<'l> {
    pub(super) address: u64,
    /// Empty if unknown.
    pub(super) symbol: &'l str,
    /// Empty if unknown.
    pub(super) module: &'l str,
    pub(super) inlined: bool,
}

impl<'l> Header<'l> {
    /// Reads the fields before the frames. The name of a thread may hold spaces and numbers, so
    /// the surest field is looked for first, and what stands left of it is read backwards.
    /// `has_period` tells whether other samples of the file have a period, if that is known.
    pub(super) fn parse(text: &'l str, has_period: Option<bool>) -> Option<Header<'l>> {
        let mut named_only = None;
        for (at, word) in words(text) {
            let Some(time) = word.strip_suffix(':').and_then(nanoseconds) else { continue };
            let right = &text[at + word.len()..];
            let header = match Header::left_of(text[..at].trim_end()) {
                Some(left) => Header { time: Some(time), ..left }.right_of(right),
                None => {
                    let left = Header { comm: text[..at].trim(), ..Header::default() };
                    let header = Header { time: Some(time), ..left }.right_of(right);
                    named_only = named_only.or(Some(header));
                    continue;
                }
            };
            return Some(header);
        }
        if named_only.is_some() {
            return named_only;
        }
        for (at, word) in words(text) {
            let end = at + word.len();
            let is_anchor = processor(word).is_some() || word.split_once('/').is_some_and(is_ids);
            if is_anchor && let Some(left) = Header::left_of(&text[..end]) {
                // The processor comes after the ids.
                let next = words(&text[end..]).next().filter(|(_, word)| processor(word).is_some());
                let (cpu, len) = match next {
                    Some((at, word)) => (processor(word), at + word.len()),
                    None => (left.cpu, 0),
                };
                return Some(Header { cpu, ..left }.right_of(&text[end + len..]));
            }
        }
        Header::parse_bare(text, has_period)
    }

    /// Neither time nor processor nor process: a thread, perhaps a period, perhaps an event.
    fn parse_bare(text: &'l str, has_period: Option<bool>) -> Option<Header<'l>> {
        let id_before = |end: usize| {
            let word = last_word(text[..end].trim_end());
            is_id(word).then(|| text[..end].trim_end().len())
        };
        for (at, _) in words(text).filter(|(_, word)| word.ends_with(':')) {
            let at =
                if last_word(text[..at].trim_end()) == "raw" { at.saturating_sub(4) } else { at };
            let Some(end) = id_before(at) else { continue };
            // Of two numbers the first is the thread and the second the period.
            let end = match id_before(end - last_word(&text[..end]).len()) {
                Some(first) if has_period != Some(false) => first,
                _ => end,
            };
            return Some(Header::left_of(&text[..end])?.right_of(&text[end..]));
        }
        let ends = words(text).filter(|(_, word)| is_id(word)).map(|(at, word)| at + word.len());
        let end = ends
            .rev()
            .find(|&end| text[end..].trim().is_empty() || flat_frame(&text[end..]).is_some());
        let Some(end) = end else {
            // Only the event, perhaps.
            return first_event_end(text).map(|_| Header::default().right_of(text));
        };
        Some(Header::left_of(&text[..end])?.right_of(&text[end..]))
    }

    /// `comm pid/tid [cpu] flags`, where the last three may be missing.
    fn left_of(text: &'l str) -> Option<Header<'l>> {
        let mut header = Header::default();
        let mut left = text;
        let mut word = last_word(left);
        let is_flags = |word: &str| {
            word.len() <= 5 && word.bytes().all(|b| b"KUHGgEeSWTCDXxLl-t".contains(&b))
        };
        if !word.is_empty() && is_flags(word) {
            let before = last_word(left[..left.len() - word.len()].trim_end());
            if is_id_or_pair(before) || processor(before).is_some() {
                left = left[..left.len() - word.len()].trim_end();
                word = before;
            }
        }
        if let Some(cpu) = processor(word) {
            header.cpu = Some(cpu);
            left = left[..left.len() - word.len()].trim_end();
            word = last_word(left);
        }
        match word.split_once('/') {
            Some((pid, tid)) if is_ids((pid, tid)) => {
                (header.pid, header.tid) = (Some(pid), Some(tid));
            }
            // `pid/tid` with the pid padded: `1234/ 5`.
            _ if is_id(word) => header.tid = Some(word),
            _ if header.cpu.is_some() => {
                header.comm = left.trim();
                return Some(header);
            }
            _ if left.is_empty() => return Some(header),
            _ => return None,
        }
        header.comm = left[..left.len() - word.len()].trim();
        Some(header)
    }

    /// `period event: rest`, where each may be missing.
    fn right_of(mut self, text: &'l str) -> Header<'l> {
        self.rest = text;
        let mut rest = text.trim_start();
        if rest.starts_with("PERF_RECORD_") {
            self.event = rest;
            self.rest = "";
            return self;
        }
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let after = &rest[digits..];
        let is_column = digits > 0 && (after.is_empty() || after.starts_with(' '));
        // A number before an address or a name is a period; alone before a symbol it is one of
        // the addresses.
        if is_column
            && (after.trim().is_empty()
                || event_end(after).is_some()
                || flat_frame(after).is_some())
        {
            self.period = rest[..digits].parse().ok();
            rest = after.trim_start();
            self.rest = after;
        }
        if let Some(end) = event_end(rest) {
            self.event = own_name(&rest[..end]);
            self.rest = &rest[end + 1..];
        }
        self
    }

    /// Whether the line says enough to be told from any text.
    pub(super) fn is_sure(&self) -> bool {
        let is_event = !self.event.is_empty();
        (self.tid.is_some() && (self.time.is_some() || is_event || self.pid.is_some()))
            || (self.time.is_some() && is_event)
    }
}

impl<'l> Frame<'l> {
    /// Reads a frame, which must start with its address.
    pub(super) fn parse(text: &'l str) -> Option<Frame<'l>> {
        let text = text.trim();
        let end = text.find([' ', '\t']).unwrap_or(text.len());
        let address = address(&text[..end])?;
        let mut rest = text[end..].trim_start();
        let inlined = rest.strip_suffix("(inlined)");
        rest = inlined.unwrap_or(rest).trim_end();
        let (symbol, module) = split_module(rest);
        let symbol = without_offset(symbol);
        Some(Frame {
            address,
            symbol: if symbol == "[unknown]" { "" } else { symbol },
            module: if module == "[unknown]" { "" } else { module },
            inlined: inlined.is_some(),
        })
    }
}

/// The frame of a sample without a call stack, which stands on the line itself, and whatever
/// columns precede it.
pub(super) fn flat_frame(rest: &str) -> Option<(&str, Frame<'_>)> {
    /// How wide an address is printed, at least.
    const WIDTH: usize = 16;
    let rest = without_branches(rest).trim_end();
    let mut at = 0;
    // A sampled address may come first.
    for _ in 0..2 {
        let text = &rest[at..];
        let padding = text.len() - text.trim_start().len();
        let (start, word) = words(text).next()?;
        address(word)?;
        if padding == 0 || padding + word.len() < WIDTH {
            return None;
        }
        let after = &text[start + word.len()..];
        let next = words(after).next();
        let is_column = next
            .is_some_and(|(gap, word)| address(word).is_some() && (gap >= 2 || word.len() >= 8));
        if !is_column {
            return Frame::parse(text).map(|frame| (rest[..at].trim(), frame));
        }
        at += start + word.len();
    }
    None
}

/// Branches and other columns behind a frame, as `from/to/P/-/-/0` and the like.
pub(super) fn without_branches(text: &str) -> &str {
    let mut left = text.trim_end();
    loop {
        let word = last_word(left);
        if !is_branch(word) {
            return left;
        }
        left = left[..left.len() - word.len()].trim_end();
    }
}

pub(super) fn is_branch(word: &str) -> bool {
    let mut parts = word.split('/').skip(2);
    parts.next().is_some_and(|part| ["P", "M", "-", "N", "PN", "MN"].contains(&part))
        && parts.count() >= 2
}

/// `file:line` below a frame, and whether the frame is an inlined one.
pub(super) fn source_line(text: &str) -> (&str, u32, bool) {
    let text = text.trim();
    let inlined = text.strip_suffix("(inlined)").map(str::trim_end);
    let place = inlined.unwrap_or(text);
    let place = place.split_once(" (discriminator").map_or(place, |(place, _)| place);
    let (file, line) = match place.rsplit_once(':') {
        Some((file, line)) => match line.parse() {
            Ok(line) => (file, line),
            Err(_) => (file, 0),
        },
        // `module[address]`: nothing is known.
        None => ("", 0),
    };
    let file = if file == "??" { "" } else { file };
    (file, if file.is_empty() { 0 } else { line }, inlined.is_some())
}

/// The words of a line with where they start.
fn words(text: &str) -> impl DoubleEndedIterator<Item = (usize, &str)> {
    let start = move |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
    text.split([' ', '\t']).filter(|word| !word.is_empty()).map(move |word| (start(word), word))
}

fn last_word(text: &str) -> &str {
    text.rsplit([' ', '\t']).next().unwrap_or("")
}

/// Where the name of an event at the start of a text ends: at a colon before a space or the end. With spaces of
/// its own it is all of the text.
fn event_end(text: &str) -> Option<usize> {
    first_event_end(text).or_else(|| {
        let name = text.trim_end().strip_suffix(':')?;
        let is_name = |word: &str| !word.contains(['(', ')', '+']);
        (name.contains(' ') && words(name).all(|(_, word)| is_name(word))).then_some(name.len())
    })
}

fn first_event_end(text: &str) -> Option<usize> {
    let mut words = words(text).map(|(at, word)| (at + word.len(), word));
    let (end, word) = words.next()?;
    // Old versions print `raw 0x1d3`.
    let (end, word) = if word == "raw" { words.next()? } else { (end, word) };
    (word.ends_with(':') && word.len() > 1).then(|| end - 1)
}

/// The name that somebody gave an event (`cpu/event=0x3c,name=stalls/`), else all of it.
fn own_name(event: &str) -> &str {
    let terms = event.split_once('/').and_then(|(_, terms)| terms.rsplit_once('/'));
    let named = terms.and_then(|(terms, _)| terms.split(',').find_map(|t| t.strip_prefix("name=")));
    named.filter(|name| !name.is_empty()).unwrap_or(event)
}

fn processor(word: &str) -> Option<u32> {
    let digits = word.strip_prefix('[')?.strip_suffix(']')?;
    (digits.len() >= 3 && digits.bytes().all(|b| b.is_ascii_digit()))
        .then(|| digits.parse().ok())?
}

fn is_id(word: &str) -> bool {
    let digits = word.strip_prefix('-').unwrap_or(word);
    !digits.is_empty() && digits.len() <= 10 && digits.bytes().all(|b| b.is_ascii_digit())
}

fn is_ids((pid, tid): (&str, &str)) -> bool {
    is_id(pid) && is_id(tid)
}

fn is_id_or_pair(word: &str) -> bool {
    is_id(word) || word.split_once('/').is_some_and(is_ids)
}

/// Seconds with decimals, in nanoseconds.
fn nanoseconds(text: &str) -> Option<i64> {
    let (seconds, decimals) = text.split_once('.')?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if !digits(seconds) || !digits(decimals) || decimals.len() > 9 {
        return None;
    }
    let seconds: i64 = seconds.parse().ok()?;
    let fraction = decimals.parse::<i64>().ok()? * 10i64.pow(9 - decimals.len() as u32);
    seconds.checked_mul(1_000_000_000)?.checked_add(fraction)
}

fn without_offset(symbol: &str) -> &str {
    match symbol.rsplit_once("+0x") {
        Some((name, offset)) if address(offset).is_some() => name,
        _ => symbol,
    }
}

/// Splits `symbol (module)`. Symbols and paths may hold parentheses and spaces.
fn split_module(text: &str) -> (&str, &str) {
    let Some(inner) = text.strip_suffix(')') else { return (text, "") };
    let is_start =
        |start: &str| if text.starts_with(&start[1..]) { Some(0) } else { text.find(start) };
    let open = is_start(" (/").or_else(|| text.rfind(" ([")).or_else(|| {
        let mut depth = 0;
        text.bytes().rposition(|byte| {
            depth += i32::from(byte == b')') - i32::from(byte == b'(');
            depth == 0
        })
    });
    let Some(open) = open else { return (text, "") };
    let start = open + usize::from(text.as_bytes()[open] == b' ') + 1;
    let Some(module) = inner.get(start..) else { return (text, "") };
    if open > 0 && !text[..start - 1].ends_with(' ') {
        // `operator()`: no module.
        return (text, "");
    }
    (text[..open].trim_end(), without_offset(module))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(text: &str) -> Header<'_> {
        Header::parse(text, None).unwrap_or_default()
    }

    #[test]
    fn headers_of_any_choice_of_fields() {
        let full = Header {
            comm: "hash/1: b [x] 7",
            tid: Some("22834"),
            time: Some(11_997_757_951_000),
            period: Some(6_711_409),
            event: "cpu-clock:u",
            ..Header::default()
        };
        assert_eq!(header("hash/1: b [x] 7 22834 11997.757951:    6711409 cpu-clock:u:"), full);
        let with_cpu = Header { pid: Some("1"), cpu: Some(12), ..full };
        assert_eq!(
            header("hash/1: b [x] 7     1/22834   [012] 11997.757951:    6711409 cpu-clock:u:"),
            with_cpu
        );
        let untimed = Header { time: None, ..full };
        assert_eq!(header("hash/1: b [x] x 22834    6711409 cpu-clock:u:").tid, untimed.tid);
        assert_eq!(
            Header::parse("hash/1: b [x] 7 22834 cpu-clock:u:", Some(false)),
            Some(Header { period: None, ..untimed })
        );
        let found = header("a b 5/7 ");
        assert_eq!((found.comm, found.pid, found.tid), ("a b", Some("5"), Some("7")));
        let found = header("a b 77 ");
        assert_eq!((found.comm, found.pid, found.tid), ("a b", None, Some("77")));
        let found = header("swapper     0 [003] cycles: ");
        assert_eq!((found.comm, found.cpu, found.event), ("swapper", Some(3), "cycles"));
        let found = header("1.000000001: 5 raw 0x1d3: ");
        assert_eq!(
            (found.time, found.period, found.event),
            (Some(1_000_000_001), Some(5), "raw 0x1d3")
        );
        let found = header("page-faults: ");
        assert_eq!((found.comm, found.event, found.tid), ("", "page-faults", None));
        let found = header("sh 5 [000] K 1.5: sched:sched_switch: prev_comm=a: b ==> x");
        assert_eq!((found.cpu, found.event), (Some(0), "sched:sched_switch"));
        assert_eq!(found.rest.trim(), "prev_comm=a: b ==> x");
    }

    #[test]
    fn frames_with_parentheses_and_spaces() {
        let frame = |text| Frame::parse(text).unwrap_or_default();
        for (text, symbol, module) in [
            (
                "12 a::operator()(int) const+0x5 (/lib/x y.so)",
                "a::operator()(int) const",
                "/lib/x y.so",
            ),
            ("12 f (/tmp/x (deleted))", "f", "/tmp/x (deleted)"),
            ("12 f ([kernel.kallsyms])", "f", "[kernel.kallsyms]"),
            ("12 [unknown] ([unknown])", "", ""),
            ("12 f(char)", "f(char)", ""),
            ("12 f (memfd:a (b) (deleted))", "f", "memfd:a (b) (deleted)"),
            ("12 (/lib/x.so+0x77)", "", "/lib/x.so"),
            ("12", "", ""),
        ] {
            let found = frame(text);
            assert_eq!(
                (found.address, found.symbol, found.module),
                (0x12, symbol, module),
                "{text}"
            );
        }
        assert!(frame("12 f<a>(b)+0x4 (inlined)").inlined);
        assert_eq!(Frame::parse("main (/bin/x)"), None);
    }

    #[test]
    fn frames_on_the_line_itself() {
        let (before, frame) = flat_frame("      5584372688a7 f+0x5b (/bin/x)").unwrap_or_default();
        assert_eq!((before, frame.address, frame.symbol), ("", 0x5584_3726_88a7, "f"));
        let (before, frame) =
            flat_frame("     7ffe00001000 ffffffff81000000 add (/bin/x)  0x1/0x2/P/-/-/0 ")
                .unwrap_or_default();
        assert_eq!((before, frame.symbol, frame.module), ("7ffe00001000", "add", "/bin/x"));
        assert_eq!(flat_frame(" prev_comm=a"), None);
        assert_eq!(flat_frame(" add 5"), None);
    }

    #[test]
    fn source_lines() {
        assert_eq!(source_line("  a.cpp:25 (inlined)"), ("a.cpp", 25, true));
        assert_eq!(source_line("  a.cpp:25 (discriminator 3)"), ("a.cpp", 25, false));
        assert_eq!(source_line("  ??:0"), ("", 0, false));
        assert_eq!(source_line("  a.c:?"), ("a.c", 0, false));
        assert_eq!(source_line("  libc.so.6[1098eb]"), ("", 0, false));
    }
}
