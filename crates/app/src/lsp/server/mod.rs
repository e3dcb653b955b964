//! The state machine: which message is taken when, and who answers it.

mod commands;
mod comparing;
mod notifications;
mod reading;
mod showing;
mod state_machine;
mod summary;

pub(super) use state_machine::{Server, Step};
