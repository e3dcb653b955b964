//! Writing speedscope's JSON.

use std::io::Write;

use profile::{ContextId, FrameId, MetricId, Profile};
use serde::Serialize;

use super::format::EXPORTER;
use crate::{Carries, Feature, WriteError};

pub(super) const CARRIES: Carries = Carries {
    kept: &[
        Feature::Nanoseconds,
        Feature::Fractions,
        Feature::Stackless,
        Feature::Negatives,
        Feature::Metrics,
        Feature::Decimals,
        Feature::Files,
        Feature::Lines,
        Feature::Columns,
        Feature::Separators,
        Feature::CallPaths,
    ],
    as_labels: &[],
    besides: Carries::nothing,
};

#[derive(Serialize)]
struct SharedFrame<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    file: &'a str,
    #[serde(skip_serializing_if = "is_zero")]
    line: u32,
    #[serde(skip_serializing_if = "is_zero")]
    col: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the shape that serde asks for")]
fn is_zero(value: &u32) -> bool {
    *value == 0
}

/// One sampled profile a metric; a sample is a point, in the order of the file.
pub(super) fn write(profile: &Profile, out: &mut dyn Write) -> Result<(), WriteError> {
    write!(
        out,
        "{{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"exporter\":\"{EXPORTER}\","
    )?;
    write!(
        out,
        "\"activeProfileIndex\":{},\"shared\":{{\"frames\":[",
        profile.origin.default_metric.0
    )?;
    for row in 0..profile.frames.len() {
        let frame = FrameId(row as u32);
        let entry = SharedFrame {
            name: &profile.frame_name(frame),
            file: profile.frame_file(frame),
            line: profile.frames.line[row],
            col: profile.frames.column[row],
        };
        separator(out, row)?;
        json(out, &entry)?;
    }
    write!(out, "]}},\"profiles\":[")?;
    for (index, metric) in profile.metrics.iter().enumerate() {
        separator(out, index)?;
        write!(out, "{{\"type\":\"sampled\",\"name\":")?;
        json(out, &metric.name)?;
        let decimals = metric.decimals;
        let total: i128 =
            profile.points.values(MetricId(index as u32)).map(|v| i128::from(v).abs()).sum();
        let total = total.min(i64::MAX.into()) as i64;
        write!(
            out,
            ",\"unit\":\"{}\",\"startValue\":0,\"endValue\":{},\"samples\":[",
            unit(&metric.unit),
            profile::decimal_text(total, decimals)
        )?;
        let mut path = vec![];
        for (row, &context) in profile.points.context.iter().enumerate() {
            separator(out, row)?;
            path.clear();
            path.extend(std::iter::successors(Some(context), |&at: &ContextId| {
                profile.contexts.parent(at)
            }));
            write!(out, "[")?;
            for (place, frame) in
                path.iter().rev().flat_map(|&at| profile.frames_of(at)).enumerate()
            {
                separator(out, place)?;
                write!(out, "{frame}")?;
            }
            write!(out, "]")?;
        }
        write!(out, "],\"weights\":[")?;
        for (row, value) in profile.points.values(MetricId(index as u32)).enumerate() {
            separator(out, row)?;
            write!(out, "{}", profile::decimal_text(value, decimals))?;
        }
        write!(out, "]}}")?;
    }
    write!(out, "]}}")?;
    Ok(())
}

fn separator(out: &mut dyn Write, index: usize) -> Result<(), WriteError> {
    if index > 0 {
        write!(out, ",")?;
    }
    Ok(())
}

fn json(out: &mut dyn Write, value: &impl Serialize) -> Result<(), WriteError> {
    serde_json::to_writer(out, value).map_err(|error| WriteError::Io(error.into()))
}

/// The unit in speedscope's words.
fn unit(unit: &str) -> &'static str {
    match unit {
        "nanoseconds" | "ns" => "nanoseconds",
        "microseconds" | "us" => "microseconds",
        "milliseconds" | "ms" => "milliseconds",
        "seconds" | "s" => "seconds",
        "bytes" => "bytes",
        _ => "none",
    }
}
