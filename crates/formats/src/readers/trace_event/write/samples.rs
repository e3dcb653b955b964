//! Samples that have a time, and the table of their stacks.

use std::io::Write;

use profile::{MetricId, PointId, Profile};
use serde_json::json;

use super::event::Micros;
use super::ids::Homes;
use super::writer::absolute;
use crate::WriteError;
use crate::graph::frame_tree::FrameTree;
use crate::readers::trace_event::read::has_place_in;

/// Which points are written as samples: those that have a time and count no span.
pub(super) fn samples(profile: &Profile) -> Vec<usize> {
    let mut of_spans = vec![false; profile.points.len()];
    let spans = &profile.timeline.spans;
    for row in 0..spans.len() {
        let PointId(point) = spans.point(row);
        of_spans[point as usize] = true;
    }
    let is_sample = |&point: &usize| !of_spans[point] && profile.points.time(point).is_some();
    (0..profile.points.len()).filter(is_sample).collect()
}

/// The metric that weights are of: how many samples, where that is told and is not what is shown first of what
/// was read from such a file.
pub(super) fn weight_of(profile: &Profile) -> Option<MetricId> {
    let counts = |&metric: &MetricId| {
        let metric = profile.metric(metric);
        metric.name == "samples" && metric.unit == "count"
    };
    let default = profile.origin.default_metric;
    let known = default.index() < profile.metrics.len();
    if known && profile.metric(default).unit.is_empty() {
        return Some(default);
    }
    profile.metric_ids().find(counts).or(known.then_some(default))
}

pub(super) fn write(
    profile: &Profile,
    homes: &Homes<'_>,
    out: &mut dyn Write,
) -> Result<(), WriteError> {
    let samples = samples(profile);
    if samples.is_empty() {
        return Ok(());
    }
    let tree = FrameTree::new(profile);
    let mut is_used = vec![false; tree.parent.len()];
    let weight_of = weight_of(profile);
    write!(out, ",\"samples\":[")?;
    for (row, &point) in samples.iter().enumerate() {
        let data = profile.points.get(point);
        let mut sample = json!({"name": weight_of.map_or("", |id| &*profile.metric(id).name)});
        if let Some(home) = data.thread.and_then(|thread| homes.of_thread(data.member, thread)) {
            sample["pid"] = home.pid.clone().into();
            sample["tid"] = home.tid.clone().into();
        }
        if let Some(cpu) = data.cpu {
            sample["cpu"] = cpu.into();
        }
        let node = tree.node[data.context.index()];
        if node != 0 {
            sample["sf"] = node.into();
            is_used[node as usize] = true;
        }
        let time = absolute(profile, data.time.unwrap_or(0));
        let weight = weight_of.map_or("1".to_owned(), |id| {
            profile::decimal_text(profile.points.value(point, id), profile.metric(id).decimals)
        });
        let text = sample.to_string();
        let open = text.strip_suffix('}').unwrap_or_default();
        let comma = if row == 0 { "" } else { "," };
        write!(out, "{comma}\n{open},\"ts\":{},\"weight\":{weight}}}", Micros(time))?;
    }
    write!(out, "\n],\"stackFrames\":{{")?;
    for node in (1..is_used.len()).rev() {
        is_used[tree.parent[node] as usize] |= is_used[node];
    }
    let mut comma = "";
    for node in (1..is_used.len()).filter(|&node| is_used[node]) {
        let Some(frame) = tree.frame[node] else { continue };
        let mut entry = json!({"name": profile.frame_name(frame)});
        if tree.parent[node] != 0 {
            entry["parent"] = tree.parent[node].into();
        }
        let file = profile.frame_file(frame);
        let (line, column) =
            (profile.frames.line[frame.index()], profile.frames.column[frame.index()]);
        if !file.is_empty() || line > 0 || has_place_in(&profile.frame_name(frame)) {
            entry["filename"] = file.into();
            entry["line"] = line.into();
            entry["column"] = column.into();
        }
        write!(out, "{comma}\n\"{node}\":{entry}")?;
        comma = ",";
    }
    write!(out, "\n}}")?;
    Ok(())
}
