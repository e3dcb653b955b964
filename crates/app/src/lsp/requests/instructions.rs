//! `hotframe/instructions`: the code of a function, which its lens leads to.

use std::collections::HashMap;

use protocol::editor::{EditorInstruction, EditorInstructions, EditorInstructionsOf};
use protocol::{InstructionsColumns, InstructionsResult};
use session::{NO_VALUE, function_instructions};

use crate::lsp::refusal::Refusal;
use crate::lsp::source::{Amounts, Source};
use crate::lsp::versions::Placed;
use crate::lsp::workspace::Workspace;
use crate::path_parts::Parts;

/// Gives the instructions as the engine lists them for every host; nothing where no profile has the function.
pub(in crate::lsp) fn instructions(
    workspace: &Workspace,
    params: EditorInstructionsOf,
) -> Option<impl FnOnce() -> Result<EditorInstructions, Refusal> + Send + use<>> {
    let EditorInstructionsOf { uri, key } = params;
    let active = &workspace.profiles[workspace.active()?];
    let source = workspace.sources(&uri.parse().ok()?).active?;
    source.functions().find(|one| one.key == key)?;
    let (document, binaries) = (active.document.clone(), workspace.binaries.clone());
    let Source { metric, amounts, placed, index, file, .. } = source;
    Some(move || {
        let found = function_instructions(&document, metric, key, binaries.as_ref());
        let found = found.map_err(anyhow::Error::from)?;
        Ok(EditorInstructions {
            title: document.title().to_owned(),
            metric: document.metrics()[metric.index()].name.clone(),
            notes: notes(&found.result),
            instructions: listed(
                &found.result,
                &found.columns,
                &amounts,
                &Here { file: Parts::new(&index.files()[file as usize]), placed: &placed },
            ),
        })
    })
}

/// What is to be known of the list.
fn notes(found: &InstructionsResult) -> Vec<String> {
    let mut notes: Vec<String> = vec![];
    for section in &found.sections {
        let symbol = if section.symbol.is_empty() { &section.module } else { &section.symbol };
        if !section.problem.is_empty() {
            let of_symbol = if symbol.is_empty() { String::new() } else { format!("{symbol}: ") };
            notes.push(of_symbol + &section.problem);
        } else if section.unchecked {
            notes.push(format!(
                "the profile does not say which build of {} it is of: this may be another",
                section.module
            ));
        }
    }
    if found.more > 0 {
        notes.push(format!("{} more places are left out", found.more));
    }
    notes.dedup();
    notes
}

/// A file of the profile, and where its lines are now.
struct Here<'a> {
    file: Parts,
    placed: &'a Placed,
}

impl Here<'_> {
    /// The line of today, from 0, that a line of the profile is.
    fn line(&self, file: &Parts, line: u32) -> Option<u32> {
        // Debug information may have more of a path than the profile, or less; a name alone tells nothing.
        let least = self.file.count().min(file.count());
        let is_it = self.file.is(file) || (least > 1 && self.file.shared_end(file) == least);
        let now = self.placed.lines.now(line).filter(|_| is_it && line > 0);
        now.and_then(|now| now.checked_sub(1))
    }
}

fn listed(
    found: &InstructionsResult,
    columns: &InstructionsColumns,
    amounts: &Amounts,
    here: &Here<'_>,
) -> Vec<EditorInstruction> {
    let size = |value: i64| if value == NO_VALUE { 0 } else { value.unsigned_abs() };
    let most = columns.self_value.iter().map(|&value| size(value)).max().unwrap_or(0);
    let files: Vec<Parts> = found.files.iter().map(|file| Parts::new(file)).collect();
    let sections = found.sections.iter();
    let modules = sections.flat_map(|one| (0..one.count).map(|_| &*one.module));
    let mut short = HashMap::new();
    let rows = modules.zip(&found.instructions).zip(columns.self_value.iter());
    rows.zip(&columns.total_value)
        .map(|(((module, one), &own), &total)| {
            let file = one.file.map(|file| &files[file as usize]);
            let line = file.and_then(|file| here.line(file, one.line));
            let elsewhere = file.filter(|_| line.is_none()).map(|file| {
                let path = file.text();
                format!("{}:{}", path.rsplit('/').next().unwrap_or_default(), one.line)
            });
            let module = *short.entry(module).or_insert_with(|| session::base_name(module));
            EditorInstruction {
                line,
                elsewhere: elsewhere.unwrap_or_default(),
                address: format!("0x{}", one.address),
                module: module.to_owned(),
                text: one.text.clone(),
                values: match (own, total) {
                    (0, 0) => String::new(),
                    _ => amounts.self_and_total(own, total),
                },
                is_hottest: most > 0 && size(own) == most,
            }
        })
        .collect()
}
