//! What changes while the editor runs: settings, and folders of the workspace.

use std::mem;
use std::path::PathBuf;

use lsp_types::{DidChangeWorkspaceFoldersParams, MessageType};
use serde_json::Value;

use super::paths::path_of_uri;
use super::server::Server;
use super::settings::Settings;

impl Server {
    /// Takes `{ "settings": { "hotframe": … } }`, or the settings without a name. Bad ones are told
    /// and the old stay.
    pub(super) fn change_settings(&mut self, mut params: Value) {
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
        let settings = match Settings::of(Some(told)) {
            Ok(settings) => settings,
            Err(error) => {
                let message = format!("Hotframe: the new settings are not used: {error}");
                self.tell(MessageType::ERROR, message);
                return;
            }
        };
        let before = mem::replace(&mut self.settings, settings);
        if before.base != self.settings.base {
            self.chosen_base = None;
        }
        for place in 0..self.profiles.len() {
            let profile = &mut self.profiles[place];
            if let Err(error) = profile.apply(&before, &self.settings) {
                self.tell(MessageType::WARNING, format!("Hotframe: {error:#}"));
            }
        }
        let named: Vec<PathBuf> =
            self.settings.named().map(|path| self.in_workspace(path)).collect();
        self.read_new(named);
        self.refresh();
    }

    /// Folders come and go.
    pub(super) fn change_folders(&mut self, params: DidChangeWorkspaceFoldersParams) {
        let paths = |folders: Vec<lsp_types::WorkspaceFolder>| -> Vec<String> {
            folders.iter().filter_map(|folder| path_of_uri(folder.uri.as_str())).collect()
        };
        let (removed, added) = (paths(params.event.removed), paths(params.event.added));
        self.folders.retain(|folder| !removed.contains(folder));
        for folder in added {
            if !self.folders.contains(&folder) {
                self.folders.push(folder);
            }
        }
        self.refresh();
    }
}
