//! The server of one editor, and what it does with a message.

use std::collections::HashSet;
use std::mem;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::SyncSender;

use anyhow::Result;
use lsp_types::{InitializeParams, InitializeResult, MessageType, ServerInfo};
use serde_json::Value;

use super::commands;
use crate::addresses::path_of_uri;
use crate::arguments::Lsp;
use crate::lsp::abilities::{self, Abilities};
use crate::lsp::comparison::Sides;
use crate::lsp::events::Event;
use crate::lsp::framing::Incoming;
use crate::lsp::methods::{Answer, Work, method, parsed, text};
use crate::lsp::outbox::Outbox;
use crate::lsp::past::Past;
use crate::lsp::pending::Pending;
use crate::lsp::questions::{self, Questions};
use crate::lsp::reader::Reader;
use crate::lsp::refusal::{Refusal, guarded};
use crate::lsp::remembered::Remembered;
use crate::lsp::settings::Settings;
use crate::lsp::workspace::Workspace;
use crate::state_folder::state_folder;

/// The request that acts.
const EXECUTE_COMMAND: &str = "workspace/executeCommand";

/// What to do after a message.
pub(in crate::lsp) enum Step {
    /// Wait for the next.
    Continue,
    /// End the process.
    Exit(ExitCode),
}

/// What was found out of a request.
enum Answered {
    /// The answer.
    Now(String),
    /// What is left to do for it.
    Later(Work),
}

#[derive(PartialEq)]
pub(super) enum State {
    New,
    Running,
    ShutDown,
}

/// The server of one editor.
pub(in crate::lsp) struct Server {
    pub(super) state: State,
    pub(in crate::lsp) workspace: Workspace,
    pub(in crate::lsp) reader: Reader,
    pub(in crate::lsp) out: Outbox,
    pub(in crate::lsp) questions: Questions,
    /// Files that have published diagnostics.
    pub(super) published: HashSet<String>,
    /// What is being compared.
    pub(super) comparing: Option<Sides>,
    /// Requests that want the profiles which are being read, or the comparison that is made.
    deferred: Vec<Value>,
    pending: Arc<Pending>,
}

impl Server {
    pub(in crate::lsp) fn new(
        arguments: &Lsp,
        pending: Arc<Pending>,
        events: SyncSender<Event>,
    ) -> Result<Server> {
        let reader = Reader::new(arguments, events)?;
        Ok(Server {
            state: State::New,
            workspace: Workspace::new(reader.rules(), reader.binaries()),
            reader,
            out: Outbox::default(),
            questions: Questions::default(),
            published: HashSet::new(),
            comparing: None,
            deferred: vec![],
            pending,
        })
    }

