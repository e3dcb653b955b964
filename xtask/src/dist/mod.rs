//! `cargo xtask dist`: what people install. Each package is a file here, made of one program.

mod archive;
mod checksum;
mod crates;
mod extension;
mod installers;
pub(crate) mod installs;
mod machine;
mod npm;
mod packages;
mod platform;
mod program;
mod registry;
mod stage;
mod wheel;

pub(crate) use extension::{extension_of, web_extension};
pub(crate) use packages::{Options, run};

use crate::workspace::version;
