//! `cargo xtask notices`: the packages of others in what is handed out, with their licences. Nothing of
//! it is kept in the repository: it is made of what is linked and bundled.

mod crates;
mod files;
mod npm;
mod package;
mod products;
mod text;

pub(crate) use products::{FILE, Options, Thing, embed, expect, run, write};
