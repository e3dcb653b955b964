//! What the editor is asked to show, and told to show anew.

use std::path::{Path, PathBuf};
use std::str::FromStr as _;

use anyhow::{Context as _, Result};
use lsp_types::{Position, PublishDiagnosticsParams, Range, ShowDocumentParams, Uri};
use protocol::{ErrorCode, OpenSourceParams, ProtocolError};
use serde_json::{Value, json};

use super::state_machine::Server;
use crate::lsp::questions::Lost;
use crate::lsp::requests;
use crate::lsp::versions::PATIENCE;
use crate::lsp::workspace::Workspace;

impl Server {
    /// Tells of a profile from now on, or once it is read.
    pub(in crate::lsp) fn choose(&mut self, path: &Path) {
        if self.workspace.choose(path) {
            self.refresh();
        }
    }

    /// Compares with a profile from now on, or with none.
    pub(in crate::lsp) fn choose_base(&mut self, path: Option<PathBuf>) {
        self.workspace.choice.base = Some(path);
        self.refresh();
    }

    /// Asks the editor to ask for lenses and hints again, and compares what is to be compared now.
    pub(in crate::lsp) fn refresh(&mut self) {
        self.compare();
        for &method in &self.workspace.editor.refreshes {
            self.out.ask(method, Value::Null);
        }
        let open: Vec<String> = self.workspace.texts.uris().map(str::to_owned).collect();
        for uri in open {
            self.publish(&uri);
        }
        self.tell_change();
    }

    /// Tells an editor that follows the profiles that something about them is new.
    pub(super) fn tell_change(&mut self) {
        if self.workspace.editor.follow_profiles {
            self.out.notify(protocol::editor::CHANGED, json!({}));
        }
    }

    /// Tells the diagnostics of a file to an editor that does not ask: again about one that it was
    /// told of.
    pub(super) fn publish(&mut self, uri: &str) {
        if self.workspace.editor.pull_diagnostics {
            return;
        }
        let Ok(address) = Uri::from_str(uri) else { return };
        let is_open = self.workspace.texts.get(uri).is_some();
        let diagnostics =
            if is_open { requests::hottest_lines(&self.workspace, &address) } else { vec![] };
        let was_told = if diagnostics.is_empty() {
            self.published.remove(uri)
        } else {
            !self.published.insert(uri.to_owned())
        };
        if diagnostics.is_empty() && !was_told {
            return;
        }
        let params = PublishDiagnosticsParams { uri: address, diagnostics, version: None };
        self.out.notify("textDocument/publishDiagnostics", json!(params));
    }

    /// Shows an address that is not a file of the editor, in the browser.
    pub(in crate::lsp) fn show_in_browser(&mut self, address: &str) -> Result<()> {
        if self.workspace.editor.show_document {
            self.out.ask("window/showDocument", json!({ "uri": address, "external": true }));
            return Ok(());
        }
        open::that_detached(address).with_context(|| format!("open {address} by hand"))
    }

    /// Shows a line of a document's file in the editor.
    pub(in crate::lsp) fn open_source(
        &mut self,
        wanted: &OpenSourceParams,
    ) -> Result<(), ProtocolError> {
        if !self.workspace.editor.show_document {
            return refused("this editor cannot show a file on request".to_owned());
        }
        let (uri, line) = match line_now(&self.workspace, wanted) {
            Ok(place) => place,
            Err(Lack::Refused(error)) => return Err(error),
            Err(Lack::Lost(lost)) => {
                let message = format!("{} is not known here; the editor asks for it", lost.file);
                return if self.ask_where(lost) { refused(message) } else { Err(unknown(wanted)) };
            }
        };
        let position = Position::new(line.saturating_sub(1), 0);
        let params = ShowDocumentParams {
            uri,
            external: None,
            take_focus: Some(wanted.take_focus),
            selection: Some(Range::new(position, position)),
        };
        self.out.ask("window/showDocument", json!(params));
        Ok(())
    }

    /// Asks where a file is that somebody wants to see; tells whether it is asked. Who only looks
    /// at frames is asked once, and not where nothing here could be the file.
    fn ask_where(&mut self, lost: Lost) -> bool {
        let editor = &self.workspace.editor;
        let can_answer = editor.follow_profiles || !lost.candidates.is_empty();
        let is_wanted = lost.wanted.take_focus
            || (!lost.candidates.is_empty() && !self.questions.has_question_about(&lost));
        if !editor.ask_user || !can_answer || !is_wanted {
            return false;
        }
        self.questions.ask_where(lost, editor.follow_profiles, &mut self.out);
        true
    }
}

/// Why a line cannot be shown.
enum Lack {
    Refused(ProtocolError),
    /// Its file is not known here; it may be asked for.
    Lost(Lost),
}

/// Where a line of a document is now: the file, and the line from 1, or 0 where it is unknown.
fn line_now(workspace: &Workspace, wanted: &OpenSourceParams) -> Result<(Uri, u32), Lack> {
    let refused = |message| Err(Lack::Refused(no_source(message)));
    let files = workspace.files();
    if let Some(graph) = workspace.graphs.iter().find(|one| one.number == wanted.document) {
        let file = graph.file_named(&wanted.file);
        let uri = file.and_then(|file| files.uri_of_graph(graph, file));
        return Ok((uri.ok_or_else(|| Lack::Refused(unknown(wanted)))?, wanted.line));
    }
    // What a page made of several profiles has the files of each.
    let all = &workspace.profiles;
    let own = all.iter().find(|one| one.number == wanted.document);
    let any = || all.iter().rev().find(|one| one.file_named(&wanted.file).is_some());
    let Some(profile) = own.or_else(any) else {
        return refused(format!("no profile of the editor has {}", wanted.file));
    };
    let Some(file) = profile.file_named(&wanted.file) else {
        return refused(format!("{} is not a source file", wanted.file));
    };
    let parts = profile.paths.parts(file);
    let lost = || {
        Lack::Lost(Lost {
            title: profile.document.title().to_owned(),
            wanted: wanted.clone(),
            file: parts.text(),
            candidates: files.namesakes(parts),
        })
    };
    let uri = files.uri(profile, file).ok_or_else(lost)?;
    let placed = files.placed(profile, file, &uri, PATIENCE);
    let now = placed.and_then(|placed| placed.lines.near(wanted.line)).unwrap_or(wanted.line);
    Ok((uri, now))
}

fn unknown(wanted: &OpenSourceParams) -> ProtocolError {
    no_source(format!("{} is not among the files of the editor", wanted.file))
        .with_hint("Add a rule to the setting `paths`.")
}

fn no_source(message: String) -> ProtocolError {
    ProtocolError::new(ErrorCode::NoSource, message)
}

fn refused<T>(message: String) -> Result<T, ProtocolError> {
    Err(no_source(message))
}
