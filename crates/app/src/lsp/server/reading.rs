//! Files are opened, read, read again when they change, and closed.

use std::mem;
use std::path::{Path, PathBuf};
use std::time::Duration;

use lsp_types::MessageType;
use protocol::Progress;
use serde_json::{Value, json};

use super::state_machine::Server;
use crate::lsp::events::Loaded;
use crate::lsp::graphs::Graph;
use crate::lsp::loading::Loading;
use crate::lsp::profiles::{Profile, metric_of, stamp};
use crate::lsp::several;

impl Server {
    /// Begins to read those that were not opened before, when there is time.
    pub(super) fn read_new(&mut self, paths: Vec<PathBuf>) {
        let opened = &self.workspace.choice.opened;
        self.reader.wait(paths.into_iter().filter(|path| !opened.contains(path)));
        self.look_at_files();
    }

    /// Tells of files that are gone or cannot be read, once nobody writes them.
    fn report_unreadable(&mut self) {
        for path in self.reader.take_missing() {
            let message =
                format!("Hotframe: {} is gone; its values are kept", several::shown_paths(&path));
            self.out.tell(MessageType::WARNING, &message);
        }
        for (path, why) in self.reader.take_unreadable() {
            self.tell_unusable(&path, &why);
        }
    }

    /// Begins to read what is named and not read yet, and what changed.
    pub(super) fn look_at_files(&mut self) {
        self.report_unreadable();
        for path in self.reader.take_waiting() {
            self.open(&path);
        }
        for path in self.reader.changed() {
            self.load(&path);
        }
        let workspace = &self.workspace;
        let is_changed = |one: &&Graph| !one.is_fresh() && !workspace.is_loading(&one.path);
        let changed: Vec<PathBuf> =
            workspace.graphs.iter().filter(is_changed).map(|one| one.path.clone()).collect();
        for path in changed.into_iter().filter(|path| path.is_file()) {
            self.load(&path);
        }
        for place in 0..self.workspace.profiles.len() {
            // What is written for long is read once at a time, and looked at again after that.
            if self.workspace.is_loading(&self.workspace.profiles[place].path) {
                continue;
            }
            let profile = &mut self.workspace.profiles[place];
            let now = stamp(&profile.path);
            if mem::replace(&mut profile.stamp, now) == now {
                continue;
            }
            let path = profile.path.clone();
            if now.is_none() {
                self.reader.miss(&path);
                continue;
            }
            self.load(&path);
        }
    }

    /// Begins to read a file, unless it is there or under way; gives its number in the session.
    pub(in crate::lsp) fn open(&mut self, path: &Path) -> Option<u32> {
        self.workspace.choice.aside.remove(path);
        if !self.workspace.is_set_base(path) {
            self.choose(path);
        }
        let (workspace, now) = (&self.workspace, stamp(path));
        let known = workspace.profiles.iter().find(|one| one.path == path && one.stamp == now);
        let graph = workspace.graphs.iter().find(|one| one.path == path && one.stamp == now);
        let under_way = workspace.loading.iter().find(|one| one.path == path);
        // What is being read again takes the place of what is there.
        let known = under_way.map(|one| one.document).or(known.map(|one| one.number));
        let known = known.or(graph.map(|one| one.number));
        if known.is_some() {
            return known;
        }
        let problem = match path.to_str() {
            Some("-") => Some("standard input is the editor's; name a file".to_owned()),
            _ => problem_of(path),
        };
        if let Some(problem) = problem {
            self.tell_unusable(path, &problem);
            return None;
        }
        Some(self.load(path))
    }

    fn load(&mut self, path: &Path) -> u32 {
        let opened = &mut self.workspace.choice.opened;
        if !opened.iter().any(|known| known == path) {
            opened.push(path.to_owned());
        }
        let loading = self.reader.start(path, &self.workspace.settings);
        let document = loading.document;
        self.workspace.loading.push(loading);
        self.tell_change();
        document
    }

    /// The picture of a profile was closed: it goes on to be told of, and others are compared with
    /// it only by choice. Those that the settings name stay.
    pub(in crate::lsp) fn put_aside(&mut self, path: &Path) {
        if !self.named().iter().any(|named| named == path)
            && self.workspace.choice.aside.insert(path.to_owned())
        {
            self.refresh();
        }
    }

    /// Forgets a file, which may be under way; tells whether there was one.
    pub(in crate::lsp) fn close(&mut self, path: &Path) -> bool {
        self.reader.forget_unread(path);
        let under_way: Vec<Loading> =
            self.workspace.loading.extract_if(.., |loading| loading.path == path).collect();
        for loading in &under_way {
            loading.cancel();
            self.end_progress(loading);
            self.reader.close(loading.document);
        }
        let place = self.workspace.profile(path);
        if let Some(place) = place {
            self.reader.close(self.workspace.profiles.remove(place).number);
        }
        let graph = self.workspace.graph(path);
        if let Some(graph) = graph {
            self.reader.close(self.workspace.graphs.remove(graph).number);
        }
        if place.is_none() && graph.is_none() && under_way.is_empty() {
            return false;
        }
        self.workspace.choice.opened.retain(|opened| opened != path);
        self.workspace.choice.chosen.retain(|chosen| chosen != path);
        self.workspace.choice.aside.remove(path);
        self.refresh();
        self.answer_deferred();
        true
    }

