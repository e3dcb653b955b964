//! Lists as values: columns that say what they are, so that every host shows and writes them alike.

use serde::{Deserialize, Serialize};

use crate::TimePlace;

/// A list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Table {
    /// What one row is, such as `name`. For several, add an `s`.
    pub noun: String,
    /// The columns, in the order in which people read them. Each has one cell per row.
    pub columns: Vec<TableColumn>,
    /// One identifier per row. It is the same in every answer about the same profile.
    pub ids: Vec<String>,
    /// How many rows match, including those given.
    pub total: u32,
    /// The key of the column that the rows are sorted by. None where they have an order of their own.
    pub sort: Option<String>,
    /// What you need to know to read the rows.
    pub notes: Vec<String>,
}

/// A column of a [`Table`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TableColumn {
    /// Its name in JSON and CSV, and the key to sort by.
    pub key: String,
    /// The JSON object that holds it, together with its neighbours of the same group.
    pub group: Option<String>,
    /// Its heading for people, in lower case.
    pub title: String,
    /// One sentence that explains it. May be empty.
    pub help: String,
    /// Who reads it.
    pub readers: TableReaders,
    /// Which rows come first when you sort by it. Without one, you cannot sort by it.
    pub order: Option<TableOrder>,
    /// Its cells.
    pub cells: TableCells,
}

/// Who reads a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum TableReaders {
    /// People and programs.
    Everyone,
    /// People: it is in the page, in text and in Markdown.
    People,
    /// Programs: it is in JSON and CSV.
    Programs,
    /// The page alone has room for it.
    Page,
}

/// Which rows come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum TableOrder {
    /// The smallest, the earliest, or names from A to Z.
    Rising,
    /// The largest.
    Falling,
}

/// The cells of a column, one per row. `None` means that there is no such value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case", tag = "kind", content = "values")]
pub enum TableCells {
    /// What a row is about.
    Name(Vec<RowName>),
    /// Words.
    Text(Vec<Option<String>>),
    /// How many.
    Count(#[cfg_attr(test, ts(type = "Array<number | null>"))] Vec<Option<u64>>),
    /// How many in the base and the new profile. Means of runs need not be whole numbers.
    Counts(Vec<[f64; 2]>),
    /// A point in time on the axis of the timeline, in nanoseconds.
    Instant(#[cfg_attr(test, ts(type = "Array<number | null>"))] Vec<Option<i64>>),
    /// A length, in nanoseconds.
    Time(#[cfg_attr(test, ts(type = "Array<number | null>"))] Vec<Option<i64>>),
    /// A difference of lengths, in nanoseconds.
    TimeChange(#[cfg_attr(test, ts(type = "Array<number | null>"))] Vec<Option<i64>>),
    /// The new value divided by the old one.
    Growth(Vec<Option<f64>>),
    /// A number without a unit.
    Number(Vec<Option<f64>>),
    /// A part of a whole: 0 to 1.
    Share(Vec<Option<f64>>),
    /// Whether something is so.
    Flag(Vec<bool>),
    /// Where the row leads in the timeline. Only the page shows it.
    Place(Vec<TimePlace>),
}

/// What a row of a [`Table`] is about.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RowName {
    /// The name, for people.
    pub text: String,
    /// The source file. May be empty.
    pub file: String,
    /// A few words after the name, such as `asynchronous`. May be empty.
    pub remark: String,
    /// What stands after the name in its place where there are no columns of words, as in text. May be empty.
    pub detail: String,
    /// A mark before the name, such as `[+]`. May be empty.
    pub mark: String,
    /// What kind of row it is, for a colour of its own. May be empty.
    pub kind: String,
    /// How deep it is nested.
    pub depth: u32,
    /// What its colour is decided from.
    pub colours: Option<u32>,
    /// The name that filters and searches know.
    pub finds: Option<RowFinds>,
}

/// What the name of a row finds in the timeline.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case", tag = "kind", content = "name")]
pub enum RowFinds {
    /// The spans of this name.
    Spans(String),
    /// The marks of this kind.
    Marks(String),
}
