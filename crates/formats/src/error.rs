//! Why a file could not be read or written.

use std::io;

use crate::input::container_kind::Container;
use crate::input::folder::FolderFile;

/// A place in the uncompressed bytes of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place(pub u64);

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "byte {}", self.0)
    }
}

/// Why a file could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// Nothing in it.
    #[error("the file is empty{}", container.map_or(String::new(), |c| format!(" inside its {} container", c.name())))]
    Empty {
        /// The container, if any.
        container: Option<Container>,
    },
    /// No format knows it.
    #[error("no known profile format: the file starts with {start}")]
    UnknownFormat {
        /// The first bytes, made readable.
        start: String,
    },
    /// The format is known, the content is not sound.
    #[error("not a valid {format} file: {reason} at {place}")]
    Malformed {
        /// Format name.
        format: &'static str,
        /// Where, in uncompressed bytes.
        place: Place,
        /// What is wrong.
        reason: String,
    },
    /// The file ends too early.
    #[error("{format} file cut short: it ends at {place}{}, {reason}", of_unpacked(format))]
    Truncated {
        /// Format or container name.
        format: &'static str,
        /// Where it ends, in uncompressed bytes.
        place: Place,
        /// What was still expected.
        reason: String,
    },
    /// A container could not be unpacked.
    #[error("damaged {container} data after {place} of the unpacked content: {reason}")]
    Container {
        /// Container name.
        container: &'static str,
        /// Unpacked bytes so far.
        place: Place,
        /// What the decompressor says.
        reason: String,
    },
    /// No format knows a folder.
    #[error("no known profile in the folder: it holds {listing}")]
    UnknownFolder {
        /// What is in it.
        listing: String,
    },
    /// A file of a folder could not be read.
    #[error("{path}: {error}")]
    InFile {
        /// Path from the folder.
        path: String,
        /// Why.
        error: Box<ReadError>,
    },
    /// A version or variant of a format that is not read.
    #[error("{found} is not read; {instead}")]
    Unsupported {
        /// What the file is, with its version.
        found: String,
        /// What is read, or how to get there.
        instead: &'static str,
    },
    /// Lines that are not part of the format are most of the file.
    #[error("not a valid {format} file: {skipped} of {lines} lines are not understood. {first}")]
    MostlySkipped {
        /// Format name.
        format: &'static str,
        /// How many lines were not understood.
        skipped: u64,
        /// How many lines there are.
        lines: u64,
        /// The first of them, with its number.
        first: String,
    },
    /// Nothing of the file could be read.
    #[error("nothing of this {format} file could be read: {first}")]
    Nothing {
        /// Format name.
        format: &'static str,
        /// What was skipped first, and why.
        first: String,
    },
    /// A row of a table is not sound.
    #[error("not a valid {format} file: {reason} in row {row} of the {table}")]
    Row {
        /// Format name.
        format: &'static str,
        /// What the table holds.
        table: &'static str,
        /// Which row, counted from 1 without the names of the columns.
        row: u64,
        /// What is wrong.
        reason: String,
    },
    /// Files that make a profile only together are not all there.
    #[error("a profile as {format} tables is several files: {missing}")]
    Incomplete {
        /// Format name.
        format: &'static str,
        /// Which are there, and which are not.
        missing: String,
    },
    /// What every file of the format has is missing.
    #[error("there is no {missing}: is this really a {format} file?")]
    Lacks {
        /// Format name.
        format: &'static str,
        /// What is missing.
        missing: &'static str,
    },
    /// The file is not of the format that it was said to be.
    #[error("{error} (read as {format}, as --from {format} asks)")]
    AsNamed {
        /// Format name.
        format: &'static str,
        /// Why it could not be read as that.
        error: Box<ReadError>,
        /// The format that it looks like.
        looks_like: Option<&'static str>,
    },
    /// The format is not read from a file of this kind.
    #[error("{format} is not read from {what}")]
    NotReadFrom {
        /// Format name.
        format: &'static str,
        /// What was given.
        what: &'static str,
    },
    /// A reader failed where it must not.
    #[error(
        "the reader of {format} failed ({message}), which is a defect of Hotframe and not of the file"
    )]
    Panicked {
        /// Format name.
        format: &'static str,
        /// What the failure says, with its place in the source.
        message: String,
    },
    /// A limit was reached.
    #[error(
        "{what} would exceed the limit of {}{} ({option} raises it)",
        readable_bytes(*limit),
        held_before(*held)
    )]
    Limit {
        /// What is limited.
        what: &'static str,
        /// The limit, in bytes, as it was given.
        limit: u64,
        /// Bytes of it that are taken by what was read before.
        held: u64,
        /// The command-line option that raises it.
        option: &'static str,
    },
    /// The format is known, and its reader is not a part of this build.
    #[error("files of this format are read by the whole Hotframe, and this is a part of it")]
    LeftOut,
    /// Reading the bytes failed.
    #[error("cannot read: {0}")]
    Io(#[source] io::Error),
}

