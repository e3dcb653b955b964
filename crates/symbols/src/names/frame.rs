//! What an address is.

use std::sync::Arc;

/// What an address is, at one level of inlining.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Frame {
    /// The linker's name of the function, as it stands in the file; the name of the source where
    /// debug information has no other.
    pub name: Option<Arc<str>>,
    /// The path of the source file, as the compiler wrote it down.
    pub file: Option<Arc<str>>,
    /// The line, from 1; 0 if it is not known.
    pub line: u32,
    /// The column, from 1; 0 if it is not known.
    pub column: u32,
    /// The line on which debug information says that the function is declared (`DW_AT_decl_line`), from 1;
    /// 0 if it does not, or if that is in another file or unit.
    pub start_line: u32,
}
