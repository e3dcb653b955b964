//! What is told before the rows.

use anyhow::Result;
use serde::Serialize;

use super::{Cell, json};

/// What a report is of.
#[derive(Debug, Default)]
pub(crate) struct Head {
    pub(crate) title: String,
    /// With its unit.
    pub(crate) metric: String,
    /// The shape of the report.
    pub(crate) view: String,
    /// What it is in all.
    pub(crate) total: Vec<Span>,
    /// What holds for all values.
    pub(crate) note: String,
    /// Sentences for people.
    pub(crate) notes: Vec<String>,
    /// What stands above the names, where they are several.
    pub(crate) above_names: String,
    /// Members of the JSON object.
    pub(crate) members: Members,
}

/// A piece of a line.
#[derive(Debug)]
pub(crate) struct Span {
    pub(crate) text: String,
    pub(crate) is_strong: bool,
}

impl Span {
    pub(crate) fn plain(text: impl Into<String>) -> Span {
        Span { text: text.into(), is_strong: false }
    }

    pub(crate) fn strong(text: impl Into<String>) -> Span {
        Span { text: text.into(), is_strong: true }
    }
}

/// Members of a JSON object, in order.
#[derive(Debug, Default)]
pub(crate) struct Members(pub(super) Vec<(&'static str, String)>);

impl Members {
    pub(crate) fn with(mut self, key: &'static str, value: &impl Serialize) -> Result<Members> {
        self.0.push((key, serde_json::to_string(value)?));
        Ok(self)
    }

    /// A member if there is a value.
    pub(crate) fn with_some(
        self,
        key: &'static str,
        value: &Option<impl Serialize>,
    ) -> Result<Members> {
        match value {
            Some(value) => self.with(key, value),
            None => Ok(self),
        }
    }

    /// A member that reads as the cell of a row.
    pub(crate) fn with_cell(mut self, key: &'static str, value: &Cell<'_>) -> Result<Members> {
        let mut json = vec![];
        json::write_cell(&mut json, value)?;
        self.0.push((key, String::from_utf8(json)?));
        Ok(self)
    }
}
