//! What is sent to the editor.

use std::mem;

use lsp_types::{MessageType, ShowMessageParams};
use serde_json::{Value, json};

use super::markdown::without_links;
use super::refusal::Refusal;

/// Messages to send, in their order.
#[derive(Debug, Default)]
pub(super) struct Outbox {
    /// Requests sent so far.
    asked: u64,
    /// As JSON.
    messages: Vec<String>,
}

impl Outbox {
    /// Takes the messages out.
    pub(super) fn drain(&mut self) -> Vec<String> {
        mem::take(&mut self.messages)
    }

    /// The answer to a request, whose result is JSON.
    pub(super) fn reply(&mut self, id: &Value, answer: Result<String, Refusal>) {
        self.messages.push(match answer {
            Ok(result) => format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#),
            Err(Refusal { code, message }) => {
                let error = json!({ "code": code, "message": message });
                json!({ "jsonrpc": "2.0", "id": id, "error": error }).to_string()
            }
        });
    }

    /// A request; gives its number.
    pub(super) fn ask(&mut self, method: &str, params: Value) -> String {
        self.asked += 1;
        let id = format!("hotframe-{}", self.asked);
        let mut message = json!({ "jsonrpc": "2.0", "id": id, "method": method });
        if !params.is_null() {
            message["params"] = params;
        }
        self.messages.push(message.to_string());
        id
    }

    pub(super) fn notify(&mut self, method: &str, params: Value) {
        let message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        self.messages.push(message.to_string());
    }

    /// A message that the user sees.
    pub(super) fn tell(&mut self, typ: MessageType, message: &str) {
        let message = without_links(message);
        self.notify("window/showMessage", json!(ShowMessageParams { typ, message }));
    }

    /// A line in the editor's log.
    pub(super) fn log(&mut self, typ: MessageType, message: &str) {
        self.notify("window/logMessage", json!({ "type": typ, "message": message }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_go_out_once_and_in_order() {
        let mut out = Outbox::default();
        assert_eq!(out.ask("a", Value::Null), "hotframe-1");
        out.reply(&json!("x"), Ok("[1]".to_owned()));
        out.reply(&json!(7), Err(Refusal::invalid("no \"line\"")));
        out.tell(MessageType::INFO, "done");
        assert_eq!(out.ask("b", json!({})), "hotframe-2");
        let sent: Vec<Value> =
            out.drain().iter().map(|text| serde_json::from_str(text).expect("JSON")).collect();
        let expected = json!([
            { "jsonrpc": "2.0", "id": "hotframe-1", "method": "a" },
            { "jsonrpc": "2.0", "id": "x", "result": [1] },
            { "jsonrpc": "2.0", "id": 7,
              "error": { "code": Refusal::INVALID_PARAMS, "message": "no \"line\"" } },
            { "jsonrpc": "2.0", "method": "window/showMessage",
              "params": { "type": 3, "message": "done" } },
            { "jsonrpc": "2.0", "id": "hotframe-2", "method": "b", "params": {} },
        ]);
        assert_eq!(Value::Array(sent), expected);
        assert!(out.drain().is_empty());
    }
}
