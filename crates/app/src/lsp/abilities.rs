//! What an editor can do, and what this server can.

use lsp_types::{
    ClientCapabilities, CodeLensOptions, DiagnosticOptions, DiagnosticServerCapabilities,
    ExecuteCommandOptions, HoverProviderCapability, OneOf, ServerCapabilities,
    TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions,
    TextDocumentSyncSaveOptions, WorkspaceFoldersServerCapabilities, WorkspaceServerCapabilities,
};
use serde_json::Value;

/// What an editor can do.
#[derive(Debug, Default)]
pub(super) struct Abilities {
    pub(super) show_document: bool,
    pub(super) show_progress: bool,
    /// It shows messages with actions.
    pub(super) ask_user: bool,
    /// It wants to know when something about the profiles is new.
    pub(super) follow_profiles: bool,
    /// It asks for diagnostics.
    pub(super) pull_diagnostics: bool,
    /// Symbols of a document may have details.
    pub(super) symbol_details: bool,
    /// What it can be asked to ask for again.
    pub(super) refreshes: Vec<&'static str>,
}

impl Abilities {
    /// What an editor says of itself; `refreshes_diagnostics` has no place in the structures.
    pub(super) fn new(told: ClientCapabilities, refreshes_diagnostics: bool) -> Abilities {
        let window = told.window.unwrap_or_default();
        let document = told.text_document.unwrap_or_default();
        let workspace = told.workspace.unwrap_or_default();
        let lenses = workspace.code_lens.is_some_and(|lens| lens.refresh_support == Some(true));
        let hints = workspace.inlay_hint.is_some_and(|hint| hint.refresh_support == Some(true));
        let refreshes = [
            (refreshes_diagnostics, "workspace/diagnostic/refresh"),
            (lenses, "workspace/codeLens/refresh"),
            (hints, "workspace/inlayHint/refresh"),
        ];
        Abilities {
            show_document: window.show_document.is_some_and(|can| can.support),
            show_progress: window.work_done_progress == Some(true),
            ask_user: window.show_message.is_some(),
            follow_profiles: (told.experimental)
                .is_some_and(|can| can.get("hotframe") == Some(&Value::Bool(true))),
            pull_diagnostics: document.diagnostic.is_some(),
            symbol_details: (document.document_symbol)
                .is_some_and(|can| can.hierarchical_document_symbol_support == Some(true)),
            refreshes: refreshes.iter().filter(|(can, _)| *can).map(|&(_, it)| it).collect(),
        }
    }
}

/// What this server can do, with the names of its commands.
pub(super) fn of_server(commands: Vec<String>) -> ServerCapabilities {
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::INCREMENTAL),
            save: Some(TextDocumentSyncSaveOptions::Supported(true)),
            ..TextDocumentSyncOptions::default()
        })),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
        inlay_hint_provider: Some(OneOf::Left(true)),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        workspace_symbol_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        diagnostic_provider: Some(DiagnosticServerCapabilities::Options(DiagnosticOptions {
            identifier: Some("hotframe".to_owned()),
            ..DiagnosticOptions::default()
        })),
        workspace: Some(WorkspaceServerCapabilities {
            workspace_folders: Some(WorkspaceFoldersServerCapabilities {
                supported: Some(true),
                change_notifications: Some(OneOf::Left(true)),
            }),
            file_operations: None,
        }),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands,
            ..ExecuteCommandOptions::default()
        }),
        ..ServerCapabilities::default()
    }
}