    pub(super) fn take_loaded(&mut self, document: u32, read: Result<Loaded, String>) {
        let place = self.workspace.loading.iter().position(|one| one.document == document);
        let Some(place) = place else { return };
        let loading = self.workspace.loading.remove(place);
        self.end_progress(&loading);
        match read {
            Ok(Loaded::Profile(profile)) => self.keep(*profile),
            Ok(Loaded::Graph(graph)) => self.keep_graph(*graph),
            Err(_) if loading.is_cancelled() => {
                self.reader.close(document);
                let message =
                    format!("Hotframe: {} is not read", several::shown_paths(&loading.path));
                self.out.tell(MessageType::INFO, &message);
            }
            Err(error) => {
                let graph = self.workspace.graph(&loading.path);
                if let Some(place) = graph {
                    // It is tried again when it is another, and not before.
                    self.workspace.graphs[place].stamp = loading.stamp;
                }
                let is_known = graph.is_some() || self.workspace.profile(&loading.path).is_some();
                if is_known {
                    self.reader.close(document);
                }
                self.reader.keep_unread(loading, error, is_known);
                self.report_unreadable();
            }
        }
        if self.workspace.loading.is_empty() {
            self.refresh();
        }
        self.answer_deferred();
    }

    /// Answers what waited, once nothing is being read or compared. It does not wait for what changed since:
    /// a profile that is written all the time would never be told of.
    pub(super) fn answer_deferred(&mut self) {
        if !self.is_busy() {
            self.take_deferred();
        }
    }

    /// Whether something is being read or compared that answers tell of.
    pub(super) fn is_busy(&self) -> bool {
        !self.workspace.loading.is_empty() || self.comparing.is_some()
    }

    fn keep_graph(&mut self, graph: Graph) {
        match self.workspace.graph(&graph.path) {
            Some(place) => {
                let before = mem::replace(&mut self.workspace.graphs[place], graph);
                self.reader.close(before.number);
            }
            None => self.workspace.graphs.push(graph),
        }
    }

    fn keep(&mut self, profile: Profile) {
        let path = several::shown_paths(&profile.path);
        let settings = &self.workspace.settings;
        if let Some(name) = &settings.metric
            && metric_of(&profile.document, settings).is_err()
        {
            let used = &profile.document.metrics()[profile.metric.index()].name;
            let message = format!("Hotframe: {path} has no metric {name}; {used} is shown");
            self.out.tell(MessageType::WARNING, &message);
        }
        self.workspace.see_files(&profile);
        if let Some(before) = self.workspace.keep(profile) {
            let message = format!("Hotframe: {path} changed and was read again");
            self.out.tell(MessageType::INFO, &message);
            self.reader.close(before.number);
        }
    }

    fn tell_unusable(&mut self, path: &Path, why: &str) {
        let message = format!("Hotframe: {} cannot be used: {why}", several::shown_paths(path));
        self.out.tell(MessageType::ERROR, &message);
    }

    /// Shows how far reading is, once it takes long.
    pub(super) fn take_progress(&mut self, document: u32, progress: &Progress) {
        /// What takes less is not worth a look.
        const NOTICED: Duration = Duration::from_millis(500);
        if !self.workspace.editor.show_progress {
            return;
        }
        let mut all = self.workspace.loading.iter_mut();
        let Some(loading) = all.find(|one| one.document == document) else { return };
        if loading.started.elapsed() < NOTICED {
            return;
        }
        let percentage = (progress.done / progress.total.max(1.0) * 100.0).min(100.0) as u32;
        if mem::replace(&mut loading.is_shown, true) {
            self.notify_progress(document, json!({ "kind": "report", "percentage": percentage }));
            return;
        }
        let title = format!("Hotframe reads {}", several::title(&loading.path));
        self.out.ask("window/workDoneProgress/create", json!({ "token": token_of(document) }));
        let begin = json!({
            "kind": "begin", "title": title, "cancellable": true, "percentage": percentage,
        });
        self.notify_progress(document, begin);
    }

    fn end_progress(&mut self, loading: &Loading) {
        if loading.is_shown {
            self.notify_progress(loading.document, json!({ "kind": "end" }));
        }
    }

    fn notify_progress(&mut self, document: u32, value: Value) {
        self.out.notify("$/progress", json!({ "token": token_of(document), "value": value }));
    }

    /// Stops to read the file whose progress somebody does not want to see the end of.
    pub(super) fn cancel_reading(&self, params: &Value) {
        let token = params.get("token").and_then(Value::as_str);
        let is_it = |loading: &&Loading| token == Some(&token_of(loading.document));
        if let Some(loading) = self.workspace.loading.iter().find(is_it) {
            loading.cancel();
        }
    }
}

/// Why a file, or one of several, cannot be read, as far as that is known before.
fn problem_of(path: &Path) -> Option<String> {
    let files = several::files(path);
    let is_one = files.len() == 1;
    files.into_iter().find_map(|file| {
        let error = std::fs::metadata(file).err()?;
        Some(if is_one { error.to_string() } else { format!("{}: {error}", file.display()) })
    })
}

/// Names the reading of a document.
fn token_of(document: u32) -> String {
    format!("hotframe-{document}")
}
