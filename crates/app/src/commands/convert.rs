//! `hotframe convert`.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use flate2::Compression;
use flate2::write::GzEncoder;
use session::{
    FORMATS, Format, MergeNote, ProfileDocument, format_for_file_name, format_named, visible,
};

use super::output::is_file;
use super::output::write_output;
use crate::arguments::{Convert, Limits, Writing};
use crate::reading;
use crate::text::count;

/// Writes profiles in another format: as one, or each by itself into a folder.
pub(crate) fn convert(arguments: &Convert) -> Result<()> {
    let Convert { files, output, one, writing, limits } = arguments;
    if *one && output.is_dir() {
        bail!("{} is a folder; name a file to write", output.display());
    }
    let format = target(output, writing)?;
    if !output.is_dir() {
        return write(files, output, format, writing, limits);
    }
    let mut taken: Vec<(String, &PathBuf)> = vec![];
    for file in files {
        let name = file_name(file, format);
        if let Some((_, other)) = taken.iter().find(|(known, _)| *known == name) {
            bail!(
                "{} and {} would both be written to {}; nothing was written: convert them into \
                 folders of their own",
                other.display(),
                file.display(),
                output.join(name).display()
            );
        }
        taken.push((name, file));
    }
    for (name, file) in taken {
        let output = output.join(name);
        write(std::slice::from_ref(file), &output, format, writing, limits)?;
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

/// Writes the profile that `files` are together.
fn write(
    files: &[PathBuf],
    output: &Path,
    format: &Format,
    writing: &Writing,
    limits: &Limits,
) -> Result<()> {
    if files.iter().any(|file| is_same_file(file, output)) {
        bail!("{} is both input and output; name another output", output.display());
    }
    let document = reading::read(files, limits)?;
    if document.inputs() > 1 {
        tell_merge(&document)?;
    }
    super::notes::tell_warnings(&document)?;
    let mut profile = (**document.profile()).clone();
    if let Some(name) = &writing.metric {
        profile.origin.default_metric = reading::metric(&document, Some(name))?;
    }
    for definition in &writing.define {
        document.define_metric(&definition.name, &definition.formula)?;
        profile.origin.formulas.push(definition.clone());
    }
    let losses = format.losses(&profile);
    for loss in losses.iter() {
        let things = count(loss.count);
        writeln!(
            crate::text::stderr(),
            "hotframe: {} cannot hold: {} ({things})",
            format.name,
            visible(&loss.message)
        )?;
    }
    if writing.strict && !losses.is_empty() {
        bail!("nothing was written, because of --strict");
    }
    let mut names = vec![];
    for part in format.parts() {
        let path = part_path(output, part, format)?;
        names.push(path.display().to_string());
        write_output(&path, |out| {
            let name = path.to_string_lossy();
            // pprof files are gzip by convention, unless their name says otherwise; files of our own,
            // because that makes recordings 6 times smaller.
            let by_format = match format.name {
                "pprof" => !name.ends_with(".pb"),
                "hotframe" => true,
                _ => false,
            };
            let packed = name.ends_with(".gz") || by_format;
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
    if names.len() > 1 {
        writeln!(crate::text::stderr(), "hotframe: wrote {}", names.join(", "))?;
    }
    Ok(())
}

/// Says what became one, and what could not.
fn tell_merge(document: &ProfileDocument) -> Result<()> {
    let profile = document.profile();
    let absent = |note: &&MergeNote| matches!(note, MergeNote::Absent { .. });
    let absent = document.merge_notes().iter().filter(absent).count();
    let metrics = profile.metrics.len();
    let mut out = crate::text::stderr();
    writeln!(
        out,
        "hotframe: {} profiles are one: {} members, {metrics} metrics ({} in every profile), {} \
         contexts",
        count(document.inputs() as u64),
        count(profile.members.len() as u64),
        metrics.saturating_sub(absent),
        count(profile.contexts.len() as u64 - 1),
    )?;
    Ok(())
}

/// Where a part goes: `run.csv` becomes `run.contexts.csv`, `run.frames.csv`, ...
fn part_path(output: &Path, part: &str, format: &Format) -> Result<PathBuf> {
    if part.is_empty() {
        return Ok(output.to_owned());
    }
    if !is_file(output) {
        bail!("{} is written as several files; name an output", format.name);
    }
    let name = output.file_name().unwrap_or_default().to_string_lossy();
    let (plain, packed) = match name.strip_suffix(".gz") {
        Some(plain) => (plain, ".gz"),
        None => (&*name, ""),
    };
    // A name that ends otherwise is a stem as it stands: the parts are found by this ending.
    let ending = format.extensions[0];
    let stem = plain.strip_suffix(&format!(".{ending}")).unwrap_or(plain);
    Ok(output.with_file_name(format!("{stem}.{part}.{ending}{packed}")))
}

/// The format to write.
fn target(output: &Path, writing: &Writing) -> Result<&'static Format> {
    let writable = || {
        let names = FORMATS.iter().filter(|f| f.writes()).map(|f| f.name);
        names.collect::<Vec<_>>().join(", ")
    };
    let format = match &writing.to {
        Some(name) => format_named(name),
        None => {
            let name = output.to_string_lossy();
            format_for_file_name(&name)
                .or_else(|| format_for_file_name(name.trim_end_matches(".gz")))
        }
    };
    let format = format.with_context(|| match &writing.to {
        Some(name) => format!("no format is called {name}; these are written: {}", writable()),
        None => format!(
            "the name {} has no known extension; give --to with one of: {}",
            output.display(),
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
