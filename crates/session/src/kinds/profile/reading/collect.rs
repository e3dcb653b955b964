//! Profiles of one or many inputs as one document.

use std::io::{self, Read};

use analysis::{
    AlignBy, Merge, Merged, members_by, order_members_by_time, refine_means, were_at_once,
};
use formats::{Folder, FolderFile, Opened, ReadError, ReadOptions, Source, Warnings};
use profile::Profile;
use protocol::{ErrorCode, ProtocolError};

use crate::kinds::KINDS;
use crate::kinds::profile::KIND;
use crate::kinds::profile::document::titles::with_runs;
use crate::kinds::profile::reading::aligned::align_members;
use crate::kinds::profile::reading::demangle::demangle;
use crate::kinds::profile::reading::settings::ReadSettings;
use crate::kinds::profile::reading::symbolise::symbolise;
use crate::{Binaries, Input, ProfileDocument, Watch};

/// The kind of the warning that nothing has what members were to be made of.
pub const NO_MEMBERS: &str = "members";

/// Reads inputs into one document. One profile stays as it is; several are merged, and an input
/// that was read is not kept.
#[derive(Debug)]
pub struct Collector<'a> {
    options: &'a ReadOptions,
    /// The first profile, until there is a second.
    first: Option<(String, Opened)>,
    merge: Merge,
    warnings: Warnings,
    reading: ReadSettings,
    /// Inputs, each of which may be several profiles.
    added: usize,
}

impl<'a> Collector<'a> {
    /// A collector that has read nothing.
    pub fn new(options: &'a ReadOptions) -> Collector<'a> {
        let (merge, warnings) = (Merge::default(), Warnings::default());
        Collector {
            options,
            first: None,
            merge,
            warnings,
            reading: ReadSettings::default(),
            added: 0,
        }
    }

    /// The same, whose profiles become something else once they are read.
    pub fn reading_as(self, reading: ReadSettings) -> Collector<'a> {
        Collector { reading, ..self }
    }

    /// Reads the profiles of an input: mostly one; all of a folder or archive of profiles, named
    /// `name/path`.
    pub fn add(
        &mut self,
        input: Input,
        watch: &dyn Watch,
        name: &str,
    ) -> Result<(), ProtocolError> {
        self.added += 1;
        let (input, head) = match self.options.from {
            None => input.peek(),
            Some(_) => (input, vec![]),
        };
        let other = KINDS.iter().find(|kind| (kind.recognises)(&head, name));
        let other = other.filter(|kind| kind.name != KIND.name && self.options.from.is_none());
        if let Some(kind) = other {
            let message = format!("{name} is a {} and no profile", kind.noun);
            return Err(ProtocolError::new(ErrorCode::WrongKind, message).with_hint(
                "`hotframe open` shows it; `hotframe sdfg` prints what it holds and costs, and \
                 compares two of them.",
            ));
        }
        if let Input::Folder(folder) = &input
            && !folder.unreadable().is_empty()
        {
            let folders = folder.unreadable().join(", ");
            self.warnings.add("unreadable folder", || {
                format!("{name}: these folders are left out: {folders}")
            });
        }
        // What was read before counts, too.
        let held = self.merge.heap_bytes()
            + self.first.as_ref().map_or(0, |(_, first)| first.profile.heap_bytes());
        let walkers = self.reading.binaries().map(Binaries::walkers);
        let options = &ReadOptions { held, walkers, ..self.options.clone() };
        let take = &mut |path: &str, opened| match path {
            "" => self.take(name.to_owned(), opened),
            path => self.take(format!("{name}/{path}"), opened),
        };
        let passed = match input {
            Input::File(bytes, _) => {
                let file_name = profile::base_name(name);
                formats::read_each(Source { bytes: watch.watch(bytes), file_name }, options, take)
            }
            Input::Folder(folder) => {
                let folder = WatchedFolder { folder: &*folder, watch };
                formats::read_folder_each(&folder, options, take)
            }
        };
        let passed = passed.map_err(|error| {
            let code = match &error {
                error if error.is_limit() => ErrorCode::Limit,
                error if error.is_left_out() => ErrorCode::LeftOut,
                _ => ErrorCode::Unreadable,
            };
            ProtocolError::new(code, format!("{}: {error}", profile::visible(name)))
                .with_hint(error.hint())
        })?;
        self.warnings.add_all(name, &passed);
        Ok(())
    }

