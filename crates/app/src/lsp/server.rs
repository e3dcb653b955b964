//! What is loaded, and which request is answered how.

use std::mem;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use lsp_types::{
    CodeLensOptions, DidChangeTextDocumentParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, ExecuteCommandOptions, HoverProviderCapability, InitializeParams,
    InitializeResult, MessageType, OneOf, ServerCapabilities, ServerInfo, ShowMessageParams,
    TextDocumentSyncCapability, TextDocumentSyncKind, Uri,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::base::{Base, same_metric};
use super::paths::{Found, path_of_uri};
use super::pending::Pending;
use super::profiles::{Profile, stamp};
use super::questions::Questions;
use super::remembered::{Remembered, file_of_user};
use super::requests;
use super::settings::Settings;
use super::source::{Source, Sources};
use super::texts::{LineLength, Texts};
use super::versions::{PATIENCE, Placed};
use crate::arguments::{Limits, Lsp};

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
    limits: Limits,
    pub(super) settings: Settings,
    /// Named, and read when the next request comes.
    waiting: Vec<PathBuf>,
    pub(super) profiles: Vec<Profile>,
    /// The one that is told of: the last one opened, unless another was chosen.
    pub(super) active: Option<usize>,
    /// Folders of the workspace.
    pub(super) folders: Vec<String>,
    pub(super) texts: Texts,
    pub(super) questions: Questions,
    pub(super) remembered: Remembered,
    /// What the editor can be asked to ask for again.
    refreshes: Vec<&'static str>,
    asked: u64,
    pending: Arc<Pending>,
    /// Messages to send, as JSON.
    out: Vec<String>,
}

impl Server {
    pub(super) fn new(arguments: &Lsp, pending: Arc<Pending>) -> Server {
        Server {
            state: State::New,
            limits: arguments.limits.clone(),
            settings: Settings::default(),
            waiting: arguments.profile.clone(),
            profiles: vec![],
            active: None,
            folders: vec![],
            texts: Texts::default(),
            questions: Questions::default(),
            remembered: Remembered::default(),
            refreshes: vec![],
            asked: 0,
            pending,
            out: vec![],
        }
    }

    /// The messages to send.
    pub(super) fn drain(&mut self) -> Vec<String> {
        mem::take(&mut self.out)
    }

