//! What whoever made a profile says of its places.

use crate::{ContextId, FunctionId, Profile, StringId};

/// A note of a profiler, or of a script that worked on its profile: advice, an explanation, a finding.
/// Nothing is worked out of it; texts are plain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Note {
    /// What it is about.
    pub about: NoteOf,
    /// A few words: what kind of thing it is.
    pub title: StringId,
    /// What is said.
    pub text: StringId,
    /// Where more is said: an address of `https:`, `http:` or `file:`; may be empty.
    pub link: StringId,
}

/// What a note is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NoteOf {
    /// One call path; the root is the whole program.
    Context(ContextId),
    /// A function, wherever it is called.
    Function(FunctionId),
    /// A line of a source file, from 1.
    Line(StringId, u32),
}

impl Note {
    /// The strings that it names.
    pub fn strings(&self) -> impl Iterator<Item = StringId> {
        let file = match self.about {
            NoteOf::Line(file, _) => Some(file),
            NoteOf::Context(_) | NoteOf::Function(_) => None,
        };
        [self.title, self.text, self.link].into_iter().chain(file)
    }

    /// The same of a profile that has other numbers for texts, and that what it is about has there.
    pub fn renumbered(&self, about: NoteOf, text: impl Fn(StringId) -> StringId) -> Note {
        Note { about, title: text(self.title), text: text(self.text), link: text(self.link) }
    }
}

/// Whether a text may be a link of a note: others lead nowhere, or run something.
pub fn is_link(text: &str) -> bool {
    ["https://", "http://", "file://"].iter().any(|scheme| text.starts_with(scheme))
}

/// Notes by what they are about, each once.
pub(crate) fn sorted(mut notes: Vec<Note>) -> Vec<Note> {
    notes.sort_unstable_by_key(|note| {
        let about = match note.about {
            NoteOf::Context(context) => (0, context.0, 0),
            NoteOf::Function(function) => (1, function.0, 0),
            NoteOf::Line(file, line) => (2, file.0, line),
        };
        // Texts are numbered as they came.
        (about, note.title.0, note.text.0, note.link.0)
    });
    notes.dedup();
    notes
}

impl Profile {
    /// Whether what a note is about is in the profile.
    pub(crate) fn has_place(&self, of: NoteOf) -> bool {
        match of {
            NoteOf::Context(context) => context.index() < self.contexts.len(),
            NoteOf::Function(function) => function.index() < self.functions.len(),
            NoteOf::Line(file, line) => file.index() < self.strings.len() && line > 0,
        }
    }
}
