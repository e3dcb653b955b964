//! `workspace/executeCommand`: load profiles, choose what of them is told, show them.
//!
//! | command | arguments | result |
//! |---|---|---|
//! | `hotframe.open` | paths or addresses of profiles; lists of them as one profile each | `{ "documents": [{ "path", "document" }] }` |
//! | `hotframe.close` | paths | how many were open |
//! | `hotframe.putAside` | paths whose pictures were closed | nothing; they are not a base but by choice |
//! | `hotframe.setMetric` | path, name or formula | nothing |
//! | `hotframe.setBase` | path, or null for no base; path of what is told of from now on, too | nothing |
//! | `hotframe.summary` | | a page of Markdown |
//! | `hotframe.page` | | `{ "address" }` of the page, which is served from then on |
//! | `hotframe.frames` | | `{ "path", "token" }` of a Unix socket with the page's WebSocket, for pages that the editor shows itself |
//! | `hotframe.showFunction` | name, path of the profile (the active one without), number of the function | nothing; the browser shows it |
//! | `hotframe.openSource` | path of the profile, file as it names it, line from 1 | nothing; the editor shows it |

use std::path::PathBuf;

use anyhow::Result;
use lsp_types::ExecuteCommandParams;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use protocol::OpenSourceParams;
use protocol::editor::{self, EditorDocument, EditorFrames, EditorOpened, EditorPage};
use serde_json::{Value, json};

use super::state_machine::Server;
use super::summary::{Compare, summary};
use crate::lsp::methods::parsed;
use crate::lsp::refusal::Refusal;
use crate::lsp::several;
use crate::reading;

/// A command.
struct Command {
    name: &'static str,
    /// Whether it waits for the files that are being read.
    waits: bool,
    run: fn(&mut Server, &[Value]) -> Result<Value, Refusal>,
}

/// The commands.
const COMMANDS: &[Command] = &[
    Command { name: editor::OPEN, waits: false, run: open },
    Command { name: "hotframe.close", waits: false, run: close },
    Command { name: "hotframe.putAside", waits: false, run: put_aside },
    Command { name: "hotframe.setMetric", waits: true, run: set_metric },
    Command { name: "hotframe.setBase", waits: true, run: set_base },
    Command { name: "hotframe.summary", waits: true, run: summaries },
    Command { name: editor::PAGE, waits: false, run: page },
    Command { name: editor::FRAMES, waits: false, run: frames },
    Command { name: "hotframe.showFunction", waits: true, run: show_function },
    Command { name: "hotframe.openSource", waits: true, run: open_source },
];

/// The names of the commands.
pub(super) fn names() -> Vec<String> {
    COMMANDS.iter().map(|command| command.name.to_owned()).collect()
}

/// Whether the command of a request waits for the files that are being read. One that nobody knows
/// does not.
pub(super) fn waits(params: &Value) -> bool {
    let name = params.get("command").and_then(Value::as_str);
    name.and_then(find).is_some_and(|command| command.waits)
}

fn find(name: &str) -> Option<&'static Command> {
    COMMANDS.iter().find(|command| command.name == name)
}

/// Runs the command of a request.
pub(super) fn execute(server: &mut Server, params: Value) -> Result<Value, Refusal> {
    let params: ExecuteCommandParams = parsed(params)?;
    let unknown = || Refusal::invalid(format!("there is no command {} here", params.command));
    let command = find(&params.command).ok_or_else(unknown)?;
    (command.run)(server, &params.arguments)
}

/// Begins to load files; the answer names those that are there.
fn open(server: &mut Server, arguments: &[Value]) -> Result<Value, Refusal> {
    let mut documents = vec![];
    for path in paths_of(server, arguments)? {
        if let Some(document) = server.open(&path) {
            server.choose(&path);
            documents.push(EditorDocument { path: path.to_string_lossy().into_owned(), document });
        }
    }
    Ok(json!(EditorOpened { documents }))
}

fn close(server: &mut Server, arguments: &[Value]) -> Result<Value, Refusal> {
    let paths = paths_of(server, arguments)?;
    Ok(paths.iter().filter(|path| server.close(path)).count().into())
}

fn put_aside(server: &mut Server, arguments: &[Value]) -> Result<Value, Refusal> {
    for path in paths_of(server, arguments)? {
        server.put_aside(&path);
    }
    Ok(Value::Null)
}

fn paths_of(server: &Server, arguments: &[Value]) -> Result<Vec<PathBuf>, Refusal> {
    let path_of = |argument: &Value| match argument {
        Value::String(path) => Some(server.workspace.path(path)),
        Value::Array(files) if !files.is_empty() => {
            let files: Option<Vec<&str>> = files.iter().map(Value::as_str).collect();
            Some(several::joined(files?.into_iter().map(|path| server.workspace.path(path))))
        }
        _ => None,
    };
    let paths: Option<Vec<PathBuf>> = arguments.iter().map(path_of).collect();
    match paths {
        Some(paths) if !paths.is_empty() => Ok(paths),
        _ => Err(Refusal::invalid("the arguments are paths of profiles")),
    }
}