    /// Warns of what was not read.
    pub fn warn(&mut self, kind: &'static str, message: impl FnOnce() -> String) {
        self.warnings.add(kind, message);
    }

    /// The document of all that was read.
    pub fn finish(mut self, title: &str) -> ProfileDocument {
        let mut merged = match self.first.take() {
            Some((name, Opened { mut profile, mut warnings })) => {
                if let [only] = &mut profile.members[..]
                    && only.name.is_empty()
                {
                    only.name = name;
                }
                warnings.add_all(title, &self.warnings);
                self.warnings = warnings;
                Merged { profile, inputs: 1, notes: vec![] }
            }
            None => self.merge.finish(),
        };
        order_members_by_time(&mut merged.profile);
        if let Some(by) = &self.reading.members_by {
            match members_by(&merged.profile, by) {
                Some(profile) => {
                    let is_lost = loses_time(&merged.profile, &profile);
                    merged = Merged { profile, ..merged };
                    if is_lost {
                        self.warnings.add("members time", || TIME_LOST.to_owned());
                    }
                }
                None => {
                    let text = || format!("no sample has a {by} to make members of");
                    self.warnings.add(NO_MEMBERS, text);
                }
            }
        }
        // What several hosts measured at once stands together, unless its times were moved before.
        let members = &merged.profile.members;
        let is_at_once = members.iter().all(|member| member.moved_ns == 0) && were_at_once(members);
        let by = self.reading.align.clone();
        if let Some(by) = by.or_else(|| is_at_once.then(|| AlignBy::Clock(vec![]))) {
            align_members(&mut merged.profile, &by, &mut self.warnings);
        }
        // A folder or an archive of profiles.
        if self.added == 1 && merged.inputs > 1 {
            let title = with_runs(title, merged.inputs);
            return ProfileDocument::new(&title, merged, self.warnings);
        }
        ProfileDocument::new(title, merged, self.warnings)
    }

    fn take(&mut self, name: String, mut opened: Opened) -> Result<(), ReadError> {
        demangle(&mut opened.profile, self.reading.demangle);
        if let Some(binaries) = self.reading.binaries() {
            let Opened { profile, warnings } = &mut opened;
            symbolise(profile, binaries, self.reading.demangle, warnings);
        }
        refine_means(&mut opened.profile);
        if self.first.is_none() && self.merge.is_empty() {
            self.first = Some((name, opened));
            return Ok(());
        }
        for (name, opened) in self.first.take().into_iter().chain([(name, opened)]) {
            self.merge.add(&name, &opened.profile);
            self.warnings.add_all(&name, &opened.warnings);
        }
        if self.merge.heap_bytes() > self.options.max_memory {
            return Err(self.options.out_of_memory("the tables of all profiles in memory"));
        }
        Ok(())
    }
}

/// What is told where members are made of what happened.
pub(in crate::kinds::profile) const TIME_LOST: &str =
    "the timeline is left out: spans and marks do not belong to these members";

/// Whether other members leave out what happened when.
pub(in crate::kinds::profile) fn loses_time(before: &Profile, after: &Profile) -> bool {
    !before.timeline.is_empty() && after.timeline.is_empty()
}

/// A folder whose files are watched while they are read.
struct WatchedFolder<'a> {
    folder: &'a dyn Folder,
    watch: &'a dyn Watch,
}

impl Folder for WatchedFolder<'_> {
    fn files(&self) -> &[FolderFile] {
        self.folder.files()
    }

    fn unreadable(&self) -> &[String] {
        self.folder.unreadable()
    }

    fn edit(&self, path: &str, profile: &mut Profile) {
        self.folder.edit(path, profile);
    }

    fn open(&self, path: &str) -> io::Result<Box<dyn Read + Send + '_>> {
        Ok(self.watch.watch(self.folder.open(path)?))
    }
}
