//! `hotframe/profiles`: what is loaded, with the hottest functions.
//!
//! Takes `{}`; gives `{ "profiles": [{ "path", "document", "title", "state", "is_active",
//! "is_base", "metric", "metrics": [{ "name", "unit", "total" }], "functions": [{ "name", "self",
//! "total", "uri", "line" }] }], "graphs": [{ "path", "document", "title" }] }`:
//! `document` is the profile's number for pages, `state` `reading` or `ready`, `metric` a place in
//! `metrics`, values are texts, lines count from 0.

use std::time::{Duration, Instant};

use lsp_types::Uri;
use serde::{Deserialize, Serialize};
use session::ViewOptions;

use crate::lsp::server::{Refusal, Server};
use crate::lsp::source::Amounts;
use crate::text::Unit;

/// Functions of a profile.
const MOST_FUNCTIONS: usize = 20;
/// How long git may take for all files of an answer.
const PATIENCE_FOR_ALL: Duration = Duration::from_millis(250);

/// Parameters of the request: none.
#[derive(Deserialize)]
pub(in crate::lsp) struct ProfilesParams {}

/// Result of the request.
#[derive(Serialize)]
pub(in crate::lsp) struct Profiles {
    profiles: Vec<Loaded>,
    graphs: Vec<LoadedGraph>,
}

/// A dataflow graph, which has pages and says nothing of lines.
#[derive(Serialize)]
struct LoadedGraph {
    path: String,
    document: u32,
    title: String,
}

#[derive(Serialize)]
struct Loaded {
    path: String,
    document: u32,
    title: String,
    state: &'static str,
    is_active: bool,
    is_base: bool,
    metric: usize,
    metrics: Vec<Metric>,
    functions: Vec<Function>,
}

#[derive(Serialize)]
struct Metric {
    name: String,
    unit: String,
    total: String,
}

#[derive(Serialize)]
struct Function {
    name: String,
    #[serde(rename = "self")]
    own: String,
    total: String,
    uri: Option<Uri>,
    line: u32,
}

pub(in crate::lsp) fn profiles(
    server: &mut Server,
    _: ProfilesParams,
) -> Result<Profiles, Refusal> {
    let asked = Instant::now();
    let (active, base) = (server.active(), server.base());
    let (mut files, loaded) = server.files();
    let mut profiles = vec![];
    for (place, profile) in loaded.iter_mut().enumerate() {
        let document = profile.document.clone();
        let mut metrics = vec![];
        for (index, metric) in document.metrics().iter().enumerate() {
            let total = document.unfiltered_total(index).map_err(anyhow::Error::from)?;
            let total = Unit::of(&metric.unit, metric.decimals).text(total);
            metrics.push(Metric { name: metric.name.clone(), unit: metric.unit.clone(), total });
        }
        let options = ViewOptions { metric: profile.metric, ..ViewOptions::default() };
        let whole = document.total(&options).map_err(anyhow::Error::from)?;
        let amounts = Amounts::new(&document, profile.metric, whole);
        let report = document.flat_report(&options, MOST_FUNCTIONS);
        let (rows, _) = report.map_err(anyhow::Error::from)?;
        let functions = rows.into_iter().map(|row| {
            let file = profile.file_named(&row.place.file);
            let uri = file.and_then(|file| files.uri(profile, file));
            // What is gone has its line of before.
            let patience = PATIENCE_FOR_ALL.saturating_sub(asked.elapsed());
            let placed = uri.as_ref().and_then(|uri| files.placed(profile, uri, patience));
            let now = placed
                .and_then(|placed| placed.lines.near(row.place.line))
                .unwrap_or(row.place.line);
            Function {
                own: amounts.text(row.self_value),
                total: amounts.text(row.total_value),
                uri,
                line: now.saturating_sub(1),
                name: row.name,
            }
        });
        profiles.push(Loaded {
            functions: functions.collect(),
            path: profile.path.to_string_lossy().into_owned(),
            document: profile.number,
            title: document.title().to_owned(),
            state: "ready",
            is_active: active == Some(place),
            is_base: base == Some(place),
            metric: profile.metric,
            metrics,
        });
    }
    for loading in &server.loading {
        if server.profiles.iter().any(|known| known.path == loading.path) {
            continue;
        }
        let name = loading.path.file_name().unwrap_or_default();
        profiles.push(Loaded {
            path: loading.path.to_string_lossy().into_owned(),
            document: loading.document,
            title: name.to_string_lossy().into_owned(),
            state: "reading",
            is_active: false,
            is_base: false,
            metric: 0,
            metrics: vec![],
            functions: vec![],
        });
    }
    let graphs = server.graphs.iter().map(|graph| LoadedGraph {
        path: graph.path.to_string_lossy().into_owned(),
        document: graph.number,
        title: graph.document.title().to_owned(),
    });
    Ok(Profiles { profiles, graphs: graphs.collect() })
}
