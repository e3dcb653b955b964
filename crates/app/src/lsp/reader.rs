//! What is to be read, and how it gets into the session.

use std::mem;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::SyncSender;

use anyhow::Result;
use session::Session;

use super::events::{EditorHost, Event};
use super::loading::Loading;
use super::profiles::{Stamp, stamp};
use super::settings::Settings;
use crate::arguments::Lsp;
use crate::{server, settings};

/// Reads files into the session.
pub(super) struct Reader {
    session: Arc<Session>,
    host: Arc<EditorHost>,
    events: SyncSender<Event>,
    /// Named before there was time to read them.
    waiting: Vec<PathBuf>,
    /// What could not be read, as it was then: it is tried again when it is another.
    unread: Vec<Unread>,
    /// Address of the page, once it is served.
    page: Option<String>,
}

/// A file that could not be read, as it was then.
struct Unread {
    path: PathBuf,
    stamp: Stamp,
    /// Its number in the session, whose pages say why.
    document: u32,
}

impl Reader {
    pub(super) fn new(arguments: &Lsp, events: SyncSender<Event>) -> Result<Reader> {
        let options = arguments.limits.read_options();
        let host = EditorHost::new(options.max_size, events.clone());
        let session = Session::new(Box::new(host.clone()), options);
        Ok(Reader {
            session: Arc::new(session.with_formulas(settings::formulas()?)),
            host,
            events,
            waiting: arguments.profile.clone(),
            unread: vec![],
            page: None,
        })
    }

    /// Names files to read when there is time.
    pub(super) fn wait(&mut self, paths: impl IntoIterator<Item = PathBuf>) {
        for path in paths {
            if !self.waiting.contains(&path) {
                self.waiting.push(path);
            }
        }
    }

    /// Takes the files to read.
    pub(super) fn take_waiting(&mut self) -> Vec<PathBuf> {
        mem::take(&mut self.waiting)
    }

    /// What could not be read and is another file now.
    pub(super) fn changed(&self) -> Vec<PathBuf> {
        let is_other = |one: &&Unread| {
            let now = stamp(&one.path);
            now.is_some() && now != one.stamp
        };
        self.unread.iter().filter(is_other).map(|one| one.path.clone()).collect()
    }

    /// Begins to read a file; its end is an event.
    pub(super) fn start(&mut self, path: &Path, settings: &Settings) -> Loading {
        self.forget_unread(path);
        let document = self.session.add(&self.host.allow(path));
        Loading::start(&self.session, path, document, settings, &self.events)
    }

    /// Remembers what could not be read: it may be written at this moment. Until then its pages say
    /// what is wrong.
    pub(super) fn keep_unread(&mut self, loading: Loading) {
        let Loading { path, stamp, document, .. } = loading;
        self.unread.push(Unread { path, stamp, document });
    }

    /// Forgets what could not be read, and what its pages say.
    pub(super) fn forget_unread(&mut self, path: &Path) {
        for one in self.unread.extract_if(.., |one| one.path == path) {
            self.session.close(one.document);
        }
    }

    /// Frees a document of the session.
    pub(super) fn close(&self, document: u32) {
        self.session.close(document);
    }

    /// Address of the page, which is served from now on.
    pub(super) fn page(&mut self) -> Result<String> {
        if let Some(page) = &self.page {
            return Ok(page.clone());
        }
        let page = server::serve_beside(self.session.clone())?;
        self.page = Some(page.clone());
        Ok(page)
    }
}
