//! `hotframe info`.

mod time;

use std::io::Write;

use anyhow::Result;
use serde::Serialize;
use session::{
    Profile, ProfileDocument, label_keys, member_totals, threads, unfiltered_total, visible,
};

use crate::arguments::{Info, InfoFormat};
use crate::reading;
use crate::report::JSON_VERSION;
use crate::text::{Harmless, Unit, count, json_number};

/// The stable JSON shape.
#[derive(Serialize)]
struct InfoJson<'a> {
    version: u32,
    format: &'a str,
    producer: &'a str,
    duration_ns: i64,
    metrics: Vec<MetricJson<'a>>,
    contexts: usize,
    frames: usize,
    functions: usize,
    /// How many different things were recorded, such as stacks: several samples may be one of them.
    stacks: usize,
    samples: u64,
    threads: u32,
    /// Of recordings that tell what happened when.
    #[serde(skip_serializing_if = "Option::is_none")]
    timeline: Option<time::TimelineJson>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    members: Vec<MemberJson<'a>>,
    warnings: Vec<String>,
}

#[derive(Serialize)]
struct MetricJson<'a> {
    name: &'a str,
    unit: &'a str,
    total: Option<serde_json::Number>,
    /// Of a metric that is worked out from others.
    #[serde(skip_serializing_if = "Option::is_none")]
    formula: Option<String>,
}

#[derive(Serialize)]
struct MemberJson<'a> {
    name: &'a str,
    producer: &'a str,
    time_ns: i64,
    duration_ns: i64,
    /// One a metric.
    totals: Vec<Option<serde_json::Number>>,
}

/// Members of a text report.
const TEXT_MEMBERS: usize = 40;

/// Tells what a profile holds.
pub(crate) fn info(arguments: &Info) -> Result<()> {
    let document = reading::read(&arguments.files, &arguments.limits)?;
    match arguments.format {
        InfoFormat::Json => json(&document),
        InfoFormat::Text => text(&document),
    }
}

fn json(document: &ProfileDocument) -> Result<()> {
    let profile = document.profile();
    let metrics = document.metrics();
    let info = InfoJson {
        version: JSON_VERSION,
        format: &profile.origin.format,
        producer: &profile.origin.producer,
        duration_ns: profile.origin.duration_ns,
        metrics: (document.metric_ids().zip(&metrics).zip(document.formulas()))
            .map(|((id, metric), formula)| {
                Ok(MetricJson {
                    name: &metric.name,
                    unit: &metric.unit,
                    total: json_number(unfiltered_total(document, id)?, metric.decimals),
                    formula,
                })
            })
            .collect::<Result<_>>()?,
        contexts: profile.contexts.len() - 1,
        frames: profile.frames.len(),
        functions: profile.functions.len(),
        stacks: profile.points.len(),
        samples: samples(document)?.unwrap_or(profile.points.len() as u64),
        threads: threads(document),
        timeline: time::json(document),
        members: (profile.members.iter().zip(member_totals(profile)))
            .map(|(member, totals)| MemberJson {
                name: &member.name,
                producer: &member.producer,
                time_ns: member.time_ns,
                duration_ns: member.duration_ns,
                totals: (totals.into_iter().zip(&profile.metrics))
                    .map(|(total, metric)| json_number(total, metric.decimals))
                    .collect(),
            })
            .collect(),
        warnings: super::notes::warnings(document),
    };
    let mut out = crate::text::stdout();
    serde_json::to_writer_pretty(&mut out, &info).map_err(std::io::Error::from)?;
    writeln!(out)?;
    Ok(())
}

/// How many samples were taken, where a metric counts them.
fn samples(document: &ProfileDocument) -> Result<Option<u64>> {
    let metrics = document.profile().metrics.iter();
    let named = metrics.zip(document.metric_ids()).find(|(metric, _)| metric.name == "samples");
    let Some((metric, id)) = named.filter(|(metric, _)| metric.decimals == 0) else {
        return Ok(None);
    };
    let total = unfiltered_total(document, id)?;
    Ok((metric.unit == "count").then(|| u64::try_from(total).ok()).flatten())
}