    /// An editor that leaves without a word has failed.
    pub(in crate::lsp) fn exit_code(&self) -> ExitCode {
        if self.state == State::ShutDown { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }

    /// Takes the messages to send.
    pub(in crate::lsp) fn drain(&mut self) -> Vec<String> {
        self.ask_doubts();
        self.workspace.past.write();
        self.out.drain()
    }

    /// Asks what turned out to be unsure.
    fn ask_doubts(&mut self) {
        for doubt in self.workspace.take_doubts() {
            self.questions.ask(doubt, self.workspace.editor.ask_user, &mut self.out);
        }
    }

    /// Looks at what happened.
    pub(in crate::lsp) fn take_event(&mut self, event: Event) -> Step {
        match event {
            Event::Incoming(Incoming::Message(message)) => return self.take(message),
            Event::Incoming(Incoming::Malformed(why)) => {
                self.out.reply(&Value::Null, Err(Refusal::new(Refusal::PARSE_ERROR, why)));
            }
            Event::Incoming(Incoming::End) => return Step::Exit(self.exit_code()),
            Event::Progress { .. } | Event::Loaded { .. } if self.state == State::ShutDown => {}
            Event::Progress { document, progress } => self.take_progress(document, &progress),
            Event::Loaded { document, read } => self.take_loaded(document, read),
            Event::Compared { compared, problem } => self.take_compared(compared, problem),
            Event::Answered { id, answer } => self.reply(&id, answer),
            Event::OpenSource { wanted, answer } => {
                // A page that waits no longer needs no answer.
                let _ = answer.send(self.open_source(&wanted));
            }
        }
        Step::Continue
    }

    /// Nothing happened for a while.
    pub(in crate::lsp) fn take_silence(&mut self) -> Step {
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
                let answer = if self.pending.begin(id) {
                    Err(Refusal::new(Refusal::CANCELLED, "cancelled"))
                } else {
                    self.answer_guarded(method, params)
                };
                match answer {
                    Ok(Answered::Later(work)) => self.reader.answer_beside(method, id, work),
                    Ok(Answered::Now(text)) => self.reply(id, Ok(text)),
                    Err(refusal) => self.reply(id, Err(refusal)),
                }
            }
            (None, Some(id)) if message.get("result").or(message.get("error")).is_some() => {
                let result = message.get("result").unwrap_or(&Value::Null);
                self.take_answer(id.as_str().unwrap_or_default(), result);
            }
            (None, _) => {
                let refusal = Refusal::new(Refusal::INVALID_REQUEST, "a message without a method");
                self.out.reply(&Value::Null, Err(refusal));
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
        let params = message.get("params").unwrap_or(&Value::Null);
        let waits = match method {
            EXECUTE_COMMAND => commands::waits(params),
            name => self::method(name).is_some_and(|method| method.waits),
        };
        if !waits {
            return false;
        }
        self.look_at_files();
        self.is_busy()
    }

    /// Answers a request. One whose answer panics is refused, and the others are answered.
    fn answer_guarded(&mut self, method: &str, params: Value) -> Result<Answered, Refusal> {
        guarded(method, || self.answer(method, params))
    }

    /// Sends the answer to a request.
    fn reply(&mut self, id: &Value, answer: Result<String, Refusal>) {
        if let Err(refusal) = &answer
            && refusal.code == Refusal::INTERNAL_ERROR
        {
            self.out.log(MessageType::ERROR, &format!("Hotframe: {}", refusal.message));
        }
        // Who gets an answer has seen the questions that it left.
        self.ask_doubts();
        self.out.reply(id, answer);
    }

    fn answer(&mut self, method: &str, params: Value) -> Result<Answered, Refusal> {
        match (&self.state, method) {
            (State::New, "initialize") => {
                return Ok(Answered::Now(text(&self.initialize(params)?)?));
            }
            (State::New, _) => {
                return Err(Refusal::new(Refusal::NOT_INITIALIZED, "initialize comes first"));
            }
            (State::Running, "shutdown") => {
                self.state = State::ShutDown;
                // What waited is refused.
                self.take_deferred();
                return Ok(Answered::Now(Value::Null.to_string()));
            }
            (State::Running, "initialize") | (State::ShutDown, _) => {
                let message = format!("{method} cannot come now");
                return Err(Refusal::new(Refusal::INVALID_REQUEST, message));
            }
            (State::Running, _) => {}
        }
        if method == EXECUTE_COMMAND {
            return Ok(Answered::Now(text(&commands::execute(self, params)?)?));
        }
        match self::method(method).map(|method| method.answer) {
            Some(Answer::AtOnce(answer)) => Ok(Answered::Now(answer(&self.workspace, params)?)),
            Some(Answer::Beside(begin)) => Ok(Answered::Later(begin(&self.workspace, params)?)),
            None => {
                let message = format!("there is no {method} here");
                Err(Refusal::new(Refusal::METHOD_NOT_FOUND, message))
            }
        }
    }

    fn initialize(&mut self, params: Value) -> Result<InitializeResult, Refusal> {
        // The structures do not have it.
        let refreshes = params.pointer("/capabilities/workspace/diagnostics/refreshSupport");
        let refreshes_diagnostics = refreshes == Some(&Value::Bool(true));
        let params: InitializeParams = parsed(params)?;
        self.state = State::Running;
        self.workspace.editor = Abilities::new(params.capabilities, refreshes_diagnostics);
        self.workspace.settings =
            Settings::new(params.initialization_options).unwrap_or_else(|error| {
                let message = format!("Hotframe: the settings are not used: {error}");
                self.out.tell(MessageType::ERROR, &message);
                Settings::default()
            });
        let folders = params.workspace_folders.unwrap_or_default();
        #[expect(deprecated, reason = "older editors name the root only")]
        let root = params.root_uri.filter(|_| folders.is_empty());
        let folders = folders.into_iter().map(|folder| folder.uri).chain(root);
        let folders = folders.filter_map(|uri| path_of_uri(uri.as_str())).collect();
        self.workspace.search.set_folders(folders);
        self.reader.wait(self.named());
        let folder = state_folder(|name| std::env::var_os(name));
        self.workspace.past = Past::new(folder.as_ref().map(|folder| folder.join("texts")));
        self.workspace.remembered = Remembered::load(folder.as_deref()).unwrap_or_else(|error| {
            self.out.tell(MessageType::WARNING, &format!("Hotframe: {error}"));
            Remembered::default()
        });
        Ok(InitializeResult {
            capabilities: abilities::of_server(commands::names()),
            server_info: Some(ServerInfo {
                name: "hotframe".to_owned(),
                version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            }),
        })
    }

    /// The profiles that the settings name.
    pub(in crate::lsp) fn named(&self) -> Vec<PathBuf> {
        let workspace = &self.workspace;
        workspace.settings.named().map(|path| workspace.path(path)).collect()
    }

    pub(super) fn take_deferred(&mut self) {
        for message in mem::take(&mut self.deferred) {
            self.take_now(message);
        }
    }

    pub(super) fn cancel_deferred(&mut self, params: &Value) {
        let id = params.get("id");
        if let Some(place) = self.deferred.iter().position(|message| message.get("id") == id) {
            let message = self.deferred.remove(place);
            self.take_now(message);
        }
    }

    /// Keeps what the user chose, and tells by it.
    fn take_answer(&mut self, id: &str, result: &Value) {
        match self.questions.take_answer(id, result) {
            None => {}
            Some(questions::Answer::Compare(offer)) => {
                self.workspace.choose(&offer.active);
                self.choose_base(Some(offer.base));
            }
            Some(questions::Answer::Which(chosen)) => {
                self.keep_answer(&chosen.path, &chosen.candidates, chosen.file.as_deref());
            }
            Some(questions::Answer::Locate(lost)) => self.questions.locate(lost, &mut self.out),
            Some(questions::Answer::Here(lost, path)) => {
                self.keep_answer(&path, &[], Some(&lost.file));
                if let Err(error) = self.open_source(&lost.wanted) {
                    self.out.tell(MessageType::WARNING, &format!("Hotframe: {}", error.message));
                }
            }
        }
    }

    fn keep_answer(&mut self, path: &str, candidates: &[String], file: Option<&str>) {
        if let Err(error) = self.workspace.remembered.keep(path, candidates, file) {
            let message = format!("Hotframe: the answer cannot be kept: {error}");
            self.out.tell(MessageType::WARNING, &message);
        }
        self.workspace.search.forget();
        self.refresh();
    }
}
