//! `textDocument/codeLens`: self and total above each function, and the change against the base.

use std::collections::HashMap;
use std::fmt::Write as _;

use lsp_types::{CodeLens, CodeLensParams, Command, Position, Range, Uri};

use serde_json::Value;
use session::SourceFunction;

use crate::lsp::refusal::Refusal;
use crate::lsp::source::{Source, Sources};
use crate::lsp::texts::LineLength;
use crate::lsp::workspace::Workspace;
use crate::text::count;

pub(in crate::lsp) fn code_lens(
    workspace: &Workspace,
    params: CodeLensParams,
) -> Result<Vec<CodeLens>, Refusal> {
    let uri = params.text_document.uri;
    let sources = workspace.sources(&uri);
    let least = workspace.settings.lens_percent / 100.0;
    let mut lenses = vec![];
    if let Some(source) = &sources.active {
        lenses.extend(of_functions(source, &sources, least, &uri));
    }
    if let Some(base) = &sources.base {
        let path = base.source.as_ref().map_or("", |source| &source.path);
        for gone in base.gone().filter(|gone| base.is_large(gone.change, least)) {
            lenses.push(lens(gone.line, base.gone_text(&gone), &gone.function, path));
        }
    }
    lenses.retain(|lens| {
        workspace.texts.line_length(uri.as_str(), lens.range.start.line) != LineLength::NoLine
    });
    lenses.sort_by_key(|lens| lens.range.start.line);
    Ok(lenses)
}

/// The functions with a share of at least `least` of the whole, now or in the base.
fn of_functions(
    source: &Source<'_>,
    sources: &Sources<'_>,
    least: f64,
    uri: &Uri,
) -> Vec<CodeLens> {
    let is_large = |function: &SourceFunction<'_>| {
        let before = sources.base.as_ref();
        source.amounts.is_large(function.total_value, least)
            || before.is_some_and(|base| base.was_large(function, least))
    };
    let of_function = |function| {
        let mut title = source.values_of(&function);
        if let Some(change) = sources.base.as_ref().and_then(|base| base.change(&function)) {
            let _ = write!(title, " · {change}");
        }
        title.push_str(source.mark());
        let lines = source.starts_now(&function).into_iter();
        lines.map(move |line| (line, function, title.clone()))
    };
    let told: Vec<_> = source.functions().filter(is_large).flat_map(of_function).collect();
    let mut on_line = HashMap::<u32, usize>::new();
    for (line, ..) in &told {
        *on_line.entry(*line).or_default() += 1;
    }
    let lenses_of = |(line, function, title): (u32, SourceFunction<'_>, String)| {
        let instructions = function.instructions;
        // Closures and what was inlined may stand at one line.
        let named = |title: String| match on_line.get(&line) {
            Some(2..) => format!("{}: {title}", last_part(function.name)),
            _ => title,
        };
        let of_instructions = (instructions >= 2).then(|| {
            let title = format!("{} instructions{}", count(instructions.into()), source.mark());
            instructions_lens(line, named(title), &function, uri)
        });
        [lens(line, named(title), &function, &source.path)].into_iter().chain(of_instructions)
    };
    told.into_iter().flat_map(lenses_of).collect()
}

/// The last part of a name: `closure` of `app::main::closure`.
fn last_part(name: &str) -> &str {
    let after_colons = name.rsplit("::").next().unwrap_or(name);
    if after_colons.is_empty() { name } else { after_colons }
}

/// A lens above a line from 1, on a function of the profile at `path`.
fn lens(line: u32, title: String, function: &SourceFunction<'_>, path: &str) -> CodeLens {
    // The editor's, which shows the function in the flame graph.
    let arguments = vec![function.name.into(), path.into(), function.key.into()];
    command_lens(line, title, "hotframe.showFunction", arguments)
}

/// A lens beside that of a function, on its instructions.
fn instructions_lens(
    line: u32,
    title: String,
    function: &SourceFunction<'_>,
    uri: &Uri,
) -> CodeLens {
    // The editor's, which lists them.
    let arguments = vec![uri.as_str().into(), function.key.into()];
    command_lens(line, title, "hotframe.showInstructions", arguments)
}

fn command_lens(line: u32, title: String, command: &str, arguments: Vec<Value>) -> CodeLens {
    let position = Position::new(line - 1, 0);
    let command = Command { title, command: command.to_owned(), arguments: Some(arguments) };
    CodeLens { range: Range::new(position, position), command: Some(command), data: None }
}
