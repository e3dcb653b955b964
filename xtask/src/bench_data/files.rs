//! The command, and where its files are.

use std::path::{Path, PathBuf};

use anyhow::Context;

use super::profile::write_profile;
use super::program::Program;
use super::size::{Size, Variant};
use super::stacks::Paths;
use super::traces;
use crate::workspace;

/// The options of the command.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Which files to write, with commas between them: S, K, M, L, million.
    #[arg(long, value_delimiter = ',', default_value = "S,K,M,million")]
    sizes: Vec<Size>,
    /// Write files again that exist.
    #[arg(long)]
    force: bool,
    /// Write a trace of ten million events and ten million samples instead.
    #[arg(long)]
    recordings: bool,
}

/// Writes the files that are asked for into `target/bench-data`.
pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    if options.recordings {
        traces::trace(10_000_000)?;
        traces::samples(10_000_000)?;
        return Ok(());
    }
    write(&options.sizes, options.force)
}

/// Writes the files of these sizes, unless they exist already.
pub(crate) fn write(sizes: &[Size], force: bool) -> anyhow::Result<()> {
    let program = Program::new();
    let paths = Paths::new(&program);
    for &size in sizes {
        for variant in Variant::ALL {
            let [raw, zipped] = files(size, variant);
            if !force && raw.exists() && zipped.exists() {
                continue;
            }
            println!("writing {} and its gzip", raw.display());
            write_profile(size, variant, &program, &paths)
                .with_context(|| format!("cannot write {}", raw.display()))?;
        }
    }
    Ok(())
}

/// The raw and the compressed file of a size and variant.
pub(crate) fn files(size: Size, variant: Variant) -> [PathBuf; 2] {
    let folder = workspace::target().join("bench-data");
    ["pb", "pb.gz"].map(|end| folder.join(format!("{}{}.{end}", size.name(), variant.suffix())))
}

/// A file has this name until it is complete.
pub(super) fn partial(path: &Path) -> PathBuf {
    path.with_added_extension("partial")
}
