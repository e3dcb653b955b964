//! What the user is asked: which file of a profile a file is, where that is unsure.

use std::collections::{HashMap, HashSet};

use lsp_types::{MessageActionItem, MessageType, ShowMessageRequestParams};
use serde_json::{Value, json};

use super::markdown::without_links;
use super::server::Server;

/// More names are no help.
const MOST_NAMES: usize = 5;

const NONE: &str = "None of these";

/// What was asked and told.
#[derive(Debug, Default)]
pub(super) struct Questions {
    /// Whether the editor shows messages with actions.
    pub(super) can_ask: bool,
    /// By the number of the request.
    asked: HashMap<String, Question>,
    /// Nobody is told the same twice.
    told: HashSet<String>,
}

#[derive(Debug)]
struct Question {
    path: String,
    candidates: Vec<String>,
}

impl Server {
    /// Asks which of `candidates` the file at `path` is, or tells that it is unsure.
    pub(super) fn ask_which(&mut self, path: &str, title: &str, candidates: &[String]) {
        let key = format!("{path}\n{}", candidates.join("\n"));
        if !self.questions.told.insert(key) {
            return;
        }
        let shown = &candidates[..candidates.len().min(MOST_NAMES)];
        let more = match candidates.len() - shown.len() {
            0 => String::new(),
            more => format!(" or {more} more"),
        };
        let names = shown.join(" or ");
        let message = format!("Hotframe: {path} might be {names}{more} of {title}.");
        if !self.questions.can_ask {
            let rule = "A rule in the setting \"paths\" decides: \
                 [{ \"from\": \"how it begins in the profile\", \"to\": \"how it begins here\" }]";
            self.tell(MessageType::WARNING, format!("{message} {rule}"));
            return;
        }
        let action = |title: &str| {
            json!(MessageActionItem { title: title.to_owned(), properties: HashMap::new() })
        };
        let actions: Vec<Value> =
            shown.iter().map(String::as_str).chain([NONE]).map(action).collect();
        let message = without_links(&message);
        let params = ShowMessageRequestParams { typ: MessageType::INFO, message, actions: None };
        let mut params = json!(params);
        params["actions"] = Value::Array(actions);
        let id = self.ask("window/showMessageRequest", params);
        let question = Question { path: path.to_owned(), candidates: shown.to_vec() };
        self.questions.asked.insert(id, question);
    }

    /// Takes the editor's answer to a request of ours: what the user chose is kept.
    pub(super) fn take_answer(&mut self, id: &str, result: &Value) {
        let Some(Question { path, candidates }) = self.questions.asked.remove(id) else { return };
        // Who closes a message has not answered.
        let Some(title) = result.get("title").and_then(Value::as_str) else { return };
        let chosen = candidates.iter().find(|candidate| *candidate == title);
        if chosen.is_none() && title != NONE {
            return;
        }
        if let Err(error) = self.remembered.keep(&path, &candidates, chosen.map(String::as_str)) {
            let message = format!("Hotframe: the answer cannot be kept: {error}");
            self.tell(MessageType::WARNING, message);
        }
        self.refresh();
    }
}
