//! Prints the functions and lines of addresses in a binary: `cargo run --example names BINARY 0x1139...`.

#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "an example opens files and prints"
)]

use std::sync::Arc;

use symbols::names::Names;
use symbols::{Binary, FileBytes, Files};

/// The files of this machine.
struct Here;

impl Files for Here {
    fn open(&self, path: &str) -> Option<Arc<dyn FileBytes>> {
        Some(Arc::new(std::fs::read(path).ok()?))
    }

    fn debug_folders(&self) -> Vec<String> {
        vec!["/usr/lib/debug".to_owned()]
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("name a binary")?;
    let files: Arc<dyn Files> = Arc::new(Here);
    let mut names = Names::open(&files, &Binary { path, build_id: None })?;
    for address in arguments {
        let number = u64::from_str_radix(address.trim_start_matches("0x"), 16)?;
        // The innermost inlined function comes first.
        let mut frames = vec![];
        names.at_address(number, &mut frames);
        for frame in frames {
            let name = frame.name.as_deref().unwrap_or("?");
            println!("{address} {name} {}:{}", frame.file.as_deref().unwrap_or("?"), frame.line);
        }
    }
    Ok(())
}
