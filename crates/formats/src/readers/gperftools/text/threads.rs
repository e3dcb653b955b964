//! Threads and goroutines, whose stacks take a line a frame.

use profile::{Label, ThreadId};

use super::parser::{Parser, State, addresses, goroutine_of, thread_of};
use crate::readers::gperftools::format::Sample;

/// A thread whose stack is read.
#[derive(Default)]
pub(super) struct Open {
    thread: Option<ThreadId>,
    addresses: Vec<u64>,
    labels: Vec<Label>,
    same: bool,
    function: Option<String>,
}

impl Parser<'_> {
    pub(super) fn thread_line(&mut self, text: &str) -> Option<()> {
        let State::Threads(open) = &mut self.state else { return None };
        if text.starts_with("---") {
            let thread = thread_of(text).map(|(name, number)| {
                let id = self.reading.builder.thread(None, number);
                self.reading.builder.threads[id.index()].name =
                    self.reading.builder.strings.intern(name);
                id
            });
            self.end_thread();
            if let State::Threads(open) = &mut self.state {
                open.thread = thread;
            }
            return Some(());
        }
        if text.contains("same as previous thread") {
            open.same = true;
            return Some(());
        }
        let before = open.addresses.len();
        open.addresses.extend(addresses(text));
        // Only the leaf is not a return address.
        for (index, address) in open.addresses.iter_mut().enumerate().skip(before) {
            *address = address.wrapping_sub(u64::from(index > 0));
        }
        if let Some((_, name)) =
            text.split_once(": ").filter(|_| open.addresses.len() == before + 1)
        {
            let name = name
                .split_once("0x")
                .map_or(name, |(_, rest)| rest.split_once(": ").map_or("", |(_, name)| name));
            let name = name.trim();
            if !name.is_empty() {
                let function = self.reading.builder.function(name, "", 0);
                let frames = self.reading.symbols.entry(open.addresses[before]).or_default();
                if frames.is_empty() {
                    frames.push((function, 0));
                }
            }
        }
        Some(())
    }

    /// Puts the open thread on record.
    pub(super) fn end_thread(&mut self) {
        let (State::Threads(open) | State::Goroutines(open)) = &mut self.state else { return };
        let Open { thread, addresses, labels, same, .. } = std::mem::take(open);
        if same {
            let Some(&Sample { start, len, .. }) = self.reading.samples.last() else { return };
            self.reading.values.push(1);
            self.reading.samples.push(Sample { start, len, labels, thread });
        } else if !addresses.is_empty() {
            let sample = self.reading.push(addresses, &[1]);
            (sample.labels, sample.thread) = (labels, thread);
        }
    }

    /// `function(arguments)`, then `file:line +0x1b`, below a goroutine's head.
    pub(super) fn goroutine_line(&mut self, text: &str) -> Option<()> {
        if let Some((number, state)) = goroutine_of(text.trim_end()) {
            self.end_thread();
            let (state, rest) = state.split_once(", ").unwrap_or((state, ""));
            let mut labels = vec![self.text("state", state)];
            if !rest.is_empty() {
                labels.push(self.text("for", rest));
            }
            let thread = Some(self.reading.builder.thread(None, number));
            self.state = State::Goroutines(Open { thread, labels, ..Open::default() });
            return Some(());
        }
        let State::Goroutines(open) = &mut self.state else { return None };
        if text.trim().is_empty() {
            return Some(());
        }
        if !text.starts_with(['\t', ' ']) {
            let name = match text.strip_prefix("created by ") {
                Some(creator) => {
                    creator.split_once(" in goroutine").map_or(creator, |(name, _)| name)
                }
                None if text.ends_with(')') => text.rfind('(').map_or(text, |at| &text[..at]),
                None => text,
            };
            open.function = Some(name.to_owned());
            return Some(());
        }
        let name = open.function.take()?;
        let place = text.trim();
        let place = place.split_once(" +0x").map_or(place, |(place, _)| place);
        let (file, line) = place.rsplit_once(':').unwrap_or((place, ""));
        let line: u32 = line.parse().unwrap_or(0);
        let function = self.reading.builder.function(&name, file, 0);
        // A place stands for its address, which is not known.
        let key = u64::from(function.0) << 32 | u64::from(line);
        open.addresses.push(key);
        self.reading.symbols.insert(key, vec![(function, line)]);
        Some(())
    }
}
