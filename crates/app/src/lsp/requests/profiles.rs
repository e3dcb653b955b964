//! `hotframe/profiles`: what is loaded, with the hottest functions.

use std::time::{Duration, Instant};

use protocol::editor::{
    EditorGraph, EditorHotFunction, EditorMetric, EditorProfile, EditorProfileState, EditorProfiles,
};
use serde::Deserialize;
use session::{ViewOptions, flat_report, function_of, total_of, unfiltered_total};

use crate::lsp::refusal::Refusal;
use crate::lsp::several;
use crate::lsp::source::Amounts;
use crate::lsp::workspace::Workspace;

/// Functions of a profile.
const MOST_FUNCTIONS: usize = 20;
/// How long git may take for all files of an answer.
const PATIENCE_FOR_ALL: Duration = Duration::from_millis(250);

/// Parameters of the request: none.
#[derive(Deserialize)]
pub(in crate::lsp) struct ProfilesParams {}

pub(in crate::lsp) fn profiles(
    workspace: &Workspace,
    _: ProfilesParams,
) -> Result<EditorProfiles, Refusal> {
    let asked = Instant::now();
    let (active, base, files) = (workspace.active(), workspace.base(), workspace.files());
    let mut profiles = vec![];
    for (place, profile) in workspace.profiles.iter().enumerate() {
        let document = profile.document.clone();
        let mut metrics = vec![];
        for (id, metric) in document.metric_ids().zip(document.metrics()) {
            let total = unfiltered_total(&document, id).map_err(anyhow::Error::from)?;
            let amounts = Amounts::new(&document, id, total);
            metrics.push(EditorMetric {
                name: metric.name.clone(),
                unit: metric.unit.clone(),
                total: amounts.plain_text(total),
                runs: amounts.of_runs.divisor() as u32,
            });
        }
        let options = ViewOptions { metric: profile.metric, ..ViewOptions::default() };
        let whole = total_of(&document, &options).map_err(anyhow::Error::from)?;
        let amounts = Amounts::new(&document, profile.metric, whole);
        let report = flat_report(&document, &options, MOST_FUNCTIONS);
        let (rows, _) = report.map_err(anyhow::Error::from)?;
        let functions = rows.into_iter().map(|row| {
            let file = profile.file_named(&row.place.file);
            let uri = file.and_then(|file| files.uri(profile, file));
            // What is gone has its line of before.
            let patience = PATIENCE_FOR_ALL.saturating_sub(asked.elapsed());
            let here = file.zip(uri.as_ref());
            let placed = here.and_then(|(file, uri)| files.placed(profile, file, uri, patience));
            let now = placed
                .and_then(|placed| placed.lines.near(row.place.line))
                .unwrap_or(row.place.line);
            EditorHotFunction {
                self_value: amounts.text(row.self_value),
                total: amounts.text(row.total_value),
                uri: uri.map(|uri| uri.to_string()),
                line: now.saturating_sub(1),
                name: row.name,
                key: row.frame.map_or(0, |frame| function_of(&document, frame)),
            }
        });
        profiles.push(EditorProfile {
            functions: functions.collect(),
            path: profile.path.to_string_lossy().into_owned(),
            document: profile.number,
            title: document.title().to_owned(),
            state: EditorProfileState::Ready,
            is_active: active == Some(place),
            is_base: base == Some(place),
            metric: profile.metric.index(),
            metrics,
        });
    }
    for loading in &workspace.loading {
        if workspace.profile(&loading.path).is_some() {
            continue;
        }
        profiles.push(EditorProfile {
            path: loading.path.to_string_lossy().into_owned(),
            document: loading.document,
            title: several::title(&loading.path),
            state: EditorProfileState::Reading,
            is_active: false,
            is_base: false,
            metric: 0,
            metrics: vec![],
            functions: vec![],
        });
    }
    let graphs = workspace.graphs.iter().map(|graph| EditorGraph {
        path: graph.path.to_string_lossy().into_owned(),
        document: graph.number,
        title: graph.document.title().to_owned(),
    });
    let base_is_chosen = workspace.base_is_chosen();
    Ok(EditorProfiles { profiles, base_is_chosen, graphs: graphs.collect() })
}
