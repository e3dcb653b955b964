//! Counts as Python's own profiles (`.prof`), which the module `pstats` reads.
//!
//! The file is one dictionary of Python's marshal format, version 2: `(file, line, function)` to `(primitive
//! calls, calls, own seconds, cumulative seconds, callers)`, and callers again a dictionary of functions to
//! `(calls, primitive calls, own seconds, cumulative seconds)`, as `cProfile` writes it.

use std::collections::BTreeMap;

use crate::counts::{Counts, NOBODY, Sums};
use crate::{Function, FunctionKind};

/// File, line and name of a function.
type Key = (String, u32, String);

/// Sums of functions.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Profile {
    entries: BTreeMap<Key, Entry>,
}

#[derive(Debug, Clone, Default, PartialEq)]
struct Entry {
    figures: Figures,
    callers: BTreeMap<Key, Figures>,
}

/// Sums as the file has them.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Figures {
    calls: u64,
    primitive: u64,
    /// Seconds.
    own: f64,
    /// Seconds.
    cumulative: f64,
}

impl Profile {
    /// Of functions that were counted, where ticks are `nanoseconds` long. Functions that pstats cannot tell
    /// apart, such as two lambdas of one line, are one, and what they took together is at most what it says.
    #[must_use]
    pub fn new(counts: &Counts, functions: &[Function], nanoseconds: f64) -> Profile {
        let keys: BTreeMap<u32, Key> = functions.iter().map(|one| (one.number, key(one))).collect();
        let figures = |sums: Sums| {
            let seconds = |ticks: u64| ticks as f64 * nanoseconds / 1e9;
            let Sums { calls, primitive, own, cumulative } = sums;
            Figures { calls, primitive, own: seconds(own), cumulative: seconds(cumulative) }
        };
        let mut profile = Profile::default();
        for (&number, key) in &keys {
            let sums = counts.function(number);
            if sums != Sums::default() {
                let entry = profile.entries.entry(key.clone()).or_default();
                entry.figures.add(figures(sums));
            }
        }
        for (caller, callee, sums) in counts.pairs().filter(|(caller, ..)| *caller != NOBODY) {
            if let (Some(caller), Some(callee)) = (keys.get(&caller), keys.get(&callee)) {
                let entry = profile.entries.entry(callee.clone()).or_default();
                entry.callers.entry(caller.clone()).or_default().add(figures(sums));
            }
        }
        profile
    }

    /// Adds the functions of another process.
    pub fn add(&mut self, other: Profile) {
        for (key, Entry { figures, callers }) in other.entries {
            let entry = self.entries.entry(key).or_default();
            entry.figures.add(figures);
            for (caller, figures) in callers {
                entry.callers.entry(caller).or_default().add(figures);
            }
        }
    }

    /// All calls.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.entries.values().map(|entry| entry.figures.calls).sum()
    }

    /// The file.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let mut out = Marshal(vec![b'{']);
        for (key, Entry { figures, callers }) in &self.entries {
            let Figures { calls, primitive, .. } = *figures;
            out.key(key);
            out.tuple(5);
            out.figures([primitive, calls], figures);
            out.0.push(b'{');
            for (caller, figures) in callers {
                out.key(caller);
                out.tuple(4);
                out.figures([figures.calls, figures.primitive], figures);
            }
            out.0.push(b'0');
        }
        out.0.push(b'0');
        out.0
    }

    /// What [`Profile::bytes`] wrote; none for anything else.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Option<Profile> {
        let mut rest = Unmarshal(bytes);
        let mut profile = Profile::default();
        rest.dictionary(|rest, key| {
            rest.tuple(5)?;
            let ([primitive, calls], own, cumulative) = rest.figures()?;
            let mut entry = Entry {
                figures: Figures { calls, primitive, own, cumulative },
                callers: BTreeMap::new(),
            };
            rest.dictionary(|rest, caller| {
                rest.tuple(4)?;
                let ([calls, primitive], own, cumulative) = rest.figures()?;
                entry.callers.insert(caller, Figures { calls, primitive, own, cumulative });
                Some(())
            })?;
            profile.entries.insert(key, entry);
            Some(())
        })?;
        rest.0.is_empty().then_some(profile)
    }
}

