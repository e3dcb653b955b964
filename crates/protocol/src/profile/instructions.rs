//! What was measured on the instructions of a function.

use serde::{Deserialize, Serialize};

use crate::columns::columns;

/// Result of [`crate::ProfileRequest::Instructions`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct InstructionsResult {
    /// Where the instructions stand, those with the largest values first.
    pub sections: Vec<InstructionSection>,
    /// The instructions of all sections, one section after the other, each by address.
    pub instructions: Vec<InstructionInfo>,
    /// Source files that instructions are of.
    pub files: Vec<String>,
    /// Measured instructions that are left out because there are too many.
    pub more: u32,
    /// Whether totals are estimates.
    pub estimated: bool,
}

/// A piece of code that a linker gave a name, or what was measured of a module whose code is not at hand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct InstructionSection {
    /// Path of the module; empty if unknown.
    pub module: String,
    /// The linker's name of the function that has the code; empty if unknown.
    pub symbol: String,
    /// How many of the instructions it has.
    pub count: u32,
    /// Why the text of its instructions is not known, and what to do; empty where it is.
    pub problem: String,
    /// Whether the text is that of a binary of which nobody knows whether it is the measured build: the
    /// profile has no build id.
    pub unchecked: bool,
}

/// An instruction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct InstructionInfo {
    /// As the binary states it, in hexadecimal; as the profile has it where there is no text.
    pub address: String,
    /// As an assembler has it; empty if unknown.
    pub text: String,
    /// Number of its source file; none if unknown.
    pub file: Option<u32>,
    /// From 1; 0 if unknown.
    pub line: u32,
    /// Number of its basic block in its section: code that is entered at its first instruction and left
    /// after its last.
    pub block: u32,
}

columns! {
    /// Columns of [`crate::ProfileRequest::Instructions`]: a row an instruction.
    InstructionsColumns {
        /// Value of the samples whose innermost frame is the function at the instruction.
        self_value: i64,
        /// Value of the samples with the function at the instruction on their stack, each counted once.
        total_value: i64,
        /// Self and total of the function.
        function: i64,
        /// Self value of the function at no instruction that is told; no entry where there is none.
        unplaced: i64,
        /// Totals of the program, an entry a metric.
        scale: i64,
    }
}
