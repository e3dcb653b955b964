//! The format, and which files of a folder it is made of.

use profile::Profile;

use super::{database, metric_db, xml};
use crate::input::folder;
use crate::input::folder::{Folder, FolderFile};
use crate::input::stream::Stream;
use crate::{About, FolderReader, Format, ReadError, ReadOptions, Reader, Sniff, Warnings};

pub(crate) const FORMAT: Format = Format {
    name: "hpctoolkit",
    title: "HPCToolkit database (meta.db, or experiment.xml with metric-db)",
    extensions: &[],
    about: About {
        carries: "metrics of every rank, thread and GPU stream, their identities as threads, \
                  processes and labels; call paths with entry points, call sites, loops, inlined \
                  functions, files, lines, load modules, addresses of instructions; the samples \
                  of trace.db with their times",
        estimates: "what a context has by itself, where the database has sums only: the sum less \
                    that of the contexts inside (seconds to the nanosecond); a sample of \
                    trace.db lasts until the next one of its thread",
        skips: "statistics over ranks that can be computed from the ranks (counted); metrics \
                without any value (listed); cct.db, which holds the values of profile.db once \
                more; the copies of source files",
        checked_against: "Hatchet",
    },
    reader: Some(Reader { sniff, read }),
    folder: Some(FolderReader {
        sniff: sniff_folder,
        read: read_folder,
        is_part,
        siblings: |_| vec![],
    }),
    writer: None,
};

fn sniff(head: &[u8], _: &str) -> Sniff {
    let text = String::from_utf8_lossy(head);
    if text.contains("<!DOCTYPE HPCToolkitExperiment") || text.contains("<HPCToolkitExperiment") {
        Sniff::Yes
    } else {
        Sniff::No
    }
}

fn is_part(name: &str) -> bool {
    // Other databases may have a profile.db or trace.db.
    ["experiment.xml", "meta.db", "cct.db"].contains(&name) || name.ends_with(".metric-db")
}

fn sniff_folder(files: &[FolderFile]) -> Sniff {
    let is_known = database::root(files).is_some() || experiment(files).is_some();
    if is_known { Sniff::Yes } else { Sniff::No }
}

fn experiment(files: &[FolderFile]) -> Option<&FolderFile> {
    files.iter().filter(|file| file.name() == "experiment.xml").min_by_key(|file| file.path.len())
}

/// The XML alone, without the values of ranks.
fn read(
    stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    xml::read(stream, options, warnings)?.finish(vec![], warnings)
}

fn read_folder(
    folder: &dyn Folder,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let files = folder.files();
    if let Some(root) = database::root(files) {
        return database::read(folder, root, options, warnings);
    }
    let Some(xml) = experiment(files) else { return Err(ReadError::unknown_folder(files)) };
    let experiment = folder::read_file(folder, &xml.path, options, |stream| {
        xml::read(stream, options, warnings)
    })?;
    let root = xml.path.trim_end_matches("experiment.xml");
    let mut ranks = vec![];
    for file in files {
        let is_rank = file.path.starts_with(root) && file.name().ends_with(".metric-db");
        if is_rank && let Some(place) = metric_db::place(file.name()) {
            let bytes = folder::read_whole(folder, &file.path, options)?;
            let values = metric_db::read(&bytes).map_err(|error| ReadError::InFile {
                path: file.path.clone(),
                error: Box::new(error),
            })?;
            ranks.push((place, values));
            let held: usize = ranks.iter().map(|(_, values)| values.values.len() * 8).sum();
            options.check_memory(held)?;
        }
    }
    experiment.finish(ranks, warnings)
}