impl ReadError {
    /// Refuses a file without what every file of the format has, unless it was `found`.
    pub(crate) fn unless(
        found: bool,
        format: &'static str,
        missing: &'static str,
    ) -> Result<(), ReadError> {
        if found { Ok(()) } else { Err(ReadError::Lacks { format, missing }) }
    }

    /// Whether a limit was reached.
    pub fn is_limit(&self) -> bool {
        match self {
            ReadError::Limit { .. } => true,
            ReadError::InFile { error, .. } | ReadError::AsNamed { error, .. } => error.is_limit(),
            _ => false,
        }
    }

    /// Whether the reader is not a part of this build.
    pub fn is_left_out(&self) -> bool {
        match self {
            ReadError::LeftOut => true,
            ReadError::InFile { error, .. } | ReadError::AsNamed { error, .. } => {
                error.is_left_out()
            }
            _ => false,
        }
    }

    pub(crate) fn unknown_folder(files: &[FolderFile]) -> ReadError {
        const SHOWN: usize = 5;
        let mut listing: Vec<_> = files.iter().take(SHOWN).map(|file| file.path.clone()).collect();
        match files.len() {
            0 => listing.push("no files".to_owned()),
            count if count > SHOWN => listing.push(format!("{} more files", count - SHOWN)),
            _ => {}
        }
        ReadError::UnknownFolder { listing: listing.join(", ") }
    }

    pub(crate) fn unknown_format(head: &[u8], container: Option<Container>) -> ReadError {
        let start = &head[..head.len().min(24)];
        let inside = container.map_or(String::new(), |c| format!(" (inside {})", c.name()));
        ReadError::UnknownFormat { start: format!("\"{}\"{inside}", start.escape_ascii()) }
    }
}

/// Tells which bytes were counted where it is a container that ends.
fn of_unpacked(format: &str) -> &'static str {
    let is_container = Container::ALL.iter().any(|c| c.name() == format);
    if is_container { " of the unpacked content" } else { "" }
}

/// What of a limit is taken already.
fn held_before(held: u64) -> String {
    match held {
        0 => String::new(),
        held => format!(", of which other files hold {}", readable_bytes(held)),
    }
}

/// Bytes in the largest binary unit that keeps the number whole or above one.
fn readable_bytes(bytes: u64) -> String {
    match bytes {
        _ if bytes >= 1 << 30 => format!("{:.1} GiB", bytes as f64 / f64::from(1 << 30)),
        _ if bytes >= 1 << 20 => format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20)),
        _ => format!("{bytes} bytes"),
    }
}

/// Why a profile could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The format is only read.
    #[error("{0} files are read but not written")]
    ReadOnly(&'static str),
    /// The format is several files.
    #[error("{0} is written as several files")]
    SeveralFiles(&'static str),
    /// The profile does not fit the format.
    #[error("{format} cannot hold this profile: {reason}")]
    Unrepresentable {
        /// Format name.
        format: &'static str,
        /// Why not.
        reason: String,
    },
    /// Writing the bytes failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}
