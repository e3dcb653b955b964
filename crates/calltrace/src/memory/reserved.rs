//! Numbers of contexts and functions that stand for something else.

/// Stands for the context that has none above it.
pub const NO_PARENT: u32 = u32::MAX;

/// Steps with functions from here on are of no function, but of what the number says.
pub const FIRST_OTHER: u32 = u32::MAX - 4;
/// The thread that `line` is the number of; contexts begin with one.
pub const THREAD: u32 = u32::MAX;
/// What was allocated without the interpreter: nobody may look at its stacks then.
pub const WITHOUT_INTERPRETER: u32 = u32::MAX - 1;
/// What was allocated by another interpreter of the process.
pub const OTHER_INTERPRETER: u32 = u32::MAX - 2;
/// Calls that are further out than stacks are followed.
pub const FURTHER_OUT: u32 = u32::MAX - 3;
/// What was allocated while no function of Python ran.
pub const NO_FUNCTION: u32 = FIRST_OTHER;
