//! What to do about a file that cannot be read.

use crate::error::ReadError;
use crate::readers::FORMATS;

impl ReadError {
    /// What to do about it; empty where nothing can be said.
    pub fn hint(&self) -> String {
        match self {
            ReadError::Empty { .. } => {
                "The profiler may have been stopped before it wrote anything.".to_owned()
            }
            ReadError::UnknownFormat { .. } => {
                let count = FORMATS.iter().filter(|format| format.reads()).count();
                format!("`hotframe formats` lists the {count} formats that open.")
            }
            ReadError::Truncated { .. } | ReadError::Container { .. } => {
                "The file was probably not copied or written completely: fetch it again.".to_owned()
            }
            ReadError::Limit { option, .. } => {
                format!("Give a larger {option}, such as {option} 16G, if you trust the file.")
            }
            ReadError::UnknownFolder { .. } => {
                let folders = FORMATS.iter().filter(|format| format.folder.is_some());
                let names: Vec<_> = folders.map(|format| format.title).collect();
                format!("Name a file in it. These open as folders: {}.", names.join("; "))
            }
            ReadError::InFile { error, .. } => error.hint(),
            ReadError::AsNamed { looks_like: Some(format), .. } => {
                format!("Leave --from out: the file looks like {format}.")
            }
            ReadError::AsNamed { .. } => "Leave --from out: the content decides the format; \
                 `hotframe formats` lists those that open."
                .to_owned(),
            ReadError::MostlySkipped { .. }
            | ReadError::Nothing { .. }
            | ReadError::Lacks { .. } => {
                "If it is of another format, name it: --from FORMAT.".to_owned()
            }
            ReadError::NotReadFrom { .. } => {
                "`hotframe formats` lists what each format is read from.".to_owned()
            }
            ReadError::Panicked { .. } => format!(
                "Please report it: this message, the version ({}), and the file if you may share \
                 it. Other files are not affected.",
                env!("CARGO_PKG_VERSION")
            ),
            ReadError::LeftOut => "`hotframe open FILE` shows it.".to_owned(),
            ReadError::Incomplete { .. } => "Put the files of one `hotframe convert` into one \
                 folder, and open the folder or any of them."
                .to_owned(),
            ReadError::Row { .. }
            | ReadError::Malformed { .. }
            | ReadError::Unsupported { .. }
            | ReadError::Io(_) => String::new(),
        }
    }
}
