//! What is to be read, and how it gets into the session.

use std::mem;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;
use serde_json::Value;
use session::{AdviceRule, Binaries, Session};

use super::events::{EditorHost, Event};
use super::loading::Loading;
use super::methods::Work;
use super::profiles::{Stamp, stamp};
use super::refusal::guarded;
use super::settings::Settings;
use super::several;
use crate::arguments::Lsp;
use crate::server::{self, FrameFile};
use crate::settings;

/// Reads files into the session.
pub(super) struct Reader {
    session: Arc<Session>,
    host: Arc<EditorHost>,
    events: SyncSender<Event>,
    /// Named before there was time to read them.
    waiting: Vec<PathBuf>,
    /// What could not be read, as it was then: it is tried again when it is another.
    unread: Vec<Unread>,
    /// What is gone, and since when.
    missing: Vec<(PathBuf, Instant)>,
    /// Address of the page, once it is served.
    page: Option<String>,
    /// Where the editor's own pages get frames, once they do.
    frames: Option<FrameFile>,
}

/// A file that could not be read, as it was then.
struct Unread {
    path: PathBuf,
    stamp: Stamp,
    /// Its number in the session, whose pages say why; none where that is still its older self.
    document: Option<u32>,
    /// Why, until the user is told: it may be written at this moment.
    untold: Option<String>,
}

/// A file that was written less than this ago may be written on.
const SETTLED: Duration = Duration::from_secs(3);

impl Reader {
    pub(super) fn new(arguments: &Lsp, events: SyncSender<Event>) -> Result<Reader> {
        let options = arguments.limits.read_options();
        let host = EditorHost::new(options.max_size, events.clone());
        let session =
            Session::new(Box::new(host.clone()), options).reading_as(arguments.limits.reading_as());
        let rules = settings::rules()?;
        Ok(Reader {
            session: Arc::new(session.with_formulas(settings::formulas()?).with_rules(rules)),
            host,
            events,
            waiting: arguments.profile.clone(),
            unread: vec![],
            missing: vec![],
            page: None,
            frames: None,
        })
    }

    /// Rules of advice, besides those that come along.
    pub(super) fn rules(&self) -> Arc<[AdviceRule]> {
        self.session.rules().clone()
    }

    /// Where binaries come from.
    pub(super) fn binaries(&self) -> Option<Binaries> {
        self.session.binaries().cloned()
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

    /// A file is gone; it may come again at once.
    pub(super) fn miss(&mut self, path: &Path) {
        self.missing.push((path.to_owned(), Instant::now()));
    }

    /// Takes the files that are gone for longer than it takes to write them anew.
    pub(super) fn take_missing(&mut self) -> Vec<PathBuf> {
        let gone = self.missing.extract_if(.., |(_, since)| since.elapsed() >= SETTLED);
        gone.map(|(path, _)| path).filter(|path| stamp(path).is_none()).collect()
    }

    /// Begins to read a file; its end is an event.
    pub(super) fn start(&mut self, path: &Path, settings: &Settings) -> Loading {
        self.forget_unread(path);
        let names = several::files(path).into_iter().map(|file| self.host.allow(file));
        let document = self.session.add_merged(&names.collect::<Vec<_>>());
        Loading::start(&self.session, path, document, settings, &self.events)
    }

    /// Answers a request on a thread of its own; its end is an event.
    pub(super) fn answer_beside(&self, method: &str, id: &Value, work: Work) {
        let (events, id, method) = (self.events(), id.clone(), method.to_owned());
        thread::spawn(move || {
            let answer = guarded(&method, work);
            // A server that is gone answers nobody.
            let _ = events.send(Event::Answered { id, answer });
        });
    }

    /// Where other threads reach the server.
    pub(super) fn events(&self) -> SyncSender<Event> {
        self.events.clone()
    }

    /// Remembers what could not be read, and why: it may be written at this moment. Until it is
    /// another its pages say what is wrong, unless it `is_known` as it was before.
    pub(super) fn keep_unread(&mut self, loading: Loading, why: String, is_known: bool) {
        let Loading { path, stamp, document, .. } = loading;
        let document = (!is_known).then_some(document);
        self.unread.push(Unread { path, stamp, document, untold: Some(why) });
    }

    /// Takes what the user is to be told of files that cannot be read and are not written any more.
    pub(super) fn take_unreadable(&mut self) -> Vec<(PathBuf, String)> {
        let is_settled = |one: &Unread| {
            let written = one.stamp.and_then(|(time, _)| time);
            let is_new = written.is_some_and(|time| time.elapsed().is_ok_and(|age| age < SETTLED));
            // One that is another already is read again.
            !is_new && stamp(&one.path) == one.stamp
        };
        let settled = self.unread.iter_mut().filter(|one| is_settled(one));
        settled.filter_map(|one| Some((one.path.clone(), one.untold.take()?))).collect()
    }

    /// Forgets what could not be read, and what its pages say.
    pub(super) fn forget_unread(&mut self, path: &Path) {
        for one in self.unread.extract_if(.., |one| one.path == path) {
            if let Some(document) = one.document {
                self.session.close(document);
            }
        }
    }

    /// Frees a document of the session.
    pub(super) fn close(&self, document: u32) {
        self.session.close(document);
    }

    /// Where the editor's own pages get frames from now on.
    pub(super) fn frames(&mut self) -> Result<&FrameFile> {
        if self.frames.is_none() {
            self.frames = Some(server::serve_in_file(self.session.clone())?);
        }
        Ok(self.frames.as_ref().expect("it was made"))
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