    /// An editor that leaves without a word has failed.
    pub(super) fn exit_code(&self) -> ExitCode {
        if self.state == State::ShutDown { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }

    /// Takes a message.
    pub(super) fn take(&mut self, mut message: Value) -> Step {
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

    /// Takes bytes that are no message.
    pub(super) fn take_malformed(&mut self, why: &str) -> Step {
        self.reply(&Value::Null, Err(Refusal::new(Refusal::PARSE_ERROR, why)));
        Step::Continue
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
            (State::New, "initialize") => return self.with(params, Server::initialize),
            (State::New, _) => {
                return Err(Refusal::new(Refusal::NOT_INITIALIZED, "initialize comes first"));
            }
            (State::Running, "shutdown") => {
                self.state = State::ShutDown;
                return Ok(Value::Null.to_string());
            }
            (State::Running, "initialize") | (State::ShutDown, _) => {
                let message = format!("{method} cannot come now");
                return Err(Refusal::new(Refusal::INVALID_REQUEST, message));
            }
            (State::Running, _) => {}
        }
        self.look_at_files();
        match method {
            "textDocument/codeLens" => self.with(params, requests::code_lens),
            "textDocument/inlayHint" => self.with(params, requests::inlay_hint),
            "textDocument/hover" => self.with(params, requests::hover),
            "workspace/symbol" => self.with(params, requests::workspace_symbol),
            "workspace/executeCommand" => self.with(params, requests::execute_command),
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
            "textDocument/didOpen" => {
                if let Ok(params) = serde_json::from_value::<DidOpenTextDocumentParams>(params) {
                    let document = params.text_document;
                    self.texts.set(document.uri.to_string(), document.text);
                }
            }
            "textDocument/didChange" => {
                if let Ok(params) = serde_json::from_value::<DidChangeTextDocumentParams>(params) {
                    let uri = params.text_document.uri.to_string();
                    match params.content_changes.into_iter().last() {
                        Some(change) if change.range.is_none() => {
                            self.texts.set(uri, change.text);
                        }
                        // Whole texts were asked for.
                        Some(_) => self.texts.remove(&uri),
                        None => {}
                    }
                }
            }
            "textDocument/didClose" => {
                if let Ok(params) = serde_json::from_value::<DidCloseTextDocumentParams>(params) {
                    self.texts.remove(params.text_document.uri.as_str());
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

    /// Reads what is named and not read yet, and what changed.
    fn look_at_files(&mut self) {
        let mut is_new = false;
        for path in mem::take(&mut self.waiting) {
            is_new |= self.open(&path);
        }
        for place in 0..self.profiles.len() {
            let profile = &mut self.profiles[place];
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
            is_new |= self.open(&path);
        }
        if is_new {
            self.refresh();
        }
    }

    /// Reads a profile, again if it is loaded; tells how that went.
    pub(super) fn open(&mut self, path: &Path) -> bool {
        let place = self.profiles.iter().position(|profile| profile.path == path);
        let profile = match Profile::read(path, &self.limits, &self.settings) {
            Ok(profile) => profile,
            Err(error) => {
                let message = format!("Hotframe: {} cannot be used: {error:#}", path.display());
                self.tell(MessageType::ERROR, message);
                return false;
            }
        };
        if let Some(name) = &self.settings.metric
            && profile.document.metric_named(name).is_none()
        {
            let used = &profile.document.metrics()[profile.metric].name;
            let message =
                format!("Hotframe: {} has no metric {name}; {used} is shown", path.display());
            self.tell(MessageType::WARNING, message);
        }
        match place {
            Some(place) => {
                self.profiles[place] = profile;
                let message = format!("Hotframe: {} changed and was read again", path.display());
                self.tell(MessageType::INFO, message);
            }
            None => {
                self.profiles.push(profile);
                let is_base = self
                    .settings
                    .base
                    .as_deref()
                    .is_some_and(|base| self.in_workspace(base) == path);
                if self.active.is_none() || !is_base {
                    self.active = Some(self.profiles.len() - 1);
                }
            }
        }
        true
    }

    /// Asks the editor to ask for lenses and hints again.
    pub(super) fn refresh(&mut self) {
        for method in self.refreshes.clone() {
            self.ask(method, None);
        }
    }

    /// Sends a request and gives its number.
    pub(super) fn ask(&mut self, method: &str, params: Option<&Value>) -> String {
        self.asked += 1;
        let id = format!("hotframe-{}", self.asked);
        let mut message = json!({ "jsonrpc": "2.0", "id": id, "method": method });
        if let Some(params) = params {
            message["params"] = params.clone();
        }
        self.out.push(message.to_string());
        id
    }

    pub(super) fn tell(&mut self, typ: MessageType, message: String) {
        let params = ShowMessageParams { typ, message };
        let method = "window/showMessage";
        let message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        self.out.push(message.to_string());
    }

    /// What the active profile and its base say of a file; the user is told once where that is
    /// unsure.
    pub(super) fn sources(&mut self, uri: &Uri) -> Sources<'_> {
        let Some(path) = path_of_uri(uri.as_str()) else { return Sources::default() };
        let Some(active) = self.active else { return Sources::default() };
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

    /// The profile that the active one is compared with: the one of the settings, else the first,
    /// if it is another and has the metric.
    pub(super) fn base(&self) -> Option<usize> {
        let active = &self.profiles[self.active?];
        let set = self.settings.base.as_deref().map(|path| self.in_workspace(path));
        let base = match set {
            Some(path) => self.profiles.iter().position(|profile| profile.path == path)?,
            None => 0,
        };
        let document = &self.profiles.get(base)?.document;
        let is_like = same_metric(document, &active.document, active.metric).is_some();
        (self.active != Some(base) && is_like).then_some(base)
    }

    /// Length of a line from 0 of an open file, in UTF-16 units: the file may be unknown, or
    /// shorter.
    pub(super) fn line_length(&self, uri: &Uri, line: u32) -> LineLength {
        self.texts.line_length(uri.as_str(), line)
    }
}

fn capabilities() -> ServerCapabilities {
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Kind(TextDocumentSyncKind::FULL)),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
        inlay_hint_provider: Some(OneOf::Left(true)),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        workspace_symbol_provider: Some(OneOf::Left(true)),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: requests::COMMANDS.map(str::to_owned).to_vec(),
            ..ExecuteCommandOptions::default()
        }),
        ..ServerCapabilities::default()
    }
}
