//! What is loaded, and which request is answered how.

use std::collections::HashSet;
use std::mem;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::time::Duration;

use anyhow::{Context as _, Result};

use lsp_types::{
    CodeLensOptions, DiagnosticOptions, DiagnosticServerCapabilities, DidChangeTextDocumentParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, ExecuteCommandOptions,
    HoverProviderCapability, InitializeParams, InitializeResult, MessageType, OneOf, Position,
    Range, ServerCapabilities, ServerInfo, ShowDocumentParams, ShowMessageParams,
    TextDocumentSyncCapability, TextDocumentSyncKind, Uri, WorkspaceFoldersServerCapabilities,
    WorkspaceServerCapabilities,
};
use protocol::{ErrorCode, OpenSourceParams, Progress, ProtocolError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use session::Session;

use super::base::{Base, same_metric};
use super::events::{EditorHost, Event, Loaded};
use super::files::Files;
use super::framing::Incoming;
use super::graphs::Graph;
use super::loading::Loading;
use super::markdown::without_links;
use super::paths::{Found, path_of_uri};
use super::pending::Pending;
use super::profiles::{Profile, Stamp, metric_of, stamp};
use super::questions::Questions;
use super::remembered::{Remembered, file_of_user};
use super::requests;
use super::settings::Settings;
use super::source::{Source, Sources};
use super::texts::{LineLength, Texts};
use super::versions::{PATIENCE, Placed};
use crate::arguments::Lsp;
use crate::{server, settings};

/// Why a request has no result: a code of JSON-RPC or the protocol, and a sentence.
#[derive(Debug)]
pub(super) struct Refusal {
    code: i32,
    message: String,
}

impl Refusal {
    const PARSE_ERROR: i32 = -32700;
    const INVALID_REQUEST: i32 = -32600;
    const METHOD_NOT_FOUND: i32 = -32601;
    const INVALID_PARAMS: i32 = -32602;
    const NOT_INITIALIZED: i32 = -32002;
    const CANCELLED: i32 = -32800;
    const FAILED: i32 = -32803;

    fn new(code: i32, message: impl Into<String>) -> Refusal {
        Refusal { code, message: message.into() }
    }

    pub(super) fn invalid(message: impl Into<String>) -> Refusal {
        Refusal::new(Refusal::INVALID_PARAMS, message)
    }
}

impl From<anyhow::Error> for Refusal {
    fn from(error: anyhow::Error) -> Refusal {
        Refusal::new(Refusal::FAILED, format!("{error:#}"))
    }
}

/// What to do after a message.
pub(super) enum Step {
    /// Wait for the next.
    Continue,
    /// End the process.
    Exit(ExitCode),
}

#[derive(PartialEq)]
enum State {
    New,
    Running,
    ShutDown,
}

/// The server of one editor.
pub(super) struct Server {
    state: State,
    pub(super) settings: Settings,
    events: SyncSender<Event>,
    host: Arc<EditorHost>,
    session: Arc<Session>,
    /// Address of the page, once it is served.
    address: Option<String>,
    /// Named before the editor was ready.
    waiting: Vec<PathBuf>,
    pub(super) loading: Vec<Loading>,
    /// What could not be read, as it was then: it is tried again when it is another.
    unread: Vec<Unread>,
    /// Requests that want the profiles which are being read.
    deferred: Vec<Value>,
    pub(super) profiles: Vec<Profile>,
    pub(super) graphs: Vec<Graph>,
    /// Paths in the order in which they were opened, which `profiles` are in too.
    opened: Vec<PathBuf>,
    /// The one that is told of, once it is read: the last one opened or chosen; before it those
    /// that were chosen earlier, which are told of again where it cannot be.
    chosen: Vec<PathBuf>,
    /// What it is compared with by choice, which may be nothing.
    pub(super) chosen_base: Option<Option<PathBuf>>,
    /// Folders of the workspace.
    pub(super) folders: Vec<String>,
    pub(super) texts: Texts,
    /// Files that have published diagnostics.
    pub(super) published: HashSet<String>,
    pub(super) questions: Questions,
    pub(super) remembered: Remembered,
    /// What the editor can be asked to ask for again.
    refreshes: Vec<&'static str>,
    /// What else the editor can do.
    can: Abilities,
    asked: u64,
    pending: Arc<Pending>,
    /// Messages to send, as JSON.
    out: Vec<String>,
}

impl Server {
    pub(super) fn new(
        arguments: &Lsp,
        pending: Arc<Pending>,
        events: SyncSender<Event>,
    ) -> Result<Server> {
        let options = arguments.limits.read_options();
        let host = EditorHost::new(options.max_size, events.clone());
        let session = Session::new(Box::new(host.clone()), options);
        Ok(Server {
            state: State::New,
            settings: Settings::default(),
            events,
            host,
            session: Arc::new(session.with_formulas(settings::formulas()?)),
            address: None,
            waiting: arguments.profile.clone(),
            loading: vec![],
            unread: vec![],
            deferred: vec![],
            profiles: vec![],
            graphs: vec![],
            opened: vec![],
            chosen: vec![],
            chosen_base: None,
            folders: vec![],
            texts: Texts::default(),
            published: HashSet::new(),
            questions: Questions::default(),
            remembered: Remembered::default(),
            refreshes: vec![],
            can: Abilities::default(),
            asked: 0,
            pending,
            out: vec![],
        })
    }

    /// The messages to send.
    pub(super) fn drain(&mut self) -> Vec<String> {
        mem::take(&mut self.out)
    }

    /// An editor that leaves without a word has failed.
    pub(super) fn exit_code(&self) -> ExitCode {
        if self.state == State::ShutDown { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }

    /// Looks at what happened.
    pub(super) fn take_event(&mut self, event: Event) -> Step {
        match event {
            Event::Incoming(Incoming::Message(message)) => return self.take(message),
            Event::Incoming(Incoming::Malformed(why)) => {
                self.reply(&Value::Null, Err(Refusal::new(Refusal::PARSE_ERROR, why)));
            }
            Event::Incoming(Incoming::End) => return Step::Exit(self.exit_code()),
            Event::Progress { .. } | Event::Loaded { .. } if self.state == State::ShutDown => {}
            Event::Progress { document, progress } => self.take_progress(document, &progress),
            Event::Loaded { document, read } => self.take_loaded(document, read),
            Event::OpenSource { wanted, answer } => {
                // A page that waits no longer needs no answer.
                let _ = answer.send(self.open_source(&wanted));
            }
        }
        Step::Continue
    }

    /// Nothing happened for a while.
    pub(super) fn take_silence(&mut self) -> Step {
        if self.state == State::Running {
            self.look_at_files();
        }
        Step::Continue
    }

    /// Takes a message.
    fn take(&mut self, message: Value) -> Step {
        if self.waits(&message) {
            self.deferred.push(message);
            return Step::Continue;
        }
        self.take_now(message)
    }

    fn take_now(&mut self, mut message: Value) -> Step {
        let params = message.get_mut("params").map(Value::take).unwrap_or_default();
        let method = message.get("method").and_then(Value::as_str);
        match (method, message.get("id")) {
            (Some("exit"), None) => return Step::Exit(self.exit_code()),
            (Some(method), None) => self.take_notification(method, params),
            (Some(method), Some(id)) => {
                let answer = match self.pending.begin(id) {
                    true => Err(Refusal::new(Refusal::CANCELLED, "cancelled")),
                    false => self.answer(method, params),
                };
                self.reply(id, answer);
            }
            (None, Some(id)) if message.get("result").or(message.get("error")).is_some() => {
                let result = message.get("result").unwrap_or(&Value::Null);
                self.take_answer(id.as_str().unwrap_or_default(), result);
            }
            (None, _) => {
                let refusal = Refusal::new(Refusal::INVALID_REQUEST, "a message without a method");
                self.reply(&Value::Null, Err(refusal));
            }
        }
        Step::Continue
    }

    /// Whether a message is a request that wants the profiles which are being read.
    fn waits(&mut self, message: &Value) -> bool {
        let method = message.get("method").and_then(Value::as_str);
        let (Some(method), Some(_), State::Running) = (method, message.get("id"), &self.state)
        else {
            return false;
        };
        let command = message.pointer("/params/command").and_then(Value::as_str);
        if !requests::needs_profiles(method, command) {
            return false;
        }
        self.look_at_files();
        !self.loading.is_empty()
    }

    fn reply(&mut self, id: &Value, answer: Result<String, Refusal>) {
        self.out.push(match answer {
            Ok(result) => format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#),
            Err(Refusal { code, message }) => {
                let error = json!({ "code": code, "message": message });
                json!({ "jsonrpc": "2.0", "id": id, "error": error }).to_string()
            }
        });
    }

    /// The result as JSON: a tree of values would take longer than the answer.
    fn answer(&mut self, method: &str, params: Value) -> Result<String, Refusal> {
        match (&self.state, method) {
            (State::New, "initialize") => {
                // The structures do not have it.
                let place = "/capabilities/workspace/diagnostics/refreshSupport";
                if params.pointer(place) == Some(&Value::Bool(true)) {
                    self.refreshes.push("workspace/diagnostic/refresh");
                }
                return self.with(params, Server::initialize);
            }
            (State::New, _) => {
                return Err(Refusal::new(Refusal::NOT_INITIALIZED, "initialize comes first"));
            }
            (State::Running, "shutdown") => {
                self.state = State::ShutDown;
                // What waited is refused.
                self.take_deferred();
                return Ok(Value::Null.to_string());
            }
            (State::Running, "initialize") | (State::ShutDown, _) => {
                let message = format!("{method} cannot come now");
                return Err(Refusal::new(Refusal::INVALID_REQUEST, message));
            }
            (State::Running, _) => {}
        }
        match method {
            "textDocument/codeLens" => self.with(params, requests::code_lens),
            "textDocument/inlayHint" => self.with(params, requests::inlay_hint),
            "textDocument/hover" => self.with(params, requests::hover),
            "textDocument/documentSymbol" => self.with(params, requests::document_symbol),
            "textDocument/diagnostic" => self.with(params, requests::diagnostic),
            "workspace/symbol" => self.with(params, requests::workspace_symbol),
            "workspace/executeCommand" => self.with(params, requests::execute_command),
            "hotframe/profiles" => self.with(params, requests::profiles),
            "hotframe/function" => self.with(params, requests::function),
            "hotframe/lines" => self.with(params, requests::lines),
            _ => {
                let message = format!("there is no {method} here");
                Err(Refusal::new(Refusal::METHOD_NOT_FOUND, message))
            }
        }
    }

    /// Answers with typed parameters.
    fn with<P: DeserializeOwned, R: Serialize>(
        &mut self,
        params: Value,
        answer: impl FnOnce(&mut Server, P) -> Result<R, Refusal>,
    ) -> Result<String, Refusal> {
        let params = serde_json::from_value(params);
        let params = params.map_err(|error| Refusal::invalid(error.to_string()))?;
        let result = answer(self, params)?;
        Ok(serde_json::to_string(&result).map_err(anyhow::Error::from)?)
    }

    fn take_notification(&mut self, method: &str, params: Value) {
        if self.state != State::Running {
            return;
        }
        match method {
            "initialized" => self.look_at_files(),
            "$/cancelRequest" => self.cancel_deferred(&params),
            "window/workDoneProgress/cancel" => {
                let token = params.get("token").and_then(Value::as_str);
                let is_it = |loading: &&Loading| token == Some(&token_of(loading.document));
                if let Some(loading) = self.loading.iter().find(is_it) {
                    loading.cancel();
                }
            }
            "textDocument/didOpen" => {
                if let Ok(params) = serde_json::from_value::<DidOpenTextDocumentParams>(params) {
                    let uri = params.text_document.uri.to_string();
                    self.texts.set(uri.clone(), params.text_document.text);
                    requests::publish(self, &uri);
                }
            }
            "textDocument/didChange" => {
                if let Ok(params) = serde_json::from_value::<DidChangeTextDocumentParams>(params) {
                    let uri = params.text_document.uri.to_string();
                    match params.content_changes.into_iter().last() {
                        Some(change) if change.range.is_none() => {
                            self.texts.set(uri.clone(), change.text);
                        }
                        // Whole texts were asked for.
                        Some(_) => self.texts.remove(&uri),
                        None => {}
                    }
                    requests::publish(self, &uri);
                }
            }
            "textDocument/didClose" => {
                if let Ok(params) = serde_json::from_value::<DidCloseTextDocumentParams>(params) {
                    let uri = params.text_document.uri.as_str();
                    self.texts.remove(uri);
                    requests::publish(self, uri);
                }
            }
            "workspace/didChangeConfiguration" => self.change_settings(params),
            "workspace/didChangeWorkspaceFolders" => {
                if let Ok(params) = serde_json::from_value(params) {
                    self.change_folders(params);
                }
            }
            // Others may be ignored, says the protocol; requests are cancelled where they wait.
            _ => {}
        }
    }

    fn initialize(&mut self, params: InitializeParams) -> Result<InitializeResult, Refusal> {
        self.state = State::Running;
        self.settings = Settings::of(params.initialization_options).unwrap_or_else(|error| {
            let message = format!("Hotframe: the settings are not used: {error}");
            self.tell(MessageType::ERROR, message);
            Settings::default()
        });
        let folders = params.workspace_folders.unwrap_or_default();
        #[expect(deprecated, reason = "older editors name the root only")]
        let root = params.root_uri.filter(|_| folders.is_empty());
        let folders = folders.into_iter().map(|folder| folder.uri).chain(root);
        self.folders = folders.filter_map(|uri| path_of_uri(uri.as_str())).collect();
        let named: Vec<PathBuf> =
            self.settings.named().map(|path| self.in_workspace(path)).collect();
        self.waiting.extend(named);
        let window = params.capabilities.window.unwrap_or_default();
        self.questions.can_ask = window.show_message.is_some();
        self.remembered = Remembered::load(file_of_user(|name| std::env::var_os(name)))
            .unwrap_or_else(|error| {
                self.tell(MessageType::WARNING, format!("Hotframe: {error}"));
                Remembered::default()
            });
        let document = params.capabilities.text_document.unwrap_or_default();
        self.can = Abilities {
            show_document: window.show_document.is_some_and(|can| can.support),
            show_progress: window.work_done_progress == Some(true),
            follow_profiles: (params.capabilities.experimental)
                .is_some_and(|can| can.get("hotframe") == Some(&Value::Bool(true))),
            pull_diagnostics: document.diagnostic.is_some(),
            symbol_details: (document.document_symbol)
                .is_some_and(|can| can.hierarchical_document_symbol_support == Some(true)),
        };
        let workspace = params.capabilities.workspace.unwrap_or_default();
        if workspace.code_lens.is_some_and(|lens| lens.refresh_support == Some(true)) {
            self.refreshes.push("workspace/codeLens/refresh");
        }
        if workspace.inlay_hint.is_some_and(|hint| hint.refresh_support == Some(true)) {
            self.refreshes.push("workspace/inlayHint/refresh");
        }
        Ok(InitializeResult {
            capabilities: capabilities(),
            server_info: Some(ServerInfo {
                name: "hotframe".to_owned(),
                version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            }),
        })
    }

    /// A path or `file` address; a relative path is one of the first folder of the workspace.
    pub(super) fn in_workspace(&self, path: &str) -> PathBuf {
        let path = path_of_uri(path).unwrap_or_else(|| path.to_owned());
        match self.folders.first() {
            Some(folder) if path != "-" => Path::new(folder).join(path),
            _ => PathBuf::from(path),
        }
    }

    /// Begins to read those that were not opened before, when there is time.
    pub(super) fn read_new(&mut self, paths: Vec<PathBuf>) {
        let is_new = |path: &PathBuf| !self.opened.contains(path) && !self.waiting.contains(path);
        let new: Vec<PathBuf> = paths.into_iter().filter(is_new).collect();
        self.waiting.extend(new);
        self.look_at_files();
    }

    /// Begins to read what is named and not read yet, and what changed.
    fn look_at_files(&mut self) {
        for path in mem::take(&mut self.waiting) {
            self.open(&path);
        }
        let is_other = |one: &&Unread| {
            let now = stamp(&one.path);
            now.is_some() && now != one.stamp
        };
        let others = self.unread.iter().filter(is_other);
        for path in others.map(|one| one.path.clone()).collect::<Vec<_>>() {
            self.load(&path);
        }
        let is_loading = |path: &Path| self.loading.iter().any(|one| one.path == path);
        let changed = self.graphs.iter().filter(|one| !one.is_fresh() && !is_loading(&one.path));
        let changed: Vec<PathBuf> = changed.map(|one| one.path.clone()).collect();
        for path in changed.into_iter().filter(|path| path.is_file()) {
            self.load(&path);
        }
        for place in 0..self.profiles.len() {
            let profile = &mut self.profiles[place];
            // What is written for long is read once at a time, and looked at again after that.
            if self.loading.iter().any(|one| one.path == profile.path) {
                continue;
            }
            let now = stamp(&profile.path);
            if mem::replace(&mut profile.stamp, now) == now {
                continue;
            }
            let path = profile.path.clone();
            if now.is_none() {
                let message = format!("Hotframe: {} is gone; its values are kept", path.display());
                self.tell(MessageType::WARNING, message);
                continue;
            }
            self.load(&path);
        }
    }

    /// Begins to read a profile, unless it is there or under way; gives its number in the session.
    pub(super) fn open(&mut self, path: &Path) -> Option<u32> {
        if !self.is_set_base(path) {
            self.choose(path);
        }
        let now = stamp(path);
        let known = self.profiles.iter().find(|one| one.path == path && one.stamp == now);
        let under_way = self.loading.iter().find(|one| one.path == path);
        let graph = self.graphs.iter().find(|one| one.path == path && one.stamp == now);
        let known = known.map(|one| one.number).or(graph.map(|one| one.number));
        let known = known.or(under_way.map(|one| one.document));
        if known.is_some() {
            return known;
        }
        let problem = match path.to_str() {
            Some("-") => Some("standard input is the editor's; name a file".to_owned()),
            _ => std::fs::metadata(path).err().map(|error| error.to_string()),
        };
        if let Some(problem) = problem {
            self.tell_unusable(path, &problem);
            return None;
        }
        Some(self.load(path))
    }

    fn load(&mut self, path: &Path) -> u32 {
        if !self.opened.iter().any(|known| known == path) {
            self.opened.push(path.to_owned());
        }
        self.forget_unread(path);
        let name = self.host.allow(path);
        let document = self.session.add(&name);
        let loading = Loading::start(&self.session, path, document, &self.settings, &self.events);
        self.loading.push(loading);
        self.tell_change();
        document
    }

    /// Forgets what could not be read, and what its pages say.
    fn forget_unread(&mut self, path: &Path) {
        for one in self.unread.extract_if(.., |one| one.path == path) {
            self.session.close(one.document);
        }
    }

    /// Forgets a profile, which may be under way; tells whether there was one.
    pub(super) fn close(&mut self, path: &Path) -> bool {
        self.forget_unread(path);
        let under_way: Vec<Loading> =
            self.loading.extract_if(.., |loading| loading.path == path).collect();
        for loading in &under_way {
            loading.cancel();
            self.end_progress(loading);
            self.session.close(loading.document);
        }
        let place = self.profiles.iter().position(|one| one.path == path);
        if let Some(place) = place {
            self.session.close(self.profiles.remove(place).number);
        }
        let graph = self.graphs.iter().position(|one| one.path == path);
        if let Some(graph) = graph {
            self.session.close(self.graphs.remove(graph).number);
        }
        if place.is_none() && graph.is_none() && under_way.is_empty() {
            return false;
        }
        self.opened.retain(|opened| opened != path);
        self.chosen.retain(|chosen| chosen != path);
        self.refresh();
        self.answer_deferred();
        true
    }

    fn take_loaded(&mut self, document: u32, read: Result<Loaded, String>) {
        let place = self.loading.iter().position(|one| one.document == document);
        let Some(place) = place else { return };
        let loading = self.loading.remove(place);
        self.end_progress(&loading);
        match read {
            Ok(Loaded::Profile(profile)) => self.keep(*profile),
            Ok(Loaded::Graph(graph)) => self.keep_graph(*graph),
            Err(_) if loading.is_cancelled() => {
                self.session.close(document);
                let path = loading.path.display();
                self.tell(MessageType::INFO, format!("Hotframe: {path} is not read"));
            }
            Err(error) => {
                self.tell_unusable(&loading.path, &error);
                if self.profiles.iter().any(|known| known.path == loading.path) {
                    self.session.close(document);
                } else {
                    // It may be written at this moment. Until then its pages say what is wrong.
                    self.unread.push(Unread { path: loading.path, stamp: loading.stamp, document });
                }
            }
        }
        if self.loading.is_empty() {
            self.refresh();
        }
        self.answer_deferred();
    }

    /// Answers what waited, once nothing is being read. It does not wait for what changed since:
    /// a profile that is written all the time would never be told of.
    fn answer_deferred(&mut self) {
        if self.loading.is_empty() {
            self.take_deferred();
        }
    }

    fn take_deferred(&mut self) {
        for message in mem::take(&mut self.deferred) {
            self.take_now(message);
        }
    }

    fn keep_graph(&mut self, graph: Graph) {
        match self.graphs.iter().position(|known| known.path == graph.path) {
            Some(place) => {
                self.session.close(self.graphs[place].number);
                self.graphs[place] = graph;
            }
            None => self.graphs.push(graph),
        }
    }

    fn keep(&mut self, profile: Profile) {
        let path = profile.path.display();
        if let Some(name) = &self.settings.metric
            && metric_of(&profile.document, &self.settings).is_err()
        {
            let used = &profile.document.metrics()[profile.metric].name;
            let message = format!("Hotframe: {path} has no metric {name}; {used} is shown");
            self.tell(MessageType::WARNING, message);
        }
        match self.profiles.iter().position(|known| known.path == profile.path) {
            Some(place) => {
                let message = format!("Hotframe: {path} changed and was read again");
                self.tell(MessageType::INFO, message);
                self.session.close(self.profiles[place].number);
                self.profiles[place] = profile;
            }
            None => {
                // Small files are read before large ones.
                let order = |path: &Path| self.opened.iter().position(|opened| opened == path);
                let place = order(&profile.path);
                let place = self.profiles.partition_point(|known| order(&known.path) < place);
                self.profiles.insert(place, profile);
            }
        }
    }

    fn tell_unusable(&mut self, path: &Path, why: &str) {
        let message = format!("Hotframe: {} cannot be used: {why}", path.display());
        self.tell(MessageType::ERROR, message);
    }

    /// Shows how far reading is, once it takes long.
    fn take_progress(&mut self, document: u32, progress: &Progress) {
        /// What takes less is not worth a look.
        const NOTICED: Duration = Duration::from_millis(500);
        if !self.can.show_progress {
            return;
        }
        let Some(loading) = self.loading.iter_mut().find(|one| one.document == document) else {
            return;
        };
        if loading.started.elapsed() < NOTICED {
            return;
        }
        let percentage = (progress.done / progress.total.max(1.0) * 100.0).min(100.0) as u32;
        if mem::replace(&mut loading.is_shown, true) {
            self.notify_progress(document, json!({ "kind": "report", "percentage": percentage }));
            return;
        }
        let title = format!("Hotframe reads {}", loading.path.display());
        self.ask("window/workDoneProgress/create", json!({ "token": token_of(document) }));
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
        self.notify("$/progress", json!({ "token": token_of(document), "value": value }));
    }

    fn cancel_deferred(&mut self, params: &Value) {
        let id = params.get("id");
        if let Some(place) = self.deferred.iter().position(|message| message.get("id") == id) {
            let message = self.deferred.remove(place);
            self.take_now(message);
        }
    }

    /// Address of the page, which is served from now on.
    pub(super) fn page(&mut self) -> Result<String> {
        if let Some(address) = &self.address {
            return Ok(address.clone());
        }
        let address = server::serve_beside(self.session.clone())?;
        self.address = Some(address.clone());
        Ok(address)
    }

    /// Shows an address that is no file of the editor, in the browser.
    pub(super) fn show_in_browser(&mut self, address: &str) -> Result<()> {
        if self.can.show_document {
            self.ask("window/showDocument", json!({ "uri": address, "external": true }));
            return Ok(());
        }
        open::that_detached(address).with_context(|| format!("open {address} by hand"))
    }

    /// Shows a line of a profile's file in the editor.
    pub(super) fn open_source(&mut self, wanted: &OpenSourceParams) -> Result<(), ProtocolError> {
        let refused = |message: String| Err(ProtocolError::new(ErrorCode::NoSource, message));
        if !self.can.show_document {
            return refused("this editor cannot be asked to show a file".to_owned());
        }
        if let Some(graph) = self.graphs.iter().find(|one| one.number == wanted.document) {
            let files = Files::new(&self.texts, &self.folders, &self.remembered);
            let file = graph.file_named(&wanted.file);
            let Some(uri) = file.and_then(|file| files.uri_of_graph(graph, file)) else {
                let message = format!("{} is not among the files of the editor", wanted.file);
                return Err(ProtocolError::new(ErrorCode::NoSource, message)
                    .with_hint("A rule in the setting `paths` tells where it is."));
            };
            self.show_line(uri, wanted.line.saturating_sub(1), wanted.take_focus);
            return Ok(());
        }
        // What a page made of several profiles has the files of each.
        let all = &self.profiles;
        let own = all.iter().position(|one| one.number == wanted.document);
        let place =
            own.or_else(|| all.iter().rposition(|one| one.file_named(&wanted.file).is_some()));
        let Some(place) = place else {
            return refused(format!("no profile of the editor has {}", wanted.file));
        };
        let mut files = Files::new(&self.texts, &self.folders, &self.remembered);
        let profile = &mut self.profiles[place];
        let Some(file) = profile.file_named(&wanted.file) else {
            return refused(format!("{} is no source file", wanted.file));
        };
        let Some(uri) = files.uri(profile, file) else {
            let message = format!("{} is not among the files of the editor", wanted.file);
            return Err(ProtocolError::new(ErrorCode::NoSource, message)
                .with_hint("A rule in the setting `paths` tells where it is."));
        };
        let placed = files.placed(profile, &uri, PATIENCE);
        let now = placed.and_then(|placed| placed.lines.near(wanted.line)).unwrap_or(wanted.line);
        self.show_line(uri, now.saturating_sub(1), wanted.take_focus);
        Ok(())
    }

    /// Asks the editor to show a line from 0.
    fn show_line(&mut self, uri: Uri, line: u32, take_focus: bool) {
        let position = Position::new(line, 0);
        let params = ShowDocumentParams {
            uri,
            external: None,
            take_focus: Some(take_focus),
            selection: Some(Range::new(position, position)),
        };
        self.ask("window/showDocument", json!(params));
    }

    /// Asks the editor to ask for lenses and hints again.
    pub(super) fn refresh(&mut self) {
        for method in self.refreshes.clone() {
            self.ask(method, Value::Null);
        }
        let open: Vec<String> = self.texts.uris().map(str::to_owned).collect();
        for uri in open {
            requests::publish(self, &uri);
        }
        self.tell_change();
    }

    /// Whether the editor asks for diagnostics.
    pub(super) fn pulls_diagnostics(&self) -> bool {
        self.can.pull_diagnostics
    }

    /// Whether symbols of a document may have details.
    pub(super) fn has_symbol_details(&self) -> bool {
        self.can.symbol_details
    }

    /// Tells an editor that follows the profiles that something about them is new.
    fn tell_change(&mut self) {
        if self.can.follow_profiles {
            self.notify("hotframe/changed", json!({}));
        }
    }

    /// Sends a request and gives its number.
    pub(super) fn ask(&mut self, method: &str, params: Value) -> String {
        self.asked += 1;
        let id = format!("hotframe-{}", self.asked);
        let mut message = json!({ "jsonrpc": "2.0", "id": id, "method": method });
        if !params.is_null() {
            message["params"] = params;
        }
        self.out.push(message.to_string());
        id
    }

    pub(super) fn notify(&mut self, method: &str, params: Value) {
        let message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        self.out.push(message.to_string());
    }

    pub(super) fn tell(&mut self, typ: MessageType, message: String) {
        let message = without_links(&message);
        self.notify("window/showMessage", json!(ShowMessageParams { typ, message }));
    }

    /// What the active profile and its base say of a file; the user is told once where that is
    /// unsure.
    pub(super) fn sources(&mut self, uri: &Uri) -> Sources<'_> {
        let Some(path) = path_of_uri(uri.as_str()) else { return Sources::default() };
        let Some(active) = self.active() else { return Sources::default() };
        let base = self.base();
        let of_active = self.placed(uri, &path, active);
        let of_base = base.and_then(|base| self.placed(uri, &path, base));
        let profile = &self.profiles[active];
        let metric = profile.metric;
        let source = |(file, placed)| Source::new(profile, metric, file, placed);
        let base = base.map(|base| &self.profiles[base]);
        Sources {
            active: of_active.and_then(source),
            base: base.and_then(|base| Base::new(base, &profile.document, metric, of_base)),
        }
    }

    /// Which file of a profile a file is, and where its lines are now.
    fn placed(&mut self, uri: &Uri, path: &str, place: usize) -> Option<(u32, Arc<Placed>)> {
        let profile = &mut self.profiles[place];
        let file = match profile.find(path, &self.remembered) {
            Found::Nothing => return None,
            Found::File(file) => file,
            Found::Unsure(candidates) => {
                let name = |&file: &u32| profile.paths.parts(file).text();
                let candidates: Vec<String> = candidates.iter().map(name).collect();
                let title = profile.document.title().to_owned();
                self.ask_which(path, &title, &candidates);
                return None;
            }
        };
        let text = self.texts.get(uri.as_str());
        Some((file, profile.versions.placed(path, text, PATIENCE)))
    }

    /// Tells of a profile from now on, or once it is read.
    pub(super) fn choose(&mut self, path: &Path) {
        let before = self.active();
        self.chosen.retain(|chosen| chosen != path);
        self.chosen.push(path.to_owned());
        if self.active() != before {
            self.refresh();
        }
    }

    /// The profile that is told of.
    pub(super) fn active(&self) -> Option<usize> {
        let all = &self.profiles;
        let place_of = |path: &PathBuf| all.iter().position(|profile| profile.path == *path);
        let is_no_base = |profile: &Profile| !self.is_set_base(&profile.path);
        let mut chosen = self.chosen.iter().rev();
        chosen
            .find_map(place_of)
            .or_else(|| all.iter().rposition(is_no_base))
            .or(all.len().checked_sub(1))
    }

    fn is_set_base(&self, path: &Path) -> bool {
        self.settings.base.as_deref().is_some_and(|base| self.in_workspace(base) == path)
    }

    /// Compares with a profile from now on, or with none.
    pub(super) fn choose_base(&mut self, path: Option<PathBuf>) {
        self.chosen_base = Some(path);
        self.refresh();
    }

    /// The profile that the active one is compared with: the one that was chosen, else that of the
    /// settings, else the first, if it is another and has the metric.
    pub(super) fn base(&self) -> Option<usize> {
        let place = self.active()?;
        let active = &self.profiles[place];
        let set = match &self.chosen_base {
            Some(chosen) => Some(chosen.clone()?),
            None => self.settings.base.as_deref().map(|path| self.in_workspace(path)),
        };
        let base = match set {
            Some(path) => self.profiles.iter().position(|profile| profile.path == path)?,
            None => 0,
        };
        let document = &self.profiles.get(base)?.document;
        let is_like = same_metric(document, &active.document, active.metric).is_some();
        (place != base && is_like).then_some(base)
    }

    /// Length of a line from 0 of an open file, in UTF-16 units: the file may be unknown, or
    /// shorter.
    pub(super) fn line_length(&self, uri: &Uri, line: u32) -> LineLength {
        self.texts.line_length(uri.as_str(), line)
    }

    /// Where files of the profiles are here; and the profiles.
    pub(super) fn files(&mut self) -> (Files<'_>, &mut [Profile]) {
        (Files::new(&self.texts, &self.folders, &self.remembered), &mut self.profiles)
    }
}

/// A file that could not be read, as it was then.
struct Unread {
    path: PathBuf,
    stamp: Stamp,
    /// Its number in the session, whose pages say why.
    document: u32,
}

/// What an editor can do.
#[derive(Debug, Clone, Copy, Default)]
struct Abilities {
    show_document: bool,
    show_progress: bool,
    /// It wants to know when something about the profiles is new.
    follow_profiles: bool,
    pull_diagnostics: bool,
    symbol_details: bool,
}

/// Names the reading of a document.
fn token_of(document: u32) -> String {
    format!("hotframe-{document}")
}

fn capabilities() -> ServerCapabilities {
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Kind(TextDocumentSyncKind::FULL)),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
        inlay_hint_provider: Some(OneOf::Left(true)),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        workspace_symbol_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        diagnostic_provider: Some(DiagnosticServerCapabilities::Options(DiagnosticOptions {
            identifier: Some("hotframe".to_owned()),
            ..DiagnosticOptions::default()
        })),
        workspace: Some(WorkspaceServerCapabilities {
            workspace_folders: Some(WorkspaceFoldersServerCapabilities {
                supported: Some(true),
                change_notifications: Some(OneOf::Left(true)),
            }),
            file_operations: None,
        }),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: requests::COMMANDS.map(str::to_owned).to_vec(),
            ..ExecuteCommandOptions::default()
        }),
        ..ServerCapabilities::default()
    }
}
