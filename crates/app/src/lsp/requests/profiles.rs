//! `hotframe/profiles`: what is loaded, with the hottest functions.
//!
//! Takes `{}`; gives `{ "profiles": [{ "path", "document", "title", "state", "metric", "metrics":
//! [{ "name", "unit", "total" }], "functions": [{ "name", "self", "total", "uri", "line" }] }] }`:
//! `document` is the profile's number for pages, `state` `reading` or `ready`, `metric` a place in
//! `metrics`, values are texts, lines count from 0.

use lsp_types::Uri;
use serde::{Deserialize, Serialize};
use session::ViewOptions;

use crate::lsp::server::{Refusal, Server};
use crate::lsp::source::Amounts;
use crate::text::Unit;

/// Functions of a profile.
const MOST_FUNCTIONS: usize = 20;

/// Parameters of the request: none.
#[derive(Deserialize)]
pub(in crate::lsp) struct ProfilesParams {}

/// Result of the request.
#[derive(Serialize)]
pub(in crate::lsp) struct Profiles {
    profiles: Vec<Loaded>,
}

#[derive(Serialize)]
struct Loaded {
    path: String,
    document: u32,
    title: String,
    state: &'static str,
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
    let (mut files, loaded) = server.files();
    let mut profiles = vec![];
    for profile in loaded {
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
            let file = profile.file_named(&row.file);
            Function {
                own: amounts.text(row.self_value),
                total: amounts.text(row.total_value),
                uri: file.and_then(|file| files.uri(profile, file)),
                line: row.line.saturating_sub(1),
                name: row.name,
            }
        });
        profiles.push(Loaded {
            functions: functions.collect(),
            path: profile.path.to_string_lossy().into_owned(),
            document: profile.number,
            title: document.title().to_owned(),
            state: "ready",
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
            metric: 0,
            metrics: vec![],
            functions: vec![],
        });
    }
    Ok(Profiles { profiles })
}
