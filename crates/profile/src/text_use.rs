//! What texts are used as.

/// What a text of a profile is used as. One text may be used as several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TextUse {
    /// A function's name, as people or as linkers have it.
    Function,
    /// A source file.
    File,
    /// A binary or library.
    Module,
    /// What tells builds of a module apart.
    BuildId,
    /// A process; often what it was started with.
    Process,
    /// A thread, or a line of time that is called otherwise.
    Thread,
    /// The number or other identifier of a process or thread.
    ThreadId,
    /// What a label is of.
    LabelKey,
    /// What a label says.
    LabelText,
    /// The unit of a label's number.
    Unit,
    /// What a fact of a member is of.
    FactName,
    /// What a condition or figure of a member says.
    FactText,
    /// What else is told of a member says.
    MemberNote,
    /// A role of contexts.
    Role,
    /// An instruction.
    Instruction,
    /// What a note says, shortly or at length.
    Note,
    /// Where more is said than in a note.
    NoteLink,
    /// The kind of an instant.
    MarkKind,
    /// A series of values.
    Counter,
    /// An arrow from one place and time to another.
    Flow,
}
