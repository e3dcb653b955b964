//! The requests that read, by their methods: what each takes and gives stands in the function that
//! answers it. What acts are commands (`server/commands.rs`).

use protocol::editor;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::refusal::Refusal;
use super::requests;
use super::workspace::Workspace;

/// How a request is answered.
pub(super) struct Method {
    /// Whether it waits for the files that are being read.
    pub(super) waits: bool,
    pub(super) answer: Answer,
}

/// Gives JSON as a text: a tree of values would take longer than the answer.
pub(super) enum Answer {
    AtOnce(fn(&Workspace, Value) -> Result<String, Refusal>),
    /// On a thread of its own: it waits for other programs.
    Beside(fn(&Workspace, Value) -> Result<Work, Refusal>),
}

/// What is left to do for an answer.
pub(super) type Work = Box<dyn FnOnce() -> Result<String, Refusal> + Send>;

/// The method of a name.
pub(super) fn method(name: &str) -> Option<Method> {
    use Answer::AtOnce;
    let answer = match name {
        "textDocument/codeLens" => AtOnce(|from, it| typed(it, |it| requests::code_lens(from, it))),
        "textDocument/diagnostic" => {
            AtOnce(|from, it| typed(it, |it| requests::diagnostic(from, it)))
        }
        "textDocument/documentSymbol" => {
            AtOnce(|from, it| typed(it, |it| requests::document_symbol(from, it)))
        }
        "textDocument/hover" => AtOnce(|from, it| typed(it, |it| requests::hover(from, it))),
        "textDocument/inlayHint" => {
            AtOnce(|from, it| typed(it, |it| requests::inlay_hint(from, it)))
        }
        "workspace/symbol" => {
            AtOnce(|from, it| typed(it, |it| requests::workspace_symbol(from, it)))
        }
        editor::FUNCTION => AtOnce(|from, it| typed(it, |it| requests::function(from, it))),
        editor::INSTRUCTIONS => Answer::Beside(|from, it| {
            let work = requests::instructions(from, parsed(it)?);
            Ok(Box::new(move || text(&work.map(|work| work()).transpose()?)))
        }),
        editor::LINES => AtOnce(|from, it| typed(it, |it| requests::lines(from, it))),
        editor::PROFILES => AtOnce(|from, it| typed(it, |it| requests::profiles(from, it))),
        _ => return None,
    };
    // It tells of what is being read.
    let waits = name != editor::PROFILES;
    Some(Method { waits, answer })
}

/// Answers with typed parameters.
fn typed<P: DeserializeOwned, R: Serialize>(
    params: Value,
    answer: impl FnOnce(P) -> Result<R, Refusal>,
) -> Result<String, Refusal> {
    text(&answer(parsed(params)?)?)
}

/// Parameters as their type.
pub(super) fn parsed<P: DeserializeOwned>(params: Value) -> Result<P, Refusal> {
    serde_json::from_value(params).map_err(|error| Refusal::invalid(error.to_string()))
}

/// A result as JSON.
pub(super) fn text(result: &impl Serialize) -> Result<String, Refusal> {
    Ok(serde_json::to_string(result).map_err(anyhow::Error::from)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tells_of_values_waits_for_them() {
        let waits = |name| method(name).map(|method| method.waits);
        assert_eq!(waits("textDocument/hover"), Some(true));
        assert_eq!(waits("hotframe/lines"), Some(true));
        assert_eq!(waits("hotframe/profiles"), Some(false));
        assert_eq!(waits("textDocument/rename"), None);
    }
}
