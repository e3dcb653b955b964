//! `hotframe convert`.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use flate2::Compression;
use flate2::write::GzEncoder;
use session::{FORMATS, Format, format_for_file_name, format_named};

use super::write_output;
use crate::arguments::Convert;
use crate::reading;

/// Writes profiles in another format.
pub(crate) fn convert(arguments: &Convert) -> Result<()> {
    let format = target(arguments)?;
    let into_folder = arguments.output.is_dir();
    if arguments.files.len() > 1 && !into_folder {
        bail!(
            "{} files are converted into an existing folder, and {} is none",
            arguments.files.len(),
            arguments.output.display()
        );
    }
    for file in &arguments.files {
        let output = match into_folder {
            true => arguments.output.join(file_name(file, format)),
            false => arguments.output.clone(),
        };
        convert_one(arguments, format, file, &output)?;
    }
    Ok(())
}

/// The name of the output that stands for an input in a folder.
fn file_name(input: &Path, format: &Format) -> String {
    let name = input.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let plain = ["gz", "zst"].iter().find_map(|e| name.strip_suffix(&format!(".{e}")));
    let plain = plain.unwrap_or(&name);
    // An ending that tells the old format goes; any other is part of the name.
    let endings = FORMATS.iter().flat_map(|format| format.extensions);
    let ending = endings.filter(|e| plain.ends_with(&format!(".{e}"))).max_by_key(|e| e.len());
    let stem = ending.map_or(plain, |ending| &plain[..plain.len() - ending.len() - 1]);
    format!("{stem}.{}", format.extensions[0])
}

fn convert_one(arguments: &Convert, format: &Format, file: &Path, output: &Path) -> Result<()> {
    if is_same_file(file, output) {
        bail!("{} is input and output at once; name another output", output.display());
    }
    let document = reading::read(file, &arguments.limits)?;
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
    for part in format.parts() {
        let path = part_path(output, part, format)?;
        write_output(&path, |out| {
            let name = path.to_string_lossy();
            // pprof files are gzip by convention, unless their name says otherwise.
            let packed = name.ends_with(".gz") || format.name == "pprof" && !name.ends_with(".pb");
            if packed {
                let mut packer = GzEncoder::new(out, Compression::default());
                format.write_part(part, &profile, &mut packer)?;
                packer.finish()?;
            } else {
                format.write_part(part, &profile, out)?;
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// Where a part goes: `run.csv` becomes `run.contexts.csv`, `run.frames.csv`, ...
fn part_path(output: &Path, part: &str, format: &Format) -> Result<PathBuf> {
    if part.is_empty() {
        return Ok(output.to_owned());
    }
    if output.as_os_str() == "-" {
        bail!("{} is written as several files; name an output", format.name);
    }
    let name = output.file_name().unwrap_or_default().to_string_lossy();
    let (stem, ending) = name.split_once('.').unwrap_or((&name, format.extensions[0]));
    Ok(output.with_file_name(format!("{stem}.{part}.{ending}")))
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
