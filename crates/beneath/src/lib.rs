//! Files below an open folder, for code that acts on names it does not control.
//!
//! | what | whose names | links |
//! |---|---|---|
//! | [`Untrusted`] | those of a program that writes into the folder meanwhile | never followed |
//! | [`Root`] | those of arguments and of files that somebody sent | followed if they stay below it |
//!
//! Both keep the folder open, so it stays the same one whatever happens to its path. A check of a path
//! and a later use of the same path are two different things; nothing here checks and then opens.

#[cfg(target_os = "linux")]
mod remove;
mod root;
#[cfg(target_os = "linux")]
pub mod tree;
#[cfg(target_os = "linux")]
mod untrusted;

#[cfg(target_os = "linux")]
pub use remove::remove_folder;
pub use root::Root;
#[cfg(target_os = "linux")]
pub use untrusted::{Entry, Untrusted, open_regular};
