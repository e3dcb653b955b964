//! Rows that come one by one, and what is told after them.

use std::borrow::Cow;
use std::io;

use anyhow::Result;

use super::cell::Row;
use super::head::Members;

/// Gives rows to a writer as they are found, each with one cell a column: a tree of millions of
/// rows never stands in memory as a table.
pub(crate) type Rows<'a> = Box<dyn FnOnce(&mut Sink<'_>) -> Result<After> + 'a>;

/// What takes rows.
pub(crate) type Sink<'s> = dyn FnMut(&Row<'_>) -> io::Result<()> + 's;

/// What is told after the rows.
#[derive(Debug, Default)]
pub(crate) struct After {
    /// How many of what the limit leaves out.
    pub(crate) left_out: Option<(usize, Cow<'static, str>)>,
    /// Sentences for people.
    pub(crate) notes: Vec<String>,
    /// More members of the JSON object.
    pub(crate) members: Members,
}

impl After {
    /// The limit may have left out so many of what a word says.
    pub(crate) fn left_out(count: usize, word: impl Into<Cow<'static, str>>) -> After {
        After { left_out: (count > 0).then(|| (count, word.into())), ..After::default() }
    }
}
