//! The binary: the program, and the files that npm builds.

use std::process::ExitCode;

use hotframe::{Embedded, Folder};
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "../../web/ui/dist"]
struct Page;

#[derive(RustEmbed)]
#[folder = "../../web/ui/dist-parts"]
struct Parts;

#[derive(RustEmbed)]
#[folder = "../../web/ui/dist-archives"]
struct Archives;

#[derive(RustEmbed)]
#[folder = "../../web/ui/dist-python"]
struct Python;

fn main() -> ExitCode {
    hotframe::run(Embedded {
        page: folder::<Page>(),
        parts: folder::<Parts>(),
        archives: folder::<Archives>(),
        python: folder::<Python>(),
    })
}

fn folder<Files: RustEmbed>() -> Folder {
    Folder { get: |path| Some(Files::get(path)?.data), files: || Files::iter().collect() }
}
