//! What the editor says without wanting an answer: texts, settings, folders.

use std::mem;

use lsp_types::{
    DidChangeTextDocumentParams, DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, DidSaveTextDocumentParams, MessageType,
};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::state_machine::{Server, State};
use crate::addresses::path_of_uri;
use crate::lsp::settings::Settings;

impl Server {
    /// Takes a notification. Those that are not known may be ignored, says the protocol; so are
    /// those that cannot be understood, for there is nobody to answer to.
    pub(super) fn take_notification(&mut self, method: &str, params: Value) {
        if self.state != State::Running {
            return;
        }
        match method {
            "initialized" => self.look_at_files(),
            // Others than those that wait are cancelled where they are read.
            "$/cancelRequest" => self.cancel_deferred(&params),
            "window/workDoneProgress/cancel" => self.cancel_reading(&params),
            "textDocument/didOpen" => self.take_typed(params, Server::open_text),
            "textDocument/didChange" => self.take_typed(params, Server::change_text),
            "textDocument/didSave" => self.take_typed(params, Server::save_text),
            "textDocument/didClose" => self.take_typed(params, Server::close_text),
            "workspace/didChangeConfiguration" => self.change_settings(params),
            "workspace/didChangeWorkspaceFolders" => {
                self.take_typed(params, Server::change_folders);
            }
            _ => {}
        }
    }

    fn take_typed<P: DeserializeOwned>(&mut self, params: Value, take: impl Fn(&mut Server, P)) {
        if let Ok(params) = serde_json::from_value(params) {
            take(self, params);
        }
    }

    fn open_text(&mut self, params: DidOpenTextDocumentParams) {
        let uri = params.text_document.uri.to_string();
        self.workspace.see_on_disk(&params.text_document.uri);
        self.workspace.texts.set(uri.clone(), params.text_document.text);
        self.publish(&uri);
    }

    fn save_text(&mut self, params: DidSaveTextDocumentParams) {
        self.workspace.see_on_disk(&params.text_document.uri);
    }

    fn change_text(&mut self, params: DidChangeTextDocumentParams) {
        let uri = params.text_document.uri.to_string();
        let texts = &mut self.workspace.texts;
        for change in params.content_changes {
            match change.range {
                Some(range) => texts.edit(&uri, range, &change.text),
                None => texts.set(uri.clone(), change.text),
            }
        }
        self.publish(&uri);
    }

    fn close_text(&mut self, params: DidCloseTextDocumentParams) {
        let uri = params.text_document.uri.as_str();
        self.workspace.texts.remove(uri);
        self.publish(uri);
    }

    /// Takes `{ "settings": { "hotframe": … } }`, or the settings without a name. Bad ones are told
    /// and the old stay.
    fn change_settings(&mut self, mut params: Value) {
        let mut told = params.get_mut("settings").map(Value::take).unwrap_or_default();
        if let Some(ours) = told.get_mut("hotframe") {
            told = ours.take();
        }
        // Editors that have nothing to say say so: what they began with stays.
        let is_empty = match &told {
            Value::Object(all) => all.is_empty(),
            Value::Array(all) => all.is_empty(),
            other => other.is_null(),
        };
        if is_empty {
            return;
        }
        let settings = match Settings::new(Some(told)) {
            Ok(settings) => settings,
            Err(error) => {
                let message = format!("Hotframe: the new settings are not used: {error}");
                self.out.tell(MessageType::ERROR, &message);
                return;
            }
        };
        let workspace = &mut self.workspace;
        let before = mem::replace(&mut workspace.settings, settings);
        if before.base != workspace.settings.base {
            workspace.choice.base = None;
        }
        for profile in &mut workspace.profiles {
            if let Err(error) = profile.apply(&before, &workspace.settings) {
                self.out.tell(MessageType::WARNING, &format!("Hotframe: {error:#}"));
            }
        }
        self.read_new(self.named());
        self.refresh();
    }

    /// Folders come and go.
    fn change_folders(&mut self, params: DidChangeWorkspaceFoldersParams) {
        let paths = |folders: Vec<lsp_types::WorkspaceFolder>| -> Vec<String> {
            folders.iter().filter_map(|folder| path_of_uri(folder.uri.as_str())).collect()
        };
        let (removed, added) = (paths(params.event.removed), paths(params.event.added));
        let mut folders = self.workspace.search.folders().to_vec();
        folders.retain(|folder| !removed.contains(folder));
        for folder in added {
            if !folders.contains(&folder) {
                folders.push(folder);
            }
        }
        self.workspace.search.set_folders(folders);
        self.refresh();
    }
}