/// The profile that an argument names; the active one without.
fn profile_of(server: &Server, path: Option<&Value>) -> Result<usize, Refusal> {
    let place = match path.and_then(Value::as_str) {
        None => server.workspace.active(),
        Some(path) => {
            let path = server.workspace.path(path);
            server.workspace.profile(&path)
        }
    };
    place.ok_or_else(|| Refusal::invalid("this profile is not open"))
}

fn text_of<'a>(arguments: &'a [Value], place: usize, what: &str) -> Result<&'a str, Refusal> {
    let text = arguments.get(place).and_then(Value::as_str);
    text.ok_or_else(|| Refusal::invalid(format!("argument {} is {what}", place + 1)))
}

fn set_metric(server: &mut Server, arguments: &[Value]) -> Result<Value, Refusal> {
    let place = profile_of(server, arguments.first())?;
    let name = text_of(arguments, 1, "the name of a metric or a formula")?;
    let profile = &mut server.workspace.profiles[place];
    profile.show(reading::metric(&profile.document, Some(name))?);
    server.refresh();
    Ok(Value::Null)
}

fn set_base(server: &mut Server, arguments: &[Value]) -> Result<Value, Refusal> {
    let base = match arguments {
        [] | [Value::Null, ..] => None,
        named => {
            let place = profile_of(server, named.first())?;
            Some(server.workspace.profiles[place].path.clone())
        }
    };
    if let Some(now) = arguments.get(1) {
        let place = profile_of(server, Some(now))?;
        let path = server.workspace.profiles[place].path.clone();
        if base.as_ref() == Some(&path) {
            return Err(Refusal::invalid("a profile is not compared with itself"));
        }
        server.workspace.choose(&path);
    }
    server.choose_base(base);
    Ok(Value::Null)
}

fn page(server: &mut Server, _: &[Value]) -> Result<Value, Refusal> {
    Ok(json!(EditorPage { address: server.reader.page()? }))
}

/// Serves frames for the editor's own pages.
fn frames(server: &mut Server, _: &[Value]) -> Result<Value, Refusal> {
    let served = server.reader.frames()?;
    let path = served.path.to_string_lossy().into_owned();
    Ok(json!(EditorFrames { path, token: served.token.clone() }))
}

/// Shows a function in the browser, for editors that show no pages themselves.
fn show_function(server: &mut Server, arguments: &[Value]) -> Result<Value, Refusal> {
    let name = text_of(arguments, 0, "the name of a function")?;
    let place = profile_of(server, arguments.get(1))?;
    let document = server.workspace.profiles[place].number;
    let key = arguments.get(2).and_then(Value::as_u64);
    let key = key.map_or(String::new(), |key| format!("&key={key}"));
    let fragment = format!("d={document}&at={}{key}", utf8_percent_encode(name, &ESCAPED));
    let address = format!("{}#{fragment}", server.reader.page()?);
    server.show_in_browser(&address)?;
    Ok(Value::Null)
}

/// What the value of a query has not as it is.
const ESCAPED: AsciiSet = NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.');

fn open_source(server: &mut Server, arguments: &[Value]) -> Result<Value, Refusal> {
    let path = arguments.first().and_then(Value::as_str).map(|path| server.workspace.path(path));
    let graph = server.workspace.graphs.iter().find(|graph| Some(&graph.path) == path.as_ref());
    let document = match graph {
        Some(graph) => graph.number,
        None => server.workspace.profiles[profile_of(server, arguments.first())?].number,
    };
    let file = text_of(arguments, 1, "a file as the profile names it")?.to_owned();
    let line = arguments.get(2).and_then(Value::as_u64).unwrap_or(0);
    let line = u32::try_from(line).map_err(|_| Refusal::invalid("argument 3 is a line"))?;
    let wanted = OpenSourceParams { document, file, line, take_focus: true };
    server.open_source(&wanted).map_err(anyhow::Error::from)?;
    Ok(Value::Null)
}

/// All profiles as a page of Markdown, the one that is told of first.
fn summaries(server: &mut Server, _: &[Value]) -> Result<Value, Refusal> {
    let workspace = &server.workspace;
    let active = workspace.active();
    let (first, others): (Vec<_>, Vec<_>) =
        (0..workspace.profiles.len()).partition(|&place| Some(place) == active);
    let in_order = first.into_iter().chain(others);
    let compare = workspace.base().zip(workspace.comparison()).zip(active);
    let compare = compare.map(|((base, comparison), active)| Compare {
        base: &workspace.profiles[base],
        comparison,
        metric: workspace.profiles[active].metric,
    });
    let compare_of = |place: usize| compare.as_ref().filter(|_| Some(place) == active);
    let texts: Result<Vec<String>> =
        in_order.map(|place| summary(&workspace.profiles[place], compare_of(place))).collect();
    let text = texts?.join("\n");
    Ok(if text.is_empty() { "No profile is loaded.\n".into() } else { text.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tells_of_values_waits_for_them() {
        let run = |command: &str| json!({ "command": command });
        assert!(waits(&run("hotframe.summary")));
        assert!(!waits(&run("hotframe.open")));
        assert!(!waits(&run("other")));
        assert!(!waits(&Value::Null));
    }
}