fn text(document: &ProfileDocument) -> Result<()> {
    let profile = document.profile();
    let origin = &profile.origin;
    let mut out = Harmless::new(crate::text::stdout());
    writeln!(out, "{}", console::style(visible(document.title())).bold())?;
    let mut line = |name: &str, value: &str| writeln!(out, "  {name:<10} {}", visible(value));
    if !origin.format.is_empty() {
        line("format", &origin.format)?;
    }
    if !origin.producer.is_empty() {
        line("producer", &origin.producer)?;
    }
    if origin.time_ns != 0 {
        line("recorded", &crate::text::utc_time(origin.time_ns))?;
    }
    if origin.duration_ns != 0 {
        line("duration", &Unit::new("nanoseconds", 0).text(origin.duration_ns))?;
    }
    let amount = |value: usize, word: &str| format!("{} {word}", count(value as u64));
    line("stacks", &count(profile.points.len() as u64))?;
    if let Some(samples) = samples(document)? {
        line("samples", &count(samples))?;
    }
    line("tree", &amount(profile.contexts.len() - 1, "contexts"))?;
    let frames = amount(profile.frames.len(), "frames");
    line("code", &format!("{frames} of {}", amount(profile.functions.len(), "functions")))?;
    if threads(document) > 0 {
        line("threads", &count(threads(document).into()))?;
    }
    if let Some(words) = time::line(document) {
        line("timeline", &words)?;
    }
    let keys = label_keys(document);
    if !keys.is_empty() {
        line("labels", &keys.join(", "))?;
    }
    for comment in &origin.comments {
        line("comment", comment)?;
    }
    if !origin.doc_url.is_empty() {
        line("see", &origin.doc_url)?;
    }
    writeln!(out, "  metrics")?;
    /// Longer names and units move the totals of their own lines only.
    const WIDEST: usize = 40;
    let (mut names, mut units) = (0, 0);
    let metrics = document.metrics();
    for metric in &metrics {
        names = names.max(console::measure_text_width(&visible(&metric.name)).min(WIDEST));
        units = units.max(console::measure_text_width(&visible(&metric.unit)).min(WIDEST));
    }
    for ((id, metric), formula) in document.metric_ids().zip(&metrics).zip(document.formulas()) {
        let total = unfiltered_total(document, id)?;
        let total = Unit::new(&metric.unit, metric.decimals).text(total);
        let mark = match formula {
            Some(formula) => format!("  = {}", visible(&formula)),
            None if id == origin.default_metric => "  (default)".to_owned(),
            None => String::new(),
        };
        let name = visible(&metric.name);
        let name = console::pad_str(&name, names, console::Alignment::Left, None);
        writeln!(out, "    {name}  {:<units$}  {total:>14}{mark}", visible(&metric.unit))?;
    }
    if !profile.members.is_empty() {
        members(&mut out, profile)?;
    }
    for warning in super::notes::warnings(document) {
        writeln!(out, "  {} {}", console::style("warning").yellow(), visible(&warning))?;
    }
    Ok(())
}

/// The members, with what each has of the default metric.
fn members(out: &mut dyn Write, profile: &Profile) -> Result<()> {
    let metric = profile.metrics.get(profile.origin.default_metric.index());
    let name = metric.map_or(String::new(), |metric| format!(" ({})", visible(&metric.name)));
    writeln!(out, "  {} members{name}", count(profile.members.len() as u64))?;
    for (member, totals) in profile.members.iter().zip(member_totals(profile)).take(TEXT_MEMBERS) {
        let total = metric.map_or(String::new(), |metric| {
            let total = totals[profile.origin.default_metric.index()];
            Unit::new(&metric.unit, metric.decimals).text(total)
        });
        writeln!(out, "    {:<33} {total:>14}", visible(&member.name))?;
    }
    if let Some(more @ 1..) = profile.members.len().checked_sub(TEXT_MEMBERS) {
        writeln!(out, "    … {} more (--format json has all)", count(more as u64))?;
    }
    Ok(())
}
