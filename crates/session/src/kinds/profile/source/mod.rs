//! What a profile says of source files: lines, functions and instructions.

pub(super) mod changes;
pub(super) mod frames_of;
pub(super) mod index;
pub(super) mod instructions;
pub(super) mod places;
