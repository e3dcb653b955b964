//! Damage that a reader repaired, and what it skipped.

use std::borrow::Cow;

use profile::Warned;

/// The kind of warning that says that a file is sound, and has no samples.
pub(crate) const NO_SAMPLES: &str = "no samples";

/// How kinds of warnings begin that a recorder writes into its recording.
const OF_RECORDING: &str = "recording ";
/// More of them are counted only.
const MOST_OF_RECORDINGS: usize = 20;

/// One kind of damage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// Groups warnings: the same for the same kind of damage.
    kind: Cow<'static, str>,
    /// What happened, with the first place where it did.
    pub message: String,
    /// How often it happened.
    pub count: u64,
}

impl Warning {
    /// What kind of damage it is.
    pub(crate) fn kind(&self) -> &str {
        &self.kind
    }
}

/// Warnings, counted by kind; as many as there are kinds, however often each happens.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Warnings {
    list: Vec<Warning>,
}

impl Warnings {
    /// Counts one more of `kind`; `message` is asked for the first only.
    pub fn add(&mut self, kind: &'static str, message: impl FnOnce() -> String) {
        self.add_many(kind, 1, message);
    }

    /// Counts those that a file has kept.
    pub(crate) fn add_kept(&mut self, Warned { kind, message, count }: Warned) {
        self.count(Cow::Owned(kind), count, || message);
    }

    /// All of them, as a file keeps them.
    pub fn list(&self) -> Vec<Warned> {
        let told = |Warning { kind, message, count }: &Warning| Warned {
            kind: kind.to_string(),
            message: message.clone(),
            count: *count,
        };
        self.list.iter().map(told).collect()
    }

    /// Counts `count` more of `kind`.
    pub fn add_many(&mut self, kind: &'static str, count: u64, message: impl FnOnce() -> String) {
        self.count(Cow::Borrowed(kind), count, message);
    }

    // Every message is a type of its own: little is compiled for each.
    fn count(&mut self, kind: Cow<'static, str>, count: u64, message: impl FnOnce() -> String) {
        if !self.counted(&kind, count) {
            let message = message();
            self.begin(Warning { kind, message, count });
        }
    }

    /// Counts `count` more of a kind that there is.
    #[inline(never)]
    fn counted(&mut self, kind: &str, count: u64) -> bool {
        let known = self.list.iter_mut().find(|warning| warning.kind == kind);
        known.map(|warning| warning.count = warning.count.saturating_add(count)).is_some()
    }

    #[inline(never)]
    fn begin(&mut self, warning: Warning) {
        self.list.push(warning);
    }

    /// Counts those of one of several files; the message of a new kind says which. What a recorder says of its
    /// recording has figures of that file, so the first few files have a warning each.
    pub fn add_all(&mut self, file: &str, others: &Warnings) {
        for Warning { kind, message, count } in &others.list {
            if !kind.starts_with(OF_RECORDING) {
                self.count(kind.clone(), *count, || format!("{file}: {message}"));
                continue;
            }
            let is_of_recording = |one: &&Warning| one.kind.starts_with(OF_RECORDING);
            if self.list.iter().filter(is_of_recording).count() < MOST_OF_RECORDINGS {
                self.count(format!("{kind}, {file}").into(), *count, || {
                    format!("{file}: {message}")
                });
            } else {
                let more = || "more recordings have warnings of their own".to_owned();
                self.count("more recordings".into(), *count, more);
            }
        }
    }

    /// Counts those of a part.
    pub(crate) fn append(&mut self, others: &Warnings) {
        for Warning { kind, message, count } in &others.list {
            self.count(kind.clone(), *count, || message.clone());
        }
    }

    /// All but those of a kind.
    pub fn without(&self, kind: &str) -> Warnings {
        let others = self.list.iter().filter(|warning| warning.kind != kind);
        Warnings { list: others.cloned().collect() }
    }

    /// The warnings, in the order in which they first came up.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Warning> {
        self.list.iter()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_recordings_have_warnings_of_their_own() {
        let of_file = |count: u32| {
            let mut warnings = Warnings::default();
            let message = format!("{count} ms were not observed");
            warnings.add_kept(Warned { kind: "recording 0".to_owned(), message, count: 1 });
            warnings.add("damage", || "line 3 is cut off".to_owned());
            warnings
        };
        let mut all = Warnings::default();
        (0..100).for_each(|file| all.add_all(&format!("run-{file}"), &of_file(file)));
        let texts: Vec<String> =
            all.iter().map(|one| format!("{} ({})", one.message, one.count)).collect();
        let most = MOST_OF_RECORDINGS;
        assert_eq!(texts[0], "run-0: 0 ms were not observed (1)");
        assert_eq!(texts[1], "run-0: line 3 is cut off (100)");
        assert_eq!(texts[most], format!("run-{0}: {0} ms were not observed (1)", most - 1));
        let others = format!("more recordings have warnings of their own ({})", 100 - most);
        assert_eq!(texts[most + 1..], [others]);
    }
}
