//! `hotframe convert`.

use std::io::Write as _;
use std::path::Path;

use anyhow::{Context, Result, bail};
use flate2::Compression;
use flate2::write::GzEncoder;
use session::{FORMATS, Format, format_for_file_name, format_named};

use super::write_output;
use crate::arguments::Convert;
use crate::reading;

/// Writes a profile in another format.
pub(crate) fn convert(arguments: &Convert) -> Result<()> {
    let format = target(arguments)?;
    if is_same_file(&arguments.file, &arguments.output) {
        bail!("{} is input and output at once; name another output", arguments.output.display());
    }
    let document = reading::read(&arguments.file, &arguments.limits)?;
    let mut profile = (**document.profile()).clone();
    if let Some(name) = &arguments.metric {
        profile.origin.default_metric = reading::metric(&document, Some(name))?;
    }
    let losses = format.losses(&profile);
    for loss in losses.iter() {
        let things = crate::text::count(loss.count);
        writeln!(
            std::io::stderr(),
            "hotframe: {} cannot hold: {} ({things})",
            format.name,
            loss.message
        )?;
    }
    if arguments.strict && !losses.is_empty() {
        bail!("nothing was written, because of --strict");
    }
    write_output(&arguments.output, |out| {
        let name = arguments.output.to_string_lossy();
        // pprof files are gzip by convention, unless their name says otherwise.
        let packed = name.ends_with(".gz") || format.name == "pprof" && !name.ends_with(".pb");
        if packed {
            let mut packer = GzEncoder::new(out, Compression::default());
            format.write(&profile, &mut packer)?;
            packer.finish()?;
        } else {
            format.write(&profile, out)?;
        }
        Ok(())
    })
}

fn target(arguments: &Convert) -> Result<&'static Format> {
    let writable = || {
        let names = FORMATS.iter().filter(|f| f.writes()).map(|f| f.name);
        names.collect::<Vec<_>>().join(", ")
    };
    let format = match &arguments.to {
        Some(name) => format_named(name),
        None => {
            let name = arguments.output.to_string_lossy();
            format_for_file_name(&name)
                .or_else(|| format_for_file_name(name.trim_end_matches(".gz")))
        }
    };
    let format = format.with_context(|| match &arguments.to {
        Some(name) => format!("no format is called {name}; these are written: {}", writable()),
        None => format!(
            "the name {} tells no format; say --to with one of: {}",
            arguments.output.display(),
            writable()
        ),
    })?;
    if !format.writes() {
        bail!("{} files are read but not written; these are written: {}", format.name, writable());
    }
    Ok(format)
}

fn is_same_file(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}
