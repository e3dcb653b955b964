//! Why there is nothing to tell of a binary, and what to do.

use std::fmt;

/// Why a binary cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Missing {
    /// No file of the path, and none of the build id in the debug folders.
    #[error("{path} is not here")]
    File {
        /// The path in the recording.
        path: String,
    },
    /// The file was built anew since the recording.
    #[error(
        "{path} is another build: the recording is of {}, the file is {}",
        Hexadecimal(recorded),
        Hexadecimal(found)
    )]
    AnotherBuild {
        /// The path in the recording.
        path: String,
        /// The build id that was recorded.
        recorded: Vec<u8>,
        /// The build id of the file; empty if it has none.
        found: Vec<u8>,
    },
    /// The file is something else, or its headers do not hold.
    #[error("{path} is not a binary that can be read: {why}")]
    NotElf {
        /// The path in the recording.
        path: String,
        /// What does not hold.
        why: &'static str,
    },
}

impl Missing {
    /// What to do to have it after all.
    pub fn remedy(&self) -> &'static str {
        match self {
            Self::File { .. } => {
                "copy the binary to this machine, or its build id cache (perf archive), and name its folder"
            }
            Self::AnotherBuild { .. } => {
                "find the binary that was recorded, or record anew; perf buildid-cache keeps binaries"
            }
            Self::NotElf { .. } => "see what the file is; it may be damaged, or not be ELF",
        }
    }
}

/// Bytes as a build id is written.
struct Hexadecimal<'a>(&'a [u8]);

impl fmt::Display for Hexadecimal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("without a build id");
        }
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}