impl Figures {
    fn add(&mut self, more: Figures) {
        self.calls += more.calls;
        self.primitive += more.primitive;
        self.own += more.own;
        self.cumulative += more.cumulative;
    }
}

/// As cProfile names functions: those of C have no file, and `<built-in method module.name>` for a name.
fn key(function: &Function) -> Key {
    let Function { kind, name, module, file, line, .. } = function;
    if *kind != FunctionKind::C {
        return (file.clone(), *line, name.clone());
    }
    let name = match (module.as_str(), name.as_str()) {
        ("", name) => format!("<built-in method {name}>"),
        (module, name) => format!("<built-in method {module}.{name}>"),
    };
    ("~".to_owned(), 0, name)
}

/// Values of Python's marshal format.
struct Marshal(Vec<u8>);

impl Marshal {
    fn key(&mut self, (file, line, name): &Key) {
        self.tuple(3);
        self.text(file);
        self.integer(u64::from(*line));
        self.text(name);
    }

    fn figures(&mut self, counts: [u64; 2], figures: &Figures) {
        counts.iter().for_each(|&count| self.integer(count));
        self.float(figures.own);
        self.float(figures.cumulative);
    }

    fn tuple(&mut self, length: u32) {
        self.0.push(b'(');
        self.0.extend(length.to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.0.push(b'u');
        self.0.extend((text.len() as u32).to_le_bytes());
        self.0.extend(text.as_bytes());
    }

    fn float(&mut self, value: f64) {
        self.0.push(b'g');
        self.0.extend(value.to_le_bytes());
    }

    /// Of 32 bits where it fits, else in digits of 15 bits.
    fn integer(&mut self, value: u64) {
        if let Ok(value) = i32::try_from(value) {
            self.0.push(b'i');
            self.0.extend(value.to_le_bytes());
            return;
        }
        let digits: Vec<u16> = std::iter::successors(Some(value), |rest| Some(rest >> 15))
            .take_while(|&rest| rest > 0)
            .map(|rest| (rest & 0x7fff) as u16)
            .collect();
        self.0.push(b'l');
        self.0.extend((digits.len() as u32).to_le_bytes());
        digits.iter().for_each(|digit| self.0.extend(digit.to_le_bytes()));
    }
}

/// The rest of what is read.
struct Unmarshal<'a>(&'a [u8]);

impl Unmarshal<'_> {
    fn dictionary(&mut self, mut entry: impl FnMut(&mut Self, Key) -> Option<()>) -> Option<()> {
        self.kind(b'{')?;
        while *self.0.first()? != b'0' {
            self.tuple(3)?;
            let (file, line, name) = (self.text()?, self.integer()?, self.text()?);
            entry(self, (file, u32::try_from(line).ok()?, name))?;
        }
        self.kind(b'0')
    }

    fn figures(&mut self) -> Option<([u64; 2], f64, f64)> {
        Some(([self.integer()?, self.integer()?], self.float()?, self.float()?))
    }

    fn kind(&mut self, kind: u8) -> Option<()> {
        (self.take::<1>()? == [kind]).then_some(())
    }

    fn take<const LENGTH: usize>(&mut self) -> Option<[u8; LENGTH]> {
        let (taken, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*taken)
    }

    fn tuple(&mut self, length: u32) -> Option<()> {
        self.kind(b'(')?;
        (u32::from_le_bytes(self.take()?) == length).then_some(())
    }

    fn text(&mut self) -> Option<String> {
        self.kind(b'u')?;
        let length = u32::from_le_bytes(self.take()?) as usize;
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        String::from_utf8(text.to_vec()).ok()
    }

    fn float(&mut self) -> Option<f64> {
        self.kind(b'g')?;
        Some(f64::from_le_bytes(self.take()?))
    }

    fn integer(&mut self) -> Option<u64> {
        match self.take::<1>()? {
            [b'i'] => u64::try_from(i32::from_le_bytes(self.take()?)).ok(),
            [b'l'] => {
                let digits = u32::from_le_bytes(self.take()?);
                let mut value = 0;
                for digit in 0..digits {
                    let part = u64::from(u16::from_le_bytes(self.take()?));
                    value |= part.checked_shl(digit.checked_mul(15)?)?;
                }
                Some(value)
            }
            _ => None,
        }
    }
}
