//! The requests by their methods, and the commands by their names: what each takes and gives
//! stands in the function that answers it.

use protocol::editor;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::refusal::Refusal;
use super::requests::{self, commands};
use super::server::Server;
use super::workspace::Workspace;

/// How a request is answered, as JSON: a tree of values would take longer than the answer.
#[derive(Clone, Copy)]
pub(super) enum Method {
    /// It only reads; it waits for the files that are being read.
    Reads(fn(&Workspace, Value) -> Result<String, Refusal>),
    /// It only reads, and tells of what is being read.
    Watches(fn(&Workspace, Value) -> Result<String, Refusal>),
    /// It changes what is loaded or told of.
    Acts(fn(&mut Server, Value) -> Result<String, Refusal>),
}

/// A command of `workspace/executeCommand`.
pub(super) struct Command {
    pub(super) name: &'static str,
    /// Whether it waits for the files that are being read.
    pub(super) waits: bool,
    pub(super) run: fn(&mut Server, &[Value]) -> Result<Value, Refusal>,
}

/// The method of a name.
pub(super) fn method(name: &str) -> Option<Method> {
    use Method::{Acts, Reads, Watches};
    Some(match name {
        "textDocument/codeLens" => Reads(|from, it| typed(it, |it| requests::code_lens(from, it))),
        "textDocument/diagnostic" => {
            Reads(|from, it| typed(it, |it| requests::diagnostic(from, it)))
        }
        "textDocument/documentSymbol" => {
            Reads(|from, it| typed(it, |it| requests::document_symbol(from, it)))
        }
        "textDocument/hover" => Reads(|from, it| typed(it, |it| requests::hover(from, it))),
        "textDocument/inlayHint" => {
            Reads(|from, it| typed(it, |it| requests::inlay_hint(from, it)))
        }
        "workspace/symbol" => {
            Reads(|from, it| typed(it, |it| requests::workspace_symbol(from, it)))
        }
        "workspace/executeCommand" => Acts(|on, it| typed(it, |it| commands::execute(on, it))),
        editor::FUNCTION => Reads(|from, it| typed(it, |it| requests::function(from, it))),
        editor::LINES => Reads(|from, it| typed(it, |it| requests::lines(from, it))),
        editor::PROFILES => Watches(|from, it| typed(it, |it| requests::profiles(from, it))),
        _ => return None,
    })
}

/// The names of the commands.
pub(super) fn commands() -> impl Iterator<Item = &'static str> {
    commands::COMMANDS.iter().map(|command| command.name)
}

/// Whether a request waits for the files that are being read. One that nobody knows does not.
pub(super) fn waits(name: &str, params: &Value) -> bool {
    match method(name) {
        Some(Method::Reads(_)) => true,
        Some(Method::Acts(_)) => {
            let command = params.get("command").and_then(Value::as_str);
            command.and_then(commands::find).is_some_and(|command| command.waits)
        }
        Some(Method::Watches(_)) | None => false,
    }
}

/// Answers with typed parameters.
fn typed<P: DeserializeOwned, R: Serialize>(
    params: Value,
    answer: impl FnOnce(P) -> Result<R, Refusal>,
) -> Result<String, Refusal> {
    let params = serde_json::from_value(params);
    let params = params.map_err(|error| Refusal::invalid(error.to_string()))?;
    Ok(serde_json::to_string(&answer(params)?).map_err(anyhow::Error::from)?)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_tells_of_values_waits_for_them() {
        let run = |command: &str| json!({ "command": command });
        assert!(waits("textDocument/hover", &Value::Null));
        assert!(waits("workspace/executeCommand", &run("hotframe.summary")));
        assert!(!waits("workspace/executeCommand", &run("hotframe.open")));
        assert!(!waits("workspace/executeCommand", &run("other")));
        assert!(!waits("hotframe/profiles", &Value::Null));
        assert!(!waits("textDocument/rename", &Value::Null));
    }
}
